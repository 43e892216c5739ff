"""A race of candidates: they search interleaved, and those that are far behind drop out.

All candidates search from the same source, each round in another order; then those that are far behind
drop out, and the others continue from the next source. So most of the time goes to telling apart those
that are close.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import cycle
from math import inf
from random import Random
from statistics import median
from typing import Any

from warpath.bench import clock
from warpath.bench.answers import Answers
from warpath.bench.candidates import Candidate
from warpath.bench.subject import message
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS
from warpath.graph.graph import Graph
from warpath.progress import Progress

# By the number of rounds: a candidate that takes more times as long as the fastest drops out. Wide
# at first, since single searches differ by noise and by source. Costs of 40 rounds deviate by 1 %
# (measured on two busy cores, delta-stepping with five Δ on five graphs); the others are guesses.
_DROP_ABOVE = {1: 3.0, 2: 2.0, 4: 1.4, 8: 1.2, 16: 1.1, 32: 1.06, 64: 1.04}
_MIN_ROUNDS = 2  # one search says little: a guess
_MAX_ROUNDS = 128
_STEPS = 1000  # of a bar that shows the share of the time
NO_TIME = "not tried: no time"
_MIN_ROUNDS_ALONE = 4  # of the last candidate that is left
# The default wins unless another is faster by more than this: noise, as above. And up to this where
# the other does not win more rounds than a coin would (twice its deviation): a guess.
_SAME, _DOUBTFUL = 1.03, 1.2


class Race:
    """Candidates that search interleaved.

    Each round is from one source and in another order, since after a search by one thread, or after a
    proof, threads are asleep and the caches hold other data. A search of 5 ms took 30 % more time after
    Dijkstra's algorithm.

    Parameters
    ----------
    graph : Graph
    runners : sequence of Candidate
    seed : int
        Draws the order.
    searched : callable, optional
        Is called after each search and its proof.

    Attributes
    ----------
    alive : list of int
        The candidates that still take part, by their place in ``runners``.
    """

    def __init__(
        self,
        graph: Graph,
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
        """Warm up: compile, copy, prove; without time left a candidate is not tried."""
        for i in range(len(self._runners)):
            if i and clock.now() > until:
                self._notes[i] = NO_TIME
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
        """Go on without those that take more than this number of times what the fastest takes."""
        costs = self.costs()
        self.alive = [i for i in self.alive if costs[i] <= behind * min(costs.values())]

    def costs(self) -> dict[int, float]:
        """For those that are still there, the median of their shares of a round's time.

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
        taken, problem = run(self._graph, self._answers, self._runners[i], source)
        self._searched()
        if problem is None:
            return taken
        self._notes[i] = problem
        return None


def race(
    graph: Graph, runners: Sequence[Candidate], sources: Sequence[int], seconds: float
) -> list[Candidate]:
    """The candidates with their times, the best first; the first of all is what is advised.

    The first search of each candidate compiles its kernels, which takes none of the ``seconds``.
    """
    begin, shown = clock.now(), 0
    until = begin + seconds

    def tell() -> None:
        nonlocal shown
        share = min(1.0, (clock.now() - begin) / seconds)
        progress.advance(int(_STEPS * share) - shown)
        shown = int(_STEPS * share)

    with Progress(f"Measuring {runners[0].algorithm}", _STEPS, "steps") as progress:
        running = Race(graph, runners, searched=tell)
        running.start(sources[0], until)
        for count, source in enumerate(cycle(sources), 1):
            running.round(source)
            if count in _DROP_ABOVE:
                running.drop(_DROP_ABOVE[count])
            decided = len(running.alive) <= 1 and count >= _MIN_ROUNDS_ALONE
            late = count >= _MIN_ROUNDS and clock.now() > until
            if not running.alive or decided or count >= _MAX_ROUNDS or late:
                break
    return running.ranked()


def run(graph: Graph, answers: Answers, runner: Candidate, source: int) -> tuple[float, str | None]:
    """Wall seconds of one search, and what went wrong; verified outside the clock."""
    task = TASKS[runner.algorithm]
    options = {"device": runner.device} | runner.options
    watch: Any = clock.and_wait if runner.device == "cuda" else clock.on_host
    try:
        answer, taken = watch(partial(task.run, Call(graph, source, options, [source])))
        problem = task.wrong(answers, source, answer)
    except Exception as error:  # CUDA, NVRTC and peers have kinds of their own
        return 0.0, message(error)
    return taken, problem
