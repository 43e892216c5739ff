"""Min-plus products against NumPy, and the instructions that their inner loop is made of."""

import platform

import numpy as np
import pytest
from numba import njit, typeof

from exhaustive import slow
from warpath.cpu.minplus import (
    PANEL,
    Apart,
    Rows,
    _better,
    factors_of,
    keys_of,
    multiply,
    multiply_apart,
    no_path,
    tails,
)
from warpath.parallel import team

JOINS = {
    "shortest": np.add,
    "minimax": np.maximum,
    "widest": np.maximum,  # of keys
    "most-reliable": lambda a, b: -(a * b),
}


def random_keys(algebra, dtype, shape, rng):
    """Random keys of paths, and some that say "no path"."""
    if algebra == "most-reliable":
        values = -rng.random(shape).astype(dtype)
    else:
        values = rng.integers(-40 if algebra != "shortest" else 0, 100, shape).astype(dtype)
    values[rng.random(shape) < 0.3] = no_path(algebra, dtype)
    return values


def multiplied(algebra, D, P, rows, skip, inner, threads=1, lazy=False):
    """D and P after a product of D with itself, whatever its size."""
    D, P = D.copy(), None if P is None else P.copy()
    keys = keys_of(algebra, D.dtype, lazy)
    team.run(multiply, threads, keys, factors_of(D, D, D, P), Rows(*rows, *skip, *inner), P)
    return D, P


@pytest.mark.parametrize(
    ("algebra", "dtype"),
    [
        ("shortest", np.int32), ("shortest", np.float64), ("widest", np.int32), ("most-reliable", np.float32),
        *slow([("shortest", np.int64), ("shortest", np.float32), ("minimax", np.float32)]),
    ],
)  # fmt: skip
def test_the_product_by_its_definition(algebra, dtype):
    rng = np.random.default_rng(1)
    for n, inner in ((1, (0, 1)), (7, (2, 5)), (65, (1, 64)), (600, (64, 127))):
        D = random_keys(algebra, dtype, (n, n), rng)
        found, _ = multiplied(algebra, D, None, (0, n), (0, 0), inner)
        k0, k1 = inner
        sums = JOINS[algebra](D[:, k0:k1, None], D[None, k0:k1, :])
        assert np.array_equal(found, np.minimum(D, sums.min(axis=1)))
        lazily, _ = multiplied(algebra, D, None, (0, n), (0, 0), inner, lazy=True)
        assert np.array_equal(lazily, found)
        assert found.dtype == dtype


@pytest.mark.parametrize(
    ("algebra", "dtype"),
    [("shortest", np.int32), ("shortest", np.float64), *slow([("widest", np.int32)])],
)
def test_products_of_matrices_that_are_apart(algebra, dtype, threads):
    """Of depths that are no multiples of what is taken at once, and shapes that do not fill tiles."""
    rng = np.random.default_rng(4)
    none = no_path(algebra, dtype)
    for rows, depth, n in ((1, 1, 1), (5, 3, 70), (64, 64, 512), (131, 130, 700), (70, 67, 1030)):
        D, X, Y = (
            random_keys(algebra, dtype, shape, rng)
            for shape in ((rows, n), (rows, depth), (depth, n))
        )
        P, YP = np.full((rows, n), -7, np.int32), rng.integers(0, 99, (depth, n)).astype(np.int32)
        sums = JOINS[algebra](X[:, :, None], Y[None])
        expected = np.minimum(D, sums.min(axis=1))
        parents = YP[sums.argmin(axis=1), np.arange(n)]  # the first of the best
        for lazy in (False, True):
            for tree in (False, True):
                found, tree_of = D.copy(), P.copy() if tree else None
                parents_of = YP if tree else None
                ends = tails(Y, parents_of, none)
                factors = Apart(found, X, Y, parents_of, *ends, np.zeros(1, np.int64))
                team.run(multiply_apart, threads, keys_of(algebra, dtype, lazy), factors, tree_of)
                assert np.array_equal(found, expected)
                if tree:
                    assert np.array_equal(tree_of, np.where(expected < D, parents, P))


def test_rows_that_are_passed_over_stay(threads):
    rng = np.random.default_rng(2)
    n = 5 * PANEL + 11
    D = random_keys("shortest", np.int32, (n, n), rng)
    rows, skip = (PANEL, n), (2 * PANEL, 3 * PANEL)
    found, _ = multiplied("shortest", D, None, rows, skip, skip, threads)
    whole, _ = multiplied("shortest", D, None, (0, n), (0, 0), skip)
    assert np.array_equal(found[:PANEL], D[:PANEL])
    assert np.array_equal(found[skip[0] : skip[1]], D[skip[0] : skip[1]])
    for part in (slice(PANEL, 2 * PANEL), slice(3 * PANEL, n)):
        assert np.array_equal(found[part], whole[part])


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_lazy_products_of_few_paths(dtype, threads):
    """Whole blocks of no path, in either operand, and single paths in them."""
    rng = np.random.default_rng(3)
    n, none = 1200, no_path("shortest", dtype)
    D = np.full((n, n), none)
    for begin in range(0, n, 300):
        D[begin : begin + 90, begin : begin + 200] = rng.integers(0, 99, (90, 200))
    D[rng.integers(0, n, 60), rng.integers(0, n, 60)] = 1
    P = np.where(np.not_equal(D, none), np.arange(n, dtype=np.int32)[:, None], np.int32(-1))
    for inner in ((0, 64), (300, 350), (90, 154), (1190, 1200)):
        every = multiplied("shortest", D, P, (0, n), (0, 0), inner, threads)
        found = multiplied("shortest", D, P, (0, n), (0, 0), inner, threads, lazy=True)
        assert all(np.array_equal(*pair) for pair in zip(every, found, strict=True))


def test_the_first_of_equally_good_ones_is_the_predecessor(threads):
    D = np.full((130, 130), no_path("shortest", np.int32))
    P = np.full((130, 130), -1, np.int32)
    D[0, 3], D[3, 9], P[3, 9] = 1, 1, 3
    D[0, 5], D[5, 9], P[5, 9] = 1, 1, 5
    D[0, 8], D[8, 9], P[8, 9] = 0, 2, 8
    found, parents = multiplied("shortest", D, P, (0, 130), (0, 0), (0, 10), threads)
    assert found[0, 9] == 2
    assert parents[0, 9] == 3


def test_no_path_can_be_added_to_itself():
    for dtype in (np.int32, np.int64):
        none = no_path("shortest", dtype)
        assert int(none) + int(none) <= np.iinfo(dtype).max


@pytest.mark.skipif(platform.machine() != "x86_64", reason="looks at x86 assembly")
def test_the_inner_loop_is_vector_instructions():
    D, A, B = np.zeros((4, 600)), np.zeros((600, PANEL)), np.zeros((PANEL, 600))
    some = np.ones(PANEL, bool)
    arguments = (keys_of("shortest", D.dtype), D, None, A, B, None, (0, 4, 0, 600), PANEL, some)
    compiled = njit(nogil=True)(_better.py_func)  # the cached one keeps no assembly
    compiled.compile(tuple(typeof(argument) for argument in arguments))
    (assembly,) = compiled.inspect_asm().values()
    assert assembly.count("addpd") >= 8  # two rows, four k
    assert assembly.count("minpd") >= 8
