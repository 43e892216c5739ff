"""Strongly connected components in the order of a depth-first search."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape
from warpath.cpu.depth_first_components import depth_first_components


@pytest.mark.parametrize("name", SHAPES)
def test_they_are_scipys_and_in_reverse_topological_order(name):
    graph = shape(name)
    component, count = depth_first_components(graph.row_offsets, graph.column_indices)
    labels, right = wp.strongly_connected_components(graph)
    assert count == right == len(np.unique(np.stack([component, labels]), axis=1).T)
    source, target, _ = graph.coo()
    assert (component[source] >= component[target]).all()


def test_without_vertices():
    empty = np.empty(0, np.int32)
    assert depth_first_components(np.zeros(1, np.int32), empty)[1] == 0
