"""The best paths by every algebra: against its definition, and what each means elsewhere."""

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp
from algebras import (
    BY_METHOD,
    COMPILED,
    OFTEN_BY_METHOD,
    OTHERS,
    RELIABLE_FLOATS,
    best_paths,
    in_dtype,
    methods,
    probabilities,
)
from exhaustive import few, pairwise, slow
from oracles import DTYPES, METHODS, levels, small_multigraph, some_vertices, weighted

INT32, INT64 = np.iinfo(np.int32), np.iinfo(np.int64)
CUTOFFS = {
    ("widest", np.int32): (-3, 0, 4, 4.5, 11, 12, 2**40, -(2**40), np.inf, -np.inf),
    ("minimax", np.int64): (-1, 0, 4, 4.5, 11, 2**80, -(2**80), np.inf, -np.inf),
    ("widest", np.float64): (0, 0.3, 1e300, np.inf),
    ("minimax", np.float32): (0, 0.35, 1e300, -1e300, -np.inf),
    ("most-reliable", np.float32): (0, 0.1, 1),
}


def graph_for(name, algebra, dtype):
    graph = weighted(name, dtype)
    return probabilities(graph) if algebra == "most-reliable" else graph


def bits(values):
    return values.view(f"u{values.itemsize}")


@pytest.mark.parametrize(("algebra", "dtype", "method"), BY_METHOD)
@pytest.mark.parametrize("name", ["self-loop", "directed cycle", "karate", "uniform, directed"])
def test_every_method_finds_the_best_paths(name, algebra, dtype, method, threads, small_teams):
    graph = graph_for(name, algebra, dtype)
    for source in some_vertices(graph)[:2]:
        paths = wp.sssp(graph, source, algebra=algebra, method=method)
        assert paths.distance.dtype == dtype
        assert np.array_equal(bits(paths.distance), bits(best_paths(graph, source, algebra, dtype)))
        assert np.array_equal(paths.reached, levels(graph, source) >= 0) or (
            algebra == "most-reliable"
        )
        paths.verify()


# -- random multigraphs --------------------------------------------------------------------


@st.composite
def multigraphs(draw, algebra, dtype):
    """With self-loops, parallel arcs, loners; weights of both signs, or from 0 to 1."""
    n = draw(st.integers(1, 10))
    vertex = st.integers(0, n - 1)
    if algebra == "most-reliable":
        weight = st.sampled_from([0.0, -0.0, 0.1, 0.3, 0.5, 0.7, 1.0])
    elif np.dtype(dtype).kind == "f":
        weight = st.sampled_from([0.0, -0.0, 0.1, -0.1, -2.5, 1e30, -1e30, 7.0])
    else:
        weight = st.one_of(
            st.integers(-4, 4), st.sampled_from([INT32.min + 1, INT32.max - 1])
        )  # fmt: skip
    arcs = draw(st.lists(st.tuples(vertex, vertex, weight), max_size=30))
    source, target, weights = zip(*arcs, strict=True) if arcs else ((), (), ())
    directed = draw(st.booleans())
    return wp.Graph.from_edges(
        np.array(source, int), np.array(target, int), np.array(weights, dtype),
        n=n, directed=directed,
    )  # fmt: skip


@pytest.mark.usefixtures("small_teams", "threads")
@pytest.mark.parametrize(("algebra", "dtype"), COMPILED)
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_all_methods_agree_to_the_bit(algebra, dtype, data):
    graph = data.draw(multigraphs(algebra, dtype))
    source = data.draw(st.integers(0, graph.num_vertices - 1))
    # Of both zeros ours is the positive one.
    trusted = best_paths(graph, source, algebra, dtype) + dtype(0)
    for method in ("auto", *methods(algebra, dtype)):
        paths = wp.sssp(graph, source, algebra=algebra, method=method)
        assert np.array_equal(bits(paths.distance), bits(trusted))
        paths.verify()


# -- what they mean elsewhere ----------------------------------------------------------------


