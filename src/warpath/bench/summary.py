"""What the trials of a suite say together: medians, rates, ratios."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median
from typing import Any

from warpath.bench.suite import Suite
from warpath.bench.trial import Trial


@dataclass(frozen=True)
class Cell:
    """All trials of one configuration on one graph."""

    trials: tuple[Trial, ...]

    @cached_property
    def good(self) -> list[Trial]:
        """Those that count."""
        return [trial for trial in self.trials if trial.status == "ok"]

    @property
    def status(self) -> str:
        """ "wrong" if one is; "ok" if one is; else what the last one says."""
        found = [trial.status for trial in self.trials]
        for status in ("wrong", "ok"):
            if status in found:
                return status
        return found[-1]

    @property
    def why(self) -> str | None:
        """Of that status."""
        return next((t.why for t in self.trials if t.status == self.status and t.why), None)

    @cached_property
    def seconds(self) -> float | None:
        """The median."""
        times = [trial.seconds for trial in self.good if trial.seconds is not None]
        return median(times) if times and self.status == "ok" else None

    @property
    def limit(self) -> float | None:
        """What it took longer than, if it was ended."""
        return self.trials[-1].seconds if self.status == "over-limit" else None

    @property
    def cold(self) -> float | None:
        """Seconds of the first call."""
        return next((t.cold_seconds for t in self.good if t.cold_seconds is not None), None)

    @cached_property
    def teps(self) -> float | None:
        """Traversed arcs a second: the harmonic mean, as Graph 500 asks."""
        costs = [t.seconds / t.arcs for t in self.good if t.seconds and t.arcs]
        return len(costs) / sum(costs) if costs else None

    def count(self, name: str) -> Any:
        """A number of the trials: ``iterations``, ``relaxations``, or one of ``extra``; its median."""
        found = []
        for trial in self.good:
            value = getattr(trial, name, None)
            value = trial.extra.get(name) if value is None else value
            if value is not None:
                found.append(value)
        if not found or not isinstance(found[0], (int, float)):
            return found[0] if found else None
        return median(found)


class Summary:
    """Trials by graph and label.

    Attributes
    ----------
    suite : Suite
    graphs, labels : list of str
        In the suite's order, others last; only those that have trials.
    """

    def __init__(self, suite: Suite, trials: Iterable[Trial]) -> None:
        self.suite, self.trials = suite, list(trials)
        grouped: dict[tuple[str, str], list[Trial]] = {}
        for trial in self.trials:
            grouped.setdefault((_graph(trial), trial.configuration["label"]), []).append(trial)
        self.cells = {key: Cell(tuple(some)) for key, some in grouped.items()}
        self.graphs = _ordered((case.name for case in suite.cases), (one for one, _ in grouped))
        self.labels = _ordered(
            (one.label for one in suite.configurations), (one for _, one in grouped)
        )

    def cell(self, graph: str, label: str) -> Cell | None:
        """None where there is no trial."""
        return self.cells.get((graph, label))

    def seconds(self, graph: str, label: str) -> float | None:
        """The median; None where nothing was measured."""
        cell = self.cell(graph, label)
        return None if cell is None else cell.seconds

    def count(self, graph: str, label: str, name: str) -> Any:
        """See `Cell.count`."""
        cell = self.cell(graph, label)
        return None if cell is None else cell.count(name)

    def ratio(self, graph: str, slow: str, fast: str) -> float | None:
        """How many times as long as ``fast`` ``slow`` takes; of the limit where it was ended."""
        quick, cell = self.seconds(graph, fast), self.cell(graph, slow)
        if not quick or cell is None:
            return None
        taken = cell.seconds or cell.limit
        return taken / quick if taken else None

    def published_ratio(self, graph: str, slow: str, fast: str) -> float | None:
        """The same of what the paper prints."""
        published = self.suite.published
        if (graph, slow) in published and (graph, fast) in published:
            return published[graph, slow] / published[graph, fast]
        return None

    def ranked(self, graph: str, labels: Iterable[str] | None = None) -> list[str]:
        """Labels that were measured on a graph, the fastest first."""
        times = {
            label: seconds
            for label in (labels or self.labels)
            if (seconds := self.seconds(graph, label)) is not None
        }
        return sorted(times, key=lambda label: times[label])


def _ordered(wanted: Iterable[str], found: Iterable[str]) -> list[str]:
    """What was found, in the wanted order, the unexpected last."""
    places = {name: place for place, name in enumerate(wanted)}
    return sorted(dict.fromkeys(found), key=lambda name: places.get(name, len(places)))


def _graph(trial: Trial) -> str:
    return str(trial.graph["name"])
