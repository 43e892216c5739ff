"""Lists of rows on the emulator: those that have edges, each once, with the sums of the edges before them."""

import numpy as np
import pytest

from warpath import Graph
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.list_rows import rows_with_edges
from warpath.cuda.runtime import use


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("count", [1, 127, 700])
def test_rows(runtime, wide, count):
    rng = np.random.default_rng(count)
    n = 1000
    graph = Graph.from_edges(rng.integers(0, n // 2, 3000) * 2, rng.integers(0, n, 3000), n=n)
    degree = np.diff(graph.row_offsets).astype(np.int64)
    vertices = rng.permutation(n)[:count].astype(np.int32)
    runtime.blocks = 3
    with use(runtime):
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, None, directed=True, wide=wide
        )
        rows, prefix, arcs = (
            one.get() if hasattr(one, "get") else one
            for one in rows_with_edges(there, runtime.xp.asarray(vertices))
        )
    wanted = vertices[degree[vertices] > 0]
    assert sorted(rows.tolist()) == sorted(wanted.tolist())
    assert arcs == degree[wanted].sum()
    assert np.array_equal(prefix.astype(np.int64), np.cumsum(degree[rows]) - degree[rows])


def test_none(runtime):
    graph = Graph.from_edges([0, 1], [1, 2], n=4)
    with use(runtime):
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, None, directed=True
        )
        for some in ([], [2, 3]):
            rows, prefix, arcs = rows_with_edges(
                there, runtime.xp.asarray(np.array(some, np.int32))
            )
            assert len(rows) == len(prefix) == arcs == 0
