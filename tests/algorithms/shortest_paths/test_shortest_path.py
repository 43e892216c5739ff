"""The path between two vertices, against SSSP from one end, SciPy, and the certificate."""

import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import real_graphs
import warpath as wp
from algebras import COMPILED, best_paths, probabilities
from exhaustive import few, slow
from oracles import (
    METHODS,
    ONE_OF_EACH_KIND,
    SHAPES,
    distances,
    levels,
    shape,
    signed,
    small_multigraph,
    some_vertices,
    unreachable,
    weighted,
)
from warpath.algorithms.shortest_paths import path_problem as module
from warpath.operators import lookup

BOTH_ENDS = ("auto", "bidirectional")
dtypes = pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)


def check(graph, source, target, length, **options):
    """The path is ``length`` long, to the bit, and goes nowhere twice; None: there is none."""
    if length is None:
        with pytest.raises(wp.NoPathError, match=f"from {source} to {target}"):
            wp.shortest_path(graph, source, target, **options)
        return None
    path = wp.shortest_path(graph, source, target, **options)
    assert path.length == length
    assert type(path.length) in (int, float)
    assert (path.vertices[0], path.vertices[-1]) == (source, target)
    assert len(set(path.vertices)) == len(path.vertices)
    return path


def to_the_bit(graph, source):
    """Distances from one end, as Python numbers; None where unreachable."""
    paths = wp.sssp(graph, source, method="dijkstra")
    return [d if ok else None for d, ok in zip(paths.distance.tolist(), paths.reached, strict=True)]


@dtypes
@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name, dtype):
    graph = weighted(name, dtype)
    for source in some_vertices(graph):
        lengths = to_the_bit(graph, source)
        for target in some_vertices(graph):
            for method in BOTH_ENDS:
                path = check(graph, source, target, lengths[target], method=method)
    if path is not None:
        path.verify()


@dtypes
@given(
    seed=st.integers(0, 2**32),
    directed=st.booleans(),
    ends=st.tuples(*[st.integers(0, 13)] * 2),
)
def test_multigraphs(dtype, seed, directed, ends):
    """With zero weights, parallel arcs, self-loops and vertices that nothing leads to."""
    graph = small_multigraph(seed, dtype, directed=directed)
    length = to_the_bit(graph, ends[0])[ends[1]]
    if dtype != np.float32 and length is not None:
        assert length == distances(graph, ends[0], dtype)[ends[1]]
    for method in BOTH_ENDS:
        path = check(graph, *ends, length, method=method)
        if path is not None:
            path.verify()
    level = int(levels(graph, ends[0])[ends[1]])
    path = check(graph, *ends, level if level >= 0 else None, weighted=False)
    if path is not None:
        path.verify()


@pytest.mark.parametrize("dtype", [np.float64, *slow([np.float32])])
def test_floats_are_summed_from_the_source(dtype):
    """Many paths of nearly the same length, of which rounding decides."""
    rng = np.random.default_rng(7)
    graph = wp.generate.grid(40, 60, keep=1.0)
    differs = 0
    for _ in range(20):
        source, target, _ = graph.edges()
        weights = (rng.integers(1, 4, len(source)) * 0.1).astype(dtype)
        one = wp.Graph.from_edges(source, target, weights, directed=False)
        s, t = rng.integers(0, one.num_vertices, 2).tolist()
        path = check(one, s, t, to_the_bit(one, s)[t], method="bidirectional")
        path.verify()
        back = check(one, t, s, to_the_bit(one, t)[s], method="bidirectional")
        differs += path.length != back.length
    assert differs > 0  # else this test has tested nothing


@pytest.mark.parametrize("scale", [5e-324, 1e-310, 1e300])
def test_floats_at_the_ends_of_their_range(scale):
    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 30, (2, 90))
    graph = wp.Graph.from_edges(source, target, rng.integers(0, 4, 90) * scale, n=30)
    for s in range(30):
        lengths = to_the_bit(graph, s)
        for t in range(30):
            check(graph, s, t, lengths[t])


@pytest.mark.parametrize("method", METHODS)
def test_from_one_end(method):
    graph = weighted("grid", np.int32)
    path = check(graph, 3, 19_000, to_the_bit(graph, 3)[19_000], method=method)
    assert path.stats.method == method
    path.verify()


