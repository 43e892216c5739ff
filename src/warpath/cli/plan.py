"""``warpath plan``: what a search would do, and why."""

from inspect import Parameter, signature
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args

import click

from warpath.cli import options, vertex_values
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import Name, examples, name_option
from warpath.cli.show import emit
from warpath.cli.vertices import starts, vertex
from warpath.typing import APSP_DEVICES, PLANNED, ApspMethodName, MethodName, PathMethodName

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph

_OF_SOURCES = ("source", "sources", "vertices")  # parameters that --source gives
_OF_TARGETS = ("target", "targets")
_METHODS = {
    "sssp": get_args(MethodName),
    "shortest_path": get_args(PathMethodName),
    "apsp": get_args(ApspMethodName),
}


@click.command(
    epilog=examples(
        "warpath plan roads.gr",
        "warpath plan roads.gr --search bfs --schedule direction=top-down",
        "warpath plan roads.gr --search k_shortest_paths -t 7 -k 3",
        "warpath plan roads.gr --device cuda --json",
        "warpath plan roads.gr --search bfs --devices 4",
    )
)
@graph_argument
@name_option("--search", PLANNED, "Which function", default="sssp")
@options.source
@click.option("-t", "--target", "targets", multiple=True, metavar="VERTEX",
              help="Where paths end; give it again for more.")  # fmt: skip
@click.option("-k", "k", type=click.IntRange(min=1), help="How many paths.")
@vertex_values.hops
@options.nearest
@options.algebra
@click.option(
    "--method", metavar="NAME", type=Name([*dict.fromkeys(chain(*_METHODS.values()))]),
    help=f"How sssp searches: {', '.join(_METHODS['sssp'])}. How shortest_path does: as sssp, or bidirectional. "
         f"How apsp does: {', '.join(_METHODS['apsp'])}.",
)  # fmt: skip
@name_option("--device", APSP_DEVICES, "Where to compute; hybrid is for apsp", default="auto")
@options.several()
@options.schedule("merge-path:coupling=hybrid,delta=16", "bfs", "sssp")
@options.threads
@options.as_json
def plan(
    file: str,
    graph: "Graph",
    search: str | None,
    sources: tuple[str, ...],
    targets: tuple[str, ...],
    hops: bool,
    nearest: bool,
    **given: Any,
) -> None:
    """What a search of GRAPH would do: where, by which method, how, and why. Nothing runs."""
    import warpath
    from warpath.graph.check import choose

    search = choose("search", search or "sssp", PLANNED)
    parameters = signature(getattr(warpath, search)).parameters
    chosen = {name: value for name, value in given.items() if value is not None}
    chosen |= {"nearest": True} if nearest else {}
    _refuse(search, [name for name in chosen if name not in parameters])
    if hops:
        _refuse(search, [] if "weighted" in parameters else ["hops"])
        chosen["weighted"] = False
    for what, names, ends in (("source", _OF_SOURCES, sources), ("target", _OF_TARGETS, targets)):
        name = next((name for name in names if name in parameters), None)
        if name is None:
            _refuse(search, [what] if ends else [])
        elif ends or parameters[name].default is Parameter.empty:
            found = starts(graph, ends) if what == "source" else _ends(graph, search, ends)
            chosen[name] = found[0] if len(found) == 1 and name in ("source", "target") else found
    if "k" in parameters:
        chosen.setdefault("k", 1)
    made = warpath.plan(graph, search, **chosen)  # type: ignore[arg-type]

    def render(screen: "Console") -> None:
        screen.print(str(made), soft_wrap=True, highlight=False)

    emit({"graph": facts(file, graph), "plan": made.as_dict()}, render)


def _ends(graph: "Graph", search: str, names: tuple[str, ...]) -> list[Any]:
    if not names:
        raise click.UsageError(f"--search {search} needs a --target")
    return [vertex(graph, name) for name in names]


def _refuse(search: str, names: list[str]) -> None:
    for name in sorted(names)[:1]:
        raise click.UsageError(f"--search {search} has no {'-' if name == 'k' else '--'}{name}")
