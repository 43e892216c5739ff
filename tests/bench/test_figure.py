import os
from pathlib import Path
from typing import Any

import pytest

from exhaustive import few, sample
from warpath.bench import figure, runner
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial

DRAWN = [name for name, make in SUITES.items() if make().plot != "degrees"]


def filled(name: str) -> Summary:
    """A suite with made-up times."""
    suite = SUITES[name]()
    trials = []
    for case in suite.cases:
        for i, one in enumerate(suite.configurations):
            about = {"label": one.label, "algorithm": one.algorithm, "device": one.device}
            graph = {"name": case.name, "kind": "stand-in", "scale": 0.1}
            for spread in (0.9, 1.0, 1.3):
                seconds, count = 0.001 * (i + 1) * spread, 10 ** (i % 7) * 7
                trials.append(
                    Trial(
                        name, graph, about, seconds=seconds, relaxations=count, iterations=count,
                        extra=dict.fromkeys(suite.columns, count),
                    )
                )  # fmt: skip
    return Summary(suite, trials)


def drawn(found: Summary, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The figure as it is when it would be written."""
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    monkeypatch.setattr(
        "matplotlib.figure.Figure.savefig", lambda self, *_, **__: figures.append(self)
    )
    assert figure.save(found, os.devnull)
    return figures[0]


def said(picture: Any) -> list[str]:
    """All texts of a picture."""
    from matplotlib.text import Text

    return [text.get_text() for text in picture.findobj(Text) if text.get_text()]


@pytest.mark.parametrize("name", few(DRAWN, sample(DRAWN, 5)))
def test_a_picture_says_what_it_is_and_what_the_graphs_are(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = filled(name)
    texts = said(drawn(found, monkeypatch))
    assert f"{found.suite.title} (stand-ins, ×0.1)" in texts
    if any(case.x is None for case in found.suite.cases):
        assert {f"{graph} (stand-in, ×0.1)" for graph in found.graphs} <= set(texts)


@pytest.mark.parametrize(
    ("name", "axes"),
    [
        ("hbf-fig9", ["relaxations"]),
        ("survey-table1", ["bytes", "ns each"]),
        ("survey-table2", ["iterations", "relaxations", "workspace_bytes", "seconds"]),
        ("hbf-table2", ["times faster than sequential queue"]),
        ("peers", ["milliseconds"]),
    ],
)
def test_a_picture_shows_what_its_title_says(
    name: str, axes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = drawn(filled(name), monkeypatch)
    assert [label for one in picture.axes if (label := one.get_xlabel())] == axes


def test_dots_have_quartiles_on_one_axis(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of times of 0.9, 1 and 1.3 the first two's middle, and the last two's."""
    found = filled("hbf-table2")
    picture = drawn(found, monkeypatch)
    assert len({one.get_xlim() for one in picture.axes}) == 1
    assert len(picture.axes) == len(found.graphs)
    for axes in picture.axes:
        lines = [[*map(float, line.get_xdata())] for line in axes.lines]
        assert [1.0, 1.0] in lines  # as fast as the baseline
        # The second configuration takes twice as long as the baseline.
        assert any(line == pytest.approx([0.5 / 1.15, 0.5 / 0.95]) for line in lines)
        assert [0.5] in lines


def test_graphs_without_the_baseline_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = filled("hbf-table2")
    trials = [
        one
        for one in found.trials
        if (one.graph["name"], one.configuration["label"]) != ("flickr", "sequential queue")
    ]
    texts = said(drawn(Summary(found.suite, trials), monkeypatch))
    assert any("not shown, as sequential queue has no time there: flickr" in text for text in texts)
    assert "flickr (stand-in, ×0.1)" not in texts


def test_a_bound_is_told_from_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The baseline was ended at its limit: the speed-ups of the others are lower bounds."""
    suite = SUITES["hbf-table2"]()
    graph = {"name": "msdoor", "kind": "stand-in", "scale": 1.0}
    about = {"label": "sequential queue", "algorithm": "sssp", "device": "cpu"}
    trials = [
        Trial("hbf-table2", graph, about, status="over-limit", seconds=10.0),
        Trial("hbf-table2", graph, about | {"label": "Dijkstra"}, seconds=2.0),
    ]
    texts = said(drawn(Summary(suite, trials), monkeypatch))
    assert "> 5×" in texts
    assert "at least: the baseline was ended at the limit" in texts


@pytest.mark.parametrize("name", ["survey-fig12", "hong-fig8a", "load-balanced-fig6"])
def test_draws_dots_and_lines(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert figure.save(filled(name), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


def test_text_in_pdf_is_what_publishers_take(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert figure.save(filled("survey-fig12"), tmp_path / "a.pdf")
    written = (tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in written
    assert b"/TrueType" in written or b"/CIDFontType2" in written


def test_draws_degrees(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    suite = SUITES["mishra-fig10"]()
    settings = runner.Settings(device="cpu", scale=0.0005)
    found = Summary(suite, runner.run("mishra-fig10", suite, settings))
    assert figure.save(found, tmp_path / "a.svg")
    assert "<svg" in (tmp_path / "a.svg").read_text()


def test_nothing_to_draw(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    suite = SUITES["hong-fig10"]()
    assert not figure.save(Summary(suite, []), tmp_path / "a.png")
    assert not (tmp_path / "a.png").exists()
