"""Before anything is measured: compile what suites need, by as many processes as there are cores.

NVRTC takes seconds per kernel and Numba likewise, one after the other, and a suite has some fifteen
kernels. Both keep what they compiled on disk; so other processes run each configuration once, on tiny
graphs, and the suite finds all of it there.
"""

import multiprocessing
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any

from warpath import devices
from warpath.bench import paper_graphs
from warpath.bench.answers import Answers
from warpath.bench.candidates import Candidate
from warpath.bench.paper_weights import weighted
from warpath.bench.runner import Settings
from warpath.bench.subject import threads
from warpath.bench.suite import Case, Configuration, Suite
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS, options_of
from warpath.graph.graph import Graph
from warpath.io import read, write
from warpath.parallel import cores
from warpath.planning.degrees import is_sparse
from warpath.typing import BuildDeviceName

# Above 4096, from which on an engine may take another kernel, and below what takes time.
_VERTICES = 6000
_SECONDS = 120.0  # for all: far more than compiling takes, so that what hangs does not for ever
_CONTEXT_BYTES = 2**29  # of a GPU's memory that a process takes by being there: a guess
_SCALES = (
    1e-4,
    1e-3,
    1e-2,
    1e-1,
    1.0,
)  # of a suite's own graphs: the first that gives enough vertices


def prepare(
    suites: Iterable[Suite],
    settings: Settings,
    processes: int | None = None,
    seconds: float = _SECONDS,
) -> int:
    """Run each configuration once, somewhere else; what fails here fails again where it is seen.

    Parameters
    ----------
    suites : iterable of Suite
    settings : Settings
        Which devices, and which of the suites' graphs and configurations.
    processes : int, optional
        By default one a core.
    seconds : float
        Then what is still running is ended.

    Returns
    -------
    int
        How many configurations there were.
    """
    return _elsewhere(_run, [*_tasks(suites, settings)], processes, seconds)


def prepare_races(
    races: Iterable[tuple[Graph, Iterable[Candidate]]],
    processes: int | None = None,
    seconds: float = _SECONDS,
) -> int:
    """The same for candidates, on the very graphs: see `prepare`.

    As many processes as have room for the largest in half of the GPU's memory, but one at least.
    """
    with tempfile.TemporaryDirectory() as folder:
        tasks, largest = [], 0
        for number, (graph, runners) in enumerate(races):
            file = Path(folder) / f"{number}.npz"
            if ways := [(one.algorithm, {"device": one.device} | one.options) for one in runners]:
                write(graph, file)
                largest = max(largest, os.path.getsize(file))
            tasks += [(*way, str(file)) for way in ways]
        most = processes or len(cores.allowed())
        if devices.missing() is None:
            room = devices.require().memory // 2
            most = min(most, max(1, room // (_CONTEXT_BYTES + 2 * largest)))
        return _elsewhere(_run_file, tasks, most, seconds)


def _elsewhere(
    function: Callable[..., None], tasks: list[Any], processes: int | None, seconds: float
) -> int:
    """Call a function with each of the tasks, in other processes; how many there were."""
    if not tasks:
        return 0
    count = min(processes or len(cores.allowed()), len(tasks))
    # A fork would share the GPU's context.
    pool = ProcessPoolExecutor(count, multiprocessing.get_context("spawn"))
    futures = [pool.submit(function, *task) for task in tasks]
    unfinished = wait(futures, timeout=seconds).not_done
    workers = [*(pool._processes or {}).values()]
    pool.shutdown(wait=not unfinished, cancel_futures=True)
    if unfinished:
        for worker in workers:
            worker.kill()
    return len(tasks)


def _tasks(
    suites: Iterable[Suite], settings: Settings
) -> Iterator[tuple[str, dict[str, Any], list[Graph]]]:
    """Each configuration that differs from others, with graphs of each kind that it will see."""
    seen: dict[str, tuple[Configuration, dict[Any, Graph]]] = {}
    for suite in suites:
        graphs = {}
        for case in settings.cases_of(suite):
            graph = _tiny(case, settings.maker)
            sparse = is_sparse(graph)
            graphs[graph.directed, case.weights, sparse] = graph
        for one in settings.configurations_of(suite):
            if one.by == "warpath" and settings.leaves_out(one) is None:
                key = repr((one.algorithm, one.device, sorted(one.options.items(), key=str)))
                seen.setdefault(key, (one, {}))[1].update(graphs)
    for one, graphs in seen.values():
        yield one.algorithm, options_of(one), [*graphs.values()]


def _tiny(case: Case, device: BuildDeviceName) -> Graph:
    """A small graph of the case's kind."""
    if case.build is None:
        few = _VERTICES / paper_graphs.published(case.name).vertices
        graph, _ = paper_graphs.graph(case.name, min(few, 1.0), device=device)
        return weighted(graph, case.weights)
    for scale in _SCALES:
        graph = case.build(scale, 1, device)
        if graph.num_vertices >= _VERTICES:
            break
    return weighted(graph, case.weights)


def _run(algorithm: str, options: dict[str, Any], graphs: list[Graph]) -> None:
    """In another process."""
    task = TASKS[algorithm]
    with threads(1):  # the cores are for the processes
        for graph in graphs:
            hub = int(graph.degree.argmax())
            try:
                answer = task.run(Call(graph, hub, options, [hub, hub]))
                task.wrong(Answers(graph), hub, answer)  # has kernels of its own
            except Exception:
                continue


def _run_file(algorithm: str, options: dict[str, Any], file: str) -> None:
    """Likewise, with the graph of a file."""
    _run(algorithm, options, [read(file)])
