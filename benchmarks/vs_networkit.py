"""Components, diameters, eccentricities, pairs, forests, all pairs on the CPU, next to GAPBS, NetworKit, igraph and rustworkx.

    pip install networkit igraph rustworkx
    python benchmarks/vs_networkit.py [--rounds 5] [--threads 2] [--gapbs FOLDER] [--road FILE]

Prints the least milliseconds of warpath and of each peer, interleaved, and the peer's over warpath's. Answers are
compared, but for GAPBS's, which verifies its own. A peer that is not installed is left out; GAPBS is where ``FOLDER/cc`` is.
"""

import argparse
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

import warpath as wp

PAIRS = 200
Row = tuple[str, Callable[[], Any], dict[str, Callable[[], Any]]]


def networkit_graph(graph: wp.Graph, threads: int) -> Any:
    """The same graph, in NetworKit."""
    import networkit

    networkit.setNumberOfThreads(threads)
    source, target, weight = graph.edges()
    weights = np.ones(len(source)) if weight is None else weight.astype(float)
    return networkit.GraphFromCoo(
        (weights, (source, target)), n=graph.num_vertices, weighted=weight is not None
    )


def igraph_graph(graph: wp.Graph) -> Any:
    """The same graph, in igraph."""
    import igraph

    source, target, _ = graph.edges()
    return igraph.Graph(graph.num_vertices, np.stack([source, target], 1))


def rustworkx_graph(graph: wp.Graph) -> Any:
    """The same graph, in rustworkx."""
    import rustworkx

    source, target, weight = graph.edges()
    there = rustworkx.PyGraph(multigraph=True)
    there.add_nodes_from(range(graph.num_vertices))
    there.add_edges_from(
        list(zip(source.tolist(), target.tolist(), weight.astype(float).tolist(), strict=True))
    )
    return there


def undirected(graph: wp.Graph) -> wp.Graph:
    """The same without weights, each edge in both directions."""
    source, target, _ = graph.edges()
    return wp.Graph.from_edges(source, target, n=graph.num_vertices, directed=False, merge="min")


class Milliseconds(float):
    """The time that a peer has measured itself, instead of an answer."""


def components(name: str, graph: wp.Graph, gapbs: Path | None, threads: int) -> Row:
    """Connected components; GAPBS's Afforest by its own clock."""
    peers: dict[str, Callable[[], Any]] = {}
    if gapbs is not None:
        folder = tempfile.TemporaryDirectory()
        file = Path(folder.name, "graph.sg")
        wp.write(graph.without_weights(), file)

        def run(folder: object = folder) -> Milliseconds:  # which lives as long
            done = subprocess.run(
                [gapbs / "cc", "-f", file, "-n", "3"],
                env=os.environ | {"OMP_NUM_THREADS": str(threads)},
                check=True, capture_output=True, text=True,
            )  # fmt: skip
            return Milliseconds(
                1e3 * min(map(float, re.findall(r"Trial Time:\s+(\S+)", done.stdout)))
            )

        peers["GAPBS"] = run
    return f"components, {name}", lambda: wp.connected_components(graph, device="cpu")[1], peers


def diameter(name: str, graph: wp.Graph, threads: int) -> Row:
    """In hops, exactly."""
    peers: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        import networkit

        there = networkit_graph(graph, threads)
        largest = networkit.components.ConnectedComponents.extractLargestConnectedComponent(
            there, True
        )

        def run() -> int:
            search = networkit.distance.Diameter(
                largest, algo=networkit.distance.DiameterAlgo.EXACT
            )
            search.run()
            return int(search.getDiameter()[0])

        peers["NetworKit"] = run
    return f"diameter, {name}", lambda: wp.diameter(graph, weighted=False), peers


def eccentricities(name: str, graph: wp.Graph) -> Row:
    """In hops, of all vertices; their sum."""
    peers: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        there = igraph_graph(graph)
        peers["igraph"] = lambda: int(sum(there.eccentricity()))
    return (
        f"all eccentricities, {name}",
        lambda: int(wp.eccentricity(graph, weighted=False).sum()),
        peers,
    )


