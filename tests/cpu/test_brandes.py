"""Dependencies by Brandes' recurrence against his definition, from SciPy's distances."""

import numpy as np
import pytest
from scipy.sparse import csgraph

import warpath as wp
from oracles import lightest, shape, weighted
from warpath.cpu.brandes import Sums

NAMES = ("karate", "complete", "directed cycle", "self-loop", "no arcs")


def by_definition(graph, sources, weights):
    """σ(s, v) σ(v, t) / σ(s, t), for all v on a shortest path from s to t."""
    n = graph.num_vertices
    length = graph.without_weights() if weights is None else graph.with_weights(weights)
    distance = csgraph.dijkstra(lightest(length))
    source, target, _ = graph.coo()
    step = np.ones(len(source)) if weights is None else weights
    paths = np.eye(n)
    for s in range(n):
        for v in np.argsort(distance[s], kind="stable"):
            if v != s and np.isfinite(distance[s, v]):
                into = (target == v) & (distance[s, source] + step == distance[s, v])
                paths[s, v] = paths[s, source[into]].sum()
    passing, on_arcs = np.zeros(n), np.zeros(len(source))
    for s in sources:
        for t in np.flatnonzero(np.isfinite(distance[s])):
            if t == s:
                continue
            on = distance[s] + distance[:, t] == distance[s, t]
            on[[s, t]] = False
            passing[on] += (paths[s] * paths[:, t])[on] / paths[s, t]
            on = distance[s, source] + step + distance[target, t] == distance[s, t]
            on_arcs[on] += (paths[s, source] * paths[target, t])[on] / paths[s, t]
    return passing, on_arcs


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", [None, np.int64, np.float64])
def test_definition(name, dtype, threads):
    graph = shape(name)
    weights = None
    if dtype is not None:
        weights = weighted(name, np.int32).weights.astype(dtype) + 1
        weights.flags.writeable = False
    n = graph.num_vertices
    sources = np.arange(0, n, 2, dtype=np.int32)
    sums = Sums(graph, weights, endpoints=False, arcs=True)
    sums.add(sources[:3])
    sums.add(sources[3:])
    passing, on_arcs = by_definition(graph, sources, weights)
    assert np.allclose(sums.passing, passing)
    assert np.allclose(sums.on_arcs, on_arcs)
    assert (sums.vanished, sums.countless) == (-1, -1)


@pytest.mark.parametrize("directed", [False, True])
def test_vertices_that_look_back(directed, threads):
    """Where edges are many, they leave a large level; some vertices are not reached."""
    random = wp.generate.erdos_renyi(120, 500, replace=True, directed=directed, seed=1)
    hubs = wp.generate.rmat(7, 8, directed=directed, seed=2)
    for graph in (random, hubs, shape("complete"), shape("no arcs")):
        sources = np.arange(0, graph.num_vertices, 3, dtype=np.int32)
        passing, _ = by_definition(graph, sources, None)
        for ends in (False, True):
            both = [
                Sums(graph, None, endpoints=ends, arcs=False, looks_back=back)
                for back in (False, True)
            ]
            for sums in both:
                sums.add(sources[:9])
                sums.add(sources[9:])
            assert np.allclose(both[0].passing, both[1].passing)
            if not ends:
                assert np.allclose(both[1].passing, passing)


def test_ends_count_once_for_each_path():
    graph = shape("karate")
    every = np.arange(34, dtype=np.int32)
    without, ends = (Sums(graph, None, endpoints=e, arcs=False) for e in (False, True))
    without.add(every)
    ends.add(every)
    assert np.allclose(ends.passing - without.passing, 2 * 33)
    assert len(without.on_arcs) == 0


def test_arcs_lost_beside_a_distance_are_noticed(threads):
    graph = shape("directed cycle")
    weights = np.ones(64)
    weights[20] = 1e-20
    weights.flags.writeable = False
    sums = Sums(graph, weights, endpoints=False, arcs=False)
    sums.add(np.array([20], np.int32))  # from 0 on, where 0 + 1e-20 is more than 0
    assert sums.vanished == -1
    sums.add(np.array([3], np.int32))
    assert sums.vanished == 20
