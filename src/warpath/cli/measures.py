"""``warpath pagerank``, ``cores``, ``triangles`` and ``communities``: a number for each vertex."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, working

if TYPE_CHECKING:
    import polars

    from warpath import Graph

_iterations = click.option(
    "--max-iterations", type=click.IntRange(min=1), default=100, show_default=True,
    help="More are an error.",
)  # fmt: skip


def _how(search: str) -> Callable[[Any], Any]:
    """The options that all have; ``search`` is what they call."""
    schedule = options.schedule("virtual-warp:width=8", search)
    return options.together(
        vertex_values.output, options.device, schedule, options.threads, options.as_json
    )


def _show(
    file: str,
    graph: "Graph",
    column: str,
    find: Callable[..., Any],
    output: str | None,
    device: str | None,
    schedule: str | None,
    summary: Callable[[Any], dict[str, Any]],
    **given: Any,
) -> None:
    """Print what ``find`` finds; ``summary`` says of the values, as a Polars column, what they are in short."""
    import numpy as np
    import polars as pl

    with working("Searching"), Stopwatch() as watch:
        try:
            found = find(graph, device=device or "auto", schedule=schedule, **given)
        except RuntimeError as error:  # iterations have run out
            raise click.ClickException(str(error)) from None
        found = found[0] if isinstance(found, tuple) else found
        values = pl.Series(found if isinstance(found, np.ndarray) else found.get())
    called = vertex_values.names(graph)
    is_member = column == "community"
    table = pl.DataFrame({"vertex": called, column: called.gather(values) if is_member else values})
    vertex_values.show(
        click.get_current_context().command.name or "", file, graph, table, watch.seconds, output,
        summary(values), largest=not is_member,
    )  # fmt: skip


@click.command(
    epilog=examples("warpath pagerank towns.csv", "warpath pagerank roads.gr --damping 0.9 --json")
)
@graph_argument
@click.option("--damping", type=click.FloatRange(0, 1), default=0.85, show_default=True,
              help="How likely the surfer follows an edge.")  # fmt: skip
@click.option("--tolerance", type=click.FloatRange(min=0, min_open=True), default=1e-6, show_default=True,
              help="Stop when all ranks together change by less.")  # fmt: skip
@_iterations
@_how("pagerank")
def pagerank(
    file: str, graph: "Graph", damping: float, tolerance: float, max_iterations: int, **how: Any
) -> None:
    """PageRank: how often a random surfer visits each vertex."""
    import warpath

    given: dict[str, Any] = {"damping": damping, "tolerance": tolerance}
    how |= {"max_iterations": max_iterations}
    _show(file, graph, "rank", warpath.pagerank, summary=lambda _: given, **how, **given)


@click.command(epilog=examples("warpath cores roads.gr", "warpath cores towns.csv -o cores.csv"))
@graph_argument
@_how("core_numbers")
def cores(file: str, graph: "Graph", **how: Any) -> None:
    """Core numbers: the largest k such that a vertex has k neighbours in the k-core."""
    import warpath

    def summary(values: "polars.Series") -> dict[str, Any]:
        return {"largest": values.max() or 0}

    _show(file, graph, "core", warpath.core_numbers, summary=summary, **how)


@click.command(
    epilog=examples("warpath triangles roads.gr", "warpath triangles towns.csv --clustering")
)
@graph_argument
@click.option(
    "--clustering", is_flag=True, help="The share of pairs of neighbours that are neighbours."
)
@_how("triangles")
def triangles(file: str, graph: "Graph", clustering: bool, **how: Any) -> None:
    """Triangles at each vertex, or its clustering coefficient."""
    import warpath

    def summary(values: "polars.Series") -> dict[str, Any]:
        if clustering:
            return {"average": values.mean() or 0.0}
        return {"triangles": int(values.sum()) // 3}

    column = "clustering" if clustering else "at vertex"
    find = warpath.clustering if clustering else warpath.triangles
    _show(file, graph, column, find, summary=summary, **how)


@click.command(
    epilog=examples("warpath communities towns.csv", "warpath communities roads.gr --seed 7")
)
@graph_argument
@options.seed
@_iterations
@_how("label_propagation")
def communities(file: str, graph: "Graph", **how: Any) -> None:
    """Communities by label propagation, each called by its first vertex."""
    import warpath

    def summary(values: "polars.Series") -> dict[str, Any]:
        sizes = values.value_counts()["count"]
        return {"communities": len(sizes), "largest": sizes.max() or 0}

    _show(file, graph, "community", warpath.label_propagation, summary=summary, **how)
