"""Trials of other people's programs, by their own clocks and rules."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from warpath.bench import clock
from warpath.bench.measures import Measure, Values, without_weights
from warpath.bench.peers import PEERS
from warpath.bench.subject import Ended, Measured, Search, Subject
from warpath.bench.suite import Configuration
from warpath.bench.tasks import TASKS


@contextmanager
def search_by_peer(subject: Subject, configuration: Configuration) -> Iterator[Search]:
    """Searches by another library; its rules stand in ``extra``."""
    name, algorithm, handles = configuration.by, configuration.algorithm, subject.peers
    peer, task = PEERS[name], TASKS[algorithm]
    measures = isinstance(task, Measure)
    graph = without_weights(subject.graph) if measures else subject.graph
    key = f"{name}, without weights" if measures else name

    def run(handle: Any, source: int | None) -> tuple[Any, float]:
        if isinstance(task, Measure):
            return peer.measure(handle, algorithm, task.sources(source, subject.sources))
        assert source is not None
        return peer.run(handle, algorithm, source)

    def check(source: int | None, found: Any) -> str | None:
        if isinstance(task, Measure):
            values = Values(found, task.sources(source, subject.sources))
            return task.wrong(subject.answers, source, values)
        assert source is not None
        return subject.answers.wrong_values(algorithm, source, found)

    def search(source: int | None) -> Measured:
        try:
            if key not in handles:
                handles[key] = clock.on_host(lambda: peer.prepare(graph))
                run(handles[key][0], source)  # warms up
            handle, conversion = handles[key]
            found, seconds = run(handle, source)
        except ValueError as error:  # a graph that this peer cannot take
            raise Ended("left-out", f"{name}: {error}") from None
        problem, verified = None, None
        if found is not None:
            problem = check(source, found)
            verified = problem is None
        fields = {
            "seconds": seconds,
            "clock": "own",
            "arcs": task.arcs(subject.answers, source),
            "verified": verified,
            "extra": {
                "rules": peer.rules, "version": peer.version, "conversion_seconds": conversion,
            },
        }  # fmt: skip
        return Measured(seconds, problem, fields)

    yield search
