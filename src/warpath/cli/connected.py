"""``warpath connected``: does a path lead from one vertex to another?"""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import emit, verify_if, working
from warpath.cli.vertices import vertex
from warpath.display import counted

if TYPE_CHECKING:
    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath connected roads.gr --source 0 --target 7",
        "warpath connected towns.csv -s Ulm -t Kiel --verify --json",
    )
)
@graph_argument
@options.path_source
@options.path_target
@options.device
@options.schedule("virtual-warp:width=8,loop=host", "st_connected")
@options.check
@options.threads
@options.as_json
def connected(
    file: str, graph: "Graph", source: str, target: str, check: bool, **choices: Any
) -> None:
    """Whether a path leads from one vertex to another, by searches from both ends."""
    import warpath

    ends = vertex(graph, source), vertex(graph, target)
    given = {name: value for name, value in choices.items() if value is not None}
    with working("Searching"):
        found = warpath.st_connected(graph, *ends, **given)
    verify_if(check, found)
    data = {
        "graph": facts(file, graph), "algorithm": "connected", "source": ends[0], "target": ends[1],
        "connected": found.connected, "distance": found.distance, "verified": check or None,
        "stats": found.stats.as_dict(),
    }  # fmt: skip
    if found.distance is None:
        line = f"No path leads to {target}."
    else:
        line = f"A path of {counted(found.distance, 'arc')} leads to {target}."
    emit(data, lambda screen: screen.print(line, soft_wrap=True))
