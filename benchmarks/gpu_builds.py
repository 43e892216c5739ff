"""Builds of warpath beside each other, in turns, each in a process of its own: did a change make it faster?

    git worktree add ../before REVISION
    python benchmarks/gpu_builds.py ../before/src src [--searches "bfs: grid 2048²" …] [--seconds 300]

A search is `bfs` or `sssp`, a colon, a graph of `gpu_auto.py` or `gpu_balances.py`, and options, as in
"bfs: grid 2048², direction=top-down". Prints for each the ms of all builds by events, with predecessors (the median of
three rounds of five sources, each the median of three searches), and over the first build's. The sums of the distances must be
the same. The benchmarks are those beside this file for all builds.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import fmean, median
from typing import Any

ROUNDS, SOURCES, SEARCHES = 3, 5, 3
CHOSEN = (
    "bfs: grid 2048²",
    "bfs: grid 2048², direction=top-down",
    "bfs: great-britain_osm",
    "bfs: great-britain_osm, direction=top-down",
    "bfs: star and path, direction=top-down",
    "bfs: R-MAT 20, 16",
    "bfs: R-MAT 22, 2",
    "sssp: grid 2048²",
    "sssp: great-britain_osm",
    "sssp: grid 64 × 16384",
    "sssp: delaunay_n20",
    "sssp: star and path",
    "sssp: R-MAT 22, 2",
    "sssp: R-MAT 22, 16",
)


def parse(search: str) -> tuple[str, str, dict[str, str]]:
    """(function, graph, options); a graph's own name may have commas."""
    function, rest = search.split(": ")
    name, *options = rest.split(", ")
    while options and "=" not in options[0]:
        name += ", " + options.pop(0)
    return function, name, dict(option.split("=", 1) for option in options)


def build(folder: str, pipe: Connection) -> None:
    """In a process: search as told, and answer (ms, the sum of the first search's distances)."""
    sys.path.insert(0, folder)
    import cupy
    import gpu_auto
    import gpu_balances
    from gpu_timing import device_ms, some_sources

    import warpath as wp

    if not Path(wp.__file__).is_relative_to(folder):
        raise SystemExit(f"{wp.__file__} is not in {folder}")
    known = gpu_auto.GRAPHS | {name: case.make for name, case in gpu_balances.CASES.items()}
    name = ""
    while (search := pipe.recv()) is not None:
        function, wanted, options = parse(search)
        if wanted != name:
            graph = None
            cupy.get_default_memory_pool().free_all_blocks()
            name, graph = wanted, known[wanted]()
            sources = some_sources(graph)[0][:SOURCES]
        call: Any = partial(getattr(wp, function), graph, device="cuda", trace=False, **options)
        here = call(sources[0]).to_numpy()
        times = [
            median(device_ms(partial(call, source)) for _ in range(SEARCHES)) for source in sources
        ]
        pipe.send((fmean(times), float(here.distance[here.reached].sum(dtype=float))))


def measure(search: str, pipes: Sequence[Connection]) -> None:
    """Print a row."""
    for pipe in pipes:  # makes the graph and compiles, all builds at once
        pipe.send(search)
    sums = [pipe.recv()[1] for pipe in pipes]
    if len(set(sums)) > 1:
        raise SystemExit(f"{search}: other distances, {sums} in all")
    times: list[list[float]] = [[] for _ in pipes]
    for first in range(ROUNDS):
        for k in range(len(pipes)):
            which = (first + k) % len(pipes)
            pipes[which].send(search)
            times[which].append(pipes[which].recv()[0])
    ms = [median(each) for each in times]
    cells = (f"{each:.4g} ({each / ms[0]:.3f})" for each in ms)
    print(f"| {search} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("builds", nargs="+", type=Path, help="folders that `warpath` is in")
    parser.add_argument("--searches", nargs="+", default=CHOSEN)
    parser.add_argument("--seconds", type=float, default=300, help="no more is begun after them")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    context, pipes = get_context("spawn"), []
    for folder in options.builds:
        mine, theirs = context.Pipe()
        context.Process(target=build, args=(str(folder.resolve()), theirs), daemon=True).start()
        theirs.close()  # so that an end over there is seen here
        pipes.append(mine)
    print("| search | " + " | ".join(map(str, options.builds)) + " |")
    print("| --- " * (len(pipes) + 1) + "|")
    for search in options.searches:
        if time.monotonic() < until:
            measure(search, pipes)
    for pipe in pipes:
        pipe.send(None)


if __name__ == "__main__":
    main()
