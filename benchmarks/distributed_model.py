"""How far do graphs in parts scale? A cost model of breadth-first search, and what parts look like.

    python benchmarks/distributed_model.py parts [--scale 18]
    python benchmarks/distributed_model.py model [--scale 30] [--edge-factor 16]

``parts`` cuts graphs and counts: the arcs of the fullest rank over the mean, and ghosts per rank over
n, for three ways to give vertices to ranks, and METIS for the grid. For R-MAT with random ids next to the ghosts that ``model`` expects.

``model`` is for R-MAT on GPUs. A vertex whose bits have z zeros has an expected degree d = 2 m 0.76^z 0.24^(s−z), and
is a ghost on another one of p ranks with probability 1 − exp(−d / p). A bottom-up level brings a bit for each ghost.
A hub that is delegated has its arcs on all ranks, in equal shares, for one more collective a level that tells all of it. That
pays if its owner looks at the arcs beyond a rank's share for longer.
"""

import argparse
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

import warpath as wp
from warpath.planning.partition import cut

RANKS = (1, 2, 4, 8, 16, 64, 256, 1024)
UPPER = 0.76  # of Graph500's R-MAT: the share of edges whose end has a 0 at a bit
# H200 (2026-11): R-MAT 30 on four, 34.4 G arcs in 23.2 ms; a peer copy over NVLink; a small NCCL collective.
ARCS_PER_SECOND, NVLINK, COLLECTIVE = 0.37e12, 390e9, 35e-6
NETWORK, PER_PEER = (
    50e9,
    0.5e-6,
)  # 400 Gb/s per GPU; what one more peer adds to an all-to-all: guesses
GPUS_PER_HOST = 8
LEVELS, BOTTOM_UP_LEVELS = 7, 3
COLLECTIVES_PER_LEVEL = 3  # header and data of what was found; the counts travel in a header


def expected_ghosts(scale: int, edge_factor: float, ranks: int) -> float:
    """Per rank."""
    total, m = 0.0, edge_factor * 2.0**scale
    for zeros in range(scale + 1):
        degree = 2 * m * UPPER**zeros * (1 - UPPER) ** (scale - zeros)
        total += math.comb(scale, zeros) * -math.expm1(-degree / ranks)
    return total * (1 - 1 / ranks)


def collective(ranks: int) -> float:
    """Seconds of a small one."""
    return COLLECTIVE + (PER_PEER * ranks if ranks > GPUS_PER_HOST else 0)


def largest_degree(scale: int, edge_factor: float) -> float:
    """The expected arcs of the vertex whose bits are all zeros."""
    return 2 * edge_factor * 2.0**scale * UPPER**scale


def delegated_from(scale: int, edge_factor: float, ranks: int) -> float:
    """Arcs from which a hub is searched faster in shares on all ranks."""
    share = 2 * edge_factor * 2.0**scale / ranks
    return share + LEVELS * collective(ranks) * ARCS_PER_SECOND


def seconds(scale: int, edge_factor: float, ranks: int) -> tuple[float, float, float]:
    """Looking at arcs, bringing bits, and waiting for collectives, of one search."""
    arcs = 2 * edge_factor * 2.0**scale / ranks / ARCS_PER_SECOND
    if ranks == 1:
        return arcs, 0.0, 0.0
    bandwidth = NETWORK if ranks > GPUS_PER_HOST else NVLINK
    bits = BOTTOM_UP_LEVELS * expected_ghosts(scale, edge_factor, ranks) / 8 / bandwidth
    return arcs, bits, LEVELS * COLLECTIVES_PER_LEVEL * collective(ranks)


def model(scale: int, edge_factor: float) -> Iterator[str]:
    """The table of the model."""
    yield "| GPUs | arcs each | ghosts each | MB a bottom-up level | arcs ms | bits ms | waiting ms | GTEPS | hubs to divide |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for ranks in RANKS:
        arcs, bits, waiting = seconds(scale, edge_factor, ranks)
        ghosts = expected_ghosts(scale, edge_factor, ranks)
        hub = f"≥ {delegated_from(scale, edge_factor, ranks) / 1e6:,.0f} M" if ranks > 1 else "–"
        teps = edge_factor * 2.0**scale / (arcs + bits + waiting)
        yield (
            f"| {ranks:,} | {2 * edge_factor * 2.0**scale / ranks / 1e6:,.0f} M | {ghosts / 1e6:,.1f} M "
            f"| {ghosts / 8e6:,.1f} | {arcs * 1e3:.2f} | {bits * 1e3:.2f} | {waiting * 1e3:.2f} "
            f"| {teps / 1e9:,.0f} | {hub} |"
        )
    yield f"\nThe largest hub has {largest_degree(scale, edge_factor) / 1e6:,.1f} M arcs."


def owners_by(way: str, graph: wp.Graph, ranks: int) -> NDArray[np.int64]:
    """The rank of each vertex."""
    n = graph.num_vertices
    if way == "blocks":
        load = np.cumsum(graph.degree.astype(np.int64) + 1)
        return np.minimum(load * ranks // (load[-1] + 1), ranks - 1)
    if way == "metis":
        parts = cut(graph, ranks)
        owner = np.empty(n, np.int64)
        owner[parts.order] = np.repeat(np.arange(ranks), np.diff(parts.starts))
        return owner
    if way == "cyclic":
        return np.arange(n) % ranks
    rank = np.empty(n, np.int64)
    rank[np.argsort(-graph.degree, kind="stable")] = np.arange(n) % ranks
    return rank


def parts(scale: int) -> Iterator[str]:
    """The table of parts."""
    side = 1 << scale // 2
    graphs = {
        f"R-MAT {scale}": wp.generate.rmat(scale),
        f"R-MAT {scale}, ids not permuted": wp.generate.rmat(scale, permute=False),
        f"grid {side}²": wp.generate.grid(side),
    }
    yield "| graph | ranks | vertices by | arcs, most over mean | ghosts per rank / n | expected |"
    yield "| --- | ---: | --- | ---: | ---: | ---: |"
    for name, graph in graphs.items():
        source, target, _ = graph.coo()
        for ranks in (4, 16, 64):
            ways = ["blocks", "cyclic", "degree"] + ["metis"] * name.startswith("grid")
            for way in ways:
                owner = owners_by(way, graph, ranks)
                arcs = np.bincount(owner[source], minlength=ranks)
                away = owner[source] != owner[target]
                pairs = np.unique(owner[source[away]] * graph.num_vertices + target[away])
                expected = (
                    f"{expected_ghosts(scale, 16, ranks) / graph.num_vertices:.4f}"
                    if name == f"R-MAT {scale}"
                    else ""
                )
                yield (
                    f"| {name} | {ranks} | {way} | {arcs.max() / arcs.mean():.2f} "
                    f"| {len(pairs) / ranks / graph.num_vertices:.4f} | {expected} |"
                )


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("table", choices=("parts", "model"))
    parser.add_argument("--scale", type=int)
    parser.add_argument("--edge-factor", type=float, default=16)
    given = parser.parse_args()
    rows = (
        parts(given.scale or 18)
        if given.table == "parts"
        else model(given.scale or 30, given.edge_factor)
    )
    for row in rows:
        print(row, flush=True)


if __name__ == "__main__":
    main()
