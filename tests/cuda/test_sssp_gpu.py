"""Shortest paths on a device, against the certificate, SciPy, the CPU and published answers."""

import hashlib

import numpy as np
import pytest

import real_graphs
import warpath as wp
from oracles import (
    DTYPES,
    SHAPES,
    distances,
    shape,
    signed,
    small_multigraph,
    some_vertices,
    unreachable,
    weighted,
)
from warpath import balance, devices, verify
from warpath.planning.methods import METHODS as ALL_METHODS

pytestmark = pytest.mark.gpu
METHODS = [name for name, one in ALL_METHODS.items() if "cuda" in one.devices and name != "auto"]
SIGNED = [name for name in METHODS if ALL_METHODS[name].negative]
BUCKETS = [name for name in METHODS if ALL_METHODS[name].has_delta]
TECHNIQUES = [technique() for technique in balance.TECHNIQUES.values()]
DEFAULT = balance.lookup(balance.DEFAULT)
# Each pair is another kernel to compile, so not all of them: the emulator's tests have those.
RUNS = [(BUCKETS[0], technique) for technique in TECHNIQUES]
RUNS += [(method, DEFAULT) for method in METHODS if method != BUCKETS[0]]
DIRECTED = ("directed cycle", "uniform, directed", "power law, directed")


def check(graph, source, **options):
    """The answer of a device, verified."""
    paths = wp.sssp(graph, source, device="cuda", **options)
    paths.verify()
    return paths


def found(graph, source, **options):
    return check(graph, source, **options).to_numpy().distance


# -- every method, balance, dtype, sign ----------------------------------------------------


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize(("method", "technique"), RUNS, ids=str)
@pytest.mark.parametrize("name", SHAPES)
def test_every_method_and_balance(name, method, technique, loop):
    graph = weighted(name, np.int32)
    for source in some_vertices(graph):
        answer = found(
            graph, source, method=method, schedule=wp.Schedule(balance=technique, loop=loop)
        )
        assert np.array_equal(answer, distances(graph, source, np.int32))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("method", ["auto", *METHODS])
@pytest.mark.parametrize("name", SHAPES)
def test_every_dtype_to_the_bit(name, method, dtype):
    graph = weighted(name, dtype)
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, method="dijkstra", device="cpu").distance
        assert np.array_equal(found(graph, source, method=method), here)


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_a_prefilter(name, dtype, loop):
    graph = weighted(name, dtype)
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, method="dijkstra", device="cpu").distance
        for delta in ("", ",delta=2"):
            how = f"prefilter=on,loop={loop}{delta}"
            answer = found(graph, source, method="delta-stepping", schedule=how)
            assert np.array_equal(answer, here)


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_a_limit_of_paths(name, dtype, loop):
    graph = weighted(name, dtype)
    if graph.directed:
        pytest.skip("it is for undirected graphs")
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, method="dijkstra", device="cpu").distance
        for more in (
            "",
            ",delta=2",
            ",prefilter=on",
            ",small_frontiers=async" * (loop == "device"),
        ):
            how = f"path_limit=on,loop={loop}{more}"
            answer = found(graph, source, method="delta-stepping", schedule=how)
            assert np.array_equal(answer, here)


@pytest.mark.parametrize("balance", TECHNIQUES)
def test_a_limit_of_paths_by_every_balance(balance):
    check(
        weighted("power law", np.int32),
        0,
        method="delta-stepping",
        schedule=f"{balance},path_limit=on",
    )


@pytest.mark.parametrize("limit", ["on", "off"])
@pytest.mark.parametrize("balance", TECHNIQUES)
def test_a_tree_that_grows_with_the_search(balance, limit):
    """Other tests have edges of weight 0, whose trees are found afterwards."""
    graph = weighted("power law", np.int32)
    graph = graph.with_weights(np.maximum(graph.weights, 1))
    how = f"{balance},path_limit={limit}"
    for source in some_vertices(graph):
        check(graph, source, method="delta-stepping", schedule=how)
        check(graph, source, method="delta-stepping", schedule=f"{how},prefilter=on", cutoff=9)


