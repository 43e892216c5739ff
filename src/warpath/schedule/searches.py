"""What each search has of a schedule, and what breadth-first searches choose of the rest."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from warpath import balance as balances
from warpath import frontier as frontiers
from warpath.balance import Technique
from warpath.schedule.schedule import Schedule
from warpath.schedule.text import parse

ScheduleLike = Schedule | Technique | str | Path | None
"""What ``schedule=`` takes: a schedule, its text, a balance alone, or the path of a profile."""

FIELDS = {
    "bfs": (
        "balance", "frontier", "duplicates", "enqueue", "single_block", "direction", "alpha", "beta",
        "loop",
    ),
    "sssp": ("balance", "delta", "loop", "optimizations"),
    "st_connected": ("balance", "loop"),
    "shortest_path": ("balance", "loop"),
    "connected_components": ("balance",),
}  # fmt: skip
"""The fields that each search has."""

_DEFAULT = Schedule()


def schedule_for(search: str, schedule: ScheduleLike) -> Schedule:
    """What a call of a search asks for.

    Parameters
    ----------
    search : str
        A key of `FIELDS`.
    schedule : Schedule, Technique, str or None

    Raises
    ------
    ValueError
        If it is none of these, or says something that the search does not have.
    """
    if schedule is None:
        return _DEFAULT
    given = str(schedule)
    if isinstance(schedule, str):
        schedule = parse(schedule)
    elif isinstance(schedule, Technique):
        schedule = Schedule(balance=schedule)
    elif isinstance(schedule, Path):
        raise ValueError(f"schedule {given!r}: profiles are for bfs and sssp, not {search}")
    elif not isinstance(schedule, Schedule):
        raise ValueError(
            f"schedule must be a warpath.Schedule, its text or a balance, not {schedule!r}"
        )
    for field in schedule.given:
        if field not in FIELDS[search]:
            raise ValueError(
                f"schedule {given!r}: {search} has no {field}; it has {', '.join(FIELDS[search])}"
            )
    return schedule


@lru_cache(256)  # a small search takes no longer than this would
def complete_bfs(schedule: Schedule) -> Schedule:
    """A breadth-first search's schedule without gaps, but for α and β, which a device chooses.

    Raises
    ------
    ValueError
        Fields that do not go together.
    """
    policy, given = schedule.policy, schedule.given
    plain = policy == frontiers.DEFAULT
    named = not plain or "frontier" in given or "duplicates" in given
    direction = schedule.direction or ("top-down" if named else "optimizing")
    for knob in ("alpha", "beta"):
        if knob in given and direction != "optimizing":
            raise ValueError(f"{knob} is a knob of direction 'optimizing', not of {direction!r}")
    technique = balances.lookup(
        schedule.balance or (balances.VISITING if plain else balances.DEFAULT)
    )
    why_not = frontiers.allowed(policy, direction, technique)
    if why_not is not None:
        raise ValueError(why_not)
    filled: dict[str, Any] = {
        "balance": technique,
        "frontier": policy.frontier,
        "duplicates": policy.duplicates,
        "enqueue": policy.enqueue,
        "single_block": policy.single_block,
        "direction": direction,
        "loop": schedule.loop or ("host" if technique.launches_children else "device"),
    }
    return replace(schedule, **filled)
