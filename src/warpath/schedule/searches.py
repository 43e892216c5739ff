"""What each search has of a schedule."""

from pathlib import Path

from warpath.balance import Technique
from warpath.graph.check import choose
from warpath.schedule.schedule import Schedule
from warpath.schedule.text import parse
from warpath.typing import SmallFrontiersName

ScheduleLike = Schedule | Technique | str | Path | None
"""What ``schedule=`` takes: a schedule, its text, a balance alone, or the path of a profile."""

FIELDS = {
    "bfs": (
        "balance", "frontier", "duplicates", "enqueue", "small_frontiers", "direction", "alpha", "beta",
        "loop",
    ),
    "sssp": ("balance", "small_frontiers", "prefilter", "path_limit", "delta", "loop", "optimizations"),
    "st_connected": ("balance", "small_frontiers", "loop"),
    "shortest_path": ("balance", "small_frontiers", "loop"),
    "connected_components": ("balance",),
    "advance": ("balance", "direction"),
    "traverse": ("balance", "direction", "small_frontiers", "loop"),
    "aggregate": ("balance",),
    "pagerank": ("balance",),
    "triangles": ("balance",),
    "clustering": ("balance",),
    "betweenness": ("balance",),
    "edge_betweenness": ("balance",),
    "minimum_spanning_forest": ("balance",),
    "strongly_connected_components": ("balance",),
    "label_propagation": ("balance",),
    "maximal_independent_set": ("balance",),
    "core_numbers": ("balance",),
}  # fmt: skip
"""The fields that each search has."""

_LEVELS: tuple[SmallFrontiersName, ...] = ("off", "block", "cluster")
SMALL_FRONTIERS: dict[str, tuple[SmallFrontiersName, ...]] = {
    "bfs": (*_LEVELS, "async"),
    "sssp": ("off", "async"),
    "st_connected": _LEVELS,
    "shortest_path": _LEVELS,
    "traverse": (*_LEVELS, "async"),
}
"""How each expands small frontiers."""

_DEFAULT = Schedule()


def schedule_for(search: str, schedule: ScheduleLike) -> Schedule:
    """What a call of a search asks for.

    Parameters
    ----------
    search : str
        A key of `FIELDS`.
    schedule : Schedule, Technique, str or None

    Returns
    -------
    Schedule
        What the call leaves open is None.

    Raises
    ------
    ValueError
        If it is none of these, or says something that the search does not have.

    See Also
    --------
    parse : A schedule from its text.

    Examples
    --------
    >>> from warpath.schedule import schedule_for
    >>> print(schedule_for("sssp", "delta=64"))
    delta=64
    """
    choose("search", search, FIELDS)
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
    if schedule.small_frontiers is not None:
        has = SMALL_FRONTIERS[search]
        if schedule.small_frontiers not in has:
            raise ValueError(
                f"schedule {given!r}: {search} has no small_frontiers={schedule.small_frontiers!r}; it has "
                f"{', '.join(has)}"
            )
    return schedule
