from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpath import generate, read


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("rmat --scale 6 --edge-factor 4 --weights 1 9 --seed 3",
         lambda: generate.rmat(6, 4, weights=(1, 9), seed=3)),
        ("rmat --scale 6 -a 0.25 -b 0.25 -c 0.25 -d 0.25 --simple --directed",
         lambda: generate.rmat(6, a=0.25, b=0.25, c=0.25, d=0.25, simple=True, directed=True)),
        ("erdos-renyi -n 50 -m 99 --directed --weights 0.0 1",
         lambda: generate.erdos_renyi(50, 99, directed=True, weights=(0.0, 1))),
        ("grid --rows 5 --columns 7 --keep 0.5 --seed 9",
         lambda: generate.grid(5, 7, keep=0.5, seed=9)),
        ("roads --rows 5 --columns 7 --keep 0.8 --pieces 2.5 --junction 6 --weights 1 9",
         lambda: generate.roads(5, 7, keep=0.8, pieces=2.5, junction=6, weights=(1, 9))),
        ("paper hugetrace_00000 --scale 0.0001 --seed 3",
         lambda: generate.hexagonal(21, 22)),
    ],
)  # fmt: skip
def test_the_same_as_from_python(
    run_json: Any, tmp_path: Path, arguments: str, expected: Any
) -> None:
    file = tmp_path / "g.npz"
    data = run_json("generate", *arguments.split(), "-o", file)
    graph, expected = read(file), expected()
    assert data["graph"]["arcs"] == graph.num_arcs == expected.num_arcs
    assert np.array_equal(graph.column_indices, expected.column_indices)
    assert np.array_equal(graph.row_offsets, expected.row_offsets)
    assert graph.directed == expected.directed
    assert (graph.weights is None) == (expected.weights is None)
    if expected.weights is not None:
        assert np.array_equal(graph.weights, expected.weights)
        assert graph.weights.dtype == expected.weights.dtype


def test_negative_weights(run: Any, run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "g.npz"
    run("generate", "erdos-renyi", "-n", 50, "-m", 300, "--directed", "--weights", 1, 9,
        "--negative", "-o", file)  # fmt: skip
    assert read(file).weight_range[0] < 0
    assert run_json("sssp", file, "--verify")["verified"] is True


def test_named(run_json: Any, tmp_path: Path) -> None:
    data = run_json("generate", "named", "petersen", "-o", tmp_path / "g.mtx")
    assert (data["graph"]["vertices"], data["graph"]["edges"]) == (10, 15)
    assert read(tmp_path / "g.mtx").num_edges == 15


def test_for_people(run: Any, tmp_path: Path) -> None:
    out = run("generate", "grid", "--rows", 3, "-o", tmp_path / "g.mtx.gz").stdout
    assert "9 vertices, 12 edges" in " ".join(out.split())
    assert read(tmp_path / "g.mtx.gz").num_edges == 12


def test_a_paper_that_has_no_such_graph(run: Any, tmp_path: Path) -> None:
    result = run("generate", "paper", "asia", "-o", tmp_path / "g.npz", code=2)
    assert "no paper has a graph 'asia': choose one of asia.osm" in " ".join(result.stderr.split())