def pairs(name: str, graph: wp.Graph) -> Row:
    """Shortest paths by hops between random vertices of the largest component; the sum of their lengths."""
    labels, _ = wp.connected_components(graph, device="cpu")
    vertices = np.flatnonzero(labels == np.bincount(labels).argmax())
    ends = np.random.default_rng(1).choice(vertices, (PAIRS, 2)).tolist()
    peers: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        import networkit

        there = networkit_graph(graph, 1)

        def run() -> int:
            total = 0
            for source, target in ends:
                search = networkit.distance.BidirectionalBFS(there, source, target)
                search.run()
                total += int(search.getDistance())
            return total

        peers["NetworKit"] = run
    return (
        f"{PAIRS} pairs, {name}",
        lambda: sum(wp.shortest_path(graph, *pair, weighted=False).length for pair in ends),
        peers,
    )


def forest(name: str, graph: wp.Graph) -> Row:
    """A minimum spanning forest; its weight."""
    peers: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        import rustworkx

        there = rustworkx_graph(graph)
        peers["rustworkx"] = lambda: int(
            sum(edge[2] for edge in rustworkx.minimum_spanning_edges(there, weight_fn=float))
        )
    return (
        f"spanning forest, {name}",
        lambda: int(wp.minimum_spanning_forest(graph).edges()[2].sum()),
        peers,
    )


def all_pairs(name: str, graph: wp.Graph, threads: int) -> Row:
    """Distances by weight; their sum."""
    peers: dict[str, Callable[[], Any]] = {}
    with suppress(ImportError):
        import networkit

        there = networkit_graph(graph, threads)

        def run() -> int:
            search = networkit.distance.APSP(there)
            search.run()
            return int(np.sum(search.getDistances(asarray=True)))

        peers["NetworKit"] = run
    return (
        f"all pairs, {name}",
        lambda: int(wp.apsp(graph, device="cpu").distance.sum(dtype=np.int64)),
        peers,
    )


def rows(threads: int, gapbs: Path | None, road: Path | None) -> list[Row]:
    """What is measured."""
    rmat = wp.generate.rmat(18, 16, directed=False, seed=1)
    grid = wp.generate.grid(300, keep=0.9, seed=3)
    roads = wp.generate.grid(1000, keep=0.8, seed=2, weights=(1, 1000))
    of_roads = [] if road is None else [eccentricities(road.name, undirected(wp.read(road)))]
    return [
        components("R-MAT 18", rmat, gapbs, threads),
        components("R-MAT 20", wp.generate.rmat(20, 16, seed=1), gapbs, threads),
        components("G(2²⁰, 2²⁴)", wp.generate.erdos_renyi(2**20, 2**24, seed=1), gapbs, threads),
        components("grid 1000², 0.8", roads, gapbs, threads),
        diameter("R-MAT 18", rmat, threads),
        diameter("grid 300², 0.9 of the edges", grid, threads),
        diameter("grid 1000², 0.8", roads.without_weights(), threads),
        eccentricities("grid 100², 0.9", wp.generate.grid(100, keep=0.9, seed=1)),
        *of_roads,
        pairs("R-MAT 18", rmat),
        forest("grid 1000², 0.8", roads),
        forest("R-MAT 16", wp.generate.rmat(16, 16, directed=False, seed=1, weights=(1, 255))),
        all_pairs("grid 45²", wp.generate.grid(45, weights=(1, 255)), threads),
    ]


def main() -> None:
    """See the head of this file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--gapbs", type=Path, metavar="FOLDER", help="where its program cc is")
    parser.add_argument("--road", type=Path, metavar="FILE", help="a road network")
    given = parser.parse_args()
    wp.set_num_threads(given.threads)
    for name, ours, peers in rows(given.threads, given.gapbs, given.road):
        runs = {"warpath": ours, **peers}
        answers = {who: run() for who, run in runs.items()}
        compared = {one for one in answers.values() if not isinstance(one, Milliseconds)}
        if len(compared) > 1:
            print(f"{name}: different answers {answers}")
        least = dict.fromkeys(runs, float("inf"))
        for _ in range(given.rounds):
            for who, run in runs.items():
                begin = perf_counter()
                answer = run()
                ms = 1e3 * (perf_counter() - begin)
                least[who] = min(least[who], answer if isinstance(answer, Milliseconds) else ms)
        shown = [
            f"{who} {ms:9.2f} ms ({ms / least['warpath']:5.2f}×)"
            for who, ms in least.items()
            if who != "warpath"
        ]
        print(f"{name:42} {least['warpath']:9.2f} ms   {'   '.join(shown)}", flush=True)


if __name__ == "__main__":
    main()
