"""The classes of vertices, and what they spare."""

import numpy as np
import pytest

from relaxations import relaxation_by, searched
from warpath import Graph, sssp
from warpath.cpu.bellman_ford import _ALONE, IN_DEGREE_1, LEAF, SINK, bellman_ford, classify
from warpath.cpu.trace import EDGES, VERTICES
from warpath.generate import erdos_renyi, named, negative_weights
from warpath.parallel import thread_count


def classes(graph):
    return classify(graph, graph.weights).tolist()


def run(graph, source=0, threads=1):
    plan = relaxation_by(graph.weights, signed=graph.weight_range[0] < 0)
    return searched(bellman_ford, graph, plan, source, threads)[1]


def test_classes_of_a_directed_graph(threads, small_teams):
    # 0 → 1 → 2 ⇉ 3 ↺, 4 → 4, 5 alone, 0 → 3
    graph = Graph.from_edges(
        [0, 1, 2, 2, 3, 4, 0], [1, 2, 3, 3, 3, 4, 3], [1, 1, 1, 1, 0, 2, 1], n=6
    )
    assert classes(graph) == [0, IN_DEGREE_1, IN_DEGREE_1, SINK, SINK, SINK]


def test_a_negative_self_loop_counts(threads, small_teams):
    """It lowers its vertex, and its vertex must be relaxed again to show the cycle."""
    graph = Graph.from_edges([0, 1, 2, 2], [1, 1, 2, 1], [1, -1, -1, 1])
    assert classes(graph) == [0, 0, IN_DEGREE_1, SINK][:3]
    for source in (0, 1, 2):
        report = run(graph, source, threads)
        assert report.cycle in (1, 2)


def test_classes_of_an_undirected_graph(threads, small_teams):
    # a path 0 - 1 - 2, a pair 3 - 4, 5 alone, 6 ⇉ 7, 8 with a self-loop and an edge to 1
    graph = Graph.from_edges(
        [0, 1, 3, 6, 6, 8, 8], [1, 2, 4, 7, 7, 8, 1], np.ones(7, int), directed=False
    )
    assert classes(graph) == [LEAF, 0, LEAF, LEAF, LEAF, SINK, 0, 0, LEAF]


def test_classes_are_kept_with_the_graph_and_not_changed_by_a_run():
    graph = named("star", 5).with_weights(np.ones(8, int))
    before = classes(graph)
    assert before == [0, LEAF, LEAF, LEAF, LEAF]
    run(graph, 1)  # a source that is a leaf
    assert classes(graph) == before
    assert classes(graph.with_weights(np.full(8, 2))) == before


@pytest.mark.parametrize("source", [0, 1, 4])
def test_leaves_are_settled_without_being_relaxed(source, threads, small_teams):
    graph = named("star", 1000, weights=(1, 9))
    report = run(graph, source, threads)
    leaf = source != 0
    assert report.trace[:, VERTICES].tolist() == ([1, 1] if leaf else [1])
    assert report.trace[:, EDGES].tolist() == ([1, 999] if leaf else [999])
    assert report.improvements == leaf


def test_two_leaves_alone(threads, small_teams):
    """The source's neighbour is a leaf, and so is the source."""
    graph = Graph.from_edges([0, 2], [1, 3], [4, 5], directed=False)
    assert run(graph, 0, threads).iterations == 1
    assert run(graph, 3, threads).iterations == 1


def test_leaves_with_self_loops_and_zero_weights(threads, small_teams):
    graph = Graph.from_edges(
        [0, 0, 1, 1, 2, 2], [1, 2, 1, 3, 2, 2], [3, 0, 0, 0, 7, 0], directed=False
    )
    for source in range(4):
        run(graph, source, threads)


def test_sinks_never_enter_the_frontier(threads, small_teams):
    # 0 → 1 … 50, each → 51 … 60
    middle, sinks = np.arange(1, 51), np.arange(51, 61)
    source = np.concatenate([np.zeros(50, int), np.repeat(middle, 10)])
    target = np.concatenate([middle, np.tile(sinks, 50)])
    report = run(Graph.from_edges(source, target, np.ones(550, int)), 0, threads)
    assert report.trace[:, VERTICES].tolist() == [1, 50]
    assert report.iterations == 2


def test_a_vertex_is_enqueued_once_an_iteration(threads, small_teams):
    """Lowered by each of 100 neighbours in turn, it is relaxed once."""
    middle = np.arange(1, 101)
    source = np.concatenate([np.zeros(100, int), middle, [101]])
    target = np.concatenate([middle, np.full(100, 101), [102]])
    weight = np.concatenate([np.ones(100, int), 200 - middle, [1]])
    report = run(Graph.from_edges(source, target, weight), 0, threads)
    assert report.trace[:, VERTICES].tolist() == [1, 100, 1]


@pytest.mark.parametrize("size", [1, 2, 4])
def test_alone_and_as_a_team(size, monkeypatch):
    """Frontiers below and above the threshold, in one run."""
    monkeypatch.setattr(thread_count, "_num_threads", size)
    graph = negative_weights(erdos_renyi(3000, 12_000, directed=True, weights=(1, 99)), 1)
    report = run(graph, 0, size)
    frontier = report.trace[:, VERTICES]
    assert frontier.min() < _ALONE < frontier.max()
    assert report.threads == size


def test_a_negative_cycle_is_found_soon(threads, small_teams):
    """Not after n iterations: once n arcs have been relaxed."""
    n = 5000
    graph = Graph.from_edges(
        np.append(np.arange(n - 1), 1),
        np.append(np.arange(1, n), 0),
        np.append(np.ones(n - 1), -5.0),
    )
    report = run(graph, 0, threads)
    assert report.cycle in (0, 1)
    assert report.trace[:, EDGES].sum() < 3 * n


def test_iterations_are_bounded_without_negative_weights(threads, small_teams):
    """Yen's worst case: every arc of the path is found last."""
    n = 60
    source, target = np.triu_indices(n, 1)
    graph = Graph.from_edges(source, target, 3 * (target - source) - 2)
    assert run(graph, 0, threads).iterations <= n


def test_weights_of_one_graph_do_not_serve_another():
    """A self-loop is negative here and not there, on the same topology."""
    graph = Graph.from_edges([0, 1], [1, 1], [1, 1])
    assert sssp(graph, 0, method="bellman-ford").distance.tolist() == [0, 1]
    assert run(graph.with_weights([1, -1])).cycle == 1
