from pathlib import Path

import pytest

from warpath.bench import figure, runner
from warpath.bench.suites import SUITES
from warpath.bench.summary import Summary
from warpath.bench.trial import Trial


def filled(name: str) -> Summary:
    """A suite with made-up times."""
    suite = SUITES[name]()
    trials = []
    for case in suite.cases:
        for i, one in enumerate(suite.configurations):
            about = {"label": one.label, "algorithm": one.algorithm, "device": one.device}
            trials.append(Trial(name, {"name": case.name}, about, seconds=0.001 * (i + 1)))
    return Summary(suite, trials)


@pytest.mark.parametrize("name", ["survey-fig12", "hong-fig8a", "load-balanced-fig6"])
def test_draws_bars_and_lines(name: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert figure.save(filled(name), tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000


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
