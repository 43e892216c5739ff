"""How much faster does one changed import line make code that uses SciPy's csgraph?

One process, one run: each function on the same SciPy matrix, by `warpath.csgraph` and by
`scipy.sparse.csgraph`, wall time, the best of a few calls, warm. Everything is in it: conversion of
the matrix, and of the answer to SciPy's shapes. Values are compared outside the clock, to the bit
where SciPy sums in the same order. A call that takes longer than `--max-seconds` is not
repeated. Last come the calls that are slower than SciPy's by more than a tenth and 5 µs, which is what
looking at the arguments takes.

    python benchmarks/vs_csgraph.py [--quick] [--max-seconds 5]

prints a line per measurement as it goes, and a Markdown table last.
"""

import argparse
import os
import platform
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import scipy
from scipy.sparse import csgraph as theirs
from scipy.sparse import csr_array, triu

import warpath as wp
from warpath import csgraph as ours
from warpath.generate import erdos_renyi, grid, negative_weights, rmat
from warpath.graph.components import largest_component

REPEATS = 3
LONG = 0.02  # seconds: what is shorter is repeated until it took so long
NOISE = 0.005  # ms
SMALL = 10, 100, 1000  # vertices
FLOATS, INTS = (0.0, 1.0), (1, 255)


class Case(NamedTuple):
    """One call: of which function, on which matrix, with which arguments."""

    matrix: str
    function: str
    arguments: dict[str, Any]
    exact: bool = True
    what: str = ""


def matrix_of(graph: wp.Graph, *, upper: bool = False) -> csr_array:
    """SciPy's CSR, float64, without parallel arcs, writable; ``upper``: each edge once."""
    source, target, weight = graph.coo()
    weight = np.ones(len(source)) if weight is None else weight.astype(np.float64)
    n = graph.num_vertices
    one = wp.Graph.from_edges(source, target, weight, n=n, merge="min")
    matrix = csr_array(
        (one.weights.copy(), one.column_indices.copy(), one.row_offsets.copy()),  # type: ignore[union-attr]
        shape=(n, n),
    )
    return csr_array(triu(matrix, format="csr")) if upper else matrix


def matrices(quick: bool) -> dict[str, Any]:
    scale, side = (14, 200) if quick else (18, 1000)
    directed = erdos_renyi(1000, 4000, directed=True, weights=INTS, seed=1)
    dense = np.random.default_rng(1).random((600 if quick else 1500,) * 2)
    return {
        f"R-MAT {scale}": matrix_of(rmat(scale, weights=FLOATS, seed=1)),
        f"grid {side}²": matrix_of(grid(side, keep=0.9, weights=FLOATS, seed=1)),
        f"grid {side}², each edge once": matrix_of(
            grid(side, keep=0.9, weights=FLOATS, seed=1), upper=True
        ),
        "G(2000, 8000)": matrix_of(erdos_renyi(2000, 8000, directed=True, weights=FLOATS, seed=1)),
        **{
            f"G({n}, {4 * n})": matrix_of(
                erdos_renyi(n, 4 * n, directed=True, weights=FLOATS, seed=1)
            )
            for n in SMALL
        },
        "G(1000, 4000), negative": matrix_of(negative_weights(directed, 1)),
        f"dense {len(dense)}²": dense,
    }


def cases(names: list[str], quick: bool) -> list[Case]:
    power, road, once, sparse, *small, signed, dense = names
    few = {"indices": "16 sources"}
    return [
        Case(power, "dijkstra", {"indices": "1 source"}),
        Case(power, "dijkstra", {"indices": "1 source", "unweighted": True}),
        Case(power, "dijkstra", few),
        Case(power, "dijkstra", few | {"min_only": True}),
        Case(power, "minimum_spanning_tree", {}),
        Case(power, "breadth_first_order", {"i_start": "1 source"}),
        Case(power, "connected_components", {}),
        Case(road, "dijkstra", {"indices": "1 source", "return_predecessors": True}),
        Case(road, "dijkstra", {"indices": "1 source", "limit": 5.0}),
        Case(road, "minimum_spanning_tree", {}),
        Case(road, "breadth_first_order", {"i_start": "1 source"}),
        Case(road, "connected_components", {}),
        Case(road, "yen", {"source": 0, "sink": "1 source", "K": 2}, exact=False),
        Case(once, "dijkstra", {"indices": "1 source", "directed": False}),
        Case(once, "breadth_first_order", {"i_start": "1 source", "directed": False}),
        Case(sparse, "dijkstra", {}),
        Case(sparse, "dijkstra", {"unweighted": True}),
        Case(sparse, "bellman_ford", {"indices": "1 source"}),
        Case(sparse, "yen", {"source": 0, "sink": "1 source", "K": 10}, exact=False),
        *(case for matrix in small for case in small_cases(matrix)),
        Case(signed, "johnson", {}, exact=False),
        Case(signed, "bellman_ford", {"indices": "1 source"}),
        Case(dense, "floyd_warshall", {}, exact=False),
        Case(dense, "shortest_path", {"return_predecessors": True}, exact=False),
        Case(dense, "dijkstra", {"indices": "16 sources"}),
    ]


