"""Graphs for the benchmarks next to this file, by name: weights 1 … 255, made on the GPU where it can.

A maker takes ``small=True`` for a graph of the same family and degree, of some thousand vertices, on which
a search takes the same kernels. Nothing here but warpath's public functions: an older build makes them
too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

import warpath as wp

Maker = Callable[..., wp.Graph]

WEIGHTS = (1, 255)
HOW: dict[str, Any] = {"weights": WEIGHTS, "seed": 1, "device": "cuda"}
# Of small graphs. Sparse ones of fewer than 4,096 vertices take no kernel without barriers.
SMALL_SCALE, SMALL_SIDE, SMALLER = 13, 128, 1 / 100


def rmat(scale: int, factor: int, **options: Any) -> Maker:
    """R-MAT of 2^scale vertices, ``factor`` edges each."""

    def make(small: bool = False) -> wp.Graph:
        vertices = min(scale, SMALL_SCALE) if small else scale
        return wp.generate.rmat(vertices, factor, **HOW, **options)

    return make


def uniform(n: int, edges: int) -> Maker:
    """G(n, m)."""

    def make(small: bool = False) -> wp.Graph:
        by = max(1, n >> SMALL_SCALE) if small else 1
        return wp.generate.erdos_renyi(n // by, edges // by, **HOW)

    return make


def grid(rows: int, columns: int) -> Maker:
    """A grid with 90 % of its edges."""

    def make(small: bool = False) -> wp.Graph:
        sides = (min(side, SMALL_SIDE) if small else side for side in (rows, columns))
        return wp.generate.grid(*sides, keep=0.9, **HOW)

    return make


def stand_in(name: str, scale: float = 1.0) -> Maker:
    """A graph like one of a paper's."""

    def make(small: bool = False) -> wp.Graph:
        from warpath.bench import paper_graphs
        from warpath.bench.paper_weights import weighted

        times = scale * SMALLER if small else scale
        return weighted(paper_graphs.graph(name, times, device=HOW["device"])[0], "positive")

    return make


def star_and_path(leaves: int, length: int) -> Maker:
    """A hub with leaves, one of which begins a path."""

    def make(small: bool = False) -> wp.Graph:
        arms = min(leaves, 2**SMALL_SCALE) if small else leaves
        star, path = np.arange(1, arms + 1), np.arange(arms, arms + length)
        source, target = np.r_[star * 0, path], np.r_[star, path + 1]
        weight = np.random.default_rng(1).integers(*WEIGHTS, len(source), np.int32, endpoint=True)
        return wp.Graph.from_edges(source, target, weight, n=arms + length + 1, directed=False)

    return make


GRAPHS: dict[str, Maker] = {
    "R-MAT 16, 16": rmat(16, 16),
    "R-MAT 18, 16": rmat(18, 16),
    "R-MAT 20, 16": rmat(20, 16),
    "R-MAT 22, 16": rmat(22, 16),
    "R-MAT 23, 16": rmat(23, 16),
    "R-MAT 15, 64": rmat(15, 64),
    "R-MAT 18, 64": rmat(18, 64),
    "R-MAT 20, 64": rmat(20, 64),
    "R-MAT 17, 32": rmat(17, 32),
    "R-MAT 18, 32": rmat(18, 32),
    "R-MAT 19, 8": rmat(19, 8),
    "R-MAT 22, 2": rmat(22, 2),
    "R-MAT 20, 8, directed": rmat(20, 8, directed=True),
    "G(2¹⁸, 2²²)": uniform(2**18, 2**22),
    "G(2¹⁸, 2²⁴)": uniform(2**18, 2**24),
    "G(2²⁰, 2²⁴)": uniform(2**20, 2**24),
    "G(2²², 2²⁶)": uniform(2**22, 2**26),
    "G(2.4 M, 3.6 M)": uniform(2_400_000, 3_600_000),
    "grid 1024²": grid(1024, 1024),
    "grid 2048²": grid(2048, 2048),
    "grid 64 × 16384": grid(64, 16384),
    **{
        name: stand_in(name)
        for name in (
            "msdoor", "cage15", "audikw1", "delaunay_n20", "kkt_power", "Patents", "rmat20", "ER23",
            "rmat.3Mv.20Me", "flickr", "as-Skitter", "LiveJournal", "kron_g500-logn20",
            "coPapersCiteseer",
        )
    },
    "road-W, a third": stand_in("road-W", 1 / 3),
}  # fmt: skip
"""Those on which `gpu_auto.py` looks whether the default is the best."""

OTHERS: dict[str, Maker] = {
    "R-MAT 12, 16": rmat(12, 16),
    "R-MAT 14, 16": rmat(14, 16),
    "R-MAT 29, 8": rmat(29, 8),  # offsets of 64 bits
    "grid 200²": grid(200, 200),
    "star and path": star_and_path(2**20, 1000),
    **{name: stand_in(name) for name in ("great-britain_osm", "web-NotreDame", "circuit5M")},
}
"""Others that a search of `gpu_builds.py` may name."""
