"""How stand-ins are made: a recipe for each family.

On either device it is the same graph; families whose generator runs on CPUs alone are made there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import generate
from warpath.bench.paper_graphs.degree_law import Law, fit
from warpath.bench.paper_graphs.published import Published
from warpath.generate.counter import Stream, shuffled, stream_key
from warpath.graph.graph import Graph
from warpath.parallel.jit import compiled
from warpath.typing import BuildDeviceName

Integers = NDArray[np.int64]
Make = Callable[[int, Published, int, BuildDeviceName], Graph]
"""A graph of (vertices, what the table says, seed, device)."""


@dataclass(frozen=True)
class Recipe:
    """How a stand-in is made.

    Attributes
    ----------
    sentence : str
        What it makes.
    make : callable
    kind : {"stand-in", "generated", "fitted"}
        "generated": the paper drew its graph by the same rule; "fitted": by the same rule with
        other parameters, which are fitted to what its table prints.
    """

    sentence: str
    make: Make
    kind: str = "stand-in"


# Where fewer roads are kept the map falls apart (percolation); where all are, it is a grid.
_KEPT = (0.55, 0.999)
_STEPS = 50  # halvings of an interval: beyond the digits of a double
_GTGRAPH_SHARE = 0.75  # of the upper half that its upper left quarter has, by default 0.45 of 0.6
_RETURNED = 0.5  # guess: the share of arcs that lead where arcs come from; the others anywhere
_LEAST_DEGREE = 1e-9  # no division by zero; degrees of zero stay
_ROUNDS = 6  # measured: the last changes the degree of no table's hub by 1 %
_MOST_MORE = 4  # guess: a hub next to almost all vertices would need half-edges without end
_GRIDS = {2: "square", 3: "cubic"}
_SHORTEST_RING = {1: 3, 2: 5, 4: 9}  # vertices: a place, and as far as a reach on both sides


def cube(n: int, aspect: float, shortest: int) -> tuple[int, int, int]:
    """Lengths of a bar with n vertices, about, ``aspect`` times as long as it is wide."""
    side = max(shortest, round((n / aspect) ** (1 / 3)))
    return max(1, round(n / side**2)), side, side


def square(n: int, aspect: float = 1.0) -> tuple[int, int]:
    """Rows and columns of a rectangle with n vertices, about, ``aspect`` times as wide as high."""
    rows = max(2, round((n / aspect) ** 0.5))
    return rows, max(2, round(n / rows))


# -- regular families ----------------------------------------------------------------------------


def roads(*, aspect: float = 1.0, deviation: float | None = None) -> Recipe:
    """A map: see `warpath.generate.roads`; of the mean, the deviation and the maximum printed."""

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        spread = table.deviation if deviation is None else deviation
        keep, pieces = road_shape(table.mean, spread or 0.0)
        crossings = n / (1 + 2 * keep * (pieces - 1))
        rows, columns = square(round(crossings), aspect)
        return generate.roads(
            rows, columns, keep=keep, pieces=pieces, junction=table.largest or 0, seed=seed
        )

    return Recipe("a grid of crossings, some of its roads built, each a path", make)


def road_shape(mean: float, deviation: float) -> tuple[float, float]:
    """Which share of a grid's roads to keep, and of how many pieces, for a mean and a deviation.

    A crossing then has 4 · keep roads on average (binomial), a bend has two pieces, and for
    each crossing there are 2 · keep · (pieces − 1) bends.
    """

    def of(keep: float) -> tuple[float, float]:
        """Pieces and deviation that a share makes, with the mean as wanted."""
        pieces = max(1.0, mean * (1 - 2 * keep) / (2 * keep * (2 - mean)))
        bends = 2 * keep * (pieces - 1)
        squares = 4 * keep * (1 - keep) + (4 * keep) ** 2 + 4 * bends
        return pieces, max(0.0, squares / (1 + bends) - mean**2) ** 0.5

    # More roads need more bends for the same mean, and all bends have degree 2. From mean / 4 on
    # there are bends at all.
    low, high = max(_KEPT[0], mean / 4), _KEPT[1]
    for _ in range(_STEPS):
        keep = (low + high) / 2
        low, high = (keep, high) if of(keep)[1] > deviation else (low, keep)
    return keep, of(keep)[0]


def mesh(
    neighbors: float | tuple[float, float],
    *,
    aspect: float = 1.0,
    reach: int = 2,
    sentence: str = "a bar of finite elements",
) -> Recipe:
    """A bar of finite elements: see `warpath.generate.mesh`."""

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        shape = cube(n, aspect, _SHORTEST_RING[reach])
        return generate.mesh(shape, neighbors, loops=True, periodic=True, seed=seed)

    return Recipe(sentence, make)


def stencil(dimensions: int) -> Recipe:
    """A regular grid, each vertex joined to those along the axes and to itself."""

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        side = max(2, round(n ** (1 / dimensions)))
        return generate.mesh((side,) * dimensions, 2 * dimensions, loops=True)

    return Recipe(
        f"a {2 * dimensions + 1}-point stencil on a {_GRIDS[dimensions]} grid", make, "generated"
    )


def _hexagons(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
    """A wall of bricks."""
    return generate.hexagonal(*square(n))


hexagons = Recipe("a wall of hexagons", _hexagons)


def _triangulation(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
    """Random points in a square."""
    return generate.delaunay(n, seed=seed)


triangulation = Recipe("the Delaunay triangulation of random points", _triangulation, "generated")


# -- families with a degree law --------------------------------------------------------------------


def law_of(table: Published, given: tuple[float, float] | None) -> Law:
    """The law of the table's figures; ``given`` is (deviation, largest) where it does not print them."""
    deviation, largest = given or (table.deviation, table.largest)
    if deviation is None or largest is None:
        raise ValueError(f"{table.where} prints no deviation and maximum: give them")
    return fit(round(table.vertices), table.mean, deviation, largest)


