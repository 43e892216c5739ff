from pathlib import Path
from typing import Any

import polars as pl


def test_weak_and_strong(run_json: Any, gr: Path) -> None:
    data = run_json("components", gr)
    assert (data["components"], data["largest"]) == (2, 4)
    assert data["component"] == [0, 0, 0, 0, 4, 4]
    data = run_json("components", gr, "--strong")
    assert (data["components"], data["strong"]) == (6, True)


def test_by_name(run: Any, run_json: Any, towns: Path, tmp_path: Path) -> None:
    data = run_json("components", towns)
    assert data["vertex"] == ["Bergen", "Bonn", "Kiel", "Oslo", "Ulm"]
    assert data["component"] == ["Bergen", "Bonn", "Bonn", "Bergen", "Bonn"]
    out = run("components", towns, "-o", tmp_path / "c.csv").stdout
    assert "components: 2" in out
    assert "largest: 3" in out
    assert pl.read_csv(tmp_path / "c.csv").rows()[2] == ("Kiel", "Bonn")


def test_without_vertices(run_json: Any, tmp_path: Path) -> None:
    file = tmp_path / "empty.mtx"
    file.write_text("%%MatrixMarket matrix coordinate pattern general\n0 0 0\n")
    assert run_json("components", file)["components"] == 0
