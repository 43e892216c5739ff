"""Betweenness, against NetworkX, and by counting every path where it has no answer."""

import itertools
import random

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from exhaustive import few, slow
from oracles import small_multigraph
from warpath.algorithms.centrality import betweenness as module

WEIGHTS = [None, (1, 5), (0.5, 1.5)]


def on_vertices(found, graph):
    return [found[v] for v in range(graph.num_vertices)]


def on_arcs(found, graph):
    source, target, _ = graph.coo()
    pairs = zip(source.tolist(), target.tolist(), strict=True)
    return [found[u, v] if (u, v) in found else found[v, u] for u, v in pairs]


def by_enumeration(graph, weighted):
    """The part of all shortest paths on each vertex and arc: every simple path, looked at."""
    source, target, weight = graph.coo()
    length = weight if weighted and weight is not None else np.ones(len(source), np.int64)
    arcs_out = [np.flatnonzero(source == v) for v in range(graph.num_vertices)]
    vertices, arcs = np.zeros(graph.num_vertices), np.zeros(len(source))

    def walk(s, path, so_far):
        yield path, so_far
        for arc in arcs_out[target[path[-1]] if path else s]:
            beyond = int(target[arc])
            if beyond != s and beyond not in target[path]:
                yield from walk(s, [*path, arc], so_far + length[arc].item())

    for s in range(graph.num_vertices):
        paths = [found for found in walk(s, [], 0) if found[0]]
        for _, ending in itertools.groupby(
            sorted(paths, key=lambda p: target[p[0][-1]]), lambda p: target[p[0][-1]]
        ):
            ending = list(ending)
            least = min(found for _, found in ending)
            shortest = [path for path, found in ending if found == least]
            for path in shortest:
                vertices[target[path[:-1]]] += 1 / len(shortest)
                arcs[path] += 1 / len(shortest)
    return vertices, arcs


@pytest.mark.parametrize(
    ("edges", "weights", "directed"),  # of several components, and of one
    few(
        itertools.product([30, 150], WEIGHTS, [False, True]),
        [(30, None, False), (150, None, True), (30, (1, 5), True), (150, (1, 5), False)],
    ),
)
def test_networkx(weights, directed, edges, threads):
    graph = wp.generate.erdos_renyi(60, edges, directed=directed, weights=weights, seed=edges)
    G = graph.to_networkx()
    name = None if weights is None else "weight"
    sample = random.Random(4).sample(list(G), 7)
    for normalized in (True, False):
        for k, sources in ((None, None), (7, sample)):
            how = {"k": k, "seed": 4, "normalized": normalized, "weight": name}
            for ends in (True, False):
                there = nx.betweenness_centrality(G, endpoints=ends, **how)
                here = wp.betweenness(graph, sources=sources, normalized=normalized, endpoints=ends)
                assert np.allclose(here, on_vertices(there, graph), atol=1e-12)
            there = nx.edge_betweenness_centrality(G, **how)
            here = wp.edge_betweenness(graph, sources=sources, normalized=normalized)
            assert np.allclose(here, on_arcs(there, graph), atol=1e-12)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weighted", [False, *slow([True])])
def test_parallel_arcs_make_different_paths(weighted, directed):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        source, target = rng.integers(0, 6, (2, 11))
        weight = rng.integers(1, 4, 11)
        graph = wp.Graph.from_edges(source, target, weight, n=7, directed=directed)
        vertices, arcs = by_enumeration(graph, weighted)
        here = wp.betweenness(graph, weighted=weighted, normalized=False)
        scale = 1 if directed else 2
        assert np.allclose(here * scale, vertices)
        found = wp.edge_betweenness(graph, weighted=weighted, normalized=False)
        if directed:
            assert np.allclose(found, arcs)
            continue
        # An edge has what its two arcs have, so that it counts each pair of ends twice.
        s, t, w = graph.coo()
        for key in set(zip(s.tolist(), t.tolist(), w.tolist(), strict=True)):
            here = (s == key[0]) & (t == key[1]) & (w == key[2])
            there = (s == key[1]) & (t == key[0]) & (w == key[2])
            expected = (arcs[here].sum() + arcs[there].sum()) / 2 / here.sum()
            assert np.allclose(found[here], expected * (key[0] != key[1]))


def test_weights_are_left_out_on_demand():
    graph = wp.generate.erdos_renyi(50, 120, weights=(1, 9))
    bare = graph.without_weights()
    assert np.array_equal(wp.betweenness(graph, weighted=False), wp.betweenness(bare))
    assert np.array_equal(wp.edge_betweenness(graph, weighted=False), wp.edge_betweenness(bare))


