from itertools import product

import numpy as np
import pytest

import warpath as wp
from exhaustive import few, slow
from oracles import (
    DTYPES,
    METHODS,
    NON_NEGATIVE,
    ONE_OF_EACH_KIND,
    SHAPES,
    SIGNED,
    distances,
    shape,
    signed,
    small_multigraph,
    some_vertices,
    unreachable,
    weighted,
)

EXACT = (np.int32, np.int64, np.float64)  # those in which SciPy's answers are exact


@pytest.mark.parametrize("method", ["auto", *METHODS])
@pytest.mark.parametrize(
    ("name", "dtype"),
    [
        *((name, np.int32) for name in SHAPES),
        *((name, dtype) for name in ("self-loop", "karate", "power law, directed") for dtype in EXACT[1:]),
    ],
)  # fmt: skip
def test_every_method_finds_the_distances(name, dtype, method, threads, small_teams):
    graph = weighted(name, dtype)
    for source in some_vertices(graph):
        paths = wp.sssp(graph, source, method=method)
        assert paths.distance.dtype == dtype
        assert paths.predecessor.dtype == np.int32
        assert np.array_equal(paths.distance, distances(graph, source, dtype))
        paths.verify()


@pytest.mark.parametrize("name", few(SHAPES, ["karate", "grid", "uniform, directed"]))
def test_every_method_rounds_alike(name, threads, small_teams):
    """Sums of float32 round early, and still all methods agree to the bit."""
    graph = weighted(name, np.float32)
    answers = [wp.sssp(graph, 0, method=method) for method in METHODS]
    for paths in answers:
        assert paths.distance.dtype == np.float32
        assert np.array_equal(paths.distance, answers[0].distance)
        paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("directed", "dtype"),
    few(product([True, False], DTYPES), [(True, np.int32), (False, np.float64)]),
)
def test_small_multigraphs(directed, method, dtype, threads, small_teams):
    for seed in range(5):
        graph = small_multigraph(seed, dtype, directed=directed)
        for source in range(graph.num_vertices):
            paths = wp.sssp(graph, source, method=method)
            if dtype != np.float32:
                assert np.array_equal(paths.distance, distances(graph, source, dtype))
            paths.verify()


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
@pytest.mark.parametrize(
    "name", ["directed cycle", "power law, directed", *slow(["uniform, directed"])]
)  # fmt: skip
def test_negative_weights(name, dtype, method, threads, small_teams):
    graph = signed(name, dtype)
    assert graph.weight_range[0] < 0
    for source in some_vertices(graph)[:2]:  # SciPy takes a second for each
        paths = wp.sssp(graph, source, method=method)
        assert np.array_equal(paths.distance, distances(graph, source, dtype))
        paths.verify()


# -- zero weights --------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_predecessors_are_a_tree_in_spite_of_cycles_of_weight_zero(
    dtype, method, threads, small_teams
):
    for name in ("complete", "uniform, directed", "power law", "grid"):
        graph = shape(name).with_weights(np.zeros(shape(name).num_arcs, dtype))
        paths = wp.sssp(graph, 1, method=method)
        assert not paths.distance[paths.reached].any()
        paths.verify()
        assert all(len(paths.path(v)) > 0 for v in np.flatnonzero(paths.reached)[:50])


# -- which method, which dtype -------------------------------------------------------------


def test_auto():
    graph = wp.Graph.from_edges([0, 0], [1, 2], [3, 4])
    stats = wp.sssp(graph, 0).stats
    assert (stats.method, stats.why) == ("delta-stepping", "no weight is negative")
    path = wp.sssp(wp.generate.grid(1, 9, weights=(1, 9)), 4)
    path.verify()
    assert path.stats.method == "dijkstra"
    stats = wp.sssp(graph.with_weights([3, -4]), 0).stats
    assert (stats.method, stats.why) == ("bellman-ford", "a weight is negative")
    bare = graph.without_weights()
    assert wp.sssp(bare, 0).stats.method == "bfs"
    assert wp.sssp(bare, 0, schedule="delta=2").stats.method == "delta-stepping"
    assert wp.sssp(bare, 0, dtype=np.float32).stats.method == "delta-stepping"


