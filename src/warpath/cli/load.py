"""The graph that a command works on: how to ask for it, and what to say of it."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from warpath.cli.options import file_format, together

if TYPE_CHECKING:
    from warpath import Graph


def _columns(_: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    """``from,to,km`` are names, ``0,1,3`` places."""
    if text is None:
        return None
    words = [word.strip() for word in text.split(",")]
    return [int(word) for word in words] if all(word.isdigit() for word in words) else words


_OPTIONS = (
    click.argument("file", metavar="GRAPH", type=click.Path(allow_dash=True)),
    file_format(reads=True),
    click.option("--undirected", is_flag=True,
                 help="A line is an undirected edge, where the format leaves that open."),
    click.option("--symmetrize", is_flag=True, help="Add the reverse of each arc: the graph is then undirected."),
    click.option("--compact", is_flag=True,
                 help="Renumber vertex ids to 0 … n−1; original ids become labels. Text and ids from 2³¹ always are."),
    click.option("--columns", callback=_columns, metavar="SOURCE,TARGET[,WEIGHT]",
                 help="Which columns of a table are which: names, or places from 0."),
    click.option("--weight-column", type=int, help="Which column is the weight, from 0."),
    click.option("--max-bytes", type=click.IntRange(min=0), metavar="BYTES",
                 help="What the file may hold, decompressed (default: 256 MiB and 100 for each of its bytes)."),
)  # fmt: skip


def graph_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument GRAPH: it is called with ``file``, its name, and ``graph``."""

    @wraps(command)
    def read_first(
        file: str,
        format: Any,
        undirected: bool,
        symmetrize: bool,
        compact: bool,
        columns: Any,
        weight_column: int | None,
        max_bytes: int | None,
        **others: Any,
    ) -> Any:
        from warpath import Graph, read

        graph = read(
            file,
            format=format,
            directed=False if undirected else None,
            compact=True if compact else None,
            columns=columns,
            weight_column=weight_column,
            max_bytes=max_bytes,
        )
        if symmetrize and graph.directed:
            graph = Graph.from_edges(
                *graph.coo(), n=graph.num_vertices, symmetrize=True, labels=graph.labels
            )._lying(graph.geometry)
        return command(file=file, graph=graph, **others)

    decorated: Callable[..., Any] = together(*_OPTIONS)(read_first)
    return decorated


def facts(file: str, graph: "Graph") -> dict[str, object]:
    """What the graph is, in terms of JSON."""
    return {
        "file": file,
        "vertices": graph.num_vertices,
        "edges": graph.num_edges,
        "arcs": graph.num_arcs,
        "directed": graph.directed,
        "weights": None if graph.weights is None else str(graph.weights.dtype),
    }
