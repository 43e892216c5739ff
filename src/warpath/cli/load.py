"""The graph that a command works on: how to ask for it, and what to say of it."""

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from warpath import Graph

_OPTIONS = (
    click.argument("file", metavar="GRAPH", type=click.Path(allow_dash=True)),
    click.option("--format", help="The file's format (default: by suffix, then by content)."),
    click.option("--undirected", is_flag=True,
                 help="A line is an undirected edge, where the format leaves that open."),
    click.option("--symmetrize", is_flag=True, help="Add the reverse of each arc."),
    click.option("--compact", is_flag=True, help="Number sparse vertex ids 0, 1, …, in order."),
    click.option("--weight-column", type=int, help="Which column is the weight, from 0."),
    click.option("--max-bytes", type=click.IntRange(min=0), metavar="BYTES",
                 help="What the file may hold, decompressed (default: 256 MiB and 100 for each of its bytes)."),
)  # fmt: skip


def graph_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the argument GRAPH: it is called with ``file``, its name, and ``graph``."""

    @wraps(command)
    def read_first(
        file: str,
        format: str | None,
        undirected: bool,
        symmetrize: bool,
        compact: bool,
        weight_column: int | None,
        max_bytes: int | None,
        **others: Any,
    ) -> Any:
        from warpath import Graph, read

        graph = read(
            file,
            format=format,
            directed=False if undirected else None,
            compact=compact,
            weight_column=weight_column,
            max_bytes=max_bytes,
        )
        if symmetrize and graph.directed:
            graph = Graph.from_edges(
                *graph.coo(), n=graph.num_vertices, symmetrize=True, labels=graph.labels
            )
        return command(file=file, graph=graph, **others)

    decorated: Callable[..., Any] = read_first
    for add in reversed(_OPTIONS):
        decorated = add(decorated)
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
