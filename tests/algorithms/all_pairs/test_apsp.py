"""All pairs: every method, dtype, sign and algebra, by the certificate, SciPy and `warpath.sssp`."""

import os
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

import real_graphs
import warpath as wp
from algebras import ALONE, best_paths, probabilities
from exhaustive import few, sample, slow
from oracles import ONE_OF_EACH_KIND, in_dtype, lightest, shape, signed, small_multigraph, weighted
from warpath.graph.distance import unreachable
from warpath.operators import lookup
from warpath.parallel import thread_count
from warpath.planning import memory
from warpath.planning.all_pairs import METHODS, choose, work_dtype
from warpath.planning.all_pairs_cost import parts_for

DENSE = tuple(name for name, one in METHODS.items() if one.dense)
BY_ROWS = ("johnson", "sssp")
ALL = ("auto", *DENSE, *BY_ROWS)
OF_ANY_ALGEBRA = ("auto", *DENSE, "sssp")
SMALL = ("one vertex", "no arcs", "self-loop", "directed cycle", "complete", "karate")


def all_by_sssp(graph, **options):
    return wp.sssp(graph, np.arange(graph.num_vertices), **options).distance


def check(graph, **options):
    """The answer of the CPU, verified, with and without predecessors."""
    found = wp.apsp(graph, device="cpu", predecessors=True, **options)
    found.verify()
    alone = wp.apsp(graph, device="cpu", **options)
    assert alone.predecessor is None
    assert alone.exact == found.exact
    assert np.array_equal(alone.distance, found.distance)
    alone.verify()
    return found


# -- every method, dtype, sign and algebra -------------------------------------------------------


@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
@pytest.mark.parametrize("name", SMALL)
def test_every_method_and_dtype(name, dtype, method):
    graph = weighted(name, dtype)
    found = check(graph, method=method)
    expected = all_by_sssp(graph)
    assert found.distance.dtype == expected.dtype
    if found.exact:
        assert np.array_equal(found.distance, expected)
    else:
        assert np.allclose(found.distance, expected, rtol=1e-5)
    assert found.exact == (np.dtype(dtype).kind == "i" or found.stats.method not in DENSE)


