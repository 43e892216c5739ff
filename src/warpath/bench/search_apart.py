"""A process of its own for what may take too long: a kernel cannot be stopped, a process can."""

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from warpath.bench import clock
from warpath.bench.subject import Ended, Measured, Search, Subject, ended, threads
from warpath.bench.suite import Configuration
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS, options_of
from warpath.graph.graph import Graph
from warpath.io import read, write

# Seconds beyond the limit that the other process has to start, and to load graph and kernels.
_TO_START = 120.0


@contextmanager
def search_apart(subject: Subject, configuration: Configuration, limit: float) -> Iterator[Search]:
    """Searches in another process, which is ended if one takes longer than ``limit``."""
    task = TASKS[configuration.algorithm]
    context = multiprocessing.get_context("spawn")  # a fork would share the GPU's context
    ours, theirs = context.Pipe()
    ready = False

    def search(source: int | None) -> Measured:
        nonlocal ready
        assert source is not None
        if not ready:
            late = f"its process did not start within {_TO_START:g} s"
            _reply(ours, _TO_START, Ended("failed", late))
            ready = True
        ours.send(source)
        late = f"ended after {limit:g} s"
        seconds, distance, counts = _reply(
            ours, limit, Ended("over-limit", late, seconds=limit, clock="host")
        )
        problem = subject.answers.wrong(task.name, source, distance)
        fields = {
            "seconds": seconds,
            "clock": "host",
            "arcs": task.arcs(subject.answers, source),
            "verified": problem is None,
            **counts,
        }
        return Measured(seconds, problem, fields)

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "graph.npz"
        write(subject.graph, file)
        process = context.Process(
            target=_serve, args=(theirs, str(file), configuration, subject.sources), daemon=True
        )
        process.start()
        theirs.close()  # so that the pipe ends with the process
        try:
            yield search
        finally:
            process.kill()
            process.join()


def _reply(ours: Connection, seconds: float, late: Ended) -> Any:
    """What the other process sends next, or raise it; ``late`` if it takes longer than ``seconds``."""
    if not ours.poll(seconds):
        raise late
    try:
        value, end = ours.recv()
    except EOFError:
        raise Ended("failed", "its process ended") from None
    if end is not None:
        raise Ended(**end)
    return value


def _serve(theirs: Connection, file: str, configuration: Configuration, sources: Any) -> None:
    """In the other process: load, warm up on a small graph, then search when asked."""
    task, options = TASKS[configuration.algorithm], options_of(configuration)
    graph = read(file)
    weights = None if graph.weights is None else np.ones(2, graph.weights.dtype)
    small = Graph.from_edges([0, 1], [1, 2], weights, n=3, directed=graph.directed)

    def warm_up() -> None:
        task.run(Call(small, 0, options, [0]))

    def search(source: int) -> tuple[float, Any, dict[str, Any]]:
        answer, seconds = clock.on_host(partial(task.run, Call(graph, source, options, sources)))
        return seconds, answer.distance, task.counts(answer)

    def reply(call: Callable[[], Any]) -> None:
        try:
            theirs.send((call(), None))
        except Exception as error:  # the other process must continue
            theirs.send((None, ended(error).fields))

    with threads(configuration.threads):
        reply(warm_up)
        while True:
            try:
                source = theirs.recv()
            except EOFError:
                return
            reply(partial(search, source))
