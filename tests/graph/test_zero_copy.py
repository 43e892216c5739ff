"""Arrays of other libraries are used where they lie, and results are theirs for nothing."""

from contextlib import nullcontext

import numpy as np
import pytest
import scipy.sparse as sp

import warpath as wp
from foreign import OnlyDlpack
from warpath.graph import csr

OFFSETS = np.array([0, 2, 3, 3], np.int32)
INDICES = np.array([1, 2, 2], np.int32)
WEIGHTS = np.array([5, 1, 2], np.float32)
ARRAYS = (OFFSETS, INDICES, WEIGHTS)


def address(array):
    return array.__array_interface__["data"][0]


def addresses(graph):
    return [address(array) for array in graph.resident]


def test_numpys_arrays_are_the_graphs():
    assert addresses(wp.Graph.from_csr(*ARRAYS)) == [address(array) for array in ARRAYS]


def test_dlpack_is_enough():
    graph = wp.Graph.from_csr(*map(OnlyDlpack, ARRAYS))
    assert addresses(graph) == [address(array) for array in ARRAYS]
    columns = graph.with_weights(OnlyDlpack(WEIGHTS)).resident.weights
    assert address(columns) == address(WEIGHTS)


def test_scipys_matrices_share_theirs():
    matrix = sp.csr_array((WEIGHTS, INDICES, OFFSETS), shape=(3, 3))
    graph = wp.Graph(matrix)
    assert addresses(graph) == [address(a) for a in (matrix.indptr, matrix.indices, matrix.data)]


@pytest.mark.parametrize(
    "arrays",
    [
        (OFFSETS.astype("i8"), INDICES.astype("u4"), WEIGHTS.astype("f2")),  # other dtypes
        (OFFSETS, np.repeat(INDICES, 2)[::2], WEIGHTS[::-1][::-1].copy()),  # strides
    ],
)
def test_other_layouts_are_copied(arrays):
    graph = wp.Graph.from_csr(*arrays)
    assert address(graph.column_indices) != address(arrays[1])
    for one, two in zip(graph.resident, ARRAYS, strict=True):
        assert np.array_equal(one, two)


def test_results_are_arrays_that_others_may_take():
    paths = wp.sssp(wp.Graph.from_csr(*ARRAYS), 0)
    for array in (paths.distance, paths.predecessor):
        assert address(np.from_dlpack(array)) == address(array)
        assert array.flags.writeable


# -- a GPU's arrays, with NumPy for CuPy -------------------------------------------------------


@pytest.fixture
def numpy_for_cupy(monkeypatch):
    """Let ``device="cuda"`` check in the host's memory."""
    monkeypatch.setattr(csr, "module_for", lambda device: np)
    monkeypatch.setattr(csr, "made_on_gpu", lambda what: nullcontext())


@pytest.mark.usefixtures("numpy_for_cupy")
def test_csr_on_a_gpu_is_what_it_is_here():
    assert addresses(wp.Graph.from_csr(*ARRAYS, device="cuda")) == [address(a) for a in ARRAYS]
    rng = np.random.default_rng(5)
    for n, m in ((1, 0), (5, 0), (1, 3), (7, 60), (40, 300)):
        offsets = np.sort(rng.integers(0, m + 1, n + 1))
        offsets[0], offsets[-1] = 0, m
        indices, weights = rng.integers(0, n, m), rng.normal(size=m)
        for given in (weights, None):
            here = wp.Graph.from_csr(offsets, indices, given)
            there = wp.Graph.from_csr(offsets, indices, given, device="cuda")
            for one, two in zip(there.resident, here.resident, strict=True):
                assert one is two is None or (one.dtype == two.dtype and np.array_equal(one, two))


@pytest.mark.usefixtures("numpy_for_cupy")
@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (([0, 2], [0]), "row_offsets must run from 0 to 1"),
        (([1, 1], [0]), "not from 1 to 1"),
        (([0, 2, 1, 3], [0, 1, 2]), "row_offsets descends at 1: 2 to 1"),
        (([0, 1], [1]), r"column_indices\[0\] is 1, but the graph has 1 vertex"),
        (([0, 1], [0], [1, 2]), "weights has 2 entries for 1 arc"),
    ],
)
def test_bad_csr_on_a_gpu(arrays, message):
    with pytest.raises(ValueError, match=message):
        wp.Graph.from_csr(*map(np.array, arrays), device="cuda")


# -- PyTorch -----------------------------------------------------------------------------------


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="PyTorch's tensors: pip install torch")


@pytest.mark.filterwarnings("ignore:Sparse:UserWarning")  # PyTorch calls them a prototype
def test_tensors_of_pytorch_are_the_graphs(torch):
    tensors = [torch.from_numpy(array.copy()) for array in ARRAYS]
    graph = wp.Graph.from_csr(*tensors)
    assert addresses(graph) == [tensor.data_ptr() for tensor in tensors]
    matrix = torch.sparse_csr_tensor(*tensors, size=(3, 3), check_invariants=True)
    graph = wp.Graph(matrix)
    assert addresses(graph)[1:] == [
        matrix.col_indices().data_ptr(), matrix.values().data_ptr()
    ]  # fmt: skip
    assert wp.Graph(matrix.to_dense()).num_arcs == 3
    with pytest.raises(ValueError, match=r"torch.sparse_coo: call its to_sparse_csr\(\)"):
        wp.Graph(matrix.to_sparse_coo())


def test_results_are_pytorchs_without_a_copy(torch):
    graph = wp.Graph.from_csr(*map(torch.from_numpy, ARRAYS))
    paths = wp.sssp(graph, torch.tensor([0, 1]))
    for array in (paths.distance, paths.predecessor):
        for take in (torch.from_dlpack, torch.from_numpy):
            assert take(array).data_ptr() == address(array)
    out = torch.empty((2, 3), dtype=torch.float32)
    wp.distance_matrix(graph, torch.tensor([0, 1]), out=out.numpy())
    assert out.tolist() == paths.distance.tolist()


def test_edge_index(torch):
    graph = wp.Graph(torch.tensor([[0, 0, 1], [1, 2, 2]]))
    assert [c.tolist() for c in graph.coo()[:2]] == [[0, 0, 1], [1, 2, 2]]
    with pytest.raises(
        ValueError, match=r"ends of two edges, or a matrix .*call Graph.from_edge_index"
    ):
        wp.Graph(torch.tensor([[0, 1], [1, 0]]))
    assert wp.Graph(torch.tensor([[0.0, 1.5], [1.0, 0.0]])).weights.tolist() == [1.5, 1]
