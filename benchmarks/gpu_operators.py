"""What does an operator in Python cost on a GPU? Milliseconds, next to the engine's own programs.

    python benchmarks/gpu_operators.py [--small]

`visit` is a breadth-first search by compare and swap, `relax` Bellman-Ford with a frontier. They are compared with
`warpath.bfs` by levels and top-down, and `warpath.sssp` with method "workfront-sweep", which follow the same edges.
"""

import sys

import cupy
import numpy as np
from gpu_timing import median_call_ms

import warpath as wp

REPEATS = 9


@wp.operator
def visit(u, v, level):
    return wp.atomic_cas(level, v, -1, level[u] + 1)


@wp.operator
def lower(u, v, level):
    return wp.atomic_min(level, v, level[u] + 1)


@wp.operator
def relax(u, v, w, distance):
    return wp.atomic_min(distance, v, distance[u] + w)


def rows(graph):
    """What is run on a graph, by name."""
    source, n = int(np.diff(graph.row_offsets).argmax()), graph.num_vertices
    values = cupy.empty(n, np.int32)
    plain = {"device": "cuda", "predecessors": False}

    def traversed(operator, start, schedule=None):
        values.fill(start)
        values[source] = 0
        wp.traverse(graph, source, operator, values, schedule=schedule)

    def sweep():
        wp.sssp(graph, source, method="workfront-sweep", dtype=np.int32, **plain)

    return {
        "visit": lambda: traversed(visit, -1),
        "visit, in clusters": lambda: traversed(visit, -1, "small_frontiers=cluster"),
        "lower": lambda: traversed(lower, 2**29),
        "bfs, top-down": lambda: wp.bfs(graph, source, schedule="direction=top-down", **plain),
        "relax": lambda: traversed(relax, 2**29),
        "relax, asynchronous": lambda: traversed(relax, 2**29, "small_frontiers=async"),
        "sssp, workfront-sweep": sweep,
        "sssp": lambda: wp.sssp(graph, source, dtype=np.int32, **plain),
    }


def main():
    small = "--small" in sys.argv[1:]
    scale, side = (18, 512) if small else (23, 2048)
    graphs = {
        f"rmat-{scale}": wp.generate.rmat(scale, 16, seed=1, weights=(1, 255), device="cuda"),
        f"grid-{side}²": wp.generate.grid(side, weights=(1, 255)),
    }
    for name, graph in graphs.items():
        for what, run in rows(graph).items():
            print(f"{name:12} {what:24} {median_call_ms(run, REPEATS):10.3f}", flush=True)


if __name__ == "__main__":
    main()
