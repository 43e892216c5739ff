"""Random numbers by counter: the i-th one of a stream is a function of key and i alone.

Threads can then draw any part of a stream in any order, and a graph does not depend
on which thread drew which part. The function is SplitMix64's (Steele, Lea, Flood: Fast splittable
pseudorandom number generators, OOPSLA 2014): its state advances by a constant, so
that the i-th output costs as much as the first.
"""

from enum import IntEnum
from typing import Any

import numpy as np

from warpath.graph.mixing import GOLDEN, MIX_1, MIX_2, mixed
from warpath.parallel.jit import compiled

_S11, S32 = np.uint64(11), np.uint64(32)
_ONE = np.uint64(1)
LOW_32 = np.uint64(2**32 - 1)
_PERMUTATION_ROUNDS = 4  # guess: two let each bit change every other; twice that
_SEED_END = 2**64


class Stream(IntEnum):
    """What numbers are drawn for: one seed gives each purpose its own stream."""

    EDGES = 1
    VERTEX_IDS = 2
    WEIGHTS = 3
    POTENTIALS = 4
    PLACES = 5
    LENGTHS = 6


def stream_key(seed: Any, stream: Stream) -> np.uint64:
    """The key of a seed's stream.

    Raises
    ------
    ValueError
        If ``seed`` is not an integer in 0 … 2⁶⁴ − 1.
    """
    if isinstance(seed, (bool, np.bool_)) or not hasattr(seed, "__index__"):
        raise ValueError(f"seed must be an integer, not {seed!r}")
    if not 0 <= (value := seed.__index__()) < _SEED_END:
        raise ValueError(f"seed must be in 0 … 2⁶⁴ − 1, not {seed}")
    return np.uint64(_bits(_bits(value, int(stream)), 0))


def advanced(key: np.uint64, count: int) -> np.uint64:
    """The key of a stream without its first ``count`` numbers: number i there is i + count here."""
    return np.uint64((int(key) + int(GOLDEN) * count) % _SEED_END)


def _bits(key: int, counter: int) -> int:
    """`random_bits` of Python's integers, for which nothing is compiled."""
    z = (key + int(GOLDEN) * (counter + 1)) % _SEED_END
    z = (z ^ (z >> 30)) * int(MIX_1) % _SEED_END
    z = (z ^ (z >> 27)) * int(MIX_2) % _SEED_END
    return z ^ (z >> 31)


@compiled
def random_bits(key, counter):  # type: ignore[no-untyped-def]
    """64 random bits: number ``counter`` (from 0) of the stream ``key``."""
    return mixed(key + GOLDEN * (np.uint64(counter) + _ONE))


@compiled
def below(bits, bound):  # type: ignore[no-untyped-def]
    """An integer in [0, bound), bound ≤ 2³²: ⌊bits · bound / 2⁶⁴⌋, even to within 2⁻³²."""
    bound = np.uint64(bound)
    return np.int64(((bits >> S32) * bound + (((bits & LOW_32) * bound) >> S32)) >> S32)


@compiled
def unit(bits):  # type: ignore[no-untyped-def]
    """A double in [0, 1): one of the 2⁵³ multiples of 2⁻⁵³."""
    return np.float64(bits >> _S11) * 2.0**-53


@compiled
def permuted(value, width, key):  # type: ignore[no-untyped-def]
    """The image of ``value`` under a pseudorandom permutation of [0, 2^width).

    A few rounds of what SplitMix64's mixing function does to 64 bits, on ``width``
    bits: add a key, multiply by an odd number, fold the high half onto the low one.
    Each is one-to-one, so the whole is. It needs no table.
    """
    mask = (_ONE << np.uint64(width)) - _ONE
    fold = np.uint64((width + 1) // 2)
    x = np.uint64(value)
    for i in range(_PERMUTATION_ROUNDS):
        x = (x + random_bits(key, 2 * i)) & mask
        x = (x * (random_bits(key, 2 * i + 1) | _ONE)) & mask
        x ^= x >> fold
    return np.int64(x)


@compiled
def shuffled(value, bound, width, key):  # type: ignore[no-untyped-def]
    """The image of ``value`` under a pseudorandom permutation of [0, bound), bound ≤ 2^width.

    Where the permutation of [0, 2^width) leads out of the numbers below ``bound``, it is
    applied again (cycle walking), at most twice on average: still a permutation.
    """
    image = permuted(value, width, key)
    while image >= bound:
        image = permuted(image, width, key)
    return image
