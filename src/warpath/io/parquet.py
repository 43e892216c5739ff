"""Parquet tables of edges: columns source, target and, optionally, weight.

Any table will do whose columns have these names, or whose first two or three columns mean
this. What a table cannot say (the number of vertices, directedness), `write` adds
to the file's metadata under the key ``warpath``.
"""

import json
from typing import Any

from warpath.errors import GraphFormatError
from warpath.graph.graph import Graph
from warpath.io.build import graph_of_edges
from warpath.io.compact import compact as number_anew
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target
from warpath.io.text import shown

_MAGIC = b"PAR1"
_ROW_BYTES = 24  # of source, target and weight
_KEY = "warpath"
_NAMES = ("source", "target", "weight")


def read(source: Source, *, directed: bool | None = None, compact: bool = False) -> Graph:
    """Read a table of edges; see `warpath.read` for the options."""
    import polars as pl

    if source.peek(len(_MAGIC)) != _MAGIC:
        raise source.error("expected a Parquet table")
    place: Any = source.path
    if source.path is None or source.compression:
        place = source.read()
    try:
        schema = pl.read_parquet_schema(place)
        names = _columns(source, schema)
        rows = pl.scan_parquet(place).select(pl.len()).collect().item()
        source.check_size(rows * _ROW_BYTES, f"a table of {rows:,} rows")
        frame = pl.read_parquet(place, columns=names)
        said = pl.read_parquet_metadata(place).get(_KEY, "{}")
    except GraphFormatError:
        raise
    # Where a file is damaged, Polars may panic as well: that is no Exception.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise source.error(f"expected a Parquet table, whole: {error}") from None
    about = _metadata(source, said)
    for name in names:
        if frame[name].null_count():
            row = frame[name].is_null().arg_max()
            raise source.error(f"row {row} has no {name}")
    tail, head, *weight = (frame[name].to_numpy() for name in names)
    del frame
    labels = None
    if compact:
        try:
            tail, head, labels = number_anew(tail, head)
        except ValueError as error:
            raise source.error(str(error)) from None
    return graph_of_edges(
        source,
        tail,
        head,
        *weight,
        n=None if compact else about.get("vertices"),
        directed=about.get("directed", True) if directed is None else directed,
        labels=labels,
    )


def _columns(source: Source, schema: Any) -> list[str]:
    """The names of the columns that are read; their dtypes are ones that can be."""
    names = [name for name in _NAMES if name in schema]
    if names[:2] != ["source", "target"]:
        names = list(schema)[:3]
    if len(names) < 2:
        raise source.error(f"expected columns source, target[, weight], not {list(schema)}")
    for name in names[:2]:
        if not schema[name].is_integer():
            raise source.error(f"{name} must hold integer vertex ids, not {schema[name]}")
    for name in names[2:]:
        kind = schema[name]
        if not (kind.is_integer() or kind.is_float() or kind == "Boolean"):
            raise source.error(f"{name} must hold integers or floats, not {kind}")
    return names


def _metadata(source: Source, said: str) -> dict[str, Any]:
    """What `write` says in the metadata, where that is what it may say."""
    expected = f'expected metadata like {{"vertices": 3, "directed": true}} under {_KEY!r}'
    try:
        about = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise source.error(f"{expected}: {error}") from None
    legal = isinstance(about, dict) and all(
        type(about.get(key, default)) is type(default)
        for key, default in (("vertices", 0), ("directed", True))
    )
    if not legal:
        raise source.error(f"{expected}, not {shown(said.encode())}")
    return about  # type: ignore[no-any-return]


def write(graph: Graph, file: File) -> None:
    """Write each edge once."""
    import polars as pl

    columns = dict(zip(_NAMES, graph.edges(), strict=True))
    frame = pl.DataFrame({name: values for name, values in columns.items() if values is not None})
    about = {"vertices": graph.num_vertices, "directed": graph.directed}
    with open_target(file) as stream:
        frame.write_parquet(stream, metadata={_KEY: json.dumps(about)})


FORMAT = Format(
    "parquet",
    (".parquet", ".pq"),
    read,
    write,
    sniff=lambda head: head.startswith(_MAGIC),
    options=frozenset({"directed", "compact"}),
)