def test_where_few_vertices_are_beyond_a_limit_they_look_back():
    """Graphs of many edges have one by themselves, and sums of 32 bits where these suffice."""
    for graph in (
        wp.generate.rmat(22, 16, simple=True, weights=(1, 255), seed=1, device="cuda"),
        wp.generate.erdos_renyi(2**24, 2**27, weights=(1, 255), seed=1, device="cuda"),
    ):
        source = int(graph.degree.argmax())
        on = check(graph, source)
        off = wp.sssp(graph, source, device="cuda", schedule="path_limit=off")
        assert on.stats.plan.schedule.path_limit == "on"
        assert on.stats.direction.count("bottom-up") == 1
        assert "bottom-up" not in off.stats.direction
        assert bool((on.distance == off.distance).all())


def test_sums_that_32_bits_might_not_hold():
    """They are tried; of the second graph a path is longer, and 64 are taken."""
    weights = np.full(2**17, 2**14 + 1, np.int32)
    path = wp.Graph.from_edges(np.arange(2**17), np.arange(1, 2**17 + 1), weights, directed=False)
    assert check(path, 2**16).distance.dtype == np.int64
    assert int(check(path, 0).distance.max()) == 2**17 * (2**14 + 1)


def test_a_prefilter_where_distances_are_larger_than_l2():
    graph = wp.generate.rmat(24, 4, weights=(1, 255), seed=1, device="cuda")
    source = int(graph.degree.argmax())
    on, off = (
        check(graph, source, method="delta-stepping", schedule=f"prefilter={one}")
        for one in ("on", "off")
    )
    assert on.stats.plan.schedule.prefilter == "on"
    assert bool((on.distance == off.distance).all())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(directed, method, dtype):
    for seed in range(5):
        graph = small_multigraph(seed, dtype, directed=directed)
        for source in range(graph.num_vertices):
            here = wp.sssp(graph, source, device="cpu").distance
            assert np.array_equal(found(graph, source, method=method), here)


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("method", ["auto", *SIGNED])
@pytest.mark.parametrize("name", DIRECTED)
def test_negative_weights(name, method, dtype, loop):
    graph = signed(name, dtype)
    assert graph.weight_range[0] < 0
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, device="cpu").distance
        assert np.array_equal(
            found(graph, source, method=method, schedule=wp.Schedule(loop=loop)), here
        )


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_negative_weights_with_every_balance(technique):
    graph = signed("power law, directed", np.int32)
    for predecessors in (True, False):
        answer = found(graph, 3, schedule=technique, predecessors=predecessors)
        assert np.array_equal(answer, distances(graph, 3, np.int32))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("given", [None, *DTYPES])
def test_a_dtype_may_be_asked_for(given, dtype):
    name = "power law, directed"
    graph = shape(name) if given is None else weighted(name, given)
    if given in (np.float32, np.float64) and np.dtype(dtype).kind == "i":
        with pytest.raises(ValueError, match=f"float weights make no {np.dtype(dtype)}"):
            wp.sssp(graph, 0, dtype=dtype, device="cuda")
        return
    for method in METHODS:
        paths = check(graph, 0, method=method, dtype=dtype)
        assert paths.distance.dtype == dtype
        here = wp.sssp(graph, 0, dtype=dtype, device="cpu").distance
        assert np.array_equal(paths.to_numpy().distance, here)


def test_negative_edges_out_of_reach():
    graph = wp.Graph.from_edges([0, 1, 3], [1, 2, 4], [1, 1, -1], directed=False)
    for method in ("auto", *SIGNED):
        assert found(graph, 0, method=method, target=2)[:3].tolist() == [0, 1, 2]


# -- weights of zero -----------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_predecessors_are_a_tree_in_spite_of_cycles_of_weight_zero(dtype, method):
    for name in ("complete", "uniform, directed", "power law", "grid"):
        graph = shape(name).with_weights(np.zeros(shape(name).num_arcs, dtype))
        paths = check(graph, 1, method=method).to_numpy()
        assert not paths.distance[paths.reached].any()


def test_weights_that_vanish_beside_a_distance():
    """1e8 + 1 is 1e8 in float32."""
    for directed in (True, False):
        graph = wp.Graph.from_edges(
            [0, 1, 2, 3], [1, 2, 3, 1], np.float32([1e8, 1, 1, 1]), directed=directed
        )
        check(graph, 0)


# -- several sources, limits ---------------------------------------------------------------


@pytest.mark.parametrize("predecessors", [True, False])
@pytest.mark.parametrize("nearest", [True, False])
@pytest.mark.parametrize("method", METHODS)
def test_several_sources(method, nearest, predecessors):
    graph = weighted("power law, directed", np.int32)
    sources = [3, 5, 3, *range(40)]
    paths = check(graph, sources, method=method, nearest=nearest, predecessors=predecessors)
    here = wp.sssp(graph, sources, nearest=nearest, device="cpu")
    assert np.array_equal(paths.to_numpy().distance, here.distance)
    assert (paths.predecessor is not None) == predecessors


