"""The papers' systems, put together from parts."""

import re

import pytest

from warpath.frontier import DEFAULT, Policy
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import PRESETS, parse, presets


def schedule(text):
    return complete_bfs(parse(text))


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_goes_together(name):
    preset = PRESETS[name]
    own, found = preset.schedule.given, schedule(name).given
    assert {"balance", "frontier", "duplicates", "direction", "loop"} <= own.keys()
    assert own.items() <= found.items()
    assert preset.paper
    assert preset.work


def test_what_follows_replaces_what_a_preset_says():
    found = schedule("harish,virtual-warp:width=4,loop=device")
    assert found.balance == "virtual-warp:width=4"
    assert found.loop == "device"
    assert found.policy.sweeps
    assert schedule("load-balanced-bfs").policy == DEFAULT
    assert schedule("load-balanced-bfs,direction=optimizing").direction == "optimizing"


def test_switches_of_bfs_4k():
    whole = schedule("bfs-4k")
    assert whole.policy == Policy("vertex-queue", "hash", "coalesced", True)
    for switches, policy, balance in (
        (
            "hash-duplicates=off",
            Policy(duplicates="none", single_block=True),
            "dynamic-virtual-warp",
        ),
        ("single-block=off", Policy(duplicates="hash"), "dynamic-virtual-warp"),
        (
            "edge-discover=on",
            Policy("vertex-queue", "hash", single_block=True),
            "dynamic-virtual-warp:edge_discover=1",
        ),
        (
            "coalesced-access=off,dynamic-virtual-warps=off",
            Policy("vertex-queue", "hash", "summed", True),
            "virtual-warp:width=32",
        ),
        (
            "prefix-sum=off,coalesced-access=off",
            Policy("vertex-queue", "hash", "scattered", True),
            "dynamic-virtual-warp",
        ),
        (
            "dynamic-parallelism=on",
            DEFAULT,
            "dynamic-virtual-warp:dynamic_parallelism=4096",
        ),
        ("single-block=on,hash-duplicates=on", whole.policy, "dynamic-virtual-warp"),
    ):
        found = schedule(f"bfs-4k:{switches}")
        assert (found.policy, found.balance) == (policy, balance)


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("bfs-4k:hash=off", "bfs-4k has no switch 'hash'; its switches: coalesced-access"),
        ("bfs-4k:single-block=no", "single-block must be on or off, not 'no'"),
        ("harish:mask=on", "harish has no switch 'mask'; its switches: none"),
    ],
)
def test_bad_switches(preset, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        presets.lookup(preset)
