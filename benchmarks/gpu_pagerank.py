"""PageRank on a GPU: milliseconds and iterations, on GAP's graphs without weights, of 2^scale vertices.

    python benchmarks/gpu_pagerank.py [--graphs "kron 20" …] [--tolerances 1e-4 …]

By events, the median of the calls; the first call compiles.
"""

import argparse

import cupy
import numpy as np
from gpu_timing import device_ms

import warpath as wp
from warpath.algorithms.centrality.pagerank import pagerank_problem, ranks_and_iterations

LARGE = 2**30  # arcs beyond which calls are few


def drawn(name: str) -> wp.Graph:
    """A graph by its name: "kron 20" or "urand 20"."""
    kind, scale = name.split()
    if kind == "kron":
        return wp.generate.rmat(int(scale), 16, simple=True, device="cuda")
    return wp.generate.erdos_renyi(2 ** int(scale), 2 ** (int(scale) + 4), device="cuda")


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument(
        "--graphs", nargs="+", default=["kron 20", "urand 20", "kron 23", "urand 23"]
    )
    parser.add_argument("--tolerances", nargs="+", type=float, default=[1e-4, 1e-6])
    options = parser.parse_args()
    print("| graph | tolerance | ms | iterations | ms of one |")
    print("| --- " * 5 + "|")
    for name in options.graphs:
        graph = drawn(name)
        for tolerance in options.tolerances:
            problem = pagerank_problem(graph, tolerance=tolerance, device="cuda")
            iterations = ranks_and_iterations(problem, cupy)[1]
            calls = 3 if graph.num_arcs > LARGE else 7
            ms = np.median(
                [
                    device_ms(
                        lambda t=tolerance, g=graph: wp.pagerank(g, tolerance=t, device="cuda")
                    )  # type: ignore[misc]
                    for _ in range(calls)
                ]
            )
            print(
                f"| {name} | {tolerance:g} | {ms:.3g} | {iterations} | {ms / iterations:.3g} |",
                flush=True,
            )
        del graph
        cupy.get_default_memory_pool().free_all_blocks()


if __name__ == "__main__":
    main()
