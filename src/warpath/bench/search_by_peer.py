"""Trials of other people's programs, by their own clocks and rules."""

from collections.abc import Iterator
from contextlib import contextmanager

from warpath.bench import clock
from warpath.bench.peers import PEERS
from warpath.bench.subject import Ended, Measured, Search, Subject
from warpath.bench.suite import Configuration


@contextmanager
def search_by_peer(subject: Subject, configuration: Configuration) -> Iterator[Search]:
    """Searches by another library; its rules stand in ``extra``."""
    name, algorithm, handles = configuration.by, configuration.algorithm, subject.peers
    peer = PEERS[name]

    def search(source: int | None) -> Measured:
        assert source is not None
        try:
            if name not in handles:
                handles[name] = clock.on_host(lambda: peer.prepare(subject.graph))
                peer.run(handles[name][0], algorithm, source)  # warms up
            handle, conversion = handles[name]
            distance, seconds = peer.run(handle, algorithm, source)
        except ValueError as error:  # a graph that this peer cannot take
            raise Ended("left-out", f"{name}: {error}") from None
        problem, verified = None, None
        if distance is not None:
            problem = subject.answers.wrong_values(algorithm, source, distance)
            verified = problem is None
        fields = {
            "seconds": seconds,
            "clock": "own",
            "arcs": subject.answers.arcs(source),
            "verified": verified,
            "extra": {
                "rules": peer.rules, "version": peer.version, "conversion_seconds": conversion,
            },
        }  # fmt: skip
        return Measured(seconds, problem, fields)

    yield search
