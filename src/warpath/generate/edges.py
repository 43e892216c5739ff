"""Edges any range of which can be drawn, and graphs of them: in one piece, on ranks, on several GPUs."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warpath import devices as gpus
from warpath.distributed.construct import part_of_edges
from warpath.distributed.context import current
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.multi_gpu import MultiGpuGraph, drawn_on
from warpath.graph.arrays import module_for
from warpath.graph.build import Batch
from warpath.graph.degree_order import numbers_by_degree
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
        return list(self.batches(np, first, last, _EDGES_AT_ONCE))

    def batches(self, xp: Any, first: int, last: int, at_once: int) -> Iterator[Batch]:
        """The edges ``first`` to ``last``, some at a time, at least one batch."""
        for begin in range(first, max(last, first + 1), at_once):
            yield self.drawn(xp, begin, min(begin + at_once, last))


class Renumbered(DrawnEdges):
    """Edges that GPUs draw, whose vertices have other numbers.

    Attributes
    ----------
    number : int32 array, shape (n,)
        On a GPU; other GPUs copy it when they draw.
    """

    def __init__(self, edges: DrawnEdges, number: Any) -> None:
        self.n, self.count, self.number = edges.n, edges.count, number
        self._edges, self._copies = edges, {int(number.device.id): number}

    def drawn(self, xp: Any, first: int, last: int) -> Batch:
        """See `DrawnEdges`."""
        here = int(xp.cuda.Device().id)
        if here not in self._copies:
            self._copies[here] = self.number.copy()  # to the current GPU
        return self._edges.drawn(xp, first, last).renumbered(self._copies[here])


def renumbered_by_degree(edges: DrawnEdges, devices: Sequence[int]) -> Renumbered:
    """Edges that GPUs draw, with vertices numbered by degree, which the first one finds out."""
    xp = module_for("cuda")
    with xp.cuda.Device(devices[0]):
        batches = edges.batches(xp, 0, edges.count, max(_EDGES_AT_ONCE, edges.n))
        return Renumbered(edges, numbers_by_degree(xp, edges.n, batches, len(devices)))


def graph_of(
    edges: DrawnEdges,
    *,
    directed: bool,
    simple: bool,
    device: BuildDeviceName | None,
    devices: int | Sequence[int] | None,
    distributed: bool,
    by_degree: bool = False,
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
        numbers = gpus.named(devices)
        if by_degree:
            edges = renumbered_by_degree(edges, numbers)
        return drawn_on(
            edges, edges.n, numbers, directed=directed, drop_self_loops=simple, merge=merge
        )
    device = device or "cpu"
    if not distributed:
        xp = module_for(device)
        whole = edges.drawn(xp, 0, edges.count)
        if by_degree:
            whole = whole.renumbered(numbers_by_degree(xp, edges.n, [whole]))
        return Graph.from_edges(
            *whole, n=edges.n, directed=directed, drop_self_loops=simple, merge=merge, device=device
        )
    if device != "cpu":
        raise ValueError(f"distributed=True is for device='cpu', not {device!r}")
    transport = current()
    with transport.together(
        "generate", edges=edges, directed=directed, simple=simple, by_degree=by_degree
    ):
        share = edges.share(transport.rank, transport.size)
        if by_degree:
            number = numbers_by_degree(np, edges.n, share, transport.size, transport.reduce)
            share = [batch.renumbered(number) for batch in share]
        part = part_of_edges(
            transport, edges.n, share, directed=directed, drop_self_loops=simple, merge=merge
        )
        return DistributedGraph(transport, part, directed)
