import csv
import json
import math
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import warpath as wp
from warpath.bench import runner, trial

TINY = ("--device", "cpu", "--scale", "0.0005", "--sources", "2")


def test_list(run: Any, run_json: Any) -> None:
    suites = run_json("bench", "list")["suites"]
    assert suites["hbf-table2"]["graphs"] == 7
    shown = run("bench", "list").stdout
    assert "survey-fig12" in shown
    assert "hong-fig7a" in run("bench", "--help").stdout


def test_a_suite(run: Any, run_json: Any, tmp_path: Path) -> None:
    lines, page = tmp_path / "a.jsonl", tmp_path / "a.md"
    shown = run("bench", "hbf-fig9", *TINY, "-o", lines, "--markdown", page).stdout
    assert "H-BF, figure 9" in shown
    assert "holds         a queue spares Bellman-Ford at least half of them" in shown
    assert "left out (--device cpu) on msdoor: `queueless`, `workfront sweep`" in shown
    assert "H-BF, figure 9: relax operations (stand-ins, ×0.0005)" in shown
    assert len([one for one in trial.read(lines) if one.status == "ok"]) == 8
    assert "| msdoor | sequential queue | " in page.read_text()
    cells = run_json("bench", "hbf-fig9", *TINY)["suites"]["hbf-fig9"]["cells"]
    assert {cell["status"] for cell in cells} == {"ok", "left-out"}


def test_a_comma_before_a_space_belongs_to_a_name(run: Any, tmp_path: Path) -> None:
    lines = tmp_path / "a.jsonl"
    parts = ("--configurations", "bfs, CPU,st-connected, CPU")
    run("bench", "hong-fig11", *TINY, *parts, "-o", lines)
    labels = {one.configuration["label"] for one in trial.read(lines)}
    assert labels == {"bfs, CPU", "st-connected, CPU"}


def titles(page: str) -> list[str]:
    return [line for line in page.splitlines() if line.startswith("## ")]


def test_a_page_is_replaced_as_a_whole_and_refused_before_anything_runs(
    run: Any, tmp_path: Path, monkeypatch: Any
) -> None:
    page, both = tmp_path / "a.md", ("bench", "run", "hbf-fig9", "mishra-fig9", *TINY)
    page.write_text("old")
    seen, made = [], runner.run

    def look(*arguments: Any) -> Any:
        seen.append(page.read_text())
        return made(*arguments)

    monkeypatch.setattr(runner, "run", look)
    run(*both, "--markdown", page)
    assert seen[0] == "old"
    assert page.read_text().startswith(seen[1])  # a run that is cut off leaves whole suites
    assert titles(seen[1]) == titles(page.read_text())[:1]
    printed = run(*both, "--markdown", "-").stdout
    assert titles(page.read_text()) == titles(printed)
    assert list(tmp_path.iterdir()) == [page]
    seen.clear()
    assert "none/a.md: No such file" in run(*both, "--markdown", "none/a.md", code=2).stderr
    assert not seen


def test_several_suites_by_pattern(run: Any, run_json: Any) -> None:
    found = run_json("bench", "run", "survey-fig1[23]", "mishra-fig9", *TINY)["suites"]
    assert [*found] == ["survey-fig12", "survey-fig13", "mishra-fig9"]
    assert "no suite is called 'fig99'" in run("bench", "run", "fig99", code=2).output
    assert "unknown device 'tpu'" in run("bench", "hbf-fig9", "--device", "tpu", code=2).output


@pytest.mark.parametrize(
    ("given", "budget", "limit"),
    [
        ((), 420, 10),
        (("--quick",), 30, 2),
        (("--full",), math.inf, 10),
        (("--full", "--budget", "9", "--limit", "1"), 9, 1),
    ],
)
def test_suites_end_in_time_unless_all_sources_are_asked_for(
    run: Any, monkeypatch: pytest.MonkeyPatch, given: tuple[str, ...], budget: float, limit: float
) -> None:
    found: list[runner.Settings] = []

    def settings_alone(name: str, suite: Any, settings: runner.Settings, seen: Any) -> list[Any]:
        found.append(settings)
        return []

    monkeypatch.setattr(runner, "run", settings_alone)
    run("bench", "hbf-fig9", "--device", "cpu", *given, code=2)
    assert [(settings.budget, settings.limit) for settings in found] == [(budget, limit)]


