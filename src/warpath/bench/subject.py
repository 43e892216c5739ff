"""What is measured, and what a search of it gives back, whichever way it is run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import warpath
from warpath.bench.answers import Answers
from warpath.graph.graph import Graph


@dataclass
class Subject:
    """A graph that is measured, and the sources of its searches."""

    graph: Graph
    sources: list[int]
    answers: Answers = field(init=False)
    peers: dict[str, tuple[Any, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answers = Answers(self.graph)


class Measured(NamedTuple):
    """One search: the seconds that count against the limit, what is wrong, fields of its trial."""

    spent: float
    problem: str | None
    fields: dict[str, Any]


Search = Callable[[int | None], Measured]
"""A search from a source, or a repetition without one."""


class Ended(Exception):  # noqa: N818
    """No search is possible, or no more of them; its fields say why."""

    def __init__(self, status: str, why: str, **fields: Any) -> None:
        super().__init__(why)
        self.fields = {"status": status, "why": why} | fields


def message(error: BaseException) -> str:
    """What an exception says, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


def ended(error: BaseException) -> Ended:
    """How a search ended that raised an error: left out for want of memory, or failed."""
    return Ended("left-out" if isinstance(error, MemoryError) else "failed", message(error))


@contextmanager
def threads(count: int | None) -> Iterator[None]:
    """Use this number of threads of the CPU; None: as before."""
    if count is None:
        yield
        return
    before = warpath.num_threads()
    warpath.set_num_threads(min(count, before))
    try:
        yield
    finally:
        warpath.set_num_threads(before)
