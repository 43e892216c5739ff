"""Trials of other people's programs, by their own clocks and rules."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from warpath.bench import clock
from warpath.bench.measure import Subject, message

if TYPE_CHECKING:
    from warpath.bench.suite import Configuration


def measure_peer(
    subject: Subject, configuration: "Configuration", limit: float
) -> Iterator[dict[str, Any]]:
    """As `warpath.bench.measure.measure`; the peer's rules stand in ``extra``."""
    from warpath.bench import peers

    found = {peer.name: peer for peer in peers.available(configuration.device)}
    if configuration.by not in found:
        why = peers.missing(configuration.device).get(configuration.by, "not installed")
        yield {"status": "left-out", "why": f"{configuration.by}: {why}"}
        return
    peer, algorithm = found[configuration.by], configuration.algorithm
    spent = 0.0
    for source in subject.sources:
        try:
            if configuration.by not in subject.peers:
                subject.peers[configuration.by] = clock.on_host(lambda: peer.prepare(subject.graph))
                peer.run(subject.peers[configuration.by][0], algorithm, source)  # warms up
            handle, conversion = subject.peers[configuration.by]
            distance, seconds = peer.run(handle, algorithm, source)
        except ValueError as error:  # a graph that this peer cannot take
            yield {"source": source, "status": "left-out", "why": f"{configuration.by}: {error}"}
            return
        except Exception as error:  # each peer has kinds of its own
            yield {"source": source, "status": "failed", "why": message(error)}
            return
        problem, verified = None, None
        if distance is not None:
            problem = subject.answers.wrong_values(algorithm, source, distance)
            verified = problem is None
        spent += seconds
        yield {
            "source": source,
            "status": "ok" if problem is None else "wrong",
            "why": problem,
            "seconds": seconds,
            "clock": "own",
            "arcs": subject.answers.arcs(source),
            "verified": verified,
            "extra": {
                "rules": peer.rules, "version": peer.version, "conversion_seconds": conversion,
            },
        }  # fmt: skip
        if spent > limit:
            return
