"""Matrices of the host that go past a device: all but the device, whose part NumPy plays."""

import numpy as np
import pytest

import warpath as wp
from algebras import WITH_DTYPES, probabilities
from oracles import small_multigraph
from warpath import devices
from warpath.operators import lookup

pytest.importorskip("cupy")
from warpath.cuda import apsp, out_of_core

METHOD = "blocked-floyd-warshall"


def close(distance, predecessor, algebra, *, progress, lazy):
    """The definition, on a matrix as `floyd_warshall_out_of_core` takes it."""
    dtype = apsp.check(distance, predecessor, algebra)
    measure, none = lookup(algebra), apsp.no_path(dtype, algebra)
    n = len(distance)
    for k in range(n):
        there = (distance[:, k, None] != none) & (distance[k] != none)
        through = measure.extend(distance[:, k, None], distance[k])
        better = there & measure.better(through, distance)
        distance[better] = through[better]
        if predecessor is not None:
            predecessor[better] = np.broadcast_to(predecessor[k], (n, n))[better]
        progress(k + 1, n)


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """A device of 100 bytes."""
    here = devices.CudaDevice(0, "NumPy", (9, 0), 1, 100)
    monkeypatch.setattr(devices, "require", lambda: here)
    monkeypatch.setattr(out_of_core, "free_bytes", lambda: 100)
    monkeypatch.setattr(out_of_core, "floyd_warshall_out_of_core", close)


@pytest.mark.parametrize("file", [False, True])
@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
def test_every_algebra(algebra, dtype, file, tmp_path):
    graph = small_multigraph(3, dtype)
    if algebra == "most-reliable":
        graph = probabilities(graph)
    out = tmp_path / "d.npy" if file else None
    calls = []
    found = wp.apsp(
        graph, algebra=algebra, method=METHOD, predecessors=True, device="cuda", out=out,
        progress=lambda *call: calls.append(call),
    )  # fmt: skip
    found.verify()
    expected = wp.apsp(graph, algebra=algebra, method="sssp", device="cpu").distance
    assert np.allclose(found.distance, expected, rtol=1e-5)
    assert calls[-1] == (graph.num_vertices, graph.num_vertices)
    assert "larger than the GPU's memory" in found.stats.why
    assert sorted(path.name for path in tmp_path.iterdir()) == (
        ["d.npy", "d.predecessor.npy"] if file else []
    )


@pytest.mark.parametrize("most", [2**28, 2**29, 2**30, 2**31 - 2])
def test_distances_as_long_as_their_dtype_allows(most):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([most, most, -most], np.int32))
    found = wp.apsp(graph, method=METHOD, predecessors=True, device="cuda")
    found.verify()
    assert found.distance.dtype == wp.apsp(graph, device="cpu").distance.dtype
    assert found.distance[0].tolist() == [0, most, 2 * most, most]


def test_negative_cycles(tmp_path):
    for arcs in (([0, 3, 4, 5], [1, 4, 5, 3], [1, 2, -9, 4]), ([0, 2], [1, 2], [1, -1])):
        graph = wp.Graph.from_edges(*arcs)
        with pytest.raises(wp.NegativeCycleError):
            wp.apsp(graph, method=METHOD, device="cuda", out=tmp_path / "d.npy")
        assert list(tmp_path.iterdir()) == []


def test_a_reliability_below_what_floats_can_say():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], np.array([1e-30, 1e-30, 0], np.float32))
    with pytest.raises(OverflowError):
        wp.apsp(graph, method=METHOD, algebra="most-reliable", device="cuda")


def test_what_does_not_fit_on_the_host_either(monkeypatch):
    monkeypatch.setattr("warpath.algorithms.memory.free", lambda: 10)
    with pytest.raises(MemoryError, match=r"out='d\.npy'"):
        wp.apsp(small_multigraph(3, np.int32), method=METHOD, device="cuda")


def test_other_dense_methods_name_the_one_that_can():
    for method in ("floyd-warshall", "r-kleene", "repeated-squaring"):
        with pytest.raises(MemoryError, match=f"100 bytes of the GPU.*{METHOD}"):
            wp.apsp(small_multigraph(3, np.int32), method=method, device="cuda")
