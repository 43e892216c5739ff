"""Spanning trees: SciPy's, entry by entry."""

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix, lil_array
from scipy.sparse import csgraph as scipys

import warpath as wp
from warpath import csgraph
from warpath.generate import erdos_renyi


def matrix_of(graph, values):
    """A graph as SciPy's CSR with these values, its rows in no order."""
    source, target, _ = graph.coo()
    order = np.lexsort([np.random.default_rng(3).random(len(source)), source])
    offsets = np.searchsorted(source[order], np.arange(graph.num_vertices + 1)).astype(np.int32)
    return csr_array((values, target[order], offsets), shape=(graph.num_vertices,) * 2)


def same(found, expected):
    assert type(found) is type(expected)
    assert found.shape == expected.shape
    for name in ("data", "indices", "indptr"):
        one, other = getattr(found, name), getattr(expected, name)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


VALUES = {
    "floats": lambda rng, k: rng.random(k),
    "ties and zeros": lambda rng, k: rng.integers(0, 4, k).astype(float),
    "negative": lambda rng, k: rng.integers(-3, 3, k).astype(float),
    "ints": lambda rng, k: rng.integers(0, 9, k),
    "float32": lambda rng, k: rng.random(k).astype(np.float32),
    "bool": lambda rng, k: rng.random(k) < 0.8,
    "nulls": lambda rng, k: rng.choice([np.nan, np.inf, -np.inf, 1.0, 2.0, 0.0], k),
}


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("directed", [True, False], ids=["one entry", "both entries"])
def test_sparse(values, directed, threads):
    for n, m in ((1, 3), (12, 20), (60, 40), (300, 1500)):
        graph = (
            erdos_renyi(n, m, directed=directed, seed=n) if n > 1 else wp.Graph.from_edges([0], [0])
        )
        rng = np.random.default_rng(n)
        matrix = matrix_of(graph, VALUES[values](rng, graph.num_arcs))
        before = matrix.copy()
        for given in (matrix, csr_matrix(matrix), csc_array(matrix), coo_array(matrix)):
            same(csgraph.minimum_spanning_tree(given), scipys.minimum_spanning_tree(given))
        same(csgraph.minimum_spanning_tree(matrix, True), scipys.minimum_spanning_tree(before))
        same(matrix, before)


def test_dense_and_masked():
    dense = np.array([[0, 8, 0, 3], [0, 0, 2, 5], [0, np.inf, 0, 6], [np.nan, 0, 0, 0.0]])
    masked = np.ma.masked_invalid(dense)
    for given in (
        dense,
        np.asfortranarray(dense),
        masked,
        lil_array(dense),
        np.triu(dense).tolist(),
    ):
        theirs = np.array(given) if isinstance(given, list) else given
        same(csgraph.minimum_spanning_tree(given), scipys.minimum_spanning_tree(theirs))


def test_indices_of_64_bits():
    ends = np.array([0, 1, 2]), np.array([1, 2, 0])
    matrix = csr_array((np.array([3.0, 1, 2]), ends), shape=(3, 3))
    assert matrix.indices.dtype == np.int64
    same(csgraph.minimum_spanning_tree(matrix), scipys.minimum_spanning_tree(matrix))


def test_more_threads_than_one(threads):
    graph = erdos_renyi(20_000, 60_000, seed=1)
    matrix = matrix_of(
        graph, np.random.default_rng(1).integers(0, 50, graph.num_arcs).astype(float)
    )
    same(csgraph.minimum_spanning_tree(matrix), scipys.minimum_spanning_tree(matrix))


def test_no_edges():
    for n in (0, 1, 5):
        tree = csgraph.minimum_spanning_tree(csr_array((n, n)))
        assert (tree.shape, tree.nnz) == ((n, n), 0)


def test_refusals():
    with pytest.raises(ValueError, match="N, N"):
        csgraph.minimum_spanning_tree(csr_array((2, 3)))
    matrix = csr_array((np.ones(2), np.array([0, 1], np.int32), np.array([0, 1, 2], np.int32)))
    matrix.indices[1] = 7
    with pytest.raises(ValueError, match=r"indices\[1\] is 7"):
        csgraph.minimum_spanning_tree(matrix)