@pytest.mark.parametrize("method", SIGNED)
def test_nearest_with_negative_weights(method):
    """A source may lie below 0, behind another one."""
    graph = signed("power law, directed", np.int32)
    sources = [3, int(distances(graph, 3, np.int32).argmin()), 700]
    answer = found(graph, sources, nearest=True, method=method)
    assert (answer[sources] < 0).any()
    assert np.array_equal(answer, wp.sssp(graph, sources, nearest=True, device="cpu").distance)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_limits_are_those_of_the_cpu(dtype, method):
    graph = weighted("power law, directed", dtype)
    last = graph.num_vertices - 1
    cases = [{"cutoff": c} for c in (0, 0.3, 1, 3.5, 12, 1e300, np.inf, 2**70)]
    cases += [{"target": t} for t in (5, 6, 7, 1000, last)]
    cases += [{"target": 1000, "cutoff": 2}, {"target": 6, "cutoff": 40}]
    for options in cases:
        for source in (5, [5, 6]):
            paths = check(graph, source, method=method, **options).to_numpy()
            here = wp.sssp(graph, source, method="dijkstra", device="cpu", **options)
            assert np.array_equal(paths.distance, here.distance)
            assert np.array_equal(paths.limit, here.limit)
            assert (paths.predecessor[~paths.reached] == -1).all()


@pytest.mark.parametrize("options", [{}, {"cutoff": 2.5}, {"target": 9}, {"nearest": True}])
def test_without_weights_auto_is_bfs(options):
    graph = wp.generate.grid(20, keep=0.8, seed=3)
    source = [0, 210] if "nearest" in options else 0
    paths = check(graph, source, **options)
    here = wp.sssp(graph, source, method="dijkstra", device="cpu", **options)
    assert paths.stats.method == "bfs"
    assert np.array_equal(paths.to_numpy().distance, here.distance)


@pytest.mark.parametrize("delta", [1e-300, 1e-9, 0.5, 1, 3, 100, 1e300, np.float32(2)])
@pytest.mark.parametrize("method", BUCKETS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_any_delta_gives_the_same_answer(dtype, method, delta):
    for name in ("power law, directed", "grid"):
        graph = weighted(name, dtype)
        here = wp.sssp(graph, 2, device="cpu").distance
        assert np.array_equal(
            found(graph, 2, method=method, schedule=wp.Schedule(delta=delta)), here
        )


# -- distances that do not fit ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "options", "message"),
    [
        (np.int64([2**62, 2**62]), {}, "the distance of vertex 2 exceeds int64"),
        (np.int64([2**63 - 2, 1]), {}, "exceeds int64"),  # one more would read as unreachable
        (np.float32([3e38, 3e38]), {}, "the distance of vertex 2 exceeds float32"),
        (np.float64([1.5e308, 1.5e308]), {}, "exceeds float64"),
        (np.int32([2**30, 2**30]), {"dtype": np.int32}, "the distance of vertex 2 is 2147483648"),
        (np.int64([5, 2**40]), {"dtype": np.int32}, "too large for int32"),
        (np.float64([1, 1e39]), {"dtype": np.float32}, "weight 1e.39 of arc 1 does not fit"),
    ],
)
def test_too_far(weights, options, message):
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    for method in METHODS:
        with pytest.raises(OverflowError, match=message):
            wp.sssp(graph, 0, method=method, device="cuda", **options)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (np.int64([-(2**62) - 5, -(2**62) - 5]), "below what int64 holds"),
        (np.float32([-3e38, -3e38]), "below what float32 holds"),
        (np.float64([-1.5e308, -1.5e308]), "below what float64 holds"),
    ],
)
@pytest.mark.parametrize("method", SIGNED)
def test_too_far_below(method, weights, message):
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    with pytest.raises(OverflowError, match=message):
        wp.sssp(graph, 0, method=method, device="cuda")


