"""The functions, in files that mirror NetworkX's."""

from importlib import import_module

_MODULES = (
    "centrality.betweenness",
    "centrality.closeness",
    "centrality.harmonic",
    "cluster",
    "components.connected",
    "components.strongly_connected",
    "components.weakly_connected",
    "core",
    "dag",
    "distance_measures",
    "efficiency_measures",
    "link_analysis.pagerank_alg",
    "mis",
    "shortest_paths.dense",
    "shortest_paths.generic",
    "shortest_paths.unweighted",
    "shortest_paths.weighted",
    "traversal.breadth_first_search",
    "tree.mst",
    "voronoi",
    "wiener",
)


def load() -> None:
    """Import all of them: each enters its functions in `warpath.networkx.registry`."""
    for module in _MODULES:
        import_module(f"{__name__}.{module}")
