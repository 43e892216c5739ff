"""Searches with a limit end before a graph is built, or give up; the answer is the same."""

import numpy as np
import pytest
from scipy.sparse import csgraph as scipys
from scipy.sparse import csr_array

from warpath import csgraph
from warpath.csgraph import search
from warpath.generate import grid


@pytest.fixture
def graphs(monkeypatch):
    """The calls that built a graph."""
    calls, paths = [], search._paths

    def paths_of(call, *args, **kwargs):
        calls.append(call)
        return paths(call, *args, **kwargs)

    monkeypatch.setattr(search, "_paths", paths_of)
    return calls


@pytest.fixture(scope="module")
def matrix():
    graph = grid(130, weights=(0.0, 1.0), seed=1).to_scipy().astype(np.float64)
    return csr_array((graph.data, graph.indices, graph.indptr), shape=graph.shape, copy=True)


@pytest.mark.parametrize("predecessors", [True, False])
@pytest.mark.parametrize(("limit", "near"), [(0.0, True), (0.7, True), (1.5, True), (100, False)])
@pytest.mark.parametrize(
    "sources",
    [{"indices": 8000}, {"indices": [[8000]]}, {"indices": [5, 5, 9], "min_only": True}],
)
def test_near_vertices_need_no_graph(matrix, graphs, sources, limit, near, predecessors):
    how = {"limit": limit, "return_predecessors": predecessors} | sources
    found, expected = csgraph.dijkstra(matrix, **how), scipys.dijkstra(matrix, **how)
    assert bool(graphs) != near
    if not predecessors:
        found, expected = [found], [expected]
    for one, other in zip(found, expected, strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "how",
    [{"directed": False}, {"unweighted": True}, {"dtype": np.float32}],
    ids=lambda how: next(iter(how)),
)
def test_other_calls_need_one(matrix, graphs, how):
    found = csgraph.dijkstra(matrix, indices=8000, limit=1.5, **how)
    assert graphs
    how.pop("dtype", None)
    expected = scipys.dijkstra(matrix, indices=8000, limit=1.5, **how)
    np.testing.assert_allclose(found, expected, rtol=1e-5)


@pytest.mark.parametrize("column", [130**2, -1])
def test_columns_that_are_not_there(matrix, column):
    wrong = matrix.copy()
    wrong.indices[wrong.indptr[8000]] = column
    with pytest.raises(ValueError, match=r"indices\[\d+\]"):
        csgraph.dijkstra(wrong, indices=5, limit=0.5)


def test_offsets_that_decrease(matrix):
    wrong = matrix.copy()
    wrong.indptr[8001] = -3
    with pytest.raises(ValueError, match="indptr"):
        csgraph.dijkstra(wrong, indices=8000, limit=0.5)


def test_weights_that_are_negative_or_none(matrix, graphs):
    wrong = matrix.copy()
    wrong.data[7] = np.nan
    csgraph.dijkstra(wrong, indices=8000, limit=0.5)
    assert graphs
    wrong.data[7] = -9.0
    with pytest.warns(UserWarning, match="negative"), pytest.raises(csgraph.NegativeCycleError):
        csgraph.dijkstra(wrong, indices=8000, limit=0.5)
