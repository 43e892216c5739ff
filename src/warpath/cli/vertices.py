"""Vertices as the user names them: by label if the graph has labels, else by number."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from warpath import Graph


def vertex(graph: "Graph", text: str) -> Any:
    """The vertex that the user calls ``text``, as `warpath`'s functions take it.

    Raises
    ------
    click.BadParameter
        If there is none.
    """
    kind: Any = int if graph.labels is None or graph.labels.dtype.kind in "iu" else str
    try:
        name = kind(text)
    except ValueError:
        what = "number" if graph.labels is None else "id"
        raise click.BadParameter(f"{text!r} is not a vertex {what}, an integer") from None
    try:
        graph.index(name)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    return name


def starts(graph: "Graph", names: Sequence[str]) -> list[Any]:
    """The vertices called ``names``; without names, one that has many arcs.

    That one is in the largest component of most graphs, and the same each time.
    """
    if names:
        return [vertex(graph, name) for name in names]
    if graph.num_vertices == 0:
        raise click.BadParameter("the graph has no vertices")
    hub = int(graph.degree.argmax())
    return [hub if graph.labels is None else graph.labels[hub : hub + 1].tolist()[0]]
