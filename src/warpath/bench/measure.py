"""One configuration on one graph: a cold call, then a trial for each source."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import warpath
from warpath.bench import clock
from warpath.bench.answers import Answers
from warpath.bench.tasks import TASKS

if TYPE_CHECKING:
    from warpath.bench.suite import Configuration
    from warpath.graph.graph import Graph

# Arcs from which a slow configuration is worth a process of its own, that can be stopped: with
# fewer, the slowest method takes less than the default limit.
_WORTH_A_PROCESS = 2_000_000


@dataclass
class Subject:
    """A graph that is measured, and the sources of its searches."""

    graph: "Graph"
    sources: list[int]
    answers: Answers = field(init=False)
    peers: dict[str, tuple[Any, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.answers = Answers(self.graph)


def measure(
    subject: Subject, configuration: "Configuration", limit: float
) -> Iterator[dict[str, Any]]:
    """Fields of each trial; no more of them once their seconds add up to ``limit``.

    A method that refuses a graph, or has no room for it, leaves one trial that failed.
    """
    if configuration.by != "warpath":
        from warpath.bench.peer_trials import measure_peer

        yield from measure_peer(subject, configuration, limit)
        return
    if configuration.slow and subject.graph.num_arcs >= _WORTH_A_PROCESS:
        from warpath.bench.worker import measure_apart

        yield from measure_apart(subject, configuration, limit)
        return
    task = TASKS[configuration.algorithm]
    on_device = configuration.device == "cuda"
    time_warm: Any = clock.on_device if on_device else clock.on_host
    time_cold: Any = clock.and_wait if on_device else clock.on_host
    starts: list[int | None] = [*subject.sources]
    if task.repetitions is not None:
        starts = [None] * task.repetitions
    options = options_of(configuration)

    def call(source: int | None) -> Callable[[], Any]:
        return partial(task.call, subject.graph, source, options, subject.sources)

    cold, spent = None, 0.0
    with threads(configuration.threads):
        for source in starts:
            try:
                if cold is None:
                    _, cold = time_cold(call(source))
                answer, seconds = time_warm(call(source))
                problem = task.wrong(subject.answers, source, answer)
            except Exception as error:  # CUDA, NVRTC and peers have kinds of their own
                yield {"source": source, "status": "failed", "why": message(error)}
                return
            own = task.seconds(answer)
            spent += seconds
            taken = {
                "seconds": seconds if own is None else own,
                "clock": clock_of(configuration.device, own is not None),
                "cold_seconds": cold,
            }
            yield {
                "source": source,
                "status": "ok" if problem is None else "wrong",
                "why": problem,
                **(taken if task.timed else {}),
                "arcs": task.arcs(subject.answers, source),
                "verified": problem is None if task.verifies else None,
                **task.counts(answer),
            }
            if spent > limit:
                return


def clock_of(device: str, own: bool) -> str:
    """``clock`` of a trial."""
    if own:
        return "trace" if device == "cuda" else "host"
    return "events" if device == "cuda" else "host"


def options_of(configuration: "Configuration") -> dict[str, Any]:
    """Keyword arguments of the call, its device among them if it is a search."""
    device = {"device": configuration.device} if TASKS[configuration.algorithm].searches else {}
    return device | dict(configuration.options)


def message(error: BaseException) -> str:
    """What an exception says, in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"


@contextmanager
def threads(count: int | None) -> Iterator[None]:
    """So many threads of the CPU; None: as before."""
    if count is None:
        yield
        return
    before = warpath.num_threads()
    warpath.set_num_threads(min(count, before))
    try:
        yield
    finally:
        warpath.set_num_threads(before)
