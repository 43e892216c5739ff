"""Where calls run: one rule, and one way from a GPU that is full to the CPU."""

from types import SimpleNamespace

import pytest

import warpath as wp
from warpath import devices
from warpath.planning import placement
from warpath.planning.placement import run_on
from warpath.schedule import Schedule

SMALL = wp.generate.grid(4)


@pytest.fixture
def a_gpu(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: None)


def full(engine):
    if engine == "cuda":
        raise MemoryError("no room")
    return engine


def test_a_device_that_is_named_is_taken():
    for device in ("cpu", "cuda"):
        for gpu in (True, False):
            assert run_on(device, str, gpu=gpu) == device
    with pytest.raises(MemoryError, match="no room"):
        run_on("cuda", full)


def test_auto_is_a_gpu_until_its_memory_is_full():
    assert run_on("auto", str) == "cpu"
    assert run_on("auto", str, gpu=True) == "cuda"
    assert run_on("auto", full, gpu=True) == "cpu"
    with pytest.raises(MemoryError, match="no room"):
        run_on("auto", full, gpu=True, cpu_is_able=False)


def test_graphs_that_are_large_or_there_go_to_a_gpu(a_gpu, monkeypatch):
    there = SimpleNamespace(device="cuda", num_arcs=3, num_vertices=3)
    assert not placement.should_use_gpu(SMALL)
    assert placement.should_use_gpu(there)
    assert placement.resident_on_gpu(there)
    monkeypatch.setattr(placement, "_MANY_ARCS", SMALL.num_arcs)
    assert placement.should_use_gpu(SMALL)
    assert not placement.resident_on_gpu(SMALL)
    monkeypatch.setattr(devices, "missing", lambda: "no GPU")
    assert not placement.should_use_gpu(SMALL)
    assert not placement.should_use_gpu(there)


def test_all_pairs_go_there_sooner(a_gpu, monkeypatch):
    assert not placement.should_use_gpu_for_all_pairs(SMALL)
    monkeypatch.setattr(placement, "_MANY_MATRIX_VERTICES", 16)
    assert placement.should_use_gpu_for_all_pairs(SMALL)


def test_from_both_ends_only_what_is_sparse_goes_there(a_gpu, monkeypatch):
    monkeypatch.setattr(placement, "_MANY_ARCS", 1)
    dense = wp.generate.erdos_renyi(64, 1024, seed=1)
    assert placement.should_use_gpu_from_both_ends(SMALL, "")
    assert not placement.should_use_gpu_from_both_ends(dense, "")
    assert placement.should_use_gpu_from_both_ends(dense, "loop='host'")


def test_what_only_gpus_have(monkeypatch):
    how = Schedule("merge-path", loop="host", direction="top-down")
    assert placement.only_on_gpus("auto", how) == "balance='merge-path', loop='host'"
    assert placement.only_on_gpus("cpu", Schedule(direction="top-down")) == ""
    with pytest.raises(ValueError, match="^balance='merge-path' is for device='cuda', not 'cpu'$"):
        placement.only_on_gpus("cpu", how)
    monkeypatch.setattr(devices, "missing", lambda: "no GPU")
    with pytest.raises(wp.DeviceUnavailableError, match="^only a GPU has loop='host': no GPU$"):
        placement.should_use_gpu(SMALL, "loop='host'")
