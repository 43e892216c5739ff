"""Edges any range of which can be drawn, and graphs of them: in one piece, on ranks, on several GPUs."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph, drawn_on
from warpath.graph.arrays import module_for
from warpath.graph.build import Batch
from warpath.graph.graph import Graph
from warpath.typing import BuildDeviceName, MergeName

_EDGES_AT_ONCE = 1 << 22  # that a rank draws, so that they are freed as they are sent: a guess


class DrawnEdges(ABC):
    """The edges of a random graph. They do not depend on each other.

    Attributes
    ----------
    n, count : int
        Vertices and edges.
    """

    n: int
    count: int

    @abstractmethod
    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """The edges ``first`` to ``last``, NumPy's or CuPy's."""

    def sample(self, xp: Any, size: int) -> Batch:
        """The first ones."""
        return self.drawn(xp, 0, min(size, self.count))

    def share(self, rank: int, ranks: int) -> list[Batch]:
        """The edges that one of several ranks draws, at least one batch."""
        first, last = self.count * rank // ranks, self.count * (rank + 1) // ranks
        return [
            self.drawn(np, begin, min(begin + _EDGES_AT_ONCE, last))
            for begin in range(first, max(last, first + 1), _EDGES_AT_ONCE)
        ]


def graph_of(
    edges: DrawnEdges,
    *,
    directed: bool,
    simple: bool,
    device: BuildDeviceName | None,
    devices: int | Sequence[int] | None,
    distributed: bool,
) -> Graph | DistributedGraph | MultiGpuGraph:
    """The graph of edges, in one piece or in parts; parameters as of `warpath.generate.rmat`.

    Raises
    ------
    ValueError
        Where a graph cannot lie in two ways at once; GPUs that are not there.
    DeviceUnavailableError, MemoryError
        See `warpath.generate.rmat`.
    """
    merge: MergeName = "min" if simple else "keep"
    if devices is not None:
        if distributed:
            raise ValueError(f"distributed=True and devices={devices!r}: ranks have a GPU each")
        if device not in (None, "cuda"):
            raise ValueError(f"device={device!r} and devices={devices!r}: these are GPUs")
        return drawn_on(
            edges, edges.n, devices, directed=directed, drop_self_loops=simple, merge=merge
        )
    device = device or "cpu"
    if not distributed:
        return Graph.from_edges(
            *edges.drawn(module_for(device), 0, edges.count), n=edges.n, directed=directed,
            drop_self_loops=simple, merge=merge, device=device,
        )  # fmt: skip
    if device != "cpu":
        raise ValueError(f"distributed=True is for device='cpu', not {device!r}")
    transport = current()
    with transport.together("generate", edges=edges, directed=directed, simple=simple):
        part = part_of_edges(
            transport, edges.n, edges.share(transport.rank, transport.size), directed=directed,
            drop_self_loops=simple, merge=merge,
        )  # fmt: skip
        return DistributedGraph(transport, part, directed)
