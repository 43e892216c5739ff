"""Vertices as the user names them: by number, or by label."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from warpath import Graph


def vertex(graph: "Graph", name: str, by_label: bool) -> int:
    """The number of the vertex that the user calls ``name``.

    Raises
    ------
    click.BadParameter
        If there is none.
    """
    if by_label and graph.labels is not None:
        places = (graph.labels.astype(str) == name).nonzero()[0]
        if len(places) == 0:
            raise click.BadParameter(f"no vertex is called {name!r}")
        return int(places[0])
    try:
        number = int(name)
    except ValueError:
        raise click.BadParameter(f"{name!r} is not a vertex number") from None
    if not 0 <= number < graph.num_vertices:
        raise click.BadParameter(
            f"vertex {number} is out of range: the graph has {graph.num_vertices} vertices"
        )
    return number


def starts(graph: "Graph", names: Sequence[str], by_label: bool) -> list[int]:
    """The numbers of the vertices called ``names``; without names, of one that has many arcs.

    That one is in the largest component of most graphs, and the same each time.
    """
    if names:
        return [vertex(graph, name, by_label) for name in names]
    if graph.num_vertices == 0:
        raise click.BadParameter("the graph has no vertices")
    return [int(graph.degree.argmax())]


def name(graph: "Graph", v: int, by_label: bool) -> Any:
    """What the user calls vertex ``v``."""
    if by_label and graph.labels is not None:
        return graph.labels[v].item() if hasattr(graph.labels[v], "item") else graph.labels[v]
    return int(v)
