"""``warpath plan``: what a search would do, and why."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.names import examples, name_option
from warpath.cli.show import emit
from warpath.cli.vertices import starts
from warpath.typing import SEARCHES

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath plan roads.gr",
        "warpath plan roads.gr --search bfs --schedule direction=top-down",
        "warpath plan roads.gr --device cuda --json",
    )
)
@graph_argument
@name_option("--search", SEARCHES, "Which search", default="sssp")
@options.source
@options.nearest
@options.algebra
@options.method
@options.device
@options.schedule("merge-path:coupling=hybrid,delta=16", *SEARCHES)
@options.threads
@options.as_json
def plan(
    file: str, graph: "Graph", search: Any, sources: tuple[str, ...], nearest: bool, **given: Any
) -> None:
    """What a search of GRAPH would do: where, by which method, how, and why. Nothing runs."""
    import warpath

    start = starts(graph, sources)
    chosen = {name: value for name, value in given.items() if value is not None}
    if search == "bfs":
        for name in ("algebra", "method"):
            if name in chosen:
                raise click.UsageError(f"--search bfs has no --{name}")
    made = warpath.plan(
        graph, search or "sssp", start if len(start) > 1 else start[0], nearest=nearest, **chosen
    )

    def render(screen: "Console") -> None:
        screen.print(str(made), soft_wrap=True, highlight=False)

    emit({"graph": facts(file, graph), "plan": made.as_dict()}, render)
