"""The public face of `warpath.graph.components`, whose tests say more."""

import numpy as np
import pytest

import warpath as wp
from warpath import devices
from warpath.algorithms.traversal import components
from warpath.graph.components import connected_components as joined


def test_labels_and_count():
    labels, count = wp.connected_components(wp.Graph.from_edges([5, 1], [2, 1], n=6))
    assert labels.tolist() == [0, 1, 2, 3, 4, 2]
    assert labels.dtype == np.int32
    assert count == 5


@pytest.mark.parametrize("levels", [1, 16])
def test_a_search_finds_the_giant_component(levels, monkeypatch):
    """All of it, or what is near the hub; a path that hangs on it is joined in any case."""
    monkeypatch.setitem(components._MIN_ARCS, ("cpu", True), 0)
    monkeypatch.setattr(components, "_LEVELS", levels)
    tails, heads, _ = wp.generate.rmat(12, 16, seed=3).coo()
    path = np.arange(2**12, 2**12 + 50)
    graph = wp.Graph.from_edges(
        [*tails, *path[:-1], 7, *(path[1:] + 50)], [*heads, *path[1:], path[0], *(path[1:] + 51)], directed=False
    )  # fmt: skip
    assert components.vertex_with_many_edges(graph, "cpu") is not None
    labels, count = wp.connected_components(graph, device="cpu")
    wanted, number = joined(graph)
    assert labels.tolist() == wanted.tolist()
    assert count == number


def test_no_search_where_it_would_be_long(monkeypatch):
    monkeypatch.setitem(components._MIN_ARCS, ("cpu", True), 0)
    for graph in (
        wp.generate.grid(400),  # many levels
        wp.generate.rmat(14, 16, directed=True),  # the weak components
        wp.generate.erdos_renyi(2**14, 2**18),  # no hubs
    ):
        assert components.vertex_with_many_edges(graph, "cpu") is None


def test_bad_input():
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.connected_components(np.eye(2))


def test_devices():
    graph = wp.Graph.from_edges([5, 1], [2, 1], n=6)
    assert wp.connected_components(graph, device="cpu")[1] == 5
    with pytest.raises(ValueError, match="unknown device 'tpu'"):
        wp.connected_components(graph, device="tpu")
    with pytest.raises(ValueError, match="balance='virtual-warp' is for device='cuda'"):
        wp.connected_components(graph, device="cpu", schedule="virtual-warp")
    with pytest.raises(ValueError, match="launches child grids"):
        wp.connected_components(graph, schedule="dynamic-virtual-warp:dynamic_parallelism=4096")
    if devices.missing() is not None:
        with pytest.raises(wp.DeviceUnavailableError, match="device='cuda'"):
            wp.connected_components(graph, device="cuda")
