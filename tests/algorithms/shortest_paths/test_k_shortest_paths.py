"""The k shortest paths, compared with an enumeration of all paths, and with NetworkX."""

import itertools
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from oracles import signed, small_multigraph, weighted
from warpath.generate import grid


def all_paths(graph, source, target, *, weighted=True):
    """Length and vertices of every path without loops, by trying them all; sums left to right."""
    rows = {}
    for u, v, w in zip(*(array.tolist() for array in lightest(graph, weighted)), strict=True):
        rows.setdefault(u, []).append((v, w))
    zero = 0 if not weighted or graph.weights is None else graph.weights.dtype.type(0).item()
    found, stack = [], [([source], zero)]
    while stack:
        walk, length = stack.pop()
        if walk[-1] == target:
            found.append((length, walk))
            continue
        for v, w in rows.get(walk[-1], []):
            if v not in walk:
                stack.append(([*walk, v], length + w))
    return sorted(found)


def lightest(graph, weighted):
    source, target, weight = graph.coo()
    if weight is None or not weighted:
        weight = np.ones(len(source), np.int32)
    return wp.Graph.from_edges(source, target, weight, n=graph.num_vertices, merge="min").coo()


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("dtype", [None, np.int32, np.float64], ids=str)
@pytest.mark.parametrize("seed", [0, 1, *slow(range(2, 6))])
def test_small_multigraphs_with_ties_and_zeros(seed, dtype, directed):
    graph = small_multigraph(seed, dtype, directed=directed)
    for source, target in ((0, 5), (3, 11), (7, 1), (2, 13)):
        every = all_paths(graph, source, target)
        for k in (1, 3, 40):
            found = wp.k_shortest_paths(graph, source, target, k)
            assert found.lengths == [length for length, _ in every[:k]]
            known = {tuple(walk): length for length, walk in every}
            assert [known[tuple(walk)] for walk in found.vertices] == found.lengths
            assert len(set(map(tuple, found.vertices))) == len(found) == min(k, len(every))


@pytest.mark.parametrize("seed", range(3))
def test_all_paths_there_are(seed):
    graph = small_multigraph(seed, np.int32)
    every = all_paths(graph, 0, 5)
    found = wp.k_shortest_paths(graph, 0, 5, len(every) + 10)
    assert sorted(zip(found.lengths, found.vertices, strict=True)) == every
    found.verify()


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64], ids=str)
def test_negative_weights(dtype):
    rng = np.random.default_rng(3)
    source, target = rng.integers(0, 9, (2, 30))
    height = rng.integers(-20, 20, 9)
    weight = rng.integers(0, 6, 30) + height[source] - height[target]
    graph = wp.Graph.from_edges(source, target, weight.astype(dtype), n=9)
    assert graph.weight_range[0] < 0
    every = all_paths(graph, 0, 1)
    found = wp.k_shortest_paths(graph, 0, 1, len(every))
    assert found.lengths == [length for length, _ in every]
    assert sorted(map(tuple, found.vertices)) == sorted(tuple(walk) for _, walk in every)


def test_floats_that_round_are_in_the_order_of_their_sums():
    # On a grid of equal weights nearly all paths tie; their sums differ in the last bits.
    graph = grid(3, 4, weights=None)
    tenths = graph.with_weights(np.full(graph.num_arcs, 0.1))
    every = all_paths(tenths, 0, 11)
    found = wp.k_shortest_paths(tenths, 0, 11, 25)
    assert found.lengths == [length for length, _ in every[:25]]
    rng = np.random.default_rng(1)
    source, target, _ = graph.coo()
    low, high = np.minimum(source, target), np.maximum(source, target)
    random = graph.with_weights(rng.random((12, 12))[low, high])
    every = all_paths(random, 0, 11)
    found = wp.k_shortest_paths(random, 0, 11, len(every))
    assert found.lengths == [length for length, _ in every]


@pytest.mark.parametrize("name", ["karate", "power law, directed", "uniform, directed"])
@pytest.mark.parametrize("dtype", [np.int32, np.float64], ids=str)
def test_beside_networkx(name, dtype):
    graph = weighted(name, dtype)
    source, target = int(graph.degree.argmax()), graph.num_vertices - 1
    while not graph.in_degree[target]:
        target -= 1
    other = nx.DiGraph()
    arcs = zip(*(array.tolist() for array in lightest(graph, True)), strict=True)
    other.add_weighted_edges_from(arcs)
    expected = [
        sum(Fraction(other[u][v]["weight"]) for u, v in itertools.pairwise(walk))
        for walk in itertools.islice(nx.shortest_simple_paths(other, source, target, "weight"), 4)
    ]
    found = wp.k_shortest_paths(graph, source, target, 4)
    assert found.lengths == pytest.approx([float(length) for length in expected], rel=1e-12)
    found.verify()


