"""``warpath info``: a graph in numbers, and in a picture."""

from typing import TYPE_CHECKING

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import emit, working

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath info roads.gr",
        "warpath info roads.gr --plot degrees.svg",
    )
)
@graph_argument
@click.option("--plot", type=click.Path(dir_okay=False),
              help="Draw the degree distribution (.png, .svg, .pdf).")  # fmt: skip
@click.option("--no-diameter", is_flag=True, help="Leave out the diameter's bound (two BFS).")
@options.threads
@options.as_json
def info(file: str, graph: "Graph", plot: str | None, no_diameter: bool) -> None:
    """Print summary statistics of GRAPH: vertices, edges, degrees, components, diameter bound."""
    from warpath import statistics

    with working("Counting"):
        numbers = statistics(graph, diameter=not no_diameter)
    if plot is not None:
        from warpath.cli.plot import plot_degrees

        plot_degrees(graph, file, plot)

    def render(screen: "Console") -> None:
        from rich.table import Table

        table = Table(show_header=False)
        table.add_column(style="bold")
        table.add_column(justify="right")
        for row in numbers.rows():
            table.add_row(*row)
        screen.print(file, style="bold", soft_wrap=True)
        screen.print(table)
        if plot is not None:
            screen.print(f"Degree distribution drawn to {plot}", soft_wrap=True)

    emit({"graph": facts(file, graph), **numbers.as_dict(), "plot": plot}, render)
