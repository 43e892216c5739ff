"""How a breadth-first search runs, where its call does not say."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from warpath import balance as balances
from warpath import frontier as frontiers
from warpath.graph.graph import Graph
from warpath.planning import small_frontiers
from warpath.planning.cache import kept
from warpath.planning.fitted_balance import fitted
from warpath.planning.parts import plan_in_parts
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, memory_of_search, plan_for
from warpath.planning.threads import threads_for
from warpath.schedule import Schedule

# When "optimizing" changes its direction.
ALPHA = {"cpu": 15.0, "cuda": 14.0}  # the GAP benchmark's; Beamer's
BETA = {"cpu": 18.0, "cuda": 24.0}
SCHEDULE_IN_PARTS = Schedule(
    balance=balances.lookup(balances.DEFAULT), direction="optimizing",
    alpha=ALPHA["cuda"], beta=BETA["cuda"], loop="host",
)  # fmt: skip
"""Of levels on several GPUs: a launch on each GPU."""
_INT32 = np.dtype(np.int32)


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
    _check_small_frontiers(schedule, direction)
    filled: dict[str, Any] = {
        "balance": technique,
        "frontier": policy.frontier,
        "duplicates": policy.duplicates,
        "enqueue": policy.enqueue,
        "direction": direction,
    }
    return replace(schedule, **filled).with_loop()


def _check_small_frontiers(schedule: Schedule, direction: str) -> None:
    """Refuse what does not go with the other fields."""
    small, policy = schedule.small_frontiers, schedule.policy
    if small in ("cluster", "async") and policy != frontiers.DEFAULT:
        raise ValueError(
            f"small_frontiers={small!r} is for frontier={frontiers.DEFAULT.frontier!r} with "
            f"duplicates={frontiers.DEFAULT.duplicates!r}"
        )
    if small not in (None, "off") and direction == "bottom-up":
        raise ValueError(f"small_frontiers={small!r} is not for direction='bottom-up'")
    if small == "async" and (direction != "optimizing" or schedule.loop == "host"):
        raise ValueError("small_frontiers='async' needs direction='optimizing' and loop='device'")


@lru_cache(256)
def bfs_schedule(schedule: Schedule, device: str) -> Schedule:
    """What of a schedule a device has, without gaps."""
    how = complete_bfs(schedule)
    knobs: dict[str, Any] = {}
    if how.direction == "optimizing":
        knobs["alpha"] = ALPHA[device] if how.alpha is None else how.alpha
        knobs["beta"] = BETA[device] if how.beta is None else how.beta
    return Schedule(direction=how.direction, **knobs) if device == "cpu" else replace(how, **knobs)


def fitted_bfs(graph: Graph, schedule: Schedule, place: Placement, *, limited: bool) -> Schedule:
    """Likewise, with what depends on the graph; ``limited``: there is a depth limit."""
    how = bfs_schedule(schedule, place.device)
    if place.device == "cpu":
        return how
    technique = how.technique
    if technique is not None and technique.adapts:
        how = replace(how, balance=fitted(technique, graph, out_of_core=place.out_of_core))
    if how.small_frontiers is not None:
        return how
    plain = how.policy == frontiers.DEFAULT
    small = small_frontiers.of_bfs(graph, how, limited=limited) if plain else "off"
    return replace(how, small_frontiers=small)


def plan_bfs(
    graph: Graph,
    schedule: Schedule,
    place: Placement,
    rows: int | None,
    predecessors: bool,
    limited: bool,
) -> Plan:
    """The plan of a breadth-first search.

    Parameters
    ----------
    schedule : Schedule
        What was asked for.
    rows : int or None
        How many searches there are, each with its answer; None: one.
    limited : bool
        Whether there is a depth limit.
    """
    threads = threads_for(graph, rows, relaxes=False) if place.device == "cpu" else 0
    return _plan(graph, schedule, place, rows, predecessors, limited, threads)


@kept
def _plan(
    graph: Graph,
    schedule: Schedule,
    place: Placement,
    rows: int | None,
    predecessors: bool,
    limited: bool,
    threads: int,
) -> Plan:
    if place.devices:
        return plan_in_parts(
            graph, "bfs", place, "bfs optimizing", "the default", _INT32,
            rows=rows, answer_per_vertex=4 + 4 * predecessors, schedule=SCHEDULE_IN_PARTS,
        )  # fmt: skip
    how = fitted_bfs(graph, schedule, place, limited=limited)
    own = "" if how.policy == frontiers.DEFAULT else f", {how.policy}"
    return plan_for(
        graph,
        "bfs",
        place,
        f"bfs {how.direction}{own}",
        "the default" if how.direction == "optimizing" else "as asked",
        _INT32,
        **memory_of_search(graph, "bfs", place.device, _INT32, rows, predecessors, threads),
        threads=threads,
        schedule=how,
        reads_reverse=how.direction != "top-down",
        reads_weights=False,
    )
