"""``warpath distances``: from many vertices to many, as a matrix or a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.name_types import examples
from warpath.cli.result_files import ends_in, write_table
from warpath.cli.show import bar, emit, end, number, verify_if
from warpath.cli.vertices import file_of, listed

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import DistanceMatrix, Graph

_SUFFIXES = (".npy", ".csv", ".parquet")
_MOST_SHOWN = 12  # rows and columns of a table for people


@click.command(
    epilog=examples(
        "warpath distances roads.gr -s 0 -s 1 -t 7 -t 8",
        "warpath distances towns.csv --undirected -s Ulm -t Bonn -o pairs.csv",
    )
)
@graph_argument
@click.option("-s", "--source", "sources", multiple=True, metavar="VERTEX",
              help="Where paths start; give it again for more.")  # fmt: skip
@file_of("source", "--sources")
@click.option("-t", "--target", "targets", multiple=True, metavar="VERTEX",
              help="Where they end; give it again for more (default: every vertex).")  # fmt: skip
@file_of("target", "--targets")
@options.algebra
@click.option("--cutoff", type=options.int_or_float, metavar="DISTANCE",
              help="Go no farther than this distance.")  # fmt: skip
@options.dtype
@options.device
@click.option("-o", "--output", type=click.Path(dir_okay=False), callback=ends_in(*_SUFFIXES),
              help="Write the matrix (.npy), or a line for each pair (.csv, .parquet).")  # fmt: skip
@options.check
@options.threads
@options.as_json
def distances(
    file: str,
    graph: "Graph",
    sources: tuple[str, ...],
    source_file: str | None,
    targets: tuple[str, ...],
    target_file: str | None,
    output: str | None,
    check: bool,
    **choices: Any,
) -> None:
    """Distances from many vertices to many: an origin-destination matrix."""
    import warpath

    starts = listed(graph, sources, source_file)
    ends = listed(graph, targets, target_file)
    if starts is None:
        raise click.UsageError("no sources: give --source VERTEX, or --sources FILE")
    chosen = {key: value for key, value in choices.items() if value is not None}
    is_matrix = output is not None and Path(output).suffix == ".npy"
    with bar("Distances") as progress:
        found = warpath.distance_matrix(
            graph, starts, ends, out=output if is_matrix else None, progress=progress, **chosen
        ).to_numpy()
    verify_if(check, found)
    if output is not None and not is_matrix:
        write_table(output, found.to_frame())
    called = [ids.tolist() for ids in (found.sources, found.targets)]
    data = {
        "graph": facts(file, graph),
        "algorithm": "distances",
        "algebra": found.algebra,
        "sources": called[0],
        "targets": called[1],
        "distance": _cells(found) if output is None else None,
        "pairs": int(found.reached.sum()),
        "verified": check or None,
        "output": output,
        "stats": found.stats.as_dict(),
    }

    def render(screen: "Console") -> None:
        from rich.table import Table

        if max(found.distance.shape) <= _MOST_SHOWN:
            table = Table("", *map(str, called[1]))
            for origin, row in zip(called[0], _cells(found), strict=True):
                table.add_row(str(origin), *("–" if d is None else number(d) for d in row))
            screen.print(table)
        k, t = found.distance.shape
        pairs = number(data["pairs"])
        screen.print(f"{number(k)} × {number(t)} pairs, {pairs} with a path")
        screen.print(str(found.stats).splitlines()[0], soft_wrap=True)
        end(screen, output, verified=check)

    emit(data, render)


def _cells(found: "DistanceMatrix") -> list[list[Any]]:
    """The matrix as Python's numbers; None where there is no path."""
    rows = zip(found.distance.tolist(), found.reached.tolist(), strict=True)
    return [
        [d if there else None for d, there in zip(*row, strict=True)] for row in rows
    ]  # fmt: skip
