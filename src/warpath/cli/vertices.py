"""Vertices as the user names them: by label if the graph has labels, else by number."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from warpath import Graph


def file_of(what: str, flag: str) -> Any:
    """An option for a file of vertices: see `listed`."""
    return click.option(
        flag, f"{what}_file", type=click.Path(dir_okay=False, allow_dash=True), metavar="FILE",
        help="The same from a text file, one vertex per line, or an array in a .npy file.",
    )  # fmt: skip


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


def listed(graph: "Graph", names: tuple[str, ...], file: str | None) -> list[Any] | None:
    """The vertices that options and a file name, in this order; None if neither does."""
    given = [vertex(graph, one) for one in names]
    if file is None:
        return given or None
    if Path(file).suffix == ".npy":
        from warpath.cli.result_files import load_array

        return [*given, *load_array(file).tolist()]
    try:
        with click.open_file(file, encoding="utf-8") as lines:
            named = [line.strip() for line in lines]
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: expected a text in UTF-8: {error}") from None
    return [*given, *(vertex(graph, one) for one in named if one)]
