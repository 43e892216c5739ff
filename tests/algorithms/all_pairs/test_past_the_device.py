"""Matrices of the host that go past a device: all but the device, whose part NumPy plays."""

import numpy as np
import pytest

import warpath as wp
from algebras import EACH_KIND, probabilities
from oracles import small_multigraph
from warpath import devices
from warpath.cuda import apsp, out_of_core
from warpath.operators import lookup

METHOD = "blocked-floyd-warshall"


def close(distance, predecessor, algebra, *, progress, lazy, host, squares):
    """The definition, on a matrix as `floyd_warshall_out_of_core` takes it.

    With ``host`` that does the rows of the upper half.
    """
    dtype = apsp.check(distance, predecessor, algebra)
    measure, none = lookup(algebra), lookup(algebra).none(dtype)
    n = len(distance)
    first = 0 if host is None else n // 2
    for k in range(n):
        D, P = distance[first:], None if predecessor is None else predecessor[first:]
        there = (D[:, k, None] != none) & (distance[k] != none)
        through = measure.extend(D[:, k, None], distance[k])
        better = there & measure.better(through, D)
        D[better] = through[better]
        if P is not None:
            P[better] = np.broadcast_to(predecessor[k], P.shape)[better]
        if host is not None:
            relax_on_host(host, distance, predecessor, first, k, measure.adds)
        progress(k + 1, n)
    return first / n if n else 0


def relax_on_host(host, distance, predecessor, rows, k, sums):
    """The first rows through k, in the kernels' numbers, that are not negative."""
    if sums and distance.dtype.kind == "i":
        distance = distance.view(f"u{distance.itemsize}")
    tree = (None, None) if predecessor is None else (predecessor[:rows], predecessor[k : k + 1])
    mine = distance[:rows]
    host(mine, tree[0], mine[:, k : k + 1], distance[k : k + 1], tree[1])


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """A device of 100 bytes."""
    here = devices.CudaDevice(0, "NumPy", (9, 0), 1, 100)
    monkeypatch.setattr(devices, "require", lambda: here)
    monkeypatch.setattr(out_of_core, "free_bytes", lambda: 100)
    monkeypatch.setattr(out_of_core, "floyd_warshall_out_of_core", close)


@pytest.mark.slow  # a product for the CPU is compiled for each
@pytest.mark.parametrize(
    ("algebra", "dtype", "engine", "file"),
    [
        *((*one, "cuda", k % 2 == 0) for k, one in enumerate(EACH_KIND)),
        ("shortest", np.int32, "hybrid", True),
        ("widest", np.int32, "hybrid", False),
        ("minimax", np.float64, "hybrid", True),
        ("most-reliable", np.float64, "hybrid", False),
    ],
)
def test_every_algebra(algebra, dtype, engine, file, tmp_path):
    graph = small_multigraph(3, dtype)
    if algebra == "most-reliable":
        graph = probabilities(graph)
    out = tmp_path / "d.npy" if file else None
    calls = []
    found = wp.apsp(
        graph, algebra=algebra, method=METHOD, predecessors=True, device=engine, out=out,
        progress=lambda *call: calls.append(call),
    )  # fmt: skip
    found.verify()
    expected = wp.apsp(graph, algebra=algebra, method="sssp", device="cpu").distance
    assert np.allclose(found.distance, expected, rtol=1e-5)
    assert calls[-1] == (graph.num_vertices, graph.num_vertices)
    said = "larger than the GPU's memory" if engine == "cuda" else "of the CPU made 50.0% of"
    assert said in found.stats.why
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
    monkeypatch.setattr("warpath.planning.memory.free", lambda: 10)
    monkeypatch.setattr("warpath.planning.memory.SMALL", 0)
    with pytest.raises(MemoryError, match=r"out='d\.npy'"):
        wp.apsp(small_multigraph(3, np.int32), method=METHOD, device="cuda")


def test_other_dense_methods_name_the_one_that_can():
    for method in ("floyd-warshall", "r-kleene"):
        with pytest.raises(MemoryError, match=f"100 bytes of the GPU.*{METHOD}"):
            wp.apsp(small_multigraph(3, np.int32), method=method, device="cuda")


def test_repeated_squaring_goes_past_the_device(monkeypatch):
    asked = []
    monkeypatch.setattr(
        out_of_core, "floyd_warshall_out_of_core",
        lambda *matrix, **options: asked.append(options["squares"]) or close(*matrix, **options),
    )  # fmt: skip
    graph = small_multigraph(3, np.int32)
    found = wp.apsp(graph, method="repeated-squaring", predecessors=True, device="cuda")
    found.verify()
    assert "larger than the GPU's memory" in found.stats.why
    wp.apsp(graph, method=METHOD, device="cuda")
    assert asked == [True, False]


def test_a_hybrid_run_is_of_one_method_and_one_gpu():
    graph = small_multigraph(3, np.int32)
    with pytest.raises(ValueError, match=f"'sssp' runs on one device.*{METHOD}"):
        wp.apsp(graph, method="sssp", device="hybrid")
    with pytest.raises(ValueError, match="devices=2 are GPUs, which device='hybrid'"):
        wp.apsp(graph, device="hybrid", devices=2)
    with pytest.raises(ValueError, match="exact=True"):
        wp.apsp(small_multigraph(3, np.float64), device="hybrid", exact=True)
    assert wp.apsp(graph, device="hybrid", predecessors=True).stats.method == METHOD
    empty = wp.apsp(wp.Graph.from_edges([], [], np.array([], np.int32), n=0), device="hybrid")
    assert empty.distance.shape == (0, 0)
