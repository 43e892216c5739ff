"""Every example of these pages runs: Python's as doctests, command lines in an empty folder."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

import streets
from warpath.cli import main
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import PRESETS, parse, schedule_for
from warpath.schedule.searches import FIELDS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = {
    "arrays": 8,
    "distance_matrices": 6,
    "from_cugraph": 12,
    "from_gapbs": 5,
    "frontiers": 9,
    "maps": 28,
}  # examples at least
ENDING = re.compile(r"```python\n(.*?)```", re.DOTALL)


class PythonBlocks(doctest.DocTestParser):
    """Examples in blocks marked as Python; blocks of text are another library's."""

    def parse(self, string, name="<string>"):
        return super().parse("\n".join(ENDING.findall(string)), name)


@pytest.mark.parametrize("page", PAGES)
def test_python(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, frame in zip(("nodes", "edges"), streets.frames(), strict=True):
        frame.to_csv(f"{name}.csv")  # of maps.md
    outcome = doctest.testfile(
        str(DOCS / f"{page}.md"), module_relative=False, parser=PythonBlocks()
    )
    assert outcome.attempted >= PAGES[page]
    assert outcome.failed == 0


def test_command_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```sh\n(.*?)```", (DOCS / "from_gapbs.md").read_text(), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert len(lines) >= 14
    for line in lines:
        program, *arguments = shlex.split(line)
        assert program == "warpath"
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, f"{line}: {result.output}"


@pytest.mark.parametrize("page", PAGES)
def test_every_option_that_a_page_names_is_there(page):
    """Of the commands in its tables, which are run with other arguments above."""
    for words in re.findall(r"`warpath ([^`…]+)`", (DOCS / f"{page}.md").read_text()):
        name, *arguments = shlex.split(words)
        command = main.commands[name]
        if name == "generate" and arguments:
            command = command.commands[arguments[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {one for one in arguments if one.startswith("-")} <= known, words


@pytest.mark.parametrize("file", sorted({*DOCS.glob("*.md"), DOCS.parent / "README.md"}), ids=str)
def test_every_schedule_that_a_page_names_is_one(file):
    text = re.sub(r">>> .*\nTraceback", "", file.read_text())  # those that are refused
    calls = re.findall(r'wp\.(\w+)\(([^`\n]*)schedule="([^"…]+)"', text)
    options = re.findall(r"warpath (bfs|sssp)\b([^`\n]*)--schedule ([^\s`…]+)", text)
    for search, before, schedule in calls + options:
        if search == "plan":
            search = re.search(r'"(\w+)"', before)[1]
        if not schedule.endswith(".json"):
            how = schedule_for(search, schedule)
            assert search != "bfs" or complete_bfs(how)
    for schedule in re.findall(r'schedule="([^"…]+)"', text):
        if not schedule.endswith(".json"):
            parse(schedule)


def test_the_tables_of_schedules():
    text = (DOCS / "frontiers.md").read_text()
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    searches = {
        field: re.findall(r"\w+", row[2])
        for row in rows
        if len(row) == 4
        for field in re.findall(r"`(\w+)`", row[0])
    }
    listed = {name: {field for field, own in searches.items() if name in own} for name in FIELDS}
    assert listed == {name: set(fields) for name, fields in FIELDS.items()}
    presets = {row[0].strip("`"): row for row in rows if row[0].strip("`") in PRESETS}
    assert list(presets) == list(PRESETS)
    for name, (_, _, *shown) in presets.items():
        made = PRESETS[name].schedule
        balance, frontier, duplicates, loop = (cell.strip("`") for cell in shown[:4])
        assert parse(balance).balance == made.balance
        assert (frontier.split("`")[0], duplicates, loop) == (
            made.frontier, made.duplicates, made.loop,
        )  # fmt: skip
        assert ("bottom-up" in frontier) == (made.direction == "bottom-up")
