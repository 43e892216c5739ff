"""How much faster than SciPy are all pairs, and many sources?

One process, one run: for each question the best of some rounds, in each of which SciPy and warpath
alternate, so that a machine which others use slows both. Everything is warm (rows are written to
memory that is there: in a virtual machine getting a gigabyte may take longer than filling it),
graphs are converted before, and every warpath answer is checked outside the clock: the matrices
against SciPy's, rows by the certificates of a few sources.

- `dense`: `floyd_warshall` of a complete graph of random float64 weights, n = 2,048, distances alone.
- `sources`: `dijkstra` from 1,000 vertices of a grid of 316² vertices, weights 1 … 255 (int32 for
  warpath, float64 for SciPy, which would convert), distances alone.
- `parts`: all pairs of grids of 60², 100² and 150² vertices, of which a tenth of the edges is missing,
  weights 1 … 255, int32, distances alone: `partitioned` next to `sssp`; `dijkstra` with 64 sources, in
  proportion. Of the smaller two with predecessors, too.
- `bfs`: distances in arcs from 4,096 vertices of R-MAT 16. SciPy has two ways: `dijkstra` with
  ``unweighted=True``, which gives distances, and `breadth_first_order`, which gives an order and
  predecessors but no distances, and is faster. The ratio is to the faster one; SciPy's are timed
  with 64 sources and taken in proportion.

    python benchmarks/apsp.py [--quick] [--rounds 3] [--only dense,bfs] [--json results.jsonl]

prints a Markdown table of seconds and ratios.
"""

import argparse
import json
import platform
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csgraph

import warpath as wp
from warpath.algorithms.all_pairs.rows import rows_of
from warpath.operators import lookup

ROUNDS, QUICK_ROUNDS = 3, 1
SCIPY_SOURCES = 64  # of SciPy's slow ways; the rest in proportion

Run = Callable[[], Any]


def by_turns(rounds: int, runs: dict[str, Run]) -> dict[str, float]:
    """The least seconds of each, one after the other in every round."""
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(rounds):
        for name, run in runs.items():
            began = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def dense(rounds: int, quick: bool) -> list[dict[str, Any]]:
    """The dense methods compared with SciPy's Floyd-Warshall."""
    n = 1024 if quick else 2048
    matrix = np.random.default_rng(1).random((n, n))
    np.fill_diagonal(matrix, 0)
    graph = wp.Graph(matrix)
    expected = csgraph.floyd_warshall(matrix)
    found = wp.apsp(graph, method="blocked-floyd-warshall", predecessors=True, device="cpu")
    assert np.allclose(found.distance, expected)
    if quick:  # at n = 2,048 the certificate of 4 million arcs takes minutes
        found.verify()
    names = ("blocked-floyd-warshall", "r-kleene", "repeated-squaring")
    if not quick:
        names = names[:2]
    runs: dict[str, Run] = {"scipy": lambda: csgraph.floyd_warshall(matrix)}
    for name in names:
        wp.apsp(graph, method=name, device="cpu")
        runs[name] = lambda name=name: wp.apsp(graph, method=name, device="cpu")  # type: ignore[misc]
    runs["blocked-floyd-warshall, predecessors"] = lambda: wp.apsp(
        graph, method="blocked-floyd-warshall", predecessors=True, device="cpu"
    )
    times = by_turns(rounds, runs)
    return [
        {
            "question": "dense", "graph": f"complete, n = {n:,}, float64", "how": name,
            "scipy": times["scipy"], "warpath": seconds,
            "relaxations_per_second": n**3 / seconds,
        }
        for name, seconds in times.items()
        if name != "scipy"
    ]  # fmt: skip


