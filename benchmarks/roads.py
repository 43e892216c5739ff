"""Breadth-first search on road networks, next to SciPy's `breadth_first_order`.

    python benchmarks/roads.py NY.gr.xz FLA.gr.xz [--sources 12]

Wall time of one and of all threads, the median of the sources, interleaved, after one search each that is
not counted. Sources are drawn from the largest component.
"""

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from scipy.sparse import csgraph

import warpath as wp


def with_threads(threads: int | None, graph: wp.Graph, source: int) -> Any:
    wp.set_num_threads(threads)
    return wp.bfs(graph, source)


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("files", nargs="+")
    parser.add_argument("--sources", type=int, default=12)
    arguments = parser.parse_args()
    print("| graph | SciPy, ms | one thread, ms | all threads, ms |\n| --- | --- | --- | --- |")
    for file in arguments.files:
        graph = wp.read(file).largest_component().without_labels()
        matrix = graph.to_scipy().astype(np.float64)
        calls: list[Callable[[int], Any]] = [
            lambda source: csgraph.breadth_first_order(matrix, source),  # noqa: B023
            lambda source: with_threads(1, graph, source),  # noqa: B023
            lambda source: with_threads(None, graph, source),  # noqa: B023
        ]
        sources = np.random.default_rng(0).integers(0, graph.num_vertices, arguments.sources + 1)
        times = np.empty((len(sources), len(calls)))
        for i, source in enumerate(sources.tolist()):
            for k, call in enumerate(calls):
                began = time.perf_counter()
                call(source)
                times[i, k] = time.perf_counter() - began
        scipy, one, every = (1e3 * median(column) for column in times[1:].T)
        name = file.rsplit("/", 1)[-1].split(".")[0]
        print(
            f"| {name}, {graph.num_vertices:,} vertices | {scipy:.1f} | {one:.1f} ({scipy / one:.1f}×) "
            f"| {every:.1f} ({scipy / every:.1f}×) |",
            flush=True,
        )


if __name__ == "__main__":
    main()
