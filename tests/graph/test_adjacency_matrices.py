import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp
from small_graphs import assert_same_graph, random_graph, seeds


@given(seeds, st.booleans())
def test_scipy_there_and_back(seed, directed):
    graph = random_graph(seed, directed)
    assert_same_graph(wp.Graph.from_matrix(graph.to_scipy(), directed=directed), graph)


def test_scipy_shares_memory_and_keeps_zeros_and_duplicates():
    graph = wp.Graph.from_edges([0, 0, 1], [1, 1, 0], [0, 2, 3])
    matrix = graph.to_scipy()
    assert matrix.nnz == 3
    assert np.shares_memory(matrix.data, graph.weights)
    assert graph.without_weights().to_scipy().toarray().tolist() == [[0, 2], [1, 0]]


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
@pytest.mark.parametrize("kind", [sp.coo_array, sp.coo_matrix])
def test_scipy_formats(form, kind):
    dense = np.array([[0, 2.5, 0], [0, 0, 1], [4, 0, 0]])
    matrix = kind(dense).asformat(form)
    if form in ("dia", "bsr"):
        matrix.eliminate_zeros() if form == "bsr" else None
    graph = wp.Graph(matrix)
    wanted = wp.Graph(dense)
    assert_same_graph(graph.with_weights(graph.weights), wanted)
    assert graph.weights.dtype == np.float64


def test_boolean_matrices_have_no_weights():
    dense = np.array([[False, True], [True, False]])
    for matrix in (dense, sp.csr_array(dense), sp.coo_array(dense)):
        graph = wp.Graph(matrix)
        assert graph.weights is None
        assert graph.num_arcs == 2


def test_a_dense_matrix():
    graph = wp.Graph(np.array([[0, 3.5, np.inf], [-1, 2, 0], [0, 0, -np.inf]]))
    assert [c.tolist() for c in graph.coo()] == [[0, 1, 1], [1, 0, 1], [3.5, -1, 2]]
    assert wp.Graph.from_matrix([[0, 1], [1, 0]]).weights.dtype == np.int64


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_of_a_masked_matrix_what_is_masked_is_no_edge_as_in_csgraph(dtype):
    matrix = np.array([[0, 1, 7], [2, 0, 0], [5, 6, 0]], dtype)
    mask = np.array([[1, 1, 0], [0, 1, 0], [1, 0, 1]], bool)
    g = wp.Graph(np.ma.array(matrix, mask=mask))
    expected = csgraph.csgraph_from_masked(np.ma.array(matrix, mask=mask)).tocoo()
    source, target, weight = g.coo()
    assert list(zip(source, target, strict=True)) == list(zip(*expected.coords, strict=True))
    assert weight.tolist() == expected.data.tolist() == [7, 2, 0, 6]
    assert weight.dtype == dtype
    assert g.num_vertices == 3


def test_masked_matrices_of_other_kinds():
    every = wp.Graph(np.ma.array([[0, 1], [2, 0]]))  # nothing is masked
    assert every.weights.tolist() == [0, 1, 2, 0]
    yes = wp.Graph(np.ma.array([[True, True], [True, False]], mask=[[0, 1], [0, 0]]))
    assert [part.tolist() for part in yes.coo()[:2]] == [[0, 1], [0, 0]]
    assert yes.weights is None
    far = wp.Graph(np.ma.array([[np.inf, 1.5], [np.nan, 2.0]], mask=[[0, 0], [1, 0]]))
    assert far.weights.tolist() == [1.5, 2.0]
    both = np.ma.array([[0, 3], [3, 9]], mask=[[1, 0], [0, 1]])
    assert wp.Graph(both, directed=False).num_edges == 1
    nothing = wp.Graph(np.ma.masked_all((2, 2), int))
    assert (nothing.num_vertices, nothing.num_arcs) == (2, 0)


def test_a_symmetric_matrix():
    graph = wp.Graph(np.array([[1, 3], [3, 0]]), directed=False)
    assert not graph.directed
    assert graph.num_edges == 2
    with pytest.raises(ValueError, match="has no reverse of weight 3"):
        wp.Graph(np.array([[1, 3], [2, 0]]), directed=False)


def test_rows_that_are_not_equally_long():
    with pytest.raises(ValueError, match="row 2 has length 1, row 0 3"):
        wp.Graph.from_matrix([[0, 1, 2], [1, 0, 2], [3]])


