"""The heap, on graphs that shake it."""

import numpy as np
import pytest

from relaxations import relaxation_by, searched
from warpath import Graph
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.trace import EDGES, VERTICES
from warpath.generate import erdos_renyi, named


def run(graph, source=0, cutoff=None, target=-1):
    plan = relaxation_by(graph.weights, cutoff=cutoff)
    return searched(dijkstra, graph, plan, source, target=target)


def fan(weights):
    """Arcs from 0 to as many vertices."""
    n = len(weights)
    return Graph.from_edges(np.zeros(n, int), np.arange(1, n + 1), weights)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 16, 17, 20, 21, 22, 84, 85, 86, 1000])
@pytest.mark.parametrize("order", ["ascending", "descending", "equal", "random"])
def test_sizes_beside_a_full_level_of_the_heap(n, order):
    weights = {
        "ascending": np.arange(n),
        "descending": np.arange(n)[::-1],
        "equal": np.ones(n, int),
        "random": np.random.default_rng(n).permutation(n),
    }[order]
    _, report = run(fan(weights))
    assert report.trace[0, VERTICES] == n + 1


def test_keys_decrease_again_and_again():
    """The path of weight 1 gets to each vertex later than heavier arcs from all before it."""
    n = 200
    source, target = np.triu_indices(n, 1)
    weight = 3 * (target - source) - 2
    graph = Graph.from_edges(source, target, weight)
    _, report = run(graph)
    assert report.improvements == n * (n - 1) // 2
    assert report.trace[0, [VERTICES, EDGES]].tolist() == [n, n * (n - 1) // 2]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("high", [0, 1, 1000])
def test_random_graphs(dtype, high):
    for seed in range(5):
        graph = erdos_renyi(400, 5000, directed=True, replace=True, seed=seed)
        weights = np.random.default_rng(seed).integers(0, high + 1, 5000).astype(dtype)
        distance, report = run(graph.with_weights(weights), seed)
        reached = distance < 1e9
        assert report.trace[0, VERTICES] == reached.sum()
        assert report.trace[0, EDGES] == graph.degree[reached].sum()
        assert (report.iterations, report.threads) == (1, 1)


def test_nothing_beyond_the_cutoff_is_settled():
    graph = named("path", 100).with_weights(np.full(198, 2))
    distance, report = run(graph, cutoff=11)
    assert report.trace[0, VERTICES] == 6
    assert (distance < 2**62).sum() == 6


def test_a_target_ends_it_when_all_as_near_are_settled():
    # 2 and 3 are as near as the target 1, 3 by an arc of weight 0; 4 is farther.
    graph = Graph.from_edges([0, 0, 1, 3], [1, 2, 3, 4], [5, 5, 0, 1])
    distance, report = run(graph, target=1)
    assert distance[:4].tolist() == [0, 5, 5, 5]
    assert report.trace[0, VERTICES] == 4
