"""Users' own algebras as arguments of kernels: one type for one function, whatever its name is."""

import numpy as np
import pytest
from numba import typeof

import warpath as wp
from warpath.cpu.custom_algebra import custom
from warpath.cpu.relax import extend
from warpath.operators import lookup
from warpath.parallel.jit import compiled
from warpath.parallel.team import kind

INT32, INT64, FLOAT32 = (np.dtype(name) for name in ("int32", "int64", "float32"))
NO_INT64 = 2**63 - 1


def of(extend, dtype=INT32, weights=INT32, **options):
    return custom(lookup(wp.Algebra(extend, **options)), dtype, weights)


def bounded(limit):
    return lambda d, w: min(d + w, limit)


def test_a_type_is_what_the_function_does():
    def named(d, w):
        """The same."""
        return d + w

    one = of(lambda d, w: d + w)
    assert typeof(one) == typeof(of(lambda d, w: d + w))
    assert typeof(of(bounded(3))) == typeof(of(bounded(3)))
    assert typeof(of(named)) == typeof(one)
    assert kind(of(named)) == kind(one)
    different = [
        one, of(lambda d, w: w + d), of(bounded(3)), of(bounded(4)), of(named, INT64),
        of(named, FLOAT32, FLOAT32), of(lambda d, w: min(d, w), select=max, unreached=-1),
        of(named, unreached=100), of(named, unreached=101),
    ]  # fmt: skip
    assert len({typeof(algebra) for algebra in different}) == len(different)
    assert len({kind(algebra) for algebra in different}) == len(different)


@compiled
def extended(algebra, d, w):
    return extend(algebra, d, w)


@pytest.mark.parametrize(
    ("algebra", "d", "w", "key"),
    [
        (of(lambda d, w: d + w), np.int32(5), np.int32(6), 11),
        (of(lambda d, w: d + w), np.int32(2**31 - 2), np.int32(6), -(2**31) + 4),
        (of(lambda d, w: d + w, INT64), np.int64(2**63 - 2), np.int32(6), -(2**63) + 4),
        (of(lambda d, w: d + w, unreached=10, dtype=INT64), np.int64(5), np.int32(6), NO_INT64),
        (of(lambda d, w: min(d, w), select=max, unreached=-1, start=9), np.int32(~7), np.int32(4), ~4),
        (of(lambda d, w: d * w, FLOAT32, FLOAT32), np.float32(0), np.float32(-1), 0.0),
    ],
)  # fmt: skip
def test_keys(algebra, d, w, key):
    found = extended(algebra, d, w)
    assert found == key
    assert not (found == 0 and np.signbit(found))
