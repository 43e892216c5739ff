"""The papers' systems, put together from parts."""

import re

import pytest

from warpath.algorithms.gpu import check_schedule
from warpath.frontier import DEFAULT, PRESETS, Policy, presets


def schedule(preset, **given):
    options = dict.fromkeys(("direction", "balance", "loop", "frontier", "duplicates"))
    return check_schedule("cuda", preset=preset, **(options | given))


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_goes_together(name):
    preset = PRESETS[name]
    found = schedule(name)
    assert str(found.balance).split(":")[0] == preset.balance.split(":")[0]
    assert (found.direction, found.loop) == (preset.direction, preset.loop)
    assert (found.policy.frontier, found.policy.duplicates) == (preset.frontier, preset.duplicates)
    assert preset.paper
    assert preset.work
    assert found.only_on_gpus == f"preset={name!r}"


def test_what_a_call_gives_comes_first():
    found = schedule("harish", balance="virtual-warp:width=4", loop="device")
    assert str(found.balance) == "virtual-warp:width=4"
    assert found.loop == "device"
    assert found.policy.sweeps
    found = schedule("algebraic", frontier="edge-queue")
    assert (found.direction, found.policy) == ("top-down", Policy("edge-queue"))
    found = schedule("bfs-4k", frontier="bitmap")
    assert found.policy == Policy("bitmap", "none")
    assert schedule("load-balanced-bfs").policy == DEFAULT
    assert schedule("load-balanced-bfs", direction="optimizing").direction == "optimizing"


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
        assert (found.policy, str(found.balance)) == (policy, balance)


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
