import sys
from pathlib import Path
from typing import Any

import pytest


def test_numbers(run_json: Any, gr: Path) -> None:
    data = run_json("info", gr)
    assert (data["vertices"], data["edges"], data["components"]) == (6, 5, 2)
    assert data["degree_histogram"] == [[0, 2], [1, 3], [2, 1]]
    assert data["diameter_at_least"] == 2
    assert run_json("info", gr, "--no-diameter")["diameter_at_least"] is None


def test_for_people(run: Any, gr: Path) -> None:
    out = run("info", gr).stdout
    assert "average degree" in out
    assert "≥ 2" in out


@pytest.mark.parametrize("directed", [True, False])
def test_plot(run: Any, tmp_path: Path, directed: bool) -> None:
    graph, picture = tmp_path / "g.npz", tmp_path / "p.png"
    pytest.importorskip("matplotlib")
    run("generate", "rmat", "--scale", 8, *["--directed"] * directed, "-o", graph)
    assert str(picture) in run("info", graph, "--plot", picture).stdout.replace("\n", "")
    header = picture.read_bytes()[:24]
    assert header.startswith(b"\x89PNG")
    width, height = (int.from_bytes(header[i : i + 4]) for i in (16, 20))
    assert (width, height) == (900, 600)


@pytest.mark.parametrize("text", ["0 0\n", "0 1\n"])
def test_plot_of_almost_nothing(run: Any, tmp_path: Path, text: str) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "g.el").write_text(text)
    run("info", tmp_path / "g.el", "--plot", tmp_path / "p.svg")
    assert "<svg" in (tmp_path / "p.svg").read_text()


def test_plot_without_matplotlib(run: Any, gr: Path, monkeypatch: Any) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    failed = run("info", gr, "--plot", "p.png", code=2)
    assert "pip install 'warpath[plot]'" in failed.stderr


def test_max_bytes(run: Any, gr: Path) -> None:
    size = gr.stat().st_size
    assert "average degree" in run("info", gr, "--max-bytes", size).stdout
    refused = run("info", gr, "--max-bytes", size - 1, code=2)
    assert f"{gr}: the file takes {size:,} bytes or more" in refused.stderr.replace("\n", "")
