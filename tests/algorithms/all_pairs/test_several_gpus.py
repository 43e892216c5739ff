"""Which GPUs share a matrix, where there are none to ask."""

from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.algorithms.all_pairs import several_gpus
from warpath.operators import lookup
from warpath.planning.all_pairs import ApspRun


def plan_of(n=100, method="blocked-floyd-warshall", gpus=None):
    graph = wp.Graph.from_edges([0], [1], [1], n=n)
    kind = np.dtype(np.int32)
    return ApspRun(
        graph, lookup("shortest"), method, "", "cuda", kind, kind, False, False, False, gpus
    )


@pytest.fixture
def four_gpus(monkeypatch):
    """Of which number 2 is the current one, with room for what is asked of them up to a limit."""
    room = SimpleNamespace(most=10**12)

    def check_room(plan, gpus):
        if plan.graph.num_vertices**2 // len(gpus) > room.most:
            raise MemoryError("too little")

    gpus = [SimpleNamespace(number=number) for number in range(4)]
    monkeypatch.setattr("warpath.devices.devices", lambda: gpus)
    monkeypatch.setattr("warpath.devices.require", lambda: gpus[2])
    monkeypatch.setattr(several_gpus, "check_room", check_room)
    return room


@pytest.mark.parametrize(
    ("asked", "gpus"),
    [(1, ()), (2, (2, 0)), (4, (2, 0, 1, 3)), ([2], ()), ([0], (0,)), ((3, 1), (3, 1))],
)
def test_what_is_asked_for_is_taken(four_gpus, asked, gpus):
    assert several_gpus.chosen(plan_of(gpus=asked)) == gpus


@pytest.mark.parametrize("asked", [0, 5, -1, [], [0, 0], [4], (1, 7)])
def test_what_is_not_there_is_refused(four_gpus, asked):
    with pytest.raises(ValueError, match="devices="):
        several_gpus.chosen(plan_of(gpus=asked))


def test_large_ones_take_all_that_have_room(four_gpus):
    assert several_gpus.chosen(plan_of(1000)) == ()
    assert several_gpus.chosen(plan_of(50_000)) == (2, 0, 1, 3)
    assert several_gpus.chosen(plan_of(50_000, "sssp")) == ()
    four_gpus.most = 10**6
    assert several_gpus.chosen(plan_of(50_000)) == ()
    with pytest.raises(MemoryError):
        several_gpus.chosen(plan_of(50_000, gpus=4))


def test_other_methods_name_the_one_that_is_spread(four_gpus):
    with pytest.raises(ValueError, match="'sssp' runs on the current GPU; 'blocked"):
        several_gpus.chosen(plan_of(method="sssp", gpus=2))
    assert several_gpus.chosen(plan_of(method="sssp", gpus=1)) == ()


def test_the_cpu_has_none():
    graph = wp.Graph.from_edges([0], [1], [1])
    with pytest.raises(ValueError, match="devices=2 are GPUs"):
        wp.apsp(graph, device="cpu", devices=2)
