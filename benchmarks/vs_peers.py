"""How much faster than what people use now? BFS and SSSP beside SciPy, NetworKit and igraph.

One process, one machine, one run: for each graph and weight dtype, the median wall time of
20 sources drawn from the largest component, distances and predecessors written, everything
warm, conversion to each library's own graph apart. Every warpath answer is verified by its
certificate, outside the clock. Peers that are not installed are left out, and said so.

SciPy is given a CSR array of the weights as they are, without parallel arcs: float64 is its
favourite; of int32 it makes float64 in each call. Its `breadth_first_order` writes an order and
predecessors, but no distances.

GAPBS (github.com/sbeamer/gapbs) is measured where ``--gapbs`` names the folder of its built
``bfs`` and ``sssp``: by the times that these print, the median of three trials a source, with
as many threads as warpath. Its BFS gives predecessors and no distances, its shortest paths
distances and no predecessors, of int32 weights only, with the best Δ of `GAPBS_DELTAS`.

    python benchmarks/vs_peers.py [--quick] [--gapbs FOLDER] [--json results.jsonl]

prints a Markdown table of milliseconds and of the peers' times over warpath's.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

import warpath as wp
from warpath.graph.components import largest_component

SOURCES, QUICK_SOURCES = 20, 5
# Slow peers: fewer sources, so that a run stays below half an hour.
SLOW_SOURCES = 5
GAPBS_DELTAS, GAPBS_TRIALS = (8, 32, 128, 512, 2048), 3

GRAPHS: dict[str, Callable[[Any], wp.Graph]] = {
    "R-MAT 18": lambda weights: wp.generate.rmat(18, weights=weights, seed=1),
    "R-MAT 20": lambda weights: wp.generate.rmat(20, weights=weights, seed=1),
    "G(2¹⁸, 2²²)": lambda weights: wp.generate.erdos_renyi(2**18, 2**22, weights=weights, seed=1),
    "G(2²⁰, 2²⁴)": lambda weights: wp.generate.erdos_renyi(2**20, 2**24, weights=weights, seed=1),
    "grid 1000²": lambda weights: wp.generate.grid(1000, keep=0.9, weights=weights, seed=1),
}
QUICK = ("R-MAT 18", "G(2¹⁸, 2²²)", "grid 1000²")
WEIGHTS = {"int32": (1, 255), "float64": (0.0, 1.0)}


def median(run: Callable[[int], Any], sources: Iterable[int]) -> float:
    """Median milliseconds of ``run(source)``."""
    times = []
    for source in sources:
        began = time.perf_counter()
        run(source)
        times.append((time.perf_counter() - began) * 1e3)
    return float(np.median(times))


def draw_sources(graph: wp.Graph, count: int) -> list[int]:
    """Seeded vertices of the largest component."""
    members = largest_component(graph)
    return np.random.default_rng(2).choice(members, count).tolist()  # type: ignore[no-any-return]


def warpath_times(graph: wp.Graph, sources: list[int]) -> dict[str, float]:
    """Our two times, after every answer of the first two sources was verified."""
    for source in sources[:2]:
        wp.bfs(graph, source).verify()
        wp.sssp(graph, source).verify()
    return {
        "bfs": median(lambda source: wp.bfs(graph, source), sources),
        "sssp": median(lambda source: wp.sssp(graph, source), sources),
    }


def scipy_times(graph: wp.Graph, sources: list[int]) -> dict[str, float]:
    """SciPy's csgraph."""
    from scipy.sparse.csgraph import breadth_first_order, dijkstra

    matrix = graph.to_scipy()
    return {
        "bfs": median(lambda source: breadth_first_order(matrix, source), sources),
        "sssp": median(
            lambda source: dijkstra(matrix, indices=source, return_predecessors=True), sources
        ),
    }


def networkit_times(graph: wp.Graph, sources: list[int]) -> dict[str, float]:
    """NetworKit's BFS and Dijkstra with paths stored."""
    import networkit
    from networkit.distance import BFS, Dijkstra

    networkit.setNumberOfThreads(wp.num_threads())
    source, target, weight = graph.edges()
    assert weight is not None
    there = networkit.GraphFromCoo(
        (weight.astype(np.float64), (source.astype(np.uint64), target.astype(np.uint64))),
        n=graph.num_vertices,
        weighted=True,
        directed=False,
    )
    sources = sources[:SLOW_SOURCES]
    return {
        "bfs": median(lambda source: BFS(there, source, True, False).run(), sources),
        "sssp": median(lambda source: Dijkstra(there, source, True, False).run(), sources),
    }


def igraph_times(graph: wp.Graph, sources: list[int]) -> dict[str, float]:
    """igraph's BFS (order and parents) and its shortest paths' distances."""
    import igraph

    source, target, weight = graph.edges()
    there = igraph.Graph(
        n=graph.num_vertices, edges=np.column_stack([source, target]), directed=False
    )
    there.es["w"] = weight.tolist()  # type: ignore[union-attr]
    sources = sources[:SLOW_SOURCES]
    return {
        "bfs": median(there.bfs, sources),
        "sssp": median(lambda source: there.distances(source, weights="w"), sources),
    }


