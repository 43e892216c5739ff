"""CuPy's matrices in, CuPy's arrays out, with SciPy's values."""

import numpy as np
import pytest
from scipy.sparse import csgraph as scipys
from scipy.sparse import csr_array

import warpath as wp
from oracles import small_multigraph
from warpath import csgraph
from warpath.generate import negative_weights

pytestmark = pytest.mark.gpu
FUNCTIONS = ("dijkstra", "bellman_ford", "johnson", "shortest_path")


def both(graph):
    """A graph as SciPy's matrix, and as CuPy's."""
    from cupyx.scipy.sparse import csr_matrix

    here = graph.to_scipy().astype(np.float64)
    parts = here.data.copy(), here.indices.copy(), here.indptr.copy()
    here = csr_array(parts, shape=here.shape)
    return here, csr_matrix(here)


def same(found, expected):
    import cupy

    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert isinstance(one, cupy.ndarray)
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    np.testing.assert_array_equal(found[0].get(), expected[0])
    if len(found) > 1:  # predecessors may be others, where there are some
        assert ((found[1].get() == -9999) == (expected[1] == -9999)).all()


def graphs():
    source, target, weight = small_multigraph(1, np.float64).coo()
    yield wp.Graph.from_edges(source, target, weight, n=14, merge="min")
    yield wp.generate.erdos_renyi(700, 4000, directed=True, weights=(0.0, 1.0), seed=1)


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("unweighted", [False, True], ids=["weighted", "unweighted"])
def test_cupys_matrix(unweighted, directed):
    for graph in graphs():
        matrix, there = both(graph)
        for name in FUNCTIONS:
            for indices in (3, [2, 0], [[1], [-1]]):
                how = {"directed": directed, "unweighted": unweighted, "indices": indices}
                how |= {"return_predecessors": True}
                expected = scipys.dijkstra(matrix, **how)
                same(getattr(csgraph, name)(there, **how), expected)
        how = {"directed": directed, "unweighted": unweighted, "indices": [2, 0]}
        expected = scipys.dijkstra(matrix, min_only=True, return_predecessors=True, **how)
        found = csgraph.dijkstra(there, min_only=True, return_predecessors=True, **how)
        same(found, expected)
        distance, predecessors, sources = (array.get() for array in found)
        assert ((sources == -9999) == np.isinf(distance)).all()
        led = np.flatnonzero(predecessors >= 0)
        assert (sources[led] == sources[predecessors[led]]).all()
        same(csgraph.dijkstra(there, limit=2, **how), scipys.dijkstra(matrix, limit=2, **how))


def test_all_pairs():
    for graph in graphs():
        matrix, there = both(graph)
        expected = scipys.floyd_warshall(matrix)
        found = csgraph.floyd_warshall(there)
        np.testing.assert_allclose(found.get(), expected, rtol=1e-13)


@pytest.mark.parametrize("dtype", [np.float64, np.float32], ids=str)
def test_dense_and_explicit_nulls(dtype):
    import cupy
    from cupyx.scipy.sparse import csr_matrix

    dense = np.array([[0, 2, np.inf], [np.nan, 0, 0.5], [1, 0, 0]], dtype)
    same(csgraph.dijkstra(cupy.asarray(dense)), scipys.dijkstra(dense))
    stored = csr_matrix(
        (cupy.asarray([np.inf, 1.0, np.nan, 0.0]), cupy.asarray([1, 2, 2, 0]), cupy.asarray([0, 1, 3, 4])),
        shape=(3, 3),
    )  # fmt: skip
    same(csgraph.dijkstra(stored), scipys.dijkstra(csr_array(stored.get())))


def test_numpys_matrix_on_the_gpu():
    for graph in graphs():
        matrix, _ = both(graph)
        for name in FUNCTIONS:
            found = getattr(csgraph, name)(matrix, indices=[3, 1], device="cuda")
            assert isinstance(found, np.ndarray)
            np.testing.assert_array_equal(found, scipys.dijkstra(matrix, indices=[3, 1]))


def test_components_and_trees_of_numpys_matrix():
    for graph in graphs():
        matrix, _ = both(graph)
        for connection in ("weak", "strong"):
            count, labels = scipys.connected_components(matrix, connection=connection)
            found, numbers = csgraph.connected_components(
                matrix, connection=connection, device="cuda"
            )
            assert isinstance(numbers, np.ndarray)
            pairs = set(zip(labels.tolist(), numbers.tolist(), strict=True))
            assert found == count == len(pairs) == numbers.max() + 1
        tree = csgraph.minimum_spanning_tree(matrix, device="cuda")
        assert (tree != scipys.minimum_spanning_tree(matrix)).nnz == 0


def test_cupys_matrix_on_the_cpu():
    for graph in graphs():
        matrix, there = both(graph)
        _, labels = csgraph.connected_components(there, device="cpu")
        same(labels, scipys.connected_components(matrix)[1])
        tree = csgraph.minimum_spanning_tree(there, device="cpu")
        assert (tree.get() != scipys.minimum_spanning_tree(matrix)).nnz == 0
        found = csgraph.dijkstra(there, indices=[3, 1], device="cpu")
        same(found, scipys.dijkstra(matrix, indices=[3, 1]))


