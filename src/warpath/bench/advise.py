"""Which method, balance and device are best for this graph? A race, in seconds.

All candidates search from the same source, in turns and each round in another order; then those that
are far behind drop out, and the others go on from the next source. So most of the time goes to telling
apart those that are close.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import cycle
from math import ceil, inf
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath import devices
from warpath.algorithms.common import tuning
from warpath.bench import clock, machine
from warpath.bench.answers import Answers
from warpath.bench.sources import draw
from warpath.bench.tasks import TASKS
from warpath.display import ReprMixin, Row
from warpath.files import replacing
from warpath.progress import Progress
from warpath.typing import DEVICES, SEARCHES, DeviceName, SearchName

if TYPE_CHECKING:
    from warpath.graph.graph import Graph


SECONDS = 5.0
_SOURCES = 8  # then they come again: each needs a proof, which takes longer than searches
# After so many rounds, who takes more than so many times what the fastest takes drops out: wide
# at first, since single searches differ by noise and by source. Costs of 40 rounds deviate by 1 %
# (measured on two busy cores, delta-stepping with five Δ on five graphs); the others are guesses.
_BEHIND = {1: 3.0, 2: 2.0, 4: 1.4, 8: 1.2, 16: 1.1, 32: 1.06, 64: 1.04}
_FEWEST_ROUNDS = 2  # one search tells little: a guess
_MOST_ROUNDS = 128
_STEPS = 1000  # of a bar that shows the share of the time
_NO_TIME = "not tried: no time"
_ALONE = 4  # rounds that who is left alone has behind it at least
# The default wins unless another is faster by more than this: noise, as above. And up to this where
# the other does not win more rounds than a coin would (twice its deviation): a guess.
_SAME, _DOUBTFUL = 1.03, 1.2
_DELTAS = (0.25, 0.5, 2.0, 4.0)  # times the default
_BALANCES = (
    "merge-path", "multi-phase-search", "auto", "virtual-warp:width=4", "virtual-warp:width=16",
    "thread-mapped",
)  # fmt: skip


@dataclass(frozen=True)
class Candidate:
    """One way to call an algorithm, and what it took.

    Attributes
    ----------
    algorithm : {"bfs", "sssp"}
    device : {"cpu", "cuda"}
    options : dict
        Beside the device; empty for the default.
    seconds : float or None
        The median of wall times; None: it was not tried.
    searches : int
        How many there were.
    note : str
        Why it was not tried, or what went wrong.
    """

    algorithm: str
    device: str
    options: dict[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    searches: int = 0
    note: str = ""

    @property
    def label(self) -> str:
        """``cuda, method=workfront-sweep, merge-path``: a schedule stands there as its text."""
        given = (
            value if name == "schedule" else f"{name}={value}"
            for name, value in self.options.items()
        )  # fmt: skip
        return ", ".join((self.device, *given))


@dataclass(frozen=True, repr=False)
class Advice(ReprMixin):
    """What was best for a graph.

    Attributes
    ----------
    graph, machine : dict
        Which graph, and where.
    candidates : tuple of Candidate
        All, of each algorithm the fastest first.
    best : dict
        Of each algorithm the keyword arguments to call it with.
    """

    graph: dict[str, Any]
    machine: dict[str, Any]
    candidates: tuple[Candidate, ...]
    best: dict[str, dict[str, Any]]

    def _rows(self) -> list[Row]:
        return [
            (algorithm, ", ".join(f"{name}={value!r}" for name, value in best.items()))
            for algorithm, best in self.best.items()
        ]

    def _line(self) -> str:
        return "; ".join(f"{algorithm} with {how}" for algorithm, how in self._rows())

    def save(self, file: str | Path) -> None:
        """Write it as JSON, the profile that `warpath.bfs` and `warpath.sssp` take as their ``schedule``."""
        text = json.dumps({"format": tuning.FORMAT} | asdict(self), indent=1) + "\n"
        with replacing(file) as stream:
            stream.write(text.encode())

    @classmethod
    def load(cls, file: str | Path) -> "Advice":
        """Read what `save` wrote.

        Raises
        ------
        ValueError
            If it is not that.
        """
        data = tuning.read(file)
        try:
            data["candidates"] = tuple(Candidate(**one) for one in data["candidates"])
            return cls(**data)
        except TypeError as error:
            raise ValueError(f"{file}: not a profile of warpath advise: {error}") from None


def advise(
    graph: "Graph",
    *,
    algorithms: Iterable[SearchName] = SEARCHES,
    device: DeviceName = "auto",
    seconds: float = SECONDS,
    seed: int = 1,
    compile_ahead: bool = False,
) -> Advice:
    """Measure what is best for a graph.

    Parameters
    ----------
    graph : Graph
    algorithms : iterable of {"bfs", "sssp"}
    device : {"auto", "cpu", "cuda"}
        "auto": all that are here.
    seconds : float
        For each algorithm, about; the CPU's kernels are compiled before. `warpath.show_progress` says
        where a bar shows how much of it has passed.
    seed : int
        Of the sources.
    compile_ahead : bool
        Let other processes compile a GPU's kernels before the clock runs, one a core. They are spawned,
        so a script that asks for it needs ``if __name__ == "__main__":`` (see `multiprocessing`).

    Returns
    -------
    Advice

    Raises
    ------
    ValueError
        An unknown algorithm or device, seconds that are not positive, a graph without vertices;
        seconds that were too few to try all candidates, with how many it takes.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(40, weights=(1, 9), seed=1)
    >>> advice = wp.advise(g, device="cpu", seconds=1)
    >>> wp.sssp(g, 0, **advice.best["sssp"]).distance.shape
    (1600,)
    """
    wanted = tuple(algorithms)
    for one in wanted:
        if one not in SEARCHES:
            raise ValueError(f"unknown algorithm {one!r}; choose of {', '.join(SEARCHES)}")
    if device not in DEVICES:
        raise ValueError(f"unknown device {device!r}; choose one of {', '.join(DEVICES)}")
    if not seconds > 0:
        raise ValueError(f"seconds must be positive, not {seconds!r}")
    if graph.num_vertices == 0:
        raise ValueError("the graph has no vertices: nothing to measure")
    graph = graph.without_labels()
    if device == "cuda":
        devices.require()
    usable = ("cpu",) if devices.missing() else ("cpu", "cuda")
    here = [name for name in usable if device in ("auto", name)]
    sources = draw(graph, _SOURCES, seed)
    runners = {algorithm: [*candidates(graph, algorithm, here)] for algorithm in wanted}
    if compile_ahead:
        from warpath.bench.prepare import prepare_races

        compiled = [o for some in runners.values() for o in some if o.device == "cuda"]
        prepare_races([(graph, compiled)])
    found: list[Candidate] = []
    best: dict[str, dict[str, Any]] = {}
    for algorithm in wanted:
        _compile(graph, runners[algorithm])
        ranked = _compared(algorithm, graph, runners[algorithm], sources, seconds)
        found += ranked
        best[algorithm] = {"device": ranked[0].device} | ranked[0].options
    return Advice(tuning.facts(graph), machine.facts(), tuple(found), best)


def _compile(graph: "Graph", runners: Iterable[Candidate]) -> None:
    """Run the CPU's candidates on a path like the graph, so that nothing is compiled in the race."""
    from warpath.graph.graph import Graph

    weights = None
    if graph.weight_dtype is not None:
        weights = np.ones(2, graph.weight_dtype)
        weights[0] = -1 if graph.directed and graph.weight_range[0] < 0 else 1
    path = Graph.from_edges([0, 1], [1, 2], weights, directed=graph.directed)
    answers = Answers(path)
    for one in runners:
        if one.device == "cpu":
            _run(path, answers, one, 0)


