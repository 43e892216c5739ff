"""Options and arguments whose values are names: help lists all of them, and a shell completes them.

The names are those of `warpath.typing`, which imports nothing heavy. Which of them fits is checked by
the function that takes it; its message lists the choices.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, get_args

import click
from click.shell_completion import CompletionItem

from warpath.typing import (
    DIRECTIONS,
    ENQUEUES,
    LOOPS,
    SMALL_FRONTIERS,
    SWITCHES,
    BalanceName,
    DuplicatesName,
    FrontierName,
    OptimizationName,
    PresetName,
)

Names = Sequence[str] | Callable[[], Iterable[str]]
"""Names, or what finds them when they are needed."""


class Name(click.ParamType[str]):
    """One of some names.

    Parameters
    ----------
    names : sequence of str, or function
    knobs : function, optional
        All that may follow a name that takes knobs (``virtual-warp:width=8``).
    """

    name = "name"

    def __init__(
        self,
        names: Names,
        *,
        knobs: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self.names, self.knobs = names, knobs

    def all(self) -> list[str]:
        """All names."""
        return list(self.names() if callable(self.names) else self.names)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What may be meant by a beginning."""
        name, colon, _ = incomplete.partition(":")
        if colon and self.knobs is not None:
            known: Iterable[str] = (f"{name}:{knob}" for knob in self.knobs(name))
        else:
            known = self.all()
        return [CompletionItem(one) for one in known if one.startswith(incomplete)]


FIELD_VALUES = {
    "frontier": get_args(FrontierName),
    "duplicates": get_args(DuplicatesName),
    "enqueue": ENQUEUES,
    "small_frontiers": SMALL_FRONTIERS,
    "prefilter": SWITCHES,
    "path_limit": SWITCHES,
    "direction": DIRECTIONS,
    "loop": LOOPS,
    "optimizations": get_args(OptimizationName),  # with "+" between them
}
"""The values of the fields of a schedule that take names; the others but "balance" take numbers."""


class ScheduleText(click.ParamType[str]):
    """A `warpath.Schedule` as text.

    Parameters
    ----------
    *searches : str
        Those that may run: keys of `warpath.schedule.searches.FIELDS`.
    """

    name = "text"

    def __init__(self, *searches: str) -> None:
        self.has_presets = "bfs" in searches
        self.has_profiles = self.has_presets or "sssp" in searches
        self._searches = searches

    @property
    def fields(self) -> list[str]:
        """The fields that one of the searches has."""
        from warpath.schedule.searches import FIELDS

        return list(dict.fromkeys(field for search in self._searches for field in FIELDS[search]))

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What the last part may become; the first one may also be a file."""
        done, comma, begun = incomplete.rpartition(",")
        known = self._parts(done, begun)
        items = [CompletionItem(done + comma + one) for one in known if one.startswith(begun)]
        if self.has_profiles and not comma:  # first: a shell may forget what comes before a file
            items.insert(0, CompletionItem(incomplete, type="file"))
        return items

    def _parts(self, done: str, begun: str) -> Iterator[str]:
        """What may follow the parts that are done, some of which may begin so."""
        name, colon, _ = begun.partition(":")
        if colon:
            yield from (f"{name}:{knob}" for knob in self._knobs(name))
            return
        fields = self.fields
        yield from self._knobs(_open_name(done, fields))
        yield from get_args(BalanceName)
        if self.has_presets and not done:
            yield from get_args(PresetName)
        given = {part.partition("=")[0] for part in done.split(",")}
        for field in fields:
            if field == "balance" or field in given:
                continue
            head = f"{field}="
            if field == "optimizations" and begun.startswith(head):
                head += "".join(begun.removeprefix(head).rpartition("+")[:2])
            yield from (f"{head}{value}" for value in FIELD_VALUES.get(field, ("",)))

    def _knobs(self, name: str) -> list[str]:
        """All that may follow the name of a balance or a preset."""
        return knobs_of(name.removeprefix("balance=")) + (switches_of(name) * self.has_presets)


def _open_name(done: str, fields: Sequence[str]) -> str:
    """The name to which another knob may be added after the parts that are done; or ""."""
    name = ""
    for part in done.split(","):
        head, colon, _ = part.partition(":")
        if colon:
            name = head
        elif part.partition("=")[0] in fields or "=" not in part:
            name = ""
    return name


def name_option(
    flag: str,
    names: Names,
    about: str,
    *,
    default: str | None = None,
    **settings: Any,
) -> Any:
    """An option that takes a name: its help is ``about`` and all names.

    ``default`` is what the function that takes the name does without the option.
    """
    kind = Name(names)
    listed = ", ".join(f"{name} (default)" if name == default else name for name in kind.all())
    return click.option(flag, type=kind, metavar="NAME", help=f"{about}: {listed}.", **settings)


def knobs_of(balance: str) -> list[str]:
    """``width=8`` and all else that may follow the name of a balance."""
    from warpath.balance import TECHNIQUES

    if balance not in TECHNIQUES:
        return []
    choices = TECHNIQUES[balance].choices()
    return [f"{knob}={value}" for knob, values in choices.items() for value in values]


def switches_of(preset: str) -> list[str]:
    """``hash-duplicates=off`` and all else that may follow the name of a preset."""
    from warpath.schedule import PRESETS

    if preset not in PRESETS:
        return []
    return [f"{switch}={value}" for switch in PRESETS[preset].switches for value in ("on", "off")]


def examples(*lines: str) -> str:
    """The end of a command's help: lines that a user may type."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