def test_a_wrong_answer_ends_with_1(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    right = wp.bfs

    def planted(graph: wp.Graph, source: int, **options: Any) -> Any:
        found = right(graph, source, **options)
        found.distance[:] = 0
        return found

    monkeypatch.setattr(wp, "bfs", planted)
    shown = run("bench", "mishra-fig8", "--graphs", "rmat20", *TINY, code=1).stdout
    assert "wrong: CPU on rmat20" in shown


def test_compare(run: Any, run_json: Any, tmp_path: Path) -> None:
    before, after = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    run("bench", "hbf-fig9", *TINY, "-o", before)
    slower = []
    for line in before.read_text().splitlines():
        one = json.loads(line)
        if one["configuration"]["label"] == "Dijkstra":
            one["seconds"] *= 2
        slower.append(json.dumps(one) + "\n")
    after.write_text("".join(slower))
    assert "4 same" in run("bench", "compare", before, before).stdout
    shown = run("bench", "compare", before, after, code=1).stdout
    assert "Dijkstra" in shown
    assert "2.00" in shown
    changes = run_json("bench", "compare", before, after, code=1)["changes"]
    assert [one["key"][3] for one in changes if one["verdict"] == "slower"] == ["Dijkstra"]
    after.write_text("{}\n")
    assert "line 1" in run("bench", "compare", before, after, code=2).output


def test_tables_and_a_page_of_files(run: Any, run_json: Any, tmp_path: Path) -> None:
    lines, page, graphs = tmp_path / "a.jsonl", tmp_path / "a.md", tmp_path / "graphs"
    run("bench", "run", "hbf-fig9", *TINY, "-o", lines, "--keep-graphs", graphs, "--budget", "60")
    assert len([*graphs.iterdir()]) == 1
    lines.write_text(lines.read_text()[:-9])  # cut off
    assert "H-BF, figure 9: relax operations" in run("bench", "table", lines).stdout
    assert run_json("bench", "table", lines)["suites"]["hbf-fig9"]["cells"]
    run("bench", "report", lines, "-o", page)
    claim = "| a queue spares Bellman-Ford at least half of them | **holds** |"
    assert claim in page.read_text()
    assert "| msdoor | sequential queue |" in (tmp_path / "a" / "hbf.md").read_text()
    printed = run("bench", "report", lines).stdout
    assert claim in printed
    assert "# H-BF: Bellman-Ford on Kepler GPUs" in printed
    medians = tmp_path / "medians.jsonl"
    run("bench", "condense", lines, "-o", medians)
    assert len([one for one in trial.read(medians) if one.status == "ok"]) == 4
    run("bench", "report", medians, "-o", tmp_path / "b.md")
    assert page.read_text().replace("a/", "b/") == (tmp_path / "b.md").read_text()
    assert (tmp_path / "a" / "hbf.md").read_text() == (tmp_path / "b" / "hbf.md").read_text()


def test_figures_of_trials_are_added_to_those_there_are(run: Any, tmp_path: Path) -> None:
    lines, figures = tmp_path / "a.jsonl", tmp_path / "figures.jsonl"
    parts = ("--configurations", "CPU", "--graphs", "2^16", "-o", lines)
    run("bench", "growth", *TINY, *parts)
    run("bench", "figures", lines, "-o", figures)
    once = figures.read_text().splitlines()
    assert {json.loads(line)["search"] for line in once} == {"BFS", "SSSP"}
    assert len(once) == 2
    figures.write_text("\n".join([once[0].replace('"growth"', '"kept"'), *once]))
    run("bench", "figures", lines, "-o", figures)
    assert len(figures.read_text().splitlines()) == 3


def test_a_page_of_measured_figures(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    figures, page = tmp_path / "results" / "a.jsonl", tmp_path / "page.md"
    figures.parent.mkdir()
    figures.write_text(
        '{"table": "peers", "graph": "G", "search": "BFS", "device": "cpu", "ms": 2, "peer": "A", '
        '"peer_ms": 6, "command": "c", "machine": "m", "date": "d"}\n'
    )
    run("bench", "page", figures, "-o", page)
    assert "| G | BFS | 2 | 3× |" in page.read_text()
    assert "(results/a.jsonl)" in page.read_text()
    assert [file.name for file in (tmp_path / "page").iterdir()] == ["peers.svg"]
    figures.write_text("{}\n")
    assert "line 1" in run("bench", "page", figures, "-o", page, code=2).output


def test_a_plot(run: Any, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    lines = tmp_path / "a.jsonl"
    run("bench", "survey-fig13", *TINY, "--plot", tmp_path / "plots", "-o", lines)
    assert [file.name for file in (tmp_path / "plots").iterdir()] == ["survey-fig13.png"]
    run("bench", "table", lines, "--plot", tmp_path / "one.pdf", "--rooflines")
    assert (tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "one-roofline.pdf").exists()
    run("bench", "survey-fig12", *TINY, "-o", lines)
    run("bench", "table", lines, "--plot", tmp_path / "both.svg")
    for name in ("survey-fig12", "survey-fig13"):
        assert "<svg" in (tmp_path / f"both-{name}.svg").read_text()
    # What cannot be drawn is refused before anything is measured.
    before = lines.read_text()
    found = run("bench", "survey-fig13", *TINY, "--rooflines", "-o", lines, code=2)
    assert "give --plot as well" in found.output
    said = run("bench", "survey-fig12", *TINY, "--plot", "x.xyz", "-o", lines, code=2).output
    assert "x.xyz: a picture ends in .pdf, .svg, .png" in said
    assert lines.read_text() == before


def test_tables_in_latex_and_csv(run: Any, tmp_path: Path) -> None:
    lines, file = tmp_path / "a.jsonl", tmp_path / "a.csv"
    run("bench", "run", "hbf-fig9", "mishra-fig8", *TINY, "-o", lines, "--csv", file)
    with file.open(encoding="utf-8") as text:
        rows = [*csv.DictReader(text)]
    printed = run("bench", "table", lines, "--csv", "-").stdout
    assert printed == file.read_text()
    (dijkstra,) = (one for one in rows if one["configuration"] == "Dijkstra")
    assert (dijkstra["suite"], dijkstra["kind"], dijkstra["scale"]) == (
        "hbf-fig9", "stand-in", "0.0005"
    )  # fmt: skip
    measured = [one for one in trial.read(lines) if one.configuration["label"] == "Dijkstra"]
    assert float(dijkstra["relaxations"]) == median(one.relaxations or 0 for one in measured)
    assert float(dijkstra["median_ms"]) == 1e3 * median(one.seconds or 0 for one in measured)
    quarter, three = (float(dijkstra[f"{one}_quartile_ms"]) for one in ("first", "third"))
    assert quarter <= float(dijkstra["median_ms"]) <= three
    assert {one["status"] for one in rows} == {"ok", "left-out"}
    latex = run("bench", "table", lines, "--latex", "-").stdout
    assert r"\caption{H-BF, figure 9: relax operations (stand-ins, $\times$0.0005)}" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\bottomrule") == 2


def test_without_a_gpu_its_part_is_an_error(
    run: Any, run_json: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("warpath.devices.missing", lambda: "there is no NVIDIA GPU")
    lines = tmp_path / "a.jsonl"
    error = run_json("bench", "hbf-fig9", "--quick", "--device", "cuda", "-o", lines, code=2)
    assert error["error"]["type"] == "DeviceUnavailableError"
    assert not lines.exists()
    found = run("bench", "hong-fig10", *TINY, code=2)
    assert "Error: hong-fig10 measured nothing: --device cpu" in found.output
    # Of several suites each is named, and the others are measured.
    data = run_json("bench", "run", "hong-fig10", "survey-fig12", *TINY, code=2)["suites"]
    assert any(cell["status"] == "ok" for cell in data["survey-fig12"]["cells"])


def test_graph500_prints_what_the_reference_code_does(run, run_json):
    given = ("bench", "graph500", "--scale", "6", "--roots", "3", "--sssp")
    shown = run(*given).stdout
    assert "num_mpi_processes:              1" in shown
    assert "sssp harmonic_mean_TEPS:     !" in shown
    data = run_json(*given)
    assert len(data["times"]["bfs"]) == len(data["edges"]) == 3
    assert data["harmonic_mean_teps"]["bfs"] > 0


def test_graph500_refuses_gpus_on_the_cpu(run: Any) -> None:
    given = ("bench", "graph500", "--scale", "6", "--devices", "2", "--device", "cpu")
    assert "leave --device cpu out" in run(*given, code=2).stderr
    for option in ("--share-gpus",), ("--gpu-exchange", "host"):
        given = ("bench", "graph500", "--scale", "6", *option)
        assert "ranks with --device cuda" in run(*given, code=2).stderr
