"""Which method, balance and device are best for this graph? A race, in seconds.

All candidates search from the same source, one after the other; then those that are far behind drop
out, and the others go on from the next source. So most of the time goes to telling apart those that
are close.
"""

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from warpath import devices
from warpath.algorithms import tuning
from warpath.bench import clock, machine
from warpath.bench.answers import Answers
from warpath.bench.sources import draw
from warpath.bench.tasks import TASKS

if TYPE_CHECKING:
    from warpath.graph.graph import Graph

ALGORITHMS = ("bfs", "sssp")
SECONDS = 5.0
_SOURCES = 32  # then they come again
# After so many rounds, who takes more than so many times what the fastest takes drops out: wide
# at first, since single searches differ by noise and by source. Guesses.
_BEHIND = {1: 3.0, 2: 2.0, 4: 1.4, 8: 1.15, 16: 1.07}
_MOST_ROUNDS = 40
# The default wins unless another is faster by more than this: noise.
_SAME = 1.02
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
        """``cuda, method=near-far``."""
        given = (f"{name}={_short(value)}" for name, value in self.options.items())
        return ", ".join((self.device, *given))


@dataclass(frozen=True)
class Advice:
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

    def save(self, file: str | Path) -> None:
        """Write it as JSON, the profile that ``tune=`` of `warpath.bfs` and `warpath.sssp` takes."""
        Path(file).write_text(json.dumps({"format": tuning.FORMAT} | asdict(self), indent=1) + "\n")

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
    algorithms: Iterable[str] = ALGORITHMS,
    device: str = "auto",
    seconds: float = SECONDS,
    seed: int = 1,
) -> Advice:
    """Measure what is best for a graph.

    Parameters
    ----------
    graph : Graph
    algorithms : iterable of {"bfs", "sssp"}
    device : {"auto", "cpu", "cuda"}
        "auto": all that are here.
    seconds : float
        For each algorithm, about; a slow first call (compiling) counts.
    seed : int
        Of the sources.

    Returns
    -------
    Advice

    Raises
    ------
    ValueError
        An unknown algorithm or device, seconds that are not positive, a graph without vertices.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(40, weights=(1, 9), seed=1)
    >>> advice = wp.advise(g, device="cpu", seconds=0.1)
    >>> wp.sssp(g, 0, **advice.best["sssp"]).distance.shape
    (1600,)
    """
    wanted = tuple(algorithms)
    for one in wanted:
        if one not in ALGORITHMS:
            raise ValueError(f"unknown algorithm {one!r}; choose of {', '.join(ALGORITHMS)}")
    if device not in ("auto", "cpu", "cuda"):
        raise ValueError(f"unknown device {device!r}; choose one of auto, cpu, cuda")
    if not seconds > 0:
        raise ValueError(f"seconds must be positive, not {seconds!r}")
    if graph.num_vertices == 0:
        raise ValueError("the graph has no vertices: nothing to measure")
    if device == "cuda":
        devices.require()
    usable = ("cpu",) if devices.missing() else ("cpu", "cuda")
    here = [name for name in usable if device in ("auto", name)]
    sources = draw(graph, _SOURCES, seed)
    found: list[Candidate] = []
    best: dict[str, dict[str, Any]] = {}
    for algorithm in wanted:
        ranked = race(graph, [*candidates(graph, algorithm, here)], sources, seconds)
        found += ranked
        best[algorithm] = {"device": ranked[0].device} | ranked[0].options
    return Advice(tuning.facts(graph), machine.facts(), tuple(found), best)


def candidates(graph: "Graph", algorithm: str, here: Iterable[str]) -> Iterator[Candidate]:
    """What is worth a try, on each device the default first."""
    for device in here:
        one = partial(Candidate, algorithm, device)
        yield one()
        if algorithm == "bfs":
            yield one({"direction": "top-down"})
            if device == "cuda":
                yield from (
                    one({"direction": "top-down", "balance": balance}) for balance in _BALANCES
                )
            continue
        if graph.weight_range[0] < 0:
            if device == "cuda":
                yield one({"method": "h-bf"})
                yield from (
                    one({"method": "workfront-sweep", "balance": balance}) for balance in _BALANCES
                )
            continue
        if device == "cpu":
            yield one({"method": "dijkstra"})
        else:
            yield from (
                one({"method": method}) for method in ("near-far", "h-bf", "workfront-sweep")
            )
            yield from (one({"balance": balance}) for balance in _BALANCES)
        default = _default_delta(graph, device)
        yield from (one({"method": "delta-stepping", "delta": default * by}) for by in _DELTAS)


def _default_delta(graph: "Graph", device: str) -> float:
    """The bucket width that delta-stepping takes by itself."""
    from warpath.algorithms.methods import plan
    from warpath.algorithms.sssp import as_dtype
    from warpath.operators import lookup

    measure = lookup("shortest")
    made = plan(
        graph, measure, "delta-stepping", False, None, None, -1,
        as_dtype(graph, measure, None), device,
    )  # fmt: skip
    assert made.delta is not None  # the method has one
    return made.delta


def race(
    graph: "Graph", runners: list[Candidate], sources: list[int], seconds: float
) -> list[Candidate]:
    """The candidates with their times, the best first; the first of all is what is advised."""
    until = time.perf_counter() + seconds
    answers = Answers(graph)
    times: dict[int, list[float]] = {}
    notes: dict[int, str] = {}
    alive = []
    for i, runner in enumerate(runners):  # warm-up: compiles, copies, proves
        if i and time.perf_counter() > until:
            notes[i] = "not tried: no time"
            continue
        problem = _run(graph, answers, runner, sources[0])[1]
        if problem is None:
            alive.append(i)
        else:
            notes[i] = problem
    for count, source in enumerate(cycle(sources), 1):
        for i in tuple(alive):
            taken, problem = _run(graph, answers, runners[i], source)
            if problem is None:
                times.setdefault(i, []).append(taken)
            else:
                notes[i] = problem
                alive.remove(i)
        if not alive:
            break
        if count in _BEHIND:
            costs = _costs(times, alive)
            alive = [i for i in alive if costs[i] <= _BEHIND[count] * min(costs.values())]
        over = time.perf_counter() > until
        if over or count >= _MOST_ROUNDS or (len(alive) == 1 and count >= max(_BEHIND) // 4):
            break
    return _ranked(runners, times, notes, alive)


def _costs(times: dict[int, list[float]], alive: list[int]) -> dict[int, float]:
    """Of those that are still there: the median of the shares that each has of a round's time.

    So a round from a far source, or while the machine does something else, counts like any other.
    """
    rounds = [sum(taken) for taken in zip(*(times[i] for i in alive), strict=True)]
    return {
        i: median(own / every for own, every in zip(times[i], rounds, strict=True)) for i in alive
    }


def _ranked(
    runners: list[Candidate], times: dict[int, list[float]], notes: dict[int, str], alive: list[int]
) -> list[Candidate]:
    """Those that stayed to the end first, by their medians; a default before its equals."""
    middle = {i: median(taken) for i, taken in times.items()}
    costs = _costs(times, alive)
    least = min(costs.values(), default=0.0)

    def place(i: int) -> tuple[bool, bool, float]:
        is_default = i in alive and not runners[i].options and costs[i] <= _SAME * least
        return i not in alive, not is_default, costs.get(i, middle.get(i, float("inf")))

    return [
        Candidate(
            runners[i].algorithm, runners[i].device, runners[i].options,
            middle.get(i), len(times.get(i, ())), notes.get(i, ""),
        )
        for i in sorted(range(len(runners)), key=place)
    ]  # fmt: skip


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


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
