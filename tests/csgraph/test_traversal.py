"""Orders, trees and components: SciPy's, number by number."""

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array, csr_matrix
from scipy.sparse import csgraph as scipys

import warpath as wp
from oracles import SHAPES, shape, some_vertices
from warpath import csgraph, devices


def shuffled(graph, seed=0):
    """A graph as SciPy's CSR with rows in a random order, some arcs twice."""
    rng = np.random.default_rng(seed)
    source, target, _ = graph.coo()
    again = rng.integers(0, max(len(source), 1), len(source) // 10)
    source, target = np.append(source, source[again]), np.append(target, target[again])
    order = np.lexsort([rng.random(len(source)), source])
    offsets = np.searchsorted(source[order], np.arange(graph.num_vertices + 1))
    parts = rng.random(len(source)), target[order], offsets.astype(np.int32)
    return csr_array(parts, shape=(graph.num_vertices,) * 2)


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("name", SHAPES)
def test_order(name, directed):
    graph = shape(name)
    matrix = shuffled(graph)
    for kind in (csr_array, csc_array, csr_matrix):
        given = kind(matrix) if kind is csc_array else kind(matrix, copy=False)
        for source in some_vertices(graph):
            order, predecessors = csgraph.breadth_first_order(given, source, directed)
            expected, before = scipys.breadth_first_order(given, source, directed)
            assert (order.dtype, predecessors.dtype) == (expected.dtype, before.dtype)
            np.testing.assert_array_equal(order, expected)
            np.testing.assert_array_equal(predecessors, before)
            alone = csgraph.breadth_first_order(given, source, directed, False)
            np.testing.assert_array_equal(alone, expected)


def test_order_of_other_dtypes_and_dense():
    matrix = shuffled(shape("karate"))
    matrix.data[:] = np.arange(len(matrix.data))
    for given in (matrix.astype(np.int32), matrix.astype(bool), matrix.toarray(), matrix.tolil()):
        for directed in (True, False):
            found = csgraph.breadth_first_order(given, 3, directed)
            expected = scipys.breadth_first_order(given, 3, directed)
            for one, other in zip(found, expected, strict=True):
                np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
def test_tree(directed):
    matrix = shuffled(shape("uniform, directed"))
    for given in (matrix, csr_matrix(matrix), csc_array(matrix)):
        found = csgraph.breadth_first_tree(given, 5, directed)
        expected = scipys.breadth_first_tree(given, 5, directed)
        assert type(found) is type(expected)
        assert (found != expected).nnz == 0


@pytest.mark.parametrize("name", SHAPES)
def test_components(name, threads):
    matrix = shuffled(shape(name))
    single = matrix.copy()
    single.sum_duplicates()  # on which SciPy's strong components do not end
    for directed in (True, False):
        for connection in ("weak", "strong", "WEAK"):
            count, labels = csgraph.connected_components(matrix, directed, connection)
            expected, others = scipys.connected_components(single, directed, connection)
            assert count == expected
            assert labels.dtype == others.dtype
            np.testing.assert_array_equal(labels, others)
            alone = csgraph.connected_components(matrix, directed, connection, False)
            assert alone == count


def test_components_of_nothing():
    count, labels = csgraph.connected_components(csr_array((0, 0)))
    assert (count, labels.shape) == (0, (0,))


def test_column_indices_out_of_range():
    matrix = csr_array((np.ones(2), np.array([0, 1], np.int32), np.array([0, 1, 2], np.int32)))
    matrix.indices[1] = 7
    with pytest.raises(ValueError, match=r"indices\[1\] is 7"):
        csgraph.breadth_first_order(matrix, 0)
    with pytest.raises(ValueError, match=r"indices\[1\] is 7"):
        csgraph.dijkstra(matrix)


def test_depth_first_is_scipys():
    assert csgraph.depth_first_order.__wrapped__ is scipys.depth_first_order
    assert wp.csgraph.maximum_flow.__wrapped__ is scipys.maximum_flow


@pytest.mark.parametrize("function", [csgraph.connected_components, csgraph.minimum_spanning_tree])
def test_devices(function):
    matrix = csr_array([[0, 1.0], [0, 0]])
    with pytest.raises(ValueError, match="unknown device 'gpu'"):
        function(matrix, device="gpu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices, "missing", lambda: "there is no GPU")
        with pytest.raises(wp.DeviceUnavailableError, match="there is no GPU"):
            function(matrix, device="cuda")
