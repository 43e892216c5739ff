"""Which balance wins where? Each of them on the same frontiers, and what `auto` should ask.

    python benchmarks/gpu_balances.py [--quick] [--all-knobs] [--balances NAME …] [--graphs NAME …]
                                      [--json FILE]

prints Markdown tables and a suggestion:

1. For each graph, of each balance: ms of BFS top-down and of shortest paths (delta-stepping, weights
   1 … 255), distances only, the median of the sources by CUDA events, the first answer compared with
   one that its certificate has verified; and microseconds of the largest frontiers that the whole grid
   expanded, by the trace: smaller ones take no balance. Then `auto` interleaved with those that came
   within 10 % of the fastest: among thirty, the fastest of one measurement was lucky too.
2. What `auto`'s rule would take on these frontiers with other thresholds, over what the best
   technique of each frontier takes. Each graph counts the same.

How evenly each balance shares the arcs is `gpu_load_imbalance.py`'s part.
"""

import argparse
import json
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cupy
import numpy as np
from gpu_graphs import grid, rmat, stand_in, star_and_path, uniform
from gpu_timing import in_turns, median_ms

import warpath as wp
from warpath import devices
from warpath.balance import TECHNIQUES, VISITING, lookup
from warpath.balance.auto import FEW_ARCS, MAX_TO_MEAN
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import bfs_kernel, sssp_kernel
from warpath.planning.degrees import is_sparse
from warpath.planning.fitted_balance import fitted

SOURCES, REPEATS = 5, 3
WIDTHS = (1, 2, 4, 8, 16, 32)
OF_WIDTH = {
    width: str(lookup("thread-mapped" if width == 1 else f"virtual-warp:width={width}"))
    for width in WIDTHS
}
OF_FEW_ARCS = "merge-path:coupling=balanced-gathering"
# In addition to every technique with its default knobs.
VARIANTS = (
    "dynamic-virtual-warp:dynamic_parallelism=4096",
    *OF_WIDTH.values(), OF_FEW_ARCS, "virtual-warp:defer_outliers=64",
    "virtual-warp:dynamic_distribution=32", "merge-path:coupling=global",
    "merge-path:coupling=balanced-redistribution", "multi-phase-search:access=scattered",
    "edge-parallel:chunking=off", "workload-decomposition:edges=8",
    "hierarchical:MDT=64", "node-splitting:MDT=64", VISITING,
)  # fmt: skip
THRESHOLDS = (0, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64)  # arcs per vertex or lane
RIVALS, NEAR = 4, 1.1  # interleaved with `auto`: how many, and times the fastest
SHOWN = 2  # iterations of a graph: those with most arcs


@dataclass(frozen=True)
class Case:
    """A graph, and how searches in it begin: from one vertex each, or from many together."""

    make: Callable[[], wp.Graph]
    together: int = 1


CASES = {
    "grid 2048²": Case(grid(2048, 2048)),
    "grid 2048², 4,096 sources": Case(grid(2048, 2048), together=4096),
    "G(2²², 2²⁶)": Case(uniform(2**22, 2**26)),
    "R-MAT 22, 2 edges": Case(rmat(22, 2, simple=True)),
    "R-MAT 22, 16 edges": Case(rmat(22, 16, simple=True)),
    "R-MAT 22, 64 edges": Case(rmat(22, 64, simple=True)),
    "star and path": Case(star_and_path(2**20, 1000)),
    **{
        name: Case(stand_in(name))  # the survey's figures 12 to 15
        for name in ("great-britain_osm", "web-NotreDame", "circuit5M", "kron_g500-logn20")
    },
}
QUICK = ("R-MAT 22, 2 edges", "grid 2048², 4,096 sources")


@dataclass(frozen=True)
class Frontier:
    """One iteration: what there was to do, and nanoseconds of each technique."""

    graph: str
    ratio: float  # the largest degree over the mean
    iteration: int
    vertices: int
    arcs: int
    nanoseconds: dict[str, float]

    @property
    def mean(self) -> float:
        """Arcs per vertex."""
        return self.arcs / self.vertices


@dataclass(frozen=True)
class Rule:
    """`auto` with thresholds: the nanoseconds of what it takes."""

    few: float  # arcs
    regular: float  # largest over mean degree, at most

    def __call__(self, frontier: Frontier) -> float:
        if frontier.ratio > self.regular:
            merge = frontier.mean <= self.few
            return frontier.nanoseconds[OF_FEW_ARCS if merge else VISITING]
        width = next((w for w in WIDTHS if frontier.mean <= self.few * w), WIDTHS[-1])
        return frontier.nanoseconds[OF_WIDTH[width]]


