"""``warpath spanning-forest``: the lightest edges that connect a graph."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import Stopwatch, duration, emit, end, number, working

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph
    from warpath.typing import DeviceName


@click.command(
    "spanning-forest",
    epilog=examples(
        "warpath spanning-forest roads.gr --symmetrize",
        "warpath spanning-forest towns.csv --undirected -o tree.csv",
    ),
)
@graph_argument
@click.option("-o", "--output", type=click.Path(dir_okay=False),
              help="Write the forest as a graph: a file of a format that warpath writes.")  # fmt: skip
@options.file_format("--to-format")
@options.device
@options.schedule("virtual-warp:width=8", "minimum_spanning_forest")
@options.threads
@options.as_json
def spanning_forest(
    file: str,
    graph: "Graph",
    output: str | None,
    to_format: Any,
    device: "DeviceName | None",
    schedule: str | None,
) -> None:
    """A minimum spanning forest: a tree of the least total weight for each component.

    GRAPH must be undirected: --undirected or --symmetrize makes it so.
    """
    import warpath

    with working("Searching"), Stopwatch() as watch:
        forest = warpath.minimum_spanning_forest(graph, device=device or "auto", schedule=schedule)
    if output is not None:
        warpath.write(forest, output, format=to_format)
    weight = forest.edges()[2]
    answer = {
        "edges": forest.num_edges,
        "trees": forest.num_vertices - forest.num_edges,
        "weight": None if weight is None else weight.sum().item(),
    }
    data = {
        "graph": facts(file, graph), "algorithm": "spanning-forest", **answer, "output": output,
        "seconds": watch.seconds,
    }  # fmt: skip

    def render(screen: "Console") -> None:
        from rich.table import Table

        screen.print(f"spanning-forest of {file}", style="bold", soft_wrap=True)
        table = Table(*answer)
        table.add_row(*("–" if value is None else number(value) for value in answer.values()))
        screen.print(table)
        screen.print(f"in {duration(watch.seconds)}")
        end(screen, output)

    emit(data, render)
