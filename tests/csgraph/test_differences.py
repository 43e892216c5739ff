"""Where warpath's answer is not SciPy's, one by one: what SciPy does, and what is right.

Each test fails when SciPy has mended its fault, so that the list in docs/guides/scipy.md stays true.
"""

import subprocess
import sys
from functools import partial
from timeit import repeat

import numpy as np
import pytest
from scipy.sparse import coo_array, csr_array
from scipy.sparse import csgraph as scipys

import warpath as wp
from warpath import csgraph

COMPONENTS = """
import numpy as np
from scipy.sparse import csgraph, csr_array
print("began", flush=True)
indices, offsets = np.array([1, 1, 0], np.int32), np.array([0, 2, 3], np.int32)
matrix = csr_array((np.ones(3), indices, offsets), shape=(2, 2))
csgraph.connected_components(matrix, connection="strong")
"""
CYCLE = """
import warnings
from scipy.sparse import csgraph, csr_array
print("began", flush=True)
warnings.simplefilter("ignore")
csgraph.dijkstra(csr_array(([1.0, -3.0, 1.0], ([0, 1, 2], [1, 2, 1])), shape=(3, 3)), indices=0)
"""


def does_not_end(code):
    """Whether a call that should take microseconds is there after seconds."""
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "began\n"
        try:
            run.wait(2)
        except subprocess.TimeoutExpired:
            run.kill()
            return True
    return False


@pytest.mark.slow
def test_dijkstra_does_not_end_on_a_negative_cycle():
    assert does_not_end(CYCLE)
    matrix = csr_array(([1.0, -3.0, 1.0], ([0, 1, 2], [1, 2, 1])), shape=(3, 3))
    with pytest.warns(UserWarning, match="negative"), pytest.raises(csgraph.NegativeCycleError):
        csgraph.dijkstra(matrix, indices=0)


@pytest.mark.slow
def test_strong_components_do_not_end_on_duplicates():
    assert does_not_end(COMPONENTS)
    indices, offsets = np.array([1, 1, 0], np.int32), np.array([0, 2, 3], np.int32)
    matrix = csr_array((np.ones(3), indices, offsets), shape=(2, 2))
    assert csgraph.connected_components(matrix, connection="strong")[0] == 1
    assert len(matrix.data) == 3  # the matrix is as it was


def test_bellman_ford_takes_all_rounds():
    n = 3000
    matrix = csr_array((np.ones(n - 1), (np.arange(n - 1), np.arange(1, n))), shape=(n, n))
    took = {
        module: min(repeat(partial(module.bellman_ford, matrix, indices=0), repeat=3, number=1))
        for module in (csgraph, scipys)
    }
    assert took[csgraph] < took[scipys]  # some 1 ms, against some 60 ms


def test_undirected_bellman_ford_takes_rounding_for_a_negative_cycle():
    rng = np.random.default_rng(1)
    matrix = np.triu(rng.random((30, 30)) * 1000 * (rng.random((30, 30)) < 0.2), 1)
    with pytest.raises(scipys.NegativeCycleError):
        scipys.bellman_ford(matrix, directed=False)
    expected = scipys.dijkstra(matrix, directed=False)
    np.testing.assert_array_equal(csgraph.bellman_ford(matrix, directed=False), expected)


