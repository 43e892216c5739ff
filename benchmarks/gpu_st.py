"""Paths between two vertices, and many sources at once, on a GPU.

First table: the median of 20 pairs of vertices of one component, everything warm, the graph on the
device and on the host; host's time, the answer's way back included. Second: milliseconds a source
of searches from many sources, at once and one after another. Answers are compared with the CPU's.

    python benchmarks/gpu_st.py [--quick]
"""

import argparse
from collections.abc import Callable
from itertools import pairwise
from unittest.mock import patch

import numpy as np
from gpu_timing import call_ms, some_sources

import warpath as wp

WEIGHTS = (1, 255)
GRAPHS: dict[str, Callable[[], wp.Graph]] = {
    "R-MAT 18": lambda: wp.generate.rmat(18, weights=WEIGHTS, seed=1, device="cuda"),
    "grid 1000²": lambda: wp.generate.grid(1000, keep=0.9, weights=WEIGHTS, seed=1, device="cuda"),
    "R-MAT 22": lambda: wp.generate.rmat(22, weights=WEIGHTS, seed=1, device="cuda"),
    "grid 2048²": lambda: wp.generate.grid(2048, keep=0.9, weights=WEIGHTS, seed=1, device="cuda"),
}
SMALL: dict[str, Callable[[], wp.Graph]] = {
    f"{name}, {n:,} vertices": make
    for n in (2**8, 2**10, 2**12, 2**14, 2**16)
    for name, make in {
        "G(n, 8n)": lambda n=n: wp.generate.erdos_renyi(
            n, 8 * n, weights=WEIGHTS, seed=1, device="cuda"
        ),
        "R-MAT": lambda n=n: wp.generate.rmat(
            n.bit_length() - 1, weights=WEIGHTS, seed=1, device="cuda"
        ),
        "grid": lambda n=n: wp.generate.grid(int(n**0.5), weights=WEIGHTS, seed=1, device="cuda"),
    }.items()
}
CALLS: dict[str, Callable[[wp.Graph, int, int, str], object]] = {
    "st_connected": lambda g, s, t, d: wp.st_connected(g, s, t, device=d).distance,
    "shortest_path": lambda g, s, t, d: wp.shortest_path(g, s, t, device=d).length,
}
SEARCHES = (2, 8, 32, 128, 1024)
REPEATS = 5


def pairs_table(names: list[str]) -> None:
    print("| graph | | GPU, ms | CPU, ms |\n| --- | --- | --- | --- |")
    for name in names:
        graph = GRAPHS[name]()
        ends = some_sources(graph)[0]
        pairs = list(pairwise(ends))
        for what, find in CALLS.items():
            times = {}
            for device in ("cuda", "cpu"):
                find(graph, *pairs[0], device)
                each = [call_ms(lambda p=p, d=device: find(graph, *p, d)) for p in pairs]  # type: ignore[misc]  # noqa: B023
                times[device] = np.median(each)
            for pair in pairs[:5]:
                assert find(graph, *pair, "cuda") == find(graph, *pair, "cpu")
            print(f"| {name} | `{what}` | {times['cuda']:.3f} | {times['cpu']:.3f} |", flush=True)


def sources_table(names: list[str]) -> None:
    print(
        "| graph | sources | BFS at once | one by one | SSSP at once | one by one | taken |\n"
        "| --- | --- | --- | --- | --- | --- | --- |"
    )
    from warpath import balance
    from warpath.cuda.batch import batching_is_faster
    from warpath.cuda.device_graph import on_device

    default = balance.lookup(balance.DEFAULT)
    for name in names:
        graph = SMALL[name]()
        for k in SEARCHES:
            sources = np.random.default_rng(3).integers(0, graph.num_vertices, k)
            taken = "at once" if batching_is_faster(on_device(graph), k, default) else "one by one"
            times = []
            for search in (wp.bfs, wp.sssp):
                for at_once in (True, False):
                    with patch("warpath.cuda.batch.batching_is_faster", lambda *_, it=at_once: it):

                        def run() -> object:
                            return search(graph, sources, device="cuda", trace=False)  # noqa: B023

                        run()
                        times.append(min(call_ms(run) for _ in range(REPEATS)) / k)
            row = " | ".join(f"{each:.4f}" for each in times)
            print(f"| {name} | {k} | {row} | {taken} |", flush=True)


def main() -> None:
    """Measure and print the tables as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--quick", action="store_true", help="the small graphs alone")
    quick = parser.parse_args().quick
    pairs_table(list(GRAPHS)[: 2 if quick else None])
    print()
    sources_table(list(SMALL)[: 9 if quick else None])


if __name__ == "__main__":
    main()
