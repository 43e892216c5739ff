"""What the commands share that compute a number for each vertex: options, files, tables."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpath.cli.load import facts
from warpath.cli.result_files import ends_in, write_table
from warpath.cli.show import duration, emit, end, number
from warpath.cli.vertices import file_of
from warpath.files import replacing

if TYPE_CHECKING:
    import polars
    from rich.console import Console

    from warpath import Graph

_SHOWN = 10  # vertices of a table for people

hops = click.option("--hops", is_flag=True, help="Paths of the fewest arcs, whatever they weigh.")
output = click.option(
    "-o", "--output", type=click.Path(dir_okay=False), callback=ends_in(".csv", ".parquet", ".npy"),
    help="Write a table (.csv, .parquet), or the values alone (.npy).",
)  # fmt: skip
vertex = click.option(
    "-v", "--vertex", "vertices", multiple=True, metavar="VERTEX",
    help="Which vertex; give it again for more (default: every vertex).",
)  # fmt: skip
vertices_file = file_of("vertex", "--vertices")


def names(graph: "Graph", vertices: Any = None) -> "polars.Series":
    """What vertices are called, as a column; by default all, in the order of their numbers."""
    import numpy as np

    from warpath.graph.frames import as_column

    if vertices is not None:
        vertices = graph.index(vertices)
    if graph.labels is None:
        return as_column(np.arange(graph.num_vertices) if vertices is None else np.array(vertices))
    return as_column(graph.labels if vertices is None else graph.labels[vertices], graph.labels)


def show(
    title: str,
    file: str,
    graph: "Graph",
    table: "polars.DataFrame",
    seconds: float,
    output: str | None,
    summary: dict[str, Any],
    *,
    largest: bool = True,
) -> None:
    """Write and print a table whose last column holds values.

    Parameters
    ----------
    title : str
        The command.
    file, graph
        What it read.
    table : polars.DataFrame
        A row for each vertex (or edge); the values are in the last column.
    seconds : float
    output : str or None
        Where to write the table.
    summary : dict
        What the answer is in short.
    largest : bool
        Show people the rows of the largest values; else the first rows.
    """
    if output is not None and Path(output).suffix == ".npy":
        import numpy as np

        with replacing(output) as stream:
            np.save(stream, table[table.columns[-1]].to_numpy())
    elif output is not None:
        write_table(output, table)
    columns = {name: table[name].to_list() if output is None else None for name in table.columns}
    data = {
        "graph": facts(file, graph), "algorithm": title, **summary, **columns,
        "output": output, "seconds": seconds,
    }  # fmt: skip

    def render(screen: "Console") -> None:
        from rich.table import Table

        screen.print(f"{title} of {file}", style="bold", soft_wrap=True)
        for name, value in summary.items():
            if not isinstance(value, bool):
                screen.print(f"{name}: {number(value)}")
        rows = table
        if largest:
            rows = table.sort(
                table.columns[-1], descending=True, nulls_last=True, maintain_order=True
            )
        shown = Table(*table.columns)
        for row in rows.head(_SHOWN).iter_rows():
            shown.add_row(*(number(value) for value in row))
        screen.print(shown)
        if len(table) > _SHOWN:
            screen.print(f"{number(len(table) - _SHOWN)} more: --output writes all")
        screen.print(f"in {duration(seconds)}")
        end(screen, output)

    emit(data, render)
