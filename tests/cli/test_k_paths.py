from pathlib import Path
from typing import Any

import polars as pl


def test_paths_and_lengths(run: Any, run_json: Any, gr: Path) -> None:
    data = run_json("k-paths", gr, "-s", 0, "-t", 3, "-k", 5, "--verify")
    assert data["paths"] == [
        {"distance": 8, "path": [0, 2, 1, 3]},
        {"distance": 9, "path": [0, 1, 3]},
    ]
    hops = run_json("k-paths", gr, "-s", 0, "-t", 3, "-k", 1, "--hops")
    assert hops["paths"] == [{"distance": 2, "path": [0, 1, 3]}]
    assert run("k-paths", gr, "-s", 0, "-t", 3).stdout == "8: 0 → 2 → 1 → 3\n9: 0 → 1 → 3\n"


def test_by_name_to_a_file(run: Any, towns: Path, tmp_path: Path) -> None:
    file = tmp_path / "paths.csv"
    run("k-paths", towns, "--undirected", "-s", "Ulm", "-t", "Kiel", "-o", file)
    assert pl.read_csv(file).rows() == [(0, 0, "Ulm"), (0, 1, "Bonn"), (0, 2, "Kiel")]


def test_no_path(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "none.csv"
    assert run_json("k-paths", gr, "-s", 0, "-t", 5, "-o", file, "--verify")["paths"] == []
    assert pl.read_csv(file).height == 0
    assert "No path leads to 5" in run("k-paths", gr, "-s", 0, "-t", 5).stdout