def test_floyd_warshall_drops_zeros_of_masked_arrays():
    weights = np.array([[0, 0, 5.0], [0, 0, 1.0], [0, 0, 0]])
    masked = np.ma.masked_array(weights, [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert scipys.dijkstra(masked)[0].tolist() == [0, 0, 1]
    assert scipys.floyd_warshall(masked)[0].tolist() == [0, np.inf, 5]
    assert csgraph.dijkstra(masked)[0].tolist() == [0, 0, 1]
    assert csgraph.floyd_warshall(masked)[0].tolist() == [0, 0, 1]


def test_floyd_warshall_overlooks_negative_self_loops():
    matrix = np.array([[-1.0, 1], [0, 0]])
    assert scipys.floyd_warshall(matrix).tolist() == [[0, 1], [np.inf, 0]]
    for module in (scipys, csgraph):
        with pytest.raises(scipys.NegativeCycleError):
            module.johnson(matrix)
    with pytest.raises(csgraph.NegativeCycleError) as caught:
        csgraph.floyd_warshall(matrix)
    assert caught.value.cycle == (0,)


def test_floyd_warshall_refuses_some_sparse_matrices():
    matrix = coo_array(([1.0], ([0], [1])), shape=(2, 2))
    with pytest.raises(ValueError, match="csr, or csc format"):
        scipys.floyd_warshall(matrix)
    assert csgraph.floyd_warshall(matrix).tolist() == [[0, 1], [np.inf, 0]]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_floyd_warshall_of_fortrans_order():
    matrix = np.asfortranarray([[0.0, 5, 2], [3, 0, 0], [0, 1, 0]])
    assert scipys.floyd_warshall(matrix)[0].tolist() == [np.inf, 5, 2]
    assert csgraph.floyd_warshall(matrix)[0].tolist() == [0, 3, 2]


def test_masked_arrays_without_a_mask():
    masked = np.ma.masked_array(np.ones((2, 2)))
    with pytest.raises(ValueError, match="axis 1"):
        scipys.dijkstra(masked)
    assert csgraph.dijkstra(masked).tolist() == [[0, 1], [1, 0]]


def test_yen_takes_the_wrong_one_of_parallel_arcs():
    offsets, indices = np.array([0, 3, 4, 4], np.int32), np.array([1, 1, 2, 2], np.int32)
    matrix = csr_array((np.array([5.0, 1, 4, 1]), indices, offsets), shape=(3, 3))
    assert scipys.yen(matrix, 0, 2, 3).tolist() == [2, 0]
    assert csgraph.yen(matrix, 0, 2, 3).tolist() == [2, 4]


def test_yen_refuses_int64_indices():
    matrix = csr_array(([1.0], (np.array([0]), np.array([1]))), shape=(2, 2))
    assert matrix.indices.dtype == np.int64
    with pytest.raises(ValueError, match="dtype mismatch"):
        scipys.yen(matrix, 0, 1, 1)
    assert csgraph.yen(matrix, 0, 1, 1).tolist() == [1]


def test_yen_of_nothing():
    matrix = csr_array((3, 3))
    with pytest.raises(ValueError, match="Invalid shape"):
        scipys.yen(matrix, 0, 0, 1)
    assert csgraph.yen(matrix, 0, 0, 1).tolist() == [0]
    assert csgraph.yen(matrix, 0, 1, 1).tolist() == []
    lengths, predecessors = csgraph.yen(np.eye(3, k=1), 0, 2, 0, return_predecessors=True)
    assert (lengths.shape, predecessors.shape) == ((0,), (0, 3))


def test_yen_subtracts_what_it_added():
    # Its lengths are the last one's, less the arcs after the spur vertex, and the new arcs.
    graph = wp.generate.erdos_renyi(12, 50, directed=True, weights=(0.0, 1.0), seed=1)
    matrix = graph.to_scipy()
    found, predecessors = csgraph.yen(matrix, 0, 11, 20, return_predecessors=True)
    for length, row in zip(found, predecessors, strict=True):
        walk = [11]
        while walk[-1] != 0:
            walk.append(int(row[walk[-1]]))
        total = 0.0
        for v, u in zip(walk[:0:-1], walk[-2::-1], strict=True):
            total += matrix[v, u]
        assert total == length
    theirs = scipys.yen(matrix, 0, 11, 20)
    np.testing.assert_allclose(theirs, found, rtol=1e-14)
    assert not np.array_equal(theirs, found)


def test_breadth_first_order_from_a_vertex_that_is_not_there():
    matrix = np.eye(3, k=1)
    with pytest.raises(OverflowError):
        scipys.breadth_first_order(matrix, -1)
    with pytest.raises(ValueError, match="i_start -1 is out of range"):
        csgraph.breadth_first_order(matrix, -1)


def test_connected_components_of_lists():
    with pytest.raises(AttributeError):
        scipys.connected_components([[0, 1], [0, 0]])
    assert csgraph.connected_components([[0, 1], [0, 0]])[0] == 1


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_breadth_first_order_in_a_matrix_without_vertices():
    for matrix in (csr_array((0, 0)), np.empty((0, 0))):
        for found, expected in zip(
            csgraph.breadth_first_order(matrix, 0), scipys.breadth_first_order(matrix, 0),
            strict=True,
        ):  # fmt: skip
            assert (found.dtype, found.shape) == (expected.dtype, expected.shape) == ("i4", (0,))
        assert csgraph.breadth_first_order(matrix, 0, return_predecessors=False).shape == (0,)
        assert csgraph.breadth_first_tree(matrix, 0).shape == (0, 0)
        assert scipys.breadth_first_order(matrix, 1)[0].shape == (0,)
        with pytest.raises(ValueError, match="i_start 1 is out of range"):
            csgraph.breadth_first_order(matrix, 1)


def test_indices_that_are_no_whole_numbers():
    matrix = np.eye(3, k=1)
    for indices in (0.5, [0.5], "0", -0.5):
        expected = scipys.dijkstra(matrix, indices=0)
        np.testing.assert_array_equal(np.ravel(scipys.dijkstra(matrix, indices=indices)), expected)
        with pytest.raises(ValueError, match="indices must be"):
            csgraph.dijkstra(matrix, indices=indices)


def test_a_limit_of_nan():
    matrix = np.eye(3, k=1)
    assert scipys.dijkstra(matrix, indices=0, limit=np.nan).tolist() == [0, np.inf, np.inf]
    with pytest.raises(ValueError, match="limit must be >= 0, not nan"):
        csgraph.dijkstra(matrix, indices=0, limit=np.nan)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_weights_of_minus_infinity():
    matrix = csr_array(np.array([[0, -np.inf, 1], [0, 0, 1], [0, 0, 0]]))
    assert np.isnan(scipys.johnson(matrix)).any()
    assert scipys.bellman_ford(matrix)[0].tolist() == [0, -np.inf, -np.inf]
    for name in ("johnson", "bellman_ford", "floyd_warshall"):
        with pytest.raises(ValueError, match=r"weights\[0\] is -inf"):
            getattr(csgraph, name)(matrix)


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_weights_that_are_no_real_numbers():
    matrix = csr_array(np.eye(3, k=1))
    ones = matrix.data
    for dtype, error in ((complex, ValueError), (object, ValueError), (np.longdouble, TypeError)):
        matrix.data = ones.astype(dtype)
        assert scipys.dijkstra(matrix, indices=0).tolist() == [0, 1, 2]
        with pytest.raises(error, match="weights"):
            csgraph.dijkstra(matrix, indices=0)


def test_weights_near_the_end_of_float64():
    n = 5000
    ends = np.arange(n - 1), np.arange(1, n)
    huge = csr_array((np.full(n - 1, 1e307), ends), shape=(n, n))
    expected = scipys.bellman_ford(huge[:30, :30], indices=0)
    assert np.isinf(expected[18:]).all()
    np.testing.assert_array_equal(csgraph.bellman_ford(huge, indices=0)[:30], expected)
    # Where a weight is negative, and for paths one by one, the engines' error stays.
    huge.indices = huge.indices.astype(np.int32)
    huge.indptr = huge.indptr.astype(np.int32)
    assert scipys.yen(huge, 0, 2, 1).tolist() == [2e307]
    with pytest.raises(OverflowError, match="float64"):
        csgraph.yen(huge, 0, 2, 1)
    huge.data[n - 3] = -1.0
    with pytest.raises(OverflowError, match="exceeds float64"):
        csgraph.bellman_ford(huge, indices=0)


def test_corrupt_matrices():
    # What SciPy does with them is not looked at here: it may be a segmentation fault.
    matrix = csr_array(np.eye(3, k=1))
    matrix.indptr[1] = 10**8
    with pytest.raises(ValueError, match="indptr descends at 1: 100000000 to 2"):
        csgraph.depth_first_order(matrix, 0)