@dtypes
def test_negative_weights(dtype):
    graph = signed("power law, directed", dtype)
    paths = wp.sssp(graph, 0)
    for target in np.flatnonzero(paths.reached)[::400].tolist():
        path = check(graph, 0, target, paths.distance[target].item())
        assert path.stats.method == "bellman-ford"
    path.verify()
    lost = int(paths.reached.argmin())
    assert not paths.reached[lost]
    check(graph, 0, lost, None)


def test_a_negative_cycle():
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 1, 3], [1, 1, -2, 1])
    for target in (2, 3, 0):  # on it, next to it, and at once
        with pytest.raises(wp.NegativeCycleError):
            wp.shortest_path(graph, 0, target)
    assert wp.shortest_path(graph, 3, 3).length == 0


def test_to_oneself():
    for graph, zero in ((shape("karate"), 0), (weighted("karate", np.float32), 0.0)):
        path = check(graph, 5, 5, zero)
        assert path.vertices == [5]
        assert type(path.length) is type(zero)
        path.verify()


def test_without_weights_each_arc_counts_one():
    graph = shape("karate")
    for options in ({}, {"weighted": False}, {"method": "dijkstra"}, {"method": "bidirectional"}):
        check(graph, 0, 33, 2, **options).verify()


# -- by other algebras -----------------------------------------------------------------------


@pytest.mark.parametrize(("algebra", "dtype"), COMPILED)
@given(
    seed=st.integers(0, 2**32),
    directed=st.booleans(),
    ends=st.tuples(*[st.integers(0, 13)] * 2),
)
def test_the_best_by_every_algebra(algebra, dtype, seed, directed, ends):
    graph = small_multigraph(seed, dtype, directed=directed)
    if algebra == "most-reliable":
        graph = probabilities(graph, seed % 7)
    value = best_paths(graph, ends[0], algebra, dtype)[ends[1]].item()
    if value == lookup(algebra).none(dtype):
        value = None
        wp.verify.no_path(graph, *ends, algebra=algebra)
    path = check(graph, *ends, value, algebra=algebra)
    if path is not None:
        assert path.algebra == algebra
        path.verify()


@pytest.mark.parametrize("algebra", ["widest", pytest.param("minimax", marks=pytest.mark.slow)])
def test_algebras_that_take_any_sign_and_any_method(algebra):
    graph = weighted("power law, directed", np.int32)
    graph = graph.with_weights(graph.weights - 3)
    paths = wp.sssp(graph, 0, algebra=algebra)
    target = int(np.flatnonzero(paths.reached)[-1])
    for method in METHODS:
        path = check(
            graph, 0, target, paths.distance[target].item(), algebra=algebra, method=method
        )
        assert path.stats.method == method
    path.verify()


def test_reachability_is_searched_for_from_both_ends():
    graph = signed("power law, directed", np.int32)
    reached = wp.bfs(graph, 0).reached
    for target in (int(reached.argmin()), int(np.flatnonzero(reached)[-1])):
        for method in BOTH_ENDS:
            if reached[target]:
                path = wp.shortest_path(graph, 0, target, algebra="reachability", method=method)
                assert (path.length, path.stats.method) == (True, "bidirectional-bfs")
                path.verify()
            else:
                with pytest.raises(wp.NoPathError):
                    wp.shortest_path(graph, 0, target, algebra="reachability", method=method)


@pytest.mark.slow
def test_algebras_of_a_graph_without_weights():
    graph = shape("karate")
    for algebra in ("widest", "most-reliable", "minimax"):
        check(graph, 0, 33, 1, algebra=algebra, method="dijkstra").verify()


# -- which search ----------------------------------------------------------------------------


def test_auto_gives_up_where_the_ends_do_not_meet_soon(monkeypatch):
    graph = weighted("grid", np.int32)
    target = graph.num_vertices - 1
    lengths = to_the_bit(graph, 0)
    path = check(graph, 0, target, lengths[target])
    assert (path.stats.method, path.stats.why) == (
        "bidirectional-dijkstra",
        "no weight is negative",
    )
    monkeypatch.setattr(module, "_MIN_SEARCH_BUDGET", 1000)
    path = check(graph, 0, target, lengths[target])
    assert path.stats.method == "delta-stepping"
    assert path.stats.why == "the searches from both ends did not meet soon"
    path.verify()
    assert check(graph, 0, 3, lengths[3]).stats.method == "bidirectional-dijkstra"
    path = check(graph, 0, target, lengths[target], method="bidirectional")
    assert (path.stats.method, path.stats.why) == ("bidirectional-dijkstra", "as asked")


