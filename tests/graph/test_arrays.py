"""Where arrays are, and what that costs, with stand-ins for arrays of a GPU."""

import copy
import pickle

import numpy as np
import pytest

import warpath as wp
from warpath import devices
from warpath.graph import arrays, check, distance
from warpath.graph.graph import Graph

HAS_GPU = devices.missing() is None


class OnDevice:
    """An array as CuPy's: it computes where it is, and counts how often it is fetched."""

    fetched = 0

    def __init__(self, array):
        self.array = np.asarray(array)
        self.dtype = self.array.dtype

    def __len__(self):
        return len(self.array)

    def __getitem__(self, key):
        return self.array[key]

    def __getattr__(self, name):
        return getattr(self.array, name)

    def __array__(self, *_, **__):
        raise TypeError("not implicitly")

    def get(self):
        OnDevice.fetched += 1
        return self.array.copy()


@pytest.fixture
def there(monkeypatch):
    """A graph whose arrays are on a device: 0 → 1 (5), 0 → 2 (1), 2 → 2 (0)."""
    pytest.importorskip("cupy", reason="arrays that are not NumPy's are taken for CuPy's")
    monkeypatch.setattr(OnDevice, "fetched", 0)
    parts = np.array([0, 2, 2, 3], np.int32), np.array([1, 2, 2], np.int32), np.array([5, 1, 0])
    return Graph._from_parts(*map(OnDevice, parts), True, np.array(["a", "b", "c"]))


def test_numbers_are_computed_where_the_arrays_are(there):
    assert there.device == "cuda"
    assert (there.num_vertices, there.num_arcs, there.num_edges) == (3, 3, 3)
    assert there.weight_range == (0, 5)
    assert there.mean_weight == 2
    assert there.mean_arc_degree == pytest.approx(5 / 3)
    assert there.weight_dtype == np.int64
    assert distance.distance_dtype(there) == np.int64
    assert distance.longest_path(there) == 10
    assert repr(there) == "<Graph: 3 vertices, 3 edges, directed, int64 weights>"
    assert there.nbytes["csr"] == 52
    assert there.without_weights().weight_dtype is None
    assert OnDevice.fetched == 0


def test_arrays_are_fetched_once_and_read_only(there):
    assert there.degree.tolist() == [2, 0, 1]
    assert OnDevice.fetched == 1  # the offsets alone
    assert there.neighbors("a").tolist() == ["b", "c"]
    assert there.arc_weights("c").tolist() == [0]
    assert there.weights is there.weights
    assert there.has_edge("a", "c")
    assert OnDevice.fetched == 3
    for array in (there.row_offsets, there.column_indices, there.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    assert there.without_weights().weights is None


@pytest.mark.parametrize("change", [copy.copy, lambda graph: pickle.loads(pickle.dumps(graph))])
def test_copies_are_in_the_hosts_memory(there, change):
    other = change(there)
    assert other.device == "cpu"
    for one, two in zip(other.coo(), there.coo(), strict=True):
        np.testing.assert_array_equal(one, two)
    assert other.labels.tolist() == ["a", "b", "c"]


def test_a_graph_of_the_host_is_there_at_once():
    graph = wp.Graph.from_edges([0], [1], [2.5])
    assert graph.device == "cpu"
    assert graph.resident.weights.tolist() == [2.5]
    assert np.shares_memory(graph.resident.row_offsets, graph.row_offsets)
    assert not graph.resident.row_offsets.flags.writeable


class OfATensor:
    """Like a tensor of another library."""

    def __init__(self, kind):
        self.kind = kind

    def __dlpack_device__(self):
        return self.kind, 0


def test_arrays_on_gpus_are_known():
    class WithInterface:
        __cuda_array_interface__ = {}  # noqa: RUF012

    assert arrays.is_on_gpu(WithInterface())
    assert arrays.is_on_gpu(OfATensor(2))
    assert arrays.is_on_gpu(OfATensor(13))
    for values in (OfATensor(1), np.arange(3), [1, 2], range(3), memoryview(b"ab")):
        assert not arrays.is_on_gpu(values)


def test_arrays_on_gpus_are_fetched_unless_they_may_stay(monkeypatch):
    monkeypatch.setattr(check, "is_on_gpu", lambda values: isinstance(values, OnDevice))
    monkeypatch.setattr(check, "as_cupy", lambda values: values)
    monkeypatch.setattr(OnDevice, "fetched", 0)
    ids = OnDevice([3, 1])
    assert check.as_vector(ids, "x", fetch=False) is ids
    assert OnDevice.fetched == 0
    graph = wp.Graph.from_edges(ids, [0, 2])
    assert graph.device == "cpu"
    assert graph.num_vertices == 4
    assert OnDevice.fetched == 1


def test_unknown_devices():
    calls = (
        lambda device: wp.Graph.from_edges([0], [1], device=device),
        lambda device: wp.generate.rmat(3, device=device),
        lambda device: wp.generate.erdos_renyi(3, 2, device=device),
        lambda device: wp.generate.grid(3, device=device),
    )
    for call in calls:
        with pytest.raises(ValueError, match="unknown device 'tpu'; choose one of cpu, cuda"):
            call("tpu")
        if not HAS_GPU:
            with pytest.raises(wp.DeviceUnavailableError, match=r"device='cuda': .*install"):
                call("cuda")
