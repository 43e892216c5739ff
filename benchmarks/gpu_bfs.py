"""BFS on a GPU: milliseconds and GTEPS on the graphs that docs/performance.md lists.

Each row: the median of 20 sources of the largest component. Kernel time is by CUDA events
around the call with everything else already on the device; GTEPS counts the arcs of the
traversed component. Two answers of each graph are verified by their certificate first.

    python benchmarks/gpu_bfs.py [--quick]
"""

import argparse
import time
from collections.abc import Callable

import cupy as cp
import numpy as np

import warpath as wp
from warpath.graph.components import largest_component

SOURCES = 20
GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "1,024 vertices": lambda: wp.generate.rmat(10, 4, seed=1),
    "R-MAT 20": lambda: wp.generate.rmat(20, seed=1),
    "R-MAT 23": lambda: wp.generate.rmat(23, seed=1),
    "G(2²², 2²⁶)": lambda: wp.generate.erdos_renyi(2**22, 2**26, seed=1),
    "grid 2048²": lambda: wp.generate.grid(2048, keep=0.9, seed=1),
}
QUICK = ("1,024 vertices", "R-MAT 20")
ROWS: dict[str, dict[str, object]] = {
    "optimizing": {"predecessors": False},
    "optimizing, predecessors": {},
    "top-down": {"predecessors": False, "direction": "top-down"},
}


def milliseconds(graph: wp.Graph, source: int, options: dict[str, object]) -> tuple[float, float]:
    """(device time by events, wall time of the call and the wait) of one search."""
    begin, end = cp.cuda.Event(), cp.cuda.Event()
    began = time.perf_counter()
    begin.record()
    wp.bfs(graph, source, device="cuda", trace=False, **options)  # type: ignore[arg-type]
    end.record()
    end.synchronize()
    wall = (time.perf_counter() - began) * 1e3
    return float(cp.cuda.get_elapsed_time(begin, end)), wall


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    print("| graph | | device, ms | GTEPS | call and wait, ms |\n| --- | --- | --- | --- | --- |")
    for name in QUICK if quick else GRAPHS:
        raw = GRAPHS[name]()
        graph = wp.Graph.from_edges(*raw.edges(), n=raw.num_vertices, directed=False, merge="min")
        members = largest_component(graph)
        arcs = int(graph.degree[members].sum())
        sources = np.random.default_rng(2).choice(members, SOURCES).tolist()
        for source in sources[:2]:
            wp.bfs(graph, source, device="cuda").verify()
        for row, options in ROWS.items():
            milliseconds(graph, sources[0], options)
            times = np.array([milliseconds(graph, source, options) for source in sources])
            device, wall = np.median(times, axis=0)
            rate = arcs / device / 1e6
            print(f"| {name} | {row} | {device:.3f} | {rate:.0f} | {wall:.3f} |", flush=True)


if __name__ == "__main__":
    main()
