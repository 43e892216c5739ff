"""How rows of distances, from many sources, are made."""

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from warpath.graph.distance import fits, longest_path
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.planning import memory
from warpath.planning.shortest_paths import relaxation
from warpath.typing import BuildDeviceName

RowsWay = Literal["bits", "dijkstra", "johnson", "each"]
"""Breadth-first searches at once, a bit each; a call for many searches of Dijkstra's algorithm; Johnson's
algorithm; a search by itself for each source."""

# Bit-parallel searches cost a vertex some 0.2 µs in each level in which one comes to it, 512
# single ones 6 µs. Measured: 6 levels of R-MAT 16, 20 times faster; 600 of a grid, 10 times slower.
_LEVELS = 32
# What the calls of single searches cost, in levels of one vertex. Measured with Zen 5: of 900 to
# 40,000 vertices of grids and paths bit-parallel ones are as fast at two to four times the limit.
_CALLS = 2**20
_SMALL_BYTES = (
    2**22
)  # whether so little is free is not looked at: that takes longer than the searches
# Vertices up to which one call for many sources is faster than a search by itself on each thread. Measured with
# Zen 5 on two threads, 2026-11: 4 times faster at 400, 2.7 at 900, 1.1 to 2 at 2,000 vertices of grids, roads, R-MAT
# and random graphs; 0.8 and 0.9 at 3,000.
SMALL = 2048
MANY = 8  # sources, from which on a bit each may be faster: a guess
_MANY_SIGNED = (
    2  # from which on Johnson's algorithm is faster than Bellman-Ford's from each: a guess
)
_SPACE = 0.25  # of the free memory, that their bits may take: a guess


def method_of_rows(graph: Graph, algebra: PathAlgebra, sources: int) -> tuple[str, str]:
    """The method for that number of sources, and why."""
    if algebra.is_boolean or (algebra.adds and graph.weight_dtype is None):
        why = "weights do not matter" if algebra.is_boolean else "each arc counts 1"
        return "bfs" if sources >= MANY else "sssp", why
    signed = algebra.adds and graph.weight_range[0] < 0
    if signed and sources >= _MANY_SIGNED:
        return "johnson", "a weight is negative"
    return "sssp", "a weight is negative" if signed else "non-negative weights"


def way_of_rows(
    method: str,
    graph: Graph,
    algebra: PathAlgebra,
    dtype: np.dtype[Any],
    device: str,
    bits_nbytes: int,
    has_few_levels: Callable[[Graph, int], bool],
) -> RowsWay:
    """How a method's rows are made.

    Parameters
    ----------
    method : {"sssp", "johnson", "bfs"}
        "bfs": of a graph without weights, or for a boolean algebra.
    dtype : dtype
        The distances' dtype.
    bits_nbytes : int
        What bit-parallel searches take.
    has_few_levels : callable
        Whether a breadth-first search from the vertex of the largest degree has at most that number of levels.
    """
    if method == "johnson" and algebra.adds and graph.weight_range[0] < 0:
        return "johnson"
    if device == "cpu" and method == "bfs" and _fit(bits_nbytes) and _few(graph, has_few_levels):
        return "bits"
    return "dijkstra" if device == "cpu" and _is_small(graph, algebra, dtype) else "each"


def _few(graph: Graph, has_few_levels: Callable[[Graph, int], bool]) -> bool:
    """Whether bit-parallel searches go through so few levels that they are faster than single ones."""
    limit = _LEVELS + _CALLS // max(graph.num_vertices, 1)
    if graph.num_vertices <= limit:
        return True
    return has_few_levels(graph, limit)


def _fit(nbytes: int) -> bool:
    """Whether so much is there for bits; of no vertices there are none."""
    return nbytes > 0 and (nbytes <= _SMALL_BYTES or nbytes <= _SPACE * memory.free())


def _is_small(graph: Graph, algebra: PathAlgebra, dtype: np.dtype[Any]) -> bool:
    """Whether one call for many sources is faster, and all distances are known to fit."""
    own = graph.weight_dtype
    if not algebra.adds or own is None or graph.num_vertices > SMALL:
        return False
    same = own.kind == "i" or own == dtype
    return same and graph.weight_range[0] >= 0 and fits(longest_path(graph), dtype)


def goes_backwards(
    graph: Graph,
    algebra: PathAlgebra,
    sources: int,
    targets: int | None,
    dtype: np.dtype[Any],
    device: BuildDeviceName,
) -> bool:
    """Whether searches from the targets, on the reversed graph, are fewer and find the same to the bit."""
    if targets is None or targets >= sources or algebra.multiplies:
        return False
    if not algebra.adds:
        return True
    if graph.weight_range[0] < 0:
        return False
    run = relaxation(graph, algebra, "auto", False, None, None, dtype, device)
    # Distances that do not fit would be others': those from all vertices to the targets.
    return dtype.kind == "i" and run.dtype == dtype and not run.may_overflow
