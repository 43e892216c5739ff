"""Vertices that have edges, as balances take them: with their edges' prefix sums."""

from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import POINTER, U64, Struct
from warpath.cuda.device_graph import MOST_QUEUED_ARCS, DeviceGraph
from warpath.cuda.execute import blocks_for_vertices, kernel
from warpath.cuda.instances import list_rows_kernel

_QUEUE = Struct(vertices=POINTER, prefix=POINTER, tail=POINTER)  # of frontier/queue.cuh
LIST_ROWS_ARGUMENTS = Struct(vertices=POINTER, count=U64, row_offsets=POINTER, queue=_QUEUE)


def rows_with_edges(graph: DeviceGraph, vertices: Any = None) -> tuple[Any, Any, int]:
    """List those of some vertices that have edges; waits for it.

    Parameters
    ----------
    graph : DeviceGraph
    vertices : cupy array of int32, shape (k,), optional
        By default all; their list is kept with the graph.

    Returns
    -------
    rows : cupy array of int32, shape (j,)
        In groups of neighbours in ``vertices``; the groups in any order.
    prefix : cupy array, shape (j,)
        How many edges those before each have.
    arcs : int
        How many all have.
    """
    if vertices is None or graph.num_arcs == 0:
        return *_all_rows(graph), graph.num_arcs
    here, count = runtime.current(), len(vertices)
    if count == 0:
        return vertices, vertices, 0
    rows = here.xp.empty(count, np.int32)
    prefix, tail = here.xp.empty(count, graph.row_offsets.dtype), here.xp.zeros(1, np.uint64)
    queue = _QUEUE(
        vertices=here.address(rows), prefix=here.address(prefix), tail=here.address(tail)
    )
    arguments = LIST_ROWS_ARGUMENTS(
        vertices=here.address(vertices), count=count, row_offsets=here.address(graph.row_offsets), queue=queue
    )  # fmt: skip
    blocks = blocks_for_vertices(count)
    kernel("list_rows.cuh", list_rows_kernel, graph.offset_bytes, blocks=blocks).launch(arguments)
    arcs_below = 2**32 if graph.offset_bytes == 4 else MOST_QUEUED_ARCS
    size, arcs = divmod(int(tail[0]), arcs_below)
    return rows[:size], prefix[:size], arcs


def _all_rows(graph: DeviceGraph) -> tuple[Any, Any]:
    rows = graph.derived.get("rows with edges")
    if rows is None:
        offsets = graph.row_offsets
        vertices = (offsets[1:] != offsets[:-1]).nonzero()[0].astype(np.int32)
        rows = graph.derived["rows with edges"] = vertices, offsets[vertices]
    return rows
