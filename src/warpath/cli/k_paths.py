"""``warpath k-paths``: the k shortest paths between two vertices."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.result_files import ends_in, write_table
from warpath.cli.show import emit, end, number, verify_if, working
from warpath.cli.vertices import vertex

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph


@click.command(
    "k-paths",
    epilog=examples(
        "warpath k-paths roads.gr --source 0 --target 7 -k 3",
        "warpath k-paths towns.csv --undirected -s Ulm -t Kiel -k 2 -o paths.csv",
    ),
)
@graph_argument
@options.path_source
@options.path_target
@click.option("-k", "k", type=click.IntRange(min=1), default=3, show_default=True,
              help="How many paths.")  # fmt: skip
@vertex_values.hops
@options.device
@click.option("-o", "--output", type=click.Path(dir_okay=False), callback=ends_in(".csv", ".parquet"),
              help="Write a row for each vertex of each path (.csv, .parquet).")  # fmt: skip
@options.check
@options.threads
@options.as_json
def k_paths(
    file: str,
    graph: "Graph",
    source: str,
    target: str,
    k: int,
    hops: bool,
    device: Any,
    output: str | None,
    check: bool,
) -> None:
    """The k shortest paths between two vertices that visit no vertex twice."""
    import warpath

    ends = vertex(graph, source), vertex(graph, target)
    with working("Searching"):
        found = warpath.k_shortest_paths(
            graph, *ends, k, weighted=not hops, device=device or "auto"
        )
    verify_if(check, found)
    if output is not None:
        _write(output, graph, found.vertices)
    paths = [{"distance": length, "path": vertices} for vertices, length in found]
    data = {
        "graph": facts(file, graph), "algorithm": "k-paths", "source": ends[0], "target": ends[1],
        "paths": paths, "verified": check or None, "output": output, "stats": found.stats.as_dict(),
    }  # fmt: skip

    def render(screen: "Console") -> None:
        if not paths:
            screen.print(f"No path leads to {target}.")
        for vertices, length in found:
            screen.print(f"{number(length)}: {' → '.join(map(str, vertices))}", soft_wrap=True)
        end(screen, output, verified=check)

    emit(data, render)


def _write(file: str, graph: "Graph", paths: list[list[Any]]) -> None:
    """A row for each vertex: which path, which step, which vertex."""
    import numpy as np
    import polars as pl

    lengths = [len(walk) for walk in paths]
    every = [graph.index(v) for walk in paths for v in walk]
    table = {
        "path": np.repeat(np.arange(len(paths)), lengths),
        "step": np.concatenate([np.arange(length) for length in [0, *lengths]]),
        "vertex": vertex_values.names(graph).gather(every),
    }
    write_table(file, pl.DataFrame(table))
