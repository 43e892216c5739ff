"""What reading takes at most, compared with the graph."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from exhaustive import few, sample
from warpath.graph.graph import Graph
from warpath.io import read, write


def kilobytes(key):
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(f"{key}:"))


@pytest.fixture(scope="module")
def graph():
    """4 million arcs, of which only some rows have sorted targets."""
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, 1 << 17, (2, 1 << 22), dtype=np.int32)
    return Graph.from_edges(source, target, rng.integers(1, 99, 1 << 22, dtype=np.int32))


ROWS = list(product(["txt", "mtx", "parquet"], [True, False], [True, False]))


@pytest.mark.parametrize(("suffix", "directed", "weighted"), few(ROWS, sample(ROWS, 5, 1)))
def test_peak(suffix, directed, weighted, graph, tmp_path):
    path = tmp_path / f"graph.{suffix}"
    source, target, weight = graph.coo()
    graph = Graph.from_edges(source, target, weight if weighted else None, directed=directed)
    write(graph.subgraph([0, 1, 2]), tmp_path / f"small.{suffix}")
    write(graph, path)
    read(tmp_path / f"small.{suffix}")  # what it loads and compiles is there
    before = kilobytes("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # VmHWM begins again
    found = read(path)
    peak = 1024 * (kilobytes("VmHWM") - before)
    assert found.num_arcs == graph.num_arcs
    assert peak < 2.5 * found.memory()["arcs"]
