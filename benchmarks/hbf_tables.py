"""Do H-BF's optimisations of 2015 still pay? Its tables 2 and 3 and figure 9, with ratios beside it.

F. Busato, N. Bombieri, "An efficient implementation of the Bellman-Ford algorithm for Kepler GPU
architectures", IEEE TPDS 2015. Its graphs are not at hand, so each has a stand-in: of the same
family, number of vertices and arcs and degrees, generated. Times are not the paper's (a GTX 780 and
one core of a Phenom II), so what stands beside each other are ratios.

    python benchmarks/hbf_tables.py                       all of it, at the paper's sizes
    python benchmarks/hbf_tables.py --size 0.1            graphs of a tenth of the vertices
    python benchmarks/hbf_tables.py --tables 3,9          table 3 and figure 9
    python benchmarks/hbf_tables.py --graphs msdoor,flickr

Prints Markdown.

1. The stand-ins as table 1 has the graphs, the paper's figures in brackets.
2. Table 2: milliseconds of each method, and how many times as long as H-BF it takes. Sequential
   methods run on one thread of the host.
3. Table 3: H-BF with and without the optimisation that the paper shows on each graph, times faster
   than the sequential queue; then with all and with all but one. The paper's graphs here have
   negative weights: so have these, by potentials, and undirected ones have each edge as two arcs.
9. Figure 9: relax operations of each method on msdoor's stand-in.

GPU times are medians of the sources by CUDA events, everything warm, the graph and its marks on the
device, no trace, no predecessors; the sequential ones of fewer sources, by the clock. The first
answer of each is verified by its certificate. Weights are 1 … 255; the paper does not give its own.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from gpu_timing import device_ms, some_sources

import warpath as wp
from warpath.cuda.optimizations import OPTIMIZATIONS

WEIGHTS = (1, 255)
SEQUENTIAL_SOURCES = 2  # the slowest take half a minute each
KERNELS = ("edge-classification", "duplicate-removal", "cache-modifiers", "coalesced-enqueue")
# What stands for the frontier's mapping without the paper's: a fixed virtual warp (Hong et al.).
FIXED = "virtual-warp:width=8"


# -- stand-ins ------------------------------------------------------------------------------------


def lattice(shape: tuple[int, ...], offsets: Any, take: float = 1.0, **options: Any) -> wp.Graph:
    """Vertices on a lattice, an arc to each neighbour at one of ``offsets``, taken so often."""
    rng = np.random.default_rng(1)
    at = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape))
    sources, targets = [], []
    for offset in offsets:
        there = at + np.array(offset)[:, None]
        inside = ((there >= 0) & (there < np.array(shape)[:, None])).all(axis=0)
        inside &= rng.random(len(inside)) < take
        sources.append(np.flatnonzero(inside))
        targets.append(np.ravel_multi_index(there[:, inside], shape))
    n = int(np.prod(shape))
    return wp.Graph.from_edges(np.concatenate(sources), np.concatenate(targets), n=n, **options)


def roads(rows: int, columns: int, keep: float, parts: float) -> wp.Graph:
    """A grid with some edges left out, and each of the others made a path of ``parts`` in the mean."""
    crossings = wp.generate.grid(rows, columns, keep=keep, seed=1)
    source, target, _ = crossings.edges()
    rng = np.random.default_rng(1)
    more = int(parts) - 1 + (rng.random(len(source)) < parts % 1)
    first = crossings.num_vertices + np.cumsum(more) - more
    n = crossings.num_vertices + int(more.sum())
    chain = np.repeat(np.arange(len(source)), more)
    inner = np.arange(crossings.num_vertices, n)
    before = np.where(inner == first[chain], source[chain], inner - 1)
    last = np.where(more > 0, first + more - 1, source)
    return wp.Graph.from_edges(np.r_[before, last], np.r_[inner, target], n=n, directed=False)


def delaunay(n: int) -> wp.Graph:
    """The triangulation of points in a square."""
    from scipy.spatial import Delaunay

    corners = Delaunay(np.random.default_rng(1).random((n, 2))).simplices
    source, target = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]).T
    return wp.Graph.from_edges(source, target, n=n, directed=False, merge="min")


def mesh(size: float) -> wp.Graph:
    """A long bar whose vertices know all 48 around them, and themselves."""
    box = np.stack(np.meshgrid(*[np.arange(-2, 3)] * 3, indexing="ij"), -1).reshape(-1, 3)
    nearest = box[np.argsort((box**2).sum(axis=1), kind="stable")][:49]
    side = max(3, round((415e3 * size / 9.5) ** (1 / 3)))
    return lattice((round(9.5 * side), side, side), nearest, directed=True)


def circuit(size: float) -> wp.Graph:
    """Some of those up to four places away in space, and themselves."""
    side = max(5, round((3.5e6 * size) ** (1 / 3)))
    box = np.stack(np.meshgrid(*[np.arange(-4, 5)] * 3, indexing="ij"), -1).reshape(-1, 3)
    far = box[np.random.default_rng(2).permutation(len(box))[:44]]
    arcs = lattice((side,) * 3, far, 0.11, directed=True)
    source, target, _ = arcs.coo()
    every = np.arange(arcs.num_vertices)
    return wp.Graph.from_edges(np.r_[source, every], np.r_[target, every], n=len(every))


def brick(side: int) -> wp.Graph:
    """Hexagons as a wall of bricks: three neighbours each."""
    row, column = np.divmod(np.arange(side * side), side)
    along = np.flatnonzero(column + 1 < side)
    up = np.flatnonzero((row + 1 < side) & ((row + column) % 2 == 0))
    return wp.Graph.from_edges(
        np.r_[along, up], np.r_[along + 1, up + side], n=side * side, directed=False
    )


def talk(n: int, arcs: int) -> wp.Graph:
    """One vertex in sixteen writes to others, few of them to very many; most never write."""
    rng = np.random.default_rng(1)
    writers = n // 16
    share = 1 / np.arange(1, writers + 1)
    source = rng.choice(writers, arcs, p=share / share.sum())
    target = np.where(
        rng.random(arcs) < 0.5, rng.integers(0, writers, arcs), rng.integers(0, n, arcs)
    )
    return wp.Graph.from_edges(source, target, n=n, merge="min")


def scale_of(n: float) -> int:
    """The nearest power of two, as R-MAT wants it."""
    return max(6, round(np.log2(n)))


def power_law(n: float, edges: float, *, directed: bool, skewed: bool = True) -> wp.Graph:
    """R-MAT with so many vertices, about, and edges; GTgraph's is less skewed than Graph 500's."""
    scale = scale_of(n)
    quarters = {} if skewed else {"a": 0.45, "b": 0.15, "c": 0.15}
    return wp.generate.rmat(scale, edges / 2**scale, directed=directed, seed=1, **quarters)


@dataclass(frozen=True)
class Case:
    """A graph of the paper's.

    Attributes
    ----------
    make : callable
        The stand-in, of so many times the paper's vertices.
    vertices, arcs, degree, deviation, largest
        As table 1 has them.
    times : tuple of float
        Milliseconds in table 2: sequential queue, Dijkstra, LonestarGPU, Davidson et al., H-BF;
        or in table 3: sequential queue, H-BF without and with the optimisation.
    shown : tuple of str
        The optimisations of table 3.
    """

    make: Callable[[float], wp.Graph]
    vertices: float
    arcs: float
    degree: float
    deviation: float
    largest: int
    times: tuple[float, ...]
    shown: tuple[str, ...] = ()


def side(n: float, size: float) -> int:
    """Of a square of so many times n vertices."""
    return max(4, round((n * size) ** 0.5))


CASES = {
    "asia.osm": Case(
        lambda s: roads(side(1e5, s), 19 * side(1e5, s), 0.66, 4.8),
        12.0e6, 25.4e6, 2.1, 0.5, 9, (32e3, 5.2e3, 280e3, 12.7e3, 3.4e3),
    ),
    "USA-road-d.CAL": Case(
        lambda s: roads(side(1.05e6, s), side(1.05e6, s), 0.73, 1.55),
        1.9e6, 4.7e6, 2.5, 0.9, 7, (20.6e3, 588, 3.9e3, 4.6e3, 720),
    ),
    "delaunay_n20": Case(
        lambda s: delaunay(round(2**20 * s)),
        1.0e6, 6.3e6, 6.0, 1.3, 23, (3.2e3, 581, 902, 420, 105),
    ),
    "msdoor": Case(mesh, 415e3, 20.6e6, 49.7, 11.7, 78, (1.2e3, 676, 1.9e3, 206, 36)),
    "circuit5M_dc": Case(circuit, 3.5e6, 19.2e6, 5.4, 2.1, 27, (3.2e3, 4.1e3, 657, 240, 68)),
    "rmat.3Mv.20Me": Case(
        lambda s: power_law(2.1e6 * s, 7e6 * s, directed=False, skewed=False),
        3.0e6, 20.0e6, 6.7, 10.2, 521, (6.4e3, 4.0e3, 520, 133, 99),
    ),
    "flickr": Case(
        lambda s: power_law(1.05e6 * s, 9.8e6 * s, directed=True),
        820e3, 9.8e6, 12.0, 87.7, 10_272, (887, 963, 1.2e3, 49, 32),
    ),
    "hugetrace_00000": Case(
        lambda s: brick(side(4.6e6, s)),
        4.6e6, 13.8e6, 3.0, 0.0, 3, (82e3, 4.1e3, 1.4e3), ("dynamic-virtual-warps",),
    ),
    "wiki-talk": Case(
        lambda s: talk(round(2.4e6 * s), round(5.0e6 * s)),
        2.4e6, 5.0e6, 2.1, 99.9, 100_022, (1.0e3, 65, 19), ("edge-classification",),
    ),
    "as-Skitter": Case(
        lambda s: power_law(2.1e6 * s, 11.1e6 * s, directed=False),
        1.7e6, 22.2e6, 13.1, 136.9, 35_455, (2.5e3, 199, 77),
        ("dynamic-virtual-warps", "dynamic-parallelism"),
    ),
    "random_2Mv.128Me": Case(
        lambda s: wp.generate.erdos_renyi(round(2e6 * s), round(64e6 * s), seed=1),
        2.0e6, 128.0e6, 64.0, 8, 114, (84e3, 1445, 760), ("duplicate-removal",),
    ),
}  # fmt: skip
FIRST = [name for name, case in CASES.items() if not case.shown]
SECOND = [name for name, case in CASES.items() if case.shown]


def weighted(graph: wp.Graph) -> wp.Graph:
    """The graph with weights, the same in both directions of an edge."""
    source, target, _ = graph.coo()
    low, high = np.minimum(source, target).astype(np.uint64), np.maximum(source, target)
    mixed = (low * np.uint64(0x9E3779B97F4A7C15) + high.astype(np.uint64)) * np.uint64(
        0xD1B54A32D192ED03
    )
    span = np.uint64(WEIGHTS[1] - WEIGHTS[0] + 1)
    return graph.with_weights(((mixed >> np.uint64(40)) % span).astype(np.int32) + WEIGHTS[0])


def signed(graph: wp.Graph) -> wp.Graph:
    """The graph with negative weights too, each edge as two arcs: one would be a negative cycle."""
    source, target, weight = weighted(graph).coo()
    arcs = wp.Graph.from_edges(source, target, weight, n=graph.num_vertices)
    return wp.generate.negative_weights(arcs, 1)


# -- measuring ------------------------------------------------------------------------------------


class Run:
    """A graph and its sources; what was measured once is kept."""

    def __init__(self, graph: wp.Graph, sources: int) -> None:
        self.graph = graph
        found, self.arcs = some_sources(graph)
        self.sources = found[:sources]
        self._known: dict[tuple[tuple[str, Any], ...], float] = {}

    def milliseconds(self, **options: Any) -> float:
        """The median of the sources; the first answer is verified."""
        key = tuple(sorted(options.items()))
        if key not in self._known:
            wp.sssp(self.graph, self.sources[0], **options).verify()
            measure = self._on_host if options.get("device") == "cpu" else self._on_device
            self._known[key] = measure(options)
        return self._known[key]

    def _on_host(self, options: dict[str, Any]) -> float:
        times = []
        for source in self.sources[:SEQUENTIAL_SOURCES]:
            began = time.perf_counter()
            wp.sssp(self.graph, source, predecessors=False, **options)
            times.append((time.perf_counter() - began) * 1e3)
        return float(np.median(times))

    def _on_device(self, options: dict[str, Any]) -> float:
        call = partial(wp.sssp, self.graph, trace=False, predecessors=False, **options)
        call(self.sources[0])
        return float(np.median([device_ms(partial(call, source)) for source in self.sources]))

    def hbf(self, optimizations: Iterable[str], balance: str | None = None) -> float:
        """Milliseconds of H-BF; ``balance`` where no optimisation is one."""
        chosen = tuple(sorted(optimizations))
        own = {"dynamic-virtual-warps", "dynamic-parallelism"} & set(chosen)
        options = {} if own or balance is None else {"balance": balance}
        return self.milliseconds(method="h-bf", device="cuda", optimizations=chosen, **options)


def row(*cells: object) -> None:
    """Print a row of Markdown."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def header(title: str, *cells: str) -> None:
    """Print a title, and a table's head."""
    print(f"\n{title}\n")
    row(*cells)
    row(*["---"] * len(cells))


