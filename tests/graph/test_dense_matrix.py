import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpath as wp
from warpath.graph import adjacency_matrices
from warpath.graph.dense_matrix import dense_nbytes, pitch_of
from warpath.graph.distance import unreachable


@pytest.mark.parametrize(
    ("n", "itemsize", "pitch"),
    [(0, 4, 0), (1, 4, 32), (32, 4, 32), (33, 4, 64), (1, 8, 16), (16, 8, 16), (17, 8, 32)],
)
def test_rows_are_whole_lines_of_128_bytes(n, itemsize, pitch):
    assert pitch_of(n, itemsize) == pitch
    assert dense_nbytes(n, itemsize) == n * pitch * itemsize


def test_matrix_by_definition():
    weight = np.array([5, 3, 0, 9, -1, -2], np.int32)
    graph = wp.Graph.from_edges([0, 0, 1, 2, 2, 3], [1, 1, 2, 2, 0, 3], weight, n=4)
    matrix = graph.dense()
    inf = np.iinfo(np.int32).max
    assert matrix.matrix.tolist() == [
        [0, 3, inf, inf],  # the lighter of two parallel arcs
        [inf, 0, 0, inf],  # an arc of weight zero
        [-1, inf, 0, inf],  # a positive self-loop is no shorter than staying
        [inf, inf, inf, -2],  # a negative one is
    ]
    assert matrix.padded.shape == (4, 32)
    assert matrix.pitch == 32
    assert (matrix.padded[:, 4:] == inf).all()
    assert np.shares_memory(matrix.matrix, matrix.padded)


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_dtypes(dtype):
    graph = wp.Graph.from_edges([0], [1], np.array([3], dtype))
    own = graph.dense()
    assert own.padded.dtype == np.dtype(dtype)
    assert own.matrix[1, 0] == unreachable(dtype)
    plain = graph.without_weights().dense(dtype=dtype)
    assert plain.padded.dtype == np.dtype(dtype)
    assert plain.matrix[0, 1] == 1
    assert graph.without_weights().dense().padded.dtype == np.float32


@pytest.mark.parametrize("directed", [True, False])
@given(seed=st.integers(0, 2**32 - 1), dtype=st.sampled_from(["i4", "i8", "f4", "f8"]))
def test_each_entry_is_the_lightest_arc(directed, seed, dtype):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 12))
    source, target = rng.integers(0, n, (2, 2 * n))
    weight = rng.integers(0, 5, 2 * n).astype(dtype)
    graph = wp.Graph.from_edges(source, target, weight, n=n, directed=directed)
    wanted = [[unreachable(dtype) if u != v else 0 for v in range(n)] for u in range(n)]
    for u, v, w in zip(*(column.tolist() for column in graph.coo()), strict=True):
        wanted[u][v] = min(wanted[u][v], w)
    found = graph.dense().matrix
    assert found.dtype == np.dtype(dtype)
    np.testing.assert_array_equal(found, np.array(wanted, dtype))


def test_no_vertices():
    matrix = wp.Graph.from_edges([], []).dense()
    assert matrix.matrix.shape == (0, 0)


def test_wrong_dtypes():
    graph = wp.Graph.from_edges([0], [1], [1.5])
    with pytest.raises(ValueError, match="one of int32, int64, float32, float64, not 'int8'"):
        graph.dense(dtype="int8")
    with pytest.raises(ValueError, match="one of int32, int64, float32, float64, not 'number'"):
        graph.dense(dtype="number")
    with pytest.raises(ValueError, match="float64 weights would lose their fractions in int32"):
        graph.dense(dtype=np.int32)


@pytest.mark.parametrize(
    ("weight", "dtype"),
    [
        (np.int64(2**31), "i4"),
        (np.int64(-(2**31) - 1), "i4"),
        (np.int64(2**31 - 1), "i4"),  # what stands for "no path"
        (np.int64(2**63 - 1), "i8"),
        (np.float64(1e39), "f4"),
    ],
)
def test_weights_that_do_not_fit(weight, dtype):
    graph = wp.Graph.from_edges([0], [1], [weight])
    with pytest.raises(OverflowError, match=f"do not fit a matrix of {np.dtype(dtype)}"):
        graph.dense(dtype=dtype)


@pytest.mark.parametrize("error", [MemoryError, ValueError])  # NumPy's: beyond 2⁶³ bytes
def test_too_little_memory(error, monkeypatch):
    def full(*_):
        raise error

    monkeypatch.setattr(adjacency_matrices.np, "full", full)
    graph = wp.Graph.from_edges([0], [1], [1])
    with pytest.raises(MemoryError, match=r"2 vertices takes 256 bytes; the CSR .* takes 24"):
        graph.dense()


def test_more_than_the_address_space():
    graph = wp.Graph.from_edges([], [], n=2**24)
    with pytest.raises(MemoryError, match="16,777,216 vertices takes 1,125,899,906,842,624 bytes"):
        graph.dense()
