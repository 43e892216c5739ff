"""Which calls are SciPy's own function's, and that the others are not."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array, csr_matrix
from scipy.sparse import csgraph as scipys

from warpath import csgraph
from warpath.csgraph import light, paths, search, spanning, traversal
from warpath.generate import erdos_renyi, grid

SMALL = csr_array(np.array([[0, 2.0, 1], [0, 0, 0], [0, 0.5, 0]]))


class Counted:
    """SciPy's module, and how often its functions were called."""

    def __init__(self):
        self.calls = []

    def __getattr__(self, name):
        self.calls.append(name)
        return getattr(scipys, name)


@pytest.fixture
def theirs(monkeypatch):
    counted = Counted()
    for module in (paths, traversal, spanning):
        monkeypatch.setattr(module, "scipys", counted)
    return counted


def weighted(graph):
    matrix = graph.to_scipy().astype(np.float64)
    return csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape, copy=True)


@pytest.mark.parametrize("given", [SMALL, csr_matrix(SMALL), SMALL.toarray()])
def test_light_calls(given, theirs):
    for name in ("dijkstra", "bellman_ford", "johnson", "shortest_path"):
        for indices in (0, -1, [0, 2], np.array([[1]])):
            getattr(csgraph, name)(given, indices=indices)
            assert theirs.calls.pop() == "dijkstra"
    csgraph.dijkstra(given, indices=[0, 1], min_only=True, limit=3, return_predecessors=True)
    csgraph.floyd_warshall(given)
    csgraph.shortest_path(given, method="FW")
    csgraph.breadth_first_order(given, 0)
    csgraph.minimum_spanning_tree(given)
    assert theirs.calls == [
        "dijkstra", "floyd_warshall", "floyd_warshall", "breadth_first_order",
        "minimum_spanning_tree",
    ]  # fmt: skip


