"""Builds of warpath compared, interleaved, each in a process of its own: did a change make it faster?

    git worktree add ../before REVISION
    python benchmarks/gpu_builds.py ../before/src src [--searches "bfs: grid 2048²" …] [--only TEXT …]
                                    [--seconds 300]

A search is a function, a colon, a graph of `gpu_graphs.py`, and options, as in
"bfs: grid 2048², direction=top-down" or "sssp: R-MAT 20, 16, method=h-bf". The functions:

bfs, sssp    from a source, with predecessors
st           `st_connected` from a source to a vertex that is farthest from it
bfs-batch,   a row for each of 1,024 sources, which a GPU searches at once if the graph is small
sssp-batch

An option's value is a Python literal without ", ", or else a string. Options that the function does not take
itself, and a `preset`, are parts of its `schedule=`. "*" stands for every name that the builds know:
"bfs: R-MAT 18, 16, balance=*" is a search with each balance.

Prints for each the ms of all builds by events (the median of three rounds of five sources, each the median of
three searches), and over the first build's. The sums of the distances must be the same. "-" is a search
that a build cannot run, and why. The benchmarks are those next to this file for all builds.
"""

import argparse
import os
import time
from ast import literal_eval
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from inspect import signature
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean, median
from textwrap import shorten
from typing import Any

from gpu_kernels import enter

ROUNDS, SOURCES, SEARCHES = 3, 5, 3
BATCH = 1024  # sources
WHY = 100  # characters of why a build cannot run a search
# Searches of a graph stand together: it is made once.
CHOSEN = (
    "bfs: grid 2048²",
    "bfs: grid 2048², direction=top-down",
    "st: grid 2048²",
    "sssp: grid 2048²",
    "bfs: great-britain_osm",
    "bfs: great-britain_osm, direction=top-down",
    "sssp: great-britain_osm",
    "bfs: star and path, direction=top-down",
    "sssp: star and path",
    "sssp: grid 64 × 16384",
    "sssp: delaunay_n20",
    "bfs: R-MAT 20, 16",
    "bfs: R-MAT 20, 16, direction=top-down",
    "bfs: R-MAT 20, 16, frontier=*",
    "bfs: R-MAT 20, 16, duplicates=*",
    "st: R-MAT 20, 16",
    "sssp: R-MAT 20, 16",
    "sssp: R-MAT 20, 16, method=h-bf",
    "sssp: R-MAT 20, 16, method=near-far",
    "sssp: R-MAT 20, 16, method=bucketing",
    "sssp: R-MAT 20, 16, method=workfront-sweep",
    "bfs: R-MAT 22, 2",
    "sssp: R-MAT 22, 2",
    "sssp: R-MAT 22, 16",
    "bfs: R-MAT 23, 16",
    "bfs: R-MAT 23, 16, direction=top-down",
    "sssp: R-MAT 23, 16",
    "bfs: G(2²², 2²⁶)",
    "sssp: G(2²², 2²⁶)",
    "bfs-batch: R-MAT 14, 16",
    "sssp-batch: R-MAT 14, 16",
    "bfs-batch: grid 200²",
    "sssp-batch: grid 200²",
    "bfs: R-MAT 18, 16, balance=*",
)


def parse(search: str) -> tuple[str, str, dict[str, Any]]:
    """(function, graph, options); a graph's own name may have commas."""
    function, rest = search.split(": ")
    name, *options = rest.split(", ")
    while options and "=" not in options[0]:
        name += ", " + options.pop(0)
    pairs = (option.partition("=") for option in options)
    return function, name, {key: _value(text) for key, _, text in pairs}


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def expand(search: str, names: Mapping[str, Sequence[str]]) -> list[str]:
    """The searches that one stands for, of which an option may be "*".

    Parameters
    ----------
    names : mapping
        What "*" is of each option.
    """
    before, star, after = search.partition("=*")
    if not star:
        return [search]
    option = before.rpartition(", ")[2]
    if option not in names:
        raise SystemExit(
            f"{search}: no build has names for {option!r}, only for {', '.join(names)}"
        )
    return [one for name in names[option] for one in expand(f"{before}={name}{after}", names)]


def names_known() -> dict[str, tuple[str, ...]]:
    """What options that take names may be, in this process's build."""
    from typing import get_args

    from warpath import typing

    ends = "Name"
    return {
        name.removesuffix(ends).lower(): get_args(value)
        for name, value in vars(typing).items()
        if name.endswith(ends)
    }


