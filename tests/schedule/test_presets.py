"""The papers' systems, put together from parts."""

import re
from dataclasses import replace
from itertools import combinations

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
    assert "here " in preset.differs.lower()


def test_what_follows_replaces_what_a_preset_says():
    found = schedule("harish,virtual-warp:width=4,loop=device")
    assert found.balance == "virtual-warp:width=4"
    assert found.loop == "device"
    assert found.policy.sweeps
    assert schedule("load-balanced-bfs").policy == DEFAULT
    assert schedule("load-balanced-bfs,direction=optimizing").direction == "optimizing"


def test_switches_of_bfs_4k():
    whole = schedule("bfs-4k")
    assert whole.policy == Policy("vertex-queue", "hash", "blockwise", True)
    for switches, policy, balance in (
        (
            "hash-duplicates=off",
            Policy("vertex-queue", "none", "blockwise", True),
            "dynamic-virtual-warp",
        ),
        (
            "single-block=off",
            Policy("vertex-queue", "hash", "blockwise"),
            "dynamic-virtual-warp",
        ),
        (
            "edge-discover=on",
            whole.policy,
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
            whole.policy,
            "dynamic-virtual-warp:dynamic_parallelism=4096",
        ),
        (
            "edge-discover=on,dynamic-parallelism=on",
            whole.policy,
            "dynamic-virtual-warp:dynamic_parallelism=4096,edge_discover=1",
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
        ("bfs-4k:single-block=on,single-block=off", "bfs-4k: single-block is given twice"),
        ("bfs-4k:prefix-sum=off,coalesced-access=on", "prefix-sum=off needs coalesced-access=off"),
        (
            "bfs-4k:dynamic-virtual-warps=off,dynamic-parallelism=on",
            "dynamic-parallelism=on needs dynamic-virtual-warps=on",
        ),
        ("harish:mask=on", "harish has no switch 'mask'; its switches: none"),
    ],
)
def test_bad_switches(preset, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        presets.lookup(preset)


SWITCHES = presets.PRESETS["bfs-4k"].switches


def turned_over(*switches):
    """The schedule of BFS-4K with these."""
    text = ",".join(f"{one}={'off' if SWITCHES[one].default else 'on'}" for one in switches)
    return presets.lookup(f"bfs-4k:{text}").schedule


EVERY_SWITCH = [(name, switch) for name, one in PRESETS.items() for switch in one.switches]


@pytest.mark.parametrize(("name", "switch"), EVERY_SWITCH)
def test_each_switch_of_each_preset_changes_the_schedule(name, switch):
    known = PRESETS[name].switches[switch]
    over, same = (
        f"{name}:{switch}={'on' if on else 'off'}" for on in (not known.default, known.default)
    )
    assert schedule(same) == schedule(name)
    changed = schedule(over).given
    assert {field: changed[field] for field in known.changes} == dict(known.changes)
    assert changed != schedule(name).given


def test_pairs_of_switches_are_all_tried_below():
    """Of a second preset with two of them, the pairs would need tests as well."""
    assert [name for name, one in PRESETS.items() if len(one.switches) > 1] == ["bfs-4k"]


@pytest.mark.parametrize("pair", list(combinations(SWITCHES, 2)))
def test_no_pair_of_switches_is_ignored(pair):
    """Two change what each changes alone, or exclude each other by name."""
    plain, one, other = (turned_over(*some) for some in ((), pair[:1], pair[1:]))
    assert plain not in (one, other)
    if set(pair) == {"coalesced-access", "prefix-sum"}:
        assert turned_over(*pair) == turned_over(
            "prefix-sum"
        )  # without sums nothing is put together
        return
    if set(pair) == {"edge-discover", "dynamic-parallelism"}:
        both = "dynamic-virtual-warp:dynamic_parallelism=4096,edge_discover=1"
        assert turned_over(*pair) == replace(turned_over("dynamic-parallelism"), balance=both)
        return
    changed = [
        {key: value for key, value in each.given.items() if plain.given.get(key) != value}
        for each in (one, other)
    ]
    if changed[0].keys() & changed[1].keys():
        with pytest.raises(ValueError, match=f"({pair[0]}.*{pair[1]}|{pair[1]}.*{pair[0]})"):
            turned_over(*pair)
    else:
        assert turned_over(*pair) == replace(plain, **changed[0], **changed[1])


@pytest.mark.parametrize("pair", list(combinations(SWITCHES, 2)))
def test_what_is_on_already_may_be_said(pair):
    said = ",".join(f"{one}={'on' if SWITCHES[one].default else 'off'}" for one in pair)
    assert presets.lookup(f"bfs-4k:{said}").schedule == turned_over()
