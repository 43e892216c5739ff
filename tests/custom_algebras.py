"""Algebras of users' own that tests run on the CPU, on the emulator and on a GPU, and plain Python's answer."""

import heapq
import math
from dataclasses import dataclass

import numpy as np

import warpath as wp
from oracles import weighted
from warpath.operators import lookup

HEAVY, FEE, LIMIT, FAR = 8, 10, 40, 2**62


def capped(d, w):
    """No path is longer than a limit, and some weights are of edges that cannot be taken."""
    if w % 5 == 0:
        return np.int64(FAR)
    total = np.int64(d) + w
    return total if total <= LIMIT else np.int64(FAR)


@dataclass(frozen=True)
class Case:
    """An algebra, and the dtypes of weights and of distances."""

    algebra: wp.Algebra
    weights: type = np.int32
    dtype: type = np.int32

    def graph(self, name):
        """One of `oracles.SHAPES`."""
        return weighted(name, self.weights)

    def answer(self, graph, sources):
        """By Dijkstra's algorithm in plain Python: Python's integers, NumPy's floats."""
        algebra, floats = self.algebra, np.dtype(self.dtype).kind == "f"
        number = self.dtype if floats else int
        sign = -1 if algebra.select is max else 1
        weights = np.ones(graph.num_arcs, int) if graph.weights is None else graph.weights
        best = {v: number(algebra.start) for v in sources}
        heap = [(sign * d, v) for v, d in best.items()]
        while heap:
            key, u = heapq.heappop(heap)
            if key > sign * best[u]:
                continue
            for arc in range(*graph.row_offsets[u : u + 2].tolist()):
                v, w = int(graph.column_indices[arc]), number(weights[arc])
                made = number(algebra.extend(number(best[u]), w))
                if not sign * made < sign * algebra.unreached:
                    continue
                if v not in best or sign * made < sign * best[v]:
                    best[v] = made
                    heapq.heappush(heap, (sign * made, v))
        none = lookup(algebra).none(self.dtype)
        return np.array([best.get(v, none) for v in range(graph.num_vertices)], self.dtype)


CASES = {
    "sum": Case(wp.Algebra(lambda d, w: d + w)),
    "sum, int64": Case(wp.Algebra(lambda d, w: d + w), np.int32, np.int64),
    "sum, float32": Case(wp.Algebra(lambda d, w: d + w), np.float32, np.float32),
    "toll": Case(wp.Algebra(lambda d, w: d + w + FEE if w > HEAVY else d + w)),
    "downwards": Case(wp.Algebra(lambda d, w: d - w, select=max, start=7, unreached=-math.inf)),
    "from 5": Case(wp.Algebra(lambda d, w: max(d, w), start=5), np.int64, np.int64),
    "capped": Case(wp.Algebra(capped, unreached=FAR), np.int32, np.int64),
    "widest": Case(wp.Algebra(lambda d, w: min(d, w), select=max, start=20, unreached=-1)),
    "widest, float64": Case(
        wp.Algebra(lambda d, w: min(d, w), select=max, start=2.5, unreached=-math.inf),
        np.float64,
        np.float64,
    ),
    "reliable": Case(
        wp.Algebra(lambda d, w: d * (1 - w / 100), select=max, start=1, unreached=0),
        np.float32,
        np.float32,
    ),
    "costs": Case(
        wp.Algebra(lambda d, w: d - np.sqrt(w), select=max, start=-1, unreached=-math.inf),
        np.float64,
        np.float64,
    ),
}
"""Of each sort: integers and floats, the smaller and the larger as the better, finite values of no path."""
