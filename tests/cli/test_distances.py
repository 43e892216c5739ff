from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest


def test_a_matrix(run_json: Any, gr: Path) -> None:
    data = run_json("distances", gr, "-s", 0, "-s", 2, "-t", 1, "-t", 3, "-t", 5, "--verify")
    assert data["distance"] == [[3, 8, None], [2, 7, None]]
    assert (data["sources"], data["targets"]) == ([0, 2], [1, 3, 5])
    assert (data["pairs"], data["verified"]) == (4, True)
    assert run_json("distances", gr, "-s", 4)["distance"] == [[None, None, None, None, 0, 1]]


def test_for_people(run: Any, gr: Path, tmp_path: Path) -> None:
    shown = run("distances", gr, "-s", 0, "-t", 3, "-t", 5, "--verify").stdout
    assert "8" in shown
    assert "–" in shown
    assert "1 × 2 pairs, 1 with a path" in shown
    assert "Verified." in shown
    line = tmp_path / "line.el"
    line.write_text("".join(f"{v} {v + 1}\n" for v in range(50)))
    shown = run("distances", line, "-s", 0, "-o", tmp_path / "d.csv").stdout
    assert len(shown.splitlines()) == 3
    assert "d.csv" in shown


def test_options(run_json: Any, gr: Path) -> None:
    ends = ("-s", 0, "-t", 1, "-t", 3)
    assert run_json("distances", gr, *ends, "--cutoff", 5)["distance"] == [[3, None]]
    data = run_json("distances", gr, *ends, "--algebra", "widest", "--verify")
    assert (data["distance"], data["algebra"]) == ([[4, 4]], "widest")
    data = run_json("distances", gr, *ends, "--dtype", "float64", "--device", "cpu")
    assert data["distance"] == [[3.0, 8.0]]


@pytest.mark.parametrize("suffix", ["npy", "csv", "parquet"])
def test_files(run_json: Any, gr: Path, tmp_path: Path, suffix: str) -> None:
    (tmp_path / "s.txt").write_text("0\n\n 2\n")
    np.save(tmp_path / "t.npy", np.array([3, 5]))
    out = tmp_path / f"d.{suffix}"
    data = run_json(
        "distances", gr, "--sources", tmp_path / "s.txt", "-t", 1, "--targets", tmp_path / "t.npy",
        "-o", out,
    )  # fmt: skip
    assert (data["sources"], data["targets"], data["distance"]) == ([0, 2], [1, 3, 5], None)
    none = np.iinfo(np.int32).max
    if suffix == "npy":
        assert np.load(out).tolist() == [[3, 8, none], [2, 7, none]]
        return
    table = pl.read_csv(out) if suffix == "csv" else pl.read_parquet(out)
    assert table.columns == ["source", "target", "distance"]
    assert table.rows() == [
        (0, 1, 3), (0, 3, 8), (0, 5, None), (2, 1, 2), (2, 3, 7), (2, 5, None),
    ]  # fmt: skip


def test_labels(run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "g.txt"
    file.write_text("10 20\n20 30\n")
    options = ("--compact",)
    data = run_json("distances", file, *options, "-s", 10, "-s", 20, "-t", 30)
    assert (data["sources"], data["targets"]) == ([10, 20], [30])
    assert data["distance"] == [[2], [1]]


def test_what_goes_wrong(run: Any, run_json: Any, gr: Path, cycle: Path, tmp_path: Path) -> None:
    assert "no sources" in run("distances", gr, code=2).stderr
    assert "out of range" in run("distances", gr, "-s", 9, code=2).stderr
    assert "must end in .npy" in run("distances", gr, "-s", 0, "-o", "d.npz", code=2).stderr
    np.save(tmp_path / "s.npy", np.array([0, 9]))
    error = run_json("distances", gr, "--sources", tmp_path / "s.npy", code=2)["error"]
    assert "sources[1] 9 is out of range" in error["message"]
    data = run_json("distances", cycle, "-s", 0, code=2)
    assert data["error"]["type"] == "NegativeCycleError"


def test_sources_that_are_no_text(run: Any, gr: Path, tmp_path: Path) -> None:
    file = tmp_path / "sources.txt"
    file.write_bytes(b"0\n\xff\n")
    refused = run("distances", gr, "--sources", file, code=2)
    assert f"{file}: expected a text in UTF-8" in refused.stderr.replace("\n", "")
