"""What docs/bench.md says is so."""

import json
import re
from functools import cache
from pathlib import Path

import pytest

from warpath.bench import conclusion, report_page
from warpath.bench.papers import paper_of
from warpath.bench.suites import SUITES
from warpath.bench.trial import Trial, read

PAGE = Path(__file__).parents[2] / "docs" / "bench.md"
RESULTS = PAGE.parent / "results" / "reproduction.jsonl"


@cache
def results() -> list[Trial]:
    return [*read(RESULTS)]


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
def test_the_papers_pages_are_those_that_the_results_make() -> None:
    found = report_page.summaries([RESULTS], SUITES)
    front, notes = PAGE.with_name("reproduction.md"), PAGE.with_name("conclusions")
    folder = front.with_suffix("")
    made = report_page.pages(found, notes, folder.name)
    assert front.read_text(encoding="utf-8") == made.pop("")
    assert {file.stem: file.read_text(encoding="utf-8") for file in folder.glob("*.md")} == made
    pictures = {name for text in made.values() for name in re.findall(r"\]\((\S+\.svg)\)", text)}
    assert {file.name for file in folder.glob("*.svg")} == pictures
    # Every suite of a paper is there, and nothing else is concluded.
    suites = {name for name in SUITES if paper_of(name)}
    assert {name for name in found if paper_of(name)} == suites
    assert {file.stem for file in notes.glob("*.md")} - {"README"} <= suites


@pytest.mark.skipif(not PAGE.is_file(), reason="no docs beside the tests")
@pytest.mark.parametrize("name", [name for name in SUITES if paper_of(name)])
def test_results_are_of_configurations_as_they_are(name: str) -> None:
    """What was measured of another one says nothing of one that has its label now."""
    ways = {one.label: one for one in SUITES[name]().configurations}
    for trial in (one for one in results() if one.suite == name):
        then, now = trial.configuration, ways[trial.configuration["label"]]
        options = json.loads(json.dumps(dict(now.options), default=str))
        assert (then["algorithm"], then["threads"]) == (now.algorithm, now.threads)
        assert then["options"] == options


@pytest.mark.skipif(not PAGE.is_file(), reason="no docs beside the tests")
@pytest.mark.parametrize("name", [name for name in SUITES if paper_of(name)])
def test_numbers_of_a_conclusion_are_computed(name: str) -> None:
    """By the trials, but for those that the suite itself names."""
    file = PAGE.with_name("conclusions") / f"{name}.md"
    suite = SUITES[name]()
    assert file.is_file() != bool(suite.trials_of)
    if file.is_file():
        assert not conclusion.loose_numbers(file.read_text(encoding="utf-8"), suite)
