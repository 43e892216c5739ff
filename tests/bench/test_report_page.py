from pathlib import Path

import pytest

from warpath.bench import report_page, result_table, runner
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial, read

NAME = "hbf-table2"


def planted(seconds: dict[str, float], graph: str = "msdoor", **changes: object) -> list[Trial]:
    machine = {"cpu": "a CPU", "cores": 16, "threads": 1, "gpu": "a GPU", "system": "Linux"}
    return [
        Trial(
            NAME,
            {"name": graph, "kind": "stand-in", "recipe": "", "scale": 1.0, "seed": 1,
             "vertices": 9, "arcs": 9, "directed": False, "weights": "int32"},
            {"label": label, "by": "warpath", "algorithm": "sssp", "device": "cuda",
             "threads": None, "options": {}},
            seconds=value, machine=machine, versions={"warpath": "1"}, when="2026-11-21T00:00:00Z",
            **changes,  # type: ignore[arg-type]
        )
        for label, value in seconds.items()
    ]  # fmt: skip


def write(file: Path, trials: list[Trial]) -> Path:
    file.write_text("".join(f"{one.as_json()}\n" for one in trials))
    return file


def test_the_page_has_our_figures_beside_the_papers(tmp_path: Path) -> None:
    first = planted({"sequential queue": 1.0, "H-BF": 0.01, "queueless": 0.02})
    left = planted({"near-far": 1.0}, status="left-out", why="no time")
    second = planted({"H-BF": 0.005})
    files = [write(tmp_path / "a", first + left), write(tmp_path / "b", second)]
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / f"{NAME}.md").write_text("Why this is so: {{ queueless / H-BF @ msdoor }} times.")
    written = report_page.pages(report_page.summaries(files, SUITES), notes, "behind")
    assert list(written) == ["", "hbf", "survey"]  # the survey's figure 7 shows the same trials
    front, page = written[""], written["hbf"]
    assert "Measured on a GPU and 16 cores of a CPU; warpath 1; 2026-11-21." in page
    assert "| | msdoor |" in page.replace("|  |", "| |")
    # 1 s over the later file's 5 ms; the paper has 1.2 s over 0.036 s.
    assert "| H-BF | 200× (33.3×) |" in page
    assert "| queueless | 50× (0.632×) |" in page
    assert "| sequential queue, ms | 1,000 |" in page
    assert "left out (no time) on msdoor: `near-far`" in page
    assert page.index("Why this is so: 4.0 times.") > page.index("left out")
    assert "## Table 2: shortest paths\n" in page
    assert "sequential and parallel methods. Graphs: stand-ins.\n" in page
    assert "![Figure 8: speed-ups over the sequential queue](hbf-fig8.svg)" in page
    assert "](hbf-fig8.svg)" in written["survey"]
    (line,) = [one for one in front.splitlines() if "H-BF outperforms" in one]
    assert line.startswith("| [table 2](behind/hbf.md#table-2-shortest-paths) | H-BF out")
    assert "| **inconclusive** |" in line  # near-far was not measured
    assert "warpath 1; 2026-11-21." in front
    assert "0 of 4 claims hold, 0 do not hold, 4 are inconclusive." in front


def test_left_out_later_hides_nothing(tmp_path: Path) -> None:
    files = [
        write(tmp_path / "a", planted({"H-BF": 0.01})),
        write(tmp_path / "b", planted({"H-BF": 1.0}, status="left-out", why="no time")),
    ]
    assert report_page.summaries(files, SUITES)[NAME].seconds("msdoor", "H-BF") == 0.01
    with pytest.raises(ValueError, match="no suite is called 'hbf-table2'"):
        report_page.summaries(files, {})


def test_one_file_has_one_size_of_a_graph(tmp_path: Path) -> None:
    small, large = planted({"H-BF": 0.001}), planted({"H-BF": 0.004})
    large[0].graph["scale"] = 16.0
    with pytest.raises(ValueError, match="msdoor, H-BF is there at the scales 1 and 16"):
        report_page.summaries([write(tmp_path / "both", small + large)], SUITES)
    files = [write(tmp_path / "small", small), write(tmp_path / "large", large)]
    assert report_page.summaries(files, SUITES)[NAME].seconds("msdoor", "H-BF") == 0.004


def test_what_was_not_measured_has_neither_picture_nor_table(tmp_path: Path) -> None:
    trials = planted({"H-BF": 1.0}, status="left-out", why="no time")
    file = write(tmp_path / "a", trials)
    page = report_page.pages(report_page.summaries([file], SUITES), None, "behind")["hbf"]
    assert "- left out (no time) on msdoor: `H-BF`" in page
    assert "hbf-fig8.svg" not in page
    assert "| |" not in page.replace("|  |", "| |")


def test_a_run_that_was_cut_off_can_be_read(tmp_path: Path) -> None:
    file = write(tmp_path / "a", planted({"H-BF": 0.01, "queueless": 0.02}))
    whole = file.read_text()
    file.write_text(whole[:-40])
    assert [one.configuration["label"] for one in read(file)] == ["H-BF"]
    file.write_text(whole[:-40] + "\n")
    with pytest.raises(ValueError, match="line 2"):
        read(file)


def test_graphs_and_rows_stand_in_the_suites_order() -> None:
    suite = SUITES[NAME]()
    trials = planted({"H-BF": 1.0}, "flickr") + planted({"H-BF": 1.0, "Dijkstra": 2.0}, "asia.osm")
    found = Summary(suite, trials)
    assert found.graphs == ["asia.osm", "flickr"]
    assert found.labels == ["Dijkstra", "H-BF"]
    assert result_table.matrix(found).sections[0] == (
        ("Dijkstra", "2,000 ms (6.15×)", "–"),
        ("H-BF", "1,000 ms (9.41×)", "1,000 ms (27.7×)"),
    )  # fmt: skip


def test_of_counts_the_columns(tmp_path: Path) -> None:
    settings = runner.Settings(device="cpu", scale=0.0005, sources=1)
    suite = SUITES["mishra-fig10"]()
    found = Summary(suite, runner.run("mishra-fig10", suite, settings))
    text = report_page.section("mishra-fig10", suite, found)
    assert text.startswith(f"## {suite.title} (some fitted, ×0.0005)\n")
    assert "| graph |  | MDT |" in text
    assert "| rmat20 (fitted) |" in text
