"""How drivers run a persistent kernel: which grid, how many launches, what it reports."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import RUN, SOURCES, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS
from warpath.cuda.runtime import Kernel, Runtime
from warpath.cuda.trace import Report

MAX_ITERATIONS = 2**32 - 1
CLUSTER = 8  # blocks; the largest that is portable (engine/small_frontier.cuh)
_CLUSTERS_SINCE = (9, 0)  # compute capability
_WORK_PER_BLOCK = 8192  # vertices and arcs per block, at least: a guess
_VERTICES_PER_BLOCK = 4096  # where each is some instructions: a guess


def suggested_grid_size(graph: DeviceGraph) -> int:
    """Blocks of the grid for a graph: more have too little to do."""
    return (graph.num_vertices + graph.num_arcs) // _WORK_PER_BLOCK


def blocks_for_vertices(count: int) -> int:
    """Blocks of the grid for a list of vertices."""
    return max(1, count // _VERTICES_PER_BLOCK)


def cluster_size() -> int:
    """Blocks of a cluster of this device; 1 where there are none."""
    return CLUSTER if runtime.current().compute_capability >= _CLUSTERS_SINCE else 1


def kernel(
    header: str,
    instance: Callable[..., str],
    *arguments: Any,
    blocks: int,
    threads: int = THREADS,
    cluster: int = 1,
    children: bool = False,
) -> Kernel:
    """A kernel whose blocks all run at once.

    Parameters
    ----------
    header : str
        The file of its template.
    instance : callable
        A function of `warpath.cuda.instances`, which names the instance.
    *arguments : hashable
        Those of that function, without ``threads``.
    blocks, cluster, children
        As of `warpath.cuda.runtime.Runtime.persistent`; a larger cluster than the device has is its largest.
    threads : int
        Per block, on a device.
    """
    here = runtime.current()
    how = threads, blocks, min(cluster, cluster_size()), children
    return _kernel(here, here.device, header, instance, arguments, *how)


@lru_cache(maxsize=4096)
def _kernel(
    here: Runtime, device: int, header: str, instance: Callable[..., str], arguments: tuple[Any, ...],
    preferred: int, blocks: int, cluster: int, children: bool,
) -> Kernel:  # fmt: skip
    threads = here.threads(preferred)
    expression = instance(*arguments, threads=threads)
    return here.persistent(header, expression, threads, blocks, cluster, children)


def sources_of(sources: Any) -> tuple[bytes, Any]:
    """``Sources`` of core/types.cuh, and the array that must live as long as a launch is queued.

    Those of a device are not waited for; one of the host travels with the launch.
    """
    here, count = runtime.current(), len(sources)
    if count == 0 or (count == 1 and isinstance(sources, np.ndarray)):
        return SOURCES(several=0, first=int(sources[0]) if count else 0, count=count), None
    several = here.xp.asarray(sources)
    return SOURCES(several=here.address(several), first=0, count=count), several


def memory_of(n: int, predecessors: bool, workspace: int, *graphs: DeviceGraph) -> dict[str, int]:
    """`Report.memory` of a search that reads these graphs, for n distances."""
    found = {
        "graph": sum(one.nbytes for one in graphs),
        "answer": 4 * n * (1 + predecessors),
        "workspace": workspace,
    }
    pinned = sum(one.pinned_nbytes for one in graphs)
    return found | {"pinned": pinned} if pinned else found


class Execution:
    """The launches of one run.

    Parameters
    ----------
    kernel : Kernel
        A program's, or another kernel on ``engine/loop.cuh``.
    arguments : Struct
        The kernel's; its field ``run`` says how many iterations a launch may do.
    report : Report
        The run's.
    *alive
        What must live as long as a launch is queued.
    **fields
        The other fields of ``arguments``.
    """

    def __init__(
        self, kernel: Kernel, arguments: Struct, report: Report, *alive: Any, **fields: Any
    ) -> None:
        self.report = report
        self._kernel, self._arguments, self._fields, self._alive = kernel, arguments, fields, alive
        self._resumes = False

    def launch(self, iterations: int = MAX_ITERATIONS) -> None:
        """Queue one launch, of at most ``iterations``; every further one resumes the one before."""
        if self._resumes:
            self.report.clear_barrier()
        self._kernel.launch(self.packed(iterations))
        self._resumes = True

    def packed(self, iterations: int = MAX_ITERATIONS) -> bytes:
        """What the next launch gives the kernel."""
        run = RUN(iterations=iterations, resumes=self._resumes)
        return self._arguments(run=run, **self._fields)

    def step(self, iterations: int) -> tuple[int, int]:
        """Launch, and wait: (iterations so far, vertices of the frontier)."""
        self.launch(iterations)
        return self.report.progress()

    def run(self, loop: str, children: bool = False) -> None:
        """Launch until the search has ended.

        Parameters
        ----------
        loop : {"device", "host"}
            One launch for all iterations, queued; or one for each, waited for.
        children : bool
            Whether the balance launches child grids: then a launch ends with an iteration that may, whatever the loop.
        """
        if loop == "device" and not children:
            self.launch()
            return
        most = MAX_ITERATIONS if children else 1
        before, (level, size) = -1, self.step(most)
        # Child grids' vertices are known one launch later; a launch without an iteration is the last.
        while size > 0 and level > before:
            before, (level, size) = level, self.step(most)
