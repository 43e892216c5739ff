"""Files of results: .npz holds all of it, tables one row per vertex, .npy the distances."""

import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from warpath.files import replacing

if TYPE_CHECKING:
    import polars as pl

    from warpath import Graph, Paths

SUFFIXES = (".npy", ".npz", ".csv", ".parquet")


@dataclass
class Result:
    """An answer and its question, as far as the file has it.

    Attributes
    ----------
    distance : array, shape (n,) or (k, n)
    predecessor : array of that shape, or None
    sources : list of vertices, or None
        If there are several, distances of shape (n,) are from the nearest.
    algorithm : {"bfs", "sssp"} or None
    limit : number, list of numbers or None
        The ``depth_limit`` or ``cutoff``, one for all rows or one each.
    algebra : str or None
        The measure of "sssp"; None is "shortest".
    """

    distance: Any
    predecessor: Any = None
    sources: list[Any] | None = None
    algorithm: str | None = None
    limit: Any = None
    algebra: str | None = None


def ends_in(*suffixes: str) -> Callable[[click.Context, click.Parameter, str | None], str | None]:
    """A check of an option: refuse a file name without a suffix, before anything is computed for it."""

    def check(_: click.Context, parameter: click.Parameter, file: str | None) -> str | None:
        if file is not None and Path(file).suffix not in suffixes:
            raise click.BadParameter(f"{file!r} must end in {', '.join(suffixes)}")
        return file

    return check


check_suffix = ends_in(*SUFFIXES)


def write(file: str, result: Result, paths: "Paths") -> None:
    """Write a result; the suffix says how. An old file is replaced when all is written."""
    import numpy as np

    suffix = Path(file).suffix
    if suffix not in (".npy", ".npz"):
        write_table(file, paths.to_frame())
        return
    with replacing(file) as stream:
        if suffix == ".npy":
            np.save(stream, result.distance)
        else:
            fields = {name: value for name, value in vars(result).items() if value is not None}
            np.savez(stream, **fields)


def write_table(file: str, table: "pl.DataFrame") -> None:
    """Write a table; the suffix says how. An old file is replaced when all is written."""
    with replacing(file) as stream:
        table.write_csv(stream) if Path(file).suffix == ".csv" else table.write_parquet(stream)


def _no_path(algorithm: str | None, algebra: str | None, dtype: Any) -> Any:
    """The distance that stands for "no path"."""
    from warpath.operators import lookup

    return -1 if algorithm == "bfs" else lookup(algebra or "shortest").none(dtype).item()


