"""Options and arguments whose values are names: help lists all of them, and a shell completes them.

The names are those of `warpath.typing`, which imports nothing heavy. Which of them fits is checked by
the function that takes it; its message lists the choices.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

Names = Sequence[str] | Callable[[], Iterable[str]]
"""Names, or what finds them when they are needed."""


class Name(click.ParamType[str]):
    """One of some names, or several with commas.

    Parameters
    ----------
    names : sequence of str, or function
    several : bool
        True: names with commas between them.
    knobs : function, optional
        Of names that knobs may follow (``virtual-warp:width=8``): all that may follow a name.
    """

    name = "name"

    def __init__(
        self,
        names: Names,
        *,
        several: bool = False,
        knobs: Callable[[str], Iterable[str]] | None = None,
    ) -> None:
        self.names, self.several, self.knobs = names, several, knobs

    def all(self) -> list[str]:
        """All names."""
        return list(self.names() if callable(self.names) else self.names)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """What may be meant by a beginning."""
        done, comma, begun = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        name, colon, _ = begun.partition(":")
        if colon and self.knobs is not None:
            known: Iterable[str] = (f"{name}:{knob}" for knob in self.knobs(name))
        else:
            known = self.all()
        return [CompletionItem(done + comma + one) for one in known if one.startswith(begun)]


def name_option(
    flag: str,
    names: Names,
    about: str,
    *,
    default: str | None = None,
    metavar: str = "NAME",
    several: bool = False,
    knobs: Callable[[str], Iterable[str]] | None = None,
    also: str = "",
    **settings: Any,
) -> Any:
    """An option that takes a name: its help is ``about``, all names, and what is ``also`` to be said.

    ``default`` is what the function that takes the name does without the option.
    """
    kind = Name(names, several=several, knobs=knobs)
    listed = ", ".join(f"{name} (default)" if name == default else name for name in kind.all())
    return click.option(
        flag, type=kind, metavar=metavar, help=f"{about}: {listed}.{also}", **settings
    )


def knobs_of(balance: str) -> list[str]:
    """``width=8`` and all else that may follow the name of a balance."""
    from warpath.balance import TECHNIQUES

    if balance not in TECHNIQUES:
        return []
    choices = TECHNIQUES[balance].choices()
    return [f"{knob}={value}" for knob, values in choices.items() for value in values]


def switches_of(preset: str) -> list[str]:
    """``hash-duplicates=off`` and all else that may follow the name of a preset."""
    from warpath.frontier import PRESETS

    if preset not in PRESETS:
        return []
    return [f"{switch}={value}" for switch in PRESETS[preset].switches for value in ("on", "off")]


def examples(*lines: str) -> str:
    """The end of a command's help: lines that a user may type."""
    return "\n".join(("\b", "Examples:", *(f"  {line}" for line in lines)))