def drawn(law: Law, n: int, seed: int) -> Integers:
    """Its degrees for n vertices, in random order."""
    out = np.empty(n, np.int64)
    _deal(law.degrees(n), max(1, (n - 1).bit_length()), stream_key(seed, Stream.VERTEX_IDS), out)
    return out


@compiled
def _deal(values, width, key, out):  # type: ignore[no-untyped-def]
    """Write the values to places in random order."""
    for i in range(out.shape[0]):
        out[shuffled(i, out.shape[0], width, key)] = values[i]


def circuit(reach: int) -> Recipe:
    """Short arcs, of degrees as the table's: see `warpath.generate.local`."""

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        shape = cube(n, 1.0, _SHORTEST_RING[reach])
        degree = drawn(law_of(table, None), int(np.prod(shape)), seed)
        return generate.local(shape, degree, reach=reach, loops=True, seed=seed)

    return Recipe("short arcs between places of a lattice, degrees of the table's", make)


def power_law(given: tuple[float, float] | None = None) -> Recipe:
    """Degrees under a power law, joined at random: see `warpath.generate.configuration`.

    Half of a directed graph's arcs lead to vertices in proportion to the roots of their
    out-degrees, and half to any. Hubs of an undirected graph get more half-edges than their
    degree, because some of their edges will be parallel and merge.
    """

    figures = "mean" if given else "mean, deviation and maximum"

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        degree = drawn(law_of(table, given), n, seed)
        if not table.directed:
            degree = before_merging(degree)
            degree[degree.argmin()] += degree.sum() % 2  # an edge has two ends
            return generate.configuration(degree, simple=True, seed=seed, device=device)
        total, root = int(degree.sum()), np.sqrt(degree)
        wanted = total * (_RETURNED * root / root.sum() + (1 - _RETURNED) / n)
        sums = np.floor(np.cumsum(wanted) + 0.5).astype(np.int64)
        sums[-1] = total
        return generate.configuration(
            degree, np.diff(sums, prepend=0), simple=True, seed=seed, device=device
        )

    return Recipe(f"degrees under a power law of the table's {figures}, joined at random", make)


def before_merging(degree: Integers) -> Integers:
    """How many half-edges leave about ``degree`` neighbours when parallel edges have been merged.

    Two vertices with a and b of S half-edges are joined with probability 1 − exp(−a · b / S).
    """
    values, which, count = np.unique(degree, return_inverse=True, return_counts=True)
    stubs = np.maximum(values, _LEAST_DEGREE).astype(np.float64)
    for _ in range(_ROUNDS):
        total = stubs @ count
        joined = np.array([-np.expm1(-a * stubs / total) @ count for a in stubs])
        stubs *= values / joined
    return np.rint(np.minimum(stubs, _MOST_MORE * values)).astype(np.int64)[which]


# -- generators that the papers use themselves -----------------------------------------------------


def rmat(
    half: float = 0.6,
    *,
    share: float = _GTGRAPH_SHARE,
    sentence: str = "R-MAT, GTgraph's quarters",
    kind: str = "generated",
    **options: Any,
) -> Recipe:
    """R-MAT with so large a part of the edges in the upper half, and in the left one.

    GTgraph's default is 0.6, in quarters of 0.45, 0.15, 0.15, 0.25; Graph500's is 0.76.
    """
    a = half * share
    quarters = {"a": a, "b": half - a, "c": half - a}

    def make(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
        factor = table.mean if table.directed else table.mean / 2
        bits = max(1, (n - 1).bit_length())
        graph: Graph = generate.rmat(
            bits, **{"edge_factor": factor, **quarters, **options},
            n=n, directed=table.directed, seed=seed, device=device,
        )  # fmt: skip
        return graph

    return Recipe(sentence, make, kind)


fitted_rmat = partial(
    rmat, sentence="R-MAT, the quarters' shares fitted to the table", kind="fitted"
)
graph500 = partial(
    rmat, 0.76, share=0.75, sentence="R-MAT, Graph500's quarters"
)  # quarters of 0.57, 0.19, 0.19, 0.05


def _random(n: int, table: Published, seed: int, device: BuildDeviceName) -> Graph:
    """G(n, m)."""
    pairs = n * (n - 1) // (1 if table.directed else 2)
    m = round(table.mean * n / (1 if table.directed else 2))
    return generate.erdos_renyi(n, min(m, pairs), directed=table.directed, seed=seed, device=device)


random = Recipe("G(n, m)", _random, "generated")
