"""Figures that a page shows: one line of JSON each, with the command, the machine and the date."""

import json
from collections.abc import Iterable
from dataclasses import MISSING, asdict, dataclass, fields
from pathlib import Path


@dataclass(frozen=True)
class Measured:
    """One figure.

    Attributes
    ----------
    table : str
        The page's.
    graph, search : str
        What was searched, and what for.
    device : {"cpu", "cuda"}
    command, machine, date : str
        How to measure it again; where and when it was measured.
    balance : str
        The load-balancing technique, where a schedule names it.
    ms : float or None
        Ours, in milliseconds.
    peer, version : str
        What it is compared with.
    peer_ms, ratio : float or None
        The peer's time, and that time over ours.
    floor_ms : float or None
        What the search cannot do without on this machine, by the reckoning of ``bound``.
    bound : str
        What the floor counts, and what bounds the rest.
    vertices, arcs : int or None
    trelax : float or None
        10¹² relaxations a second, of all pairs.
    value : str
        A figure that is no time.
    note : str
        How it was measured otherwise than the page says.
    """

    table: str
    graph: str
    search: str
    device: str
    command: str
    machine: str
    date: str
    balance: str = ""
    ms: float | None = None
    peer: str = ""
    version: str = ""
    peer_ms: float | None = None
    ratio: float | None = None
    floor_ms: float | None = None
    bound: str = ""
    vertices: int | None = None
    arcs: int | None = None
    trelax: float | None = None
    value: str = ""
    note: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What another measurement of the same has as well."""
        return (
            self.table, self.graph, self.search, self.balance, self.device, self.machine, self.peer,
        )  # fmt: skip

    def as_json(self) -> str:
        """One line, without what is not known."""
        known = {
            name: value
            for name, value in asdict(self).items()
            if name in _REQUIRED or value not in (None, "")
        }
        return json.dumps(known, ensure_ascii=False, allow_nan=False)

    @property
    def times_faster(self) -> float | None:
        """The peer's time over ours: as measured, or of the two medians."""
        if self.ratio is None and self.peer_ms is not None and self.ms:
            return self.peer_ms / self.ms
        return self.ratio


_NAMES = {one.name for one in fields(Measured)}
_REQUIRED = {one.name for one in fields(Measured) if one.default is MISSING}


def merge(old: Iterable[Measured], new: Iterable[Measured]) -> list[Measured]:
    """Both, table by table; a new figure stands in the place of the old one of the same."""
    found = {one.key: one for one in old} | {one.key: one for one in new}
    tables = list(dict.fromkeys(one.table for one in found.values()))
    return sorted(found.values(), key=lambda one: tables.index(one.table))


def read(path: str | Path) -> list[Measured]:
    """The figures of a file of lines.

    Raises
    ------
    ValueError
        Naming the line that is none.
    """
    found = []
    for number, line in enumerate(Path(path).read_text(encoding="utf-8").splitlines(), 1):
        try:
            value = json.loads(line)
            unknown = set(value) - _NAMES
            if unknown:
                raise ValueError(f"unknown {', '.join(sorted(unknown))}")
            found.append(Measured(**value))
        except (TypeError, ValueError) as error:
            raise ValueError(f"{path}, line {number}: {error}") from None
    return found
