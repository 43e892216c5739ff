"""A process of its own for what may take too long: a kernel cannot be stopped, a process can."""

import multiprocessing
import tempfile
from collections.abc import Iterator
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.bench import clock
from warpath.bench.measure import Subject, message, options_of, threads
from warpath.bench.tasks import TASKS

if TYPE_CHECKING:
    from warpath.bench.suite import Configuration

# Seconds beyond the limit that the other process has to start, and to load graph and kernels.
_TO_START = 120.0


def measure_apart(
    subject: Subject, configuration: "Configuration", limit: float
) -> Iterator[dict[str, Any]]:
    """As `warpath.bench.measure.measure`, but a call that takes longer than ``limit`` is ended."""
    context = multiprocessing.get_context("spawn")  # a fork would share the GPU's context
    ours, theirs = context.Pipe()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.npz"
        from warpath.io import write

        write(subject.graph, file)
        process = context.Process(
            target=_serve, args=(theirs, str(file), configuration, subject.sources), daemon=True
        )
        process.start()
        try:
            yield from _ask(ours, subject, configuration, limit)
        finally:
            process.kill()
            process.join()


def _ask(
    ours: Connection, subject: Subject, configuration: "Configuration", limit: float
) -> Iterator[dict[str, Any]]:
    """Let one source after the other be searched from."""
    task = TASKS[configuration.algorithm]
    if not ours.poll(_TO_START):
        yield {"status": "failed", "why": f"its process did not start within {_TO_START:g} s"}
        return
    ours.recv()  # it is ready
    spent = 0.0
    for source in subject.sources:
        ours.send(source)
        if not ours.poll(limit):
            yield {
                "source": source, "status": "over-limit", "seconds": limit, "clock": "host",
                "why": f"ended after {limit:g} s",
            }  # fmt: skip
            return
        try:
            seconds, distance, counts, error = ours.recv()
        except EOFError:
            yield {"source": source, "status": "failed", "why": "its process ended"}
            return
        if error is not None:
            yield {"source": source, "status": "failed", "why": error}
            return
        problem = subject.answers.wrong(task.name, source, distance)
        spent += seconds
        yield {
            "source": source,
            "status": "ok" if problem is None else "wrong",
            "why": problem,
            "seconds": seconds,
            "clock": "host",
            "arcs": task.arcs(subject.answers, source),
            "verified": problem is None,
            **counts,
        }
        if spent > limit:
            return


def _serve(theirs: Connection, file: str, configuration: "Configuration", sources: Any) -> None:
    """In the other process: load, warm up on a small graph, then search when asked."""
    from warpath.graph.graph import Graph
    from warpath.io import read

    task, options = TASKS[configuration.algorithm], options_of(configuration)
    graph = read(file)
    weights = None if graph.weights is None else np.ones(2, graph.weights.dtype)
    small = Graph.from_edges([0, 1], [1, 2], weights, n=3, directed=graph.directed)
    with threads(configuration.threads):
        task.call(small, 0, options, [0])
        theirs.send("ready")
        while True:
            try:
                source = theirs.recv()
            except EOFError:
                return
            try:
                answer, seconds = clock.on_host(partial(task.call, graph, source, options, sources))
                theirs.send((seconds, answer.distance, task.counts(answer), None))
            except Exception as error:  # the other process must go on
                theirs.send((None, None, None, message(error)))
