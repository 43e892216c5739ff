"""``warpath distances``: from many vertices to many, as a matrix or a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpath.cli import options
from warpath.cli.load import facts, graph_argument
from warpath.cli.show import bar, emit, number, working
from warpath.cli.vertices import vertex

if TYPE_CHECKING:
    from rich.console import Console

    from warpath import DistanceMatrix, Graph

_SUFFIXES = (".npy", ".csv", ".parquet")
_MOST_SHOWN = 12  # rows and columns of a table for people


def _check_suffix(_: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
    """Refuse a file name that says no format, before anything is computed for it."""
    if file is not None and Path(file).suffix not in _SUFFIXES:
        raise click.BadParameter(f"{file!r} must end in {', '.join(_SUFFIXES)}")
    return file


def _file_of(what: str) -> Any:
    return click.option(
        f"--{what}s", f"{what}_file", type=click.Path(dir_okay=False, allow_dash=True),
        help=f"A text file of {what}s, one a line, or an array in a .npy file.",
    )  # fmt: skip


@click.command()
@graph_argument
@click.option("-s", "--source", "sources", multiple=True, metavar="VERTEX",
              help="Where paths start; give it again for more.")  # fmt: skip
@_file_of("source")
@click.option("-t", "--target", "targets", multiple=True, metavar="VERTEX",
              help="Where they end; give it again for more (default: every vertex).")  # fmt: skip
@_file_of("target")
@options.algebra
@click.option("--cutoff", type=options.int_or_float, metavar="DISTANCE",
              help="Go no farther than this distance.")  # fmt: skip
@click.option("--dtype", help="Of the distances: int32, int64, float32, float64.")
@options.device
@click.option("-o", "--output", type=click.Path(dir_okay=False), callback=_check_suffix,
              help="Write the matrix (.npy), or a line for each pair (.csv, .parquet).")  # fmt: skip
@click.option("--verify", "check", is_flag=True, help="Check the answer's certificate.")
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

    starts = _vertices(graph, sources, source_file)
    ends = _vertices(graph, targets, target_file)
    if starts is None:
        raise click.UsageError("no sources: give --source VERTEX, or --sources FILE")
    chosen = {key: value for key, value in choices.items() if value is not None}
    is_matrix = output is not None and Path(output).suffix == ".npy"
    with bar("Distances") as progress:
        found = warpath.distance_matrix(
            graph, starts, ends, out=output if is_matrix else None, progress=progress, **chosen
        ).to_numpy()
    if check:
        with working("Verifying"):
            found.verify()
    if output is not None and not is_matrix:
        _write_table(output, found)
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
        screen.print(str(found.stats).splitlines()[0])
        if check:
            screen.print("Verified.", style="green")
        if output is not None:
            screen.print(f"Written to {output}", soft_wrap=True)

    emit(data, render)


def _vertices(graph: "Graph", names: tuple[str, ...], file: str | None) -> list[Any] | None:
    """The vertices that options and a file name, in this order; None if neither does."""
    given = [vertex(graph, one) for one in names]
    if file is None:
        return given or None
    if Path(file).suffix == ".npy":
        from warpath.cli.results import load_array

        return [*given, *load_array(file).tolist()]
    try:
        with click.open_file(file, encoding="utf-8") as lines:
            named = [line.strip() for line in lines]
    except UnicodeDecodeError as error:
        raise ValueError(f"{file}: expected a text in UTF-8: {error}") from None
    return [*given, *(vertex(graph, one) for one in named if one)]


def _cells(found: "DistanceMatrix") -> list[list[Any]]:
    """The matrix as Python's numbers; None where there is no path."""
    rows = zip(found.distance.tolist(), found.reached.tolist(), strict=True)
    return [
        [d if there else None for d, there in zip(*row, strict=True)] for row in rows
    ]  # fmt: skip


def _write_table(file: str, found: "DistanceMatrix") -> None:
    """A line for each pair; no path is null."""
    from warpath.cli.results import write_table

    write_table(file, found.to_frame())
