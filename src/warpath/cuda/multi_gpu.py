"""Programs of several GPUs of one process, which run together: one launch on each (engine/multi_gpu.cuh)."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.balance import DEFAULT, lookup
from warpath.cuda import runtime
from warpath.cuda.arguments import INVALID_VERTEX, POINTER, RUN, U32, U64, Struct
from warpath.cuda.balance_memory import memory_for
from warpath.cuda.bfs import (
    DIRECTIONS,
    LEVEL_COUNTERS,
    MAX_LEVELS,
    WORKSPACE,
    bfs_arguments,
    bfs_problem,
    control_block,
    ordered_min_edges,
    summary_at,
    summary_words,
)
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import MAX_ITERATIONS, kernel, sources_of, suggested_grid_size
from warpath.cuda.instances import (
    ASYNC_THREADS,
    THREADS,
    multi_gpu_bfs_kernel,
    sssp_kernel,
)
from warpath.cuda.memory import Layout, address_of_vertex_0, words_of_bits
from warpath.cuda.program import Search, program_arguments, program_counters
from warpath.cuda.runtime import Kernel, Memory
from warpath.cuda.sssp import variant
from warpath.cuda.trace import Report
from warpath.graph.distance import positive, unreachable
from warpath.planning.memory import trace_rows

Array = Any  # of the runtime's module

MAX_GPUS = 16  # as in engine/multi_gpu.cuh

PEER = Struct(mailbox=POINTER, bits=(POINTER, 2), values=POINTER, begin=U32, end=U32)
PEERS = Struct(
    all=(PEER, MAX_GPUS), rank=U32, count=U32, begin=U32, end=U32, told=POINTER, horizon_buckets=U32
)
_NO_PEER = PEER(mailbox=0, bits=(0, 0), values=0, begin=0, end=0)
_TOLD_SIZES = 2 * MAX_GPUS * 4 // 8  # words: ``ToldEdges`` of engine/told_edges.cuh


@cache
def mailbox(counters: Struct) -> Struct:
    """``Mailbox`` of engine/multi_gpu.cuh."""
    told = Struct(counters=counters, flag=U32)
    message = Struct(words=(U64, told.nbytes // 4))
    return Struct(messages=(message, 2 * MAX_GPUS), round=U32, stop=U32)


@cache
def multi_gpu_bfs_arguments(offset_bytes: int) -> Struct:
    """``MultiGpuBfsArguments`` of bfs.cuh."""
    return Struct(search=bfs_arguments(offset_bytes), peers=PEERS)


@cache
def multi_gpu_program_arguments(distance: np.dtype[Any]) -> Struct:
    """``MultiGpuProgramArguments`` of engine/program.cuh."""
    return Struct(program=program_arguments(distance), peers=PEERS)


class Companion:
    """One GPU's part of a launch on several: made where it is the current one.

    Parameters
    ----------
    program : callable
        The kernel, with at most that number of blocks.
    blocks : int
        As many as this GPU has work for.
    arguments : callable
        What the kernel takes, of its `PEERS`.
    report : Report
    counters : Struct
        What a step counts, as the barrier adds it up.
    share : Share
    bits : pair of int
        The addresses of this GPU's bitmaps that others read.
    values : int
        Likewise of an array with an element for each vertex, or of the edges that it tells of.
    *alive
        What must live as long as the launch runs.
    horizon_buckets : int
        See `sssp`.
    """

    def __init__(
        self,
        program: Callable[[int], Kernel],
        blocks: int,
        arguments: Callable[[bytes], bytes],
        report: Report,
        counters: Struct,
        share: "Share",
        bits: tuple[int, int],
        values: int,
        *alive: Any,
        horizon_buckets: int = 0,
    ) -> None:
        self.program, self.kernel, self.report = program, program(blocks), report
        self.counters, self._share, self._bits = counters, share, bits
        self._values, self._arguments, self._alive = values, arguments, alive
        self._horizon_buckets = horizon_buckets

    def peer(self, mailbox: int) -> "Peer":
        """What other GPUs know of this one, whose mailbox lies there."""
        return Peer(mailbox, *self._bits, self._values, self._share.begin, self._share.end)

    def launching(self, peers: "Sequence[Peer]") -> Callable[[], None]:
        """What queues it, with what all GPUs know of each other."""
        share = self._share
        known = [one.packed() for one in peers] + [_NO_PEER] * (MAX_GPUS - len(peers))
        packed = PEERS(
            all=(b"".join(known),), rank=share.rank, count=share.gpus, begin=share.begin,
            end=share.end, told=self._bits[0], horizon_buckets=self._horizon_buckets,
        )  # fmt: skip
        return partial(self.kernel.launch, self._arguments(packed))

    def take_blocks(self, blocks: int) -> None:
        """Have as many blocks as the other GPUs: at most those that it has."""
        if self.kernel.blocks > blocks:
            self.kernel = self.program(blocks)


class Peer(NamedTuple):
    """What of a GPU others know: addresses as the GPU that is told of them sees them, and its vertices."""

    mailbox: int
    bits: int
    other_bits: int
    values: int
    begin: int
    end: int

    def packed(self) -> bytes:
        """`PEER`."""
        return PEER(
            mailbox=self.mailbox, bits=(self.bits, self.other_bits), values=self.values,
            begin=self.begin, end=self.end,
        )  # fmt: skip


class Share(NamedTuple):
    """Which vertices a GPU owns.

    Attributes
    ----------
    rank, gpus : int
        Which of how many GPUs it is.
    begin, end : int
        The vertices; multiples of 32, since a word of a bitmap is one GPU's, or all of them end there.
    """

    rank: int
    gpus: int
    begin: int
    end: int


class Mailboxes:
    """Where some GPUs tell each other what they have counted: made once, since the barriers of a launch count on from the last one's.

    Parameters
    ----------
    devices : sequence of int
        CUDA's number of each GPU.
    """

    def __init__(self, devices: Sequence[int]) -> None:
        self._devices, self._made = devices, dict[Struct, list[Memory]]()

    def of(self, counters: Struct) -> list[Memory]:
        """Those of programs that count so; when this returns, all GPUs may write there."""
        if counters not in self._made:
            here, box = runtime.current(), mailbox(counters)
            made = []
            for device in self._devices:
                with here.xp.cuda.Device(device):
                    made.append(here.allocate(box.nbytes))
                    made[-1].clear(0, box.nbytes)
                    here.xp.cuda.get_current_stream().synchronize()
            self._made[counters] = made
        return self._made[counters]

    def stop(self, counters: Struct) -> None:
        """Let the GPUs that run not wait for one that does not, by a stream that waits for none."""
        here, at = runtime.current(), mailbox(counters).offset("stop")
        for box, device in zip(self.of(counters), self._devices, strict=True):
            with here.xp.cuda.Device(device), here.xp.cuda.Stream(non_blocking=True) as stream:
                word = here.xp.ones(1, np.uint32)
                here.xp.cuda.runtime.memcpyPeerAsync(
                    box.address + at, device, here.address(word), device, word.nbytes, stream.ptr
                )
                stream.synchronize()

    def forget(self) -> None:
        """After a launch that did not end as it should: its GPUs have counted differently far."""
        self._made.clear()


_one_at_a_time = Lock()  # two launches that each have one of two GPUs would wait for ever


def run_together(
    companions: Sequence[Companion], devices: Sequence[int], mailboxes: Mailboxes
) -> None:
    """Launch on all GPUs, and wait until all have ended.

    Parameters
    ----------
    devices : sequence of int
        CUDA's number of each companion's GPU.
    mailboxes : Mailboxes
        Theirs.
    """
    cuda, counters = runtime.current().xp.cuda, companions[0].counters
    blocks = min(one.kernel.blocks for one in companions)  # all take the same
    with _one_at_a_time:
        boxes = mailboxes.of(counters)
        peers = [one.peer(box.address) for one, box in zip(companions, boxes, strict=True)]
        for one, device in zip(companions, devices, strict=True):
            with cuda.Device(device):
                one.take_blocks(blocks)
        errors: list[BaseException] = []
        waits: list[tuple[int, Callable[[], object]]]
        waits = [  # all are ready, as the first to run waits for the last
            (device, one.launching(peers)) for one, device in zip(companions, devices, strict=True)
        ]
        waits += [(device, lambda: cuda.get_current_stream().synchronize()) for device in devices]
        for device, step in waits:
            try:
                with cuda.Device(device):
                    step()
            except BaseException as error:
                if not errors:
                    mailboxes.stop(counters)
                errors.append(error)
        if errors:
            mailboxes.forget()
            raise errors[0]


def bfs(
    share: Share,
    graph: DeviceGraph,
    reverse: DeviceGraph,
    arcs: int,
    symmetric: bool,
    sources: NDArray[np.int32],
    depth_limit: int,
    alpha: float,
    beta: float,
    distance: Array,
    predecessor: Array,
) -> Companion:
    """A search that fills ``distance`` and ``predecessor``; direction-optimizing.

    Parameters
    ----------
    share : Share
    graph, reverse : DeviceGraph
        With all vertices, of which the owned ones have arcs.
    arcs : int
        Those of the whole graph.
    symmetric : bool
        Whether the whole graph is its reverse.
    sources : int32 array, shape (k,)
        Each once.
    distance, predecessor : int32 arrays, shape (own,)
        They have the owned vertices.

    Notes
    -----
    Takes 8 bytes per owned vertex for the queue (12 with 64-bit offsets), 8 bytes for each of the others, and two bits
    for each vertex.
    """
    here, n, offset_bytes = runtime.current(), graph.num_vertices, graph.offset_bytes
    balance, own = lookup(DEFAULT), max(share.end - share.begin, 1)
    layout = _bfs_layout(own, n, offset_bytes)
    space = here.allocate(layout.nbytes)
    at = layout.at(space.address)
    bits = at["reached"], at["reached_next"]
    report = Report(trace_rows(n), control_block(offset_bytes, several_gpus=True))
    balance_memory = memory_for(balance, graph)
    starts, several = sources_of(sources)
    problem = bfs_problem(offset_bytes)(
        graph=graph.csr, reverse=reverse.csr, symmetric=symmetric, arcs=arcs,
        direction=DIRECTIONS["optimizing"], alpha=np.float32(alpha), top_down_max_vertices=np.float32(n / beta),
        depth_limit=depth_limit, small_frontier_max_edges=0, max_small_levels=MAX_LEVELS,
        ordered_min_edges=ordered_min_edges(n),
    )  # fmt: skip
    search = bfs_arguments(offset_bytes)(
        problem=problem, sources=starts, run=RUN(iterations=MAX_ITERATIONS, resumes=False),
        workspace=WORKSPACE(
            vertices=at["queue"], prefix=at["prefix"], capacity=own, reached=bits[0], reached_next=bits[1],
            summary=summary_at(at["summary"], n), control=report.address(), balance=balance_memory.of(),
        ),
        distance=address_of_vertex_0(distance, share.begin),
        predecessor=address_of_vertex_0(predecessor, share.begin), trace=report.trace,
    )  # fmt: skip
    return Companion(
        lambda blocks: kernel("bfs.cuh", multi_gpu_bfs_kernel, offset_bytes, balance, True, blocks=blocks),
        suggested_grid_size(graph),
        lambda peers: multi_gpu_bfs_arguments(offset_bytes)(search=search, peers=peers),
        report, LEVEL_COUNTERS, share, bits, at["told"], space, balance_memory, several,
    )  # fmt: skip


@lru_cache(maxsize=64)
def _bfs_layout(own: int, n: int, offset_bytes: int) -> Layout:
    words = words_of_bits(n)
    return Layout(
        queue=(U32, own), prefix=(f"u{offset_bytes}", own), reached=(U32, words), reached_next=(U32, words),
        summary=(U32, summary_words(n)), told=(U64, _TOLD_SIZES + n - own),  # a GPU that owns none finds none
    )  # fmt: skip


def sssp(
    share: Share,
    graph: DeviceGraph,
    weights: Array,
    sources: NDArray[np.int32],
    delta: Any,
    max_delta: Any,
    prefilter_width: float | None,
    path_limit_width: float | None,
    horizon_buckets: int,
    arcs: int,
    cutoff: Any,
    target: int,
    distance: Array,
    predecessor: Array | None,
    asynchronous: bool,
) -> Companion:
    """A search that fills the owned vertices' ``distance`` and ``predecessor``, by delta-stepping.

    Parameters
    ----------
    share : Share
    graph : DeviceGraph
        With all vertices, of which the owned ones have arcs.
    sources : int32 array, shape (k,)
        Each once.
    arcs : int
        Those of the whole graph.
    horizon_buckets : int
        How many of the widest buckets GPUs go on alone, if asynchronous and without a target.
    predecessor : int32 array, shape (n,), optional
        For distances of 32-bit integers and positive weights, not asynchronous.
    weights, delta, max_delta, prefilter_width, path_limit_width, cutoff, target, distance, asynchronous
        As of `warpath.cuda.sssp.sssp`.

    Notes
    -----
    Takes 20 bytes per vertex for queues and stamps (28 with 64-bit offsets) and two or three bits.
    """
    here, n, dtype = runtime.current(), graph.num_vertices, distance.dtype
    balance, never = lookup(DEFAULT), unreachable(dtype)
    told = here.xp.zeros(words_of_bits(n), np.uint32)
    relaxing = variant(
        "NearFarRelaxing", tree=predecessor is not None,
        limited=path_limit_width is not None, prefiltered=prefilter_width is not None,
    )  # fmt: skip
    blocks = suggested_grid_size(graph)
    program = partial(
        kernel, "algorithms/sssp.cuh", sssp_kernel, graph.offset_bytes, relaxing, weights.dtype.name,
        dtype.name, balance, False, asynchronous, True, "shortest", True,
        threads=ASYNC_THREADS if asynchronous else THREADS,
    )  # fmt: skip
    search = Search(
        program(blocks=blocks), relaxing, graph, balance, sources, distance, predecessor, n, True,
        several_gpus=True, finishes=predecessor is not None, weights=here.address(weights), delta=positive(delta, dtype),
        max_delta=positive(max_delta, dtype),
        prefilter_width=positive(never if prefilter_width is None else prefilter_width, dtype),
        path_limit_width=positive(never if path_limit_width is None else path_limit_width, dtype),
        edges=arcs, cutoff=dtype.type(cutoff),
        target=target if target >= 0 else INVALID_VERTEX,
    )  # fmt: skip
    address = here.address(told)
    values = here.address(distance) if predecessor is None else search.at["words"]
    return Companion(
        lambda most: program(blocks=most), blocks,
        lambda peers: multi_gpu_program_arguments(dtype)(program=search.packed(), peers=peers),
        search.report, program_counters(dtype.itemsize), share, (address, search.at["prefilter"]), values,
        search, told, weights, horizon_buckets=horizon_buckets,
    )  # fmt: skip
