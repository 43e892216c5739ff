"""Parts are called by their smallest vertex."""

import numpy as np

import warpath as wp
from warpath.algorithms.primitives.smallest_members import smallest_members


def test_parts():
    graph = wp.Graph.from_edges([], [], n=6)
    labels, count = smallest_members(graph, np.array([5, 0, 5, 4, 0, 2], np.int32), np)
    assert (labels.tolist(), count) == ([0, 1, 0, 3, 1, 5], 4)
    labels, count = smallest_members(wp.Graph.from_edges([], [], n=0), np.empty(0, np.int32), np)
    assert (labels.tolist(), count) == ([], 0)
