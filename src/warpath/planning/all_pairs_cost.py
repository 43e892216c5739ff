"""Estimates of what all pairs take by each method, in seconds."""

from typing import Any

import numpy as np

from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.planning.partition import Cut, cut
from warpath.planning.rows import SMALL

# What "auto" compares. Measured with Zen 5 at 2 threads, 2026-11 (benchmarks/cpu_auto.py): a thread of the blocked method
# makes 24 to 29 billion int32 relaxations a second, half as many with predecessors. Where many searches share a call, one takes
# 61 ns a vertex and 1.3 ns an edge; else 10 ns an edge and 50 µs in which no other search can start.
_DENSE_BYTES = 110e9  # a second and thread
_SMALL_VERTEX, _SMALL_EDGE = 61e-9, 1.3e-9
_EDGE, _SEARCH = 10e-9, 50e-6
# Parts, likewise: as long as their relaxations take at that rate, for each entry of the answer 10 ns a thread, and for
# METIS 4 µs an edge.
_ENTRY, _CUT = 10e-9, 4e-6
# How much faster parts must seem, as the one estimate or the other may be wrong. An undirected
# planar graph has fewer than six arcs per vertex; METIS is not asked about graphs with more.
_SURELY, _PLANAR_EDGES = 1.25, 6
_TRIED_PARTS = 16  # of the one cut that decides whether to look for the best: a guess
# An H200: 8 to 12 trillion float32 relaxations a second; a search of one vertex at a time. Guesses.
_DEVICE_DENSE_BYTES, _DEVICE_SEARCH = 30e12, 1e-3


def seconds(graph: Graph, work: np.dtype[Any], device: str, threads: int) -> tuple[float, float]:
    """What distances should take by the blocked method, and by searches."""
    n, m = graph.num_vertices, graph.num_arcs
    if device == "cuda":
        return n**3 * work.itemsize / _DEVICE_DENSE_BYTES, n * _DEVICE_SEARCH
    small = n <= SMALL and graph.weight_range[0] >= 0
    search = _SMALL_VERTEX * n + _SMALL_EDGE * m if small else _SEARCH * threads + _EDGE * m
    return n**3 * work.itemsize / (_DENSE_BYTES * threads), n * search / threads


def parts_for(
    graph: Graph,
    algebra: PathAlgebra,
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
    if device != "cpu" or predecessors or not exact or m >= _PLANAR_EDGES * n:
        return None
    most = min(seconds(graph, work, device, threads)) / _SURELY - n**2 * _ENTRY / threads - m * _CUT

    def is_fast(found: Cut) -> bool:
        return found.steps * work.itemsize / (_DENSE_BYTES * threads) < most

    if most <= 0 or not is_fast(cut(graph, _TRIED_PARTS)):
        return None
    best = cut(graph)
    return best if is_fast(best) else None
