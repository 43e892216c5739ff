"""``warpath path``: one shortest, or otherwise best, path, vertex by vertex."""

from typing import TYPE_CHECKING, Any, get_args

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples, name_option
from warpath.cli.show import emit, number, working
from warpath.cli.vertices import starts, vertex
from warpath.display import counted
from warpath.files import check_replaceable
from warpath.typing import PathMethodName

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph, ShortestPath


@click.command(
    epilog=examples(
        "warpath path roads.gr --source 0 --target 7",
        "warpath path towns.csv --columns from,to,km --undirected -s Ulm -t Kiel",
    )
)
@graph_argument
@click.option("-s", "--source", "sources", multiple=True, required=True, metavar="VERTEX",
              help="Where it starts; of several, the nearest.")  # fmt: skip
@options.path_target
@click.option("--hops", is_flag=True, help="The fewest arcs, whatever they weigh.")
@options.algebra
@name_option("--method", get_args(PathMethodName), "How to search", default="auto")
@options.device
@options.schedule("virtual-warp:width=8,loop=host", "shortest_path")
@options.check
@click.option("--geojson", type=click.Path(dir_okay=False), metavar="FILE",
              help="Write it as GeoJSON, too; GRAPH is an .npz file with coordinates.")  # fmt: skip
@options.threads
@options.as_json
def path(
    file: str,
    graph: "Graph",
    sources: tuple[str, ...],
    target: str,
    hops: bool,
    algebra: str | None,
    method: str | None,
    device: str | None,
    schedule: str | None,
    check: bool,
    geojson: str | None,
) -> None:
    """A shortest path in GRAPH, or the best by another algebra, as vertices."""
    for option, value in (("--method", method), ("--algebra", algebra)):
        if hops and value is not None:
            raise click.UsageError(f"--hops is a breadth-first search, which has no {option}")
    if geojson is not None and graph.coordinates is None:
        raise click.UsageError(
            "--geojson needs coordinates, and GRAPH has none: .npz files keep those that it was given "
            "in Python (Graph.from_osmnx, Graph.with_coordinates)"
        )
    if geojson is not None:
        check_replaceable(geojson)
    start, end = starts(graph, sources), vertex(graph, target)
    find = _between if len(start) == 1 else _from_the_nearest
    given = {"algebra": algebra, "method": method, "device": device, "schedule": schedule}
    chosen = {name: value for name, value in given.items() if value is not None}
    found = find(graph, start, end, hops, chosen, check)
    vertices, distance = (None, None) if found is None else (found.vertices, found.length)
    if geojson is not None and found is not None:
        found.to_geojson(geojson)
    data = {
        "graph": facts(file, graph),
        "source": start,
        "target": end,
        "algebra": algebra or "shortest",
        "distance": distance,
        "arcs": None if vertices is None else len(vertices) - 1,
        "path": vertices,
        "verified": check or None,
    }

    def render(screen: "Console") -> None:
        if vertices is None:
            screen.print(f"No path leads to {target}.")
        else:
            screen.print(" → ".join(str(v) for v in vertices), soft_wrap=True)
            worth = "distance" if algebra in (None, "shortest") else algebra
            screen.print(f"{worth} {number(distance)}, {counted(len(vertices) - 1, 'arc')}")

    emit(data, render)


def _between(
    graph: "Graph", start: list[Any], end: Any, hops: bool, chosen: dict[str, Any], check: bool
) -> "ShortestPath | None":
    """From one vertex: `warpath.shortest_path`."""
    from warpath import NoPathError, shortest_path, verify

    with working("Searching"):
        try:
            path = shortest_path(graph, start[0], end, weighted=not hops, **chosen)
        except NoPathError:
            path = None
    if check:
        with working("Verifying"):
            if path is None:
                verify.no_path(graph, start[0], end, algebra=chosen.get("algebra", "shortest"))
            else:
                path.verify()
    return path


def _from_the_nearest(
    graph: "Graph", start: list[Any], end: Any, hops: bool, chosen: dict[str, Any], check: bool
) -> "ShortestPath | None":
    """From the nearest of several: one search that starts from all of them."""
    from warpath import ShortestPath, bfs, sssp

    with working("Searching"):
        if hops:
            paths = bfs(graph, start, nearest=True, **chosen).to_numpy()
        else:
            paths = sssp(graph, start, nearest=True, target=end, **chosen).to_numpy()
    if check:
        with working("Verifying"):
            paths.verify()
    distance = paths[end]
    if distance is None:
        return None
    return ShortestPath(
        graph, paths.path(end), distance, not hops, paths.stats, chosen.get("algebra", "shortest")
    )
