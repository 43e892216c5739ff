"""The page of measured figures, and that docs/performance.md is the one that its figures make."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from warpath.bench import measured, performance_page, performance_plots
from warpath.bench.result_table import digits, times
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
    found = measured.read(FIGURES)
    assert measured.merge(found, []) == found
    for figure in found:
        drawn = [
            name for name in performance_plots.PLOTS if performance_plots.shown(name, [figure])
        ]
        assert drawn or figure.table in tables | {"load imbalance", "textbook kernels"}
        assert figure.command
        assert figure.machine
        assert re.match(r"2026-\d\d", figure.date)
        if figure.ratio and figure.ms and figure.peer_ms:
            assert figure.ratio == pytest.approx(figure.peer_ms / figure.ms, rel=0.08)
        for script in re.findall(r"benchmarks/\w+\.py|tests/\S+\.py", figure.command):
            assert (ROOT / script).is_file(), script
        for suite in re.findall(r"warpath bench ([\w-]+)", figure.command):
            assert suite in SUITES


@WITH_DOCS
def test_gains_that_the_page_of_balances_states_are_measured() -> None:
    """Its table of our forms and the papers', and the balances of its lessons."""
    page = PAGE.with_name("load_balancing.md").read_text(encoding="utf-8")
    table = page.split("## The paper's form and ours")[1].split("\n## ")[0]
    stated = dict(re.findall(r"^\| `([\w-]+)` \|.* (\S+×) \|$", table, re.MULTILINE))
    found = measured.read(FIGURES)
    gains = [f for f in found if f.table == "textbook kernels" and f.graph == "R-MAT 22"]
    assert len(stated) == 15
    for name, gain in stated.items():
        assert gain in {times(f.times_faster) for f in gains if name in f.balance}, name
    lessons = page.split("## What measurements teach")[1].split("\n## ")[0]
    known = {digits(f.ms) for f in found if f.table == "balances" and f.search != "SSSP"}
    known |= {part for f in found if f.table == "load imbalance" for part in f.value.split(", ")}
    for line in (line for line in lessons.splitlines() if ".py` |" in line and "auto" not in line):
        figures = re.findall(r"(?<![\w,.])\d+\.\d+|105", line.split(" | ")[1])
        assert figures
        assert set(figures) <= known, line


def test_ratios_and_floors() -> None:
    found = [
        one(ms=2.0, peer="A", version="1", peer_ms=10.0),
        one(ms=2.0, peer="B", peer_ms=3.0, ratio=1.4, command="do that", note="at night"),
        one(table="gpu search", ms=4.0, arcs=8_000_000, floor_ms=1.0, bound="the copy"),
        one(table="gpu search", search="SSSP", ms=8.0),
        one(table="operators", search="op", ms=6.0, peer="C", peer_ms=3.0, floor_ms=1.5),
        one(table="operators", search="sum", ms=7.0, bound="atomics"),
    ]
    page = performance_page.page(found, "figures.jsonl", "plots")
    assert "| graph | search | warpath, ms | A 1 | B |" in page
    assert "| G | BFS | 2 | 5× | 1.4× |" in page
    assert "- `do that`: a CPU, 2026-11; at night" in page
    assert "| G | BFS | 4 | 2 | 1 | 4 | the copy |" in page
    assert "| G | SSSP | 8 | – | – | – |  |" in page
    assert "| G | op | 6 | C | 3 | 1.5 | 4 |  |" in page
    assert "| G | sum | 7 | – | – | – | – | atomics |" in page
    assert "[figures.jsonl](figures.jsonl)" in page
    assert "plots/peers.svg" in page
    assert "roofline" not in page  # nothing to draw


def test_balances_that_are_much_faster_by_a_setting_have_a_row() -> None:
    times = {
        ("a", "G"): 3.0, ("a:k=1", "G"): 2.1, ("a:k=2", "G"): 2.0, ("b", "G"): 1.0, ("b", "H"): 4.0,
        ("a", "H"): 5.0,
    }  # fmt: skip
    found = [
        one(table="balances", balance=balance, graph=graph, search=search, ms=ms * factor)
        for (balance, graph), ms in times.items()
        for search, factor in (("BFS, top-down", 1), ("SSSP", 9))
    ]
    page = performance_page.page(found, "figures.jsonl", "plots")
    assert [line for line in page.splitlines() if line.startswith("| ")] == [
        "| balance | G | H |", "| --- | --- | --- |", "| `a` | 3 | 5 |", "| `a:k=2` | 2 | – |",
        "| `b` | 1 | 4 |",
    ]  # fmt: skip


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


README_GRAPHS = {"R-MAT, 2¹⁸ vertices": "R-MAT 18", "grid, 1000 × 1000": "grid 1000²"}
README_SEARCHES = {"BFS": "BFS, int32", "shortest paths": "SSSP, int32"}


def test_the_table_of_the_readme_is_of_the_figures():
    lines = (ROOT / "docs/results/performance.jsonl").read_text().splitlines()
    figures = {
        (one["graph"], one["search"], f"{one['peer']} {one.get('version', '')}".strip()): one
        for one in map(json.loads, lines)
        if one["table"] == "peers"
    }
    table = re.findall(r"^\| (.*) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    head, _, *rows = (row.split(" | ") for row in table)
    peers = [peer.replace(" (C++)", "") for peer in head[3:]]
    assert len(rows) == 4
    for search, graph, ms, *ratios in rows:
        for peer, ratio in zip(peers, ratios, strict=True):
            found = figures[README_GRAPHS[graph], README_SEARCHES[search], peer]
            assert ms == f"{found['ms']} ms"
            assert abs(float(ratio.rstrip("×")) - found["ratio"]) <= 0.5 * (found["ratio"] >= 100)
