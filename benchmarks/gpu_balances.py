"""Which balance wins where? Each of them on the same frontiers, and what `auto` should ask.

    python benchmarks/gpu_balances.py [--quick] [--json observations.jsonl]

prints three Markdown tables and a suggestion:

1. Whole searches, top-down and optimizing: the median of the sources by CUDA events, in
   milliseconds. One answer of each graph and balance is verified by its certificate first.
2. Iterations top-down: the frontier's vertices and arcs, and microseconds of each technique, by
   the trace. Only iterations of the whole grid: smaller frontiers take no balance.
3. What `auto`'s rule would take on these frontiers with other thresholds, over what the best
   technique of each frontier takes. Each graph counts alike.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import warpath as wp
from warpath.balance import TECHNIQUES, lookup
from warpath.balance.auto import ALIKE, FEW_ARCS
from warpath.graph.components import largest_component

SOURCES, REPEATS = 8, 5
WIDTHS = (1, 2, 4, 8, 16, 32)
OF_WIDTH = {
    width: str(lookup("thread-mapped" if width == 1 else f"virtual-warp:width={width}"))
    for width in WIDTHS
}
OF_FEW_ARCS = "merge-path:coupling=balanced-gathering"
THRESHOLDS = (0, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64)  # of arcs a vertex or a lane
SHOWN = 6  # iterations of a graph: those with most arcs


def undirected(source: Any, target: Any, n: int) -> wp.Graph:
    """A graph without parallel arcs."""
    return wp.Graph.from_edges(source, target, n=n, directed=False, merge="min")


def simple(graph: wp.Graph) -> wp.Graph:
    """The same, undirected and without parallel arcs."""
    source, target = graph.edges()[:2]
    return undirected(source, target, graph.num_vertices)


def with_hubs(scale: int, factor: int, hubs: int) -> wp.Graph:
    """G(2^scale, factor · 2^scale) and hubs, each next to a quarter of its vertices."""
    n = 2**scale
    rng = np.random.default_rng(3)
    source, target = wp.generate.erdos_renyi(n, factor * n, seed=1).edges()[:2]
    near = rng.integers(0, n, (hubs, n // 4))
    ends = np.repeat(np.arange(n, n + hubs), n // 4)
    return undirected(np.r_[source, ends], np.r_[target, near.ravel()], n + hubs)


def star_and_path(leaves: int, length: int) -> wp.Graph:
    """A hub with leaves, one of which begins a path."""
    star = np.arange(1, leaves + 1)
    path = np.arange(leaves, leaves + length)
    return undirected(np.r_[star * 0, path], np.r_[star, path + 1], leaves + length + 1)


@dataclass(frozen=True)
class Case:
    """A graph, and how searches in it begin: from one vertex each, or from many together."""

    make: Callable[[], wp.Graph]
    together: int = 1


CASES = {
    "R-MAT 20": Case(lambda: simple(wp.generate.rmat(20, seed=1))),
    "R-MAT 20, factor 4": Case(lambda: simple(wp.generate.rmat(20, 4, seed=1))),
    "G(2²⁰, 2²⁴)": Case(lambda: simple(wp.generate.erdos_renyi(2**20, 2**24, seed=1))),
    "G(2²⁰, 2²¹)": Case(lambda: simple(wp.generate.erdos_renyi(2**20, 2**21, seed=1))),
    "grid 1024²": Case(lambda: simple(wp.generate.grid(1024, keep=0.9, seed=1))),
    "grid 1024², 4096 sources": Case(
        lambda: simple(wp.generate.grid(1024, keep=0.9, seed=1)), together=4096
    ),
    "G(2²⁰, 2²¹) and 4 hubs": Case(partial(with_hubs, 20, 2, 4)),
    "G(2¹⁸, 2²²) and 16 hubs": Case(partial(with_hubs, 18, 16, 16)),
    "star and path": Case(partial(star_and_path, 2**18, 1000)),
}
QUICK = ("R-MAT 20", "G(2²⁰, 2²¹)", "grid 1024², 4096 sources")


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
        """Arcs a vertex."""
        return self.arcs / self.vertices


@dataclass(frozen=True)
class Rule:
    """`auto` with thresholds: the nanoseconds of what it takes."""

    few: float  # arcs
    alike: float

    def __call__(self, frontier: Frontier) -> float:
        if frontier.ratio > self.alike:
            merge = frontier.mean <= self.few
            return frontier.nanoseconds[OF_FEW_ARCS if merge else "two-phase-search"]
        width = next((w for w in WIDTHS if frontier.mean <= self.few * w), WIDTHS[-1])
        return frontier.nanoseconds[OF_WIDTH[width]]


def draw(graph: wp.Graph, together: int) -> list[Any]:
    """Seeded sources of the largest component: a vertex, or an array of them, for each search."""
    members = largest_component(graph)
    rng = np.random.default_rng(2)
    if together == 1:
        return rng.choice(members, SOURCES).tolist()  # type: ignore[no-any-return]
    return [rng.choice(members, together, replace=False) for _ in range(SOURCES)]


def search(graph: wp.Graph, source: Any, **options: Any) -> Any:
    """One search on the device."""
    return wp.bfs(graph, source, device="cuda", nearest=np.ndim(source) > 0, **options)


def milliseconds(graph: wp.Graph, sources: Sequence[Any], **options: Any) -> float:
    """The median of the sources."""
    import cupy

    times = []
    for source in sources:
        begin, end = cupy.cuda.Event(), cupy.cuda.Event()
        begin.record()
        search(graph, source, trace=False, predecessors=False, **options)
        end.record()
        end.synchronize()
        times.append(cupy.cuda.get_elapsed_time(begin, end))
    return float(np.median(times))


def frontiers(name: str, graph: wp.Graph, source: Any, balances: Sequence[str]) -> list[Frontier]:
    """The top-down iterations from ``source`` that take a balance."""
    times, is_wide = {}, True
    for balance in balances:
        runs = []
        for _ in range(REPEATS):
            stats = search(
                graph, source, balance=balance, direction="top-down", predecessors=False
            ).stats
            runs.append(stats.nanoseconds)
            is_wide = is_wide & (np.array(stats.mode) == "grid")
        times[balance] = np.median(runs, axis=0)
    ratio = float(graph.degree.max() / graph.degree.mean())
    return [
        Frontier(
            name, ratio, int(i), int(stats.frontier[i]), int(stats.edges[i]),
            {balance: float(row[i]) for balance, row in times.items()},
        )
        for i in np.flatnonzero(is_wide)
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
        (few, alike): regret(found, Rule(few, alike)) for few in THRESHOLDS for alike in ratios
    }
    table(
        ["few arcs", *(f"alike up to {ratio:.1f}" for ratio in ratios)],
        [(few, *(f"{rules[few, alike]:.3f}" for alike in ratios)) for few in THRESHOLDS],
    )
    few, alike = min(rules, key=lambda rule: rules[rule])
    print(
        f"FEW_ARCS {FEW_ARCS}, ALIKE {ALIKE}: {regret(found, Rule(FEW_ARCS, ALIKE)):.3f}, as it is"
    )
    print(f"FEW_ARCS {few}, ALIKE {alike:.1f}: {rules[few, alike]:.3f}, the best of these")


def main() -> None:
    """Measure, print, fit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path, help="also write each frontier, a line each")
    options = parser.parse_args()
    balances = [
        str(variant)
        for technique in TECHNIQUES.values()
        for variant in technique.variants()
        if technique.name != "auto"
    ]
    totals: dict[str, list[str]] = {balance: [] for balance in (*balances, "auto")}
    header, found = ["balance, ms"], []
    for name in QUICK if options.quick else CASES:
        case = CASES[name]
        graph = case.make()
        sources = draw(graph, case.together)
        auto = TECHNIQUES["auto"]().fitted(graph.degree.max(), graph.degree.mean())
        header += [f"{name}, top-down", "optimizing"]
        for balance, column in totals.items():
            technique = str(auto) if balance == "auto" else balance
            search(graph, sources[0], balance=technique).verify()
            for direction in ("top-down", "optimizing"):
                setting = {"balance": technique, "direction": direction}
                milliseconds(graph, sources[:1], **setting)
                column.append(f"{milliseconds(graph, sources, **setting):.3f}")
        new = frontiers(name, graph, sources[0], balances)
        found += new
        print(f"{name}: largest degree over mean {graph.degree.max() / graph.degree.mean():.1f}\n")
        shown = sorted(
            sorted(new, key=lambda frontier: -frontier.arcs)[:SHOWN], key=lambda f: f.iteration
        )
        if not shown:
            print("no iteration of the whole grid\n")
            continue
        columns = [f"{f.iteration}: {f.vertices:,} v, {f.arcs:,} a" for f in shown]
        table(
            ["iteration, µs", *columns],
            [[b, *(f"{f.nanoseconds[b] / 1e3:.1f}" for f in shown)] for b in balances],
        )
    table(header, [[balance, *column] for balance, column in totals.items()])
    suggest(found)
    if options.json:
        with options.json.open("w") as file:
            for frontier in found:
                file.write(json.dumps(vars(frontier)) + "\n")


if __name__ == "__main__":
    main()
