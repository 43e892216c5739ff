"""The one runner: a suite, on what is here, to trials."""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any

from warpath import devices
from warpath.bench import machine, paper_graphs
from warpath.bench.graph_cache import cached
from warpath.bench.measurement import measure
from warpath.bench.paper_weights import weighted
from warpath.bench.peers import PEERS
from warpath.bench.roofline import bandwidths
from warpath.bench.source_vertices import draw
from warpath.bench.subject import Subject
from warpath.bench.suite import Case, Configuration, Suite
from warpath.bench.tasks import TASKS
from warpath.bench.trial import Trial
from warpath.parallel import cores
from warpath.typing import DEVICES, BuildDeviceName

SOURCES, ALL_SOURCES, QUICK_SOURCES = 20, 100, 5
QUICK_SCALE = 0.1
LIMIT, QUICK_LIMIT = 10.0, 2.0
# A suite's seconds by default: with compiling before it under 8 minutes, and 1 minute.
BUDGET, QUICK_BUDGET = 420.0, 30.0
# The part of a GPU's memory beyond which graphs are not held for the next suite: building takes the rest, three
# times the graph. A guess.
_SHARE_HELD = 1 / 8


@dataclass(frozen=True)
class Settings:
    """How to run suites.

    Attributes
    ----------
    device : {"auto", "cpu", "cuda"}
        "auto": both, as far as they are here.
    scale : float
        Times the vertices of the suite's graphs.
    sources : int, optional
        Per graph; by default as many as the suite has, or 20.
    seed : int
        Draws graphs and sources.
    limit : float
        Seconds that a configuration may measure on a graph, cold call and verification apart.
    budget : float
        Seconds for a suite, graphs and verification counted: when they are spent nothing more is
        begun. Small graphs come first, and slow configurations last.
    originals : bool
        The papers' own graphs, where they were fetched.
    folder : str or None
        Where graphs that take long to make are kept (`warpath.bench.graph_cache`).
    graphs, configurations : tuple of str
        Parts of names; empty: all.

    Raises
    ------
    ValueError
        A device, or a number, that cannot be meant.
    DeviceUnavailableError
        ``device="cuda"`` where CUDA cannot be used.
    """

    device: str = "auto"
    scale: float = 1.0
    sources: int | None = None
    seed: int = 1
    limit: float = LIMIT
    budget: float = inf
    originals: bool = False
    folder: str | None = None
    graphs: tuple[str, ...] = ()
    configurations: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.device not in DEVICES:
            raise ValueError(f"unknown device {self.device!r}; choose one of {', '.join(DEVICES)}")
        if self.device == "cuda":
            devices.require()
        for name in ("scale", "limit", "budget"):
            if not getattr(self, name) > 0:
                raise ValueError(f"{name} must be positive, not {getattr(self, name)!r}")
        if self.scale == inf:
            raise ValueError("scale must be a number of times, not inf")
        if self.sources is not None and self.sources < 1:
            raise ValueError(f"sources must be at least 1, not {self.sources!r}")

    def leaves_out(self, configuration: Configuration) -> str | None:
        """Why a configuration is left out; None: it is not."""
        if self.device not in ("auto", configuration.device):
            return f"--device {self.device}"
        if configuration.device == "cuda" and devices.missing():
            return devices.missing()
        here = len(cores.allowed())
        if configuration.threads is not None and configuration.threads > here:
            return f"{here} cores"
        if configuration.by != "warpath" and (why := PEERS[configuration.by].missing()):
            return f"{configuration.by}: {why}"
        return None

    def too_large(self, case: Case) -> str | None:
        """Why a graph is left out; None: it is not."""
        needed = case.gpu_bytes * self.scale
        if needed and (self.maker == "cpu" or needed > devices.require().memory):
            return f"a GPU with {needed / 2**30:,.3g} GiB of memory builds this graph"
        return None

    def cases_of(self, suite: Suite) -> list[Case]:
        """Those that are chosen; a ValueError if there is none."""
        return _chosen(suite.cases, "graph", "name", self.graphs)

    def configurations_of(self, suite: Suite) -> list[Configuration]:
        """Those that are chosen; a ValueError if there is none."""
        return _chosen(suite.configurations, "configuration", "label", self.configurations)

    @property
    def maker(self) -> BuildDeviceName:
        """The device that makes graphs."""
        return "cpu" if self.device == "cpu" or devices.missing() else "cuda"


