"""Shortest paths on a GPU: milliseconds, relaxations and iterations of each method.

Each row: the median of 20 sources of one component (5 where one takes long), by CUDA events
around the call, queued behind other work, on a graph that is on the device, everything warm. Iterations and
relaxations an arc are from one more run with a trace. The first source's answer is verified by
its certificate. Weights are 1 … 255; other dtypes than int32 are what the distances are asked for
in (float weights are float32 then, int64 distances add int32 weights).

    python benchmarks/gpu_sssp.py                             all of it
    python benchmarks/gpu_sssp.py --graphs "R-MAT 20,grid" --dtypes int32 --methods delta-stepping
    python benchmarks/gpu_sssp.py --deltas 0.25,0.5,1,2,4     times the default Δ
    python benchmarks/gpu_sssp.py --balances two-phase-search,merge-path
    python benchmarks/gpu_sssp.py --negative                  next to 16 threads of the CPU

Columns: Δ; device ms without and with predecessors; iterations; relaxations over arcs of the
traversed component; GTEPS of the first.
"""

import argparse
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import cupy as cp
import numpy as np
from gpu_timing import SOURCES, device_ms, some_sources

import warpath as wp
from warpath.balance import DEFAULT
from warpath.planning.methods import METHODS

FEW = 5
LONG = 100.0  # milliseconds, from which few sources do
THREADS = 16  # of the CPU that negative weights are compared with
WEIGHTS = (1, 255)
GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "R-MAT 20": lambda: wp.generate.rmat(20, simple=True, weights=WEIGHTS, seed=1, device="cuda"),
    "R-MAT 23": lambda: wp.generate.rmat(23, simple=True, weights=WEIGHTS, seed=1, device="cuda"),
    "G(2²², 2²⁶)": lambda: wp.generate.erdos_renyi(
        2**22, 2**26, weights=WEIGHTS, seed=1, device="cuda"
    ),
    "grid 2048²": lambda: wp.generate.grid(2048, keep=0.9, weights=WEIGHTS, seed=1, device="cuda"),
}
# Directed, since an undirected negative edge is a negative cycle; then shifted by potentials.
NEGATIVE: dict[str, Callable[[], wp.Graph]] = {
    "R-MAT 22": lambda: wp.generate.rmat(22, directed=True, weights=WEIGHTS, seed=1),
    "G(2²¹, 2²⁵)": lambda: wp.generate.erdos_renyi(
        2**21, 2**25, directed=True, replace=True, weights=WEIGHTS, seed=1
    ),
    "grid 1024²": lambda: wp.generate.grid(1024, keep=0.9, directed=True, weights=WEIGHTS, seed=1),
}
ON_GPU = [name for name, one in METHODS.items() if "cuda" in one.devices and name != "auto"]


def milliseconds(graph: wp.Graph, source: int, **options: Any) -> float:
    """Device time of one call."""
    return device_ms(lambda: wp.sssp(graph, source, device="cuda", trace=False, **options))


def median(graph: wp.Graph, sources: list[int], **options: Any) -> float:
    """Of `SOURCES` sources, `FEW` where a search takes long, after a run that compiles and copies."""
    milliseconds(graph, sources[0], **options)
    first = milliseconds(graph, sources[0], **options)
    others = sources[1 : FEW if first > LONG else SOURCES]
    return float(np.median([first, *(milliseconds(graph, s, **options) for s in others)]))


def variants(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """What to call with: method, dtype, balance."""
    for dtype in arguments.dtypes:
        for method in arguments.methods:
            for balance in arguments.balances:
                yield {"method": method, "dtype": dtype, "schedule": balance}


def with_deltas(
    graph: wp.Graph, source: int, call: dict[str, Any], factors: Iterable[float]
) -> Iterator[dict[str, Any]]:
    """The call with each Δ that was asked for, the default first if none was."""
    default = wp.sssp(graph, source, device="cuda", **call).stats.delta
    for factor in factors if default is not None else [1.0]:
        more = "" if factor == 1.0 else f",delta={default * factor}"
        yield call | {"schedule": call["schedule"] + more}


def measure(arguments: argparse.Namespace) -> None:
    """A row for each graph and variant."""
    print(
        "| graph | dtype | method | balance | Δ | ms | with predecessors | iterations | relaxed | GTEPS |"
    )
    print("| --- " * 10 + "|")
    for name in chosen(GRAPHS, arguments.graphs):
        graph = GRAPHS[name]()
        sources, arcs = some_sources(graph)
        for variant in variants(arguments):
            for call in with_deltas(graph, sources[0], variant, arguments.deltas):
                checked = wp.sssp(graph, sources[0], device="cuda", **call)
                checked.verify()
                stats = checked.stats
                plain = median(graph, sources, predecessors=False, **call)
                tree = median(graph, sources, **call)
                delta = "" if stats.delta is None else f"{stats.delta:.3g}"
                print(
                    f"| {name} | {call['dtype']} | {call['method']} | {variant['schedule']} | {delta} "
                    f"| {plain:.3f} | {tree:.3f} | {stats.iterations:,} "
                    f"| {stats.relaxations / arcs:.2f} | {arcs / plain / 1e6:.1f} |",
                    flush=True,
                )
        del graph
        cp.get_default_memory_pool().free_all_blocks()


def measure_negative(arguments: argparse.Namespace) -> None:
    """Negative weights: each method that takes them, compared with the CPU's parallel Bellman-Ford."""
    wp.set_num_threads(THREADS)
    print(f"| graph | method | ms | CPU, {THREADS} threads, ms | times faster | iterations |")
    print("| --- " * 6 + "|")
    for name in chosen(NEGATIVE, arguments.graphs):
        graph = wp.generate.negative_weights(NEGATIVE[name](), 1)
        sources = some_sources(graph)[0][:FEW]
        wp.sssp(graph, sources[0], device="cpu", method="bellman-ford")
        times = []
        for source in sources:
            began = time.perf_counter()
            here = wp.sssp(graph, source, device="cpu", method="bellman-ford")
            times.append((time.perf_counter() - began) * 1e3)
        cpu = float(np.median(times))
        for method in arguments.methods:
            if not METHODS[method].negative:
                continue
            there = wp.sssp(graph, sources[-1], device="cuda", method=method)
            there.verify()
            if not np.array_equal(there.to_numpy().distance, here.distance):
                raise SystemExit(f"{name}, {method}: not the CPU's distances")
            gpu = median(graph, sources, method=method)
            print(
                f"| {name} | {method} | {gpu:.2f} | {cpu:.1f} | {cpu / gpu:.1f} "
                f"| {there.stats.iterations:,} |",
                flush=True,
            )


def chosen(names: Iterable[str], prefixes: list[str]) -> list[str]:
    """The graphs whose name starts with one of the prefixes; all without any."""
    return [name for name in names if not prefixes or name.startswith(tuple(prefixes))]


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]

    def listed(text: str) -> list[str]:
        return text.split(",")

    parser.add_argument("--graphs", type=listed, default=[], help="beginnings of their names")
    parser.add_argument("--dtypes", type=listed, default=["int32", "float32", "int64"])
    parser.add_argument("--methods", type=listed, default=ON_GPU)
    parser.add_argument("--balances", type=listed, default=[DEFAULT])
    parser.add_argument(
        "--deltas", type=lambda text: [float(x) for x in text.split(",")], default=[1.0]
    )
    parser.add_argument("--negative", action="store_true")
    arguments = parser.parse_args()
    (measure_negative if arguments.negative else measure)(arguments)


if __name__ == "__main__":
    main()
