"""Parquet tables of edges: columns source, target and, optionally, weight.

Any table will do whose columns say so: see `warpath.graph.edge_columns`. Ids may be text. What a
table cannot say (the number of vertices, directedness, that ids are labels), `write` adds
to the file's metadata under the key ``warpath``.
"""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from warpath.display import counted
from warpath.errors import GraphFormatError
from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES, as_weights
from warpath.graph.edge_columns import edge_columns
from warpath.graph.graph import Graph
from warpath.io.assembly import Listing
from warpath.io.format import Format, names_lost, one_file
from warpath.io.source import Counted, File, Source, open_target
from warpath.io.text_blocks import shown
from warpath.progress import Progress

_MAGIC = b"PAR1"
_ROW_BYTES = 24  # of source, target and weight
# Rows read at a time; Polars reads each group of rows whole, so few groups should be cut in two.
_ROWS, _MIN_ROWS, _PART = 1 << 22, 1 << 18, 32
_KEY = "warpath"


def list_edges(
    source: Source,
    edges: EdgeBatches,
    *,
    compact: bool | None = None,
    columns: Sequence[str] | None = None,
    **_: Any,
) -> Listing:
    """Add a table of edges to ``edges``; see `warpath.read` for the options."""
    import polars as pl

    if source.peek(len(_MAGIC)) != _MAGIC:
        raise source.error("expected a Parquet table")
    place: Any = source.path if source.is_plain else source.read()
    try:
        names = _columns(source, pl.read_parquet_schema(place), columns)
        rows = pl.scan_parquet(place, glob=False).select(pl.len()).collect().item()
        source.check_size(rows * _ROW_BYTES, f"a table of {rows:,} rows")
        about = _metadata(source, pl.read_parquet_metadata(place).get(_KEY, "{}"))
        listing = Listing(
            about.get("directed"), about.get("vertices", 0), about.get("labels", False)
        )
        numbers = not (listing.named or compact)
        limit = about.get("vertices") if numbers else None
        with Progress(source.short_name, rows, "steps") as progress:
            _read_edges(source, place, names, rows, edges, limit, progress)
    except GraphFormatError:
        raise
    # Where a file is damaged, Polars may panic as well: that is no Exception.
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, OSError, ValueError) as error:
        raise source.error(f"expected a Parquet table, whole: {error}") from None
    return listing


def _read_edges(
    source: Source, place: Any, names: list[str], rows: int, edges: EdgeBatches, limit: int | None,
    progress: Progress,
) -> None:  # fmt: skip
    """Read the columns called ``names``, some rows at a time; ids are below ``limit``, if any."""
    import polars as pl

    table = pl.scan_parquet(place, glob=False).select(names)
    schema = table.collect_schema()
    text = [schema[name] == pl.String for name in names[:2]]
    if any(text) and not all(text) and rows:
        raise source.error("vertex ids must be all integers or all text: source and target differ")
    named = any(text)
    empty = pl.DataFrame(schema=schema)
    edges.add(*np.empty((2, 0)), *(as_weights(empty[name].to_numpy()) for name in names[2:]))
    size = rows * _ROW_BYTES
    k, ranks = source.share or (0, 1)
    first, last = rows * k // ranks, rows * (k + 1) // ranks
    step = min(_ROWS, max(_MIN_ROWS, rows // _PART))
    for begin in range(first, last, step):
        frame = table.slice(begin, min(step, last - begin)).collect()
        for name in names:
            if frame[name].null_count():
                row = int(frame[name].is_null().to_numpy().argmax())
                raise source.error(f"row {begin + row} has no {name}")
        ends: Any = [frame[name] for name in names[:2]]
        if not named:
            ends = [column.to_numpy() for column in ends]
            for name, ids in zip(names, ends, strict=False):
                if limit is not None and len(ids) and ids.max() >= limit:
                    row = int(ids.argmax())
                    raise source.error(
                        f"{name}[{begin + row}] is {ids[row]}, but the graph has {counted(limit, 'vertex', 'vertices')}"
                    )
        else:
            size += sum(int(column.str.len_bytes().sum()) for column in ends)
            source.check_size(size, f"a table of {rows:,} rows and its names")
            ends = [edges.text.of_column(column) for column in ends]
        weights = [frame[name].to_numpy() for name in names[2:]]
        for values in weights:
            lost = np.flatnonzero(~np.isfinite(values))
            for row in lost[:1]:
                raise source.error(
                    f"weight[{begin + row}] is {values[row]}: weights are finite numbers"
                )
        try:
            edges.add(*ends, *map(as_weights, weights), named=named)
        except (ValueError, OverflowError) as error:
            raise source.error(str(error)) from None
        progress.advance(len(frame))
        del frame, ends


def _columns(source: Source, schema: Any, chosen: Sequence[str] | None) -> list[str]:
    """The names of the columns that are read; their dtypes are ones that can be."""
    import polars as pl

    if chosen is not None and not (2 <= len(chosen) <= 3 and len(set(chosen)) == len(chosen)):
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
    if not legal or not 0 <= about.get("vertices", 0) <= MAX_VERTICES:
        raise source.error(f"{expected}, not {shown(said.encode())}")
    return about  # type: ignore[no-any-return]


def write(graph: Graph, file: File) -> None:
    """Write each edge once."""
    if graph.num_vertices == 0:
        graph = graph.without_labels()  # of no vertices they may have any dtype, also one of no ids
    about = {
        "vertices": graph.num_vertices,
        "directed": graph.directed,
        "labels": graph.labels is not None,
    }
    frame = graph.to_frame()
    with open_target(file) as stream, Progress("Writing", None) as progress:
        counted: Any = Counted(stream, progress)
        frame.write_parquet(counted, metadata={_KEY: json.dumps(about)})


FORMAT = Format(
    "parquet",
    (".parquet", ".pq"),
    one_file(list_edges),
    write,
    names_lost,
    sniff=lambda head: head.startswith(_MAGIC),
    options=frozenset({"directed", "compact", "columns"}),
    list_edges=list_edges,
)
