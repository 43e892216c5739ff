"""One configuration on one graph: a trial for each source."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

from warpath.bench import clock
from warpath.bench.search_apart import search_apart
from warpath.bench.search_by_peer import search_by_peer
from warpath.bench.subject import Ended, Measured, Search, Subject, ended, threads
from warpath.bench.suite import Configuration
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS, options_of

# Arcs from which a slow configuration is worth a process of its own, that can be stopped: with
# fewer, the slowest method takes less than the default limit.
_WORTH_A_PROCESS = 2_000_000


def measure(
    subject: Subject, configuration: Configuration, limit: float
) -> Iterator[dict[str, Any]]:
    """Fields of each trial; no more of them once their seconds add up to ``limit``.

    A method that refuses a graph leaves one trial that failed; one that has no room for it is left out.
    """
    repetitions = TASKS[configuration.algorithm].repetitions
    starts = subject.sources if repetitions is None else [None] * repetitions
    spent = 0.0
    source = None
    try:
        with _search(subject, configuration, limit) as search:
            for source in starts:
                found = search(source)
                status = "ok" if found.problem is None else "wrong"
                yield {"source": source, "status": status, "why": found.problem} | found.fields
                spent += found.spent
                if spent > limit:
                    return
    except Exception as error:  # CUDA, NVRTC and peers have kinds of their own
        end = error if isinstance(error, Ended) else ended(error)
        yield {"source": source} | end.fields


def _search(
    subject: Subject, configuration: Configuration, limit: float
) -> AbstractContextManager[Search]:
    """By another library, in a process of its own, or here."""
    if configuration.by != "warpath":
        return search_by_peer(subject, configuration)
    if configuration.slow and subject.graph.num_arcs >= _WORTH_A_PROCESS:
        return search_apart(subject, configuration, limit)
    return _search_here(subject, configuration)


@contextmanager
def _search_here(subject: Subject, configuration: Configuration) -> Iterator[Search]:
    """The first call is made twice: cold, then as all others."""
    task, options = TASKS[configuration.algorithm], options_of(configuration)
    on_device = configuration.device == "cuda"
    time_warm: Any = clock.on_device if on_device else clock.on_host
    time_cold: Any = clock.and_wait if on_device else clock.on_host
    cold: float | None = None

    def search(source: int | None) -> Measured:
        nonlocal cold
        call = partial(task.run, Call(subject.graph, source, options, subject.sources))
        if cold is None:
            _, cold = time_cold(call)
        answer, seconds = time_warm(call)
        problem = task.wrong(subject.answers, source, answer)
        own = task.seconds(answer)
        taken = {
            "seconds": seconds if own is None else own,
            "clock": "host" if not on_device else "events" if own is None else task.clock(answer),
            "cold_seconds": cold,
        }
        fields = {
            **(taken if task.timed else {}),
            "arcs": task.arcs(subject.answers, source),
            "verified": problem is None if task.verifies else None,
            **task.counts(answer),
        }
        return Measured(seconds, problem, fields)

    with threads(configuration.threads):
        yield search
