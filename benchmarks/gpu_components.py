"""Connected components on a GPU, by each balance, and on the CPU, on the graphs of `gpu_graphs.py`.

    python benchmarks/gpu_components.py [--graphs NAME …]

Ms of a call and the wait for its answer, the median of nine, the graph on the device; the labels are compared with
the CPU's. The floor: row offsets, two columns of each vertex and labels once each, at 4.3 TB/s.
"""

import argparse
from statistics import median

from gpu_graphs import GRAPHS, OTHERS
from gpu_timing import ROUNDS, call_ms

import warpath as wp

CHOSEN = ("R-MAT 20, 16", "R-MAT 23, 16", "G(2²², 2²⁶)", "grid 2048²", "great-britain_osm")
BALANCES = ("two-phase-search", "auto", "merge-path", "cta-warp-scan", "thread-mapped")
BYTES_PER_MS = 4.3e9


def measure(name: str) -> None:
    """Print a row."""
    graph = (GRAPHS | OTHERS)[name]()
    wanted, count = wp.connected_components(graph, device="cpu")
    cells = []
    for balance in BALANCES:
        labels, found = wp.connected_components(graph, device="cuda", schedule=balance)
        if found != count or not (labels.get() == wanted).all():
            raise SystemExit(f"{name}, {balance}: other components")

        def call(balance: str = balance) -> object:
            return wp.connected_components(graph, device="cuda", schedule=balance)

        cells.append(f"{median(call_ms(call) for _ in range(ROUNDS)):.2f}")
    cpu = median(call_ms(lambda: wp.connected_components(graph, device="cpu")) for _ in range(3))
    floor = 4 * graph.num_vertices * (1 + 2 + 1) / BYTES_PER_MS
    sizes = f"{graph.num_vertices:,} | {graph.num_arcs:,} | {count:,}"
    print(f"| {name} | {sizes} | {' | '.join(cells)} | {cpu:.1f} | {floor:.3f} |", flush=True)


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--graphs", nargs="+", default=CHOSEN)
    columns = ("graph", "vertices", "arcs", "components", *BALANCES, "CPU", "floor")
    print("| " + " | ".join(columns) + " |\n" + "| --- " * len(columns) + "|")
    for name in parser.parse_args().graphs:
        measure(name)


if __name__ == "__main__":
    main()
