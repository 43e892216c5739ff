"""Johnson's algorithm: what is done with arrays of either device; answers are in test_apsp.py."""

import numpy as np
import pytest

import warpath as wp
from oracles import signed, small_multigraph
from warpath.algorithms.all_pairs import johnson
from warpath.algorithms.all_pairs.johnson import Johnson
from warpath.cuda.device_graph import DeviceGraph

INT64 = np.dtype(np.int64)


GRAPHS = {
    "directed cycle": signed("directed cycle", np.int32),
    "multigraph": wp.generate.negative_weights(small_multigraph(3, np.int32), seed=1),
}


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_new_weights_are_not_negative_and_change_all_paths_alike(graph):
    found = Johnson.of(graph, INT64, "cpu")
    assert found.reweighted.weight_range[0] >= 0
    assert found.reweighted.weights.dtype == INT64
    source, target, weight = graph.coo()
    change = found.potential[source] - found.potential[target]
    assert np.array_equal(found.reweighted.weights, weight + change)


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_on_a_gpu_arrays_are_the_device_s(graph, monkeypatch):
    """With the CPU for the searches: new weights are made of the device's offsets, columns and sources."""
    asked = []

    def on_cpu(graph, sources, *, device, method="auto", **options):
        asked.append((device, method))
        method = {"workfront-sweep": "bellman-ford"}.get(method, method)
        return wp.sssp(graph, sources, device="cpu", method=method, **options)

    offsets, columns = graph.row_offsets.astype(np.uint32), graph.column_indices
    there = DeviceGraph(offsets, columns, True, graph.weights)
    there.__dict__.update(weights=graph.weights, sources=graph.coo()[0])
    monkeypatch.setattr("warpath.cuda.device_graph.on_device", lambda graph: there)
    monkeypatch.setattr(johnson, "sssp", on_cpu)
    found, here = (Johnson.of(graph, INT64, device) for device in ("cuda", "cpu"))
    assert np.array_equal(found.reweighted.weights, here.reweighted.weights)
    assert found.reweighted.row_offsets.dtype == np.int32
    sources = np.array([0, 2, 1], np.int32)
    distance, predecessor, _ = found.rows(sources)
    assert asked == [("cuda", "workfront-sweep"), ("cpu", "bellman-ford"), ("cuda", "auto")]
    expected = wp.sssp(graph, sources, dtype=INT64)
    assert np.array_equal(distance, expected.distance)
    for source, *row in zip(sources, distance, predecessor, strict=True):
        wp.verify.sssp(graph, source, *row)


def test_a_distance_that_does_not_fit_is_named():
    """New weights that fit say a distance beyond the dtype, for the source's potential is taken off it."""
    most = 2**63 - 1
    graph = wp.Graph.from_edges([0, 0, 1], [0, 1, 0], [most, most, -1])
    made = Johnson.of(graph, INT64, "cpu")
    with pytest.raises(
        OverflowError, match="from 0 to 1 exceeds int64; scale the weights down"
    ) as raised:
        made.rows(np.array([1, 0], np.int32))
    named = wp.Graph.from_csr(*graph.resident, labels=["a", "b"])
    assert raised.value.args[0].called(named).startswith("the distance from a to b exceeds")