def gapbs_times(folder: Path, graph: wp.Graph, sources: list[int]) -> dict[str, float]:
    """GAPBS's trial times; no shortest paths of float weights."""
    environment = os.environ | {"OMP_NUM_THREADS": str(wp.num_threads())}

    def trials(kernel: str, *options: object) -> float:
        command = [str(folder / kernel), *map(str, options), "-n", str(GAPBS_TRIALS)]
        printed = subprocess.run(
            command, env=environment, check=True, capture_output=True, text=True
        ).stdout.splitlines()
        seconds = [float(line.split()[-1]) for line in printed if line.startswith("Trial Time")]
        return float(np.median(seconds)) * 1e3

    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "graph.sg"
        wp.write(graph.without_weights(), plain)
        times = {"bfs": np.median([trials("bfs", "-f", plain, "-r", s) for s in sources])}
        assert graph.weights is not None
        if graph.weights.dtype.kind == "i":
            weighted = Path(scratch) / "graph.wsg"
            wp.write(graph, weighted)

            def sssp(delta: int, source: int) -> float:
                return trials("sssp", "-f", weighted, "-r", source, "-d", delta)

            best = min(GAPBS_DELTAS, key=lambda delta: sssp(delta, sources[0]))
            times["sssp"] = np.median([sssp(best, source) for source in sources])
    return {algorithm: float(milliseconds) for algorithm, milliseconds in times.items()}


PEERS: dict[str, Callable[[wp.Graph, list[int]], dict[str, float]]] = {
    "scipy": scipy_times,
    "networkit": networkit_times,
    "igraph": igraph_times,
}


def negative_weights(quick: bool) -> dict[str, Any]:
    """Bellman-Ford beside SciPy's at n = 16,000, m = 160,000."""
    from scipy.sparse.csgraph import bellman_ford

    n, m = 16_000, 160_000
    graph = wp.generate.erdos_renyi(n, m, directed=True, weights=(1, 255), seed=1)
    graph = wp.generate.negative_weights(graph, seed=1)
    source = draw_sources(graph, 1)[0]
    wp.sssp(graph, source, method="bellman-ford").verify()
    matrix = graph.to_scipy().astype(np.float64)
    return {
        "graph": f"n = {n:,}, m = {m:,}, negative weights",
        "weights": "int32",
        "algorithm": "sssp bellman-ford",
        "warpath": median(lambda s: wp.sssp(graph, s, method="bellman-ford"), [source] * SOURCES),
        "scipy": median(
            lambda s: bellman_ford(matrix, indices=s, return_predecessors=True), [source]
        ),
    }


def installed() -> list[str]:
    """The peers that can be imported; says which cannot."""
    found = []
    for peer in PEERS:
        try:
            found.append(peer)
            version(peer)
        except PackageNotFoundError:
            found.pop()
            print(f"{peer} is not installed: left out", file=sys.stderr)
    return found


def main() -> None:
    """Measure, print the table, write one JSON line a row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="smaller graphs, 5 sources, int32")
    parser.add_argument("--json", type=Path, help="append one JSON line a row to this file")
    parser.add_argument("--peers", default=None, help="comma-separated; default: all installed")
    parser.add_argument("--graphs", default=None, help="comma-separated parts of names")
    parser.add_argument("--gapbs", type=Path, help="folder of GAPBS's bfs and sssp: a peer too")
    options = parser.parse_args()
    peers = options.peers.split(",") if options.peers is not None else installed()
    measure = {peer: PEERS[peer] for peer in peers}
    if options.gapbs:
        measure["gapbs"] = partial(gapbs_times, options.gapbs)
    count = QUICK_SOURCES if options.quick else SOURCES
    rows = []
    names = [*QUICK] if options.quick else [*GRAPHS]
    if options.graphs:
        names = [name for name in GRAPHS if any(p in name for p in options.graphs.split(","))]
    for name in names:
        for dtype, weights in WEIGHTS.items():
            if options.quick and dtype != "int32":
                continue
            # Parallel arcs merged: SciPy's matrices would add them up.
            raw = GRAPHS[name](weights)
            graph = wp.Graph.from_edges(
                *raw.edges(), n=raw.num_vertices, directed=False, merge="min"
            )
            del raw
            sources = draw_sources(graph, count)
            times = {"warpath": warpath_times(graph, sources)}
            for peer, run in measure.items():
                times[peer] = run(graph, sources)
            for algorithm in ("bfs", "sssp"):
                row: dict[str, Any] = {"graph": name, "weights": dtype, "algorithm": algorithm}
                row |= {who: of[algorithm] for who, of in times.items() if algorithm in of}
                rows.append(row)
                print(".", end="", file=sys.stderr, flush=True)
    if "scipy" in peers:
        rows.append(negative_weights(options.quick))
    print(file=sys.stderr)
    show(rows, [*measure])
    if options.json:
        facts = {
            "threads": wp.num_threads(), "machine": platform.processor(), "sources": count,
            # Not one by one: a row has a peer's milliseconds under the peer's name.
            "versions": {name: version(name) for name in ("warpath", "numpy", "numba", *peers)},
        }  # fmt: skip
        with options.json.open("a") as file:
            for row in rows:
                file.write(json.dumps(row | facts) + "\n")


def show(rows: list[dict[str, Any]], peers: list[str]) -> None:
    """Print the table as Markdown: milliseconds, and how many times ours a peer takes."""
    print(f"| graph | weights | | warpath, ms | {' | '.join(f'{peer}, ms' for peer in peers)} |")
    print("| --- " * (4 + len(peers)) + "|")
    for row in rows:
        cells = [f"{row['warpath']:.1f}"]
        for peer in peers:
            if peer in row:
                cells.append(f"{row[peer]:.0f} (**{row[peer] / row['warpath']:.1f}×**)")
            else:
                cells.append("–")
        print(f"| {row['graph']} | {row['weights']} | {row['algorithm']} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
