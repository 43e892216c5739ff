import numpy as np
import pytest
from numba import njit

import warpath as wp
from oracles import DTYPES, METHODS, ONE_OF_EACH_KIND, SIGNED
from warpath.cpu.relax import ALGEBRAS, LOCKED, NONE, extend, fell_short, lower
from warpath.parallel import team, thread_count
from warpath.parallel.sync import barrier


@njit(nogil=True)
def extended(algebra, d, w):
    return extend(algebra, d, w)


def add(d, w):
    return extended(ALGEBRAS["shortest"], d, w)


@njit(nogil=True)
def _wraps(algebra, d, w):
    """What the kernels ask; LLVM must not take it for what cannot be."""
    candidate = extend(algebra, d, w)
    return candidate < d and w >= 0, fell_short(algebra, d, w, candidate)


def wraps(d, w, algebra="shortest"):
    """Whether ``d + w`` is too large for 64 bits, or too small."""
    return _wraps(ALGEBRAS[algebra], d, w)


def test_extend_wraps_integers():
    most = 2**63 - 1
    assert add(np.int64(most), np.int64(1)) == -(2**63)
    assert add(np.int64(-(2**63)), np.int64(-1)) == most
    assert wraps(np.int64(most), np.int64(1)) == (True, False)
    assert wraps(np.int64(2**62), np.int64(2**62)) == (True, False)
    assert wraps(np.int64(most), np.int32(1)) == (True, False)
    assert wraps(np.int64(most - 1), np.int64(1)) == (False, False)
    assert wraps(np.int64(-most), np.int32(-2)) == (False, True)
    assert wraps(np.int64(-most), np.int32(-1)) == (False, False)


@pytest.mark.parametrize("name", ["minimax", "widest"])
def test_nothing_wraps_where_weights_are_selected(name):
    least, most = -(2**63), 2**63 - 1
    for d in (least, -5, most):
        for w in (least, -3, 4, most):
            assert wraps(np.int64(d), np.int64(w), name) == (False, False)


@pytest.mark.parametrize("dtype", DTYPES)
def test_extend_selects(dtype):
    keep, turn = ALGEBRAS["minimax"], ALGEBRAS["widest"]
    for d, w in [(3, 7), (7, 3), (-4, 2), (5, 5), (-3, -9)]:
        d, w = dtype(d), dtype(w)
        assert extended(keep, d, w) == max(d, w)
        turned = ~d if np.dtype(dtype).kind == "i" else -d
        key = extended(turn, turned, w)
        assert (~int(key) if np.dtype(dtype).kind == "i" else -key) == min(d, w)


def test_int32_weights_extend_distances_of_64_bits():
    far = np.int64(-(2**40))
    assert extended(ALGEBRAS["minimax"], far, np.int32(-(2**31))) == -(2**31)
    assert extended(ALGEBRAS["widest"], far, np.int32(2**31 - 1)) == -(2**31)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_of_both_zeros_a_key_is_always_the_one(dtype):
    for name in ("minimax", "widest"):
        for zero in (0.0, -0.0):
            key = extended(ALGEBRAS[name], dtype(-1), dtype(zero))
            assert key == 0
            assert not np.signbit(key)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_extend_multiplies_in_the_dtype(dtype):
    product = ALGEBRAS["most-reliable"]
    a, b = dtype(0.1), dtype(0.7)
    assert extended(product, -a, b) == -(a * b)
    least = np.finfo(dtype).smallest_subnormal
    for w in (dtype(0), dtype(-0.0), dtype(0.25)):
        assert extended(product, -least, w) == np.inf  # no arc, and too small to be told from none


def test_extend_adds_int32_in_64_bits():
    assert add(np.int32(2**31 - 1), np.int32(2**31 - 1)) == 2**32 - 2
    assert add(np.int32(-(2**31)), np.int32(-1)) == -(2**31) - 1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_extend_rounds_floats_as_their_dtype(dtype):
    a, b = dtype(0.1), dtype(0.7)
    assert add(a, b) == a + b
    big = np.finfo(dtype).max
    assert add(big, big) == np.inf
    assert add(-big, -big) == -np.inf


