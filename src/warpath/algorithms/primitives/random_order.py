"""A random order of the vertices: the same on every device."""

from typing import Any

import numpy as np

from warpath.algorithms.primitives.vertices import compute
from warpath.graph.graph import Graph
from warpath.language import operator

_32_BITS = 2**32 - 1


@operator
def _mix(v, seed, priority):  # type: ignore[no-untyped-def]
    """Murmur3's finalizer, a bijection of 32 bits: no two vertices have one priority."""
    x = np.int64(v) ^ seed
    x = ((x ^ (x >> 16)) * 0x85EBCA6B) & 0xFFFFFFFF
    x = ((x ^ (x >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    priority[v] = x ^ (x >> 16)


def mixed(seed: int, number: int) -> int:
    """A number below 2³² that looks random, for a seed and a number: Murmur3's finalizer as well."""
    x = (seed * 0x9E3779B1 + number * 0x7F4A7C15 + 0x94D049BB) & _32_BITS
    x = ((x ^ (x >> 16)) * 0x85EBCA6B) & _32_BITS
    x = ((x ^ (x >> 13)) * 0xC2B2AE35) & _32_BITS
    return x ^ (x >> 16)


def random_priorities(graph: Graph, xp: Any, seed: int) -> Any:
    """A different number for each vertex, below 2³², that looks random.

    Parameters
    ----------
    graph : Graph
    xp : module
        NumPy or CuPy.
    seed : int

    Returns
    -------
    int64 array, shape (n,)
    """
    priority = xp.empty(graph.num_vertices, np.int64)
    compute(graph, _mix, (seed * 0x9E3779B1 + 0x7F4A7C15) & _32_BITS, priority)
    return priority


def as_seed(seed: Any) -> int:
    """A seed that a caller gave.

    Raises
    ------
    ValueError
        If it is no integer.
    """
    if not hasattr(seed, "__index__") or isinstance(seed, bool):
        raise ValueError(f"seed must be an integer, not {seed!r}")
    return int(seed.__index__())
