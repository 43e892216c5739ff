"""What docs/bench.md says is so."""

import re
from pathlib import Path

import pytest

from warpath.bench.suites import SUITES

PAGE = Path(__file__).parents[2] / "docs" / "bench.md"


@pytest.mark.skipif(not PAGE.is_file(), reason="no docs beside the tests")
def test_the_page_names_every_suite_and_its_example_runs(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in SUITES:
        paper, _, part = name.rpartition("-")
        series = re.fullmatch(r"fig(\d+)([a-d]?)", part)
        listed = f"`{name}`" in text or f"`-{part}`" in text
        assert listed or (series and paper in text), name
    example = text.split("```python")[-1].partition("```")[0]
    exec(compile(example, str(PAGE), "exec"), {})
    assert "| msdoor | Δ = 1 |" in capsys.readouterr().out


@pytest.mark.skipif(not PAGE.is_file(), reason="no docs beside the tests")
def test_what_was_measured_is_of_suites_that_there_are() -> None:
    page = PAGE.with_name("reproduction.md").read_text(encoding="utf-8")
    named = re.findall(r"^`warpath bench ([a-z0-9-]+)`", page, re.MULTILINE)
    assert named
    assert set(named) <= set(SUITES)
    notes = {file.stem for file in PAGE.with_name("conclusions").glob("*.md")} - {"README"}
    assert notes <= set(named)
