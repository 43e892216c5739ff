"""Does `sssp(method="auto")` take what is best? On small and large graphs of each family, on a GPU.

    python benchmarks/gpu_auto.py [--graphs NAME …] [--sources 7] [--seconds 600]

Weights 1 … 255, predecessors written, ms by events, the median of the sources. A row has vertices, arcs per
vertex, the default's Δ over the mean weight, or its method if that has none, and its time. Then the fastest
other method, the fastest named balance, and the fastest of other Δ (which do not grow), each once more,
interleaved with the default, and the default's time over its own: 1.05 and less is as good. All distances are
compared with the default's, which are verified on graphs that have few arcs.
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
from gpu_graphs import GRAPHS
from gpu_timing import in_turns, median_ms, some_sources

import warpath as wp

METHODS = ("delta-stepping", "h-bf", "near-far", "workfront-sweep")
BALANCES = (
    "two-phase-search", "block-search", "multi-phase-search", "merge-path", "virtual-warp",
)  # fmt: skip
OTHERS: tuple[list[dict[str, Any]], ...] = (
    [{"method": method} for method in METHODS],
    [{"schedule": balance} for balance in BALANCES],
)
FACTORS = (0.25, 0.5, 2.0, 4.0)  # times the default's Δ
VERIFIED = 10_000_000  # arcs


def fastest(graph: wp.Graph, sources: list[int], right: Any, ways: Sequence[dict[str, Any]]) -> str:
    """The fastest of some ways, whose answers are checked: its ms, and the default's over that, interleaved."""
    if not ways:
        return "–"
    search = partial(wp.sssp, graph, device="cuda", trace=False)
    times = {}
    for way in ways:
        answer = search(sources[0], **way)
        if not bool((answer.distance == right).all()):
            raise SystemExit(f"{way}: other distances")
        times[tuple(way.items())] = median_ms(partial(search, **way), sources)
    best = dict(min(times, key=lambda way: times[way]))
    turns = in_turns({"default": search, "best": partial(search, **best)}, sources)
    (value,) = best.values()
    return f"{value}: {turns['best']:.3g}, {turns['default'] / turns['best']:.2f}"


def compile_one(way: dict[str, Any]) -> None:
    """Put the kernels of a way into the cache on disk: graphs of few arcs per vertex have others."""
    for edges in (200, 4000):
        graph = wp.generate.erdos_renyi(200, edges, weights=(1, 255), seed=1)
        for trace in (False, True):
            wp.sssp(graph, 0, device="cuda", trace=trace and not way, **way)


def measure(name: str, sources: int) -> None:
    """Print the row of a graph."""
    graph = GRAPHS[name]()
    chosen = some_sources(graph)[0][:sources]
    found = wp.sssp(graph, chosen[0], device="cuda")
    if graph.num_arcs <= VERIFIED:
        found.verify()
    methods, balances = OTHERS
    methods = [way for way in methods if way["method"] != found.stats.method]
    delta = found.stats.delta
    deltas = (
        [{"schedule": f"delta={delta * by:.4g}"} for by in FACTORS] if delta is not None else []
    )
    default = median_ms(partial(wp.sssp, graph, device="cuda", trace=False), chosen)
    others = [fastest(graph, chosen, found.distance, ways) for ways in (methods, balances, deltas)]
    width = found.stats.method if delta is None else f"{delta / graph.mean_weight:.2f}"
    print(
        f"| {name} | {graph.num_vertices:,} | {graph.num_arcs / graph.num_vertices:.1f} "
        f"| {width} | {default:.3g} | " + " | ".join(others) + " |",
        flush=True,
    )


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--graphs", nargs="+", default=[""], help="those whose names begin so")
    parser.add_argument("--sources", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=600, help="no graph is begun after them")
    options = parser.parse_args()
    until = time.monotonic() + options.seconds
    with ProcessPoolExecutor(min(16, os.cpu_count() or 1), get_context("spawn")) as pool:
        list(pool.map(compile_one, [{}, *(way for ways in OTHERS for way in ways)]))
    print("| graph | vertices | degree | Δ / w̄ | ms | other methods | balances | other Δ |")
    print("| --- " * 8 + "|")
    for name in GRAPHS:
        if name.startswith(tuple(options.graphs)) and time.monotonic() < until:
            measure(name, options.sources)
            cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
