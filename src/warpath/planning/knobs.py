"""Knobs of balances by the degrees of a graph: how wide virtual warps are, which vertices get a child grid."""

import numpy as np
from numpy.typing import NDArray

from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.balance.technique import WARP_LANES
from warpath.balance.virtual_warp import VirtualWarp
from warpath.graph.arrays import module_of, to_host
from warpath.graph.graph import Graph
from warpath.planning.cache import kept

WIDTHS: tuple[int, ...] = VirtualWarp.choices()["width"][1:]
CHILD_GRID_THRESHOLDS: tuple[int, ...] = DynamicVirtualWarp.choices()["dynamic_parallelism"][2:]
"""What the knobs offer besides "auto", and 0."""

# Of an H200, in blocks of 512 threads.
_RESIDENT_WARPS = 132 * 32
# What a warp's next vertices cost, in edges of a lane: their offsets and predecessors. With 1, 2 and 4
# the model below gives the times of survey figures 12 to 15, up to a factor for each graph, within 35 %, and
# widths at most 11 % slower than the best (H200, 2026-11).
_START = 2.0
# The device's places for child grids that have not begun: the default of cudaLimitDevRuntimePendingLaunchCount.
_PENDING_GRIDS = 2048
# Standard deviations above the mean from which a degree is far from it: a guess.
_FAR = 3.0


@kept
def width(graph: Graph) -> int:
    """How many lanes should share a vertex: Hong et al., section 4.1, ask to choose it for each graph.

    Notes
    -----
    A model of one frontier of all vertices. 32 / W vertices share a warp, which takes as many steps as the largest
    of them, ⌈d / W⌉. For vertices in random order that is, where F is the distribution of these numbers,

        E(W) = Σ over t of 1 − F(t)^(32 / W)

    All resident warps share n · W / 32 such groups, and none ends before the largest vertex does:

        T(W) = n · W / 32 · (E(W) + start) / warps + ⌈largest degree / W⌉
    """
    counts = degree_counts(graph).astype(np.float64)
    counts[:1] = 0  # a vertex without edges is in no frontier
    return min(WIDTHS, key=lambda one: _steps(counts, one))


def _steps(counts: NDArray[np.float64], width: int) -> float:
    """The model's T."""
    vertices, group = counts.sum(), WARP_LANES // width
    if vertices == 0:
        return 0.0
    rows = -(-np.arange(len(counts)) // width)
    at_most = np.cumsum(np.bincount(rows, weights=counts)) / vertices
    expected = float((1 - at_most**group).sum())
    return float(vertices / group * (expected + _START) / _RESIDENT_WARPS + rows[-1])


@kept
def child_grid_threshold(graph: Graph) -> int:
    """Edges above which a vertex should get a child grid, T_DP of H-BF and BFS-4K; 0: none should.

    The least that the knob offers, which is far above the mean degree, and which no more vertices exceed than the
    device has places for child grids. H-BF asks for vertices "far from the average" (section 5.3) and takes
    4,096 for all graphs.
    """
    return _threshold(degree_counts(graph))


def _threshold(counts: NDArray[np.int64]) -> int:
    degrees, vertices = np.arange(len(counts), dtype=np.float64), max(int(counts.sum()), 1)
    mean = float(degrees @ counts) / vertices
    far = mean + _FAR * float(np.sqrt(((degrees - mean) ** 2) @ counts / vertices))
    for threshold in CHILD_GRID_THRESHOLDS:
        above = int(counts[threshold + 1 :].sum())
        if above == 0:
            return 0
        if threshold >= far and above <= _PENDING_GRIDS:
            return threshold
    return CHILD_GRID_THRESHOLDS[-1]


@kept
def degree_counts(graph: Graph) -> NDArray[np.int64]:
    """How many vertices have each degree, up to the largest."""
    offsets = graph.resident.row_offsets
    degree = (offsets[1:] - offsets[:-1]).astype(np.int64)
    return np.asarray(to_host(module_of(degree).bincount(degree, minlength=1)), np.int64)
