"""Searches from the end of a root, which they must not touch again."""

import numpy as np

from warpath import Graph
from warpath.cpu.spur import Spurs

# 0 → 1 → 2 → 4 is the shortest way, 0 → 3 → 4 the other one; 3 → 1 leads back.
GRAPH = Graph.from_edges([0, 1, 2, 0, 3, 3], [1, 2, 4, 3, 4, 1], [1, 1, 1, 2, 9, 0])
LEFT = np.array([3, 2, 1, 2, 0])
NONE = np.iinfo(np.int64).max


def ways(graph=GRAPH, left=LEFT):
    return Spurs(graph, 4, np.array(left))


def root(*vertices):
    return np.array(vertices, np.int32)


def test_straight_along_a_shortest_path():
    spurs = ways()
    vertices, lengths = spurs.search(root(0), 0, [], NONE)
    assert (vertices.tolist(), lengths.tolist()) == ([1, 2, 4], [1, 2, 3])
    assert spurs.counts[0] == 3  # vertices expanded: those of the path but for the target


def test_barred_vertices_are_barred_for_one_step_and_one_search():
    spurs = ways()
    vertices, lengths = spurs.search(root(0), 0, [1], NONE)
    assert (vertices.tolist(), lengths.tolist()) == ([3, 1, 2, 4], [2, 2, 3, 4])
    vertices, _ = spurs.search(root(0), 0, [], NONE)
    assert vertices.tolist() == [1, 2, 4]


def test_the_root_is_gone_round_and_then_there_again():
    spurs = ways()
    vertices, lengths = spurs.search(root(1, 0, 3), 7, [], NONE)
    assert (vertices.tolist(), lengths.tolist()) == ([4], [16])
    vertices, _ = spurs.search(root(3), 0, [], NONE)
    assert vertices.tolist() == [1, 2, 4]


def test_no_way_on():
    assert ways().search(root(0, 1), 1, [2], NONE) is None
    assert ways().search(root(0), 0, [1, 3], NONE) is None


def test_bound():
    assert ways().search(root(0), 0, [], 2) is None
    assert ways().search(root(0), 0, [], 3) is not None


def test_floats_go_on_until_none_can_be_shorter():
    # The estimates say that 0 → 1 → 4 is the shortest by one bit; the sums say otherwise.
    graph = Graph.from_edges([0, 1, 0, 2], [1, 4, 2, 4], [0.1 + 0.2, 0.3, 0.3, 0.3], n=5)
    left = np.array([0.6, 0.3 - 2**-53, np.inf, np.inf, 0.0])
    left[2] = 0.3
    vertices, lengths = ways(graph, left).search(root(0), 0.0, [], np.inf)
    assert vertices.tolist() == [2, 4]
    assert lengths.tolist() == [0.3, 0.6]
