"""Core numbers on one thread, against their certificate; tests/algorithms/centrality has NetworkX's."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape
from warpath.algorithms.primitives.arrays import simple_graph
from warpath.cpu.peeling import peel


@pytest.mark.parametrize("name", SHAPES)
def test_certified(name):
    graph = simple_graph(shape(name), np)
    for dtype in (np.int32, np.int64):
        core = np.diff(graph.row_offsets).astype(np.int32)
        peel(graph.row_offsets.astype(dtype), graph.column_indices, core)
        wp.verify.core_numbers(graph, core)
