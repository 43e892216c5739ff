"""What the degrees of a graph say."""

from typing import Protocol

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


class Arcs(Sized, Protocol):
    """Likewise, and how its arcs are spread."""

    @property
    def mean_arc_degree(self) -> float:
        """Average out-degree of the vertex that an arc leaves."""


def mean_degree(graph: Sized) -> float:
    """Arcs per vertex, but at least 1."""
    return max(graph.num_arcs / max(graph.num_vertices, 1), 1.0)


def has_many_levels(graph: Arcs) -> bool:
    """Whether a search may have many small levels, as on roads: degrees are low and regular."""
    return mean_degree(graph) < SPARSE and skew(graph) < HUBS


def skew(graph: Arcs) -> float:
    """The mean degree that a search meets (`Graph.mean_arc_degree`) over the mean degree.

    1 where degrees are regular, as on meshes and in G(n, m); LiveJournal 7, flickr 55, R-MAT 12 to 23 from
    18 to 246, the more the larger.
    """
    return graph.mean_arc_degree / mean_degree(graph)