def _compared(
    algorithm: str,
    graph: "Graph",
    runners: Sequence[Candidate],
    sources: Sequence[int],
    seconds: float,
) -> list[Candidate]:
    """What `race` says, if all candidates were in it.

    Raises
    ------
    ValueError
        With the seconds that it takes, estimated from those that were; or if none worked.
    """
    began = time.perf_counter()
    ranked = race(graph, runners, sources, seconds)
    taken = time.perf_counter() - began
    tried = sum(one.note != _NO_TIME for one in ranked)
    if tried < len(ranked):
        needed = max(ceil(taken * len(ranked) / tried), ceil(seconds) + 1)
        raise ValueError(
            f"{seconds:g} s were enough to try {tried} of {len(ranked)} ways to run {algorithm} on "
            f"this graph, which compares nothing: it takes about {needed}: give "
            f"seconds={needed}"
        )
    if ranked[0].seconds is None:
        raise ValueError(f"no way to run {algorithm} worked: {ranked[0].label}: {ranked[0].note}")
    return ranked


def candidates(graph: "Graph", algorithm: str, here: Iterable[str]) -> Iterator[Candidate]:
    """What is worth a try, on each device the default first."""
    for device in here:
        one = partial(Candidate, algorithm, device)
        yield one()
        if algorithm == "bfs":
            yield one({"schedule": "direction=top-down"})
            if device == "cuda":
                yield from (
                    one({"schedule": f"{balance},direction=top-down"}) for balance in _BALANCES
                )
            continue
        if graph.weight_range[0] < 0:
            if device == "cuda":
                yield one({"method": "h-bf"})
                yield from (
                    one({"method": "workfront-sweep", "schedule": balance}) for balance in _BALANCES
                )
            continue
        if device == "cpu":
            yield one({"method": "dijkstra"})
        else:
            yield from (
                one({"method": method}) for method in ("near-far", "h-bf", "workfront-sweep")
            )
            yield from (one({"schedule": balance}) for balance in _BALANCES)
        default = _default_delta(graph, device)
        yield from (
            one({"method": "delta-stepping", "schedule": f"delta={default * by:.4g}"})
            for by in _DELTAS
        )


