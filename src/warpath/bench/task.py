"""What a task is: the call that is timed, its check, its counts."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import warpath
from warpath.bench.answers import Answers
from warpath.graph.graph import Graph


class Call(NamedTuple):
    """What a task is given; ``sources`` are all of the run."""

    graph: Graph
    source: int | None
    options: Mapping[str, Any]
    sources: Sequence[int] = ()


class Task:
    """One kind of measurement; this one is a search from a source, of `warpath.bfs` or `warpath.sssp`.

    Attributes
    ----------
    repetitions : int or None
        None: a trial for each source. Else this number of trials without any.
    verifies : bool
        Whether there is an answer that can be wrong.
    searches : bool
        Whether its call takes a ``device``.
    timed : bool
        Whether its seconds mean anything.
    """

    repetitions: int | None = None
    verifies = True
    searches = True
    timed = True

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, call: Call) -> Any:
        """What is timed."""
        return getattr(warpath, self.name)(call.graph, call.source, **call.options)

    def wrong(self, answers: Answers, source: int | None, answer: Any) -> str | None:
        """What is wrong with an answer; None: nothing."""
        assert source is not None
        return answers.wrong(self.name, source, answer.distance)

    def seconds(self, answer: Any) -> float | None:
        """The time that the answer itself has, where that is what counts."""
        return None

    def clock(self, answer: Any) -> str:
        """Which of a GPU's clocks that is from."""
        return "trace"

    def counts(self, answer: Any) -> dict[str, Any]:
        """``iterations``, ``relaxations`` and ``extra`` of a trial, as far as they are known."""
        stats = answer.stats
        found: dict[str, Any] = {"iterations": int(stats.iterations)}
        if len(stats.edges):
            direct = int(stats.direct_updates)
            found["relaxations"] = int(stats.relaxations) - direct
            found["extra"] = {
                "improvements": int(stats.improvements), "direct updates": direct,
            }  # fmt: skip
        memory = getattr(stats, "memory", None)
        if memory:
            found["extra"] = found.get("extra", {}) | {
                f"{name}_bytes": int(size) for name, size in memory.items()
            }
        return found

    def arcs(self, answers: Answers, source: int | None) -> int | None:
        """The arcs that TEPS count."""
        return None if source is None else answers.arcs(source)