@pytest.mark.parametrize("weights", [np.int64([2**62, 2**62]), np.float32([3e38, 3e38])])
def test_too_far_is_no_matter_beyond_a_limit(weights):
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    for method in METHODS:
        for limit in ({"target": 1}, {"cutoff": weights[0]}):
            paths = check(graph, 0, method=method, **limit).to_numpy()
            assert paths.reached.tolist() == [True, True, False]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_a_way_round_what_is_too_heavy(method, dtype):
    big = {np.int64: 2**63 - 2, np.float64: 1.5e308}[dtype]
    graph = wp.Graph.from_edges(
        [0, 1, 1, 0, 3], [1, 2, 3, 3, 2], np.array([big, big, big, 7, 7], dtype)
    )
    assert found(graph, 0, method=method).tolist() == [0, big, 14, 7]


# -- negative cycles -------------------------------------------------------------------------

WAYS = pytest.mark.parametrize("method", ["auto", *SIGNED])


def cycle_from(graph, source, **options):
    """The cycle that sssp raises, verified."""
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.sssp(graph, source, device="cuda", **options)
    verify.negative_cycle(graph, caught.value.cycle, source if np.ndim(source) == 0 else None)
    return set(caught.value.cycle)


@WAYS
@pytest.mark.parametrize("dtype", DTYPES)
def test_small_negative_cycles(method, dtype):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], np.array([4, -3, 2], dtype))
    assert cycle_from(graph, 0, method=method) == {1, 2}
    for predecessors in (True, False):
        for nearest in (True, False):
            options = {"predecessors": predecessors, "nearest": nearest, "method": method}
            assert cycle_from(graph, [0, 1], **options) == {1, 2}
    loop = wp.Graph.from_edges([0, 1, 1, 2], [1, 2, 1, 0], np.array([1, 1, -1, 1], dtype))
    assert cycle_from(loop, 2, method=method) == {1}
    pair = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([1, -2, 1], dtype), directed=False)
    assert cycle_from(pair, 3, method=method) == {1, 2}


@WAYS
def test_a_cycle_out_of_reach_or_of_weight_zero_is_no_matter(method):
    graph = wp.Graph.from_edges([0, 1, 3, 4, 5], [1, 2, 4, 3, 5], [2, 3, -1, -1, -7])
    far = unreachable(np.int64)
    assert found(graph, 0, method=method).tolist() == [0, 2, 5, far, far, far]
    zero = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [5, -3, 1, 2])
    assert found(zero, 0, method=method).tolist() == [0, 5, 2, 3]


@WAYS
@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("n", [3, 64, 1000])
@pytest.mark.parametrize("tail", [0, 700])
def test_long_cycles(method, n, tail, loop):
    """Round a ring the weights sum to -1; a path leads to it."""
    weights = np.random.default_rng(n).integers(-50, 50, n)
    weights[0] -= weights.sum() + 1
    ring = np.arange(n) + tail
    graph = wp.Graph.from_edges(
        np.concatenate([np.arange(tail), ring]),
        np.concatenate([np.arange(tail) + 1, np.roll(ring, -1)]),
        np.concatenate([np.ones(tail, int), weights]),
    )
    assert cycle_from(graph, 0, method=method, schedule=wp.Schedule(loop=loop)) == set(
        ring.tolist()
    )


@WAYS
def test_one_cycle_hidden_in_a_large_graph(method):
    """Without it there are shortest paths."""
    graph = signed("uniform, directed", np.int32)
    whole = distances(graph, 0, np.int32)
    u, v = (int(x) for x in np.flatnonzero(whole != unreachable(np.int32))[[100, 900]])
    back = int(distances(graph, v, np.int32)[u])
    source, target, weight = graph.coo()
    spoilt = wp.Graph.from_edges(
        np.append(source, u), np.append(target, v), np.append(weight, -back - 1)
    )
    assert {u, v} <= cycle_from(spoilt, 0, method=method)


@WAYS
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_a_cycle_that_soon_leads_below_the_dtype(method, dtype):
    heavy = 2**31 - 2 if dtype == np.int32 else 2**60
    graph = wp.Graph.from_edges([0, 1], [1, 0], np.array([-heavy, -heavy], dtype))
    assert cycle_from(graph, 0, method=method) == {0, 1}


# -- answers that others published -------------------------------------------------------------


def sha256(array):
    return hashlib.sha256(array.tobytes()).hexdigest()