@pytest.mark.parametrize(
    ("dtype", "method"),
    [
        *few(product((np.int32, np.float64), ALL), product([np.int32], ALL)),
        *slow((np.int64, method) for method in sample(ALL, 2)),
        *slow((np.float32, method) for method in sample(ALL, 2, 1)),
    ],
)
def test_negative_weights(dtype, method):
    for seed in range(3):
        graph = wp.generate.erdos_renyi(150, 450, directed=True, seed=seed)
        source, target, _ = graph.coo()
        weights = ((source * 31 + target * 17) % 12).astype(dtype)
        if weights.dtype.kind == "f":
            weights *= weights.dtype.type(0.1)
        graph = wp.generate.negative_weights(graph.with_weights(weights), seed)
        assert graph.weight_range[0] < 0
        found = check(graph, method=method)
        expected = all_by_sssp(graph)
        if found.exact:
            assert np.array_equal(found.distance, expected)
        else:
            assert np.allclose(found.distance, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", [np.float64, pytest.param(np.float32, marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [weighted, signed])
@pytest.mark.parametrize("method", DENSE)
def test_exact_floats_are_those_of_sssp_to_the_bit(method, make, dtype):
    for name in ("directed cycle", "karate"):
        if make is signed and name == "karate":
            continue
        graph = make(name, dtype)
        found = check(graph, method=method, exact=True)
        assert found.exact
        assert np.array_equal(found.distance, all_by_sssp(graph))


@pytest.mark.parametrize("method", DENSE)
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_lazy_answers_are_the_same(dtype, method):
    """Of several components, one-way arcs, and negative weights, to the bit."""
    parts = wp.generate.erdos_renyi(300, 280, directed=True, weights=(1, 9), seed=2)
    for graph in (parts, wp.generate.negative_weights(parts, seed=3)):
        graph = graph.with_weights(
            graph.weights.astype(dtype) * dtype(0.3 if dtype == np.float64 else 1)
        )
        found = check(graph, method=method, lazy=True)
        again = wp.apsp(graph, method=method, device="cpu", predecessors=True)
        assert np.array_equal(found.distance, again.distance)
        assert np.array_equal(found.predecessor, again.predecessor)


@pytest.mark.parametrize(
    ("algebra", "dtype", "method"),
    few(
        ((*one, method) for one in ALONE for method in OF_ANY_ALGEBRA),
        [
            *(("widest", np.int32, method) for method in OF_ANY_ALGEBRA),
            ("most-reliable", np.float32, "sssp"),
        ],
    ),
)
def test_every_algebra(algebra, dtype, method):
    graph = small_multigraph(3, dtype)
    if algebra == "most-reliable":
        graph = probabilities(graph)
    found = check(graph, method=method, algebra=algebra)
    expected = np.array([best_paths(graph, v, algebra, dtype) for v in range(len(found))])
    assert found.algebra == algebra
    if algebra == "most-reliable" and not found.exact:
        assert np.allclose(found.distance, expected, rtol=1e-5)
        found = check(graph, method=method, algebra=algebra, exact=True)
    assert np.array_equal(found.distance, expected)


@pytest.mark.parametrize("method", ["auto", "bfs", "sssp"])
def test_reachability(method):
    graph = small_multigraph(4, np.int32)
    found = check(graph, method=method, algebra="reachability")
    assert found.distance.dtype == bool
    assert np.array_equal(found.distance, all_by_sssp(graph) < unreachable(np.int32))


@pytest.mark.parametrize("method", ["auto", "bfs", "sssp", "johnson", "blocked-floyd-warshall"])
@pytest.mark.parametrize("dtype", [None, np.float64])
def test_where_each_arc_counts_one(method, dtype):
    for name in ("karate", "tree", "grid", "no arcs"):
        graph = shape(name)
        if graph.num_vertices > 8000:
            continue
        if graph.num_vertices > 200 and method not in ("auto", "bfs"):
            continue
        found = wp.apsp(graph, method=method, dtype=dtype, device="cpu")
        some = np.arange(0, graph.num_vertices, max(1, graph.num_vertices // 9))
        assert np.array_equal(found.distance[some], wp.sssp(graph, some, dtype=dtype).distance)


def test_long_graphs_are_searched_one_source_at_a_time():
    path, star = wp.generate.named("path", 1500), wp.generate.named("star", 900)
    assert "one search" in wp.apsp(path, method="bfs", device="cpu").stats.why
    assert "512 searches" in wp.apsp(star, method="bfs", device="cpu").stats.why


@settings(max_examples=60)
@given(
    st.integers(2, 12), st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.integers(-2, 9))),
    st.sampled_from(ALL), st.sampled_from([np.int32, np.float64]),
)  # fmt: skip
def test_whatever_the_graph(n, edges, method, dtype):
    edges = [(u % n, v % n, w) for u, v, w in edges]
    source, target, weight = np.array(edges, int).reshape(-1, 3).T
    graph = wp.Graph.from_edges(source, target, weight.astype(dtype), n=n)
    try:
        expected = all_by_sssp(graph)
    except wp.NegativeCycleError:
        with pytest.raises(wp.NegativeCycleError) as caught:
            wp.apsp(graph, method=method, device="cpu")
        wp.verify.negative_cycle(graph, caught.value.cycle)
        return
    found = check(graph, method=method)
    assert np.array_equal(found.distance, expected)  # these floats do not round
    for u, v in np.argwhere(found.predecessor >= 0)[:5]:
        path = found.path(u, v)
        assert path[0] == u
        assert path[-1] == v


# -- others' answers -----------------------------------------------------------------------------


@pytest.mark.parametrize("scipy_method", ["FW", "D", "BF", "J"])
@pytest.mark.parametrize("arcs", [100, 1000, 10_000])
def test_scipy(arcs, scipy_method):
    graph = wp.generate.erdos_renyi(110, arcs, directed=True, weights=(1, 99), seed=arcs)
    if scipy_method != "D":
        graph = wp.generate.negative_weights(graph, 1)
    expected = csgraph.shortest_path(lightest(graph), method=scipy_method)
    for method in ALL:
        found = wp.apsp(graph, method=method, device="cpu")
        assert np.array_equal(found.distance, in_dtype(expected, found.distance.dtype))


PUBLISHED = real_graphs.apsp_names() or [None]


@pytest.mark.parametrize(
    "name", few(PUBLISHED, [one for one in PUBLISHED if one is None or "2048" not in one])
)
def test_published_answers(name):
    if name is None:
        pytest.skip("no test data: set WARPATH_TEST_DATA")
    graph, least = real_graphs.apsp(name)
    for method in ("auto", "blocked-floyd-warshall", "johnson"):
        if graph.num_vertices > 600 and method == "johnson":
            continue
        if least is None:
            with pytest.raises(wp.NegativeCycleError) as caught:
                wp.apsp(graph, method=method, device="cpu")
            wp.verify.negative_cycle(graph, caught.value.cycle)
        else:
            found = wp.apsp(graph, method=method, device="cpu").distance
            np.fill_diagonal(found, unreachable(found.dtype))
            assert found.min() == least


# -- what auto decides ---------------------------------------------------------------------------


def test_auto():
    dense = wp.generate.erdos_renyi(300, 30_000, weights=(1, 9))
    sparse = wp.generate.grid(150, weights=(1, 9))
    huge = dense.with_weights(np.full(dense.num_arcs, 2**53))
    shortest = lookup("shortest")

    def chosen(graph, signed=False, predecessors=False, in_memory=True):
        work = work_dtype(graph, shortest, shortest.dtype(graph), "cpu")
        return choose(graph, shortest, work, signed, "cpu", predecessors, in_memory, 2)

    for (method, why), expected, because in (
        (
            chosen(dense),
            "blocked-floyd-warshall",
            "dense enough for Floyd–Warshall (60,000 arcs, 300 vertices)",
        ),
        (chosen(sparse), "sssp", "no weight is negative, and 89,400 arcs are few"),
        (chosen(sparse, signed=True), "johnson", "a weight is negative"),
        (chosen(huge), "sssp", "too long for a matrix"),
        (chosen(dense, in_memory=False), "sssp", "does not fit in memory"),
        (chosen(sparse.without_weights()), "bfs", "each arc counts 1"),
    ):
        assert method == expected
        assert because in why
    assert wp.apsp(dense, device="cpu").stats.method == "blocked-floyd-warshall"
    assert wp.apsp(dense, method="sssp", device="cpu").stats.why.startswith("as asked")


@pytest.mark.slow
def test_auto_cuts_what_few_vertices_separate(monkeypatch):
    pytest.importorskip("pymetis", reason="cuts graphs: pip install 'warpath[partition]'")
    monkeypatch.setattr(thread_count, "num_threads", lambda: 2)
    shortest, widest = lookup("shortest"), lookup("widest")
    grid = wp.generate.grid(60, weights=(1, 9))
    whole, real = np.dtype(np.int32), np.dtype(np.float64)
    assert len(parts_for(grid, shortest, whole, "cpu", False, 2).boundary) > 4
    assert parts_for(grid, widest, real, "cpu", False, 2) is not None
    for graph, work, device, predecessors in (
        (grid, real, "cpu", False),  # sums that round
        (grid, whole, "cuda", False),
        (grid, whole, "cpu", True),
        (wp.generate.grid(20, weights=(1, 9)), whole, "cpu", False),
        (wp.generate.erdos_renyi(4000, 10_000, weights=(1, 9)), whole, "cpu", False),
        (wp.generate.rmat(12, weights=(1, 9)), whole, "cpu", False),
    ):
        assert parts_for(graph, shortest, work, device, predecessors, 2) is None
    found = wp.apsp(grid, device="cpu")
    assert found.stats.method == "partitioned"
    assert "few vertices separate the graph; in " in found.stats.why
    expected = wp.apsp(grid, method="sssp", device="cpu")
    assert found.exact
    assert np.array_equal(found.distance, expected.distance)
    monkeypatch.setattr("warpath.planning.all_pairs.can_cut", lambda: False)
    assert wp.apsp(grid, device="cpu").stats.method == "sssp"


# -- what cannot be ------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ALL)
def test_a_negative_cycle_anywhere(method):
    graph = wp.Graph.from_edges([0, 3, 4, 5], [1, 4, 5, 3], [1, 2, -9, 4], n=200)
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.apsp(graph, method=method, device="cpu")
    assert sorted(caught.value.cycle) == [3, 4, 5]


def test_a_negative_edge_and_a_negative_self_loop():
    both_ways = wp.Graph.from_edges([0, 1], [1, 2], [1, -2], directed=False)
    loop = wp.Graph.from_edges([0, 1], [1, 1], [1.0, -0.5])
    for graph, cycle in ((both_ways, {1, 2}), (loop, {1})):
        for method in ALL:
            with pytest.raises(wp.NegativeCycleError) as caught:
                wp.apsp(graph, method=method, device="cpu")
            assert set(caught.value.cycle) == cycle


@pytest.mark.parametrize("method", ALL)
def test_cycles_of_weight_zero_that_round(method):
    # In decimals each cycle weighs 0; what floats make of it may be seen as negative, or not.
    weights = np.outer([1, 3, 7, 0.1], [0.1, 0.2, -0.3]).ravel()
    source = np.arange(12)
    target = source + 1
    target[2::3] -= 3
    graph = wp.Graph.from_edges([*source, 2, 5, 8], [*target, 3, 6, 9], [*weights, 1.0, 1.0, 1.0])
    exact = wp.Graph.from_edges(
        [*source, 2, 5, 8], [*target, 3, 6, 9], [*np.rint(weights * 100).astype(int), 100, 100, 100]
    )
    try:
        found = wp.apsp(graph, method=method, predecessors=True, device="cpu")
    except wp.NegativeCycleError as error:
        whole = wp.Graph.from_edges(*exact.coo())
        with pytest.raises(wp.VerificationError):
            wp.verify.negative_cycle(whole, error.cycle)  # it is one of these
        return
    expected = wp.apsp(exact, method="sssp", device="cpu").distance
    there = expected != unreachable(expected.dtype)
    assert np.allclose(found.distance[there], expected[there] / 100)
    assert np.isinf(found.distance[~there]).all()
    found.verify()


@pytest.mark.parametrize("method", ALL)
def test_a_negative_cycle_that_rounding_hides(method):
    """Weights of 2⁶² swallow the -1 of other arcs: a fixed point of rounded sums is no proof."""
    big = 2**62
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], [-big, big - 1, -1, -1])
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.apsp(graph, method=method, dtype=np.float64, device="cpu")
    wp.verify.negative_cycle(graph, caught.value.cycle)