def spanning_tree(graph):
    """The minimum spanning tree by SciPy, which takes no zeros for arcs."""
    source, target, weight = graph.coo()
    lightest = wp.Graph.from_edges(source, target, weight, n=graph.num_vertices, merge="min")
    tree = csgraph.minimum_spanning_tree(lightest.to_scipy()).tocoo()
    return wp.Graph.from_edges(
        *tree.coords, tree.data.astype(weight.dtype), n=graph.num_vertices, directed=False
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["karate", "complete", "grid"])
def test_bottlenecks_are_those_of_a_spanning_tree(name):
    """Kruskal: of an undirected graph the only path in a minimum spanning tree is a minimax one."""
    graph = weighted(name, np.float32)
    graph = graph.with_weights(graph.weights + 1)
    tree = spanning_tree(graph)
    paths = wp.sssp(graph, 1, algebra="minimax")
    assert np.array_equal(paths.distance, wp.sssp(tree, 1, algebra="minimax").distance)
    # On a tree there is one path to each vertex: its largest weight, from the root on.
    order = np.argsort(levels(tree, 1), kind="stable")
    parent = wp.bfs(tree, 1).predecessor
    largest = {1: -np.inf}
    for v in order[levels(tree, 1)[order] > 0].tolist():
        u = int(parent[v])
        largest[v] = max(largest[u], *tree.arc_weights(u)[tree.neighbors(u) == v].tolist())
    assert {v: paths.distance[v] for v in largest} == largest


@pytest.mark.parametrize("source", [0, 77])
def test_a_capacity_is_the_most_at_which_a_path_is_left(source):
    graph = weighted("power law, directed", np.int32)
    tails, heads, weights = graph.coo()
    widest = wp.sssp(graph, source, algebra="widest")
    for capacity in np.unique(weights):
        kept = weights >= capacity
        left = wp.Graph.from_edges(tails[kept], heads[kept], n=graph.num_vertices)
        assert np.array_equal(widest.distance >= capacity, wp.bfs(left, source).reached)


@pytest.mark.parametrize("dtype", RELIABLE_FLOATS)
def test_reliabilities_of_powers_of_two_are_shortest_paths(dtype):
    graph = weighted("power law, directed", np.int32)
    lengths = wp.sssp(graph, 5)
    halves = graph.with_weights(np.ldexp(dtype(1), -graph.weights))
    paths = wp.sssp(halves, 5, algebra="most-reliable")
    assert paths.distance.dtype == dtype
    assert np.array_equal(
        paths.distance, np.where(lengths.reached, np.ldexp(dtype(1), -lengths.distance), 0)
    )


@pytest.mark.slow
@pytest.mark.parametrize("dtype", DTYPES)
def test_widest_and_minimax_are_each_others_mirror(dtype):
    graph = weighted("uniform, directed", dtype)
    mirror = graph.with_weights(-graph.weights)
    here, there = (
        wp.sssp(g, 3, algebra=algebra) for g, algebra in ((graph, "widest"), (mirror, "minimax"))
    )
    between = here.reached.copy()
    between[3] = False
    assert np.array_equal(here.reached, there.reached)
    assert np.array_equal(here.distance[between], -there.distance[between])


# -- reachability ----------------------------------------------------------------------------


@pytest.mark.parametrize("sources", [5, [5, 6, 4090]])
@pytest.mark.parametrize("nearest", [False, True])
def test_reachability_is_a_breadth_first_search(sources, nearest):
    graph = weighted("power law, directed", np.float32).with_weights(
        np.full(weighted("power law, directed", np.float32).num_arcs, -1.5)
    )
    paths = wp.sssp(graph, sources, nearest=nearest, algebra="reachability", target=7)
    levels = wp.bfs(graph, sources, nearest=nearest)
    assert paths.distance.dtype == bool
    assert np.array_equal(paths.distance, levels.reached)
    assert np.array_equal(paths.reached, levels.reached)
    assert paths.stats.method == "bfs"
    assert paths.limit is None
    paths.verify()
    one = paths if paths.distance.ndim == 1 else paths[0]
    assert len(one.path(int(np.flatnonzero(one.reached)[-1]))) >= 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "dijkstra"}, "is a breadth-first search, not 'dijkstra'"),
        ({"cutoff": 1}, "takes no cutoff"),
        ({"dtype": np.int32}, "makes bool distances"),
        ({"schedule": "delta=2"}, "delta is a knob of"),
    ],
)
def test_reachability_takes_no_knobs(options, message):
    with pytest.raises(ValueError, match=message):
        wp.sssp(weighted("karate", np.int32), 0, algebra="reachability", **options)


