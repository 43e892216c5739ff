"""BFS on a GPU: milliseconds and GTEPS on the graphs that docs/performance.md lists.

Each row: the median of 20 sources of one component, everything warm, the graph on the device.
Device time is by CUDA events around the call, queued behind other work; the call's time is the
host's, the wait included. GTEPS counts the arcs of the traversed component over device time. One
answer of each graph is verified by its certificate first.

    python benchmarks/gpu_bfs.py [--quick]
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from gpu_timing import call_ms, device_ms, some_sources

import warpath as wp

GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "1,024 vertices": lambda: wp.generate.erdos_renyi(2**10, 4000, seed=1, device="cuda"),
    "R-MAT 20": lambda: wp.generate.rmat(20, simple=True, seed=1, device="cuda"),
    "R-MAT 23": lambda: wp.generate.rmat(23, simple=True, seed=1, device="cuda"),
    "G(2²², 2²⁶)": lambda: wp.generate.erdos_renyi(2**22, 2**26, seed=1, device="cuda"),
    "grid 2048²": lambda: wp.generate.grid(2048, keep=0.9, seed=1, device="cuda"),
}
QUICK = ("1,024 vertices", "R-MAT 20")
ROWS: dict[str, dict[str, Any]] = {
    "optimizing": {"predecessors": False},
    "optimizing, predecessors": {},
    "top-down": {"predecessors": False, "schedule": "direction=top-down"},
}


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="the small graphs alone")
    quick = parser.parse_args().quick
    print("| graph | | device, ms | GTEPS | call and wait, ms |\n| --- | --- | --- | --- | --- |")
    for name in QUICK if quick else GRAPHS:
        graph = GRAPHS[name]()
        sources, arcs = some_sources(graph)
        wp.bfs(graph, sources[0], device="cuda").verify()
        for row, options in ROWS.items():

            def search(source: int, options: dict[str, Any] = options) -> None:
                wp.bfs(graph, source, device="cuda", trace=False, **options)  # noqa: B023

            search(sources[0])
            device = np.median([device_ms(lambda s=s: search(s)) for s in sources])  # type: ignore[misc]
            whole = np.median([call_ms(lambda s=s: search(s)) for s in sources])  # type: ignore[misc]
            rate = arcs / device / 1e6
            print(f"| {name} | {row} | {device:.3f} | {rate:.0f} | {whole:.3f} |", flush=True)


if __name__ == "__main__":
    main()
