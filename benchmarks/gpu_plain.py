"""Balances compared with plain CUDA kernels of the same techniques: is any of ours much slower?

    python benchmarks/gpu_plain.py [--graphs NAME …] [--balances NAME …] [--sources 5] [--seconds 600]

BFS, top-down, distances only, ms, the median of the sources; a table for each graph:

launches        of the plain search (plain.cu, plain_bfs.py): kernels, prefix sums, and one that begins
plain           by CUDA events, the host's reading of lengths and its launches included
plain, device   the same launches queued ahead, all lengths known: no more than the device takes
ours            `wp.bfs` with the balance, by events, and over the device's time of the plain one

Distances of both are compared, from all sources; the first of ours is verified by its certificate. A split
graph is made before, on both sides.
"""

import argparse
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import cupy
import numpy as np
from gpu_balances import CASES, bfs, draw
from gpu_timing import device_ms, median_ms
from plain_bfs import BLOCK, CHILDREN, CODE, TECHNIQUES, WITH_CHILDREN, Launch, PlainSearch

import warpath as wp
from warpath import devices
from warpath.balance import lookup
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import bfs_kernel
from warpath.planning.fitted_balance import fitted

# Those on which balances are at work: from one source, the grid's frontiers are too narrow for any.
CHOSEN = ("R-MAT 22, 16", "G(", "grid 2048², 4,096 sources", "R-MAT 22, 2 ")
CYCLES_A_SECOND = 2e9  # of a GPU's clock, about


def compile_ours(graph: wp.Graph, balances: Sequence[str]) -> None:
    """Compile kernels of untraced searches in parallel, before they are run."""
    bytes, arch = graph.resident.row_offsets.dtype.itemsize, devices.device(0).arch
    drawing = [("auto", True)]  # of `draw`
    with ProcessPoolExecutor(min(16, os.cpu_count() or 1), get_context("spawn")) as pool:
        for balance, trace in [*drawing, *((each, False) for each in balances)]:
            technique = fitted(lookup(balance), graph)
            kernel, children = (
                bfs_kernel(bytes, technique, False, trace),
                technique.launches_children,
            )
            pool.submit(compile_kernel, "bfs.cuh", kernel, arch, children=children)


def with_children() -> Any:
    """The module of child grids, linked."""
    arch = devices.device(0).arch
    cubin = compile_kernel(str(CHILDREN), WITH_CHILDREN, arch, use_cache=False, children=True)
    module = cupy.cuda.Module()
    module.load(cubin.code)
    return module


def launcher() -> Launch:
    """What launches the plain kernels."""
    plain = cupy.RawModule(code=CODE.read_text(), options=("-std=c++17",))
    kernels: dict[str, Any] = {}

    def launch(name: str, threads: int, *arguments: Any) -> None:
        if name not in kernels:
            module = with_children() if name == WITH_CHILDREN else plain
            kernels[name] = module.get_function(name)
        kernels[name]((-(-threads // BLOCK),), (BLOCK,), arguments)

    return launch


def repeat_ms(search: PlainSearch, launch: Launch) -> float:
    """Milliseconds of the device for the last search once more, all of it queued ahead."""
    began = time.perf_counter()
    search.repeat()
    queuing = time.perf_counter() - began
    launch("hold", 1, np.int64(2 * queuing * CYCLES_A_SECOND))
    return device_ms(search.repeat)


def beside(
    name: str, graph: wp.Graph, sources: Sequence[Any], search: PlainSearch, launch: Launch
) -> tuple[int, float, float, float]:
    """Launches, and milliseconds: plain with the host, plain on the device, ours."""
    rows, ours = [], partial(bfs, graph, trace=False, balance=name)
    for source in sources:
        together = np.atleast_1d(source)
        search.run(together)
        with_host = device_ms(lambda s=together: search.run(s))  # type: ignore[misc]
        rows.append((len(search.launches), with_host, repeat_ms(search, launch)))
        if not bool((search.distance == ours(source).distance).all()):
            raise SystemExit(f"{name}, source {source}: another answer")
    launches, with_host, device = np.median(rows, axis=0).tolist()
    return int(launches), with_host, device, median_ms(ours, sources)


def measure(name: str, balances: Sequence[str], many: int, until: float) -> None:
    """Print a graph's table, as far as there is time."""
    graph = CASES[name].make()
    compile_ours(graph, balances)
    sources = draw(graph, CASES[name].together)[:many]
    bfs(graph, sources[0], trace=False, balance=balances[0]).verify()
    launch = launcher()
    offsets = graph.row_offsets.astype(np.uint32)
    columns = cupy.asarray(graph.resident.column_indices).view(np.uint32)
    print(f"## {name}\n\n{graph.num_vertices:,} vertices, {graph.num_arcs:,} arcs\n")
    print("| balance | launches | plain | plain, device | ours | over it |")
    print("| --- | --- | --- | --- | --- | --- |", flush=True)
    for balance in balances:
        if time.monotonic() > until:
            print("| no more time |")
            break
        search = PlainSearch(cupy, launch, balance, offsets, columns)
        launches, plain, device, ours = beside(balance, graph, sources, search, launch)
        print(
            f"| `{balance}` | {launches} | {plain:.3f} | {device:.3f} | {ours:.3f} "
            f"| {ours / device:.2f} |",
            flush=True,
        )
    print(flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", nargs="+", default=CHOSEN, help="those whose names begin so")
    parser.add_argument("--balances", nargs="+", default=TECHNIQUES, choices=TECHNIQUES)
    parser.add_argument("--sources", type=int, default=5, help="at most 5")
    parser.add_argument("--seconds", type=float, default=600, help="no more is begun after them")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    names = [case for begin in options.graphs for case in CASES if case.startswith(begin)]
    for name in dict.fromkeys(names):
        if time.monotonic() < until:
            measure(name, list(options.balances), options.sources, until)
            cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
