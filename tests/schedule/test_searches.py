"""What each search has of a schedule, and what breadth-first searches fill in."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

import warpath as wp
from warpath.balance import lookup
from warpath.frontier import DEFAULT
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import Schedule, parse, schedule_for
from warpath.schedule.searches import FIELDS


def test_all_fields_are_some_searchs():
    assert {name for own in FIELDS.values() for name in own} == {
        one.name for one in fields(Schedule)
    }
    assert all(callable(getattr(wp, search)) for search in FIELDS)


def test_what_a_call_may_give():
    how = Schedule("merge-path")
    for given in (how, "merge-path", "balance=merge-path", lookup("merge-path")):
        assert schedule_for("connected_components", given) == how
    assert schedule_for("bfs", None) == schedule_for("bfs", "default") == Schedule()


@pytest.mark.parametrize(
    ("search", "given", "says"),
    [
        ("bfs", "delta=3", "schedule 'delta=3': bfs has no delta; it has balance, frontier"),
        (
            "sssp",
            "harish",
            "schedule 'harish': sssp has no frontier; it has balance, small_frontiers, prefilter, path_limit, delta, loop, optimizations",
        ),
        ("connected_components", "merge-path,loop=host", "connected_components has no loop"),
        ("dfs", None, "unknown search 'dfs'; choose one of bfs, sssp, st_connected"),
        ("dfs", "merge-path", "unknown search 'dfs'; choose one of bfs, sssp, st_connected"),
        ("bfs", 3, "schedule must be a warpath.Schedule, its text or a balance, not 3"),
        ("st_connected", Path("p.json"), "profiles are for bfs and sssp, not st_connected"),
    ],
)
def test_what_a_call_may_not_give(search, given, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        schedule_for(search, given)


def complete(text):
    found = complete_bfs(parse(text))
    assert {*FIELDS["bfs"]} - {*found.given} <= {"alpha", "beta", "small_frontiers"}
    assert complete_bfs(found) == found
    return found


def test_defaults_of_a_breadth_first_search():
    plain = complete("")
    assert (plain.policy, plain.direction, plain.loop) == (DEFAULT, "optimizing", "device")
    assert plain.balance == "two-phase-search:shares=8"
    assert complete("frontier=edge-queue").balance == "two-phase-search"
    for text in ("frontier=edge-queue", "duplicates=hash", "duplicates=status-bitmap"):
        assert complete(text).direction == "top-down"
    assert complete("frontier=vertex-queue,direction=optimizing").direction == "optimizing"
    assert complete("dynamic-virtual-warp:dynamic_parallelism=4096").loop == "host"
    assert complete("alpha=3").alpha == 3


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("frontier=bitmap,duplicates=hash", "'bitmap' has no queue that duplicates='hash'"),
        ("bfs-4k,frontier=bitmap", "'bitmap' has no queue that duplicates='hash' could keep a vertex out of: duplicates='none'"),
        ("bfs-4k,frontier=bitmap,duplicates=none", "enqueue='blockwise' is for frontier='vertex-queue', not 'bitmap', which needs enqueue='coalesced'"),
        ("bfs-4k,frontier=bitmap,duplicates=none,enqueue=coalesced", "small_frontiers='block' is for frontier='vertex-queue', not 'bitmap', which needs small_frontiers='off'"),
        ("frontier=edge-queue,direction=bottom-up", "is searched top-down"),
        ("duplicates=hash,direction=optimizing", "is searched top-down"),
        ("edge-parallel,duplicates=none", "'edge-parallel' lists each vertex once"),
        ("duplicates=hash,small_frontiers=cluster", "'cluster' is for frontier='vertex-queue' with duplicates='status-bitmap'"),
        ("direction=bottom-up,small_frontiers=block", "small_frontiers='block' is not for direction='bottom-up'"),
        ("direction=top-down,small_frontiers=async", "'async' needs direction='optimizing' and loop='device'"),
        ("loop=host,small_frontiers=async", "'async' needs direction='optimizing' and loop='device'"),
        ("direction=top-down,alpha=3", "alpha is a knob of direction 'optimizing', not of 'top-down'"),
        ("direction=bottom-up,beta=3", "beta is a knob of direction 'optimizing', not of 'bottom-up'"),
    ],
)  # fmt: skip
def test_what_does_not_go_together_is_refused_by_name(text, says):
    with pytest.raises(ValueError, match=re.escape(says)):
        complete_bfs(parse(text))
