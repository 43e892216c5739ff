"""The functions that the backend has, under NetworkX's names, each with its further keywords."""

KEYWORDS = {
    "device": "'cpu' (also 'auto') or 'cuda': where to run.",
    "method": "Which algorithm runs; see `warpath.sssp`, of all pairs `warpath.apsp`.",
    "schedule": "How it runs; see `warpath.bfs` and `warpath.sssp`.",
}

_DEVICE = ("device",)
_WHERE = ("device", "schedule")
_HOW = ("device", "method", "schedule")

FUNCTIONS: dict[str, tuple[str, ...]] = {
    # dag
    "ancestors": _WHERE,
    "descendants": _WHERE,
    # shortest_paths.dense
    "floyd_warshall": ("device", "method"),
    "floyd_warshall_numpy": ("device", "method"),
    "floyd_warshall_predecessor_and_distance": ("device", "method"),
    # shortest_paths.generic, whose own ``method`` is NetworkX's
    "all_pairs_all_shortest_paths": _WHERE,
    "all_shortest_paths": _WHERE,
    "average_shortest_path_length": _DEVICE,
    "has_path": _WHERE,
    "shortest_path": _WHERE,
    "shortest_path_length": _WHERE,
    "single_source_all_shortest_paths": _WHERE,
    # shortest_paths.unweighted
    "all_pairs_shortest_path": _WHERE,
    "all_pairs_shortest_path_length": _WHERE,
    "bidirectional_shortest_path": _WHERE,
    "predecessor": _WHERE,
    "single_source_shortest_path": _WHERE,
    "single_source_shortest_path_length": _WHERE,
    "single_target_shortest_path": _WHERE,
    "single_target_shortest_path_length": _WHERE,
    # shortest_paths.weighted
    "all_pairs_bellman_ford_path": _HOW,
    "all_pairs_bellman_ford_path_length": _HOW,
    "all_pairs_dijkstra": _HOW,
    "all_pairs_dijkstra_path": _HOW,
    "all_pairs_dijkstra_path_length": _HOW,
    "bellman_ford_path": _HOW,
    "bellman_ford_path_length": _HOW,
    "bellman_ford_predecessor_and_distance": _HOW,
    "bidirectional_dijkstra": _HOW,
    "dijkstra_path": _HOW,
    "dijkstra_path_length": _HOW,
    "dijkstra_predecessor_and_distance": _HOW,
    "goldberg_radzik": _HOW,
    "johnson": _HOW,
    "multi_source_dijkstra": _HOW,
    "multi_source_dijkstra_path": _HOW,
    "multi_source_dijkstra_path_length": _HOW,
    "negative_edge_cycle": _HOW,
    "single_source_bellman_ford": _HOW,
    "single_source_bellman_ford_path": _HOW,
    "single_source_bellman_ford_path_length": _HOW,
    "single_source_dijkstra": _HOW,
    "single_source_dijkstra_path": _HOW,
    "single_source_dijkstra_path_length": _HOW,
    # traversal.breadth_first_search
    "bfs_edges": _WHERE,
    "bfs_layers": _WHERE,
    "bfs_predecessors": _WHERE,
    "bfs_successors": _WHERE,
    "bfs_tree": _WHERE,
    "descendants_at_distance": _WHERE,
    # centrality.betweenness
    "betweenness_centrality": _DEVICE,
    "edge_betweenness_centrality": _DEVICE,
    # centrality.closeness
    "closeness_centrality": _DEVICE,
    # centrality.harmonic
    "harmonic_centrality": _DEVICE,
    # cluster
    "average_clustering": _DEVICE,
    "clustering": _DEVICE,
    "transitivity": _DEVICE,
    "triangles": _DEVICE,
    # components.connected
    "connected_components": _DEVICE,
    "is_connected": _DEVICE,
    "node_connected_component": _DEVICE,
    "number_connected_components": _DEVICE,
    # components.strongly_connected
    "is_strongly_connected": _DEVICE,
    "number_strongly_connected_components": _DEVICE,
    "strongly_connected_components": _DEVICE,
    # components.weakly_connected
    "is_weakly_connected": _DEVICE,
    "number_weakly_connected_components": _DEVICE,
    "weakly_connected_components": _DEVICE,
    # core
    "core_number": _DEVICE,
    "k_core": _DEVICE,
    "k_shell": _DEVICE,
    # distance_measures
    "center": _DEVICE,
    "diameter": _DEVICE,
    "eccentricity": _DEVICE,
    "periphery": _DEVICE,
    "radius": _DEVICE,
    # efficiency_measures
    "global_efficiency": _DEVICE,
    # link_analysis.pagerank_alg
    "pagerank": _DEVICE,
    # mis
    "maximal_independent_set": _DEVICE,
    # tree.mst
    "maximum_spanning_edges": _DEVICE,
    "maximum_spanning_tree": _DEVICE,
    "minimum_spanning_edges": _DEVICE,
    "minimum_spanning_tree": _DEVICE,
    # voronoi
    "voronoi_cells": _HOW,
    # wiener
    "wiener_index": _DEVICE,
}