def made(name: str, small: bool = False) -> Any:
    """A graph of `gpu_graphs.py`."""
    import gpu_graphs

    known = gpu_graphs.GRAPHS | gpu_graphs.OTHERS
    if name not in known:
        raise ValueError(f"no graph {name!r} in gpu_graphs.py, which has {', '.join(known)}")
    return known[name](small=small)


class Searches:
    """Searches of one graph after the other, by this process's build."""

    def __init__(self) -> None:
        self.name, self.graph = "", None
        self.sources: list[int] = []
        self.starts: dict[str, list[tuple[Any, ...]]] = {}  # by function

    def enter_graph(self, name: str) -> None:
        """Make a graph, if it is not the one before."""
        import cupy
        from gpu_timing import some_sources

        if name == self.name:
            return
        self.name, self.graph = "", None
        self.starts.clear()
        cupy.get_default_memory_pool().free_all_blocks()
        graph = self.graph = made(name)
        self.sources = some_sources(graph)[0][:SOURCES]
        self.name = name

    def run(self, search: str) -> tuple[float, float]:
        """(ms, the sum of the first search's distances)."""
        from gpu_timing import device_ms

        function, name, options = parse(search)
        self.enter_graph(name)
        call = calls(function, self.graph, options)
        if function not in self.starts:
            self.starts[function] = starts(function, self.graph, self.sources)
        begins = self.starts[function]
        total = sum_of(call(*begins[0]))
        times = [median(device_ms(partial(call, *one)) for _ in range(SEARCHES)) for one in begins]
        return fmean(times), total


def calls(function: str, graph: Any, options: Mapping[str, Any]) -> partial[Any]:
    """A function of warpath, without where it starts."""
    import warpath as wp

    functions: dict[str, Any] = {
        "bfs": partial(wp.bfs, trace=False),
        "sssp": partial(wp.sssp, trace=False),
        "st": wp.st_connected,
        "bfs-batch": partial(wp.bfs, trace=False),
        "sssp-batch": partial(wp.sssp, trace=False),
    }
    if function not in functions:
        raise ValueError(f"no function {function!r}; choose one of {', '.join(functions)}")
    search = functions[function]
    return partial(search, graph, device="cuda", **scheduled(options, signature(search).parameters))


def scheduled(options: Mapping[str, Any], taken: Collection[str]) -> dict[str, Any]:
    """Options as a function takes them, whose parameters' names are ``taken``."""
    # Builds before `wp.Schedule` take each of its fields, and a preset, as an argument of its own.
    if "schedule" not in taken:
        return dict(options)
    own, parts = dict[str, Any](), list[str]()
    for name, value in options.items():
        if name == "preset":
            from warpath.schedule.presets import lookup

            lookup(value)  # some older builds' presets have names of balances
        if name in ("schedule", "preset"):
            parts.insert(0, str(value))
        elif name in taken:
            own[name] = value
        else:
            text = value if isinstance(value, (str, int, float)) else "+".join(value) or "none"
            parts.append(f"{name}={text}")
    return own | ({"schedule": ",".join(parts)} if parts else {})


def starts(function: str, graph: Any, sources: Sequence[int]) -> list[tuple[Any, ...]]:
    """What each of a function's searches begins from: the same in all builds."""
    import numpy as np

    if function == "st":
        return [(source, farthest(graph, source)) for source in sources]
    if function.endswith("-batch"):
        rng = np.random.default_rng(3)
        return [(rng.integers(0, graph.num_vertices, BATCH),) for _ in sources]
    return [(source,) for source in sources]


def farthest(graph: Any, source: int) -> int:
    """The first of the vertices that are farthest from a source, in edges."""
    import warpath as wp

    found = wp.bfs(graph, source, device="cuda", predecessors=False, trace=False)
    return int(found.to_numpy().distance.argmax())


def sum_of(answer: Any) -> float:
    """Of all distances."""
    if not hasattr(answer, "to_numpy"):  # of two vertices
        return -1.0 if answer.distance is None else float(answer.distance)
    here = answer.to_numpy()
    return float(here.distance[here.reached].sum(dtype=float))


def serve(folder: str, pipe: Connection) -> None:
    """In a process: the names that the build knows, then for each search what `Searches.run` says.

    Or why the build cannot run it.
    """
    enter(folder)
    import cupy

    pipe.send(names_known())
    searches = Searches()
    while (search := pipe.recv()) is not None:
        try:
            answer: tuple[float, float] | str = searches.run(search)
        except Exception as error:
            cupy.cuda.Device().synchronize()  # ends the process if the error broke its context
            answer = f"{type(error).__name__}: {error}"
        pipe.send(answer)


