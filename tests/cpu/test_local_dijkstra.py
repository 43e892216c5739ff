"""Searches one after the other in one space, which nothing clears between them."""

import numpy as np
import pytest

import warpath as wp
from oracles import some_vertices, weighted
from warpath.cpu.arcs import arcs_of
from warpath.cpu.heap import new_heap
from warpath.cpu.local_dijkstra import ARCS, COUNTS, Goal, Space, Start, search
from warpath.parallel.interruption import interruptible

NONE = np.iinfo(np.int64).max


def searcher(graph):
    """(source, targets, budget) → how many targets are left, whether it came to an end, the space."""
    n, numbers = graph.num_vertices, iter(range(1, 99))
    space = Space(
        np.zeros(n, np.uint32), np.empty(n, np.int64), None, new_heap(n, np.int64), np.zeros(COUNTS, np.int64)
    )  # fmt: skip
    arcs = arcs_of(graph, graph.weights)

    def run(source, targets, budget=2**40):
        is_target = np.zeros(n, bool)
        is_target[targets] = True
        goal = Goal(is_target, len(targets), np.int64(NONE - 1), np.uint64(budget))
        start = Start(np.uint32(next(numbers)), np.uint64(source), np.int64(0), np.int64(0))
        with interruptible() as sync:
            left, ended = search(sync, arcs, arcs.weights, space, start, goal, None)
        return left, ended, np.where(space.met == start.number, space.distance, NONE)

    return run, space


@pytest.mark.parametrize("name", ["karate", "grid", "uniform, directed"])
def test_all_targets_are_settled(name):
    graph = weighted(name, np.int64)
    run, _ = searcher(graph)
    for source in some_vertices(graph):
        expected = wp.sssp(graph, source, dtype=np.int64).distance
        targets = np.arange(0, graph.num_vertices, 5)
        left, ended, found = run(source, targets)
        assert ended
        assert left == np.count_nonzero(expected[targets] == NONE)
        assert np.array_equal(found[targets], expected[targets])


def test_it_meets_what_is_near_and_keeps_to_its_budget():
    path = wp.generate.grid(1, 1000, weights=(2, 2))
    run, space = searcher(path)
    assert run(500, [503])[:2] == (0, True)
    assert space.counts[ARCS] < 20
    assert run(500, [900], budget=100)[:2] == (1, False)
