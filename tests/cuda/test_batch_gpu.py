"""Searches from several sources at once on a device, against the CPU and the certificate."""

import numpy as np
import pytest

import warpath as wp
from algebras import WITH_DTYPES
from oracles import DTYPES, SHAPES, shape, small_multigraph, weighted, weighted_for
from warpath import balance

pytestmark = pytest.mark.gpu
DEFAULT = balance.lookup(balance.DEFAULT)


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    """Whatever it costs."""
    monkeypatch.setattr("warpath.cuda.batch.batching_is_faster", lambda *_: True)


def sources_of(graph):
    n = graph.num_vertices
    return np.random.default_rng(n).integers(0, n, 60 if n > 20_000 else 700)


@pytest.mark.parametrize("predecessors", [True, False])
@pytest.mark.parametrize("name", SHAPES)
def test_breadth_first(name, predecessors):
    graph = shape(name)
    sources = sources_of(graph)
    for limit in (None, 2):
        paths = wp.bfs(graph, sources, device="cuda", predecessors=predecessors, depth_limit=limit)
        here = wp.bfs(graph, sources, device="cpu", depth_limit=limit)
        assert np.array_equal(paths.to_numpy().distance, here.distance)
        for row in range(3):
            paths[row].verify()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_shortest_paths(name, dtype):
    graph = weighted(name, dtype)
    sources = sources_of(graph)[:100]
    here = wp.sssp(graph, sources, device="cpu")
    for options in ({}, {"method": "workfront-sweep"}, {"schedule": "delta=1"}):
        paths = wp.sssp(graph, sources, device="cuda", **options)
        assert np.array_equal(paths.to_numpy().distance, here.distance)
        for row in range(3):
            paths[row].verify()
    paths = wp.sssp(graph, sources, device="cuda", cutoff=5)
    here = wp.sssp(graph, sources, device="cpu", cutoff=5)
    assert np.array_equal(paths.to_numpy().distance, here.distance)


@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
@pytest.mark.parametrize("name", SHAPES)
def test_other_algebras(name, algebra, dtype):
    graph = weighted_for(name, algebra, dtype)
    sources = sources_of(graph)[:60]
    here = wp.sssp(graph, sources, algebra=algebra, device="cpu")
    for options in (
        {},
        {"method": "workfront-sweep"},
        {"method": "near-far", "schedule": "delta=0.01"},
    ):
        paths = wp.sssp(graph, sources, algebra=algebra, device="cuda", **options)
        assert paths.to_numpy().distance.tobytes() == here.distance.tobytes()
        assert len(paths.stats.edges) == len(sources)
        for row in range(3):
            paths[row].verify()


@pytest.mark.parametrize("name", ["grid", "power law, directed", "star"])
@pytest.mark.parametrize("algebra", ["shortest", "widest", "minimax", "reachability"])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_a_target(name, algebra, dtype):
    graph = weighted(name, dtype)
    sources = sources_of(graph)[:60]
    target = graph.num_vertices // 2
    for more in ({}, {"cutoff": 3}) if algebra != "reachability" else ({},):
        options = {"algebra": algebra, "target": target, **more}
        here = wp.sssp(graph, sources, device="cpu", **options)
        paths = wp.sssp(graph, sources, device="cuda", **options)
        assert paths.to_numpy().distance.tobytes() == here.distance.tobytes()
        assert len(paths.stats.edges) == len(sources)
        for row in range(3):
            paths[row].verify()


def test_a_target_where_each_arc_counts_one():
    graph = shape("grid")
    here = wp.sssp(graph, [0, 7, 500], target=600, device="cpu")
    paths = wp.sssp(graph, [0, 7, 500], target=600, device="cuda")
    assert np.array_equal(paths.to_numpy().distance, here.distance)
    paths.verify()


def test_a_reliability_too_small_is_found():
    tiny = np.finfo(np.float32).tiny
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([tiny, tiny, 0.5], np.float32))
    with pytest.raises(OverflowError, match="vertex 2 is too small for float32"):
        wp.sssp(graph, [2, 1, 0], algebra="most-reliable", device="cuda")
    wp.sssp(graph, [3, 2, 1], algebra="most-reliable", device="cuda").verify()


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(directed, dtype):
    """With cycles of weight 0, whose arcs are all tight."""
    for seed in range(20):
        graph = small_multigraph(seed, dtype, directed=directed)
        every = np.arange(graph.num_vertices)
        wp.sssp(graph, every, device="cuda").verify()
        wp.sssp(graph, every, algebra="minimax", device="cuda").verify()
        wp.bfs(graph, every, device="cuda").verify()


def test_stats_have_a_row_for_each_source():
    graph = shape("grid")
    paths = wp.bfs(graph, [0, 7, 500], device="cuda")
    stats = paths.stats
    here = wp.bfs(graph, 7, schedule="direction=top-down", device="cpu").stats
    assert len(stats.edges) == 3
    assert stats.edges[1] == here.edges.sum()
    assert stats.mode == ("block",) * 3
    assert stats.balance == ("two-phase-search",) * 3
    assert stats.iterations >= paths.to_numpy().distance.max(axis=1).sum()
    assert len(wp.bfs(graph, [0, 7], device="cuda", trace=False).stats.edges) == 0


def test_when_batching_is_faster(monkeypatch):
    monkeypatch.undo()
    from warpath.cuda.batch import batching_is_faster
    from warpath.cuda.device_graph import on_device

    small, large = on_device(shape("karate")), on_device(shape("star"))
    assert batching_is_faster(small, 100, DEFAULT)
    assert batching_is_faster(small, 100, balance.lookup(balance.VISITING))
    assert not batching_is_faster(small, 1, DEFAULT)
    assert not batching_is_faster(small, 100, balance.lookup("thread-mapped"))
    assert not batching_is_faster(large, 100, DEFAULT)
    found = wp.bfs(shape("karate"), [*range(34)], device="cuda").stats
    assert len(found.edges) == 34