def ms(value: float) -> str:
    """Three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:,.0f}×" if value >= 100 else f"{value:.2g}×"


def all_on() -> list[str]:
    """Every optimisation that there is."""
    return list(OPTIMIZATIONS)


def table_1(runs: dict[str, Run]) -> None:
    """The graphs."""
    header("Table 1", "stand-in", "vertices", "arcs", "mean degree", "deviation", "largest")
    for name, run in runs.items():
        case, degree = CASES[name], run.graph.degree
        row(
            name,
            f"{run.graph.num_vertices:,} ({case.vertices:,.0f})",
            f"{run.graph.num_arcs:,} ({case.arcs:,.0f})",
            f"{degree.mean():.1f} ({case.degree})",
            f"{degree.std():.1f} ({case.deviation})",
            f"{degree.max():,} ({case.largest:,})",
        )


def table_2(runs: dict[str, Run]) -> None:
    """Milliseconds, and times H-BF's; the paper's in brackets."""
    header(
        "Table 2: ms, times as long as H-BF (the paper's)", "graph", "sequential queue", "Dijkstra",
        "queueless", "workfront or near-far", "bucketing", "delta-stepping", "H-BF, all on",
        "H-BF, default", "MTEPS of the default",
    )  # fmt: skip
    for name, run in runs.items():
        default = run.milliseconds(method="h-bf", device="cuda")
        on_host = partial(run.milliseconds, device="cpu")
        on_device = partial(run.milliseconds, device="cuda")
        found = (
            on_host(method="sequential-bellman-ford"),
            on_host(method="dijkstra"),
            on_device(method="bellman-ford-queueless"),
            min(on_device(method="workfront-sweep"), on_device(method="near-far")),
        )
        theirs = CASES[name].times
        cells = [
            f"{ms(own)}, {times(own / default)} ({times(their / theirs[-1])})"
            for own, their in zip(found, theirs[:-1], strict=True)
        ]
        others = (
            on_device(method="bucketing"), on_device(method="delta-stepping"), run.hbf(all_on()),
        )  # fmt: skip
        cells += [f"{ms(own)}, {times(own / default)}" for own in others]
        row(name, *cells, ms(default), f"{run.arcs / default / 1e3:,.0f}")


def table_3(runs: dict[str, Run]) -> None:
    """With and without, times faster than the sequential queue; the paper's in brackets."""
    header(
        "Table 3: times faster than the sequential queue (the paper's)", "graph", "optimisation",
        "sequential, ms", "without", "with", "with over without",
    )  # fmt: skip
    for name, run in runs.items():
        case = CASES[name]
        shown = [one for one in case.shown if one in OPTIMIZATIONS]
        sequential = run.milliseconds(method="sequential-bellman-ford", device="cpu")
        without = run.hbf(set(all_on()) - set(shown), FIXED)
        on = run.hbf(all_on(), FIXED)
        theirs = case.times
        row(
            name, ", ".join(shown), ms(sequential),
            f"{ms(without)} ms, {times(sequential / without)} ({times(theirs[0] / theirs[1])})",
            f"{ms(on)} ms, {times(sequential / on)} ({times(theirs[0] / theirs[2])})",
            f"{times(without / on)} ({times(theirs[1] / theirs[2])})",
        )  # fmt: skip
    header(
        "H-BF, ms: nothing, all, all but one; and what the last gains", "graph", "nothing", "all",
        *(f"without {name}" for name in OPTIMIZATIONS),
    )  # fmt: skip
    for name, run in runs.items():
        on = run.hbf(all_on(), FIXED)
        cells = []
        for one in OPTIMIZATIONS:
            without = run.hbf(set(all_on()) - {one}, FIXED)
            cells.append(f"{ms(without)}, {times(without / on)}")
        row(name, ms(run.hbf((), FIXED)), ms(on), *cells)