BIG32, BIG64 = 2**31 - 2, 2**63 - 2  # the largest distances


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (None, np.int32),
        (np.int32([5, 5]), np.int32),
        (np.int32([BIG32 // 2, BIG32 // 2]), np.int32),
        (np.int32([BIG32 // 2 + 1, 0]), np.int64),
        (np.int32([BIG32, BIG32]), np.int64),
        (np.int64([5, 5]), np.int64),
        (np.int64([BIG64 // 2, BIG64 // 2]), np.int64),
        (np.float32([5, 5]), np.float32),
        (np.float32([3e38, 0]), np.float32),
        (np.float64([5, 5]), np.float64),
        (np.float64([1.7e308, 0]), np.float64),
    ],
)
def test_the_distances_have_the_weights_dtype_where_every_path_fits(weights, expected, method):
    """(n − 1) · max |w| decides; for integers that do not fit it is int64."""
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights, n=3)
    paths = wp.sssp(graph, 0, method=method)
    assert paths.distance.dtype == expected
    steps = [1, 1] if weights is None else weights.tolist()
    assert paths.distance.tolist() == [0, steps[0], sum(steps)]
    paths.verify()


@pytest.mark.parametrize("method", SIGNED)
@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        (np.int32([-BIG32 // 2, -BIG32 // 2]), np.int32),
        (np.int32([-BIG32, -BIG32]), np.int64),
        (np.int64([-(2**60), -(2**60)]), np.int64),
        (np.float32([-1e38, -1e38]), np.float32),
    ],
)
def test_far_below_zero(weights, expected, method):
    paths = wp.sssp(wp.Graph.from_edges([0, 1], [1, 2], weights), 0, method=method)
    assert paths.distance.dtype == expected
    assert paths.distance.tolist() == [0, weights[0], weights.sum(dtype=expected)]
    paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("given", "wanted"),
    few(
        product([None, *DTYPES], DTYPES),
        [(None, np.int32), (np.int32, np.int64), (np.int64, np.int32), (np.float64, np.int64)],
    ),
)
def test_a_dtype_may_be_asked_for(given, wanted, method):
    name = "power law, directed"
    graph = shape(name) if given is None else weighted(name, given)
    if given in (np.float32, np.float64) and np.dtype(wanted).kind == "i":
        with pytest.raises(ValueError, match=f"float weights make no {np.dtype(wanted)}"):
            wp.sssp(graph, 0, method=method, dtype=wanted)
        return
    paths = wp.sssp(graph, 0, method=method, dtype=wanted)
    assert paths.distance.dtype == wanted
    if given in (None, np.int32, np.int64, wanted) and wanted != np.float32:
        assert np.array_equal(paths.distance, distances(graph, 0, wanted))
    paths.verify()


@pytest.mark.parametrize("method", METHODS)
def test_int32_may_be_asked_for_where_only_the_bound_does_not_fit(method):
    """The heavy arc is on no shortest path."""
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], np.int64([3, 2**40, 4]))
    assert wp.sssp(graph, 0, method=method, dtype=np.int32).distance.tolist() == [0, 3, 7]


def test_without_weights_each_arc_counts_one(threads):
    graph = shape("grid")
    for method in METHODS:
        paths = wp.sssp(graph, 0, method=method)
        levels = wp.bfs(graph, 0).distance
        assert np.array_equal(paths.distance[levels >= 0], levels[levels >= 0])
        assert np.array_equal(paths.reached, levels >= 0)
        paths.verify()


# -- several sources -----------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sources", [[0], [5, 3], [1, 2, 3, 2, 1], range(20)])
def test_several_sources_have_a_row_each(sources, method, threads, small_teams):
    graph = weighted("power law, directed", np.int32)
    paths = wp.sssp(graph, sources, method=method)
    assert paths.distance.shape == paths.predecessor.shape == (len(sources), graph.num_vertices)
    assert np.array_equal(paths.distance, [distances(graph, s, np.int32) for s in sources])
    assert paths.source.tolist() == list(sources)
    paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sources", [[7], [5, 3], [4, 4, 900, 4], range(0, 4096, 37)])
def test_nearest_is_the_least_of_the_rows(sources, method, threads, small_teams):
    graph = weighted("power law, directed", np.float64)
    paths = wp.sssp(graph, sources, nearest=True, method=method)
    least = np.min([distances(graph, s, np.float64) for s in sources], axis=0)
    assert np.array_equal(paths.distance, least)
    assert (paths.predecessor[list(sources)] == -1).all()
    paths.verify()


@pytest.mark.parametrize("method", SIGNED)
def test_nearest_with_negative_weights(method, threads, small_teams):
    """A source may lie below 0, behind another one."""
    graph = signed("power law, directed", np.int32)
    sources = [3, int(distances(graph, 3, np.int32).argmin()), 700]
    rows = [distances(graph, s, np.int32) for s in sources]
    paths = wp.sssp(graph, sources, nearest=True, method=method)
    assert np.array_equal(paths.distance, np.min(rows, axis=0))
    assert (paths.distance[sources] < 0).any()
    paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("sources", [0, [0, 1], [0, 1, 2]])
def test_predecessors_are_left_out_on_demand(sources, method, threads, small_teams):
    graph = weighted("power law, directed", np.int32)
    paths = wp.sssp(graph, sources, predecessors=False, method=method)
    assert paths.predecessor is None
    assert np.array_equal(paths.distance, wp.sssp(graph, sources).distance)
    paths.verify()


# -- stopping early ------------------------------------------------------------------------


def masked(whole, limit):
    """The whole answer without what is beyond the limit."""
    return np.where(whole > limit, unreachable(whole.dtype), whole).astype(whole.dtype)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("dtype", "cutoff"),
    few(
        product(DTYPES, [0, 0.3, 1, 3.5, 12, 1e300, np.inf, 2**70]),
        [
            *product([np.int32], [0, 0.3, 3.5, 2**70]),
            *product([np.float64], [0, 0.3, 1e300, np.inf]),
        ],
    ),
)
def test_a_cutoff_masks_the_answer(dtype, cutoff, method, threads, small_teams):
    graph = weighted("power law, directed", dtype)
    whole = wp.sssp(graph, [5, 6], method="dijkstra").distance
    with np.errstate(over="ignore"):
        limit = np.dtype(dtype).type(cutoff) if np.dtype(dtype).kind == "f" else cutoff
    one = wp.sssp(graph, 5, cutoff=cutoff, method=method)
    rows = wp.sssp(graph, [5, 6], cutoff=cutoff, method=method)
    for paths, full in ((one, whole[0]), (rows, whole)):
        assert np.array_equal(paths.distance, masked(full, limit))
        assert (paths.predecessor[~paths.reached] == -1).all()
        paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "dtype"),
    few(
        product(["power law, directed", "grid"], [np.int32, np.float64]),
        [("power law, directed", np.float64), ("grid", np.int32)],
    ),
)
def test_a_target_masks_what_is_farther(dtype, name, method, threads, small_teams):
    graph = weighted(name, dtype)
    whole = wp.sssp(graph, [5, 6], method="dijkstra").distance
    for target in (5, 6, 7, 1000, graph.num_vertices - 1):
        one = wp.sssp(graph, 5, target=target, method=method)
        assert np.array_equal(one.distance, masked(whole[0], whole[0, target]))
        one.verify()
        rows = wp.sssp(graph, [5, 6], target=target, method=method)
        assert np.array_equal(rows.distance, masked(whole, whole[:, target, None]))
        rows.verify()


@pytest.mark.parametrize("method", NON_NEGATIVE)
def test_a_target_stops_early(method):
    graph = wp.generate.grid(200, 200, weights=(1, 255), seed=1)
    whole = wp.sssp(graph, 0, method=method).stats.relaxations
    near = wp.sssp(graph, 0, target=405, method=method).stats.relaxations
    assert near < whole / 10


@pytest.mark.parametrize("method", METHODS)
def test_all_that_is_as_near_as_the_target_is_there(method, threads, small_teams):
    """Also what only arcs of weight zero from the target, or from others as near, lead to."""
    graph = wp.Graph.from_edges([0, 0, 1, 2, 4, 4], [1, 2, 3, 4, 5, 6], [2, 2, 0, 0, 0, 1])
    paths = wp.sssp(graph, 0, target=1, method=method)
    assert paths.distance.tolist() == [0, 2, 2, 2, 2, 2, unreachable(np.int64)]
    paths.verify()


@pytest.mark.parametrize("method", METHODS)
def test_a_target_out_of_reach_leaves_all(method, threads, small_teams):
    graph = wp.Graph.from_edges([0, 1, 3], [1, 2, 0], [1, 1, 1])
    paths = wp.sssp(graph, 0, target=3, method=method)
    assert paths.distance[:3].tolist() == [0, 1, 2]
    assert paths.limit is None
    paths.verify()
    rows = wp.sssp(graph, [0, 2, 3], target=3, method=method)
    far = unreachable(np.int64)
    assert rows.distance.tolist() == [[0, 1, 2, far], [far, far, 0, far], [far, far, far, 0]]
    rows.verify()


@pytest.mark.parametrize("method", METHODS)
def test_target_and_cutoff(method, threads, small_teams):
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], [2, 2, 2, 2])
    far = unreachable(np.int64)
    for target, cutoff, reached in ((2, 7, 3), (3, 5, 3), (4, 1, 1), (1, np.inf, 2)):
        paths = wp.sssp(graph, 0, target=target, cutoff=cutoff, method=method)
        assert paths.distance.tolist() == [0, 2, 4, 6, 8][:reached] + [far] * (5 - reached)
        paths.verify()


