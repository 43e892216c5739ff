"""Breadth-first search from two ends on a CUDA device."""

from functools import cache, cached_property, lru_cache
from typing import Any

import numpy as np

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    BALANCE_MEMORY,
    BOOL,
    CSR,
    INVALID_VERTEX,
    POINTER,
    RUN,
    TRACE_ROWS,
    U32,
    U64,
    Struct,
)
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import SMALL_FRONTIER_MAX_EDGES
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import Execution, kernel, suggested_grid_size
from warpath.cuda.instances import st_kernel
from warpath.cuda.memory import Layout
from warpath.cuda.trace import Report
from warpath.planning.memory import trace_rows

_VERTICES_PER_SIDE_WORD = 16  # vertices, as in operators/visit_two_ended.cuh

_PROBLEM = Struct(source=U32, target=U32, wants_path=BOOL, small_frontier_max_edges=U32)
_SIDE = Struct(graph=CSR, vertices=POINTER, prefix=POINTER, balance=BALANCE_MEMORY)
_SPACE = Struct(source=_SIDE, target=_SIDE, side_bits=POINTER, parent=POINTER, control=POINTER)
# TwoEndedArguments of st.cuh, with TwoEndedProblem and TwoEndedSpace of algorithms/two_ended.cuh.
ST_ARGUMENTS = Struct(problem=_PROBLEM, run=RUN, space=_SPACE, trace=TRACE_ROWS)


@cache
def st_control(offset_bytes: int) -> Struct:
    """``TwoEndedControl`` of algorithms/two_ended.cuh."""
    side = Struct(begin=U32, size=U32, items=f"u{offset_bytes}", depth=U32, is_large=BOOL)
    progress = Struct(
        level=U32, step=U32, size=U32, side=U32, tail=U32, head=U32, tail_depth=U32,
        sides=(side, 2),
    )  # fmt: skip
    counters = Struct(tail=U64, meeting=U64, level=U32, is_large=BOOL)
    return Struct(
        arrived=U32, flag=U32, progress=progress, counters=(counters, 3), small_meetings=(U64, 2)
    )


@lru_cache(maxsize=64)
def _layout(n: int, offset_bytes: int) -> Layout:
    """What a search takes; the first array receives the path."""
    offset = f"u{offset_bytes}"
    return Layout(
        queue=(U32, n), other_queue=(U32, n), parent=(U32, n), prefix=(offset, n),
        other_prefix=(offset, n), side_bits=(U32, -(-n // _VERTICES_PER_SIDE_WORD)),
    )  # fmt: skip


class TwoEndedReport(Report):
    """Counts and answer of one search; a read waits for it."""

    @cached_property
    def _answer(self) -> Any:
        return self.control()["progress"]

    @property
    def iterations(self) -> int:
        """How many levels ran, of both searches."""
        return int(self._answer["level"])

    @property
    def meeting(self) -> tuple[int, int] | None:
        """The arc at which the searches met; None: there is no path."""
        tail, head = int(self._answer["tail"]), int(self._answer["head"])
        return None if tail == INVALID_VERTEX else (tail, head)


def st_search(
    graph: DeviceGraph,
    source: int,
    target: int,
    balance: Technique,
    loop: str = "device",
    *,
    wants_path: bool = False,
    small_frontier_max_edges: int = SMALL_FRONTIER_MAX_EDGES,
    cluster: int = 1,
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
        Whether to write the path too: then two threads walk it.
    small_frontier_max_edges : int
        Frontiers of at most that many arcs stay in one cluster of blocks.
    cluster : int
        How many blocks that cluster has, as of `warpath.cuda.bfs.bfs`.

    Returns
    -------
    report : TwoEndedReport
    path : cupy array of int32, shape (n,)
        If it was asked for and is there, the first ``report.iterations + 1`` are its vertices.

    Notes
    -----
    Takes 20 bytes per vertex (28 with 64-bit offsets) and two bits, from CuPy's pool; only the bits
    are all touched.
    """
    n, offset_bytes, here = graph.num_vertices, graph.offset_bytes, runtime.current()
    layout = _layout(n, offset_bytes)
    space = here.xp.empty(layout.nbytes, np.uint8)
    at = layout.at(here.address(space))
    balance_memory = memory_for(balance, graph, graph.reverse)
    report = TwoEndedReport(trace_rows(n - 1), st_control(offset_bytes))
    sides = [
        _SIDE(
            graph=each.csr, vertices=at[queue], prefix=at[prefix], balance=balance_memory.of(number)
        )
        for number, (each, queue, prefix) in enumerate(
            ((graph, "queue", "prefix"), (graph.reverse, "other_queue", "other_prefix"))
        )
    ]
    Execution(
        kernel(
            "st.cuh", st_kernel, offset_bytes, balance, blocks=suggested_grid_size(graph),
            cluster=cluster,
        ),
        ST_ARGUMENTS, report, space, balance_memory,
        problem=_PROBLEM(
            source=source, target=target, wants_path=wants_path,
            small_frontier_max_edges=small_frontier_max_edges,
        ),
        space=_SPACE(
            source=sides[0], target=sides[1], side_bits=at["side_bits"], parent=at["parent"],
            control=report.address(),
        ),
        trace=report.trace,
    ).run(loop)  # fmt: skip
    return report, space[: 4 * n].view(np.int32)
