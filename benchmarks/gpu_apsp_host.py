"""All pairs' shortest paths of matrices that are on the host, on a GPU with or without the CPU.

    python benchmarks/gpu_apsp_host.py 32768:2,131072:32          n, and the GiB on the device
    python benchmarks/gpu_apsp_host.py 32768:2 --hybrid           together with the CPU, and each alone
    python benchmarks/gpu_apsp_host.py 32768:2 --hybrid --threads 8,16 --dtypes float32 --predecessors no

One run a row, by the host's clock, on a full matrix of random weights whose pages are there. Relaxations are n³.
Answers are checked, and rows shown, as in gpu_apsp.py.
"""

import argparse
import time
from collections.abc import Iterator
from itertools import product
from typing import Any

import cupy as cp
import numpy as np
from gpu_apsp import check_rows, numbers, parsed, parser_of, sample, show

import warpath as wp
from warpath.algorithms.all_pairs import hybrid
from warpath.algorithms.all_pairs.rows import no_tick
from warpath.cpu.floyd_warshall import r_kleene
from warpath.cuda.out_of_core import floyd_warshall_out_of_core
from warpath.cuda.staging import Staging
from warpath.operators import lookup


def arcs_on_host(n: int, dtype: str, predecessors: bool) -> tuple[Any, Any]:
    """(weights, predecessors or None), made on the device and written, so that their pages are there."""
    name, part = dtype.rstrip("-"), 4096
    distance = np.empty((n, n), name)
    tree = np.empty((n, n), np.int32) if predecessors else None
    rng = cp.random.default_rng(1)
    with Staging(n * 8) as staging:
        for low in range(0, n, part):
            rows = rng.random((min(part, n - low), n), dtype=cp.float32)
            rows = (rows if "float" in name else rows * 1000 + 1).astype(name, copy=False)
            done = cp.cuda.Event()
            done.record()
            staging.to_host(rows, distance[low : low + part], done)
            if tree is not None:
                tree[low : low + part] = np.arange(low, low + len(rows), dtype=np.int32)[:, None]
    np.fill_diagonal(distance, 0)
    if tree is not None:
        np.fill_diagonal(tree, -1)
    del rows
    cp.get_default_memory_pool().free_all_blocks()
    return distance, tree


def out_of_core(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of matrices on the host with so much memory of the device; by the host's clock."""
    for (n, gibibytes), dtype, predecessors in product(
        arguments.matrices, arguments.dtypes, arguments.predecessors
    ):
        distance, tree = arcs_on_host(n, dtype, predecessors)
        some = sample(n)
        given = distance[some]
        began = time.perf_counter()
        floyd_warshall_out_of_core(distance, tree, device_bytes=int(gibibytes * 2**30))
        seconds = time.perf_counter() - began
        check_rows(*(cp.asarray(array) for array in (some, given, distance[some])), dtype)
        yield {
            "what": "out of core", "n": n, "dtype": dtype, "predecessors": predecessors,
            "block": f"{gibibytes:g} GiB", "tile": "default",
            "ms": round(seconds * 1e3), "Trelax/s": round(n**3 / seconds / 1e12, 2),
        }  # fmt: skip


def beside_the_cpu(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of matrices on the host that a GPU and the CPU close, each alone and together.

    By the host's clock, with so much memory of the device; the CPU alone a smaller matrix.
    """
    for (n, gibibytes), dtype, predecessors in product(
        arguments.matrices, arguments.dtypes, arguments.predecessors
    ):
        n_cpu, most = min(n, arguments.cpu_size), int(gibibytes * 2**30)
        given, given_tree = arcs_on_host(n, dtype, predecessors)
        distance, tree = given.copy(), None if given_tree is None else given_tree.copy()
        some = sample(n)

        def row(
            what: str, n: int, threads: int, seconds: float, share: float, dtype: str = dtype,
            predecessors: bool = predecessors, gibibytes: float = gibibytes,
        ) -> dict[str, Any]:  # fmt: skip
            return {
                "what": what, "n": n, "dtype": dtype, "predecessors": predecessors,
                "GiB": gibibytes, "threads": threads, "s": round(seconds, 3),
                "Trelax/s": round(n**3 / seconds / 1e12, 3), "CPU's share": f"{share:.1%}",
            }  # fmt: skip

        def on_device(
            host: Any, given: Any = given, given_tree: Any = given_tree, distance: Any = distance,
            tree: Any = tree, some: Any = some, dtype: str = dtype, most: int = most,
        ) -> tuple[float, float]:  # fmt: skip
            np.copyto(distance, given)
            if tree is not None:
                np.copyto(tree, given_tree)
            began = time.perf_counter()
            share = floyd_warshall_out_of_core(distance, tree, device_bytes=most, host=host)
            seconds = time.perf_counter() - began
            check_rows(*(cp.asarray(array) for array in (some, given[some], distance[some])), dtype)
            return seconds, share

        part = slice(0, n_cpu), slice(0, n_cpu)
        warm = [None if a is None else np.ascontiguousarray(a[part]) for a in (given, given_tree)]
        floyd_warshall_out_of_core(*warm, device_bytes=most)  # compiles
        yield row("GPU", n, 0, *on_device(None))
        for threads in arguments.threads:
            wp.set_num_threads(threads)
            host = hybrid.host_products(lookup("shortest"), distance.dtype, predecessors, False)
            yield row("GPU and CPU", n, hybrid.threads(), *on_device(host))
        for threads in arguments.threads:
            wp.set_num_threads(threads)
            small = slice(0, 128), slice(0, 128)
            warm = [None if a is None else a[small].copy() for a in (given, given_tree)]
            r_kleene("shortest", *warm, threads, no_tick)
            matrices = [
                None if a is None else np.ascontiguousarray(a[part]) for a in (given, given_tree)
            ]
            began = time.perf_counter()
            r_kleene("shortest", *matrices, threads, no_tick)
            yield row("CPU", n_cpu, threads, time.perf_counter() - began, 1)
        wp.set_num_threads(None)
        del given, given_tree, distance, tree, on_device


def budgets(text: str) -> list[tuple[int, float]]:
    """Of "N:GIB,…": vertices, and memory of the device."""
    pairs = [word.split(":") for word in text.split(",")]
    return [(int(n), float(gibibytes)) for n, gibibytes in pairs]


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("matrices", type=budgets, metavar="N:GIB,...")
    parser.add_argument("--hybrid", action="store_true", help="together with the CPU")
    parser.add_argument(
        "--threads", type=numbers, default=[wp.num_threads()],
        help="of the CPU, with --hybrid: half of them take part",
    )  # fmt: skip
    parser.add_argument("--cpu-size", type=int, default=8192, help="n of the CPU alone")
    arguments = parsed(parser)
    show((beside_the_cpu if arguments.hybrid else out_of_core)(arguments))


if __name__ == "__main__":
    main()
