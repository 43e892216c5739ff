"""warpath compared with what people use now: a suite of warpath's own."""

from math import log2
from typing import TYPE_CHECKING

from warpath.bench.suite import Case, Configuration, Suite
from warpath.bench.suites.listing import suite

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

_WEIGHTS = (1, 255)


@suite("peers")
def peers() -> Suite:
    """Breadth-first search and shortest paths next to other libraries and programs that are here.

    Same graphs (R-MAT, uniform, a grid; each edge once), same sources, one run. Weights are
    integers; one R-MAT graph has float64, and one graph negative ones (potentials, no negative
    cycle), where peers that have Bellman-Ford's algorithm run it. Each peer by its
    own clock: what its time contains, and what its answer lacks, stands in ``extra.rules`` of its
    trials. Times of warpath are with predecessors.
    """
    from warpath import generate
    from warpath.bench.peers import PEERS

    def size(scale: float, exponent: int) -> int:
        return max(6, exponent + round(log2(scale)))

    def directed_random(n: int, seed: int) -> "Graph":
        return generate.erdos_renyi(n, 10 * n, directed=True, weights=_WEIGHTS, seed=seed)

    graphs = {
        "R-MAT 20": lambda scale, seed, device: generate.rmat(
            size(scale, 20), weights=_WEIGHTS, seed=seed, simple=True, device=device
        ),
        "G(2²⁰, 2²⁴)": lambda scale, seed, device: generate.erdos_renyi(
            2 ** size(scale, 20),
            2 ** (size(scale, 20) + 4),
            weights=_WEIGHTS,
            seed=seed,
            device=device,
        ),
        "grid 1000²": lambda scale, seed, device: generate.grid(
            max(8, round(1000 * scale**0.5)), keep=0.9, weights=_WEIGHTS, seed=seed, device=device
        ),
        "R-MAT 18, float64": lambda scale, seed, device: generate.rmat(
            size(scale, 18), weights=(0.0, 1.0), seed=seed, simple=True, device=device
        ),
        "G(16,000, 160,000), negative": lambda scale, seed, _: generate.negative_weights(
            directed_random(max(64, round(16_000 * scale)), seed), seed
        ),
    }
    configurations = []
    for algorithm in ("bfs", "sssp"):
        configurations += [
            Configuration(f"{algorithm}, warpath", algorithm, "cpu"),
            Configuration(f"{algorithm}, warpath on a GPU", algorithm, "cuda", {"trace": False}),
            *(
                Configuration(f"{algorithm}, {name}", algorithm, peer.device, by=name)
                for name, peer in PEERS.items()
            ),
        ]
    return Suite(
        "next to other libraries",
        tuple(Case(name, build=build, recipe="warpath.generate") for name, build in graphs.items()),
        tuple(configurations),
    )