@njit(nogil=True)
def _lower_one(distance, predecessor, u, v, candidate, threads):
    return lower(distance, predecessor, u, v, candidate, threads)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_lower(dtype, threads):
    distance, predecessor = np.array([0, 9], dtype), np.array([NONE, NONE], np.int32)
    steps = [(5, 7, True), (6, 7, False), (4, 8, False), (3, 5, True), (2, -1, True)]
    expected = (9, NONE)
    for u, candidate, lowers in steps:
        candidate = dtype(candidate)
        assert _lower_one(distance, predecessor, u, np.uint32(1), candidate, threads) == lowers
        if lowers:
            expected = (candidate, u)
        assert (distance[1], predecessor[1]) == expected
    assert (distance[0], predecessor[0]) == (0, NONE)


@njit(nogil=True)
def _contend(thread, threads, sync, candidates, distance, predecessor, lowered):
    """Every thread lowers all vertices by turns; candidate c of thread t is from c * threads + t."""
    barrier(sync, threads)
    n = distance.shape[0]
    for c in range(candidates.shape[1]):
        for v in range(np.uint64(n)):
            u = c * threads + thread
            if lower(distance, predecessor, u, v, candidates[thread, c, v], threads):
                lowered[thread] += 1


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_a_distance_and_its_predecessor_never_disagree(dtype):
    """Each keeps the least candidate, and whose it was."""
    team_size, rounds, n = 4, 3000, 8
    before = thread_count._num_threads
    thread_count.set_num_threads(team_size)
    try:
        rng = np.random.default_rng(1)
        candidates = rng.permutation(team_size * rounds * n).reshape(team_size, rounds, n)
        candidates = -candidates.astype(dtype)  # all differ, and float32 holds them
        distance = np.full(n, 1, dtype)
        predecessor = np.full(n, NONE, np.int32)
        lowered = np.zeros(team_size, np.int64)
        team.run(_contend, team_size, candidates, distance, predecessor, lowered)
    finally:
        thread_count.set_num_threads(before)
    assert np.array_equal(distance, candidates.min(axis=(0, 1)))
    chain, thread = np.divmod(predecessor, team_size)
    assert np.array_equal(candidates[thread, chain, np.arange(n)], distance)
    assert not (predecessor == LOCKED).any()
    assert lowered.sum() >= n


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_contended_zero_weight_cycles_leave_a_tree(dtype, method, monkeypatch, small_teams):
    """Four threads, all vertices neighbours of all, ties everywhere."""
    monkeypatch.setattr(thread_count, "_num_threads", 4)
    graph = wp.generate.named("complete", 300, directed=True)
    weights = np.random.default_rng(0).integers(0, 2, graph.num_arcs).astype(dtype)
    graph = graph.with_weights(weights)
    for source in range(0, 300, 60):
        paths = wp.sssp(graph, source, method=method)
        paths.verify()
        assert set(np.unique(paths.distance)) <= {0, 1}


@pytest.mark.parametrize("method", SIGNED)
def test_contended_cycles_of_both_signs_leave_a_tree(method, monkeypatch, small_teams):
    """Where potentials make cycles of weight zero, of arcs above and below zero."""
    monkeypatch.setattr(thread_count, "_num_threads", 4)
    graph = wp.generate.named("complete", 120, directed=True)
    p = np.random.default_rng(0).integers(0, 30, 120)
    source, target, _ = graph.coo()
    graph = graph.with_weights((p[source] - p[target]).astype(np.int32))
    for s in range(0, 120, 40):
        paths = wp.sssp(graph, s, method=method)
        assert np.array_equal(paths.distance, p[s] - p)
        paths.verify()
