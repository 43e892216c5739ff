"""``warpath betweenness`` and ``closeness``: which vertices, or edges, are central."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, bar
from warpath.cli.vertices import listed

if TYPE_CHECKING:
    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath betweenness roads.gr",
        "warpath betweenness roads.gr --edges --hops -o edges.csv",
        "warpath betweenness roads.gr --samples 8 --seed 1 --json",
    )
)
@graph_argument
@click.option("--edges", is_flag=True, help="Count paths through edges, not through vertices.")
@vertex_values.hops
@click.option("--samples", type=click.IntRange(min=1), metavar="COUNT",
              help="Estimate it from the paths that begin at this many vertices, drawn at random.")  # fmt: skip
@options.seed
@click.option("--raw", is_flag=True, help="Numbers of paths, not shares of all pairs.")
@click.option("--endpoints", is_flag=True, help="A path passes its ends too.")
@vertex_values.output
@options.threads
@options.as_json
def betweenness(
    file: str,
    graph: "Graph",
    edges: bool,
    hops: bool,
    samples: int | None,
    seed: int,
    raw: bool,
    endpoints: bool,
    output: str | None,
) -> None:
    """Betweenness centrality: the share of all shortest paths that pass a vertex, or an edge."""
    import numpy as np
    import polars as pl

    import warpath

    if edges and endpoints:
        raise click.UsageError("--endpoints is for vertices, not for --edges")
    sources: Any = None
    if samples is not None and samples < graph.num_vertices:
        drawn = np.random.default_rng(seed).choice(graph.num_vertices, samples, replace=False)
        sources = drawn if graph.labels is None else graph.labels[drawn]
    how: dict[str, Any] = {"weighted": not hops, "sources": sources, "normalized": not raw}
    with bar("Betweenness") as progress, Stopwatch() as watch:
        if edges:
            values = warpath.edge_betweenness(graph, progress=progress, **how)
        else:
            values = warpath.betweenness(graph, endpoints=endpoints, progress=progress, **how)
    called = vertex_values.names(graph)
    if edges:
        source, target, _ = graph.coo()
        once = np.flatnonzero(source <= target) if not graph.directed else np.arange(len(source))
        table = pl.DataFrame({
            "source": called.gather(source[once]), "target": called.gather(target[once]),
            "betweenness": values[once],
        })  # fmt: skip
    else:
        table = pl.DataFrame({"vertex": called, "betweenness": values})
    summary = {"sources": graph.num_vertices if sources is None else len(sources)}
    vertex_values.show("betweenness", file, graph, table, watch.seconds, output, summary)


@click.command(
    epilog=examples(
        "warpath closeness roads.gr",
        "warpath closeness towns.csv --undirected --harmonic -v Ulm -v Kiel",
    )
)
@graph_argument
@vertex_values.vertex
@vertex_values.vertices_file
@vertex_values.hops
@click.option(
    "--harmonic", is_flag=True, help="The sum of 1 / distance, for graphs of several components."
)
@vertex_values.output
@options.threads
@options.as_json
def closeness(
    file: str,
    graph: "Graph",
    vertices: tuple[str, ...],
    vertex_file: str | None,
    hops: bool,
    harmonic: bool,
    output: str | None,
) -> None:
    """Closeness centrality: how near all others are to a vertex."""
    import polars as pl

    import warpath

    wanted = listed(graph, vertices, vertex_file)
    with bar("Closeness") as progress, Stopwatch() as watch:
        find = warpath.harmonic if harmonic else warpath.closeness
        values = find(graph, wanted, weighted=not hops, progress=progress)
    kind = "harmonic" if harmonic else "closeness"
    table = pl.DataFrame({"vertex": vertex_values.names(graph, wanted), kind: values})
    vertex_values.show(
        "closeness", file, graph, table, watch.seconds, output, {"harmonic": harmonic}
    )
