"""Prepared calls on the emulator: each run gives what the CPU gives."""

from itertools import product

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from exhaustive import few, slow
from operator_bodies import known
from out_of_range import GRAPH, LENGTH, MESSAGE, far
from warpath.algorithms.primitives.edges import prepare_aggregate
from warpath.algorithms.primitives.host_copy import HostCopy
from warpath.algorithms.primitives.vertices import prepare_reduce

DTYPES = "bool", "int32", "int64", "float32", "float64"
BYS = "sum", "min", "max", "any", "all"


@wp.operator
def itself(v, x):
    return x[v]


@pytest.mark.parametrize(
    ("dtype", "by"),
    few(
        product(DTYPES, BYS),
        [("int32", "sum"), ("int64", "min"), ("bool", "all"), ("float32", "any"), ("float64", "max")],
    ),
)  # fmt: skip
def test_reduce(runtime, dtype, by):
    """Over all vertices, and over a few; each time over other values."""
    graph = wp.generate.grid(1, 300)
    rng = np.random.default_rng(1)
    some = rng.permutation(300)[:5].astype(np.int32)
    several = [rng.integers(low, 2**20, 300).astype(dtype) for low in (-(2**20), 7, 0)]
    several += [np.zeros(300, dtype), np.arange(300).astype(dtype)]
    if by == "sum" and dtype.startswith("float"):  # in any order
        several = [x % 1024 for x in several]
    for blocks, over in product((1, 3), (graph, wp.Frontier(graph, some), wp.Frontier(graph, []))):
        if by in ("min", "max") and not len(getattr(over, "vertices", some)):
            continue
        runtime.seed, runtime.blocks = blocks - 1, blocks
        right = [wp.reduce(over, itself, x, by=by) for x in several]
        with emulated_device(runtime):
            there = runtime.xp.asarray(several[0])
            prepared = prepare_reduce(over, itself, there, by=by)
            copy = HostCopy(prepared.out, runtime.xp)
            for x, value in zip(several, right, strict=True):
                there.set(x)
                prepared.run()
                copy.begin()
                assert copy.wait() == value
                found = wp.reduce(over, itself, there, by=by)
                assert type(found) is type(value)
                assert found == value


# One with nothing to reset, one with a barrier of the grid, and one with counters in a workspace.
@pytest.mark.parametrize(
    "balance", ["two-phase-search", "two-phase-search:partition=array", *slow(["block-search"])]
)
def test_aggregate(runtime, balance):
    graph = wp.generate.erdos_renyi(200, 900, directed=True, seed=1)
    x = np.arange(200)
    runtime.seed, runtime.blocks = 1, 3
    with emulated_device(runtime):
        there = runtime.xp.asarray(x)
        prepared = prepare_aggregate(graph, known, there, schedule=balance)
        for _ in range(3):
            assert np.array_equal(prepared.run().get(), wp.aggregate(graph, known, x))
            x = x[::-1] // 2
            there.set(x)


def test_each_run_is_checked(runtime):
    wp.set_checks(True)
    try:
        with emulated_device(runtime):
            prepared = prepare_reduce(GRAPH, far, runtime.xp.zeros(LENGTH, np.int64))
            for _ in range(2):
                with pytest.raises(IndexError, match=MESSAGE):
                    prepared.run()
    finally:
        wp.set_checks(False)
