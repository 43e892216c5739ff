"""Device memory of the load-balancing techniques that need some."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from warpath.balance import Technique
from warpath.balance.technique import COUNTER_BYTES
from warpath.cuda import runtime
from warpath.cuda.arguments import BALANCE_MEMORY
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
    nbytes : int
        What both take together.
    """

    prepared: tuple[int, ...]
    workspace: int
    nbytes: int = 0
    _space: Any = None  # kept as long as launches may be queued

    def of(self, graph: int = 0) -> bytes:
        """As kernels take it, of one of the graphs."""
        return _packed(self.prepared[graph], self.workspace)

    def clear_counters(self) -> None:
        """Queue what a kernel finds at its launch."""
        if self._space is not None:
            self._space.clear(0, COUNTER_BYTES)


@lru_cache(maxsize=64)
def _packed(prepared: int, workspace: int) -> bytes:
    return BALANCE_MEMORY(prepared=prepared, workspace=workspace)


def memory_for(balance: Technique, *graphs: DeviceGraph) -> BalanceMemory:
    """The memory of a run that expands vertices of these graphs, on the current stream."""
    made = [_prepare(balance, graph) for graph in graphs]
    bytes = max(workspace for _, _, workspace in made)
    prepared = sum(_nbytes(words) for _, words, _ in made)
    if bytes == 0:
        return BalanceMemory(tuple(address for address, _, _ in made), 0, prepared)
    space = runtime.current().allocate(COUNTER_BYTES + bytes)
    memory = BalanceMemory(
        tuple(address for address, _, _ in made), space.address, prepared + bytes, space
    )
    memory.clear_counters()
    return memory


def _nbytes(prepared: Any) -> int:
    """Bytes of what was prepared."""
    _, arrays = prepared
    return sum(each.nbytes for each in arrays if not isinstance(each, int))


def _prepare(balance: Technique, graph: DeviceGraph) -> tuple[int, Any, int]:
    """Address, the arrays that lie there, and bytes of a workspace; made once per graph."""
    key = "prepared for a balance", balance
    if key not in graph.derived:
        here = runtime.current()
        storage = balance.temp_storage(here.xp, graph)
        words = None
        if storage.prepared:
            addresses = [
                each if isinstance(each, int) else here.address(each) for each in storage.prepared
            ]
            words = here.xp.array(addresses, np.uint64)
        graph.derived[key] = here.address(words), (words, storage.prepared), storage.workspace
    return graph.derived[key]  # type: ignore[no-any-return]
