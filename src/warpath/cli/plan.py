"""``warpath plan``: what a search would do, and why."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples, name_option
from warpath.cli.show import emit
from warpath.cli.vertices import starts
from warpath.typing import SEARCHES

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph

_SEARCHES = (*SEARCHES, "apsp")


@click.command(
    epilog=examples(
        "warpath plan roads.gr",
        "warpath plan roads.gr --search bfs --schedule direction=top-down",
        "warpath plan roads.gr --search apsp",
        "warpath plan roads.gr --device cuda --json",
    )
)
@graph_argument
@name_option("--search", _SEARCHES, "Which search", default="sssp")
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

    chosen = {name: value for name, value in given.items() if value is not None}
    if search == "bfs":
        _refuse(search, *({"algebra", "method"} & set(chosen)))
    vertices = []
    if search == "apsp":
        _refuse(
            search,
            *({"schedule"} & set(chosen)),
            *["source"] * bool(sources),
            *["nearest"] * nearest,
        )
    else:
        start = starts(graph, sources)
        vertices.append(start if len(start) > 1 else start[0])
        chosen["nearest"] = nearest
    made = warpath.plan(graph, search or "sssp", *vertices, **chosen)

    def render(screen: "Console") -> None:
        screen.print(str(made), soft_wrap=True, highlight=False)

    emit({"graph": facts(file, graph), "plan": made.as_dict()}, render)


def _refuse(search: str, *names: str) -> None:
    for name in sorted(names)[:1]:
        raise click.UsageError(f"--search {search} has no --{name}")
