"""What the degrees of a graph say."""

from warpath.graph.graph import Graph

SPARSE = 8
"""Edges per vertex below which a graph is taken to have a large diameter: a guess."""


def mean_degree(graph: Graph) -> float:
    """Arcs a vertex, but at least 1."""
    return max(graph.num_arcs / max(graph.num_vertices, 1), 1.0)


def skew(graph: Graph) -> float:
    """The mean degree that a search meets (`Graph.mean_arc_degree`) over the mean degree.

    1 where all are alike, as on meshes and in G(n, m); LiveJournal 7, flickr 55, R-MAT 12 to 23 from
    18 to 246, the more the larger.
    """
    return graph.mean_arc_degree / mean_degree(graph)
