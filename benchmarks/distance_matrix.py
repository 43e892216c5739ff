"""Distances from some vertices to some others, compared with SciPy's `dijkstra` from the same sources.

    python benchmarks/distance_matrix.py [--sources 64] [--targets 100] [--near 1000]

Wall time on this machine's CPU, the best of three calls of warpath's and one of SciPy's, warm. SciPy
searches on one thread and returns whole rows. SciPy's matrix is made before. Answers are compared.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse import csgraph

import warpath as wp

GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "R-MAT 16, weights 1 … 255": lambda: wp.generate.rmat(16, weights=(1, 255), seed=1),
    "the same, float weights": lambda: wp.generate.rmat(16, weights=(0.01, 1.0), seed=1),
    "the same, without weights": lambda: wp.generate.rmat(16, seed=1),
    "grid 300², weights 1 … 255": lambda: wp.generate.grid(300, keep=0.9, weights=(1, 255), seed=1),
}
NEAR = {"grid 1000², weights 1 … 255": lambda: wp.generate.grid(1000, weights=(1, 255), seed=1)}


def best_of(repeats: int, call: Callable[[], Any]) -> tuple[float, Any]:
    """(seconds, answer) after a call that is not counted."""
    times, answer = [], call()
    for _ in range(repeats):
        began = time.perf_counter()
        answer = call()
        times.append(time.perf_counter() - began)
    return min(times), answer


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--sources", type=int, default=64)
    parser.add_argument("--targets", type=int, default=100)
    parser.add_argument(
        "--near", type=int, metavar="N", help="draw both from the N vertices nearest to one"
    )
    arguments = parser.parse_args()
    rng = np.random.default_rng(0)
    print("| graph | SciPy, s | warpath, s | |\n| --- | --- | --- | --- |")
    for name, make in (GRAPHS | NEAR if arguments.near else GRAPHS).items():
        graph = make()
        near = np.arange(graph.num_vertices)
        if arguments.near:
            center = graph.num_vertices // 2 + 500
            near = np.argsort(wp.sssp(graph, center).distance, kind="stable")[: arguments.near]
        sources = rng.choice(near, arguments.sources)
        targets = rng.choice(near, arguments.targets)
        # Of parallel arcs SciPy would add the weights up.
        tail, head, weight = graph.coo()
        lightest = wp.Graph.from_edges(tail, head, weight, n=graph.num_vertices, merge="min")
        matrix = lightest.to_scipy().astype(np.float64)
        ours, found = best_of(3, lambda: wp.distance_matrix(graph, sources, targets))  # noqa: B023
        theirs, rows = best_of(
            1,
            lambda: csgraph.dijkstra(matrix, indices=sources, unweighted=weight is None),  # noqa: B023
        )
        here = np.where(found.reached, found.distance, np.inf)
        if not np.allclose(here, rows[:, targets]):
            raise SystemExit(f"{name}: SciPy's distances are others")
        print(f"| {name} | {theirs:.3g} | {ours:.3g} | **{theirs / ours:.3g}×** |", flush=True)


if __name__ == "__main__":
    main()