# -- several sources, targets, limits ------------------------------------------------------


@pytest.mark.parametrize(("algebra", "dtype", "method"), OFTEN_BY_METHOD)
def test_several_sources(algebra, dtype, method, threads, small_teams):
    graph = graph_for("power law, directed", algebra, dtype)
    sources = [7, 900, 7, 3]
    rows = wp.sssp(graph, sources, algebra=algebra, method=method)
    whole = [best_paths(graph, s, algebra, dtype) for s in sources]
    assert np.array_equal(rows.distance, whole)
    rows.verify()
    assert rows[1].algebra == algebra
    rows[1].verify()
    nearest = wp.sssp(graph, sources, algebra=algebra, nearest=True, method=method)
    assert np.array_equal(nearest.distance, best_paths(graph, sources, algebra, dtype))
    nearest.verify()


def kept(whole, limit, algebra):
    """The whole answer without what is worse than the limit; a source is never."""
    none = in_dtype(np.inf if algebra == "minimax" else 0 if algebra == "most-reliable" else -np.inf,
                    whole.dtype)  # fmt: skip
    worse = whole > limit if algebra == "minimax" else whole < limit
    return np.where(worse, none, whole).astype(whole.dtype)


@pytest.mark.parametrize(
    ("algebra", "dtype", "method"),
    [
        *OFTEN_BY_METHOD,
        *slow(
            (*one, method)
            for one in (("minimax", np.int64), ("widest", np.float64))
            for method in METHODS
        ),
    ],
)
def test_a_cutoff_is_a_value(algebra, dtype, method, threads, small_teams):
    graph = graph_for("power law, directed", algebra, dtype)
    whole = best_paths(graph, 5, algebra, dtype)
    for cutoff in CUTOFFS[algebra, dtype]:
        with np.errstate(over="ignore"):
            limit = dtype(cutoff) if np.dtype(dtype).kind == "f" else cutoff
        paths = wp.sssp(graph, 5, algebra=algebra, cutoff=cutoff, method=method)
        expected = kept(whole, limit, algebra)
        expected[5] = whole[5]
        assert np.array_equal(paths.distance, expected)
        assert (paths.predecessor[~paths.reached] == -1).all()
        paths.verify()
        rows = wp.sssp(graph, [5, 5], algebra=algebra, cutoff=cutoff, method=method)
        assert np.array_equal(rows.distance, [expected, expected])
        rows.verify()


