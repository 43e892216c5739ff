"""Certificates that are checked where the answer lies: on a GPU, which is the emulator's."""

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from warpath import verify
from warpath.errors import VerificationError
from warpath.verify import claim as claims


@pytest.fixture(scope="module")
def device(emulator):
    with EmulatedRuntime(emulator) as runtime, emulated_device(runtime):
        yield runtime


@pytest.fixture
def xp(device, monkeypatch):
    """The module of arrays there, which certificates tell from NumPy."""
    module = device.xp
    monkeypatch.setattr(
        claims, "module_of", lambda a: module if isinstance(a, module.ndarray) else np
    )
    return module


def on_gpu(graph, xp):
    """The same graph, whose arrays lie there."""
    arrays = (None if one is None else xp.asarray(one) for one in graph.resident)
    return wp.Graph._from_parts(*arrays, graph.directed)


@pytest.mark.parametrize("at_once", [7, 2**25])
@pytest.mark.parametrize("weights", [None, (1, 9), (0.0, 1.0)])
def test_right_and_wrong_answers(xp, monkeypatch, weights, at_once):
    monkeypatch.setattr(claims, "ARCS_AT_ONCE_ON_GPU", at_once)
    graph = wp.generate.rmat(6, 3, directed=True, weights=weights, seed=4)
    check = verify.bfs if weights is None else verify.sssp
    right = (wp.bfs if weights is None else wp.sssp)(graph, 3, device="cpu")
    copy = on_gpu(graph, xp)
    check(copy, 3, xp.asarray(right.distance), xp.asarray(right.predecessor))
    check(copy, 3, xp.asarray(right.distance), None)
    check(copy, 3, right.distance, right.predecessor)
    far = int(right.distance[right.reached].argmax())
    for change in (1, -1):
        distance = right.distance.copy()
        distance[np.flatnonzero(right.reached)[far]] += change
        said = []
        for where, values in ((graph, distance), (copy, xp.asarray(distance))):
            with pytest.raises(VerificationError) as error:
                check(where, 3, values, None)
            said.append((error.value.broken, str(error.value)))
        assert said[0] == said[1]


def test_a_circle_that_no_path_leads_to(xp):
    graph = wp.Graph.from_edges([1, 2], [2, 1], [0, 0], n=3)
    for predecessor in (None, xp.asarray(np.array([-1, 2, 1], np.int32))):
        with pytest.raises(VerificationError, match=r"round a cycle|leads to 1") as error:
            verify.sssp(on_gpu(graph, xp), 0, xp.asarray(np.array([0, 3, 3])), predecessor)
        assert error.value.broken == "rooted"
