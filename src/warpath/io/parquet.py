"""Parquet tables of edges: columns source, target and, optionally, weight.

Any table will do whose columns have these names, or whose first two or three columns mean
this. What a table cannot say (the number of vertices, directedness), `write` adds
to the file's metadata under the key ``warpath``.
"""

import io
import json
from typing import Any

from warpath.graph.graph import Graph
from warpath.io.compact import compact as number_anew
from warpath.io.format import Format
from warpath.io.source import File, Source, open_target

_KEY = "warpath"
_NAMES = ("source", "target", "weight")


def read(source: Source, *, directed: bool | None = None, compact: bool = False) -> Graph:
    """Read a table of edges; see `warpath.read` for the options."""
    import polars as pl

    if source.path is not None and not source.compression:
        place: Any = source.path
    else:
        place = io.BytesIO(source.read())
    try:
        frame = pl.read_parquet(place)
        about = json.loads(pl.read_parquet_metadata(place).get(_KEY, "{}"))
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise source.error(f"expected a Parquet table, whole: {error}") from None
    names = [name for name in _NAMES if name in frame.columns]
    if names[:2] != ["source", "target"]:
        names = frame.columns[:3]
    if len(names) < 2:
        raise source.error(f"expected columns source, target[, weight], not {frame.columns}")
    for name in names:
        if frame[name].null_count():
            row = frame[name].is_null().arg_max()
            raise source.error(f"row {row} has no {name}")
    try:
        tail, head, *weight = (frame[name].to_numpy() for name in names)
        labels = None
        if compact:
            tail, head, labels = number_anew(tail, head)
        return Graph.from_edges(
            tail,
            head,
            *weight,
            n=None if compact else about.get("vertices"),
            directed=about.get("directed", True) if directed is None else directed,
            labels=labels,
        )
    except (ValueError, OverflowError) as error:
        raise source.error(str(error)) from None


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
    sniff=lambda head: head.startswith(b"PAR1"),
    options=frozenset({"directed", "compact"}),
)
