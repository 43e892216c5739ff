"""Frontier policies by name, and what goes with what."""

import re
from itertools import product
from types import SimpleNamespace

import pytest

import warpath as wp
from warpath.balance import TECHNIQUES, lookup
from warpath.cuda.compile import KERNELS
from warpath.frontier import DEFAULT, DUPLICATES, FRONTIERS, Policy, allowed, choose

DIRECTIONS = ("optimizing", "top-down", "bottom-up")
GRAPH = wp.Graph.from_edges([0, 1], [1, 2])
TWO_PHASE = lookup("two-phase-search")


def test_every_kernel_is_there():
    text = "\n".join(path.read_text() for path in KERNELS.rglob("*.cuh"))
    for frontier, one in FRONTIERS.items():
        for duplicates, way in product(one.duplicates, one.directions):
            algorithm = Policy(frontier, duplicates, "summed", True).algorithm(way)
            for name in re.findall(r"\w+", algorithm):
                assert re.search(rf"\bstruct {name}\b", text), name


def test_what_goes_together():
    fine = {
        (frontier, duplicates, way)
        for frontier, duplicates, way in product(FRONTIERS, DUPLICATES, DIRECTIONS)
        if allowed(Policy(frontier, duplicates), way, TWO_PHASE) is None
    }
    queues = {
        (one, way, "top-down") for one in ("vertex-queue", "edge-queue") for way in DUPLICATES
    }
    assert fine == {
        *queues,
        ("vertex-queue", "status-bitmap", "optimizing"),
        ("vertex-queue", "status-bitmap", "bottom-up"),
        ("bitmap", "none", "top-down"),
        ("topology-driven", "none", "top-down"),
        ("topology-driven", "none", "bottom-up"),
    }


@pytest.mark.parametrize("name", TECHNIQUES)
def test_lists_take_a_vertex_once(name):
    technique = TECHNIQUES[name]()
    for duplicates, one in DUPLICATES.items():
        why = allowed(Policy(duplicates=duplicates), "top-down", technique)
        assert (why is None) == (one.exact or not technique.lists)
        if why is not None:
            assert name in why
            assert duplicates in why


def test_child_grids_are_for_the_default():
    parent = SimpleNamespace(lists=False, launches_children=True)
    assert allowed(DEFAULT, "optimizing", parent) is None
    for policy, way in (
        (Policy(duplicates="hash"), "top-down"),
        (Policy("bitmap", "none"), "top-down"),
    ):
        assert "launches child grids" in allowed(policy, way, parent)


def test_defaults():
    assert choose(None, None) == DEFAULT == Policy("vertex-queue", "status-bitmap")
    assert choose("edge-queue", None).duplicates == "status-bitmap"
    assert choose("bitmap", None).duplicates == "none"
    assert choose(None, "hash").frontier == "vertex-queue"
    assert str(choose(None, "hash")) == "vertex-queue, hash"
    assert str(choose("bitmap", None)) == "bitmap"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"frontier": "stack"}, "unknown frontier 'stack'; choose one of vertex-queue"),
        ({"frontier": ["bitmap"]}, "unknown frontier ['bitmap']; choose one of vertex-queue"),
        ({"duplicates": 0}, "unknown duplicates 0; choose one of status-bitmap"),
        ({"preset": ["harish"]}, "unknown preset \"['harish']\"; choose one of harish"),
        ({"duplicates": "some"}, "unknown duplicates 'some'; choose one of status-bitmap"),
        ({"preset": "gunrock"}, "unknown preset 'gunrock'; choose one of harish"),
        ({"frontier": "bitmap", "duplicates": "hash"}, "'bitmap' has no queue that duplicates='hash'"),
        ({"frontier": "edge-queue", "direction": "bottom-up"}, "is searched top-down"),
        ({"duplicates": "hash", "direction": "optimizing"}, "is searched top-down"),
        ({"duplicates": "none", "balance": "edge-parallel"}, "'edge-parallel' lists each vertex once"),
        ({"frontier": "bitmap", "device": "cpu"}, "frontier='bitmap' is for device='cuda'"),
        ({"duplicates": "hash", "device": "cpu"}, "duplicates='hash' is for device='cuda'"),
        ({"preset": "harish", "device": "cpu"}, "preset='harish' is for device='cuda'"),
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused_by_name(options, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        wp.bfs(GRAPH, 0, **options)
