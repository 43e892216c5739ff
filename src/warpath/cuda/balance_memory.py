"""Device memory of the load-balancing techniques that need some."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import cupy
import numpy as np

from warpath.balance import Technique
from warpath.balance.technique import COUNTER_BYTES
from warpath.cuda.device_graph import DeviceGraph


@dataclass(frozen=True)
class BalanceMemory:
    """What kernels take for their balance (``BalanceMemory`` of ``balance.cuh``).

    Attributes
    ----------
    prepared : tuple of int
        Address of what was made of each graph; 0 for nothing.
    workspace : int
        Address of what is this run's alone; 0 for nothing.
    bytes : int
        What both take together.
    """

    prepared: tuple[int, ...]
    workspace: int
    bytes: int = 0
    _space: Any = None  # kept as long as launches may be queued

    @property
    def arguments(self) -> tuple[int, ...]:
        """As kernels take them, last."""
        return (*self.prepared, self.workspace)


def memory_for(balance: Technique, *graphs: DeviceGraph) -> BalanceMemory:
    """The memory of a run that expands vertices of these graphs, on the current stream."""
    made = [_prepare(balance, graph) for graph in graphs]
    bytes = max(workspace for _, _, workspace in made)
    kept = sum(_bytes_of(words) for _, words, _ in made)
    if bytes == 0:
        return BalanceMemory(tuple(address for address, _, _ in made), 0, kept)
    space = cupy.cuda.alloc(COUNTER_BYTES + bytes)
    stream = cupy.cuda.get_current_stream()
    cupy.cuda.runtime.memsetAsync(space.ptr, 0, COUNTER_BYTES, stream.ptr)
    return BalanceMemory(
        tuple(address for address, _, _ in made), int(space.ptr), kept + bytes, space
    )


def _bytes_of(kept: Any) -> int:
    """Of what was prepared."""
    _, arrays = kept
    return sum(each.nbytes for each in arrays if not isinstance(each, int))


_prepared: WeakKeyDictionary[DeviceGraph, dict[Technique, tuple[int, Any, int]]] = (
    WeakKeyDictionary()
)


def _prepare(balance: Technique, graph: DeviceGraph) -> tuple[int, Any, int]:
    """Address, what is to be kept for it, and bytes of a workspace; made once a graph."""
    of_graph = _prepared.setdefault(graph, {})
    if balance not in of_graph:
        needs = balance.needs(cupy, graph)
        words = None
        if needs.prepared:
            addresses = [
                each if isinstance(each, int) else int(each.data.ptr) for each in needs.prepared
            ]
            words = cupy.array(addresses, np.uint64)
        address = 0 if words is None else int(words.data.ptr)
        of_graph[balance] = address, (words, needs.prepared), needs.workspace
    return of_graph[balance]
