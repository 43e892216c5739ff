"""What the trials of a suite say together: medians, rates, ratios."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from statistics import median, quantiles
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
        """The reason for that status."""
        return next((t.why for t in self.trials if t.status == self.status and t.why), None)

    @cached_property
    def seconds(self) -> float | None:
        """The median."""
        return median(self.times) if self.times else None

    @cached_property
    def times(self) -> list[float]:
        """Seconds of the trials; none if one is wrong."""
        times = [trial.seconds for trial in self.good if trial.seconds is not None]
        return times if self.status == "ok" else []

    @cached_property
    def quartiles(self) -> tuple[float, float] | None:
        """The first and the third of the seconds; of a condensed trial, as it says."""
        if not self.times:
            return None
        if known := self.good[-1].extra.get("quartiles"):
            low, high = known
            return float(low), float(high)
        return quartiles(self.times)

    @property
    def repeats(self) -> int:
        """How many trials count; of a condensed one, how many it stands for."""
        return sum(trial.extra.get("trials", 1) for trial in self.good)

    @property
    def device(self) -> str:
        """Where they ran."""
        return str(self.trials[-1].configuration.get("device", ""))

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

    @property
    def mteps(self) -> float | None:
        """Millions of them."""
        return None if self.teps is None else self.teps / 1e6

    def count(self, name: str) -> Any:
        """A number of the trials: ``iterations``, ``relaxations``, or one of ``extra``; its median."""
        found = self.counts(name)
        if not found or not isinstance(found[0], (int, float)):
            return found[0] if found else None
        return median(found)

    def counts(self, name: str) -> list[Any]:
        """The same of each trial that has it."""
        every = (getattr(one, name, None) for one in self.good)
        found = (
            one.extra.get(name) if value is None else value
            for one, value in zip(self.good, every, strict=True)
        )
        return [value for value in found if value is not None]

    @property
    def was_measured(self) -> bool:
        """Whether a trial ended, be it at the limit."""
        return any(trial.status in ("ok", "over-limit") for trial in self.trials)


def quartiles(values: list[float]) -> tuple[float, float]:
    """The first and the third."""
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = quantiles(values, n=4, method="inclusive")
    return low, high


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

    @property
    def was_measured(self) -> bool:
        """Whether anything was."""
        return any(cell.was_measured for cell in self.cells.values())

    @property
    def heading(self) -> str:
        """The suite's title, with what the graphs are: ``H-BF, table 2: … (stand-ins, ×0.1)``."""
        kinds, scales = self._origins
        told = []
        for kind, several in _SHOWN.items():
            if kind in kinds:
                told.append(several if len(kinds) == 1 else f"some {several}")
        if scales not in ([], [1.0]):
            told.append(" and ".join(f"×{scale:g}" for scale in scales))
        return f"{self.suite.title} ({', '.join(told)})" if told else self.suite.title

    def name(self, graph: str) -> str:
        """A graph with what it is: ``msdoor (stand-in, ×0.1)``."""
        return _with(graph, *self._origin(graph))

    @property
    def names(self) -> dict[str, str]:
        """Each graph's name with what differs: what all of them are, the heading says."""
        kinds, scales = self._origins
        names = {}
        for graph in self.graphs:
            kind, scale = self._origin(graph)
            names[graph] = _with(
                graph, kind if len(kinds) > 1 else "", scale if len(scales) > 1 else 1.0
            )
        return names

    @property
    def _origins(self) -> tuple[list[str], list[float]]:
        """The kinds and the scales of graphs, of those that were measured if some were."""
        measured = {graph for (graph, _), cell in self.cells.items() if cell.was_measured}
        origins = [self._origin(graph) for graph in measured or self.graphs]
        return sorted({kind for kind, _ in origins}), sorted({scale for _, scale in origins})

    def _origin(self, graph: str) -> tuple[str, float]:
        """Its kind and scale, of a trial that was measured if there is one."""
        trials = [
            trial
            for (name, _), cell in self.cells.items()
            if name == graph
            for trial in cell.trials
        ]
        about = min(trials, key=lambda trial: trial.status == "left-out").graph
        return str(about.get("kind", "")), float(about.get("scale", 1.0))

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


_SHOWN = {"stand-in": "stand-ins", "fitted": "fitted"}
"""Kinds of graphs that a name says, and how a heading says it of several."""


def _with(graph: str, kind: str, scale: float) -> str:
    told = [kind] * (kind in _SHOWN) + [f"×{scale:g}"] * (scale != 1)
    return f"{graph} ({', '.join(told)})" if told else graph


def _graph(trial: Trial) -> str:
    return str(trial.graph["name"])
