from pathlib import Path
from typing import Any

import pytest


def test_profile(run: Any, run_json: Any, gr: Path, tmp_path: Path) -> None:
    shown = run("profile", "bfs", gr, "-s", 0, "--device", "cpu", "--rows", 1).stdout
    assert "from 0 on cpu" in shown
    assert "more" in shown
    data = run_json("profile", "sssp", gr, "-s", 0, "--method", "bellman-ford", "--device", "cpu")
    assert sum(row["arcs"] for row in data["rows"]) >= 4
    assert "unknown algorithm" in run("profile", "apsp", gr, code=2).output


def test_a_plot(run: Any, gr: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    run("profile", "bfs", gr, "--device", "cpu", "--plot", tmp_path / "a.svg")
    assert (tmp_path / "a.svg").exists()
