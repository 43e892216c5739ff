"""``warpath eccentricity`` and ``diameter``: how far the farthest vertices are."""

from typing import TYPE_CHECKING

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, bar, duration, emit, number
from warpath.cli.vertices import listed

if TYPE_CHECKING:
    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath eccentricity roads.gr",
        "warpath eccentricity towns.csv --undirected -v Ulm --json",
    )
)
@graph_argument
@vertex_values.vertex
@vertex_values.vertices_file
@vertex_values.hops
@vertex_values.output
@options.threads
@options.as_json
def eccentricity(
    file: str,
    graph: "Graph",
    vertices: tuple[str, ...],
    vertex_file: str | None,
    hops: bool,
    output: str | None,
) -> None:
    """Eccentricity: the distance to the farthest vertex that is reached."""
    import polars as pl

    import warpath

    wanted = listed(graph, vertices, vertex_file)
    with bar("Eccentricity") as progress, Stopwatch() as watch:
        values = warpath.eccentricity(graph, wanted, weighted=not hops, progress=progress)
    table = pl.DataFrame({"vertex": vertex_values.names(graph, wanted), "eccentricity": values})
    summary = {
        "smallest": values.min().item() if len(values) else None,
        "largest": values.max().item() if len(values) else None,
    }
    vertex_values.show("eccentricity", file, graph, table, watch.seconds, output, summary)


@click.command(epilog=examples("warpath diameter roads.gr", "warpath diameter roads.gr --hops"))
@graph_argument
@vertex_values.hops
@options.threads
@options.as_json
def diameter(file: str, graph: "Graph", hops: bool) -> None:
    """The longest of all shortest paths; pairs without a path do not count."""
    import warpath

    with bar("Diameter") as progress, Stopwatch() as watch:
        found = warpath.diameter(graph, weighted=not hops, progress=progress)
    data = {
        "graph": facts(file, graph), "algorithm": "diameter", "diameter": found,
        "seconds": watch.seconds,
    }  # fmt: skip
    line = f"diameter {number(found)}, in {duration(watch.seconds)}"
    emit(data, lambda screen: screen.print(line))