def test_auto_goes_on_where_a_team_has_nothing_to_share(monkeypatch):
    monkeypatch.setattr(module, "_MIN_SEARCH_BUDGET", 10)
    path = check(
        weighted("path", np.int32), 0, 1499, to_the_bit(weighted("path", np.int32), 0)[1499]
    )
    assert path.stats.method == "bidirectional-dijkstra"


def test_it_looks_at_a_small_part_of_the_graph():
    graph = weighted("uniform, directed", np.float64)
    whole = wp.sssp(graph, 0, method="dijkstra")
    target = int(np.where(whole.reached, whole.distance, 0).argmax())
    path = check(graph, 0, target, whole.distance[target])
    assert path.stats.relaxations < whole.stats.relaxations / 3


HUGE = [
    (np.int64([2**62, 2**62]), "sums of weights may exceed int64"),
    (np.int64([2**61, 2**61]), "sums of weights may exceed int64"),  # twice the path does
    (np.float64([1.5e308, 1e308]), "sums of weights may exceed float64"),
]


@pytest.mark.parametrize(("weights", "why"), HUGE)
def test_sums_that_may_not_fit(weights, why):
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    assert wp.shortest_path(graph, 0, 1).length == weights[0]
    assert wp.shortest_path(graph, 0, 1).stats.why == why
    with pytest.raises(ValueError, match=f"does not fit this graph: {why}; use 'auto'"):
        wp.shortest_path(graph, 0, 1, method="bidirectional")
    if weights[0] == 2**61:
        assert wp.shortest_path(graph, 0, 2).length == 2**62
    else:
        with pytest.raises(OverflowError, match="the distance of vertex 2 exceeds"):
            wp.shortest_path(graph, 0, 2)


@pytest.mark.slow
def test_int32_weights_whose_sums_need_64_bits():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.int32([2**31 - 1] * 3))
    path = wp.shortest_path(graph, 0, 3)
    assert (path.length, path.stats.method) == (3 * (2**31 - 1), "bidirectional-dijkstra")
    path.verify()


def test_float32_that_rounds_too_much(monkeypatch):
    graph = weighted("grid", np.float32)
    monkeypatch.setattr(module, "_MOST_ROUNDING", 1e-3)
    stats = wp.shortest_path(graph, 0, 1).stats
    assert stats.why == "float32 rounds too much for paths of 19,500 vertices"
    assert wp.shortest_path(weighted("grid", np.float64), 0, 1).stats.why == "no weight is negative"


# -- bad input -------------------------------------------------------------------------------

PLAIN = wp.Graph.from_edges([0, 1], [1, 2], [1, 2])
NEGATIVE = wp.Graph.from_edges([0, 1], [1, 2], [1, -2])
BAD = [
    (PLAIN, (3, 0), {}, ValueError, "source 3 is out of range: the graph has 3 vertices"),
    (PLAIN, (0, -1), {}, ValueError, "target -1 is out of range"),
    (PLAIN, (0.0, 1), {}, ValueError, "source must be an integer vertex id, not 0.0"),
    (PLAIN, (0, [1]), {}, ValueError, r"target must be an integer vertex id, not \[1\]"),
    (PLAIN, (0, True), {}, ValueError, "target must be an integer vertex id, not True"),
    (wp.Graph.from_edges([], []), (0, 0), {}, ValueError, "the graph has 0 vertices"),
    (PLAIN, (0, 1), {"device": "tpu"}, ValueError, "unknown device 'tpu'; choose one of auto, cpu"),
    (np.zeros((3, 3)), (0, 1), {}, TypeError, "expected a warpath.Graph, not numpy.ndarray"),
]  # fmt: skip
BAD_METHODS = [
    (PLAIN, {"method": "a-star"}, "unknown method 'a-star'; choose one of auto, .*, bidirectional"),
    (PLAIN, {"method": "dijkstra", "weighted": False}, "weighted=False is a breadth-first search"),
    (NEGATIVE, {"method": "bidirectional"}, "does not fit this graph: a weight is negative"),
    (PLAIN, {"algebra": "longest"}, "unknown algebra 'longest'; choose one of shortest, widest"),
    (PLAIN, {"algebra": "widest", "weighted": False}, "leave it out for algebra 'widest'"),
    (
        PLAIN,
        {"algebra": "widest", "method": "bidirectional"},
        "method 'bidirectional' by weight is for sums, not for algebra 'widest'",
    ),
    (
        PLAIN,
        {"algebra": "reachability", "method": "dijkstra"},
        "algebra 'reachability' is a breadth-first search, not 'dijkstra'",
    ),
    (PLAIN, {"algebra": "most-reliable"}, "takes weights from 0 to 1, but that of the arc 1 → 2"),
    (NEGATIVE, {"method": "dijkstra"}, "method 'dijkstra' cannot take negative weights"),
]


