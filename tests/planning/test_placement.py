"""Where calls run: one rule, and one way from a GPU that is full to the CPU."""

from types import SimpleNamespace

import pytest

import warpath as wp
from warpath import devices
from warpath.planning import placement
from warpath.planning.placement import (
    Placement,
    choose_place,
    choose_place_from_both_ends,
    choose_place_of_all_pairs,
    run_on,
)
from warpath.schedule import Schedule

SMALL = wp.generate.grid(4)


@pytest.fixture
def a_gpu(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: None)


def full(place):
    if place.device == "cuda":
        raise MemoryError("no room")
    return place


CPU, GPU = Placement("cpu", ""), Placement("cuda", "")


def ran(place):
    return place.device


def test_a_device_that_is_named_is_taken():
    for place in (CPU, GPU):
        assert run_on(place.device, place, ran) == place.device
        assert choose_place(SMALL, place.device) == Placement(place.device, "as asked")
    with pytest.raises(MemoryError, match="no room"):
        run_on("cuda", GPU, full)


def test_auto_is_a_gpu_until_its_memory_is_full():
    assert run_on("auto", CPU, ran) == "cpu"
    assert run_on("auto", GPU, ran) == "cuda"
    assert run_on("auto", GPU, full) == Placement("cpu", "the GPU's memory does not suffice")
    with pytest.raises(MemoryError, match="no room"):
        run_on("auto", GPU, full, cpu_is_able=False)


def test_graphs_that_are_large_or_there_go_to_a_gpu(a_gpu, monkeypatch):
    there = SimpleNamespace(device="cuda", num_arcs=3, num_vertices=3)
    assert choose_place(SMALL, "auto") == Placement("cpu", "fewer than 4,194,304 arcs")
    assert choose_place(there, "auto") == Placement("cuda", "the graph is there")
    assert placement.resident_on_gpu(there)
    monkeypatch.setattr(placement, "_MANY_ARCS", SMALL.num_arcs)
    assert choose_place(SMALL, "auto") == Placement("cuda", "the graph is large")
    assert not placement.resident_on_gpu(SMALL)
    monkeypatch.setattr(devices, "missing", lambda: "no GPU")
    assert choose_place(SMALL, "auto") == choose_place(there, "auto") == Placement("cpu", "no GPU")


def test_all_pairs_go_there_sooner(a_gpu, monkeypatch):
    assert choose_place_of_all_pairs(SMALL, "auto").device == "cpu"
    monkeypatch.setattr(placement, "_MANY_MATRIX_VERTICES", 16)
    assert choose_place_of_all_pairs(SMALL, "auto") == Placement("cuda", "the matrix is large")
    assert choose_place_of_all_pairs(SMALL, "cpu") == Placement("cpu", "as asked")


def test_from_both_ends_only_what_is_sparse_goes_there(a_gpu, monkeypatch):
    monkeypatch.setattr(placement, "_MANY_ARCS", 1)
    dense = wp.generate.erdos_renyi(64, 1024, seed=1)
    assert choose_place_from_both_ends(SMALL, "auto", "").device == "cuda"
    assert choose_place_from_both_ends(dense, "auto", "").device == "cpu"
    assert choose_place_from_both_ends(dense, "auto", "loop='host'").device == "cuda"
    assert choose_place_from_both_ends(dense, "cuda", "").device == "cuda"


def test_what_only_gpus_have(monkeypatch):
    how = Schedule("merge-path", loop="host", direction="top-down")
    assert placement.only_on_gpus("auto", how) == "balance='merge-path', loop='host'"
    assert placement.only_on_gpus("cpu", Schedule(direction="top-down")) == ""
    with pytest.raises(ValueError, match=r"^balance='merge-path' is for device='cuda', not 'cpu'$"):
        placement.only_on_gpus("cpu", how)
    monkeypatch.setattr(devices, "missing", lambda: "no GPU")
    with pytest.raises(wp.DeviceUnavailableError, match=r"^only a GPU has loop='host': no GPU$"):
        choose_place(SMALL, "auto", "loop='host'")
