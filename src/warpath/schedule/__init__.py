"""How a search runs, as one value: balance, frontier, duplicates, direction, Δ, loop.

A `Schedule` never changes what a search finds. It is written as text, ``"merge-path:coupling=hybrid"``
or ``"frontier=edge-queue,duplicates=hash"``, and `PRESETS` are those of the papers' systems.
"""

from warpath.schedule.presets import PRESETS, Preset
from warpath.schedule.schedule import Schedule
from warpath.schedule.searches import ScheduleLike, schedule_for
from warpath.schedule.text import parse

__all__ = [
    "PRESETS",
    "Preset",
    "Schedule",
    "ScheduleLike",
    "parse",
    "schedule_for",
]
