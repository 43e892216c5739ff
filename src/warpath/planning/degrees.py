"""What the degrees of a graph say."""

from typing import Protocol

from warpath.graph.graph import Graph

SPARSE = 8
"""Edges per vertex below which a graph is taken to have a large diameter: a guess."""

HUBS = 8.0
"""The `skew` from which on a graph has hubs: a guess."""


class Sized(Protocol):
    """A graph, wherever it lies."""

    @property
    def num_vertices(self) -> int:
        """Its vertices."""

    @property
    def num_arcs(self) -> int:
        """Its arcs."""


def is_sparse(graph: Sized) -> bool:
    """Whether a graph is taken to have a large diameter."""
    return graph.num_arcs < SPARSE * graph.num_vertices


def mean_degree(graph: Graph) -> float:
    """Arcs per vertex, but at least 1."""
    return max(graph.num_arcs / max(graph.num_vertices, 1), 1.0)


def has_many_levels(graph: Graph) -> bool:
    """Whether a search may have many small levels, as on roads: degrees are low and regular."""
    return mean_degree(graph) < SPARSE and skew(graph) < HUBS


def skew(graph: Graph) -> float:
    """The mean degree that a search meets (`Graph.mean_arc_degree`) over the mean degree.

    1 where degrees are regular, as on meshes and in G(n, m); LiveJournal 7, flickr 55, R-MAT 12 to 23 from
    18 to 246, the more the larger.
    """
    return graph.mean_arc_degree / mean_degree(graph)
