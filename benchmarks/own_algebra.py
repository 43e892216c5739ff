"""What the sum costs shortest paths as a function of one's own, ``extend=lambda d, w: d + w``, next to the named algebra.

    python benchmarks/own_algebra.py [--device cuda] [--graphs rmat,23 grid,2048] [--first-calls]

Printed are medians in ms of searches that are warm, the two algebras interleaved, and their ratio. With
``--first-calls`` also the seconds of a first search in a new process where no kernel is compiled yet.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median

import numpy as np

import warpath as wp

SUM = wp.Algebra(lambda d, w: d + w)
ROUNDS, SOURCES = 5, 10
FIRST = """
import time, warpath as wp
graph = wp.generate.grid(300, weights=(1, 255), seed=1, device={device!r})
wp.bfs(graph, 0, device={device!r})
algebra = wp.Algebra(lambda d, w: d + w) if {own} else "shortest"
began = time.perf_counter()
wp.sssp(graph, 0, algebra=algebra, device={device!r})
print(time.perf_counter() - began)
"""


def graph_of(name: str, device: str) -> wp.Graph:
    """ "rmat,23" or "grid,2048", with weights from 1 to 255."""
    kind, size = name.split(",")
    if kind == "grid":
        return wp.generate.grid(int(size), weights=(1, 255), seed=1, device=device)
    return wp.generate.rmat(int(size), 16, weights=(1, 255), simple=True, seed=1, device=device)


def by_wall(
    calls: Mapping[str, Callable[[int], object]], sources: Sequence[int]
) -> dict[str, float]:
    """Milliseconds of each call, the median of all sources and rounds, calls interleaved."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call(sources[0])
    for source in [*sources] * ROUNDS:
        for name, call in calls.items():
            began = time.perf_counter()
            call(source)
            times[name].append(1e3 * (time.perf_counter() - began))
    return {name: median(all_) for name, all_ in times.items()}


def first_call(device: str, own: bool) -> float:
    """Seconds of the first search of a process with an empty cache, whose BFS has run."""
    with tempfile.TemporaryDirectory() as cache:
        variables = os.environ | {"WARPATH_CACHE": cache, "NUMBA_CACHE_DIR": cache}
        script = Path(cache, "first.py")  # a function's source must be readable
        script.write_text(FIRST.format(device=device, own=own), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, script], env=variables, check=True, capture_output=True, text=True
        )
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--graphs", nargs="+", default=["rmat,18", "grid,1024"])
    parser.add_argument("--first-calls", action="store_true")
    given = parser.parse_args()
    print("| graph | shortest | own sum | ratio |\n| --- | ---: | ---: | ---: |")
    for name in given.graphs:
        graph = graph_of(name, given.device)

        def search(source: int, algebra: object, graph: wp.Graph = graph) -> object:
            return wp.sssp(graph, source, algebra=algebra, device=given.device, trace=False)

        calls = {"shortest": lambda s: search(s, "shortest"), "own": lambda s: search(s, SUM)}
        if given.device == "cuda":
            from gpu_timing import in_turns, some_sources

            sources = some_sources(graph)[0]
            for call in calls.values():
                call(sources[0])
            times = in_turns(calls, sources)
        else:
            reached = np.flatnonzero(np.diff(graph.row_offsets))
            sources = np.random.default_rng(1).choice(reached, SOURCES, False).tolist()
            times = by_wall(calls, sources)
        search(sources[0], SUM).verify()  # type: ignore[attr-defined]
        ratio = times["own"] / times["shortest"]
        print(
            f"| {name} | {times['shortest']:.3g} | {times['own']:.3g} | {ratio:.3f} |", flush=True
        )
    if given.first_calls:
        named, own = (
            median(first_call(given.device, own) for _ in range(3)) for own in (False, True)
        )
        print(f"first search: {named:.2f} s, own sum {own:.2f} s, {own - named:+.2f} s")


if __name__ == "__main__":
    main()
