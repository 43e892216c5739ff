"""How fast does a GPU draw graphs, and build them from edge arrays?

Each row: medians of 5 runs, waiting for the device at both ends, memory from CuPy's pool.
Drawing counts edges, building the arcs of the graph; "whole" is the generator's call, which
draws and builds. Two graphs are compared with the CPU's first.

    python benchmarks/gpu_build.py [--quick] [--huge]
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import cupy as cp
import numpy as np

import warpath as wp
from warpath.generate.counter import Stream, stream_key
from warpath.generate.rmat import _RMAT, _check_quarters
from warpath.generate.weights import uniform_weights

RUNS = 5
QUARTERS = _check_quarters(0.57, 0.19, 0.19, None)
# Name, scale, edge factor, options of the generator, options of the builder.
ROWS: list[tuple[str, int, int, dict[str, Any], dict[str, Any]]] = [
    ("R-MAT 20", 20, 16, {}, {}),
    ("R-MAT 23, directed", 23, 16, {"directed": True}, {"directed": True}),
    ("R-MAT 23", 23, 16, {}, {}),
    ("R-MAT 23, simple", 23, 16, {"simple": True}, {"merge": "min", "drop_self_loops": True}),
    ("R-MAT 23, int32 weights", 23, 16, {"weights": (1, 255)}, {}),
    ("R-MAT 25", 25, 16, {}, {}),
]
HUGE = ("R-MAT 26, edge factor 20", 26, 20, {}, {})


def seconds(work: Callable[[], object]) -> tuple[float, Any]:
    """(median time, last result) of some runs, after one that compiles."""
    work()
    times = []
    for _ in range(RUNS):
        cp.cuda.Device().synchronize()
        began = time.perf_counter()
        result = work()
        cp.cuda.Device().synchronize()
        times.append(time.perf_counter() - began)
    return float(np.median(times)), result


def draw(scale: int, edge_factor: int, weights: Any) -> list[Any]:
    """The edges of an R-MAT graph, and their weights or None."""
    keys = stream_key(0, Stream.EDGES), stream_key(0, Stream.VERTEX_IDS)
    count = edge_factor << scale
    ends = _RMAT.draw(cp, count, (np.int32, np.int32), *keys, scale, *QUARTERS, True)
    return [*ends, uniform_weights(count, weights, 0, cp)]


def check() -> None:
    """Refuse to measure what is wrong."""
    for options in ({}, {"weights": (1, 255), "simple": True}):
        there, here = (wp.generate.rmat(16, device=device, **options) for device in ("cuda", "cpu"))  # type: ignore[arg-type]
        for one, two in zip(there.coo(), here.coo(), strict=True):
            np.testing.assert_array_equal(one, two)  # type: ignore[arg-type]


def measure(
    name: str, scale: int, edge_factor: int, drawn: dict[str, Any], built: dict[str, Any]
) -> str:
    """One row of the table."""
    options = {"directed": False, "n": 1 << scale, "device": "cuda"} | built
    drawing, edges = seconds(lambda: draw(scale, edge_factor, drawn.get("weights")))
    building, graph = seconds(lambda: wp.Graph.from_edges(*edges, **options))
    arcs = graph.num_arcs
    edges.clear()
    whole, _ = seconds(lambda: wp.generate.rmat(scale, edge_factor, device="cuda", **drawn))
    drawing, building, rate = (
        count / taken / 1e6
        for count, taken in ((edge_factor << scale, drawing), (arcs, building), (arcs, whole))
    )
    return (
        f"| {name} | {arcs / 1e6:.0f} | {drawing:.0f} | {building:.0f} "
        f"| {whole * 1e3:.1f} | {rate:.0f} |"
    )


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="the first row alone")
    parser.add_argument("--huge", action="store_true", help="2.7e9 arcs as well: some 60 GB")
    arguments = parser.parse_args()
    check()
    rows = ROWS[:1] if arguments.quick else [*ROWS, *([HUGE] if arguments.huge else [])]
    print("| graph | arcs, M | drawing, M edges/s | building, M arcs/s | whole, ms | M arcs/s |")
    print("| --- | --- | --- | --- | --- | --- |")
    for row in rows:
        print(measure(*row), flush=True)
        cp.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
