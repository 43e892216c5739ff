"""``warpath convert``: one graph format into another."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import emit
from warpath.typing import MERGES

if TYPE_CHECKING:
    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath convert roads.gr roads.npz",
        "warpath convert roads.gr simple.mtx --drop-self-loops --merge min",
    )
)
@graph_argument
@click.argument("output", type=click.Path(allow_dash=True))
@options.file_format("--to-format")
@click.option("--drop-self-loops", is_flag=True, help="Leave out arcs from a vertex to itself.")
@click.option(
    "--merge",
    type=click.Choice(MERGES),
    default="keep",
    show_default=True,
    help="What becomes of parallel edges.",
)
@click.option("--drop-weights", is_flag=True, help="Leave out the weights.")
@options.threads
@options.as_json
def convert(
    file: str,
    graph: "Graph",
    output: str,
    to_format: Any,
    drop_self_loops: bool,
    merge: Any,
    drop_weights: bool,
) -> None:
    """Write GRAPH to OUTPUT in another format.

    GRAPH may be a folder or a quoted pattern, as 'part-*.parquet', of files that
    each hold a part of the edges.

    OUTPUT may be "-", standard output, with --to-format.
    """
    from warpath import Graph, write

    if drop_weights:
        graph = graph.without_weights()
    if drop_self_loops or merge != "keep":
        graph = Graph.from_edges(
            *graph.edges(),
            n=graph.num_vertices,
            directed=graph.directed,
            drop_self_loops=drop_self_loops,
            merge=merge,
            labels=graph.labels,
        )._lying(graph.geometry)
    write(graph, output, format=to_format)
    if output != "-":
        data = {"graph": facts(output, graph), "read": file}
        emit(data, lambda screen: screen.print(f"{output}: {graph!r}", soft_wrap=True))
