"""What operators are given."""

import numpy as np
import pytest

import warpath as wp
from foreign import OnlyDlpack
from warpath.algorithms.primitives.arguments import bind

GRAPH = wp.generate.grid(1, 3)


@wp.operator
def lower(u, v, x, k):
    return wp.atomic_min(x, v, x[u] + k)


@wp.operator
def table(u, v, x, prices):
    return x[v] > prices[x[u]]


def bound(*values, operator=lower):
    return bind(operator, values, GRAPH, on_edges=True, call="advance")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (([1, 2, 3], 1), "x is neither an array nor a number, but list"),
        ((np.zeros(3, np.uint8), 1), r"x is of dtype uint8, and operators take bool, .*: give x.astype\(np.int32\)"),
        ((np.zeros(3, np.uint64), 1), r"give x.astype\(np.int64\)"),
        ((np.zeros(3), np.float16(1)), r"k is of dtype float16, .*: give k.astype\(np.float32\)"),
        ((np.zeros(3, object), 1), "x is of dtype object, and operators take .*, float64$"),
        ((OnlyDlpack(np.zeros(3, object)), 1), "x is a OnlyDlpack that NumPy cannot read: DLPack only supports"),
        ((np.ma.zeros(3), 1), r"x is a MaskedArray, .* give x.filled\(…\)"),
        ((np.zeros((3, 1)), 1), r"x must have one dimension, not shape \(3, 1\): give x.reshape\(-1\)"),
        ((np.zeros(3), np.array(1)), r"k must have one dimension, .* give k.item\(\)"),
        ((np.zeros(6)[::2], 1), r"x must be contiguous, not of strides \(16,\)"),
        ((np.zeros(2), 1), "x has 2 elements, and lower reads it at vertices: it needs 3"),
        ((np.zeros(3), 2**63), "k is 9223372036854775808, which does not fit"),
        ((np.broadcast_to(np.zeros(1), 3), 1), "x must be contiguous"),
    ],
)  # fmt: skip
def test_refused(values, message):
    with pytest.raises((TypeError, ValueError), match=message):
        bound(*values)


def test_read_only_arrays_are_read_only():
    x = np.zeros(3, np.int32)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="x is read-only, and lower writes to it"):
        bound(x, 1)
    bound(x, np.zeros(1), operator=table)  # which may be of any length


def test_one_array_twice():
    @wp.operator
    def both(u, v, x, y):
        return wp.atomic_min(x, v, y[u])

    x = np.zeros(6)
    for pair in ((x, x), (x[:], x[:]), (x[:4], x[3:])):
        with pytest.raises(wp.OperatorError, match="x and y share memory, and x is written"):
            bound(*pair, operator=both)
    bound(x[:3], x[3:], operator=both)


def test_numbers():
    assert bound(np.zeros(3), np.float32(2)).function.scalars == {"k": "float32"}
    assert bound(np.zeros(3), True).function.scalars == {"k": "bool"}
    assert bound(np.zeros(3, np.int64), 2**40).function.scalars == {"k": "int64"}
    assert bound(np.zeros(3, np.int32), 7).ordered[1] == 7
