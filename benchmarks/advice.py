"""How good is the advice? On ten graphs that no suite has, beside the best of all candidates.

`warpath.bench.advise` measures for a few seconds; then every candidate is measured on more sources,
in turn, and what was advised is compared with the fastest: 1.00 is as good as that.

    python benchmarks/advice.py [--device cuda] [--seconds 5] [--sources 15] [--scale 1]

Prints Markdown.
"""

import argparse
from collections.abc import Callable

import numpy as np

import warpath as wp
from warpath.bench import advise as module
from warpath.bench.answers import Answers
from warpath.bench.sources import draw


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


def thorough(
    graph: wp.Graph, runners: list[module.Candidate], sources: list[int]
) -> dict[str, float]:
    """The median of each candidate, all from one source before any from the next."""
    answers = Answers(graph)
    times: dict[str, list[float]] = {runner.label: [] for runner in runners}
    for source in sources:
        for runner in runners:
            taken, problem = module._run(graph, answers, runner, source)
            if problem is not None:
                raise SystemExit(f"{runner.label}: {problem}")
            times[runner.label].append(taken)
    return {label: float(np.median(taken)) for label, taken in times.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--sources", type=int, default=15)
    parser.add_argument("--scale", type=float, default=1.0)
    options = parser.parse_args()
    print("| graph | | advised | ms | best | ms | times the best | the default's |")
    print("| --- " * 8 + "|")
    for name, make in graphs(options.scale).items():
        graph = make()
        advice = module.advise(graph, device=options.device, seconds=options.seconds)
        sources = draw(graph, options.sources, 99)
        for algorithm in advice.best:
            tried = [
                one for one in advice.candidates if one.algorithm == algorithm and not one.note
            ]
            times = thorough(graph, tried, sources)
            best = min(times, key=lambda label: times[label])
            own, least = times[tried[0].label], times[best]
            default = next(one.label for one in tried if not one.options)
            print(
                f"| {name} | {algorithm} | {tried[0].label} | {own * 1e3:.3g} | {best} "
                f"| {least * 1e3:.3g} | {own / least:.2f} | {times[default] / least:.2f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