@pytest.mark.parametrize("call", [wp.shortest_path, wp.st_connected])
@pytest.mark.parametrize(("graph", "ends", "options", "error", "message"), BAD)
def test_bad_ends(call, graph, ends, options, error, message):
    with pytest.raises(error, match=message):
        call(graph, *ends, **options)


@pytest.mark.parametrize(("graph", "options", "message"), BAD_METHODS)
def test_bad_methods(graph, options, message):
    with pytest.raises(ValueError, match=message):
        wp.shortest_path(graph, 0, 1, **options)


def test_no_path_is_a_value_error_with_its_ends():
    with pytest.raises(ValueError, match="no path leads from 2 to 0") as error:
        wp.shortest_path(PLAIN, 2, 0)
    assert (error.value.source, error.value.target) == (2, 0)


def test_wrong_paths_do_not_verify():
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [5, 5, 1])
    right = wp.shortest_path(graph, 0, 2)
    right.verify()
    for wrong, broken in (
        ({"vertices": [0, 1, 2]}, "length"),
        ({"vertices": [0, 1, 2], "length": 6}, "shortest"),
        ({"vertices": [2, 0]}, "arc"),
    ):
        with pytest.raises(wp.VerificationError) as error:
            replace(right, **wrong).verify()
        assert error.value.broken == broken


# -- real graphs -----------------------------------------------------------------------------

CHECKED = real_graphs.library_checker_names()
REAL = [name for name in real_graphs.names() if name != "bitcoin-otc"]


@pytest.mark.parametrize("name", few(CHECKED, [one for one in CHECKED if "line" not in one]))
def test_library_checker(name):
    graph, s, t, answer = real_graphs.library_checker(name)
    for method in BOTH_ENDS:
        path = check(graph, s, t, answer, method=method)
    if path is not None:
        path.verify()


@pytest.mark.parametrize("name", real_graphs.dijkstra_names())
def test_stanford_dijkstra(name):
    graph, source, vertices, answers = real_graphs.dijkstra(name)
    for target, answer in zip(vertices.tolist(), answers.tolist(), strict=True):
        check(graph, source, target, None if answer < 0 else answer, method="bidirectional")


@pytest.mark.parametrize("name", real_graphs.ldbc_names())
def test_ldbc_graphalytics(name):
    case = real_graphs.ldbc(name)
    if case.distances is None:
        pytest.skip("no distances are published for it")
    for target, distance in enumerate(case.distances):
        if np.isinf(distance):
            check(case.graph, case.source, target, None, method="bidirectional")
        else:
            path = wp.shortest_path(case.graph, case.source, target, method="bidirectional")
            assert path.length == pytest.approx(distance, rel=1e-12)


@pytest.mark.parametrize("name", few(REAL, real_graphs.small_names()))
def test_real_graphs(name):
    """Distances that are known to be right (`test_real_graphs.py`), from another method."""
    graph = real_graphs.load(name)
    source = real_graphs.expected(name)["sources"][0]["source"]
    distance = wp.sssp(graph, source).distance
    none = unreachable(distance.dtype)
    for target in np.random.default_rng(2).integers(0, graph.num_vertices, 5).tolist():
        length = None if distance[target] == none else distance[target].item()
        path = check(graph, source, target, length, method="bidirectional")
        assert check(graph, source, target, length) is None or path is not None
    if path is not None:
        path.verify()


# -- memory ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "weights", "most"),
    [
        (wp.st_connected, (1, 255), 8),
        (wp.shortest_path, (1, 255), 40 + 4 * 4),
        (wp.shortest_path, (0.0, 1.0), 40 + 4 * 8),
    ],
)
def test_memory(call, weights, most):
    """What is asked for beyond the graph, in bytes per vertex; little of it is touched."""
    graph = wp.generate.rmat(18, 4, weights=weights)
    ends = np.argsort(graph.degree)[-2:].tolist()
    call(graph, *ends)
    tracemalloc.start()
    call(graph, *ends)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= most * graph.num_vertices + 2**19  # the trace takes less
