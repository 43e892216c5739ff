"""How good is the advice? On ten graphs that no suite has, compared with the best of all candidates.

`warpath.bench.advise` measures for a few seconds; then all candidates search alternately from other
sources, and those that are not far behind after some rounds run for more rounds. The fastest of these
runs once more, interleaved with what was advised and the default, and these times count: else what
happened to be fast would be the best. 1.00 is as good as that.

    python benchmarks/advice.py [--device cuda] [--seconds 5] [--rounds 100] [--scale 1] [--graphs grid,R-MAT]

Prints Markdown.
"""

import argparse
from collections.abc import Callable
from itertools import cycle, islice

import numpy as np

import warpath as wp
from warpath.bench.advise import advise
from warpath.bench.candidates import Candidate, candidates
from warpath.bench.prepare import prepare_races
from warpath.bench.race import Race
from warpath.bench.source_vertices import draw
from warpath.typing import SEARCHES

SEED = 99  # of sources and orders; the adviser's is 1
SOURCES = 12
TRIALS = {
    1: 4.0,
    6: 1.5,
}  # after these rounds, candidates that take longer than this many times the fastest's are dropped
WANTED = 1.05


def graphs(scale: float) -> dict[str, Callable[[], wp.Graph]]:
    """Each makes one; ``scale`` multiplies vertices."""
    make = wp.generate
    more = round(np.log2(scale))

    def n(count: float) -> int:
        return round(count * scale)

    def side(count: float) -> int:
        return round((count * scale) ** 0.5)

    return {
        "R-MAT 16, factor 4": lambda: make.rmat(16 + more, 4, weights=(1, 255), seed=11),
        "R-MAT 15, factor 64": lambda: make.rmat(15 + more, 64, weights=(1, 255), seed=12),
        "R-MAT 17, directed": lambda: make.rmat(
            17 + more, 8, directed=True, weights=(1, 9), seed=13
        ),
        "R-MAT 16, float": lambda: make.rmat(16 + more, 16, weights=(0.0, 1.0), seed=14),
        "uniform, degree 3": lambda: make.erdos_renyi(n(3e5), n(4.5e5), weights=(1, 255), seed=15),
        "uniform, degree 40": lambda: make.erdos_renyi(n(5e4), n(1e6), weights=(1, 255), seed=16),
        "uniform, weights to 10⁶": lambda: make.erdos_renyi(
            n(1e5), n(8e5), weights=(1, 10**6), seed=17
        ),
        "grid": lambda: make.grid(side(2.5e5), keep=0.8, weights=(1, 255), seed=18),
        "grid, equal weights": lambda: make.grid(side(2.5e5), weights=(7, 7), seed=19),
        "long grid": lambda: make.grid(16, n(1.5e4), weights=(1, 99), seed=20),
    }


def fastest(
    graph: wp.Graph, runners: list[Candidate], sources: list[int], rounds: int
) -> Candidate:
    """Of those that are not far behind."""
    running = in_turns(graph, runners, sources, 0)
    for number, source in enumerate(islice(cycle(sources), max(TRIALS) + rounds)):
        if number in TRIALS:
            running.drop(TRIALS[number])
        running.round(source)
    costs = running.costs()
    return runners[min(costs, key=lambda i: costs[i])]


def in_turns(graph: wp.Graph, runners: list[Candidate], sources: list[int], rounds: int) -> Race:
    """The race after ``rounds`` rounds."""
    running = Race(graph, runners, SEED)
    running.start(sources[0])
    for source in islice(cycle(sources), rounds):
        running.round(source)
    if len(running.alive) < len(runners):
        raise SystemExit("\n".join(f"{one.label}: {one.note}" for one in running.ranked()))
    return running


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--graphs", default="", help="parts of names, with commas between")
    options = parser.parse_args()
    wanted = options.graphs.split(",")
    made = {
        name: make()
        for name, make in graphs(options.scale).items()
        if any(part in name for part in wanted)
    }
    if options.device != "cpu":
        prepare_races(
            (graph, (one for algorithm in SEARCHES for one in candidates(graph, algorithm, ["cuda"])))
            for graph in made.values()
        )  # fmt: skip
    print("| graph | | advised | ms | best | times the best | the default's |")
    print("| --- " * 7 + "|")
    good = total = 0
    for name, graph in made.items():
        advice = advise(graph, device=options.device, seconds=options.seconds)
        sources = draw(graph, SOURCES, SEED)
        for algorithm in advice.best:
            tried = [
                one for one in advice.candidates if one.algorithm == algorithm and not one.note
            ]
            advised, default = tried[0], next(one for one in tried if not one.options)
            first = fastest(graph, tried, sources, options.rounds)
            three = [*{one.label: one for one in (first, advised, default)}.values()]
            final = in_turns(graph, three, sources, options.rounds)
            costs = {three[i].label: cost for i, cost in final.costs().items()}
            times = {one.label: one.seconds or 0.0 for one in final.ranked()}
            best = min(costs, key=lambda label: costs[label])
            ratio = costs[advised.label] / costs[best]
            good, total = good + (ratio <= WANTED), total + 1
            print(
                f"| {name} | {algorithm} | {advised.label} | {times[advised.label] * 1e3:.3g} "
                f"| {best} | {ratio:.2f} | {costs[default.label] / costs[best]:.2f} |",
                flush=True,
            )
    print(f"\n{good} of {total} within {WANTED - 1:.0%} of the best")


if __name__ == "__main__":
    main()