@pytest.mark.parametrize("method", SIGNED)
def test_a_target_stops_nothing_where_weights_are_negative(method, threads, small_teams):
    graph = signed("power law, directed", np.int32)
    paths = wp.sssp(graph, 0, target=1, method=method)
    assert np.array_equal(paths.distance, distances(graph, 0, np.int32))
    assert paths.limit is None
    paths.verify()


def test_a_target_beside_negative_edges_out_of_reach():
    graph = wp.Graph.from_edges([0, 1, 3], [1, 2, 4], [1, 1, -1], directed=False)
    paths = wp.sssp(graph, 0, target=1)
    assert paths.distance[:3].tolist() == [0, 1, 2]
    paths.verify()


# -- knobs ---------------------------------------------------------------------------------


@pytest.mark.parametrize("delta", [1e-300, 1e-9, 0.5, 1, 3, 100, 1e300, np.float32(2)])
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_any_delta_gives_the_same_answer(dtype, delta, threads, small_teams):
    for name in ("power law, directed", "grid"):
        graph = weighted(name, dtype)
        paths = wp.sssp(graph, 2, method="delta-stepping", schedule=wp.Schedule(delta=delta))
        assert np.array_equal(paths.distance, wp.sssp(graph, 2, method="dijkstra").distance)
        paths.verify()


