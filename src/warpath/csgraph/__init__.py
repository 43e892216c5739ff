"""SciPy's ``scipy.sparse.csgraph``, by warpath: one changed import line.

>>> from warpath import csgraph
>>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
>>> csgraph.dijkstra(graph, indices=0)
array([0. , 1.5, 1. ])

Names, arguments, shapes, dtypes and values are SciPy's. The functions about shortest paths have
two arguments more, ``dtype`` and ``device``; components and spanning trees have ``device``. All take CuPy's matrices as
well. What is not about paths, traversal or spanning trees is SciPy's own function.
"""

from typing import Any

from scipy.sparse import csgraph as _scipys
from scipy.sparse.csgraph import csgraph_from_masked, csgraph_masked_from_dense

from warpath.csgraph.errors import NegativeCycleError
from warpath.csgraph.paths import (
    bellman_ford,
    dijkstra,
    floyd_warshall,
    johnson,
    shortest_path,
    yen,
)
from warpath.csgraph.scipys import (
    construct_dist_matrix,
    csgraph_from_dense,
    csgraph_to_dense,
    csgraph_to_masked,
    depth_first_order,
    depth_first_tree,
    laplacian,
    maximum_bipartite_matching,
    maximum_flow,
    min_weight_full_bipartite_matching,
    reconstruct_path,
    reverse_cuthill_mckee,
    structural_rank,
)
from warpath.csgraph.spanning import minimum_spanning_tree
from warpath.csgraph.traversal import (
    breadth_first_order,
    breadth_first_tree,
    connected_components,
)

__all__ = [
    "NegativeCycleError",
    "bellman_ford",
    "breadth_first_order",
    "breadth_first_tree",
    "connected_components",
    "construct_dist_matrix",
    "csgraph_from_dense",
    "csgraph_from_masked",
    "csgraph_masked_from_dense",
    "csgraph_to_dense",
    "csgraph_to_masked",
    "depth_first_order",
    "depth_first_tree",
    "dijkstra",
    "floyd_warshall",
    "johnson",
    "laplacian",
    "maximum_bipartite_matching",
    "maximum_flow",
    "min_weight_full_bipartite_matching",
    "minimum_spanning_tree",
    "reconstruct_path",
    "reverse_cuthill_mckee",
    "shortest_path",
    "structural_rank",
    "yen",
]


def __getattr__(name: str) -> Any:
    """Whatever else SciPy's module has, of a later version too."""
    if name.startswith("__"):
        raise AttributeError(f"module 'warpath.csgraph' has no attribute {name!r}")
    return getattr(_scipys, name)