def run(
    name: str, suite: Suite, settings: Settings, on_trial: Callable[[Trial], None] = lambda _: None
) -> list[Trial]:
    """All trials of a suite; ``on_trial`` sees each as it is made.

    Raises
    ------
    ValueError
        Settings that choose no graph or no configuration.
    """
    cases, configurations = settings.cases_of(suite), settings.configurations_of(suite)
    until = time.monotonic() + settings.budget
    settings = replace(settings, sources=settings.sources or suite.sources or SOURCES)
    trials = []
    for case in sorted(cases, key=_size):
        for trial in _trials(case, sorted(configurations, key=_cost), settings, until):
            trials.append(
                replace(
                    trial,
                    suite=name,
                    machine=machine.facts() | {"bandwidth": bandwidths()},
                    versions=machine.versions(),
                    commit=machine.commit(),
                    when=machine.now(),
                )
            )
            on_trial(trials[-1])
        _free_memory()
    return trials


def _size(case: Case) -> float:
    """A paper's graph sorts by arcs; others keep their order, and come first."""
    if case.build is not None:
        return 0.0
    return paper_graphs.published(case.name).edges


def _cost(configuration: Configuration) -> tuple[bool, bool]:
    """GPUs first, what may take too long last."""
    return configuration.slow, configuration.device == "cpu"


def _trials(
    case: Case,
    configurations: Iterable[Configuration],
    settings: Settings,
    until: float,
) -> Iterator[Trial]:
    """Trials on one graph, which is only made if something is measured on it."""
    too_large = settings.too_large(case)
    left_out = {one.label: too_large or settings.leaves_out(one) for one in configurations}
    graph: dict[str, Any] = {
        "name": case.name, "kind": "generated" if case.build else "stand-in", "recipe": case.recipe,
        "scale": settings.scale, "seed": settings.seed,
        "vertices": None, "arcs": None, "directed": None, "weights": None,
    }  # fmt: skip
    subject = None
    starts = any(TASKS[one.algorithm].repetitions is None for one in configurations)
    for configuration in configurations:
        about = {key: getattr(configuration, key) for key in _SHOWN}
        about["options"] = json.loads(json.dumps(dict(configuration.options), default=str))
        why = left_out[configuration.label]
        if why is None and time.monotonic() >= until:
            why = f"the {settings.budget:g} s of the suite were spent"
        if why is not None:
            yield Trial("", graph, about, status="left-out", why=why)
            continue
        if subject is None:
            subject, facts = _subject(case, settings, starts)
            graph = graph | facts
        limit = min(settings.limit, max(until - time.monotonic(), 0))
        for fields in measure(subject, configuration, limit):
            yield Trial("", graph, about, **fields)


_SHOWN = ("label", "by", "algorithm", "device", "threads")


@lru_cache(maxsize=4)  # suites that follow each other share graphs: Hong et al. have four
def _subject(case: Case, settings: Settings, starts: bool) -> tuple[Subject, dict[str, Any]]:
    """The graph with its weights, and with sources where searches start; what it is."""
    scale, seed, device = settings.scale, settings.seed, settings.maker
    if case.build is not None:
        graph, facts = case.build(scale, seed, device), dict[str, Any]()
    else:
        originals = settings.originals
        graph, provenance = cached(
            settings.folder,
            (case.name, scale, seed, originals),
            lambda: paper_graphs.graph(case.name, scale, seed, originals=originals, device=device),
        )
        facts = {key: provenance[key] for key in ("kind", "recipe", "scale", "seed")}
    graph = weighted(graph, case.weights)
    facts |= {
        "vertices": graph.num_vertices, "arcs": graph.num_arcs, "directed": graph.directed,
        "weights": None if graph.weight_dtype is None else str(graph.weight_dtype),
    }  # fmt: skip
    drawn = draw(graph, settings.sources or SOURCES, seed) if starts else []
    return Subject(graph, drawn), facts


def _chosen(every: Iterable[Any], what: str, name: str, parts: tuple[str, ...]) -> list[Any]:
    """Those whose name has one of the parts in it."""
    named = [(getattr(one, name), one) for one in every]
    found = [one for own, one in named if not parts or any(part in own for part in parts)]
    if not found:
        wanted, there = " or ".join(map(repr, parts)), ", ".join(own for own, _ in named)
        raise ValueError(f"no {what} has {wanted} in its name: {there}")
    return found


def _free_memory() -> None:
    """Give a GPU's memory back that a graph's arrays took; large graphs go, too."""
    if devices.missing() is None:
        import cupy

        pool = cupy.get_default_memory_pool()
        if pool.used_bytes() > _SHARE_HELD * devices.require().memory:
            _subject.cache_clear()
        pool.free_all_blocks()
