"""Programs of ``engine/program.cuh``: their memory and their launches."""

from collections.abc import Mapping
from functools import cache, cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.balance import Technique
from warpath.cuda import runtime
from warpath.cuda.arguments import (
    AMOUNT,
    BALANCE_MEMORY,
    BOOL,
    CSR,
    INVALID_VERTEX,
    POINTER,
    RUN,
    SOURCES,
    TRACE_ROWS,
    U32,
    U64,
    Struct,
)
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import Execution, sources_of
from warpath.cuda.program_memory import ProgramMemory, layout_of, memory_of
from warpath.cuda.runtime import Kernel
from warpath.cuda.trace import Report
from warpath.graph.distance import unreachable
from warpath.planning.memory import trace_rows

_NO_LIMIT = 2**32 - 1  # iterations
_EDGE_QUEUE = Struct(targets=POINTER, sources=POINTER, offers=POINTER, capacity=U64)
_SPACE = Struct(  # ProgramSpace of engine/program_state.cuh
    distance=POINTER, parents=POINTER, vertices=(POINTER, 2), prefix=(POINTER, 2), stamp=POINTER,
    far=POINTER, prefilter=POINTER, piles=POINTER, n=U32, edges=_EDGE_QUEUE, control=POINTER, balance=BALANCE_MEMORY,
    words=POINTER,
)  # fmt: skip


@cache
def program_counters(distance_bytes: int) -> Struct:
    """``ProgramCounters`` of engine/program_state.cuh."""
    key = f"i{distance_bytes}"
    return Struct(tail=U64, inspected=U64, expanded=AMOUNT, min_staying=key, overflowed=U32)


@cache
def program_control(offset_bytes: int, distance_bytes: int, several_gpus: bool = False) -> Struct:
    """``ProgramControl`` of engine/program_state.cuh; of several GPUs with the sum of all counters."""
    key, counters = f"i{distance_bytes}", program_counters(distance_bytes)
    progress = Struct(
        level=U32, step=U32, size=U32, current=U32, queue=U32, items=f"u{offset_bytes}",
        threshold=key, base=key, prefilter_limit=key, path_limit=key, splits=U32, growths=U32, bucket_edges=U64,
        max_bucket_edges=U64, met_edges=U64, path_limits=U32,
        consecutive_small_splits=U32, overflowed=BOOL, backwards=BOOL,
    )  # fmt: skip
    return Struct(
        arrived=U32, flag=U32, progress=progress, counters=(counters, 3), piled=(U32, 3),
        lowered=U64, skipped=U64, direct=U64, **({"total": counters} if several_gpus else {}),
    )  # fmt: skip


@cache
def program_problem(distance: np.dtype[Any], **more: Struct | str) -> Struct:
    """``ProgramProblem`` of engine/program_state.cuh, and what an algorithm has ``more``."""
    return Struct(
        graph=CSR, weights=POINTER, delta=distance, max_delta=distance,
        prefilter_width=distance, path_limit_width=distance, cutoff=distance, target=U32, edges=U64, max_level=U32, small_frontier_max_edges=U32, finishes=BOOL, source_edges=BOOL, **more,
    )  # fmt: skip


def pack_problem(
    dtype: np.dtype[Any],
    csr: bytes,
    more: Mapping[str, Struct | str] = MappingProxyType({}),
    **given: Any,
) -> bytes:
    """``ProgramProblem``; what is not given is no limit, and no weights in one bucket.

    ``finishes=False`` leaves out the algorithm's ``finish``, for a run in which it would change nothing.
    """
    never = unreachable(dtype)
    fields = {
        "graph": csr, "weights": 0, "delta": never, "max_delta": never, "prefilter_width": never, "path_limit_width": never, "cutoff": never,
        "target": INVALID_VERTEX, "edges": 0, "max_level": _NO_LIMIT, "small_frontier_max_edges": 0,
        "finishes": True, "source_edges": False,
    }  # fmt: skip
    return program_problem(dtype, **more)(**(fields | given))


@cache
def program_arguments(distance: np.dtype[Any], **more: Struct | str) -> Struct:
    """``ProgramArguments`` of engine/program.cuh; ``more`` as of `program_problem`."""
    problem = program_problem(distance, **more)
    return Struct(problem=problem, sources=SOURCES, run=RUN, space=_SPACE, trace=TRACE_ROWS)