def _default_delta(graph: "Graph", device: str) -> float:
    """The bucket width that delta-stepping takes by itself."""
    from warpath.algorithms.shortest_paths.sssp import as_dtype
    from warpath.operators import lookup
    from warpath.planning.shortest_paths import relaxation

    measure = lookup("shortest")
    made = relaxation(
        graph, measure, "delta-stepping", False, None, None, -1,
        as_dtype(graph, measure, None), device,
    )  # fmt: skip
    assert made.width is not None  # the method has one
    return made.width.first


class Race:
    """Candidates that search in turns.

    Each round is from one source and in another order: who comes behind a search by one thread, or
    behind a proof, finds threads asleep and other data in the caches (measured: 30 % more time for a
    search of 5 ms behind Dijkstra's algorithm).

    Parameters
    ----------
    graph : Graph
    runners : sequence of Candidate
    seed : int
        Of the order.
    searched : callable, optional
        Is called after each search and its proof.

    Attributes
    ----------
    alive : list of int
        Who still takes part, by the place in ``runners``.
    """

    def __init__(
        self,
        graph: "Graph",
        runners: Sequence[Candidate],
        seed: int = 1,
        searched: Callable[[], None] | None = None,
    ) -> None:
        self._graph, self._runners = graph, runners
        self._searched = searched or (lambda: None)
        self._answers, self._order = Answers(graph), Random(seed)
        self._times: dict[int, list[float]] = {}
        self._notes: dict[int, str] = {}
        self.alive: list[int] = []

    def start(self, source: int, until: float = inf) -> None:
        """Warm up: compile, copy, prove; whom the clock leaves no time for is not tried."""
        for i in range(len(self._runners)):
            if i and time.perf_counter() > until:
                self._notes[i] = _NO_TIME
            elif self._search(i, source) is not None:
                self.alive.append(i)

    def round(self, source: int) -> None:
        """One search of each; a wrong answer drops out."""
        for i in self._order.sample(self.alive, len(self.alive)):
            taken = self._search(i, source)
            if taken is None:
                self.alive.remove(i)
            else:
                self._times.setdefault(i, []).append(taken)

    def drop(self, behind: float) -> None:
        """Go on without those that take more than so many times what the fastest takes."""
        costs = self.costs()
        self.alive = [i for i in self.alive if costs[i] <= behind * min(costs.values())]

    def costs(self) -> dict[int, float]:
        """Of those that are still there: the median of the shares that each has of a round's time.

        So a round from a far source, or while the machine does something else, counts like any other.
        """
        times = [self._times[i] for i in self.alive]
        rounds = [sum(taken) for taken in zip(*times, strict=True)]
        return {
            i: median(own / every for own, every in zip(some, rounds, strict=True))
            for i, some in zip(self.alive, times, strict=True)
        }

    def ranked(self) -> list[Candidate]:
        """With their times: those that stayed to the end first; a default before its equals."""
        middle = {i: median(taken) for i, taken in self._times.items()}
        costs = self.costs()
        first = min(self.alive, key=lambda i: costs[i], default=0)

        def place(i: int) -> tuple[bool, bool, float]:
            stayed = i in self.alive
            is_default = stayed and not self._runners[i].options and self._as_good(i, first, costs)
            return not stayed, not is_default, costs.get(i, middle.get(i, inf))

        return [
            replace(
                self._runners[i], seconds=middle.get(i), searches=len(self._times.get(i, ())),
                note=self._notes.get(i, ""),
            )
            for i in sorted(range(len(self._runners)), key=place)
        ]  # fmt: skip

    def _as_good(self, i: int, first: int, costs: dict[int, float]) -> bool:
        """Whether one is as fast as the fastest, as far as that can be told."""
        behind, rounds = costs[i] / costs[first], len(self._times[i])
        wins = sum(a < b for a, b in zip(self._times[first], self._times[i], strict=True))
        chance = wins < rounds / 2 + rounds**0.5
        return behind <= _SAME or (behind <= _DOUBTFUL and chance)

    def _search(self, i: int, source: int) -> float | None:
        """Seconds of one search; None, and a note, if something went wrong."""
        taken, problem = _run(self._graph, self._answers, self._runners[i], source)
        self._searched()
        if problem is None:
            return taken
        self._notes[i] = problem
        return None