@pytest.mark.parametrize("method", DENSE)
def test_paths_that_might_be_too_long_for_a_matrix(method):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [2**60, 2**60, 2**60])
    with pytest.raises(OverflowError, match="method='sssp' looks at each distance"):
        wp.apsp(graph, method=method, device="cpu")
    assert wp.apsp(graph, device="cpu").distance[0, 3] == 3 * 2**60
    floats = graph.with_weights(np.array([1e308, 1e308, 1e308]))
    with pytest.raises(OverflowError):
        wp.apsp(floats, method=method, device="cpu")


@pytest.mark.parametrize("method", few(ALL, ["auto", "floyd-warshall", *BY_ROWS]))
def test_no_distance_wraps(method):
    for most in (2**28, 2**29, 2**30, 2**31 - 2):
        graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([most, most, -most], np.int32))
        found = check(graph, method=method)
        assert found.distance[0].tolist() == [0, most, 2 * most, most]
        assert found.distance.dtype == np.int64 or 3 * most < 2**31
    chain = wp.Graph.from_edges([0, 1], [1, 2], np.array([2**30, 2**30], np.int64))
    with pytest.raises(OverflowError, match="int32"):
        wp.apsp(chain, method=method, dtype=np.int32, device="cpu")
    wide = chain.with_weights(np.array([2**30, 2**29], np.int64))
    assert wp.apsp(wide, method=method, dtype=np.int32, device="cpu").distance[0, 2] == 3 * 2**29


