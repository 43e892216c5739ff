"""Random multigraphs: every method, dtype and number of threads against SciPy and the certificate."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp
from exhaustive import few
from oracles import DIRECTIONS, DTYPES, METHODS, SIGNED, distances, levels
from warpath import verify

# The fixtures set the number of threads, once for all examples.
fixtures_once = settings(
    max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture]
)  # fmt: skip
pytestmark = pytest.mark.usefixtures("threads", "small_teams")


def dtypes(chosen):
    """Each is many examples: one by default."""
    return pytest.mark.parametrize("dtype", few(DTYPES, [chosen]))


@st.composite
def multigraphs(draw, low=0, high=9, directed=None, potentials=False):
    """(n, source, target, integer weights, directed), with self-loops, parallel arcs, loners."""
    n = draw(st.integers(1, 12))
    vertex = st.integers(0, n - 1)
    arcs = draw(st.lists(st.tuples(vertex, vertex, st.integers(low, high)), max_size=45))
    source, target, weight = np.array(arcs, np.int64).reshape(-1, 3).T
    if potentials:
        p = np.array(draw(st.lists(st.integers(0, 30), min_size=n, max_size=n)))
        weight = weight + p[source] - p[target]
    if directed is None:
        directed = draw(st.booleans())
    return n, source, target, weight, directed


def as_graph(parts, dtype, unit=1.0):
    """With integer weights, or as many times ``unit``."""
    n, source, target, weight, directed = parts
    weight = weight.astype(dtype)
    if weight.dtype.kind == "f":
        weight *= weight.dtype.type(unit)
    return wp.Graph.from_edges(source, target, weight, n=n, directed=directed)


def agree(graph, methods):
    """All methods give SciPy's distances (those of float32: each other's), from every vertex."""
    dtype = graph.weights.dtype
    for source in range(graph.num_vertices):
        answers = [wp.sssp(graph, source, method=method) for method in methods]
        trusted = answers[0].distance
        if dtype != np.float32:
            trusted = distances(graph, source, dtype)
        for paths in answers:
            assert np.array_equal(paths.distance, trusted)
            paths.verify()


@dtypes(np.float64)
@fixtures_once
@given(parts=multigraphs())
def test_no_negative_weight(dtype, parts):
    agree(as_graph(parts, dtype, unit=0.1), METHODS)


@dtypes(np.int32)
@fixtures_once
@given(parts=multigraphs(high=1))
def test_weights_of_zero_and_one(dtype, parts):
    agree(as_graph(parts, dtype), METHODS)


@dtypes(np.int32)
@fixtures_once
@given(parts=multigraphs(directed=True, potentials=True))
def test_negative_weights_without_negative_cycles(dtype, parts):
    agree(as_graph(parts, dtype, unit=0.25), SIGNED)


@dtypes(np.float64)
@fixtures_once
@given(parts=multigraphs(low=-4))
def test_any_weights(dtype, parts):
    """Either SciPy finds a negative cycle too, or its distances are ours."""
    graph = as_graph(parts, dtype, unit=0.25)
    for source in range(graph.num_vertices):
        try:
            trusted = distances(graph, source, dtype)
        except csgraph.NegativeCycleError:
            trusted = None
        for method in ("auto", *SIGNED):
            if trusted is None:
                with pytest.raises(wp.NegativeCycleError) as caught:
                    wp.sssp(graph, source, method=method)
                verify.negative_cycle(graph, caught.value.cycle, source)
            else:
                paths = wp.sssp(graph, source, method=method)
                assert np.array_equal(paths.distance, trusted)
                paths.verify()


@fixtures_once
@given(parts=multigraphs(), limit=st.integers(0, 6))
def test_levels(parts, limit):
    graph = as_graph(parts, np.int32)
    for source in range(graph.num_vertices):
        whole = levels(graph, source)
        for direction in DIRECTIONS:
            paths = wp.bfs(graph, source, schedule=wp.Schedule(direction=direction))
            assert np.array_equal(paths.distance, whole)
            paths.verify()
            near = wp.bfs(
                graph, source, schedule=wp.Schedule(direction=direction), depth_limit=limit
            )
            assert np.array_equal(near.distance, np.where(whole > limit, -1, whole))
            near.verify()


@fixtures_once
@given(parts=multigraphs(), data=st.data())
def test_several_sources_and_limits(parts, data):
    graph = as_graph(parts, np.float64, unit=0.1)
    vertex = st.integers(0, graph.num_vertices - 1)
    sources = data.draw(st.lists(vertex, min_size=1, max_size=4))
    cutoff = data.draw(st.floats(0, 3))
    target = data.draw(vertex)
    whole = np.array([distances(graph, s, np.float64) for s in sources])
    for method in METHODS:
        nearest = wp.sssp(graph, sources, nearest=True, method=method)
        assert np.array_equal(nearest.distance, whole.min(axis=0))
        near = wp.sssp(graph, sources, cutoff=cutoff, method=method)
        assert np.array_equal(near.distance, np.where(whole > cutoff, np.inf, whole))
        within = wp.sssp(graph, sources, target=target, method=method)
        limit = whole[:, target, None]
        assert np.array_equal(within.distance, np.where(whole > limit, np.inf, whole))
        for paths in (nearest, near, within):
            paths.verify()
