"""``warpath bfs`` and ``warpath sssp``: from a graph file to an answer, a table of it, a file."""

from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options, result_files
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.show import emit, end, number, verify_if, working
from warpath.cli.vertices import starts, vertex

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import Graph, Paths

stats = click.option("--stats", is_flag=True, help="Show each iteration.")


@click.command(
    epilog=examples(
        "warpath bfs roads.gr --source 0",
        "warpath bfs roads.gr -s 0 -s 7 --nearest -o levels.csv",
        "warpath bfs towns.csv --source Ulm --depth-limit 3",
        "warpath bfs roads.gr -s 0 --schedule direction=top-down",
    )
)
@graph_argument
@options.source
@options.nearest
@click.option("--depth-limit", type=int, help="The most arcs of a path.")
@options.device
@options.several()
@options.schedule("virtual-warp:width=8,direction=top-down", "bfs")
@options.check
@stats
@options.output
@options.threads
@options.as_json
def bfs(**given: Any) -> None:
    """Breadth-first search: distances in arcs."""
    _run("bfs", **given)


@click.command(
    epilog=examples(
        "warpath sssp roads.gr --source 0 --verify",
        "warpath sssp towns.csv --columns from,to,km --source Ulm -o distances.csv",
        "warpath sssp roads.gr -s 0 --algebra widest --json",
        "warpath sssp roads.gr -s 0 --method delta-stepping --schedule delta=16",
    )
)
@graph_argument
@options.source
@options.nearest
@options.algebra
@options.method
@click.option("--target", metavar="VERTEX", help="Stop once this vertex's distance is known.")
@click.option(
    "--cutoff",
    type=options.int_or_float,
    metavar="DISTANCE",
    help="Go no farther than this distance.",
)
@options.device
@options.several()
@options.schedule("merge-path:coupling=hybrid,delta=16", "sssp")
@options.check
@stats
@options.output
@options.threads
@options.as_json
def sssp(graph: "Graph", target: str | None, **given: Any) -> None:
    """Shortest paths by weight, negative weights too; or the best by another algebra."""
    goal = None if target is None else vertex(graph, target)
    _run("sssp", graph=graph, target=goal, **given)


def _run(
    algorithm: str,
    *,
    file: str,
    graph: "Graph",
    sources: tuple[str, ...],
    nearest: bool,
    check: bool,
    stats: bool,
    output: str | None,
    **choices: Any,
) -> None:
    """What both commands do; ``choices`` go to the algorithm, None means its default."""
    import warpath

    start = starts(graph, sources)
    chosen = {key: value for key, value in choices.items() if value is not None}
    with working(f"Running {algorithm}"):
        found = getattr(warpath, algorithm)(
            graph, start if len(start) > 1 else start[0], nearest=nearest, **chosen
        )
        paths = found.to_numpy()
    verify_if(check, paths)
    if output is not None:
        algebra = paths.algebra if paths.weighted else None
        result = result_files.Result(
            paths.distance, paths.predecessor, start, algorithm, paths.limit, algebra
        )
        result_files.write(output, result, paths)
    answers = _answers(graph, paths, start, nearest, chosen.get("target"))
    data = {
        "graph": facts(file, graph),
        "algorithm": algorithm,
        **({"algebra": paths.algebra} if algorithm == "sssp" else {}),
        "answers": answers,
        "verified": check or None,
        "output": output,
        "stats": paths.stats.as_dict(),
    }

    def render(screen: "Console") -> None:
        from rich.table import Table

        screen.print(f"{algorithm} of {file}", style="bold", soft_wrap=True)
        if not sources:
            screen.print(f"Source: {start[0]}, which has the most arcs")
        table = Table(*answers[0])
        for answer in answers:
            table.add_row(*(number(value) for value in answer.values()))
        screen.print(table)
        how = str(paths.stats)
        screen.print(how if stats else how.splitlines()[0])
        end(screen, output, verified=check)

    emit(data, render)


def _answers(
    graph: "Graph",
    paths: "Paths",
    start: list[Any],
    nearest: bool,
    target: Any,
) -> list[dict[str, Any]]:
    """Each answer in short: how many vertices are reached, and how far, or by what at worst."""
    import numpy as np

    from warpath.operators import lookup

    algebra = lookup(paths.algebra)
    farthest = "farthest" if algebra.adds else "worst"
    worst = np.min if algebra.larger_is_better else np.max
    origins: list[Any] = list(start)
    if nearest and len(origins) > 1:
        origins = [origins]
    answers = []
    for origin, row, reached in zip(
        origins, np.atleast_2d(paths.distance), np.atleast_2d(paths.reached), strict=True
    ):
        answer = {
            "source": origin,
            "reached": int(np.count_nonzero(reached)),
            farthest: worst(row[reached]).item() if reached.any() else None,
        }
        if target is not None:
            answer["target"] = target
            place = graph.index(target)
            answer["distance"] = row[place].item() if reached[place] else None
        answers.append(answer)
    return answers