def figure_9(run: Run) -> None:
    """Relax operations of each method."""
    header(
        "Figure 9: relax operations on msdoor's stand-in", "method", "relaxations", "an arc",
        "times Dijkstra's", "that lowered a distance",
    )  # fmt: skip
    on_host = {"device": "cpu"}
    on_device = {"device": "cuda"}
    methods: dict[str, dict[str, Any]] = {
        "Dijkstra": on_host | {"method": "dijkstra"},
        "queueless": on_device | {"method": "bellman-ford-queueless"},
        "sequential queue": on_host | {"method": "sequential-bellman-ford"},
        "workfront sweep": on_device | {"method": "workfront-sweep"},
        "near-far": on_device | {"method": "near-far"},
        "bucketing": on_device | {"method": "bucketing"},
        "delta-stepping": on_device | {"method": "delta-stepping"},
        "H-BF, nothing on": on_device | {"method": "h-bf", "optimizations": ()},
        "H-BF, default": on_device | {"method": "h-bf"},
        "H-BF, all on": on_device | {"method": "h-bf", "optimizations": tuple(all_on())},
    }
    least = 0
    for name, options in methods.items():
        stats = wp.sssp(run.graph, run.sources[0], predecessors=False, **options).stats
        least = least or stats.relaxations
        row(
            name, f"{stats.relaxations:,}", f"{stats.relaxations / run.arcs:.2f}",
            f"{stats.relaxations / least:.1f}", f"{stats.improvements:,}",
        )  # fmt: skip
    print(
        "\nThe paper's figure says: H-BF about ten times Dijkstra's, the queueless one about 10⁶."
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]

    def listed(text: str) -> list[str]:
        return text.split(",")

    parser.add_argument("--size", type=float, default=1.0, help="times the paper's vertices")
    parser.add_argument("--sources", type=int, default=5, help="at most 20; the paper has 100")
    parser.add_argument("--tables", type=listed, default=["1", "2", "3", "9"])
    parser.add_argument("--graphs", type=listed, default=list(CASES))
    options = parser.parse_args()

    def runs(names: Iterable[str], prepare: Callable[[wp.Graph], wp.Graph]) -> dict[str, Run]:
        chosen = [name for name in names if name in options.graphs]
        return {
            name: Run(prepare(CASES[name].make(options.size)), options.sources) for name in chosen
        }

    first = runs(FIRST, weighted) if {"1", "2", "9"} & set(options.tables) else {}
    second = runs(SECOND, signed) if {"1", "3"} & set(options.tables) else {}
    if "1" in options.tables:
        table_1(first | second)
    if "2" in options.tables:
        table_2(first)
    if "3" in options.tables:
        table_3(second)
    if "9" in options.tables and "msdoor" in first:
        figure_9(first["msdoor"])


if __name__ == "__main__":
    main()
