"""Schedules are printed as they are parsed."""

import re
from itertools import product

import pytest

from warpath.balance import TECHNIQUES
from warpath.schedule import PRESETS, Schedule, parse


def test_every_balance_comes_back():
    for technique in TECHNIQUES.values():
        for variant in technique.variants():
            alone, more = Schedule(variant), Schedule(variant, direction="top-down", alpha=0.1)
            assert parse(str(alone)) == alone
            assert parse(str(more)) == more


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_comes_back(name):
    switches = PRESETS[name].switches
    texts = [name, *(f"{name}:{one}={way}" for one, way in product(switches, ("on", "off")))]
    for text in texts:
        assert parse(str(parse(text))) == parse(text)
    assert parse(name) == PRESETS[name].schedule


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule(),
        Schedule(delta=3), Schedule(delta=1e-300), Schedule(alpha=15, beta=0.25),
        Schedule(optimizations=()), Schedule(optimizations={"edge-queue", "coalesced-enqueue"}),
        Schedule(small_frontiers="off", enqueue="scattered", duplicates="warp-culling+history-culling"),
    ],
    ids=str,
)  # fmt: skip
def test_every_field_comes_back(schedule):
    assert parse(str(schedule)) == schedule


@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("", Schedule()),
        ("default", Schedule()),
        ("merge-path", Schedule("merge-path")),
        ("merge-path:coupling=hybrid,f0=20", Schedule("merge-path:coupling=hybrid,f0=20")),
        ("direction=top-down, balance=virtual-warp:width=8", Schedule("virtual-warp:width=8", direction="top-down")),
        ("balance=hierarchical:MDT=64,switch=256,loop=host", Schedule("hierarchical:MDT=64,switch=256", loop="host")),
        ("harish,loop=device,thread-mapped", Schedule("thread-mapped", "topology-driven", "none", direction="top-down", loop="device")),
        ("delta=3", Schedule(delta=3)),
        ("delta=davidson", Schedule(delta="davidson")),
        ("optimizations=none", Schedule(optimizations=())),
        ("optimizations=edge-queue+hash-duplicates", Schedule(optimizations=["hash-duplicates", "edge-queue"])),
    ],
)  # fmt: skip
def test_texts(text, schedule):
    assert parse(text) == schedule


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("gunrock", "'gunrock' is no balance (thread-mapped, "),
        ("gunrock", "no preset (harish, hong, "),
        ("width=8", "unknown field 'width'; choose one of balance, frontier"),
        ("loop=host,width=8", "unknown field 'width'"),
        ("virtual-warp,width=8", "put a knob behind its name and a colon"),
        ("virtual-warp:wide=8", "virtual-warp has no knob 'wide'"),
        ("merge-path,thread-mapped", "balance is given twice"),
        ("loop=host,loop=device", "loop is given twice"),
        ("loop=host,harish", "the preset 'harish' must come first"),
        ("harish,bfs-4k", "the preset 'bfs-4k' must come first"),
        ("small_frontiers=yes", "unknown small_frontiers 'yes'; choose one of off, block"),
        ("alpha=x", "alpha must be a number, not 'x'"),
        ("loop=", "unknown loop ''"),
        ("frontier=bitmap,default", "'default' is no balance"),
    ],
)
def test_bad_texts(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        parse(text)
