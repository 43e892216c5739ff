"""Searches out of core on a GPU: their time, and how often the edges would pass PCIe in it.

A limit of CuPy's pool, ``--limit-gb``, keeps the edges out of the GPU's memory. The graph is drawn on
the GPU first, without the limit; its answers there are what those out of core must be. One pass is the
time in which the GPU copies all column indices (and weights) from pinned memory.

    python benchmarks/gpu_out_of_core.py [--scale 26] [--edges 16] [--limit-gb 4] [--weights] [--searches 3]
"""

import argparse
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cupy as cp
import numpy as np
from gpu_timing import call_ms, some_sources

import warpath as wp
from warpath.cuda.device_graph import on_device

_BUFFER_BYTES = 2**28
ROWS: dict[str, dict[str, Any]] = {
    "bfs": {},
    "bfs, top-down": {"schedule": "direction=top-down"},
}


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--scale", type=int, default=26)
    parser.add_argument("--edges", type=int, default=16, help="edges per vertex")
    parser.add_argument("--limit-gb", type=float, default=4, help="10⁹ bytes")
    parser.add_argument("--weights", action="store_true", help="shortest paths, too")
    parser.add_argument("--searches", type=int, default=3)
    given = parser.parse_args()
    pool = cp.get_default_memory_pool()
    with _timed("drawn on the GPU"):
        weights = (1, 255) if given.weights else None
        drawn = wp.generate.rmat(
            given.scale, given.edges, simple=True, weights=weights, seed=1, device="cuda"
        )
    rows = {name: (wp.bfs, {"predecessors": False, **more}) for name, more in ROWS.items()}
    if given.weights:
        rows["sssp"] = (wp.sssp, {"predecessors": False, "method": "delta-stepping"})
    with _timed("searched there"):
        sources = some_sources(drawn)[0][: given.searches]
        right, in_core = {}, {}
        for name, (search, options) in rows.items():
            call = _call(search, drawn, options)
            right[name] = [call(source).get() for source in sources]
            in_core[name] = _seconds(call, sources)
    with _timed("copied to the host"):
        csr = drawn.row_offsets, drawn.column_indices, drawn.weights
        graph = wp.Graph._from_parts(*csr, directed=False)
        del drawn, call
        gc.collect()
        pool.free_all_blocks()
    print(f"of the GPU's memory still used: {pool.used_bytes():,} bytes")
    pool.set_limit(size=int(given.limit_gb * 1e9))
    plan = wp.plan(graph, "bfs", sources[0], device="cuda", predecessors=False)
    assert plan.out_of_core, f"give a lower --limit-gb:\n{plan}"
    print(plan)
    with _timed("edges pinned"):
        there = on_device(graph, out_of_core=True)
        arrays = [there.column_indices] + ([there.weights] if given.weights else [])
    rate = _copy_rate(there.column_indices)
    print(f"pinned memory to the GPU: {rate / 1e9:.1f} GB/s")
    degree = np.diff(graph.row_offsets)
    edges = int(degree[right["bfs"][0] >= 0].sum(dtype=np.int64)) // 2  # of the component
    print("| graph | search | in core, s | out of core, s | one pass, s | passes | GTEPS |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for name, (search, options) in rows.items():
        call = _call(search, graph, options)
        for source, expected in zip(sources, right[name], strict=True):
            assert np.array_equal(call(source).get(), expected), (name, source)
        taken = _seconds(call, sources)
        read = arrays if name == "sssp" else arrays[:1]
        one_pass = sum(each.nbytes for each in read) / rate
        print(
            f"| R-MAT {given.scale}, {given.edges} edges per vertex | {name} | {in_core[name]:.4f} | "
            f"{taken:.3f} | {one_pass:.3f} | {taken / one_pass:.2f} | {edges / taken / 1e9:.1f} |",
            flush=True,
        )
    print(graph.memory())


@contextmanager
def _timed(what: str) -> Iterator[None]:
    """Print how long the body takes."""
    began = time.perf_counter()
    yield
    cp.cuda.Device().synchronize()
    print(f"{what}: {time.perf_counter() - began:.1f} s", flush=True)


def _call(
    search: Callable[..., Any], graph: wp.Graph, options: dict[str, Any]
) -> Callable[[int], Any]:
    return lambda source: search(graph, source, device="cuda", trace=False, **options).distance


def _seconds(call: Callable[[int], Any], sources: list[int]) -> float:
    """The median of the sources, warm."""
    call(sources[0])
    return float(np.median([call_ms(lambda s=source: call(s)) for source in sources])) / 1e3  # type: ignore[misc]


def _copy_rate(pinned: Any) -> float:
    """Bytes per second of copies to the GPU."""
    nbytes = min(_BUFFER_BYTES, pinned.nbytes)
    buffer, copies = cp.empty(nbytes, np.uint8), max(1, min(16, pinned.nbytes // nbytes))
    stream = cp.cuda.get_current_stream()

    def copy() -> None:
        for number in range(copies):
            cp.cuda.runtime.memcpyAsync(
                buffer.data.ptr, pinned.data.ptr + number * nbytes, nbytes,
                cp.cuda.runtime.memcpyHostToDevice, stream.ptr,
            )  # fmt: skip

    copy()
    return copies * nbytes / (call_ms(copy) / 1e3)


if __name__ == "__main__":
    main()