@pytest.mark.parametrize("method", few([*DENSE, "sssp"], ["floyd-warshall", "sssp"]))
def test_a_reliability_below_what_floats_can_say(method):
    graph = wp.Graph.from_edges(
        list("abcc"), list("bcde"), np.array([1e-30, 1e-30, 0, 0.5], np.float32)
    )
    dense = "the most reliable path from a to c is"
    with pytest.raises(OverflowError, match=dense if method in DENSE else "vertex c is too small"):
        wp.apsp(graph, method=method, algebra="most-reliable", device="cpu")
    fine = graph.with_weights(np.array([1e-3, 1e-3, 0, 0.5], np.float32))
    if method in DENSE:
        found = wp.apsp(fine, method=method, algebra="most-reliable", device="cpu")
        assert found.distance[0, 3] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "a-star"}, "unknown method 'a-star'; choose one of auto, floyd-warshall"),
        ({"device": "tpu"}, "unknown device 'tpu'"),
        ({"algebra": "tropical"}, "unknown algebra 'tropical'"),
        ({"method": "bfs"}, "the graph has weights: give it graph.without_weights"),
        ({"method": "johnson", "algebra": "widest"}, "'johnson' is for sums of weights"),
        ({"method": "r-kleene", "algebra": "reachability"}, "is a breadth-first search"),
        ({"algebra": "most-reliable"}, "takes weights from 0 to 1"),
        ({"dtype": np.int16}, "int32, int64, float32 or float64"),
        ({"out": "d.txt"}, "out must name a .npy file"),
        ({"out": "/no/such/folder/d.npy"}, "there is no folder"),
    ],
)
def test_bad_input(options, message):
    graph = wp.Graph.from_edges([0, 1], [1, 2], [1, 5])
    with pytest.raises(ValueError, match=message):
        wp.apsp(graph, **{"device": "cpu"} | options)
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.apsp(np.zeros((3, 3)))
    with pytest.raises(TypeError, match=r"expected a path as out, not numpy\.ndarray"):
        wp.apsp(graph, out=np.zeros((3, 3)))


