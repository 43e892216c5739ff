"""All pairs from parts on a device, against the CPU and the certificate."""

import numpy as np
import pytest

import warpath as wp
from algebras import probabilities
from warpath import devices

pytest.importorskip("pymetis", reason="cuts graphs: pip install 'warpath[partition]'")
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}"),
]

RANDOM = wp.generate.erdos_renyi(900, 2000, directed=True, weights=(1, 99), seed=1)
GRAPHS = {
    "grid": wp.generate.grid(40, weights=(1, 9)),
    "directed": RANDOM,
    "zeros": wp.generate.erdos_renyi(900, 2000, weights=(0, 1), seed=3),
    "negative": wp.generate.negative_weights(RANDOM, seed=4),
    "no arcs": wp.Graph.from_edges([], [], np.array([], np.int32), n=70),
}


def run(graph, **options):
    return wp.apsp(graph, method="partitioned", device="cuda", **options)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("parts", [1, 5, 20])
@pytest.mark.parametrize("name", GRAPHS)
def test_the_distances_of_the_cpu(name, parts, dtype, into):
    into(parts)
    graph = GRAPHS[name].with_weights(GRAPHS[name].weights.astype(dtype))
    expected = wp.apsp(graph, method="johnson", device="cpu").distance
    assert np.array_equal(run(graph).to_numpy().distance, expected)
    found = run(graph, predecessors=True).to_numpy()
    assert np.array_equal(found.distance, expected)
    found.verify()


@pytest.mark.parametrize("algebra", ["widest", "minimax", "most-reliable"])
def test_algebras(algebra, into):
    into(6)
    graph = RANDOM.with_weights(RANDOM.weights.astype(np.float64))
    if algebra == "most-reliable":
        graph = probabilities(graph)
    run(graph, algebra=algebra, predecessors=True).verify()


@pytest.mark.parametrize("out", [False, True])
def test_what_does_not_fit_is_made_by_rows(out, into, monkeypatch, tmp_path):
    into(12)
    graph = wp.generate.grid(45, weights=(1, 9))
    expected = wp.apsp(graph, method="sssp", device="cpu").distance
    monkeypatch.setattr("warpath.planning.partition._ROWS_BYTES", 2**20)
    monkeypatch.setattr("warpath.algorithms.all_pairs.gpu_apsp._device_bytes", lambda *_: 10**15)
    target = tmp_path / "d.npy" if out else None
    found = run(graph, predecessors=True, out=target)
    assert isinstance(found.distance, np.ndarray)
    assert np.array_equal(found.distance, expected)
    found.verify()


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
@pytest.mark.parametrize("cycle", [[3, 4, 5], [3, 150], [7]])
@pytest.mark.parametrize("parts", [1, 5, 40])
def test_a_negative_cycle(parts, cycle, dtype, into):
    into(parts)
    weights = np.array([1, *[2] * (len(cycle) - 1), -9], dtype)
    graph = wp.Graph.from_edges([0, *cycle], [1, *cycle[1:], cycle[0]], weights, n=200)
    with pytest.raises(wp.NegativeCycleError) as caught:
        run(graph)
    assert sorted(caught.value.cycle) == cycle


SEVERAL = [
    (0, 0),
    (0, 0, 0),
    pytest.param(
        (1, 0), marks=pytest.mark.skipif(len(devices.devices()) < 2, reason="two GPUs are needed")
    ),
]


@pytest.mark.parametrize("host", [False, True])
@pytest.mark.parametrize("gpus", SEVERAL)
@pytest.mark.parametrize("name", GRAPHS)
def test_several_gpus_have_parts_each(name, gpus, host, into, monkeypatch):
    """One GPU that is named twice has two streams; arrays that it copies to itself are right as well."""
    into(7)
    expected = run(GRAPHS[name], predecessors=True).to_numpy()
    monkeypatch.setattr("warpath.algorithms.all_pairs.several_gpus.chosen", lambda how: gpus)
    if host:
        monkeypatch.setattr(
            "warpath.algorithms.all_pairs.gpu_apsp._device_bytes", lambda *_: 10**15
        )
    found = run(GRAPHS[name], predecessors=True).to_numpy()
    assert np.array_equal(found.distance, expected.distance)
    assert f"parts spread over {len(gpus)} GPUs" in found.stats.why
    found.verify()
