"""What all pairs should take by each way, in seconds."""

from typing import Any

import numpy as np

from warpath.graph.graph import Graph
from warpath.operators import Algebra
from warpath.planning.partition import Cut, cut

# What "auto" compares. Measured with Zen 5 at 2 threads, 2026-11: a thread of the blocked method
# makes 16 to 20 billion float64 relaxations a second, half as many with predecessors; a search from
# one vertex takes 8 to 14 ns an arc on its thread, and 60 µs in which no other search can start.
_DENSE_BYTES = 130e9  # a second and thread
_ARC, _SEARCH = 12e-9, 60e-6
# Parts, likewise: twice what their relaxations would take at that rate, as products are small, for each
# entry of the answer 10 ns a thread, and for METIS 4 µs an arc.
_PARTS, _ENTRY, _CUT = 2, 10e-9, 4e-6
# How much faster parts must seem, as the one estimate or the other may be wrong. Of undirected planar
# graphs there are fewer arcs a vertex than so many; METIS is not asked about others.
_SURELY, _PLANAR_ARCS = 2, 6
_TRIED_PARTS = 16  # of the one cut that decides whether to look for the best: a guess
# An H200: 8 to 12 trillion float32 relaxations a second; a search of one vertex at a time. Guesses.
_DEVICE_DENSE_BYTES, _DEVICE_SEARCH = 30e12, 1e-3


def seconds(graph: Graph, work: np.dtype[Any], device: str, threads: int) -> tuple[float, float]:
    """What distances should take by the blocked method, and by searches."""
    n, m = graph.num_vertices, graph.num_arcs
    if device == "cuda":
        return n**3 * work.itemsize / _DEVICE_DENSE_BYTES, n * _DEVICE_SEARCH
    return n**3 * work.itemsize / (_DENSE_BYTES * threads), n * (_SEARCH + _ARC * m / threads)


def parts_for(
    graph: Graph,
    algebra: Algebra,
    work: np.dtype[Any],
    device: str,
    predecessors: bool,
    threads: int,
) -> Cut | None:
    """The parts that "auto" cuts a graph into, None if that should not save half of the time.

    Only on the CPU, where it was measured; without predecessors, with which it saves little; and where
    sums do not round, so that the answer is the one of searches, to the bit.
    """
    n, m = graph.num_vertices, graph.num_arcs
    exact = work.kind != "f" or algebra.selects
    if device != "cpu" or predecessors or not exact or m >= _PLANAR_ARCS * n:
        return None
    most = min(seconds(graph, work, device, threads)) / _SURELY - n**2 * _ENTRY / threads - m * _CUT

    def is_fast(found: Cut) -> bool:
        return _PARTS * found.steps * work.itemsize / (_DENSE_BYTES * threads) < most

    if most <= 0 or not is_fast(cut(graph, _TRIED_PARTS)):
        return None
    best = cut(graph)
    return best if is_fast(best) else None