def test_the_same_bits_again_and_floats_of_32_bits(threads):
    graph = wp.generate.erdos_renyi(400, 3000, weights=(1, 9))
    found = wp.betweenness(graph)
    assert np.array_equal(found, wp.betweenness(graph))
    for dtype in (np.int64, np.float32, np.float64):
        assert np.array_equal(
            found, wp.betweenness(graph.with_weights(graph.weights.astype(dtype)))
        )


def test_all_vertices_as_sources_are_no_sample():
    graph = wp.generate.named("karate")
    for ends in (True, False):
        everything = wp.betweenness(graph, sources=np.arange(34), endpoints=ends)
        assert np.allclose(everything, wp.betweenness(graph, endpoints=ends))


@pytest.mark.parametrize("ask", [wp.betweenness, wp.edge_betweenness])
def test_bad_input(ask):
    path = wp.generate.named("path", 4)
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        ask([[0, 1], [1, 0]])
    with pytest.raises(ValueError, match=r"weights\[2\] is 0"):
        ask(path.with_weights([2, 2, 0, 0, 1, 1]))
    with pytest.raises(ValueError, match=r"weights\[1\] is -1"):
        ask(wp.Graph.from_edges([0, 1], [1, 2], [1, -1]))
    with pytest.raises(ValueError, match="out of range"):
        ask(path, sources=[4])
    with pytest.raises(ValueError, match="sources has 2 twice"):
        ask(path, sources=[2, 1, 2])
    with pytest.raises(ValueError, match="sources is empty"):
        ask(path, sources=[])
    with pytest.raises(ValueError, match=r"the weight of arc \d is lost"):
        ask(path.with_weights([1.0, 1.0, 1e-30, 1e-30, 1.0, 1.0]))


def test_more_paths_than_a_float_can_say():
    """Two arcs to each next vertex: the paths are 2¹⁰³⁰."""
    v = np.repeat(np.arange(1030), 2)
    with pytest.raises(OverflowError, match="from vertex 0 there are more than"):
        wp.betweenness(wp.Graph.from_edges(v, v + 1), sources=[0])
    fine = wp.betweenness(wp.Graph.from_edges(v, v + 1), sources=[10], normalized=False)
    assert np.isfinite(np.delete(fine, 10)).all()


def test_few_vertices():
    for n in (0, 1, 2):
        graph = wp.Graph.from_edges([], [], n=n)
        assert wp.betweenness(graph).tolist() == [0.0] * n
        assert wp.edge_betweenness(graph).tolist() == []
    edge = wp.generate.named("path", 2)
    assert wp.betweenness(edge, endpoints=True).tolist() == [1.0, 1.0]
    assert wp.edge_betweenness(edge).tolist() == [1.0, 1.0]
    one = wp.betweenness(wp.generate.named("path", 4), sources=[1])
    assert np.isnan(one[1])
    assert one[[0, 2, 3]].tolist() == [0.0, 0.5, 0.0]


def test_progress_can_stop_it(monkeypatch):
    monkeypatch.setattr(module, "_ARCS", 1000)
    graph, seen = small_multigraph(1, np.int32).with_weights(np.ones(40)), []
    wp.betweenness(graph, progress=lambda *now: seen.append(now))
    assert seen[-1] == (14, 14)

    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wp.edge_betweenness(graph, progress=stop)


@pytest.mark.parametrize(("dtype", "heavy"), [(np.int64, 2**62), (np.float64, 1e308)])
@pytest.mark.parametrize("ask", [wp.betweenness, wp.edge_betweenness])
def test_distances_that_do_not_fit_are_refused(ask, dtype, heavy):
    chain = np.full(3, heavy, dtype)
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], chain)
    with pytest.raises(OverflowError, match=r"the distance of vertex \d exceeds .*: the arc"):
        ask(graph)
    assert ask(graph, weighted=False).any()
    around = wp.Graph.from_edges([0, 1, 0], [1, 2, 2], chain)  # no shortest path has two arcs
    assert wp.betweenness(around).tolist() == [0, 0, 0]
    assert wp.edge_betweenness(around, normalized=False).tolist() == [1, 1, 1]


def test_the_largest_weight_is_one():
    graph = wp.Graph.from_edges([0, 1], [1, 0], np.array([2**63 - 2, 1]))
    assert wp.edge_betweenness(graph, normalized=False).tolist() == [1, 1]
    with pytest.raises(OverflowError, match="exceeds int64"):
        wp.betweenness(graph.with_weights(np.array([2**63 - 1, 1])))


def test_the_reverse_of_a_directed_graph_is_planned():
    """For many sources, where a level may have most arcs."""
    graph = wp.generate.rmat(8, 16, directed=True, seed=1)

    def planned(**options):
        return wp.plan(graph, "betweenness", device="cpu", **options).memory["graph"]

    alone = planned(sources=[0, 1])
    assert planned() == 2 * alone
    assert planned(sources=range(16)) == 2 * alone