# -- the answer ------------------------------------------------------------------------------------


def test_paths_and_rows():
    graph = weighted("karate", np.int32)
    found = wp.apsp(graph, predecessors=True, device="cpu")
    assert len(found) == 34
    assert found.path(0, 0) == [0]
    row = found[5]
    assert row.source == 5
    assert row.path(20) == found.path(5, 20)
    row.verify()
    assert found.to_numpy() is found
    with pytest.raises(ValueError, match="out of range"):
        found.path(0, 34)
    with pytest.raises(wp.NoPathError, match="no path leads from 1 to 0"):
        wp.apsp(wp.Graph.from_edges([0], [1]), predecessors=True, device="cpu").path(1, 0)
    with pytest.raises(ValueError, match="kept no predecessors"):
        wp.apsp(graph, device="cpu").path(0, 1)


def test_no_vertices():
    for method in ALL:
        found = wp.apsp(wp.Graph.from_edges([], [], n=0), method=method, device="cpu")
        assert found.distance.shape == (0, 0)
        found.verify()


# -- memory and progress ---------------------------------------------------------------------------


def test_too_much_memory_is_refused_before_it_is_taken(monkeypatch):
    graph = wp.generate.grid(1000, weights=(1, 9))
    for method in ("auto", "sssp"):
        with pytest.raises(MemoryError) as caught:
            wp.apsp(graph, method=method, device="cpu")
        message = str(caught.value)
        assert "all pairs of 1,000,000 vertices by method 'sssp' in int32 takes 4,0" in message
        assert "out='d.npy'" in message
        assert "warpath.eccentricity" in message
    small = weighted("karate", np.int32)
    monkeypatch.setattr(memory, "free", lambda: 1000)
    monkeypatch.setattr("warpath.planning.memory.SMALL", 0)
    with pytest.raises(MemoryError, match="1,000 bytes of memory are free"):
        wp.apsp(small, device="cpu")


def test_free_memory_is_that_of_the_machine():
    assert 0 < memory.free() <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def test_progress():
    for method in ALL:
        seen = []
        graph = wp.generate.erdos_renyi(300, 900, weights=(1, 9))
        wp.apsp(graph, method=method, progress=lambda *now: seen.append(now), device="cpu")  # noqa: B023
        assert seen == sorted(seen)
        assert all(0 < done <= of for done, of in seen)
