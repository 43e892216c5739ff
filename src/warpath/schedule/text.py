"""Schedules as text: ``"bfs-4k:single-block=off,loop=host"``."""

from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from warpath import balance as balances
from warpath.schedule import presets
from warpath.schedule.presets import PRESETS
from warpath.schedule.schedule import Schedule

FIELDS = tuple(one.name for one in fields(Schedule))


@lru_cache(256)
def parse(text: str) -> Schedule:
    """A schedule from its text.

    Parameters
    ----------
    text : str
        Parts with commas between them: the name of a balance or a preset, whose knobs or switches
        follow a colon, and ``field=value`` of `warpath.Schedule`. A preset comes first, and the other
        parts replace what it says; ``"default"`` says nothing.

    Returns
    -------
    Schedule
        What the text does not say is None.

    Raises
    ------
    ValueError
        A part that is none of these, one that comes twice, or those that do not go together.

    See Also
    --------
    warpath.Schedule : Prints as it is parsed.

    Examples
    --------
    >>> from warpath.schedule import parse
    >>> parse("merge-path:coupling=hybrid,f0=20,direction=top-down").balance
    'merge-path:f0=20'
    >>> print(parse("harish,loop=device"))
    thread-mapped,frontier=topology-driven,duplicates=none,direction=top-down,loop=device
    """
    start, given = Schedule(), dict[str, Any]()
    for i, part in enumerate(_parts(text)):
        field, equals, value = part.partition("=")
        bare = not equals or ":" in field
        if bare and part.partition(":")[0] in PRESETS:
            if i > 0:
                raise ValueError(f"schedule {text!r}: the preset {part!r} must come first")
            start = presets.lookup(part).schedule
            continue
        if bare:
            field, value = "balance", part
            if part.partition(":")[0] not in balances.TECHNIQUES:
                raise ValueError(
                    f"schedule {text!r}: {part!r} is no balance ({', '.join(balances.TECHNIQUES)}), "
                    f"no preset ({', '.join(PRESETS)}), and no field=value of {', '.join(FIELDS)}"
                )
        if field in given:
            raise ValueError(f"schedule {text!r}: {field} is given twice")
        given[field] = _value(field, value)
    return replace(start, **given)


def _parts(text: str) -> list[str]:
    """What stands between commas; but a knob stays with the name that it follows.

    Raises
    ------
    ValueError
        A knob that follows no name.
    """
    parts: list[str] = []
    for part in (one.strip() for one in text.split(",")):
        field, equals, _ = part.partition("=")
        if not part or (part == "default" and text.strip() == part):
            continue
        if equals and ":" not in field and field not in FIELDS:
            if not parts or ":" not in parts[-1]:
                raise ValueError(
                    f"schedule {text!r}: unknown field {field!r}; choose one of {', '.join(FIELDS)}, "
                    "or put a knob behind its name and a colon"
                )
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def _value(field: str, text: str) -> Any:
    """What a field is to be."""
    if field == "optimizations":
        return () if text == "none" else tuple(text.split("+"))
    if field in ("alpha", "beta", "delta"):
        for number in (int, float):
            try:
                return number(text)
            except ValueError:
                continue
    return text