def sources(rounds: int, quick: bool) -> list[dict[str, Any]]:
    """Shortest paths from many vertices of a road-like graph, by ``method="sssp"``."""
    graph = wp.generate.grid(316, keep=0.9, weights=(1, 255), seed=1)
    count = 100 if quick else 1000
    starts = np.random.default_rng(2).choice(graph.num_vertices, count).astype(np.int32)
    matrix = graph.to_scipy().astype(np.float64)
    rows = rows_of("sssp", graph, lookup("shortest"), np.dtype(np.int32), "cpu")
    distance = np.empty((count, graph.num_vertices), np.int32)
    rows.fill(starts, distance)
    for i in range(0, count, count // 5):
        wp.verify.sssp(graph, starts[i], distance[i])
    times = by_turns(
        rounds,
        {
            "scipy": lambda: csgraph.dijkstra(matrix, indices=starts),
            "sssp": lambda: rows.fill(starts, distance),
        },
    )
    return [
        {
            "question": "sources", "graph": f"grid 316², {count:,} sources", "how": "sssp",
            "scipy": times["scipy"], "warpath": times["sssp"],
        }
    ]  # fmt: skip


def parts(rounds: int, quick: bool) -> list[dict[str, Any]]:
    """All pairs of graphs that few vertices separate into parts."""
    rows = []
    for side, predecessors in (
        (60, False), (60, True), (100, False), (100, True), (150, False),
    )[: 2 if quick else None]:  # fmt: skip
        graph = wp.generate.grid(side, keep=0.9, weights=(1, 255), seed=1)
        n, matrix = graph.num_vertices, graph.to_scipy().astype(np.float64)
        some = np.random.default_rng(2).choice(n, SCIPY_SOURCES)

        def all_pairs(
            method: str, graph: wp.Graph = graph, predecessors: bool = predecessors
        ) -> wp.AllPairs:
            return wp.apsp(graph, method=method, predecessors=predecessors, device="cpu")

        found = {name: all_pairs(name).distance for name in ("partitioned", "sssp")}
        assert np.array_equal(*found.values())
        del found
        times = by_turns(
            rounds,
            {
                "scipy": lambda matrix=matrix, some=some, predecessors=predecessors: (
                    csgraph.dijkstra(matrix, indices=some, return_predecessors=predecessors)
                ),
                "partitioned": lambda all_pairs=all_pairs: all_pairs("partitioned"),
                "sssp": lambda all_pairs=all_pairs: all_pairs("sssp"),
            },
        )
        what = f"grid {side}²" + (", predecessors" if predecessors else "")
        rows += [
            {
                "question": "parts", "graph": what, "how": name,
                "scipy": times["scipy"] * n / SCIPY_SOURCES, "warpath": times[name],
            }
            for name in ("partitioned", "sssp")
        ]  # fmt: skip
    return rows


def bfs(rounds: int, quick: bool) -> list[dict[str, Any]]:
    """Distances in arcs from many vertices of a power-law graph, by ``method="bfs"``."""
    graph = wp.generate.rmat(16, seed=1)
    count = 1024 if quick else 4096
    starts = np.random.default_rng(3).choice(graph.num_vertices, count).astype(np.int32)
    matrix = graph.to_scipy().astype(np.float64)
    rows = rows_of("bfs", graph, lookup("shortest"), np.dtype(np.int32), "cpu")
    distance = np.empty((count, graph.num_vertices), np.int32)
    rows.fill(starts, distance)
    for i in range(0, count, count // 5):
        wp.verify.sssp(graph, starts[i], distance[i])

    def in_order() -> None:
        for start in starts[:SCIPY_SOURCES]:
            csgraph.breadth_first_order(matrix, start)

    times = by_turns(
        rounds,
        {
            "dijkstra": lambda: csgraph.dijkstra(
                matrix, indices=starts[:SCIPY_SOURCES], unweighted=True
            ),
            "order": in_order,
            "bfs": lambda: rows.fill(starts, distance),
        },
    )
    share = count / SCIPY_SOURCES
    return [
        {
            "question": "bfs", "graph": f"R-MAT 16, {count:,} sources", "how": "bfs",
            "scipy": min(times["dijkstra"], times["order"]) * share, "warpath": times["bfs"],
            "scipy_dijkstra_unweighted": times["dijkstra"] * share,
            "scipy_breadth_first_order": times["order"] * share,
        }
    ]  # fmt: skip


QUESTIONS = {"dense": dense, "sources": sources, "parts": parts, "bfs": bfs}


def main() -> None:
    """Measure, print the table, write one JSON line a row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="smaller, one round")
    parser.add_argument("--rounds", type=int, help="of which the best counts")
    parser.add_argument("--only", help="comma-separated questions")
    parser.add_argument("--json", type=Path, help="append one JSON line a row to this file")
    options = parser.parse_args()
    rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    names = options.only.split(",") if options.only else [*QUESTIONS]
    rows = [row for name in names for row in QUESTIONS[name](rounds, options.quick)]
    show(rows)
    if options.json:
        facts = {
            "threads": wp.num_threads(), "machine": platform.processor(), "rounds": rounds,
            "versions": {name: version(name) for name in ("warpath", "numpy", "numba", "scipy")},
        }  # fmt: skip
        with options.json.open("a") as file:
            for row in rows:
                file.write(json.dumps(row | facts) + "\n")


def show(rows: list[dict[str, Any]]) -> None:
    """Print the table as Markdown."""
    print("| graph | method | warpath, s | SciPy, s | |")
    print("| --- " * 5 + "|")
    for row in rows:
        ratio = row["scipy"] / row["warpath"]
        print(
            f"| {row['graph']} | {row['how']} | {row['warpath']:.3f} | {row['scipy']:.2f} "
            f"| **{ratio:.1f}×** |"
        )


if __name__ == "__main__":
    main()