def test_potentials_change_all_paths_by_the_same():
    name, source, target = "uniform, directed", 0, 5999
    plain = wp.k_shortest_paths(weighted(name, np.int32), source, target, 6)
    other = wp.k_shortest_paths(signed(name, np.int32), source, target, 6)
    assert other.graph.weight_range[0] < 0
    changes = {b - a for a, b in zip(plain.lengths, other.lengths, strict=True)}
    assert len(plain) == 6
    assert len(changes) == 1
    other.verify()


def test_unweighted():
    graph = small_multigraph(1, np.int32)
    every = all_paths(graph, 0, 5, weighted=False)
    found = wp.k_shortest_paths(graph, 0, 5, 7, weighted=False)
    assert found.lengths == [length for length, _ in every[:7]]
    assert found.weighted is False
    found.verify()


def test_a_path_to_itself_has_no_arcs():
    graph = small_multigraph(1, np.int32)
    found = wp.k_shortest_paths(graph, 4, 4, 3)
    assert list(found) == [([4], 0)]


def test_no_path():
    graph = wp.Graph.from_edges([0, 2], [1, 3])
    found = wp.k_shortest_paths(graph, 0, 3, 2)
    assert len(found) == 0
    assert found.vertices == []
    found.verify()


def test_searches_look_at_little():
    graph = grid(300, 300, weights=(1, 255), seed=1)
    found = wp.k_shortest_paths(graph, 0, graph.num_vertices - 1, 3)
    walked = sum(map(len, found.vertices))
    # A search per vertex of a path: each through the whole graph would be 90,000 times this.
    assert found.stats.frontier.sum() < 100 * walked * walked / len(found)


def test_negative_cycle_before_the_target():
    graph = wp.Graph.from_edges([0, 1, 2, 2], [1, 2, 1, 3], [1, -3, 2, 1])
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.k_shortest_paths(graph, 0, 3, 2)
    wp.verify.negative_cycle(graph, caught.value.cycle)
    undirected = wp.Graph.from_edges([0, 1], [1, 2], [1, -1], directed=False)
    with pytest.raises(wp.NegativeCycleError):
        wp.k_shortest_paths(undirected, 0, 1, 1)


def test_negative_cycle_that_leads_nowhere_is_no_matter():
    graph = wp.Graph.from_edges([0, 0, 2, 3], [1, 2, 3, 2], [5, 1, -3, 1])
    assert list(wp.k_shortest_paths(graph, 0, 1, 2)) == [([0, 1], 5)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 9, 1), "target 9 is out of range"),
        ((-1, 0, 1), "source -1 is out of range"),
        ((0, 1, 0), "k must be a positive integer, not 0"),
        ((0, 1, 2.0), "k must be a positive integer"),
        ((0, 1, True), "k must be a positive integer"),
    ],
)
def test_bad_input(arguments, message):
    graph = wp.Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match=message):
        wp.k_shortest_paths(graph, *arguments)


def test_bad_device_graph_and_weights():
    graph = wp.Graph.from_edges([0], [1])
    with pytest.raises(ValueError, match="unknown device"):
        wp.k_shortest_paths(graph, 0, 1, 1, device="tpu")
    with pytest.raises(TypeError, match="expected a warpath"):
        wp.k_shortest_paths([[0]], 0, 0, 1)
    huge = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [2**61] * 3)
    with pytest.raises(OverflowError, match="scale the weights down"):
        wp.k_shortest_paths(huge, 0, 3, 1)


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({"lengths": [2, 3, 4]}, "length"),
        ({"vertices": [[0, 1, 2, 3], [0, 1, 2, 3], [0, 1, 3]]}, "distinct"),
        ({"vertices": [[0, 1, 2, 3], [0, 3], [0, 1, 3]]}, "arc"),
        ({"vertices": [[0, 1, 2, 3], [0, 2], [0, 1, 3]]}, "arc"),
        ({"vertices": [[0, 1, 2, 1, 3], [0, 2, 3], [0, 1, 3]]}, "loop"),
        ({"vertices": [[0, 2, 3]], "lengths": [3]}, "shortest"),
        ({"vertices": [[0, 1, 2, 3], [0, 1, 3], [0, 2, 3]], "lengths": [2, 5, 3]}, "ascending"),
        ({"vertices": [], "lengths": []}, "unreachable"),
    ],
)
def test_the_check_finds_what_is_wrong(change, broken):
    import dataclasses

    graph = wp.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [1, 2, 0, 4, 1])
    found = wp.k_shortest_paths(graph, 0, 3, 3)
    found.verify()
    with pytest.raises(wp.VerificationError) as caught:
        dataclasses.replace(found, **change).verify()
    assert caught.value.broken == broken