class Build:
    """A process with a build of warpath.

    Attributes
    ----------
    folder : Path
    names : dict
        Those that it knows, by option.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._start()
        self.names: dict[str, tuple[str, ...]] = {}

    def _start(self) -> None:
        context = get_context("spawn")
        self.pipe, theirs = context.Pipe()
        context.Process(
            target=serve, args=(str(self.folder.resolve()), theirs), daemon=True
        ).start()
        theirs.close()  # so that an end over there is seen here

    def wait(self) -> None:
        """Until it is ready."""
        try:
            self.names = self.pipe.recv()
        except EOFError:
            raise SystemExit(f"{self.folder}: its process ended while it started") from None

    def send(self, search: str) -> None:
        """Let it search."""
        self.pipe.send(search)

    def answer(self) -> tuple[float, float] | str:
        """What the search took, and the sum of its distances; or why it cannot run."""
        try:
            return self.pipe.recv()  # type: ignore[no-any-return]
        except (EOFError, OSError):
            self._start()
            self.wait()
            return "its process ended"

    def close(self) -> None:
        """End the process."""
        self.pipe.send(None)


def compile_small(search: str) -> None:
    """In a process of a pool: put a search's kernels into the cache on disk."""
    with suppress(Exception):  # what it is, the search itself will say
        function, name, options = parse(search)
        graph = made(name, small=True)
        call = calls(function, graph, options)
        call(*starts(function, graph, [0])[0])


def compile_ahead(folders: Sequence[Path], searches: Sequence[str]) -> None:
    """Let all cores compile what the builds' searches need."""
    workers = max(1, min(16, os.cpu_count() or 1) // len(folders))
    context = get_context("spawn")
    pools = [
        ProcessPoolExecutor(workers, context, enter, (str(folder.resolve()),)) for folder in folders
    ]
    with suppress(BrokenProcessPool):  # then the searches compile what is left
        tasks = [pool.submit(compile_small, search) for search in searches for pool in pools]
        for task in tasks:
            task.result()
    for pool in pools:
        pool.shutdown()


def measure(search: str, builds: Sequence[Build]) -> str:
    """A row of the table."""
    for build in builds:  # makes the graph, all builds at once
        build.send(search)
    answers = [build.answer() for build in builds]
    sums = [answer[1] for answer in answers if not isinstance(answer, str)]
    if len(set(sums)) > 1:
        raise SystemExit(f"{search}: other distances, {sums} in all")
    times: list[list[float]] = [[] for _ in builds]
    for first in range(ROUNDS):
        for k in range(len(builds)):
            which = (first + k) % len(builds)
            if isinstance(answers[which], str):
                continue
            builds[which].send(search)
            answer = builds[which].answer()
            if isinstance(answer, str):
                answers[which] = answer
            else:
                times[which].append(answer[0])
    base = None if isinstance(answers[0], str) else median(times[0])
    cells = [cell(answer, each, base) for answer, each in zip(answers, times, strict=True)]
    return f"| {search} | {' | '.join(cells)} |"


def cell(answer: tuple[float, float] | str, times: Sequence[float], base: float | None) -> str:
    """What a build took, and over the first build's; or why it did not run."""
    if isinstance(answer, str):
        return f"- ({shorten(answer, WHY)})".replace("|", "¦")
    ms = median(times)
    return f"{ms:.4g}" if base is None else f"{ms:.4g} ({ms / base:.3f})"


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("builds", nargs="+", type=Path, help="folders that `warpath` is in")
    parser.add_argument("--searches", nargs="+", default=CHOSEN)
    parser.add_argument("--only", nargs="+", default=[""], help="searches with such a text")
    parser.add_argument("--seconds", type=float, default=300, help="no more is begun after them")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    builds = [Build(folder) for folder in options.builds]
    names: dict[str, list[str]] = {}
    for build in builds:
        build.wait()
        for option, known in build.names.items():
            names[option] = list(dict.fromkeys([*names.get(option, []), *known]))
    searches = [one for search in options.searches for one in expand(search, names)]
    searches = [search for search in searches if any(text in search for text in options.only)]
    compile_ahead(options.builds, searches)
    print("| search | " + " | ".join(map(str, options.builds)) + " |")
    print("| --- " * (len(builds) + 1) + "|")
    for search in searches:
        if time.monotonic() < until:
            print(measure(search, builds), flush=True)
    for build in builds:
        build.close()


if __name__ == "__main__":
    main()
