"""What does searching from both ends save? One path between two vertices, compared with other methods.

For each graph: 20 random pairs of vertices of its largest component, the median and the 90th
percentile of wall milliseconds, of each pair the fastest of three, everything warm, conversions
apart. The first answers are verified, and every length is compared with `warpath.sssp`'s and `warpath.bfs`'s, outside the
clock. SciPy has no target: it computes all distances from the source. NetworkX, where it is
installed, searches from both ends too, in Python; `--no-networkx` spares its memory (some 4 GB).

    python benchmarks/st.py [--pairs 20] [--graphs "R-MAT,grid"] [--no-networkx]
"""

import argparse
import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.csgraph import dijkstra

import warpath as wp
from warpath.graph.components import largest_component

VERIFIED = 2
REPEATS = 3
SLOW_PAIRS = 5  # for those that take seconds each, and are not repeated
WEIGHTS = (1, 255)

GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "R-MAT 18": lambda: wp.generate.rmat(18, weights=WEIGHTS, seed=1),
    "grid 1000²": lambda: wp.generate.grid(1000, keep=0.9, weights=WEIGHTS, seed=1),
}

Search = Callable[[int, int], Any]


def ours(graph: wp.Graph) -> dict[str, Search]:
    return {
        "wp.st_connected": lambda s, t: wp.st_connected(graph, s, t),
        "wp.bfs": lambda s, _: wp.bfs(graph, s),
        "wp.shortest_path": lambda s, t: wp.shortest_path(graph, s, t),
        'wp.shortest_path(method="bidirectional")': lambda s, t: wp.shortest_path(
            graph, s, t, method="bidirectional"
        ),
        "wp.sssp(target=)": lambda s, t: wp.sssp(graph, s, target=t),
        'wp.sssp(target=, method="dijkstra")': lambda s, t: wp.sssp(
            graph, s, target=t, method="dijkstra"
        ),
    }


def peers(graph: wp.Graph, networkx: bool) -> dict[str, Search]:
    matrix = graph.to_scipy().astype(np.float64)
    found: dict[str, Search] = {"scipy dijkstra": lambda s, _: dijkstra(matrix, indices=s)}
    if networkx:
        import networkx as nx

        there = nx.Graph()
        source, target, weight = (array.tolist() for array in graph.edges())  # type: ignore[union-attr]
        there.add_weighted_edges_from(zip(source, target, weight, strict=True))
        found["networkx bidirectional_shortest_path"] = lambda s, t: nx.bidirectional_shortest_path(
            there, s, t
        )
        found["networkx bidirectional_dijkstra"] = lambda s, t: nx.bidirectional_dijkstra(
            there, s, t
        )
    return found


def verify(graph: wp.Graph, pairs: list[tuple[int, int]]) -> None:
    """All lengths are right; the first answers have their certificates."""
    for i, (s, t) in enumerate(pairs):
        path, connection = wp.shortest_path(graph, s, t), wp.st_connected(graph, s, t)
        assert path.length == wp.sssp(graph, s, target=t).distance[t]
        assert connection.distance == wp.bfs(graph, s).distance[t]
        if i < VERIFIED:
            path.verify()
            connection.verify()


def milliseconds(search: Search, pairs: list[tuple[int, int]], repeats: int) -> tuple[float, float]:
    """Median and 90th percentile of the pairs' fastest times."""
    times = []
    for pair in pairs:
        fastest = math.inf
        for _ in range(repeats):
            began = time.perf_counter()
            search(*pair)
            fastest = min(fastest, (time.perf_counter() - began) * 1e3)
        times.append(fastest)
    return float(np.median(times)), float(np.quantile(times, 0.9))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--graphs", default="", help="comma-separated parts of names")
    parser.add_argument("--no-networkx", action="store_true")
    options = parser.parse_args()
    print("| graph | search | median, ms | 90 %, ms |\n| --- | --- | --- | --- |")
    for name, make in GRAPHS.items():
        if not any(part in name for part in options.graphs.split(",")):
            continue
        raw = make()
        # Parallel edges merged: SciPy and NetworkX take them differently.
        graph = wp.Graph.from_edges(*raw.edges(), n=raw.num_vertices, directed=False, merge="min")
        rng = np.random.default_rng(2)
        pairs = [
            tuple(p) for p in rng.choice(largest_component(graph), (options.pairs, 2)).tolist()
        ]
        verify(graph, pairs)
        searches = ours(graph) | peers(graph, not options.no_networkx)
        for what, search in searches.items():
            slow = "networkx" in what and "grid" in name
            middle, high = milliseconds(
                search, pairs[:SLOW_PAIRS] if slow else pairs, 1 if slow else REPEATS
            )
            print(f"| {name} | `{what}` | {middle:.3g} | {high:.3g} |", flush=True)


if __name__ == "__main__":
    main()