@pytest.mark.parametrize("shape", [(2, 3), (0, 1)])
def test_matrices_that_are_not_square(shape):
    for matrix in (np.zeros(shape), sp.csr_array(shape)):
        with pytest.raises(ValueError, match=rf"square, not of shape \({shape[0]}, {shape[1]}\)"):
            wp.Graph(matrix)


@pytest.mark.parametrize("columns", [2, 3])
def test_an_array_of_edges_is_no_matrix(columns):
    array = np.array([[0, 1, 5], [1, 2, 3], [2, 0, 1], [0, 2, 9]])[:, :columns]
    with pytest.raises(ValueError, match=r"one edge per row call Graph.from_edges\(\*array.T\)"):
        wp.Graph(array)
    assert wp.Graph.from_edges(*array.T).num_edges == 4


def test_a_matrix_with_nan():
    with pytest.raises(ValueError, match=r"weight\[0\] is nan"):
        wp.Graph(np.array([[0, np.nan], [0, 0]]))
    with pytest.raises(ValueError, match=r"weights\[0\] is nan"):
        wp.Graph(sp.csr_array(np.array([[0, np.nan], [0, 0]])))


def test_graphblas():
    graphblas = pytest.importorskip("graphblas", reason="pip install python-graphblas")
    ends, weights = ([0, 0, 2], [1, 2, 0]), [5, 0, 7]
    matrix = graphblas.Matrix.from_coo(*ends, weights, nrows=4, ncols=4)
    graph = wp.Graph(matrix)
    assert_same_graph(graph, wp.Graph.from_edges(*ends, weights, n=4))
    assert wp.Graph.from_graphblas(matrix.dup("FP32")).weights.dtype == np.float32
    assert wp.Graph(matrix.dup("BOOL")).weights is None
    with pytest.raises(ValueError, match="has no reverse"):
        wp.Graph(matrix, directed=False)
    with pytest.raises(ValueError, match="is square, not of shape"):
        wp.Graph(graphblas.Matrix(int, 2, 3))


class Data:
    """As `torch_geometric.data.Data` is looked at."""

    def __init__(self, edge_index, num_nodes=None, **attributes):
        self.edge_index, self.num_nodes = edge_index, num_nodes
        vars(self).update(attributes)


def test_edge_index():
    ends, weights = np.array([[0, 0, 2], [1, 2, 0]]), np.array([5.0, 1.0, 7.0])
    wanted = wp.Graph.from_edges(*ends, weights, n=4)
    assert_same_graph(wp.Graph.from_edge_index(ends, weights, n=4), wanted)
    for data in (
        Data(ends, 4, edge_weight=weights),
        Data(ends, 4, edge_attr=weights),
        Data(ends, 4, edge_weight=weights, edge_attr=weights + 1),
    ):
        assert_same_graph(wp.Graph(data), wanted)
    for data in (Data(ends, 4), Data(ends, 4, edge_attr=np.zeros((3, 16)), edge_weight=None)):
        assert_same_graph(wp.Graph(data), wanted.without_weights())
    both = np.hstack([ends, ends[::-1]])
    graph = wp.Graph.from_edge_index(both, directed=False)
    assert (graph.directed, graph.num_edges) == (False, 3)
    with pytest.raises(ValueError, match="has no reverse"):
        wp.Graph.from_edge_index(ends[:, :1], directed=False)
    with pytest.raises(ValueError, match=r"two rows, sources and targets, not shape \(3, 2\)"):
        wp.Graph.from_edge_index(ends.T)


def test_a_frame_keeps_its_names_as_labels():
    names = list("abc")
    dense = [[0, 1, 0], [2, 0, 0], [0, 1, 0]]
    graph = wp.Graph.from_matrix(pd.DataFrame(dense, index=names, columns=names))
    assert graph.to_frame().rows() == [("a", "b", 1), ("b", "a", 2), ("c", "b", 1)]
    mutual = pd.DataFrame([[0, 1], [1, 0]], index=["x", "y"], columns=["x", "y"])
    assert wp.Graph.from_matrix(mutual, directed=False).labels.tolist() == ["x", "y"]
    assert wp.Graph.from_matrix(pd.DataFrame(dense)).labels is None
    assert wp.Graph.from_matrix(pd.DataFrame(dense, columns=names)).labels is None
