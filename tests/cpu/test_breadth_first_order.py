"""The order of discovery, by definition: a queue in plain Python."""

from collections import deque

import numpy as np
import pytest

from oracles import SHAPES, shape, some_vertices
from warpath.cpu.breadth_first_order import breadth_first_order


def plain(rows, source):
    before, order, queue = {source: -1}, [source], deque([source])
    while queue:
        u = queue.popleft()
        for v in rows(u):
            if v not in before:
                before[v] = u
                order.append(v)
                queue.append(v)
    return order, before


@pytest.mark.parametrize("name", SHAPES)
def test_as_a_queue_would(name):
    graph = shape(name)
    offsets, indices = graph.row_offsets, graph.column_indices
    for source in some_vertices(graph):
        expected, before = plain(lambda u: graph.neighbors(u).tolist(), source)
        predecessor = np.full(graph.num_vertices, -7, np.int32)
        order = breadth_first_order(offsets, indices, None, source, predecessor)
        assert order.tolist() == expected
        assert predecessor[source] == -7
        assert all(predecessor[v] == u for v, u in before.items() if v != source)
        assert np.count_nonzero(predecessor >= 0) == len(expected) - 1


def test_rows_in_the_order_given_and_further_arcs_after_them():
    offsets, indices = np.array([0, 3, 3, 4, 4, 4], np.int32), np.array([3, 1, 3, 0], np.int32)
    back = np.array([0, 1, 1, 1, 1, 2], np.int32), np.array([2, 4], np.int32)
    predecessor = np.full(5, -1, np.int32)
    order = breadth_first_order(offsets, indices, back, 0, predecessor)
    assert order.tolist() == [0, 3, 1, 2]
    assert predecessor.tolist() == [-1, 0, 0, 0, -1]