def read(file: str, algorithm: str | None, graph: "Graph", algebra: str | None = None) -> Result:
    """Read a result; only .npz has the ``algorithm`` and the ``algebra``.

    Raises
    ------
    ValueError
        If the file is not one that `write` writes, or the algorithm remains unknown.
    """
    try:
        suffix = Path(file).suffix
        if suffix == ".npz":
            result = _from_npz(file, algorithm, algebra)
        elif suffix == ".npy":
            result = Result(load_array(file), algorithm=algorithm, algebra=algebra)
        else:
            result = _from_table(file, algorithm, algebra, graph)
    except (KeyError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise ValueError(f"{file}: not a file of results: {error}") from None
    if result.algorithm not in ("bfs", "sssp"):
        raise ValueError(f"{file} does not say whose distances it holds: give --algorithm")
    _check(file, result)
    return result


def _check(file: str, result: Result) -> None:
    """Refuse arrays that no answer has.

    Raises
    ------
    ValueError
        Distances that are neither a row nor rows, limits that are no numbers or too many.
    """
    import numpy as np

    shape, limits = result.distance.shape, np.asarray(0 if result.limit is None else result.limit)
    if len(shape) not in (1, 2):
        raise ValueError(f"{file}: distances in one or two dimensions, not in shape {shape}")
    if limits.dtype.kind not in "iuf" or limits.shape not in ((), shape[:-1]):
        raise ValueError(f"{file}: the limit is one number, or one for each row of distances")


def load_array(file: str) -> Any:
    """The array of a ``.npy`` file.

    Raises
    ------
    ValueError
        If it is none.
    """
    array = _load(file)
    if not hasattr(array, "dtype"):
        raise ValueError(f"{file}: an archive, not one array")
    if array.ndim == 0:
        raise ValueError(f"{file}: one value, not an array of them")
    return array


def _load(file: str) -> Any:
    import numpy as np

    try:
        return np.load(file)
    except (EOFError, ValueError, zipfile.BadZipFile):
        raise ValueError(f"{file}: neither a .npy nor a .npz file of NumPy") from None


def _from_npz(file: str, algorithm: str | None, algebra: str | None) -> Result:
    archive = _load(file)
    if not hasattr(archive, "files"):
        raise ValueError(f"{file}: one array, not an archive")
    with archive:
        fields = {name: archive[name] for name in archive.files}
    result = Result(
        fields["distance"], fields.get("predecessor"), algorithm=algorithm, algebra=algebra
    )
    if "sources" in fields:
        result.sources = fields["sources"].ravel().tolist()
    if algorithm is None and "algorithm" in fields:
        result.algorithm = str(fields["algorithm"])
    if algebra is None and "algebra" in fields:
        result.algebra = str(fields["algebra"])
    if "limit" in fields:
        result.limit = fields["limit"].tolist()
    return result


def _from_table(file: str, algorithm: str | None, algebra: str | None, graph: "Graph") -> Result:
    import polars as pl

    try:
        if Path(file).suffix == ".csv":
            table = pl.read_csv(file, schema_overrides=_csv_schema(algorithm, algebra, graph))
        else:
            table = pl.read_parquet(file)
        sources = None
        # With several sources and --nearest each row has its own.
        if "source" in table.columns and len(table) != graph.num_vertices:
            sources = table["source"].unique(maintain_order=True).to_list()
        rows = 1 if sources is None else len(sources)
        if len(table) != rows * graph.num_vertices:
            raise ValueError(
                f"{file} has {len(table)} rows, not {rows * graph.num_vertices}: one per vertex"
            )
        shape = (graph.num_vertices,) if sources is None else (rows, graph.num_vertices)
        null = _no_path(algorithm, algebra, table["distance"].head(0).to_numpy().dtype)
        distance = table["distance"].fill_null(null).to_numpy().reshape(shape)
        if "vertex" in table.columns:
            _check_order(file, table["vertex"], graph)
        predecessor = None
        if "predecessor" in table.columns:
            predecessor = _numbers(table["predecessor"], graph).reshape(shape)
    except pl.exceptions.PolarsError as error:
        reason = str(error).split("\n")[0]  # then Polars speaks of its own options
        raise ValueError(f"{file}: not a table of results: {reason}") from None
    return Result(distance, predecessor, sources, algorithm=algorithm, algebra=algebra)


def _check_order(file: str, names: Any, graph: "Graph") -> None:
    """Refuse rows in another order than the graph's vertices, from each source."""
    import numpy as np

    from warpath.graph.names import called

    numbers = _numbers(names, graph)
    expected = np.arange(len(numbers)) % max(graph.num_vertices, 1)
    for row in np.flatnonzero(numbers != expected)[:1].tolist():
        vertex = called(graph, int(expected[row]))
        raise ValueError(
            f"{file}: row {row} is of vertex {names[row]!r}, not {vertex!r}: rows have to be in the "
            "order of the graph's vertices"
        )


def _numbers(names: Any, graph: "Graph") -> Any:
    """The numbers of vertices in a column; -1 where it is null."""
    import numpy as np

    numbers = np.full(len(names), -1, np.int32)
    there = names.is_not_null().to_numpy()
    numbers[there] = graph.index(names.drop_nulls().to_numpy())
    return numbers


def _csv_schema(algorithm: str | None, algebra: str | None, graph: "Graph") -> dict[str, Any]:
    """The text does not say how wide its numbers are; the graph does."""
    import polars as pl

    from warpath.operators import lookup

    types = {"bool": pl.Boolean, "int32": pl.Int32, "int64": pl.Int64,
             "float32": pl.Float32, "float64": pl.Float64}  # fmt: skip
    distance: Any = pl.Int32
    if algorithm == "sssp":
        distance = types[lookup(algebra or "shortest").dtype(graph).name]
    names: Any = pl.Int64
    if graph.labels is not None and graph.labels.dtype.kind not in "iu":
        names = pl.String
    return {"source": names, "vertex": names, "distance": distance, "predecessor": names}
