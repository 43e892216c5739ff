"""The public face of `warpath.graph.components`, whose tests say more."""

import numpy as np
import pytest

import warpath as wp
from warpath import devices


def test_labels_and_count():
    labels, count = wp.connected_components(wp.Graph.from_edges([5, 1], [2, 1], n=6))
    assert labels.tolist() == [0, 1, 2, 3, 4, 2]
    assert labels.dtype == np.int32
    assert count == 5


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
