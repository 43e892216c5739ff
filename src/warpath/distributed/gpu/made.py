"""Graphs that are made on several GPUs, each of which makes the rows of its vertices."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices as gpus
from warpath.cuda import runtime
from warpath.distributed.gpu.group import GpuGroup
from warpath.graph.build import Batch
from warpath.graph.on_gpus import GraphOnGpus, Numbers, Rows
from warpath.graph.sort import Edges, rows_of
from warpath.planning.parts import VERTICES_TOGETHER, equal_loads, group_shift

_SAMPLE = 2**22  # edges, by whose ends vertices are shared out: loads are off by some 0.1 %


def made_on_gpus(
    edges: Edges,
    n: int,
    devices: tuple[int, ...],
    *,
    directed: bool,
    drop_self_loops: bool = False,
    merge: str = "keep",
) -> GraphOnGpus:
    """The graph of some edges, with some rows on each of several GPUs. No GPU ever holds all edges.

    Parameters
    ----------
    edges : Edges
        Each GPU draws all of them, once for each slab of rows that it sorts (`warpath.graph.sort`).
    n : int
        Vertices.
    devices : tuple of int
        CUDA's number of each GPU.
    directed, drop_self_loops, merge
        As in `warpath.Graph.from_edges`.

    Raises
    ------
    DeviceUnavailableError
        If CUDA cannot be used.
    MemoryError
        If the rows do not fit on a GPU.
    OverflowError
        A sum of weights beyond 64 bits.
    """
    group = GpuGroup(devices)
    with runtime.current().xp.cuda.Device(devices[0]):
        bounds = _bounds(edges, n, len(devices)).tolist()

    def make(rank: int) -> tuple[Rows, Numbers]:
        xp, (first, last) = runtime.current().xp, bounds[rank : rank + 2]
        with gpus.memory_for(f"part {rank} of {len(devices)} on GPU {devices[rank]}"):
            forward, self_loops = rows_of(
                xp, edges, first, last, mirror=not directed, drop_self_loops=drop_self_loops, merge=merge
            )  # fmt: skip
            backward = forward
            if directed:
                backward, _ = rows_of(
                    xp, _Reversed(edges), first, last, drop_self_loops=drop_self_loops, merge=merge
                )
            numbers = Numbers.of(forward, self_loops)
            xp.cuda.get_current_stream().synchronize()  # other streams may read them
        return Rows(forward, backward), numbers

    rows, numbers = zip(*group.run(make), strict=True)
    return GraphOnGpus.of(devices, bounds, rows, numbers, directed=directed)


def _bounds(edges: Edges, n: int, parts: int) -> NDArray[np.int64]:
    """Which vertices each part has, by a sample of the edges: loads are about the same."""
    xp = runtime.current().xp
    source, target, _ = edges.sample(xp, _SAMPLE)
    shift = max(group_shift(n), VERTICES_TOGETHER.bit_length() - 1)
    ends, groups = xp.concatenate([source, target]) >> shift, -(-n >> shift)
    counts = xp.bincount(ends, minlength=groups).get()
    return equal_loads(counts * (2 * edges.count) // max(len(ends), 1), n, parts, shift)


@dataclass(frozen=True)
class _Reversed:
    """Edges turned round."""

    edges: Edges

    @property
    def count(self) -> int:
        return self.edges.count

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        return _reversed(self.edges.drawn(xp, first, last))

    def sample(self, xp: Any, size: int) -> Batch:
        return _reversed(self.edges.sample(xp, size))


def _reversed(batch: Batch) -> Batch:
    return Batch(batch.target, batch.source, batch.weight)
