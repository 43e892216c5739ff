"""Where a measure runs, with a stand-in for the GPU."""

from types import SimpleNamespace

import numpy as np
import pytest

import fake_gpu
import warpath as wp
from warpath.algorithms.common.device_measure import device_measure

GRAPH = wp.generate.grid(30, weights=(1, 9), seed=1)


class OnDevice:
    """An array as CuPy's."""

    __cuda_array_interface__ = None

    def get(self):
        return np.arange(3)


@pytest.fixture
def gpu(monkeypatch):
    cupy = SimpleNamespace()
    fake_gpu.there_is_one(monkeypatch, cupy, {})
    monkeypatch.setattr("warpath.planning.placement._MANY_ARCS", 1000)
    return cupy


def measure(device="auto", schedule=None, **more):
    return device_measure(
        GRAPH, "pagerank", "a method", "a reason", np.dtype(np.float64), device=device,
        schedule=schedule, answer_per_vertex=8, per_vertex=10, **more,
    )  # fmt: skip


def test_arrays_are_fetched_unless_a_gpu_was_named(gpu):
    def compute(xp):
        assert xp is gpu
        return OnDevice(), 7

    found, number = measure().run(compute)
    assert (found.tolist(), number) == ([0, 1, 2], 7)
    assert isinstance(measure("cuda").run(compute)[0], OnDevice)
    assert measure("cpu").run(lambda xp: xp is np)


def test_the_cpu_takes_over_where_it_may(gpu):
    def compute(xp):
        if xp is gpu:
            raise MemoryError("no room")
        return "on the CPU"

    assert measure().run(compute) == "on the CPU"
    for asked in (measure("cuda"), measure(schedule="virtual-warp")):
        with pytest.raises(MemoryError, match=r"pagerank of 900 vertices and 3,480 edges: no room"):
            asked.run(compute)


def test_plans(gpu):
    asked = measure(per_arc=2, answer_per_arc=1)
    plan = asked.plan(asked.place)
    assert (plan.device, plan.schedule.balance) == ("cuda", "two-phase-search")
    assert plan.memory["answer"] == 8 * 900 + 3480
    assert plan.memory["workspace"] == 10 * 900 + 2 * 3480
    here = measure("cpu"), measure("cpu", reads_weights=False)
    with_weights, without = (one.plan(one.place).memory["graph"] for one in here)
    assert with_weights - without == GRAPH.weights.nbytes


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="launches child grids, which pagerank has not"):
        measure("cuda", schedule="dynamic-virtual-warp:dynamic_parallelism=1024")
    with pytest.raises(ValueError, match="unknown device"):
        measure("tpu")
