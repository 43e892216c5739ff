"""Does ``"auto"`` take what is best? On 20 graphs, on the CPU.

    python benchmarks/cpu_auto.py [--graphs NAME …] [--searches bfs sssp apsp] [--rounds 7] [--worse 1.1]

A row: what ``auto`` takes and its ms (for up to 64 sources, one after the other), the best that could be asked
for and its ms, and how many times as long ``auto`` takes as that: 1.10 and less is as good. Calls are interleaved,
each behind one of its kind, and the shortest of some rounds counts, since other processes only ever make one longer.
What takes four times as long as the best is asked once. A graph keeps what METIS cut and a search has derived, so
that only the first call pays for that.
Answers must be equal.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import warpath as wp
from warpath.planning import all_pairs
from warpath.planning.methods import METHODS

W = {"weights": (1, 255), "seed": 1}
GRAPHS: Mapping[str, Callable[[], wp.Graph]] = {
    "path 2,000": lambda: wp.generate.grid(1, 2000, **W),
    "grid 12²": lambda: wp.generate.grid(12, **W),
    "grid 20²": lambda: wp.generate.grid(20, **W),
    "grid 30²": lambda: wp.generate.grid(30, **W),
    "grid 45²": lambda: wp.generate.grid(45, **W),
    "grid 60²": lambda: wp.generate.grid(60, **W),
    "grid 45², floats": lambda: wp.generate.grid(45, weights=(0.0, 1.0), seed=1),
    "roads 40²": lambda: wp.generate.roads(40, 40, **W),
    "Delaunay 2,000": lambda: wp.generate.delaunay(2000, seed=1),
    "G(400, 800)": lambda: wp.generate.erdos_renyi(400, 800, **W),
    "G(400, 20,000)": lambda: wp.generate.erdos_renyi(400, 20_000, **W),
    "G(1,000, 8,000)": lambda: wp.generate.erdos_renyi(1000, 8000, **W),
    "G(2,000, 200,000)": lambda: wp.generate.erdos_renyi(2000, 200_000, **W),
    "G(3,000, 9,000), directed": lambda: wp.generate.erdos_renyi(3000, 9000, directed=True, **W),
    "R-MAT 10, 8": lambda: wp.generate.rmat(10, 8, **W),
    "R-MAT 11, 16": lambda: wp.generate.rmat(11, 16, **W),
    "R-MAT 11, 4, negative": lambda: wp.generate.negative_weights(
        wp.generate.rmat(11, 4, directed=True, **W)
    ),
    "R-MAT 16, 16": lambda: wp.generate.rmat(16, 16, **W),
    "grid 500²": lambda: wp.generate.grid(500, **W),
    "roads 500²": lambda: wp.generate.roads(500, 500, **W),
}
MOST_MATRIX = 4000  # vertices
WORSE = 4  # times as long as the best: not asked again
Way = tuple[str, dict[str, Any]]


def ways_of(search: str, graph: wp.Graph) -> list[Way]:
    """What can be asked for, by name."""
    if search == "bfs":
        names = ("top-down", "bottom-up")
        return [(name, {"schedule": f"direction={name}"}) for name in names]
    negative = graph.weight_range[0] < 0
    if search == "sssp":
        able = {
            name: one for name, one in METHODS.items() if "cpu" in one.devices and name != "auto"
        }
        return [
            (name, {"method": name}) for name, one in able.items() if one.negative or not negative
        ]
    methods = [name for name in all_pairs.METHODS if name not in ("auto", "bfs")]
    return [(name, {"method": name}) for name in methods if not (name == "sssp" and negative)]


def some_vertices(graph: wp.Graph) -> list[int]:
    """Enough that no branch predictor learns their searches, as it does one search of 1,000 vertices."""
    n = graph.num_vertices
    return np.random.default_rng(1).integers(0, n, max(2, min(64, 100_000 // n))).tolist()


def searches(run: Callable[..., Any], sources: list[int], **way: Any) -> Any:
    """Search from one vertex after the other; the last answer."""
    for source in sources:
        found = run(source=source, **way)
    return found


def seconds(call: Callable[[], Any]) -> float:
    """Of a call after another one: what ran before them has left nothing in the caches."""
    call()
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def measure(name: str, search: str, rounds: int, worse: float) -> bool:
    """Print a row; whether ``auto`` is as good as the best."""
    graph = GRAPHS[name]()
    run = partial(getattr(wp, search), graph, device="cpu")
    if search != "apsp":
        run = partial(searches, run, some_vertices(graph))
    right = run()
    ways: dict[str, dict[str, Any]] = {"auto": {}}
    for label, way in ways_of(search, graph):
        try:
            found = run(**way)
        except (ModuleNotFoundError, OverflowError, ValueError) as error:
            print(f"| {name} | {search} | | | {label} cannot: {error} | | |", flush=True)
            continue
        close = np.allclose if found.distance.dtype.kind == "f" else np.array_equal
        if not close(found.distance, right.distance):
            raise SystemExit(f"{name}, {search}, {label}: other distances")
        ways[label] = way
    times = {label: seconds(partial(run, **way)) for label, way in ways.items()}
    for _ in range(rounds):
        best = min(times.values())
        for label, way in ways.items():
            if label == "auto" or times[label] < WORSE * best:
                times[label] = min(times[label], seconds(partial(run, **way)))
    auto = times.pop("auto")
    label = min(times, key=lambda one: times[one])
    ratio = auto / times[label]
    is_good = ratio <= worse or right.stats.method == label
    mark = "" if is_good else " ←"
    print(
        f"| {name} | {search} | {right.stats.method} | {1e3 * auto:.3g} | {label} | "
        f"{1e3 * times[label]:.3g} | {ratio:.2f}{mark} |",
        flush=True,
    )
    return is_good


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--graphs", nargs="+", default=[""], help="those whose names begin so")
    parser.add_argument("--searches", nargs="+", default=["bfs", "sssp", "apsp"])
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument(
        "--worse", type=float, default=1.1, help="times as long, from which a row is marked"
    )
    options = parser.parse_args()
    print("| graph | search | auto | ms | best | ms | ratio |")
    print("| --- " * 7 + "|")
    good = []
    for name, search in product(GRAPHS, options.searches):
        matrix = search == "apsp" and GRAPHS[name]().num_vertices > MOST_MATRIX
        if name.startswith(tuple(options.graphs)) and not matrix:
            good.append(measure(name, search, options.rounds, options.worse))
    print(f"{good.count(True)} of {len(good)} rows within {options.worse:g}")


if __name__ == "__main__":
    main()