def are(*kinds):
    return [n for n in real_graphs.names() if real_graphs.expected(n)["weights"].startswith(kinds)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", are("int", "synthetic"))
def test_published_distances(name, method):
    graph = real_graphs.load(name)
    answer = real_graphs.expected(name)["sources"][0]
    paths = check(graph, answer["source"], method=method).to_numpy()
    whole = np.where(paths.reached, paths.distance, -1).astype("<i8")
    assert sha256(whole) == answer["sssp_dist_sha256_i64le"]


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("name", are("int", "synthetic"))
def test_published_distances_of_the_negative_twin(name, method):
    twin = real_graphs.negative_twin(name)
    answer = real_graphs.expected(name)["sources"][0]
    distance = found(twin, answer["source"], method=method, dtype=np.int64)
    known = answer["negtwin_dist_sha256_i64le_unreached_maxint"]
    assert sha256(distance.astype("<i8")) == known


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", are("float"))
def test_published_distances_of_float_weights(name, method):
    graph = real_graphs.load(name)
    for answer in real_graphs.expected(name)["sources"]:
        paths = check(graph, answer["source"], method=method).to_numpy()
        reached = paths.distance[paths.reached]
        assert len(reached) == answer["sssp_reached"]
        assert reached.sum() == pytest.approx(answer["sssp_sum"], rel=1e-12)


@WAYS
@pytest.mark.parametrize("name", are("signed"))
def test_published_negative_cycles(name, method):
    graph = real_graphs.load(name)
    for answer in real_graphs.expected(name)["sources"]:
        cycle_from(graph, answer["source"], method=method)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", real_graphs.ldbc_names())
def test_ldbc_graphalytics(name, method):
    case = real_graphs.ldbc(name)
    if case.distances is not None:
        answer = found(case.graph, case.source, method=method)
        np.testing.assert_allclose(answer, case.distances, rtol=1e-12)


@pytest.mark.parametrize("name", real_graphs.library_checker_names())
def test_library_checker(name):
    graph, s, t, answer = real_graphs.library_checker(name)
    for method in METHODS:
        for options in ({}, {"target": t}):
            paths = check(graph, s, method=method, **options).to_numpy()
            assert paths.reached[t] == (answer is not None)
            assert answer is None or paths.distance[t] == answer


# -- what a call gives and keeps ---------------------------------------------------------------


def test_answers_are_of_the_device_that_was_asked_for():
    import cupy

    graph = weighted("power law", np.int32)
    source = graph.degree.argmax()
    paths = wp.sssp(graph, source, device="cuda")
    for array in (paths.distance, paths.predecessor, paths.reached):
        assert isinstance(array, cupy.ndarray)
    neighbor = graph.neighbors(source)[0]
    assert paths.path(neighbor) == paths.to_numpy().path(neighbor)
    auto = wp.sssp(graph, source, schedule="thread-mapped")
    assert isinstance(auto.distance, np.ndarray)
    assert auto.stats.device != "cpu"


@pytest.mark.parametrize("method", METHODS)
def test_stats_say_what_ran(method):
    graph = weighted("power law", np.int32)
    source = graph.degree.argmax()
    stats = check(graph, source, method=method, schedule="local-warp-search").stats
    assert stats.method == method
    assert (stats.delta is not None) == ALL_METHODS[method].has_delta
    assert stats.iterations == len(stats.nanoseconds) == len(stats.mode) > 0
    assert stats.relaxations >= graph.degree[distances(graph, source, np.int32) < 2**31 - 1].sum()
    assert set(stats.balance) <= {"", "local-warp-search"}
    assert stats.as_dict()["device"] == devices.devices()[0].model
    assert len(wp.sssp(graph, source, device="cuda", trace=False).stats.edges) == 0


def test_the_users_stream_is_used():
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        check(weighted("grid", np.int32), 0)
        check(signed("uniform, directed", np.int32), 0)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("weights", [(1, 255), (0, 255), (0.0, 1.0)], ids=str)
def test_large_graphs(method, weights):
    for graph in (
        wp.generate.rmat(19, 16, weights=weights),
        wp.generate.erdos_renyi(2**18, 2**22, weights=weights),
        wp.generate.grid(700, keep=0.9, weights=weights),
    ):
        source = int(graph.degree.argmax())
        here = wp.sssp(graph, source, device="cpu").distance
        assert np.array_equal(found(graph, source, method=method), here)


@pytest.mark.slow
@pytest.mark.parametrize("method", SIGNED)
def test_large_graphs_with_negative_weights(method):
    graph = wp.generate.negative_weights(
        wp.generate.rmat(18, 8, directed=True, weights=(1, 255)), 1
    )
    source = int(graph.degree.argmax())
    here = wp.sssp(graph, source, device="cpu").distance
    assert np.array_equal(found(graph, source, method=method), here)
