"""Searches on several GPUs of one process beside one GPU's: time, and edges per second.

A graph is drawn on the first GPU, searched there, cut, and searched by all. The first two answers are certified, and
all distances are those of one GPU. "launch" is the time of the kernel on the first GPU, by its own clock, as of
one GPU; "call" is all that the caller waits for. TEPS count edges as Graph500 does: those of the
component, undirected ones once. Between these searches answers are gathered on the host, while the GPUs idle: then they
start less together. The last two columns are searches that follow each other at once.

    python benchmarks/multi_gpu.py [--devices 2] [--graphs "R-MAT 22, 16" …] [--searches 8] [--only bfs|sssp]
"""

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import cupy as cp
import numpy as np
from gpu_timing import some_sources

import warpath as wp
from warpath.cuda import multi_gpu

SEARCHES: dict[str, Callable[..., Any]] = {"bfs": wp.bfs, "sssp": wp.sssp}


def drawn(name: str, weights: bool) -> wp.Graph:
    """A graph by its name: "R-MAT 22, 16" or "grid 2048"."""
    kind, _, rest = name.partition(" ")
    options: dict[str, Any] = {"seed": 1, "device": "cuda"}
    if weights:
        options["weights"] = (1, 255)
    if kind == "grid":
        return wp.generate.grid(int(rest), keep=0.9, **options)
    scale, factor = map(int, rest.split(","))
    return wp.generate.rmat(scale, factor, **options)


class Launches:
    """The milliseconds of each launch, by the kernel's clock on the first GPU."""

    def __init__(self) -> None:
        self.ms: list[float] = []
        self.last: Any = None
        self._run = multi_gpu.run_together
        multi_gpu.run_together = self._timed  # type: ignore[assignment]

    def _timed(self, companions: Any, *others: Any) -> None:
        self._run(companions, *others)
        self.last = companions[0].report
        self.ms.append(self.last.nanoseconds.sum() / 1e6)


def timed(search: Callable[..., Any], graph: Any, source: int, **options: Any) -> tuple[Any, float]:
    """The answer, and the milliseconds until it is there."""
    start = time.perf_counter()
    answer = search(graph, source, **options)
    for device in range(cp.cuda.runtime.getDeviceCount()):
        cp.cuda.Device(device).synchronize()
    return answer, 1e3 * (time.perf_counter() - start)


def measure(name: str, kernel: str, devices: int, count: int, launches: Launches) -> str:
    """A row of the table."""
    start = time.perf_counter()
    graph = drawn(name, kernel == "sssp")
    search = SEARCHES[kernel]
    sources = [int(source) for source in some_sources(graph)[0][:count]]
    degrees = np.diff(graph.row_offsets.astype(np.int64))
    made = time.perf_counter() - start
    alone, sums, edges = [], [], []
    timed(search, graph, sources[0], device="cuda", predecessors=False)
    for source in sources:
        answer = search(graph, source, device="cuda")
        alone.append(answer.stats.nanoseconds.sum() / 1e6)
        here = answer.to_numpy()
        sums.append(float(here.distance[here.reached].sum(dtype=float)))
        edges.append(int(degrees[here.reached].sum()) // 2)
        del answer, here
    start = time.perf_counter()
    parts = wp.distribute(graph, devices)
    cut = time.perf_counter() - start
    timed(search, parts, sources[0])
    launches.ms.clear()
    calls, right = [], True
    for i, source in enumerate(sources):
        answer, ms = timed(search, parts, source)
        calls.append(ms)
        if i < 2:
            answer.verify()
        reached = answer.reached
        right &= float(answer.distance[reached].sum(dtype=float)) == sums[i]
    one, several = median(alone), median(launches.ms)
    teps = [edge / ms / 1e6 for edge, ms in zip(edges, launches.ms, strict=True)]
    launches.ms.clear()
    at_once = median(timed(search, parts, source)[1] for source in sources)
    return (
        f"| {kernel} {name} | {made:.1f} | {cut:.1f} | {one:.3f} | {several:.3f} | {one / several:.2f} | {median(calls):.2f} "
        f"| {len(teps) / sum(1 / rate for rate in teps):.0f} | {'yes' if right else 'NO'} | {median(launches.ms):.3f} | {at_once:.2f} |"
    )


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--graphs", nargs="+", default=["R-MAT 22, 16", "grid 2048"])
    parser.add_argument("--searches", type=int, default=8)
    parser.add_argument("--only", choices=list(SEARCHES))
    given = parser.parse_args()
    launches = Launches()
    print(
        "| search | draw s | cut s | one GPU ms | launch ms | faster | call ms | GTEPS | right "
        "| launch ms at once | call ms at once |"
    )
    print("| --- " * 11 + "|")
    for name in given.graphs:
        for kernel in [given.only] if given.only else SEARCHES:
            try:
                print(measure(name, kernel, given.devices, given.searches, launches), flush=True)
            except MemoryError as error:
                print(f"| {kernel} {name} | {error} |", flush=True)
            cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