def draw(graph: wp.Graph, together: int) -> list[Any]:
    """Seeded sources of the hub's strong component: a vertex, or an array, for each search."""
    offsets = cupy.asarray(graph.resident.row_offsets)
    hub = int((offsets[1:] - offsets[:-1]).argmax())
    reached = wp.bfs(graph, hub, device="cuda", predecessors=False).distance >= 0
    if graph.directed:
        reached &= wp.bfs(graph.reverse, hub, device="cuda", predecessors=False).distance >= 0
    members = cupy.flatnonzero(reached).get()
    rng = np.random.default_rng(2)
    if together == 1:
        return rng.choice(members, SOURCES).tolist()  # type: ignore[no-any-return]
    return [rng.choice(members, together, replace=False) for _ in range(SOURCES)]


def bfs(graph: wp.Graph, source: Any, balance: str | None = None, **options: Any) -> Any:
    """Breadth-first, top-down."""
    how = wp.Schedule(balance=balance, direction="top-down")
    options = {"nearest": np.ndim(source) > 0, "schedule": how} | options
    return wp.bfs(graph, source, device="cuda", predecessors=False, **options)


def sssp(graph: wp.Graph, source: Any, balance: str | None = None, **options: Any) -> Any:
    """Shortest paths."""
    options = {"nearest": np.ndim(source) > 0, "method": "delta-stepping"} | options
    return wp.sssp(graph, source, device="cuda", predecessors=False, schedule=balance, **options)


SEARCHES = {"BFS": bfs, "SSSP": sssp}


_compiled: set[str] = set()


def compile_all(graph: wp.Graph, balances: Iterable[str]) -> None:
    """Compile a graph's kernels that no graph had, in parallel processes, before they are run."""
    bytes, asynchronous = graph.resident.row_offsets.dtype.itemsize, is_sparse(graph)
    arch = devices.device(0).arch
    jobs = {}
    for balance in balances:
        visits, relaxes = (
            fitted(lookup(balance), graph, relaxes=r) for r in (None, "delta-stepping")
        )
        children = visits.launches_children
        types = ("NearFarRelaxing", "int32", "int32", relaxes, False, asynchronous and not children)
        for trace in (False, True):
            jobs[bfs_kernel(bytes, visits, False, trace)] = "bfs.cuh", children
        jobs[sssp_kernel(bytes, *types, False)] = "algorithms/sssp.cuh", children
    todo = jobs.keys() - _compiled
    _compiled.update(todo)
    if todo:
        with ProcessPoolExecutor(min(16, os.cpu_count() or 1), get_context("spawn")) as pool:
            for kernel in todo:
                header, children = jobs[kernel]
                pool.submit(compile_kernel, header, kernel, arch, children=children)


def frontiers(name: str, graph: wp.Graph, source: Any, balances: Sequence[str]) -> list[Frontier]:
    """The top-down iterations from ``source`` that take a balance."""
    times, is_large = {}, True
    for balance in balances:
        runs = []
        for _ in range(REPEATS):
            stats = bfs(graph, source, balance=balance).stats
            runs.append(stats.nanoseconds)
            is_large = is_large & (np.array(stats.mode) == "grid")
        times[balance] = np.median(runs, axis=0)
    ratio = graph.largest_degree * graph.num_vertices / graph.num_arcs
    return [
        Frontier(
            name, float(ratio), int(i), int(stats.frontier[i]), int(stats.edges[i]),
            {balance: float(row[i]) for balance, row in times.items()},
        )
        for i in np.flatnonzero(is_large)
    ]  # fmt: skip


