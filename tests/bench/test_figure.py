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


def test_a_picture_that_cannot_be_drawn_leaves_the_old_one(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    file = tmp_path / "a.xyz"
    file.write_bytes(b"old")
    with pytest.raises(ValueError, match="xyz"):
        figure.write(matplotlib.Figure(), file)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "PNG", ""])
def test_the_suffix_says_how(tmp_path: Path, suffix: str) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    file = tmp_path / f"a.{suffix}".rstrip(".")
    figure.write(matplotlib.Figure(), file)
    begins = {"svg": b"<?xml", "pdf": b"%PDF"}
    assert file.read_bytes().startswith(begins.get(suffix, b"\x89PNG"))
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_a_full_disk_is_an_error_that_names_the_picture(tmp_path: Path, suffix: str) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    file = tmp_path / f"a.{suffix}"
    file.symlink_to("/dev/full")
    with pytest.raises(OSError, match=f"No space left on device: '{file}'"):
        figure.write(matplotlib.Figure(), file)