class ProgramReport(Report):
    """Counts of one run.

    Attributes
    ----------
    endless : bool
        Whether it was stopped after more iterations than vertices: there is a negative cycle.
    """

    endless = False

    @cached_property
    def _counts(self) -> tuple[int, int, int]:
        control = self.control()
        return int(control["lowered"]), int(control["skipped"]), int(control["direct"])

    @property
    def improvements(self) -> int:
        """Relaxations that lowered a distance; counted if there is a trace."""
        return self._counts[0]

    @property
    def skipped(self) -> int:
        """Edges that were looked at, but not relaxed, because of their class; likewise."""
        return self._counts[1]

    @property
    def direct_updates(self) -> int:
        """Relaxations without an atomic, because of the edge's class; likewise."""
        return self._counts[2]


class Search(Execution):
    """One run of a program: its memory, and its launches.

    Parameters
    ----------
    kernel : Kernel
        One of ``warpath.cuda.instances.program_kernel``.
    algorithm : str
        As `warpath.cuda.instances.program_kernel` takes it: what there is in memory.
    graph : DeviceGraph
        Whose rows are expanded.
    sources : int32 array, shape (k,)
    distance : cupy array, shape (n,)
    parents : cupy array of int32, shape (n,), or None
    capacity, edge_capacity : int
        Those of a queue, and of the edge queue.
    trace : bool
    csr : bytes, optional
        The graph as the kernel takes it, if its columns are others: marked ones.
    more : mapping of str to Struct or kind
        What the algorithm's problem has beyond `program_problem`; given in ``problem``.
    several_gpus : bool
        Whether it is one of several GPUs' (`warpath.cuda.multi_gpu`).
    memory : ProgramMemory, optional
        As of `warpath.cuda.program_memory.memory_of`.
    **problem : int, float or bytes
        As of `pack_problem`.

    Attributes
    ----------
    report : ProgramReport
    layout : Layout
        The workspace's.
    at : dict
        The address of each of its parts.
    space : array of uint8
        The workspace.
    """

    report: ProgramReport

    def __init__(
        self,
        kernel: Kernel,
        algorithm: str,
        graph: DeviceGraph,
        balance: Technique,
        sources: NDArray[np.int32],
        distance: Any,
        parents: Any,
        capacity: int,
        trace: bool,
        edge_capacity: int = 0,
        csr: bytes | None = None,
        more: Mapping[str, Struct | str] = MappingProxyType({}),
        several_gpus: bool = False,
        memory: ProgramMemory | None = None,
        **problem: Any,
    ) -> None:
        here, n, dtype = runtime.current(), graph.num_vertices, distance.dtype
        problem.setdefault("edges", graph.num_arcs)
        offset_bytes = graph.offset_bytes
        control = program_control(offset_bytes, dtype.itemsize, several_gpus)
        report = ProgramReport(trace_rows(n) if trace else 0, control)
        self._memory = memory_of(algorithm, memory)
        self.layout = layout_of(
            self._memory,
            n,
            capacity,
            edge_capacity,
            offset_bytes,
            dtype.itemsize,
            parents is not None,
        )
        balance_memory = memory_for(balance, graph)
        self.nbytes = self.layout.nbytes + balance_memory.nbytes
        self.space = here.xp.empty(max(self.layout.nbytes, 1), np.uint8)
        self.at = at = self.layout.at(here.address(self.space))
        second = "second_" if self._memory.queues == 2 else ""
        space = _SPACE(
            distance=here.address(distance), parents=here.address(parents),
            vertices=(at["queue"], at[f"{second}queue"]), prefix=(at["prefix"], at[f"{second}prefix"]),
            stamp=at["stamp"], far=at["far"], prefilter=at["prefilter"], piles=at["piles"], n=n,
            edges=_EDGE_QUEUE(
                targets=at["targets"], sources=at["sources"], offers=at["offers"], capacity=edge_capacity
            ),
            control=report.address(), balance=balance_memory.of(), words=at["words"],
        )  # fmt: skip
        starts, several = sources_of(sources)
        super().__init__(
            kernel, program_arguments(dtype, **more), report, self.space, balance_memory, several,
            problem=pack_problem(dtype, csr or graph.csr, more, **problem), sources=starts, space=space,
            trace=report.trace,
        )  # fmt: skip

    def frontier(self) -> Any:
        """The vertices of the frontier that the run left, an int32 array; waits for that."""
        progress = self.report.final_progress
        second = progress["current"] == 1 and self._memory.queues == 2
        begin = self.layout.begin["second_queue" if second else "queue"]
        return self.space[begin : begin + 4 * int(progress["size"])].view(np.int32)
