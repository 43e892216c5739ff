"""The driver that all methods share."""

import numpy as np
import pytest

from exhaustive import slow
from oracles import distances
from relaxations import relaxation_by
from warpath.cpu.bfs import bfs
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.queueless import queueless
from warpath.generate import grid
from warpath.graph.distance import unreachable


def strided(n, dtype):
    return np.empty((n, 2), dtype)[:, 1]


def frozen(array):
    array.flags.writeable = False
    return array


@pytest.mark.parametrize("method", [dijkstra, *slow([queueless])])
def test_arrays_of_other_types_have_a_kernel_of_their_own(method):
    """Else one compiled for other strides would write where nothing is to be written."""
    graph = grid(6, 5, weights=(1, 9), seed=3)
    expected, n = distances(graph, 0, np.int32), graph.num_vertices
    source, plan = np.zeros(1, np.int32), relaxation_by(graph.weights)
    for sources, new in (source, np.empty), (source, strided), (frozen(source.copy()), np.empty):
        distance, predecessor = new(n, np.int32), new(n, np.int32)
        method.run(graph, plan, graph.weights, sources, distance, predecessor)
        assert np.array_equal(distance, expected)
        assert np.count_nonzero(predecessor < 0) == 1


@pytest.mark.slow
def test_so_has_breadth_first_search():
    graph, source, answers = grid(6, 6), np.zeros(1, np.int32), []
    for sources, new in (source, np.empty), (source, strided), (frozen(source.copy()), np.empty):
        distance, predecessor = new(36, np.int32), new(36, np.int32)
        bfs(graph, sources, "optimizing", 15.0, 18.0, 36, distance, predecessor, 1)
        answers.append(distance.tolist())
    assert answers == [[i // 6 + i % 6 for i in range(36)]] * 3


@pytest.mark.parametrize("method", [delta_stepping, dijkstra])
def test_a_cutoff_is_the_greatest_distance(method):
    graph, source = grid(6, 5, weights=(1, 9), seed=3), np.zeros(1, np.int32)
    whole, n = distances(graph, 0, np.int32), graph.num_vertices
    cutoff = int(np.median(whole))
    assert (whole == cutoff).any()
    distance, plan = np.empty(n, np.int32), relaxation_by(graph.weights, cutoff=cutoff)
    method.run(graph, plan, graph.weights, source, distance, np.empty(n, np.int32))
    assert np.array_equal(distance, np.where(whole <= cutoff, whole, unreachable(np.int32)))