def regret(found: Sequence[Frontier], taken: Callable[[Frontier], float]) -> float:
    """Time by a rule over that of each frontier's best technique: the mean of the graphs."""
    ratios = []
    for name in dict.fromkeys(frontier.graph for frontier in found):
        mine = [frontier for frontier in found if frontier.graph == name]
        best = sum(min(frontier.nanoseconds.values()) for frontier in mine)
        ratios.append(sum(map(taken, mine)) / best)
    return float(np.mean(ratios)) if ratios else 1.0


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print Markdown."""
    print("| " + " | ".join(header) + " |\n|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print(flush=True)


def suggest(found: Sequence[Frontier]) -> None:
    """Fit the thresholds of `auto`, and say what they gain."""
    always = [
        (balance, regret(found, lambda frontier: frontier.nanoseconds[balance]))  # noqa: B023
        for balance in found[0].nanoseconds
    ]
    print("Time over that of the best technique of each frontier:\n")
    always.sort(key=lambda row: row[1])
    table(["always", "×"], [(balance, f"{value:.3f}") for balance, value in always])
    ratios = [0.0, *sorted({frontier.ratio for frontier in found})]
    rules = {
        (few, ratio): regret(found, Rule(few, ratio)) for few in THRESHOLDS for ratio in ratios
    }
    table(
        ["few arcs", *(f"regular up to {ratio:.1f}" for ratio in ratios)],
        [(few, *(f"{rules[few, ratio]:.3f}" for ratio in ratios)) for few in THRESHOLDS],
    )
    few, ratio = min(rules, key=lambda rule: rules[rule])
    print(
        f"FEW_ARCS {FEW_ARCS}, MAX_TO_MEAN {MAX_TO_MEAN}: {regret(found, Rule(FEW_ARCS, MAX_TO_MEAN)):.3f}, as it is"
    )
    print(f"FEW_ARCS {few}, MAX_TO_MEAN {ratio:.1f}: {rules[few, ratio]:.3f}, the best of these")


def distances(search: Callable[..., Any], graph: wp.Graph, sources: Sequence[Any]) -> Any:
    """Those from the first source, verified by their certificate."""
    answer = search(graph, sources[0], trace=False)
    answer.verify()
    return answer.distance


def compare(
    what: str,
    search: Callable[..., Any],
    graph: wp.Graph,
    sources: Sequence[Any],
    found: dict[str, float],
) -> None:
    """Print what `auto` takes over those that were near the fastest, interleaved with them."""
    others = sorted((name for name in found if name != "auto"), key=lambda name: found[name])
    rivals = [name for name in others if found[name] <= NEAR * found[others[0]]][:RIVALS]
    names = ("auto", *rivals)
    calls = {name: partial(search, graph, trace=False, balance=name) for name in names}
    times = in_turns(calls, sources)
    print(
        f"{what} interleaved: auto {times['auto']:.3g} ms, over that of "
        + ", ".join(f"{name} {times['auto'] / times[name]:.3f}" for name in rivals)
        + "\n"
    )


def measure(
    name: str, case: Case, balances: Sequence[str]
) -> tuple[list[Frontier], dict[str, Any]]:
    """Print a graph's tables; its frontiers and what each balance took."""
    graph = case.make()
    compile_all(graph, balances)
    sources = draw(graph, case.together)
    largest, mean = graph.largest_degree, graph.num_arcs / graph.num_vertices
    print(
        f"## {name}\n\n{graph.num_vertices:,} vertices, {graph.num_arcs:,} arcs, degrees "
        f"{mean:.1f} in the mean, {largest:,} at most\n",
        flush=True,
    )
    rows: dict[str, dict[str, float]] = {}
    for what, search in SEARCHES.items():
        right = distances(search, graph, sources)
        for balance in balances:
            untraced = partial(search, graph, trace=False, balance=balance)
            if not bool((untraced(sources[0]).distance == right).all()):
                raise SystemExit(f"{name}, {what}, {balance}: another answer")
            rows.setdefault(balance, {})[what] = median_ms(untraced, sources)
    new = frontiers(name, graph, sources[0], [b for b in balances if b != "auto"])
    columns = list(rows[balances[0]])
    shown = sorted(sorted(new, key=lambda f: -f.arcs)[:SHOWN], key=lambda f: f.iteration)
    table(
        ["balance", *columns, *(f"{f.vertices:,} v, {f.arcs:,} a, µs" for f in shown)],
        [
            [
                balance,
                *(f"{row[column]:.3f}" for column in columns),
                *(f"{f.nanoseconds.get(balance, np.nan) / 1e3:.1f}" for f in shown),
            ]
            for balance, row in rows.items()
        ],
    )
    for what, search in SEARCHES.items():
        if "auto" in rows:
            compare(what, search, graph, sources, {name: row[what] for name, row in rows.items()})
    return new, {
        "graph": name,
        "vertices": graph.num_vertices,
        "arcs": graph.num_arcs,
        "rows": rows,
    }


def main() -> None:
    """Measure, print, fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--all-knobs", action="store_true", help="every setting of every knob")
    parser.add_argument("--balances", nargs="+", help="these alone; nothing is fitted then")
    parser.add_argument("--graphs", nargs="+", default=[], help="those whose names begin so")
    parser.add_argument("--json", type=Path, help="also write a line for each graph and frontier")
    options = parser.parse_args()
    every = [str(v) for t in TECHNIQUES.values() for v in t.variants() if t.name != "auto"]
    defaults = [name for name in TECHNIQUES if name != "auto"]
    balances = options.balances or (every if options.all_knobs else [*defaults, *VARIANTS])
    balances = list(dict.fromkeys(str(lookup(balance)) for balance in balances))
    if not options.balances:
        balances.append("auto")
    chosen = tuple(options.graphs or (QUICK if options.quick else CASES))
    found: list[Frontier] = []
    for name in (case for case in CASES if case.startswith(chosen)):
        new, totals = measure(name, CASES[name], balances)
        found += new
        if options.json:
            with options.json.open("a") as file:
                for line in (totals, *map(vars, new)):
                    file.write(json.dumps(line) + "\n")
        cupy.get_default_memory_pool().free_all_blocks()
    if not options.balances:
        suggest(found)


if __name__ == "__main__":
    main()
