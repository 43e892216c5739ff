"""Memory and time of reading a graph, for each format, compared with the graph's own memory.

    python benchmarks/reading.py [--scale 20] [--only wel,csv] [--folder FOLDER] [--repeat 1]

One R-MAT graph is written in each format and layout. Each file is read in a process of its own, which has
read a small file of the same kind before: libraries are loaded and kernels compiled. ``peak`` is the
most memory that reading took beyond what the process held then (Linux, VmHWM), ``graph`` that of the
graph's arrays, labels included. Files are kept in FOLDER, by default a temporary one.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import warpath as wp

Make = Callable[[int], wp.Graph]


def rmat(**options: Any) -> Make:
    """A maker of the graph of a scale."""
    return lambda scale: wp.generate.rmat(scale, seed=1, **options)


def used(make: Make) -> Make:
    """A maker of the same graph without isolated vertices."""

    def made(scale: int) -> wp.Graph:
        graph = make(scale)
        return graph.subgraph(np.flatnonzero(graph.degree + graph.in_degree)).without_labels()

    return made


def labelled(make: Make, label: Callable[[np.ndarray], Any]) -> Make:
    """A maker of the same graph without isolated vertices, with labels made of their numbers."""

    def made(scale: int) -> wp.Graph:
        graph = used(make)(scale)
        csr = graph.row_offsets, graph.column_indices, graph.weights
        return wp.Graph.from_csr(*csr, labels=label(np.arange(graph.num_vertices)))

    return made


WEIGHTS = {"weights": (1, 255)}
DIRECTED = rmat(directed=True, **WEIGHTS)
CASES: dict[str, tuple[str, Make]] = {
    "edge-list, directed": ("d.txt", DIRECTED),
    "edge-list, undirected": ("u.txt", rmat(**WEIGHTS)),
    "edge-list, directed, no weights": ("p.txt", rmat(directed=True)),
    "edge-list, undirected, no weights": ("q.txt", rmat()),
    "edge-list, float weights": ("f.txt", rmat(directed=True, weights=(0.0, 1.0))),
    "edge-list, ids beyond 2³¹": ("i.txt", labelled(DIRECTED, lambda v: v * 10**6 + 2**33)),
    "edge-list, text ids": ("t.csv", labelled(DIRECTED, lambda v: np.char.add("v", v.astype(str)))),
    "csv": ("d.csv", DIRECTED),
    "txt.gz": ("d.txt.gz", DIRECTED),
    "txt.zst": ("d.txt.zst", DIRECTED),
    "el": ("p.el", used(rmat(directed=True))),
    "wel": ("d.wel", used(DIRECTED)),
    "matrix-market, general": ("d.mtx", DIRECTED),
    "matrix-market, symmetric": ("u.mtx", rmat(**WEIGHTS)),
    "dimacs": ("d.gr", DIRECTED),
    "metis": ("m.graph", rmat(simple=True, **WEIGHTS)),
    "graphalytics": ("d.e", DIRECTED),
    "parquet, directed": ("d.parquet", DIRECTED),
    "parquet, undirected": ("u.parquet", rmat(**WEIGHTS)),
    "parquet, text ids": ("t.parquet", labelled(DIRECTED, lambda v: np.char.add("v", v.astype(str)))),
    "wsg, undirected": ("u.wsg", rmat(**WEIGHTS)),
    "wsg, directed": ("d.wsg", DIRECTED),
    "npz": ("d.npz", DIRECTED),
}  # fmt: skip
SMALL = 6  # scale of the file that is read first


def kilobytes(key: str) -> int:
    """A line of /proc/self/status."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1])
    raise KeyError(key)


def measure(small: Path, file: Path) -> dict[str, float]:
    """Bytes and seconds of reading one file, in this process."""
    wp.read(small)
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins again
    began, cpu = time.perf_counter(), time.process_time()
    graph = wp.read(file)
    seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
    peak = 1024 * (kilobytes("VmHWM") - before)
    arrays = [graph.row_offsets, graph.column_indices, graph.weights, graph.labels]
    size = sum(a.nbytes for a in arrays if a is not None)
    if graph.labels is not None and graph.labels.dtype == object:
        size += sum(map(sys.getsizeof, graph.labels))
    return {
        "file": os.path.getsize(file), "graph": size, "peak": peak, "wall": seconds, "cpu": cpu,
    }  # fmt: skip


def main() -> None:
    """Measure and print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])  # type: ignore[union-attr]
    parser.add_argument("--scale", type=int, default=20)
    parser.add_argument("--only", default="", help="parts of the files' names, by commas")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--repeat", type=int, default=1, help="of which the medians are printed")
    parser.add_argument("--measure", nargs=2, type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        print(json.dumps(measure(*arguments.measure)))
        return
    wanted = [part for part in arguments.only.split(",") if part]
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        print("| format | file, MB | graph, MB | peak, MB | peak / graph | wall, s | CPU, s |")
        print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
        for name, (file, make) in CASES.items():
            if wanted and file not in wanted:
                continue
            places = []
            for scale in (SMALL, arguments.scale):
                place = folder / str(scale) / file
                places.append(place)
                if not place.exists():
                    place.parent.mkdir(parents=True, exist_ok=True)
                    wp.write(make(scale), place)
            command = [sys.executable, __file__, "--measure", *map(str, places)]
            runs = [
                json.loads(
                    subprocess.run(command, check=True, capture_output=True, text=True).stdout
                )
                for _ in range(arguments.repeat)
            ]
            row = {key: median(run[key] for run in runs) for key in runs[0]}
            sizes = [f"{row[key] / 1e6:.0f}" for key in ("file", "graph", "peak")]
            print(
                f"| {name} | {' | '.join(sizes)} | {row['peak'] / row['graph']:.1f} "
                f"| {row['wall']:.1f} | {row['cpu']:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
