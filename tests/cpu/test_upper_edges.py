"""Edges by all threads are those of the graph, in the same order."""

import numpy as np
import pytest

from oracles import SHAPES, shape
from warpath import Graph
from warpath.cpu import upper_edges as module
from warpath.cpu.upper_edges import upper_edges

UNDIRECTED = [name for name in SHAPES if not shape(name).directed]


def check(graph):
    for found, right in zip(upper_edges(graph), graph.edges(), strict=True):
        assert (found is None) == (right is None)
        if right is not None:
            assert found.dtype == right.dtype
            assert np.array_equal(found, right)


@pytest.mark.parametrize("name", UNDIRECTED)
def test_every_shape(name, threads, monkeypatch):
    monkeypatch.setattr(module, "_ARCS_PER_THREAD", 1)
    check(shape(name))


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_loops_and_parallel_edges(dtype):
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, 30, (2, 200))
    weight = rng.integers(1, 9, 200).astype(dtype)
    check(Graph.from_edges(source, target, weight, n=40, directed=False))
