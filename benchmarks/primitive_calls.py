"""What does a call of a primitive cost the host, and a level of a search by `warpath.advance`?

    python benchmarks/primitive_calls.py [--device cpu]

Microseconds, on a grid of 64 x 64, where the work itself takes few: medians of 9 rounds of 200 calls. "A level" is one
of a breadth-first search from a corner, 127 calls of `advance`; `bfs` is a whole search.
"""

import argparse
from statistics import median
from time import perf_counter

import numpy as np

import warpath as wp

SIDE = 64
LEVELS = 2 * SIDE - 1


@wp.operator
def own(v, x):
    return x[v]


@wp.operator
def give(u, v, x):
    return x[u]


@wp.operator
def mark(u, v, x):
    x[v] = 1
    return True


@wp.operator
def visit(u, v, level):
    return wp.atomic_cas(level, v, -1, level[u] + 1)


def search(graph, level):
    """Breadth-first, a call for each level."""
    level[:] = -1
    level[0] = 0
    frontier = wp.Frontier(graph, 0)
    while frontier:
        frontier = wp.advance(graph, frontier, visit, level)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--device", choices=("cpu", "cuda"), default="cuda")
    device = options.parse_args().device
    if device == "cuda":
        import cupy as xp

        wait = xp.cuda.Device().synchronize
    else:
        xp, wait = np, lambda: None
    graph = wp.generate.grid(SIDE, SIDE, device=device)
    directed = wp.Graph.from_edges(np.arange(SIDE**2 - 1), np.arange(1, SIDE**2), device=device)
    x, level = xp.ones(SIDE**2, np.int32), xp.empty(SIDE**2, np.int32)
    few, few_directed = (
        wp.Frontier.of(one, xp.asarray([5, 77], np.int32)) for one in (graph, directed)
    )
    calls = {
        "compute": (lambda: wp.compute(graph, own, x), 1),
        "filter": (lambda: wp.filter(graph, own, x), 1),
        "reduce": (lambda: wp.reduce(graph, own, x), 1),
        "aggregate": (lambda: wp.aggregate(graph, give, x), 1),
        "aggregate, 2 vertices": (lambda: wp.aggregate(graph, give, x, frontier=few), 1),
        "advance, 2 vertices": (lambda: wp.advance(graph, few, mark, x), 1),
        "likewise, directed": (lambda: wp.advance(directed, few_directed, mark, x), 1),
        "a level": (lambda: search(graph, level), LEVELS),
        "bfs": (lambda: wp.bfs(graph, 0, device=device, predecessors=False), 1),
    }
    for name, (call, parts) in calls.items():
        call()
        rounds = []
        for _ in range(9):
            wait()
            begin = perf_counter()
            for _ in range(max(2, 200 // parts)):
                call()
            wait()
            rounds.append((perf_counter() - begin) / max(2, 200 // parts) / parts)
        print(f"{name:24} {1e6 * median(rounds):8.1f}", flush=True)


if __name__ == "__main__":
    main()