def test_a_narrow_delta_takes_more_iterations(threads, small_teams):
    graph = wp.generate.grid(60, 60, weights=(1, 1000))
    narrow, wide = (
        wp.sssp(graph, 0, method="delta-stepping", schedule=wp.Schedule(delta=delta)).stats
        for delta in (10, 10_000)
    )
    assert (narrow.delta, wide.delta) == (10, 10_000)
    assert narrow.iterations > wide.iterations
    assert narrow.relaxations < wide.relaxations


@pytest.mark.parametrize("method", few(METHODS, ["dijkstra"]))
def test_offsets_of_64_bits(method):
    """As a graph of 2³¹ arcs has them."""
    graph = weighted("power law, directed", np.int32)
    wide = wp.Graph._from_parts(
        graph.row_offsets.astype(np.int64), graph.column_indices, graph.weights, True
    )
    paths = wp.sssp(wide, 5, method=method)
    assert np.array_equal(paths.distance, distances(graph, 5, np.int32))


@pytest.mark.parametrize("options", [{}, {"cutoff": 2.5}, {"target": 9}, {"nearest": True}])
def test_without_weights_auto_is_bfs(options):
    graph = wp.generate.grid(20, keep=0.8, seed=3)
    source = [0, 210] if "nearest" in options else 0
    quick = wp.sssp(graph, source, **options)
    slow = wp.sssp(graph, source, method="dijkstra", **options)
    assert quick.stats.method == "bfs"
    assert quick.distance.dtype == np.int32
    np.testing.assert_array_equal(quick.distance, slow.distance)
    quick.verify()


@pytest.mark.parametrize("method", METHODS)
def test_a_self_loop_beyond_the_dtype_that_is_asked_for(method):
    graph = wp.Graph.from_edges([0], [0], np.array([2**31]))
    assert wp.sssp(graph, 0, method=method, dtype=np.int32).distance.tolist() == [0]