NEGATIVE = SMALL.copy()
NEGATIVE.data[0] = -1
NAN = SMALL.copy()
NAN.data[0] = np.nan
NO_COLUMN = SMALL.copy()
NO_COLUMN.indices[0] = 3
READ_ONLY = SMALL.copy()
READ_ONLY.data.flags.writeable = False
OTHERS = {
    "negative": (NEGATIVE, {}),
    "negative, dense": (NEGATIVE.toarray(), {}),
    "NaN stored": (NAN, {}),
    "no such column": (NO_COLUMN, {}),
    "read-only": (READ_ONLY, {}),
    "COO": (coo_array(SMALL), {}),
    "list": (SMALL.toarray().tolist(), {}),
    "masked": (np.ma.masked_equal(SMALL.toarray(), 0), {}),
    "complex": (SMALL.toarray().astype(complex), {}),
    "not square": (csr_array((2, 3)), {}),
    "nothing": (csr_array((0, 0)), {}),
    "dtype": (SMALL, {"dtype": np.float64}),
    "device": (SMALL, {"device": "cuda"}),
    "no device": (SMALL, {"device": "gpu"}),
    "no such source": (SMALL, {"indices": [0, 3]}),
    "no source": (SMALL, {"indices": []}),
    "half a source": (SMALL, {"indices": 0.5}),
    "no limit": (SMALL, {"limit": np.nan}),
    "a negative limit": (SMALL, {"limit": -1}),
    "no number": (SMALL, {"limit": "1"}),
    "large": (weighted(grid(60, weights=(0.0, 1.0), seed=1)), {"indices": 0}),
    "many": (weighted(erdos_renyi(200, 800, weights=(0.0, 1.0), seed=1)), {}),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_calls(name):
    matrix, how = OTHERS[name]
    how = {"indices": None, "dtype": None, "device": "auto"} | how
    assert not light.dijkstra(matrix, **how)


def test_what_is_light_of_larger_matrices():
    matrix = weighted(grid(60, weights=(0.0, 1.0), seed=1))
    assert light.dijkstra(matrix, 0, None, "auto", limit=1.0)
    assert light.dijkstra(matrix, [0, 1], None, "cpu", limit=1.0, together=True)
    assert light.dijkstra(matrix, [0, 1], None, "cpu", limit=1.0)
    assert not light.dijkstra(matrix, None, None, "cpu", limit=1.0)
    assert not light.dijkstra(matrix, [0, 1], None, "cpu", directed=False)
    assert light.dijkstra(matrix, 0, None, "auto", directed=False)
    assert not light.breadth_first_order(matrix, 0)
    assert not light.minimum_spanning_tree(matrix)
    assert not light.floyd_warshall(matrix, False, False, None, "auto")
    assert not light.floyd_warshall(np.asfortranarray(np.ones((3, 3))), False, False, None, "auto")
    assert not light.breadth_first_order(SMALL, 3)
    assert not light.minimum_spanning_tree(NO_COLUMN)


@pytest.mark.parametrize("predecessors", [True, False])
def test_a_search_with_a_limit_in_a_large_matrix(predecessors, monkeypatch):
    """It is over before a graph is made; or it gives up, and the graph's answer is the same."""
    graphs = []

    def paths_of(call, *args, **kwargs):
        graphs.append(call)
        return search_paths(call, *args, **kwargs)

    search_paths = search._paths
    monkeypatch.setattr(search, "_paths", paths_of)
    matrix = weighted(grid(130, weights=(0.0, 1.0), seed=1))
    n = matrix.shape[0]
    for limit, near in ((0.0, True), (0.7, True), (1.5, True), (100, False)):
        for how in (
            {"indices": 8000},
            {"indices": [[8000]]},
            {"indices": [5, 5, 9], "min_only": True},
        ):
            given = {"limit": limit, "return_predecessors": predecessors} | how
            graphs.clear()
            found, expected = csgraph.dijkstra(matrix, **given), scipys.dijkstra(matrix, **given)
            assert bool(graphs) != near
            for one, other in zip(
                found if predecessors else [found], expected if predecessors else [expected],
                strict=True,
            ):  # fmt: skip
                assert (one.shape, one.dtype) == (other.shape, other.dtype)
                np.testing.assert_array_equal(one, other)
    for column in (n, -1):  # as SciPy, it does not look where it does not come
        wrong = matrix.copy()
        wrong.indices[wrong.indptr[8000]] = column
        with pytest.raises(ValueError, match=r"indices\[\d+\]"):
            csgraph.dijkstra(wrong, indices=8000, limit=0.5)
        here, there = (csgraph.dijkstra(m, indices=5, limit=0.5) for m in (wrong, matrix))
        np.testing.assert_array_equal(here, there)
    wrong = matrix.copy()
    wrong.indptr[8001] = -3
    with pytest.raises(ValueError, match="indptr"):
        csgraph.dijkstra(wrong, indices=8000, limit=0.5)
    wrong = matrix.copy()
    wrong.data[7] = -9.0
    with pytest.warns(UserWarning, match="negative"), pytest.raises(csgraph.NegativeCycleError):
        csgraph.dijkstra(wrong, indices=8000, limit=0.5)


@pytest.mark.parametrize("seed", range(4))
def test_few_paths_of_small_matrices(seed, monkeypatch):
    """Lengths to the bit as of k_shortest_paths, on paths that are as long."""
    matrix = weighted(erdos_renyi(12, 45, directed=True, weights=(0.0, 1.0), seed=seed))
    ints = matrix.copy()
    ints.data = np.floor(ints.data * 5)
    for given in (matrix, matrix.toarray(), ints):
        for directed in (True, False):
            for unweighted in (True, False):
                how = {"directed": directed, "unweighted": unweighted, "return_predecessors": True}
                assert light.yen(given, (0, 11), 8, None, "auto")
                lengths, before = csgraph.yen(given, 0, 11, 8, **how)
                with monkeypatch.context() as patch:
                    patch.setattr(light, "yen", lambda *args: False)
                    expected, others = csgraph.yen(given, 0, 11, 8, **how)
                assert (lengths.dtype, before.dtype) == (expected.dtype, others.dtype)
                assert before.shape == others.shape
                np.testing.assert_array_equal(lengths, expected)
    twice = csr_array((np.ones(3), np.array([1, 1, 2], np.int32), np.array([0, 2, 3, 3], np.int32)))
    twice.data[1] = 0.5
    assert csgraph.yen(twice, 0, 2, 3).tolist() == [1.5]
    assert not light.yen(matrix, (0, 12), 2, None, "auto")
    assert not light.yen(matrix, (3, 3), 2, None, "auto")
    assert not light.yen(matrix, (0, 11), 0, None, "auto")
    assert not light.yen(matrix, (0, 11), 2**20, None, "auto")
