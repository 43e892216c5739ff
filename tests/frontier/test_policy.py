"""Frontier policies by name, and what goes with what."""

import re
from itertools import product
from types import SimpleNamespace

import pytest

from warpath.balance import TECHNIQUES, lookup
from warpath.cuda.compile import KERNELS
from warpath.frontier import DEFAULT, DUPLICATES, FRONTIERS, Policy, allowed

DIRECTIONS = ("optimizing", "top-down", "bottom-up")
TWO_PHASE = lookup("two-phase-search")


def test_every_kernel_is_there():
    text = "\n".join(path.read_text() for path in KERNELS.rglob("*.cuh"))
    structs = set(re.findall(r"\bstruct (\w+)", text))
    for frontier, one in FRONTIERS.items():
        for duplicates, way in product(one.duplicates, one.directions):
            algorithm = Policy(frontier, duplicates, "summed", True).algorithm(way)
            for name in re.findall(r"\w+", algorithm):
                assert name in structs


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
        *(
            (one, way, "top-down")
            for one in ("contract-expand", "hybrid")
            for way in DUPLICATES
            if way != "lookup-compaction"
        ),
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


def test_child_grids_add_to_a_queue_of_vertices():
    parent = SimpleNamespace(lists=False, launches_children=True, needs_grid=True)
    assert allowed(DEFAULT, "optimizing", parent) is None
    for policy in (
        Policy(duplicates="hash", enqueue="blockwise", single_block=True),
        Policy(duplicates="atomic", enqueue="scattered"),
    ):
        assert allowed(policy, "top-down", parent) is None
    for policy in (
        Policy(duplicates="lookup-compaction"),
        Policy("edge-queue", "hash"),
        Policy("bitmap", "none"),
        Policy("topology-driven", "none"),
    ):
        why = allowed(policy, "top-down", parent)
        assert f"not frontier={policy.frontier!r} with duplicates={policy.duplicates!r}" in why


def test_how_a_queue_is_written_is_for_vertex_queues():
    for options in ({"enqueue": "summed"}, {"single_block": True}):
        assert allowed(Policy(duplicates="hash", **options), "top-down", TWO_PHASE) is None
        why = allowed(Policy("edge-queue", "hash", **options), "top-down", TWO_PHASE)
        assert ("enqueue" if "enqueue" in options else "small_frontiers='block'") in why
        assert "is for frontier='vertex-queue', not 'edge-queue'" in why


def test_a_blocks_queue_takes_any_vertices():
    for enqueue, duplicates in product(("blockwise", "warpwise"), DUPLICATES):
        assert (
            allowed(Policy(duplicates=duplicates, enqueue=enqueue), "top-down", TWO_PHASE) is None
        )


def test_a_policy_is_printed():
    assert str(Policy(duplicates="hash")) == "vertex-queue, hash"
    assert str(Policy("bitmap", "none")) == "bitmap"