def small_cases(matrix: str) -> list[Case]:
    """Calls of each function, on a matrix where what is not search counts."""
    one: dict[str, Any] = {"indices": "1 source"}
    return [
        Case(matrix, "dijkstra", one),
        Case(matrix, "dijkstra", one | {"return_predecessors": True}),
        Case(matrix, "dijkstra", one | {"directed": False}),
        Case(matrix, "dijkstra", one | {"limit": 0.5}),
        Case(matrix, "dijkstra", one | {"unweighted": True}),
        Case(matrix, "dijkstra", {"indices": "16 sources", "min_only": True}),
        Case(matrix, "dijkstra", {"limit": 0.5}),
        Case(matrix, "dijkstra", {}),
        Case(matrix, "bellman_ford", one),
        Case(matrix, "johnson", one),
        Case(matrix, "shortest_path", {}, exact=False),
        Case(matrix, "floyd_warshall", {}, exact=False),
        Case(matrix, "floyd_warshall", {"return_predecessors": True}, exact=False),
        Case(matrix, "breadth_first_order", {"i_start": "1 source"}),
        Case(matrix, "breadth_first_tree", {"i_start": "1 source"}),
        Case(matrix, "connected_components", {}),
        Case(matrix, "connected_components", {"connection": "strong"}),
        Case(matrix, "minimum_spanning_tree", {}),
        Case(matrix, "yen", {"source": 0, "sink": "1 source", "K": 2}, exact=False),
    ]


def with_sources(arguments: dict[str, Any], matrix: Any) -> dict[str, Any]:
    members = largest_component(wp.Graph(matrix))
    drawn = np.random.default_rng(2).choice(members[1:], 16)  # not 0, where yen begins
    sources = {"1 source": int(drawn[0]), "16 sources": drawn}
    return {
        name: sources.get(value, value) if isinstance(value, str) else value
        for name, value in arguments.items()
    }


def best(call: Callable[[], Any], repeats: int, max_seconds: float) -> tuple[float, Any]:
    """Milliseconds of the fastest call, and what it answered."""
    least, total, calls, answer = np.inf, 0.0, 0, None
    while calls < repeats or total < LONG:
        began = time.perf_counter()
        answer = call()
        took = time.perf_counter() - began
        least, total, calls = min(least, took), total + took, calls + 1
        if took > max_seconds:
            break
    return least * 1e3, answer


def agree(case: Case, found: Any, expected: Any) -> None:
    if hasattr(expected, "nnz"):
        assert abs(found - expected).nnz == 0
        return
    if isinstance(expected, tuple):
        if case.function == "connected_components":
            assert found[0] == expected[0]
            found, expected = found[1], expected[1]
        else:
            found, expected = found[0], expected[0]
    if case.exact:
        np.testing.assert_array_equal(found, expected)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="small matrices")
    parser.add_argument("--max-seconds", type=float, default=5.0, help="seconds")
    options = parser.parse_args()
    made = matrices(options.quick)
    print(
        f"warpath {wp.__version__}, SciPy {scipy.__version__}, NumPy {np.__version__}, "
        f"Python {platform.python_version()}, {wp.num_threads()} threads, "
        f"load {os.getloadavg()[0]:.1f}"
    )
    for name, matrix in made.items():
        stored = matrix.nnz if hasattr(matrix, "nnz") else matrix.size
        print(f"{name}: {matrix.shape[0]:,} vertices, {stored:,} entries")
    lines, slower = [], []
    for case in cases(list(made), options.quick):
        matrix = made[case.matrix]
        arguments = with_sources(case.arguments, matrix)
        mine = partial(getattr(ours, case.function), matrix, **arguments)
        other = partial(getattr(theirs, case.function), matrix, **arguments)
        mine()  # compiles, or loads what was compiled
        took, found = best(mine, REPEATS, options.max_seconds)
        scipys, expected = best(other, REPEATS, options.max_seconds)
        agree(case, found, expected)
        shown = ", ".join(f"{name}={value}" for name, value in case.arguments.items())
        line = (
            f"| {case.matrix} | `{case.function}({shown})` | {took:.3g} | {scipys:.3g} "
            f"| {scipys / took:.1f} |"
        )
        print(line, flush=True)
        lines.append(line)
        if took > 1.1 * scipys + NOISE:
            slower.append(line)
    print("\n| matrix | function | warpath, ms | SciPy, ms | ratio |")
    print("| --- | --- | ---: | ---: | ---: |")
    print("\n".join(lines))
    print(f"\nslower by more than 10 %: {len(slower)}")
    print("\n".join(slower))


if __name__ == "__main__":
    main()
