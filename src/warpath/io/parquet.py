"""Parquet tables of edges: columns source, target and, optionally, weight.

Any table will do whose columns say so: see `warpath.graph.edge_columns`. Ids may be text. What a
table cannot say (the number of vertices, directedness, that ids are labels), `write` adds
to the file's metadata under the key ``warpath``.
"""

import json
from collections.abc import Sequence
from typing import Any

from warpath.errors import GraphFormatError
from warpath.graph.edge_columns import edge_columns
from warpath.graph.graph import Graph
from warpath.io.build import graph_of_edges
from warpath.io.format import Format, names_lost
from warpath.io.source import File, Source, open_target
from warpath.io.text import shown

_MAGIC = b"PAR1"
_ROW_BYTES = 24  # of source, target and weight
_KEY = "warpath"


def read(
    source: Source,
    *,
    directed: bool | None = None,
    compact: bool | None = None,
    columns: Sequence[str] | None = None,
) -> Graph:
    """Read a table of edges; see `warpath.read` for the options."""
    import polars as pl

    if source.peek(len(_MAGIC)) != _MAGIC:
        raise source.error("expected a Parquet table")
    place: Any = source.path
    if source.path is None or source.compression:
        place = source.read()
    try:
        names = _columns(source, pl.read_parquet_schema(place), columns)
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
    text = sum(int(ids.str.len_bytes().sum()) for ids in frame if ids.dtype == pl.String)
    source.check_size(rows * _ROW_BYTES + text, f"a table of {rows:,} rows and its names")
    tail, head, *weight = (frame[name].to_numpy() for name in names)
    del frame
    if compact is None and about.get("labels"):
        compact = True
    return graph_of_edges(
        source,
        tail,
        head,
        *weight,
        n=None if compact else about.get("vertices"),
        directed=about.get("directed", True) if directed is None else directed,
        compact=compact,
    )


def _columns(source: Source, schema: Any, chosen: Sequence[str] | None) -> list[str]:
    """The names of the columns that are read; their dtypes are ones that can be."""
    import polars as pl

    if chosen is not None and not 2 <= len(chosen) <= 3:
        raise source.error(f"columns are two or three, source, target[, weight], not {[*chosen]}")
    try:
        found = edge_columns(list(schema), *(chosen or ()))
    except ValueError as error:
        raise source.error(f"expected columns source, target[, weight]: {error}") from None
    names = [name for name in found if name is not None]
    for name in names[:2]:
        kind = schema[name]
        if not (kind.is_integer() or kind == pl.String):
            raise source.error(f"{name} must hold vertex ids, integers or text, not {kind}")
    for name in names[2:]:
        kind = schema[name]
        if not (kind.is_integer() or kind.is_float() or kind == pl.Boolean):
            raise source.error(f"{name} must hold integers or floats, not {kind}")
    return names


def _metadata(source: Source, said: str) -> dict[str, Any]:
    """What `write` says in the metadata, where that is what it may say."""
    like = {"vertices": 3, "directed": True, "labels": False}
    expected = f"expected metadata like {json.dumps(like)} under {_KEY!r}"
    try:
        about = json.loads(said)
    except (ValueError, RecursionError) as error:
        raise source.error(f"{expected}: {error}") from None
    legal = isinstance(about, dict) and all(
        type(about.get(key, default)) is type(default) for key, default in like.items()
    )
    if not legal:
        raise source.error(f"{expected}, not {shown(said.encode())}")
    return about  # type: ignore[no-any-return]


def write(graph: Graph, file: File) -> None:
    """Write each edge once."""
    about = {
        "vertices": graph.num_vertices,
        "directed": graph.directed,
        "labels": graph.labels is not None,
    }
    with open_target(file) as stream:
        graph.to_frame().write_parquet(stream, metadata={_KEY: json.dumps(about)})


FORMAT = Format(
    "parquet",
    (".parquet", ".pq"),
    read,
    write,
    names_lost,
    sniff=lambda head: head.startswith(_MAGIC),
    options=frozenset({"directed", "compact", "columns"}),
)
