"""The page of measured figures, and that docs/performance.md is the one that its figures make."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from warpath.bench import measured, performance_page, performance_plots
from warpath.bench.suites import SUITES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "performance.md"
FIGURES = ROOT / "docs" / "results" / "performance.jsonl"
WITH_DOCS = pytest.mark.skipif(not FIGURES.is_file(), reason="no docs beside the tests")


def one(**given: Any) -> measured.Measured:
    about = {
        "table": "peers", "graph": "G", "search": "BFS", "device": "cpu", "command": "do it",
        "machine": "a CPU", "date": "2026-11",
    }  # fmt: skip
    return measured.Measured(**(about | given))


def texts(svg: Path) -> set[str]:
    return set(re.findall(r"<text[^>]*>([^<]+)</text>", svg.read_text(encoding="utf-8")))


@WITH_DOCS
def test_the_page_and_its_plots_are_those_that_the_figures_make(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = measured.read(FIGURES)
    performance_page.write(found, "results/performance.jsonl", tmp_path / "performance.md")
    made = (tmp_path / "performance.md").read_text(encoding="utf-8")
    assert made == PAGE.read_text(encoding="utf-8")
    plots = {file.name for file in (tmp_path / "performance").iterdir()}
    assert plots == {file.name for file in PAGE.with_suffix("").iterdir()}
    assert plots == {f"{name}.svg" for name in performance_plots.PLOTS}
    for name in plots:  # paths differ from one Matplotlib to the next, what is written does not
        shown = texts(tmp_path / "performance" / name)
        assert len(shown) > 5
        assert shown == texts(PAGE.with_suffix("") / name)


@WITH_DOCS
def test_figures_agree_with_themselves() -> None:
    """A ratio with the two times that it is of, but for their digits; commands with what there is."""
    tables = {part.table for part in performance_page.PARTS}
    for figure in measured.read(FIGURES):
        assert figure.table in tables or performance_plots.shown("roofline", [figure]) or (
            performance_plots.shown("growth", [figure])
        )  # fmt: skip
        assert figure.command
        assert figure.machine
        assert re.match(r"2026-\d\d", figure.date)
        if figure.ratio and figure.ms and figure.peer_ms:
            assert figure.ratio == pytest.approx(figure.peer_ms / figure.ms, rel=0.08)
        for script in re.findall(r"benchmarks/\w+\.py|tests/\S+\.py", figure.command):
            assert (ROOT / script).is_file(), script
        for suite in re.findall(r"warpath bench ([\w-]+)", figure.command):
            assert suite in SUITES


def test_ratios_and_floors() -> None:
    found = [
        one(ms=2.0, peer="A", version="1", peer_ms=10.0),
        one(ms=2.0, peer="B", peer_ms=3.0, ratio=1.4, command="do that", note="at night"),
        one(table="gpu search", ms=4.0, arcs=8_000_000, floor_ms=1.0, bound="the copy"),
        one(table="gpu search", search="SSSP", ms=8.0),
    ]
    page = performance_page.page(found, "figures.jsonl", "plots")
    assert "| graph | search | warpath, ms | A 1 | B |" in page
    assert "| G | BFS | 2 | 5× | 1.4× |" in page
    assert "- `do that`: a CPU, 2026-11; at night" in page
    assert "| G | BFS | 4 | 2 | 1 | 4 | the copy |" in page
    assert "| G | SSSP | 8 | – | – | – |  |" in page
    assert "[figures.jsonl](figures.jsonl)" in page
    assert "plots/peers.svg" in page
    assert "roofline" not in page  # nothing to draw


@pytest.mark.parametrize(
    ("line", "message"),
    [("{", "line 2"), ('{"table": "peers"}', "missing"), ('{"tabel": "peers"}', "unknown tabel")],
)
def test_a_line_that_is_no_figure_is_named(tmp_path: Path, line: str, message: str) -> None:
    file = tmp_path / "a.jsonl"
    good = {key: value for key, value in vars(one(ms=1.0)).items() if value is not None}
    file.write_text(json.dumps(good) + "\n")
    assert measured.read(file) == [one(ms=1.0)]
    file.write_text(json.dumps(good) + f"\n{line}\n")
    with pytest.raises(ValueError, match=message):
        measured.read(file)
