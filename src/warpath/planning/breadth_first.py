"""How a breadth-first search runs, where its call does not say."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

from warpath import balance as balances
from warpath import frontier as frontiers
from warpath.schedule import Schedule


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
