"""``warpath profile``: where a search spends its time."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import Name, examples
from warpath.cli.show import emit, working
from warpath.cli.vertices import starts
from warpath.typing import SEARCHES

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph
    from warpath.bench.search_profile import Row

_ROWS_SHOWN = 40


@click.command(
    epilog=examples(
        "warpath profile bfs roads.gr --schedule direction=top-down",
        "warpath profile sssp roads.gr --rows 10",
    )
)
@click.argument("algorithm", metavar="bfs|sssp", type=Name(SEARCHES))
@graph_argument
@options.source
@options.method
@options.device
@options.schedule("virtual-warp:width=8,loop=host", "bfs", "sssp")
@click.option("--rows", type=click.IntRange(min=0), default=_ROWS_SHOWN, show_default=True,
              help="Iterations to show.")  # fmt: skip
@click.option("--plot", type=click.Path(dir_okay=False), help="Draw it (.png, .svg, .pdf).")
@options.threads
@options.as_json
def profile(
    algorithm: str,
    file: str,
    graph: "Graph",
    sources: tuple[str, ...],
    rows: int,
    plot: str | None,
    **choices: Any,
) -> None:
    """Frontier, arcs and time of each iteration of a search in GRAPH, and by what ran it."""
    from dataclasses import asdict

    from warpath.bench import search_profile as module

    start = starts(graph, sources)[0]
    chosen = {name: value for name, value in choices.items() if value is not None}
    with working("Searching"):
        found = module.profile(graph, algorithm, start, **chosen)
    if plot is not None:
        try:
            module.save(found, plot)
        except ModuleNotFoundError as error:
            raise click.UsageError(str(error)) from None

    def render(screen: "Console") -> None:
        from rich.table import Table

        total = found.total()
        timed = total.microseconds is not None
        columns = ("vertices", "arcs", *(("µs", "GTEPS") if timed else ()))
        screen.print(f"{file}: {found.title}", style="bold", soft_wrap=True)
        table = Table("iteration", *columns, "by")
        for i, row in enumerate(found.rows[:rows]):
            table.add_row(f"{i:,}", *_cells(row), row.how)
        screen.print(table)
        if len(found.rows) > rows:
            screen.print(f"{len(found.rows) - rows:,} more")
        table = Table("by", "iterations", *columns, *(("share",) if timed else ()))
        for row in (*found.kinds(), total):
            share = f"{(row.microseconds or 0) / (total.microseconds or 1):.0%}"
            shares = (share,) if timed else ()
            table.add_row(row.how or "search", f"{row.iterations:,}", *_cells(row), *shares)
        screen.print(table)
        if (waiting := found.waiting()) is not None:
            screen.print(f"Barriers and other waiting: at most {waiting:.0%} (estimated)")
        if plot is not None:
            screen.print(f"Drawn to {plot}", soft_wrap=True)

    data = {
        "graph": facts(file, graph), "title": found.title, "plot": plot,
        "rows": [asdict(row) for row in found.rows],
        "kinds": [asdict(row) for row in found.kinds()], "waiting": found.waiting(),
    }  # fmt: skip
    emit(data, render)


def _cells(row: "Row") -> tuple[str, ...]:
    counts = (f"{row.vertices:,}", f"{row.arcs:,}")
    if row.microseconds is None:
        return counts
    rate = row.gteps
    return (*counts, f"{row.microseconds:,.1f}", "–" if rate is None else f"{rate:.3g}")
