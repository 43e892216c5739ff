"""Prepared calls on the CPU: each run gives what a call of its own gives."""

from itertools import product

import numpy as np
import pytest

import warpath as wp
from operator_bodies import known
from out_of_range import GRAPH, LENGTH, MESSAGE, far
from warpath.algorithms.primitives.edges import prepare_aggregate
from warpath.algorithms.primitives.vertices import prepare_compute, prepare_reduce

DTYPES = "bool", "int32", "int64", "float32", "float64"
BYS = "sum", "min", "max", "any", "all"


@wp.operator
def itself(v, x):
    return x[v]


@wp.operator
def add_one(v, x):
    x[v] += 1


@pytest.mark.parametrize(("dtype", "by"), list(product(DTYPES, BYS)))
def test_reduce(dtype, by):
    graph, x = wp.generate.grid(1, 6), np.array([3, 0, 5, 2, 1, 1]).astype(dtype)
    prepared = prepare_reduce(graph, itself, x, by=by)
    of_floats = dtype.startswith("float") and by not in ("any", "all")
    for _ in range(2):
        found = prepared.run()
        assert found is prepared.out
        assert found.dtype == (dtype if of_floats else np.int64)
        assert found.tolist() == [getattr(x, by)()]
        right = getattr(x, by)().item()
        assert wp.reduce(graph, itself, x, by=by) == right
        assert type(wp.reduce(graph, itself, x, by=by)) is type(right)
        x[:] = [0, 0, 1, 0, 1, 1]


def test_nan_is_the_smallest_and_the_largest():
    graph, x = wp.generate.grid(1, 3), np.array([1, np.nan, 2])
    for by in ("min", "max"):
        assert np.isnan(wp.reduce(graph, itself, x, by=by))


def test_compute():
    x = np.arange(6)
    prepared = prepare_compute(wp.generate.grid(1, 6), add_one, x)
    assert prepared.run() is None
    prepared.run()
    assert x.tolist() == [2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("by", ["sum", "min", "max"])
def test_aggregate(by):
    graph, x = wp.generate.erdos_renyi(50, 200, directed=True, seed=1), np.arange(50)
    prepared = prepare_aggregate(graph, known, x, by=by)
    for _ in range(2):
        assert np.array_equal(prepared.run(), wp.aggregate(graph, known, x, by=by))
        x[:] = x[::-1] // 2


def test_what_is_given_is_added_to():
    graph, x = wp.generate.grid(1, 3), np.ones(3, np.int64)
    out = np.array([10, 0, 0])
    prepared = prepare_aggregate(graph, known, x, out=out)
    prepared.run()
    prepared.run()
    assert out.tolist() == [12, 4, 2]


def test_each_run_is_checked():
    wp.set_checks(True)
    try:
        prepared = prepare_reduce(GRAPH, far, np.zeros(LENGTH, np.int64))
        for _ in range(2):
            with pytest.raises(IndexError, match=MESSAGE):
                prepared.run()
    finally:
        wp.set_checks(False)