@pytest.mark.parametrize(("algebra", "dtype", "method"), OFTEN_BY_METHOD)
def test_a_target_masks_what_is_worse(algebra, dtype, method, threads, small_teams):
    graph = graph_for("power law, directed", algebra, dtype)
    whole = best_paths(graph, 5, algebra, dtype)
    whole_reached = wp.sssp(graph, 5, algebra=algebra).reached
    reached = int(np.flatnonzero(whole_reached)[-1])
    for target in (5, reached // 2, reached, int(np.flatnonzero(~whole_reached)[0])):
        paths = wp.sssp(graph, 5, target=target, algebra=algebra, method=method)
        assert np.array_equal(paths.distance, kept(whole, whole[target], algebra))
        assert (paths.limit is not None) == whole_reached[target]
        paths.verify()


@pytest.mark.parametrize("delta", [1e-9, 0.5, 3, 1e300])
@pytest.mark.parametrize(
    ("algebra", "dtype"), [("widest", np.int32), ("most-reliable", np.float32)]
)
def test_any_delta_gives_the_same_answer(algebra, dtype, delta, threads, small_teams):
    # On the grid no reliability would fit in float32.
    graph = graph_for("grid" if algebra == "widest" else "power law, directed", algebra, dtype)
    paths = wp.sssp(
        graph, 2, algebra=algebra, method="delta-stepping", schedule=wp.Schedule(delta=delta)
    )
    assert np.array_equal(
        paths.distance, wp.sssp(graph, 2, algebra=algebra, method="dijkstra").distance
    )
    paths.verify()


@pytest.mark.slow
def test_without_weights_each_arc_counts_one():
    graph = weighted("power law, directed", np.int32).without_weights()
    reached = wp.bfs(graph, 5).reached
    for algebra in OTHERS:
        paths = wp.sssp(graph, 5, algebra=algebra, method="dijkstra")
        assert np.array_equal(paths.reached, reached)
        others = reached.copy()
        others[5] = False
        assert (paths.distance[others] == 1).all()
        paths.verify()


# -- ends of a dtype -------------------------------------------------------------------------


@pytest.mark.slow  # kernels of int32 weights and int64 distances
@pytest.mark.parametrize(
    ("algebra", "dtype", "method"), pairwise(("widest", "minimax"), (np.int32, np.int64), METHODS)
)
def test_the_extreme_weights(algebra, dtype, method):
    """The one that reads as "no path" needs more bits, or is refused; all others do not."""
    ends = np.iinfo(dtype)
    least, most = (ends.min + 1, ends.max) if algebra == "widest" else (ends.min, ends.max - 1)
    graph = wp.Graph.from_edges(
        [0, 1, 2, 0], [1, 2, 3, 4], np.array([most, 0, least, least], dtype)
    )
    paths = wp.sssp(graph, 0, algebra=algebra, method=method)
    assert paths.distance.dtype == dtype
    assert np.array_equal(paths.distance, best_paths(graph, 0, algebra, dtype))
    paths.verify()
    beyond = ends.min if algebra == "widest" else ends.max
    graph = graph.with_weights(np.array([1, 0, beyond, 1], dtype))
    if dtype == np.int64:
        with pytest.raises(OverflowError, match=f"weight {beyond} of arc .* does not fit in int64"):
            wp.sssp(graph, 0, algebra=algebra, method=method)
        return
    paths = wp.sssp(graph, 0, algebra=algebra, method=method)
    assert paths.distance.dtype == np.int64
    assert np.array_equal(paths.distance, best_paths(graph, 0, algebra, np.int64))
    paths.verify()


@pytest.mark.parametrize(
    ("algebra", "wide"), [("widest", np.float64), *slow([("minimax", np.float32)])]
)
def test_a_narrower_dtype_must_hold_the_weights(algebra, wide):
    graph = wp.Graph.from_edges([0, 1], [1, 2], np.int64([5, 2**40]))
    with pytest.raises(OverflowError, match=f"weight {2**40} of arc 1 does not fit in int32"):
        wp.sssp(graph, 0, algebra=algebra, dtype=np.int32)
    small = graph.with_weights(np.int64([5, -7]))
    for each, dtype in ((small, np.int32), (graph, wide)):
        paths = wp.sssp(each, 0, algebra=algebra, dtype=dtype, method="dijkstra")
        assert np.array_equal(paths.distance, best_paths(each, 0, algebra, dtype))
        paths.verify()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dtype", RELIABLE_FLOATS)
def test_a_reliability_too_small_is_found(dtype, method):
    tiny = np.finfo(dtype).tiny
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 4], np.array([tiny, tiny, 0.5, 0], dtype))
    with pytest.raises(
        OverflowError, match=r"vertex 2 is too small for .* the arc 1 → 2 of weight"
    ):
        wp.sssp(graph, 0, algebra="most-reliable", method=method)
    paths = wp.sssp(graph, 0, algebra="most-reliable", method=method, cutoff=float(tiny))
    assert paths.reached.tolist() == [True, True, False, False, False]
    paths.verify()


