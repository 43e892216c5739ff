"""Origin-destination matrices on a device, against the CPU's to the bit."""

import numpy as np
import pytest

import warpath as wp
from algebras import WITH_DTYPES, probabilities
from oracles import DTYPES, shape, signed, weighted
from warpath import devices

pytestmark = pytest.mark.gpu
NAMES = ["karate", "grid", "power law, directed"]


def check(graph, k, t, **options):
    n = graph.num_vertices
    rng = np.random.default_rng(k)
    sources, targets = rng.integers(0, n, k), None if t is None else rng.integers(0, n, t)
    there = wp.distance_matrix(graph, sources, targets, device="cuda", **options)
    asked = {key: value for key, value in options.items() if key != "out"}
    here = wp.distance_matrix(graph, sources, targets, device="cpu", **asked)
    assert there.to_numpy().distance.tobytes() == here.distance.tobytes()
    assert there.stats.device == devices.devices()[0].model
    return there


@pytest.mark.parametrize("dtype", [None, *DTYPES])
@pytest.mark.parametrize("name", NAMES)
def test_shapes(name, dtype):
    import cupy

    graph = shape(name) if dtype is None else weighted(name, dtype)
    for k, t in ((20, 500), (500, 20), (9, None)):
        assert isinstance(check(graph, k, t).distance, cupy.ndarray)
    check(graph, 5, 7, cutoff=3).verify()


@pytest.mark.parametrize(("algebra", "dtype"), WITH_DTYPES)
def test_other_algebras(algebra, dtype):
    graph = weighted("karate", dtype)
    graph = probabilities(graph) if algebra == "most-reliable" else graph
    for k, t in ((20, 5), (5, 20)):
        check(graph, k, t, algebra=algebra).verify()


def test_reachability_and_negative_weights():
    graph = signed("power law, directed", np.int32)
    check(graph, 20, 30)
    check(graph, 20, 30, algebra="reachability").verify()


def test_where_it_goes(tmp_path):
    import cupy

    graph = weighted("grid", np.int32)
    for out in (np.empty((9, 4), np.int32), cupy.empty((9, 4), np.int32)):
        assert check(graph, 9, 4, out=out).distance is out
    found = check(graph, 9, 4, out=tmp_path / "d.npy")
    assert np.array_equal(np.load(tmp_path / "d.npy"), found.distance)


def test_a_graph_that_was_built_on_the_device():
    graph = wp.generate.rmat(12, 8, weights=(1, 9), seed=1, device="cuda")
    found = wp.distance_matrix(graph, [1, 2, 3], [4, 5])
    assert found.stats.device != "cpu"
    assert isinstance(found.distance, np.ndarray)
    found.verify()
