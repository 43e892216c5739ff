"""The GAP Benchmark Suite's files: ``.el`` and ``.wel`` text, ``.sg`` and ``.wsg`` binary.

Formats: src/reader.h and src/writer.h of https://github.com/sbeamer/gapbs. Text is ``u v``
or ``u v w`` a line, from 0, with no header: the number of vertices is one more than the
largest id, and an undirected graph is written as the arcs of both directions. Binary, little-endian and packed::

    bool directed; int64 num_arcs; int64 num_vertices;
    int64 offsets[num_vertices + 1]; int32 target[num_arcs]         (.sg)
                                     int32 target, weight [num_arcs] (.wsg)
    the same two arrays once more, of the reverse, if directed
"""

import struct
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.batches import EdgeBatches
from warpath.graph.check import MAX_VERTICES
from warpath.graph.graph import Graph
from warpath.io.assembly import NUMBERS_ONLY, Listing, graph_of_edges, graph_of_listing, read_edges
from warpath.io.columns import Column, Ids, Numbers
from warpath.io.format import Format, one_file
from warpath.io.source import Counted, File, Source, open_target
from warpath.io.symmetry import as_undirected, edges_are_symmetric, fingerprints
from warpath.io.table import write_table
from warpath.io.text_blocks import Text
from warpath.progress import Progress

Array = NDArray[Any]

_HINT = "; format='edge-list' with compact=True takes ids as names"
_HEADER = struct.Struct("<?qq")
_OFFSET = np.dtype("<i8")
_PLAIN = np.dtype([("target", "<i4")])
_WEIGHTED = np.dtype([("target", "<i4"), ("weight", "<i4")])


def list_edges(source: Source, edges: EdgeBatches, *, weighted: bool, **_: Any) -> Listing:
    """Add what ``.el`` or ``.wel`` lists to ``edges``."""
    text = Text(source)
    hint = NUMBERS_ONLY if source.share else _HINT
    columns: list[Column] = [Ids("source", hint=hint), Ids("target", hint=hint)]
    if weighted:
        columns.append(Numbers())
    text.skip_comments()
    if text.peek_line() is None:
        raise text.error("expected an edge, but the file is empty")
    text.keep_share()
    read_edges(text, columns, edges)
    return Listing()


def make_graph(
    source: Source, edges: EdgeBatches, listing: Listing, *, directed: bool | None = None
) -> Graph:
    """The graph of what is listed; undirected also if both arcs of each edge are."""
    if directed is False and edges_are_symmetric(edges):  # as `write_text` writes them
        return as_undirected(graph_of_edges(source, edges, n=edges.largest + 1))
    return graph_of_listing(source, edges, listing, directed=directed)


def write_text(graph: Graph, file: File) -> None:
    """Write every arc as ``.el`` or ``.wel``: of an undirected graph both directions."""
    source, target, weight = graph.coo()
    with open_target(file) as stream:
        write_table(stream, [source, target, *([] if weight is None else [weight])])


def read_binary(source: Source, *, weighted: bool) -> Graph:
    """Read ``.sg`` or ``.wsg``."""
    head = source.read(_HEADER.size)
    if len(head) < _HEADER.size or head[0] > 1:
        raise source.error("expected GAPBS's header: a byte 0 or 1, two 64-bit counts")
    directed, m, n = _HEADER.unpack(head)
    if m < 0 or not 0 <= n <= MAX_VERTICES:
        raise source.error(f"the header declares {n} vertices and {m} arcs: not possible")
    graph = _read_arcs(source, n, m, weighted)
    try:
        if not directed:
            graph = as_undirected(graph)
        elif fingerprints(_read_arcs(source, n, m, weighted))[1] != fingerprints(graph)[0]:
            raise ValueError("the arcs of the second half are not the reverses of the first's")
    except ValueError as error:
        raise source.error(str(error)) from None
    if source.read(1):
        raise source.error(f"expected the end of the file after {n} vertices and {m} arcs")
    return graph


def _read_arcs(source: Source, n: int, m: int, weighted: bool) -> Graph:
    dtype = _WEIGHTED if weighted else _PLAIN
    offsets = _read_array(source, n + 1, _OFFSET)
    arcs = _read_array(source, m, dtype)
    try:
        return Graph.from_csr(offsets, arcs["target"], arcs["weight"] if weighted else None)
    except ValueError as error:
        raise source.error(str(error)) from None


def _read_array(source: Source, count: int, dtype: np.dtype[Any]) -> Array:
    data = source.read(count * dtype.itemsize)
    if len(data) < count * dtype.itemsize:
        raise source.error(
            f"expected {count} entries of {dtype.itemsize} bytes, as the header declares, "
            f"but the file ends after {len(data)} bytes: it is truncated"
        )
    return np.frombuffer(data, dtype)


def write_binary(graph: Graph, file: File) -> None:
    """Write ``.sg`` or ``.wsg``."""
    arc_bytes = (_PLAIN if graph.weights is None else _WEIGHTED).itemsize
    total = _OFFSET.itemsize * (graph.num_vertices + 1) + arc_bytes * graph.num_arcs
    if graph.directed:
        total *= 2
    with open_target(file) as raw, Progress("Writing", total) as progress:
        stream = Counted(raw, progress)
        stream.write(_HEADER.pack(graph.directed, graph.num_arcs, graph.num_vertices))
        for side in (graph, graph.reverse) if graph.directed else (graph,):
            stream.write(side.row_offsets.astype(_OFFSET).view(np.uint8).data)
            arcs = np.empty(side.num_arcs, _PLAIN if side.weights is None else _WEIGHTED)
            arcs["target"] = side.column_indices
            if side.weights is not None:
                arcs["weight"] = side.weights
            stream.write(arcs.view(np.uint8).data)


def _refuse(graph: Graph, *, weighted: bool) -> str | None:
    if weighted and graph.weights is None:
        return "needs weights"
    if not weighted and graph.weights is not None:
        return "holds no weights: wel, wsg and npz do, and without_weights() drops them"
    return None


def _refuse_text(graph: Graph, *, weighted: bool) -> str | None:
    n = graph.num_vertices
    if n == 0 or graph.degree[-1] == graph.in_degree[-1] == 0:
        return f"cannot say that there are {n} vertices when the last one has no edge"
    return _refuse(graph, weighted=weighted)


def _refuse_binary(graph: Graph, *, weighted: bool) -> str | None:
    if weighted and graph.weights is not None:
        low, high = graph.weight_range
        if graph.weights.dtype.kind == "f" or low < -(2**31) or high >= 2**31:
            return f"has int32 weights, not {graph.weights.dtype} from {low} to {high}"
    return _refuse(graph, weighted=weighted)


def _text(name: str, weighted: bool) -> Format:
    list_it = partial(list_edges, weighted=weighted)
    return Format(
        name,
        (f".{name}",),
        one_file(list_it, make_graph),
        write_text,
        partial(_refuse_text, weighted=weighted),
        options=frozenset({"directed"}),
        list_edges=list_it,
        make_graph=make_graph,
    )


def _binary(name: str, weighted: bool) -> Format:
    return Format(
        name,
        (f".{name}",),
        partial(read_binary, weighted=weighted),
        write_binary,
        partial(_refuse_binary, weighted=weighted),
    )


EL, WEL = _text("el", False), _text("wel", True)
SG, WSG = _binary("sg", False), _binary("wsg", True)