def test_a_reliability_that_a_narrow_dtype_does_not_hold():
    graph = wp.Graph.from_edges([0, 1], [1, 2], [0.5, 1e-60])
    with pytest.raises(OverflowError, match="weight 1e-60 of arc 1 does not fit in float32"):
        wp.sssp(graph, 0, algebra="most-reliable", dtype=np.float32)


# -- what does not fit -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"algebra": "longest"}, "unknown algebra 'longest'; choose one of shortest, widest"),
        ({"algebra": "most-reliable"}, "takes weights from 0 to 1, but that of the arc 0 → 1 is 3"),
        ({"algebra": "widest", "cutoff": np.nan}, "cutoff must be a number"),
        ({"algebra": "widest", "schedule": "delta=-1"}, "delta must be positive"),
    ],
)
def test_what_is_refused(options, message):
    graph = wp.Graph.from_edges([0, 1], [1, 2], [3, 1])
    with pytest.raises(ValueError, match=message):
        wp.sssp(graph, 0, **options)


@pytest.mark.parametrize("cutoff", [-0.1, 1.1, 7])
def test_a_reliability_as_a_cutoff(cutoff):
    graph = wp.Graph.from_edges([0, 1], [1, 2], [0.5, 1])
    with pytest.raises(ValueError, match="a reliability from 0 to 1"):
        wp.sssp(graph, 0, algebra="most-reliable", cutoff=cutoff)
    with pytest.raises(ValueError, match="makes float distances, not int64"):
        wp.sssp(graph, 0, algebra="most-reliable", dtype=np.int64)


@pytest.mark.parametrize(
    ("algebra", "dtype"), [("widest", np.int32), *slow([("minimax", np.float32)])]
)
def test_signs_matter_to_sums_alone(algebra, dtype):
    graph = small_multigraph(3, dtype)
    graph = graph.with_weights(graph.weights - dtype(2))
    assert graph.weight_range[0] < 0
    for method in methods(algebra, dtype):
        wp.sssp(graph, 0, algebra=algebra, method=method, cutoff=1).verify()
    assert wp.sssp(graph, 0, algebra=algebra).stats.why == "no arc makes a path better"


@pytest.mark.parametrize("cutoff", [math.inf, 2**63 + 1, 10**400])
@pytest.mark.parametrize(
    ("algebra", "dtype"),
    few(product(["widest", "minimax"], [np.int32, np.int64]), [("widest", np.int32)]),
)
def test_a_cutoff_that_no_weight_is_as_good_as(algebra, dtype, cutoff):
    ends = np.iinfo(dtype)
    sign, best = (1, ends.max) if algebra == "widest" else (-1, ends.min)
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([best, best, 5], dtype), n=4)
    wide = {"algebra": algebra, "dtype": dtype}
    for method in METHODS if algebra == "widest" else ("dijkstra",):
        found = wp.sssp(graph, 0, method=method, cutoff=sign * cutoff, **wide)
        assert found.reached.tolist() == [True, False, False, False]
        found.verify()
        within = wp.sssp(graph, 0, method=method, cutoff=int(best), **wide)
        assert within.reached.tolist() == [True, True, True, False]
        within.verify()
    matrix = wp.distance_matrix(graph, [0, 1], [0, 1], cutoff=sign * cutoff, **wide)
    assert matrix.reached.tolist() == [[True, False], [False, True]]
    matrix.verify()
    several = wp.sssp(graph, [0, 1], cutoff=sign * cutoff, **wide)
    several.verify()


def test_reachability_of_weights_beyond_integers():
    graph = wp.Graph.from_edges([0, 1], [1, 2], [1e300, 3.0])
    assert wp.sssp(graph, 0, algebra="reachability").distance.all()
