"""Trusted answers by every path algebra: its definition, iterated until nothing changes."""

import numpy as np
import pytest

from exhaustive import EXHAUSTIVE, few, slow
from oracles import DTYPES, METHODS, NON_NEGATIVE
from warpath import Graph

FLOATS = (np.float32, np.float64)
# What extends a path's value, of several values the best, at a source, of no path.
RULES = {
    "shortest": (np.add, np.minimum, 0, np.inf),
    "widest": (np.minimum, np.maximum, np.inf, -np.inf),
    "most-reliable": (np.multiply, np.maximum, 1, 0),
    "minimax": (np.maximum, np.minimum, -np.inf, np.inf),
}
OTHERS = tuple(RULES)[1:]  # than sums
# Every one with the dtypes that it has distances of.
WITH_DTYPES = [
    (name, dtype) for name in OTHERS for dtype in (FLOATS if name == "most-reliable" else DTYPES)
]
# Each is a set of kernels to compile: by default one of integers and one of floats; then those with
# which each dtype occurs; all if there is time.
_OFTEN = [("widest", np.int32), ("most-reliable", np.float32)]
_OTHER_KINDS = [
    ("minimax", np.float32), ("minimax", np.int64), ("widest", np.float64), ("most-reliable", np.float64),
]  # fmt: skip
EACH_KIND = WITH_DTYPES if EXHAUSTIVE else [*_OFTEN, *_OTHER_KINDS]
COMPILED = [*_OFTEN, *slow(one for one in EACH_KIND if one not in _OFTEN)]
# Where minimax, the mirror of widest, has no code of its own.
ALONE = [one for one in EACH_KIND if EXHAUSTIVE or one != ("minimax", np.float32)]
WITHOUT_MIRROR = few(ALONE, _OFTEN)


def methods(algebra: str, dtype: type) -> tuple[str, ...]:
    """Every method with integers and with floats; of widest's mirror two are enough."""
    is_mirror = (algebra, dtype) == ("minimax", np.float32)
    return NON_NEGATIVE if is_mirror and not EXHAUSTIVE else METHODS


# With each method: by default integers, and floats with those of non-negative weights.
_OFTEN_BY_METHOD = [
    (*one, method) for one in _OFTEN for method in (METHODS if one == _OFTEN[0] else NON_NEGATIVE)
]
OFTEN_BY_METHOD = few([(*one, method) for one in _OFTEN for method in METHODS], _OFTEN_BY_METHOD)
BY_METHOD = [
    *OFTEN_BY_METHOD,
    *slow((*one, method) for one in EACH_KIND if one not in _OFTEN for method in METHODS),
]
RELIABLE_FLOATS = [np.float32, pytest.param(np.float64, marks=pytest.mark.slow)]


def in_dtype(value: float, dtype: type) -> float | int:
    """A value of `RULES`; for integers the infinities are the ends."""
    if np.dtype(dtype).kind == "i" and np.isinf(value):
        return np.iinfo(dtype).max if value > 0 else np.iinfo(dtype).min
    return value


def best_paths(graph: Graph, sources: int | list[int], algebra: str, dtype: type) -> np.ndarray:
    """The values of the best paths from the nearest source; ``dtype`` must hold all sums."""
    extend, best, at_source, none = RULES[algebra]
    tails, heads, weights = graph.coo()
    weights = np.ones(len(tails), dtype) if weights is None else weights.astype(dtype)
    value = np.full(graph.num_vertices, in_dtype(none, dtype), dtype)
    value[sources] = in_dtype(at_source, dtype)
    while True:
        before = value.copy()
        leaves = before[tails] != in_dtype(none, dtype)
        best.at(value, heads[leaves], extend(before[tails[leaves]], weights[leaves]))
        if np.array_equal(value, before):
            return value


def probabilities(graph: Graph, seed: int = 0) -> Graph:
    """The graph with weights from 0 to 1, both ends among them."""
    tails, heads, weights = graph.coo()
    dtype = np.float64 if weights is None or weights.dtype.kind == "i" else weights.dtype
    low, high = np.minimum(tails, heads), np.maximum(tails, heads)
    return graph.with_weights(((low * 31 + high * 17 + seed) % 12 / 11).astype(dtype))
