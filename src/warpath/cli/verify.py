"""``warpath verify``: is the answer in this file right?"""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, result_files
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import emit, working
from warpath.cli.vertices import vertex

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph


@click.command(
    epilog=examples(
        "warpath sssp roads.gr -s 0 -o distances.npz",
        "warpath verify roads.gr --distance distances.npz",
    )
)
@graph_argument
@click.option(
    "--distance",
    required=True,
    type=click.Path(),
    callback=result_files.check_suffix,
    help="The answer: .npz, .csv, .parquet or .npy, as bfs and sssp write it.",
)
@click.option(
    "--predecessor",
    type=click.Path(),
    help="Predecessors, if they are in a file of their own: .npy.",
)
@click.option(
    "--algorithm",
    type=click.Choice(["bfs", "sssp"]),
    help="The search that made it; .npz files name it.",
)
@click.option(
    "-s",
    "--source",
    "sources",
    multiple=True,
    metavar="VERTEX",
    help="Where paths start, the nearest of several; .npz files name it.",
)
@options.algebra
@click.option(
    "--limit",
    type=options.int_or_float,
    metavar="DISTANCE",
    help="The --depth-limit or --cutoff that was asked for; .npz files name it.",
)
@options.threads
@options.as_json
def verify(
    file: str,
    graph: "Graph",
    distance: str,
    predecessor: str | None,
    algorithm: str | None,
    sources: tuple[str, ...],
    algebra: str | None,
    limit: Any,
) -> None:
    """Check the certificate of an answer; exit code 1 if it is wrong."""
    import numpy as np

    result = result_files.read(distance, algorithm, graph, algebra)
    if sources:
        result.sources = [vertex(graph, source) for source in sources]
    if result.sources is None:
        raise click.UsageError(f"{distance} does not say where paths start: give --source")
    if predecessor is not None:
        result.predecessor = result_files.load_array(predecessor)
    if limit is not None:
        result.limit = limit
    with working("Verifying"):
        _check(graph, result)
    data = {
        "graph": facts(file, graph),
        "algorithm": result.algorithm,
        **({"algebra": result.algebra or "shortest"} if result.algorithm == "sssp" else {}),
        "source": result.sources,
        "vertices": int(np.size(result.distance)),
        "predecessors": result.predecessor is not None,
        "verified": True,
    }

    def render(screen: "Console") -> None:
        what = "distances and predecessors" if data["predecessors"] else "distances"
        screen.print(f"{distance}: the {what} are right", style="green", soft_wrap=True)

    emit(data, render)


def _check(graph: "Graph", result: result_files.Result) -> None:
    """Hand each row to its certificate."""
    import numpy as np

    from warpath import verify as certificates

    def check(source: Any, distance: Any, predecessor: Any, limit: Any) -> None:
        if result.algorithm == "bfs":
            certificates.bfs(graph, source, distance, predecessor, depth_limit=limit)
        else:
            algebra: Any = result.algebra or "shortest"
            certificates.sssp(graph, source, distance, predecessor, cutoff=limit, algebra=algebra)

    sources, before = result.sources or [], result.predecessor
    if before is not None and before.shape != result.distance.shape:
        raise ValueError(
            f"predecessors of shape {before.shape}, but distances of shape {result.distance.shape}"
        )
    if result.distance.ndim == 1:
        check(sources, result.distance, before, result.limit)
        return
    if len(result.distance) != len(sources):
        raise ValueError(f"{len(result.distance)} rows of distances, but {len(sources)} sources")
    limits: list[Any] = np.broadcast_to(np.asarray(result.limit), len(sources)).tolist()
    for i, (source, row, limit) in enumerate(zip(sources, result.distance, limits, strict=True)):
        check(source, row, None if before is None else before[i], limit)
