"""``warpath components``: which vertices are connected."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, working

if TYPE_CHECKING:
    from warpath import Graph
    from warpath.typing import DeviceName


@click.command(
    epilog=examples(
        "warpath components roads.gr",
        "warpath components towns.csv --strong -o components.csv",
    )
)
@graph_argument
@click.option("--strong", is_flag=True, help="Vertices that reach each other along arcs.")
@vertex_values.output
@options.device
@options.several()
@options.schedule("virtual-warp:width=8", "connected_components")
@options.threads
@options.as_json
def components(
    file: str,
    graph: "Graph",
    strong: bool,
    output: str | None,
    device: "DeviceName | None",
    devices: Any,
    schedule: str | None,
) -> None:
    """Connected components, each called by its first vertex.

    In a directed graph arcs count in both directions, except with --strong.
    """
    import numpy as np
    import polars as pl

    import warpath

    find: Any = warpath.connected_components
    chosen = {} if devices is None else {"devices": devices}
    if strong:
        find = warpath.strongly_connected_components
        if devices is not None:
            raise click.UsageError("--strong has no --devices")
    with working("Searching"), Stopwatch() as watch:
        labels, count = find(graph, device=device or "auto", schedule=schedule, **chosen)
        labels = labels if isinstance(labels, np.ndarray) else labels.get()
    called = vertex_values.names(graph)
    table = pl.DataFrame({"vertex": called, "component": called.gather(labels)})
    largest = int(np.bincount(labels).max()) if len(labels) else 0
    summary = {"strong": strong, "components": count, "largest": largest}
    vertex_values.show(
        "components", file, graph, table, watch.seconds, output, summary, largest=False
    )