def race(
    graph: "Graph", runners: Sequence[Candidate], sources: Sequence[int], seconds: float
) -> list[Candidate]:
    """The candidates with their times, the best first; the first of all is what is advised."""
    begin, shown = time.perf_counter(), 0
    until = begin + seconds

    def tell() -> None:
        nonlocal shown
        share = min(1.0, (time.perf_counter() - begin) / seconds)
        progress.advance(int(_STEPS * share) - shown)
        shown = int(_STEPS * share)

    with Progress(f"Measuring {runners[0].algorithm}", _STEPS, "steps") as progress:
        running = Race(graph, runners, searched=tell)
        running.start(sources[0], until)
        for count, source in enumerate(cycle(sources), 1):
            running.round(source)
            if count in _BEHIND:
                running.drop(_BEHIND[count])
            decided = len(running.alive) <= 1 and count >= _ALONE
            late = count >= _FEWEST_ROUNDS and time.perf_counter() > until
            if not running.alive or decided or count >= _MOST_ROUNDS or late:
                break
    return running.ranked()


def _run(
    graph: "Graph", answers: Answers, runner: Candidate, source: int
) -> tuple[float, str | None]:
    """Wall seconds of one search, and what went wrong; verified outside the clock."""
    task = TASKS[runner.algorithm]
    options = {"device": runner.device} | runner.options
    watch: Any = clock.and_wait if runner.device == "cuda" else clock.on_host
    try:
        answer, taken = watch(partial(task.call, graph, source, options, [source]))
        problem = task.wrong(answers, source, answer)
    except Exception as error:  # CUDA, NVRTC and peers have kinds of their own
        return 0.0, f"{type(error).__name__}: {error}"
    return taken, problem
