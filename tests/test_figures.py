"""Pictures are written as a whole, in the format of their suffix."""

from pathlib import Path

import pytest

from warpath import figures


def test_a_picture_that_cannot_be_drawn_leaves_the_old_one(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    file = tmp_path / "a.xyz"
    file.write_bytes(b"old")
    with pytest.raises(ValueError, match="xyz"):
        figures.write(matplotlib.Figure(), file)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf", "PNG", ""])
def test_the_suffix_says_how(tmp_path: Path, suffix: str) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    file = tmp_path / f"a.{suffix}".rstrip(".")
    figures.write(matplotlib.Figure(), file)
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
        figures.write(matplotlib.Figure(), file)


def test_svg_is_the_same_each_time_and_has_colours_for_dark_pages(tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib.figure")
    files = [tmp_path / "a.svg", tmp_path / "b.svg"]
    for file in files:
        figure = matplotlib.Figure()
        figure.subplots().plot([1, 2], label="a line")
        figure.legend()
        figures.write(figure, file)
    text = files[0].read_text(encoding="utf-8")
    assert text == files[1].read_text(encoding="utf-8")
    assert ">a line</text>" in text
    assert "prefers-color-scheme: dark" in text
    assert "fill: #ffffff" not in text.split("legend")[0]  # no background
