"""The dense methods against a definition that is plainly right, and their trees."""

import numpy as np
import pytest

from warpath.cpu.floyd_warshall import blocked_floyd_warshall, floyd_warshall, r_kleene
from warpath.cpu.minplus import PANEL, no_path
from warpath.cpu.repeated_squaring import repeated_squaring
from warpath.cpu.trees import are_trees

METHODS = (floyd_warshall, blocked_floyd_warshall, r_kleene, repeated_squaring)
SIZES = (0, 1, 2, 63, 64, 65, 130, 200)


def arcs(n, m, rng, weights, dtype=np.int32):
    """(D, P) of random arcs."""
    D = np.full((n, n), no_path("shortest", dtype))
    if n:
        source, target = rng.integers(0, n, (2, m))
        D[source, target] = weights(m)
    P = np.where(no_path("shortest", dtype) != D, np.arange(n)[:, None], -1).astype(np.int32)
    np.fill_diagonal(D, 0)
    np.fill_diagonal(P, -1)
    return D, P


def closed(D):
    """By the definition, a step at a time."""
    D = D.astype(np.int64)
    for k in range(len(D)):
        D = np.minimum(D, D[:, k : k + 1] + D[k])
    return D


def no_tick(done, of):
    assert 0 < done <= of


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("n", SIZES)
def test_distances_and_trees(method, n, threads):
    rng = np.random.default_rng(n)
    D, P = arcs(n, 4 * n, rng, lambda m: rng.integers(0, 9, m))
    none = no_path("shortest", D.dtype)
    expected = np.minimum(closed(D), none)
    alone, W = D.copy(), D.copy()
    method("shortest", D, P, threads, no_tick)
    method("shortest", alone, None, threads, no_tick)
    assert np.array_equal(D, expected)
    assert np.array_equal(alone, expected)
    vertices = np.arange(n, dtype=np.int32)
    assert are_trees(vertices, P, threads).all()
    rows, columns = np.nonzero(P >= 0)
    before = P[rows, columns]
    assert np.array_equal(D[rows, before] + W[before, columns], D[rows, columns])
    assert np.array_equal((P >= 0) | np.eye(n, dtype=bool), none != D)


@pytest.mark.parametrize("method", METHODS)
def test_cycles_of_weight_zero_make_no_cycle_of_predecessors(method):
    n = 2 * PANEL + 5
    vertices = np.arange(n, dtype=np.int32)
    for seed in range(60):
        rng = np.random.default_rng(seed)
        D, P = arcs(
            n, int(rng.integers(n, 4 * n)), rng,
            lambda m, rng=rng: rng.integers(0, 2, m) * rng.integers(0, 2, m),
        )  # fmt: skip
        method("shortest", D, P, 1, no_tick)
        assert are_trees(vertices, P, 1).all()


@pytest.mark.parametrize("method", METHODS)
def test_where_three_phases_would_go_round(method):
    # u in the first block; a, b, v in the second; i in the third.
    u, a, b, v, i, n = 0, PANEL, PANEL + 1, PANEL + 2, 2 * PANEL, 2 * PANEL + 1
    D, P = arcs(n, 0, np.random.default_rng(0), lambda m: 0)
    for tail, head, weight in ((b, u, 0), (u, v, 0), (v, u, 0), (a, v, 0), (b, a, 0), (i, b, 1)):
        D[tail, head], P[tail, head] = weight, tail
    W = D.copy()
    three_phases(W, P.copy())
    method("shortest", D, P, 1, no_tick)
    assert np.array_equal(np.minimum(W, no_path("shortest", W.dtype)), D)
    assert are_trees(np.arange(n, dtype=np.int32), P, 1).all()


def three_phases(D, P):
    """The textbook's blocked form; returns whether its predecessors are trees."""
    n = len(D)
    for begin in range(0, n, PANEL):
        inside = range(begin, min(begin + PANEL, n))
        outside = [x for x in range(n) if x not in inside]
        for rows, columns in (
            (inside, inside), (inside, outside), (outside, inside), (outside, outside),
        ):  # fmt: skip
            block = np.ix_(list(rows), list(columns))
            for k in inside:
                through = D[list(rows), k][:, None] + D[k, list(columns)][None]
                shorter = through < D[block]
                D[block] = np.where(shorter, through, D[block])
                P[block] = np.where(shorter, P[k, list(columns)][None], P[block])
    return are_trees(np.arange(n, dtype=np.int32), P, 1).all()


def test_three_phases_do_go_round():
    u, a, b, v, i, n = 0, PANEL, PANEL + 1, PANEL + 2, 2 * PANEL, 2 * PANEL + 1
    D, P = arcs(n, 0, np.random.default_rng(0), lambda m: 0)
    for tail, head, weight in ((b, u, 0), (u, v, 0), (v, u, 0), (a, v, 0), (b, a, 0), (i, b, 1)):
        D[tail, head], P[tail, head] = weight, tail
    assert not three_phases(D, P)


@pytest.mark.parametrize("method", METHODS)
def test_the_answer_does_not_depend_on_the_team(method):
    rng = np.random.default_rng(3)
    D, P = arcs(333, 2000, rng, rng.random, np.float64)
    one, two = (D.copy(), P.copy()), (D.copy(), P.copy())
    method("shortest", *one, 1, no_tick)
    method("shortest", *two, 2, no_tick)
    assert np.array_equal(one[0], two[0])
    assert np.array_equal(one[1], two[1])


@pytest.mark.parametrize("method", METHODS)
def test_it_says_how_far_it_is_and_can_be_stopped(method):
    rng = np.random.default_rng(4)
    seen = []
    D, _ = arcs(5 * PANEL, 10 * PANEL, rng, lambda m: rng.integers(1, 9, m))
    method("shortest", D.copy(), None, 1, lambda done, of: seen.append((done, of)))
    assert seen == sorted(seen)
    assert len({of for _, of in seen}) == 1
    if method is not repeated_squaring:  # which may find that it is done
        assert seen[-1][0] == seen[-1][1]

    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        method("shortest", D, None, 2, stop)
