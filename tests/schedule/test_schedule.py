"""The value: what it takes, how it prints, what it is made of."""

import math
import re
from dataclasses import fields, replace

import pytest

import warpath as wp
from warpath.balance import TECHNIQUES, lookup
from warpath.frontier import DEFAULT, Policy
from warpath.schedule import Schedule
from warpath.schedule.schedule import ON_BOTH

CHILD_GRIDS = "dynamic-virtual-warp:dynamic_parallelism=4096"


def test_equal_schedules_are_one_key():
    named = Schedule(balance="virtual-warp:width=16", optimizations=["edge-queue"])
    made = Schedule(balance=lookup("virtual-warp:width=16"), optimizations="edge-queue")
    assert named == made
    assert len({named, made, Schedule()}) == 2
    assert named.balance == "virtual-warp:width=16"
    assert named.technique is lookup("virtual-warp:width=16")
    with pytest.raises(AttributeError):
        named.loop = "host"


def test_nothing_is_said_by_default():
    nothing = Schedule()
    assert (nothing.given, nothing.only_on_gpus, nothing.technique) == ({}, "", None)
    assert str(nothing) == "default"
    assert nothing.policy == DEFAULT


def test_policies_are_those_of_their_fields():
    assert Schedule(frontier="edge-queue").policy == Policy("edge-queue", "status-bitmap")
    assert Schedule(frontier="bitmap").policy == Policy("bitmap", "none")
    assert Schedule(duplicates="hash").policy == Policy("vertex-queue", "hash")
    one = Schedule(duplicates="hash", enqueue="summed", small_frontiers="block")
    assert one.policy == Policy("vertex-queue", "hash", "summed", True)


def test_what_only_gpus_have():
    how = Schedule("merge-path", direction="top-down", alpha=3, delta=2, loop="host")
    assert how.only_on_gpus == "balance='merge-path', loop='host'"
    assert Schedule(small_frontiers="off").only_on_gpus == "small_frontiers='off'"
    assert set(ON_BOTH) < {one.name for one in fields(Schedule)}


def test_optimizations_have_their_balance():
    assert Schedule(optimizations=()).balance == "two-phase-search"
    assert Schedule(optimizations="dynamic-parallelism").balance == CHILD_GRIDS
    own = "dynamic-virtual-warp:minimum=8"
    assert Schedule(own, optimizations="dynamic-virtual-warps").balance == own
    assert Schedule(optimizations="warp-workload").balance == "virtual-warp:warp_workload=32"
    both = Schedule(optimizations=["warp-workload", "dynamic-virtual-warps"])
    assert both.balance == "dynamic-virtual-warp:warp_workload=32"
    wide = Schedule("virtual-warp:width=32", optimizations="warp-workload")
    assert wide.balance == "virtual-warp:width=32,warp_workload=32"
    assert Schedule(wide.balance, optimizations="warp-workload") == wide
    assert Schedule(optimizations=["edge-queue"]).switches == {"edge-queue"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"balance": "warp"}, "unknown balance 'warp'; choose one of thread-mapped"),
        ({"balance": "virtual-warp:width=3"}, "virtual-warp: width must be one of auto, 2, 4, 8, 16, 32, not '3'"),
        ({"balance": 16}, "unknown balance '16'"),
        ({"frontier": "stack"}, "unknown frontier 'stack'; choose one of vertex-queue"),
        ({"frontier": ["bitmap"]}, "unknown frontier ['bitmap']; choose one of vertex-queue"),
        ({"duplicates": 0}, "unknown duplicates 0; choose one of status-bitmap"),
        ({"enqueue": "sorted"}, "unknown enqueue 'sorted'; choose one of coalesced, summed, scattered"),
        ({"small_frontiers": "on"}, "unknown small_frontiers 'on'; choose one of off, block"),
        ({"direction": "up"}, "unknown direction 'up'; choose one of top-down, bottom-up, optimizing"),
        ({"loop": "for"}, "unknown loop 'for'; choose one of device, host"),
        ({"loop": ""}, "unknown loop ''; choose one of device, host"),
        ({"alpha": 0}, "alpha must be positive, not 0"),
        ({"alpha": -1.5}, "alpha must be positive, not -1.5"),
        ({"alpha": math.nan}, "alpha must be a number, not NaN"),
        ({"alpha": "15"}, "alpha must be a number, not '15'"),
        ({"beta": 0.0}, "beta must be positive, not 0.0"),
        ({"beta": True}, "beta must be a number, not True"),
        ({"delta": "wide"}, "delta must be a number or one of davidson, not 'wide'"),
        ({"delta": -3}, "delta must be positive, not -3"),
        ({"delta": math.inf}, "delta must be positive and finite in float64, not inf"),
        ({"delta": 10**400}, "delta must be positive and finite in float64, not 1000"),
        ({"delta": math.nan}, "delta must be a number, not NaN"),
        ({"balance": CHILD_GRIDS, "loop": "device"}, "each iteration is a launch: loop='host', or leave loop out"),
        ({"balance": "merge-path", "optimizations": "warp-workload"}, "'warp-workload' is a knob of virtual warps, not of 'merge-path'"),
        ({"optimizations": "edges"}, "unknown optimization 'edges'; choose of edge-classification"),
    ],
    ids=str,
)  # fmt: skip
def test_what_makes_no_sense_is_refused(options, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        Schedule(**options)
    with pytest.raises(ValueError, match=re.escape(says)):
        replace(Schedule(), **options)


def test_knobs_are_no_fields():
    """So a text tells which is meant."""
    knobs = {knob for technique in TECHNIQUES.values() for knob in technique.choices()}
    switches = {name for preset in wp.schedule.PRESETS.values() for name in preset.switches}
    assert not (knobs | switches) & {one.name for one in fields(Schedule)}
    assert not set(TECHNIQUES) & set(wp.schedule.PRESETS)