def test_negative_weights_and_cycles():
    graph = wp.generate.erdos_renyi(300, 1500, directed=True, weights=(1, 9), seed=1)
    matrix, there = both(negative_weights(graph, 1))
    expected = scipys.bellman_ford(matrix, indices=[4, 5])
    same(csgraph.bellman_ford(there, indices=[4, 5]), expected)
    same(csgraph.johnson(there, indices=[4, 5]), expected)
    _, cycle = both(wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [1.0, -3.0, 1.0]))
    for name in ("bellman_ford", "johnson", "shortest_path", "floyd_warshall"):
        with pytest.raises(scipys.NegativeCycleError) as caught:
            getattr(csgraph, name)(cycle)
        assert sorted(caught.value.cycle) == [1, 2]


def test_paths_and_traversal():
    import cupy
    from cupyx.scipy.sparse import csr_matrix

    for graph in graphs():
        matrix, there = both(graph)
        lengths, predecessors = csgraph.yen(there, 0, 5, 4, return_predecessors=True)
        assert isinstance(lengths, cupy.ndarray)
        assert isinstance(predecessors, cupy.ndarray)
        np.testing.assert_allclose(lengths.get(), scipys.yen(matrix, 0, 5, 4), rtol=1e-13)
        for directed in (True, False):
            order = csgraph.breadth_first_order(there, 0, directed)
            expected = scipys.breadth_first_order(matrix, 0, directed)
            for one, other in zip(order, expected, strict=True):
                assert isinstance(one, cupy.ndarray)
                np.testing.assert_array_equal(one.get(), other)
            tree = csgraph.breadth_first_tree(there, 0, directed)
            assert isinstance(tree, csr_matrix)
            other = scipys.breadth_first_tree(matrix, 0, directed)
            np.testing.assert_array_equal(tree.get().toarray(), other.toarray())
        for connection in ("weak", "strong"):
            count, labels = csgraph.connected_components(there, connection=connection)
            expected, others = scipys.connected_components(matrix, connection=connection)
            assert count == expected
            # SciPy numbers strong components in the order in which it ends them, here it is by smallest vertices.
            _, first, members = np.unique(others, return_index=True, return_inverse=True)
            np.testing.assert_array_equal(labels.get(), np.argsort(np.argsort(first))[members])


def test_spanning_trees():
    from cupyx.scipy.sparse import csr_matrix

    for graph in graphs():
        matrix, there = both(graph)
        tree, expected = csgraph.minimum_spanning_tree(there), scipys.minimum_spanning_tree(matrix)
        assert isinstance(tree, csr_matrix)
        np.testing.assert_array_equal(tree.get().toarray(), expected.toarray())


def test_a_limit():
    graph = wp.generate.grid(200, weights=(0.0, 1.0), seed=1)
    matrix, there = both(graph)
    for limit in (0.5, 5, 1e9):
        expected = scipys.dijkstra(matrix, indices=700, limit=limit)
        same(csgraph.dijkstra(there, indices=700, limit=limit), expected)
        found = csgraph.dijkstra(matrix, indices=700, limit=limit, device="cuda")
        np.testing.assert_array_equal(found, expected)


def test_what_scipy_makes_of_predecessors():
    import cupy
    from cupyx.scipy.sparse import csr_matrix

    for graph in graphs():
        matrix, there = both(graph)
        _, before = scipys.dijkstra(matrix, indices=0, return_predecessors=True)
        tree = csgraph.reconstruct_path(there, cupy.asarray(before))
        assert isinstance(tree, csr_matrix)
        expected = scipys.reconstruct_path(matrix, before)
        np.testing.assert_array_equal(tree.get().toarray(), expected.toarray())
    dense = csgraph.csgraph_to_dense(there, null_value=-1)
    np.testing.assert_array_equal(dense.get(), scipys.csgraph_to_dense(matrix, null_value=-1))
    assert isinstance(csgraph.csgraph_from_dense(dense, null_value=-1), csr_matrix)
    _, before = scipys.floyd_warshall(matrix, return_predecessors=True)
    found = csgraph.construct_dist_matrix(there, predecessors=cupy.asarray(before))
    assert isinstance(found, cupy.ndarray)
    np.testing.assert_array_equal(found.get(), scipys.construct_dist_matrix(matrix, before))


@pytest.mark.parametrize("connection", ["weak", "strong"])
def test_components(connection):
    for graph in graphs():
        matrix, there = both(graph)
        count, labels = scipys.connected_components(matrix, connection=connection)
        found, parts = csgraph.connected_components(there, connection=connection)
        assert found == count
        pairs = np.unique(np.c_[labels, parts.get()], axis=0)
        assert len(pairs) == count
        assert (
            csgraph.connected_components(there, connection=connection, return_labels=False) == count
        )


def test_spanning_tree():
    for graph in graphs():
        matrix, there = both(graph)
        expected = scipys.minimum_spanning_tree(matrix)
        found = csgraph.minimum_spanning_tree(there).get()
        assert (found != csgraph.minimum_spanning_tree(matrix)).nnz == 0
        assert found.sum() == pytest.approx(expected.sum())
