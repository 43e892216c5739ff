"""Breadth-first search from two ends on a CUDA device."""

from functools import cache, cached_property
from typing import Any

import cupy
import numpy as np

from warpath.balance import Technique
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import BLOCK_ITEMS, blocks_for, default_cluster
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, st_kernel
from warpath.cuda.launch import persistent, run
from warpath.cuda.trace import MAX_ROWS, Report

_ALL = 2**32 - 1
_COLOURED_A_WORD = 16  # vertices, as in operators/visit_two_ended.cuh

# two_ended.cuh's TwoEndedControl: its first fields.
_ANSWER = np.dtype(
    [("arrived", "u4"), ("unused", "u4"), ("level", "u4"), ("step", "u4"), ("size", "u4"),
     ("side", "u4"), ("tail", "i4"), ("head", "i4"), ("tail_depth", "u4")]
)  # fmt: skip


class TwoEndedReport(Report):
    """Counts and answer of one search; who asks for one waits for it."""

    @cached_property
    def _answer(self) -> Any:
        return self._fetch(0, _ANSWER.itemsize).view(_ANSWER)[0]

    @property
    def iterations(self) -> int:
        """How many levels ran, of both searches."""
        return int(self._answer["level"])

    @property
    def meeting(self) -> tuple[int, int] | None:
        """The arc at which the searches met; None: there is no path."""
        tail, head = int(self._answer["tail"]), int(self._answer["head"])
        return None if tail < 0 else (tail, head)


def st_search(
    graph: DeviceGraph,
    source: int,
    target: int,
    balance: Technique,
    loop: str = "device",
    *,
    wants_path: bool = False,
    narrow_items: int = BLOCK_ITEMS,
    cluster: int | None = None,
) -> tuple[TwoEndedReport, Any]:
    """Search from ``source`` and ``target`` until an arc joins the searches.

    Everything is queued on the current stream; with ``loop="device"`` nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
    source, target : int
        Two vertices.
    loop : {"device", "host"}
        One launch for all levels, or one for each.
    wants_path : bool
        Whether the path is wanted too: then two threads walk it.
    narrow_items : int
        Frontiers of at most so many arcs stay in one cluster of blocks.
    cluster : int
        How many blocks that are, as `warpath.cuda.bfs.bfs` has it.

    Returns
    -------
    report : TwoEndedReport
    path : cupy array of int32, shape (n,)
        If one was wanted and is there, the first ``report.iterations + 1`` are its vertices.

    Notes
    -----
    Takes 20 bytes a vertex (28 with 64-bit offsets) and two bits, from CuPy's pool; only the bits
    are all touched.
    """
    n, offset_bytes = graph.num_vertices, graph.row_offsets.dtype.itemsize
    device = cupy.cuda.get_device_id()
    kernel, config = _kernel(
        offset_bytes, balance, blocks_for(graph), cluster or default_cluster(graph, device), device
    )
    rows = -(-n // 4) * 16  # bytes of one word a vertex, in whole units of 16
    prefixes = rows * offset_bytes // 4
    colours = -(-n // (4 * _COLOURED_A_WORD)) * 16
    space = cupy.empty(3 * rows + 2 * prefixes + colours, np.uint8)
    queue = int(space.data.ptr)
    other_queue = queue + rows
    parent = other_queue + rows
    prefix = parent + rows
    room = memory_for(balance, graph, graph.reverse)
    report = TwoEndedReport(min(n, MAX_ROWS))
    report.clear()
    arguments = (
        *graph.arguments, *graph.reverse.arguments[2:], np.uint32(source), np.uint32(target),
        np.uint32(wants_path), np.uint32(narrow_items),
    )  # fmt: skip
    memory = (
        queue, prefix, other_queue, prefix + prefixes, prefix + 2 * prefixes, parent,
        report.control, report.trace_address, np.uint32(report.rows), *room.arguments,
    )  # fmt: skip

    def step(iterations: int, resumes: bool) -> int:
        """Vertices of the frontier that is left, of which ``loop="host"`` must know."""
        run(kernel, config, *arguments, np.uint32(iterations), np.uint32(resumes), *memory)
        return report.progress()[1] if loop == "host" else 0

    left = step(1 if loop == "host" else _ALL, False)
    while left > 0:
        report.clear(4)  # the grid barrier's count
        left = step(1, True)
    return report, space[: 4 * n].view(np.int32)


@cache
def _kernel(
    offset_bytes: int, balance: Technique, blocks: int, cluster: int, device: int
) -> tuple[Any, Any]:
    """The kernel, and how its grid is launched for a graph worth so many ``blocks``."""
    return persistent("st.cuh", st_kernel(offset_bytes, balance), THREADS, blocks, device, cluster)
