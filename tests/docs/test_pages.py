"""The pages of a user run from top to bottom, in an empty folder, as they are copied and pasted."""

import doctest
import re
import shlex
import tomllib
from operator import attrgetter
from pathlib import Path

import networkx as nx
import pytest
from click.testing import CliRunner

from exhaustive import few
from warpath import devices
from warpath.balance import TECHNIQUES
from warpath.cli import main
from warpath.planning.breadth_first import complete_bfs
from warpath.schedule import PRESETS, parse, schedule_for
from warpath.schedule.searches import FIELDS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [DOCS / "start.md", *sorted(DOCS.glob("guides/*.md")), *sorted(DOCS.glob("topics/*.md"))]
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXTRAS = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), re.MULTILINE)

of_page = attrgetter("stem")
pages = pytest.mark.parametrize("page", PAGES, ids=of_page)


def run(page: Path, gpu: bool) -> int:
    """Run the page's blocks in one namespace, those marked ``gpu`` if there is one; how many ran."""
    names: dict = {}
    ran = 0
    for kind, block in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "sh":
            for line in block.splitlines():
                command_line(line)
            ran += 1
        elif kind == "python" or (kind == "python gpu" and gpu):
            test = doctest.DocTestParser().get_doctest(block, names, page.stem, str(page), 0)
            assert test.examples, f"no >>> in {block}"
            outcome = doctest.DocTestRunner().run(test, clear_globs=False)
            names |= test.globs
            assert outcome.failed == 0
            ran += 1
        else:
            assert kind in ("", "text", "Dockerfile", "python gpu"), f"{page}: a block of {kind!r}"
    return ran


def command_line(line: str) -> None:
    program, *arguments = shlex.split(line, comments=True)
    if program == "pip":
        extras = re.search(r"\[(.+)\]", arguments[1])
        assert arguments[0] == "install"
        assert extras is None or {*extras[1].split(",")} <= {*EXTRAS}, line
    elif arguments != ["demo"]:  # tests/cli has it
        assert program == "warpath"
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, f"{line}: {result.output}"


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    """Where a page runs; what it changes in NetworkX's settings is undone."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(nx.config, "warnings_to_ignore", set())


@pytest.mark.parametrize(
    "page", few(PAGES, [page for page in PAGES if page.stem != "operators"]), ids=of_page
)
@pytest.mark.usefixtures("empty_folder")
def test_every_block_runs(page):
    assert run(page, gpu=False) or page.stem == "compiled_kernels"  # which has no example


@pytest.mark.gpu
@pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}")
@pytest.mark.parametrize(
    "page", [page for page in PAGES if "```python gpu" in page.read_text()], ids=lambda p: p.stem
)
@pytest.mark.usefixtures("empty_folder")
def test_every_block_runs_on_a_gpu(page):
    run(page, gpu=True)


@pages
def test_every_option_that_a_page_names_is_there(page):
    """In the commands of its tables and sentences, which may have other arguments than blocks."""
    text = BLOCK.sub("", page.read_text())
    for words in re.findall(r"`warpath ([^`…]+)`", text):
        name, *arguments = shlex.split(words)
        if name.isupper():
            continue
        command = main.commands[name]
        if arguments and arguments[0] in getattr(command, "commands", {}):
            command = command.commands[arguments[0]]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {one for one in arguments if one.startswith("-")} <= known | {"--help"}, words


@pages
def test_every_link_leads_somewhere(page):
    """To a file that is there, and to one of its headings."""
    for target in re.findall(r"\]\(([^)#\s]*(?:#[^)]*)?)\)", page.read_text()):
        if target.startswith("http"):
            continue
        path, _, heading = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if heading:
            titles = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
            assert heading in slugs, target


def test_pictures_of_balances_are_those_of_the_reference():
    """Which tests/emulator/test_explain.py compares with what the kernels do."""
    picture = re.compile(r"warpath explain-balance \S+\nvertex .*?\n```", re.DOTALL)
    drawn = picture.findall((DOCS / "guides" / "balance.md").read_text())
    assert len(drawn) >= 3
    assert {*drawn} <= {*picture.findall((DOCS / "load_balancing.md").read_text())}


def test_every_balance_has_its_place_in_the_reference():
    page = (DOCS / "load_balancing.md").read_text()
    assert not [name for name in TECHNIQUES if f"`{name}`" not in page]


def test_architecture_names_every_package_in_the_order_of_imports():
    page = (DOCS / "architecture.md").read_text()
    drawn = re.search(r"```\n(cli .*?)```", page, re.DOTALL)[1]
    tools = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]
    contracts = tools["importlinter"]["contracts"]
    (layers,) = [one["layers"] for one in contracts if one.get("containers") == ["warpath"]]
    assert [" ".join(layer.split()) for layer in drawn.split("→")] == layers
    named = set(re.findall(r"`(\w+)`", page))
    assert {name for layer in layers for name in layer.split(" | ")} <= named


def test_pages_that_the_source_names_are_there():
    for file in (ROOT / "src").rglob("*.*"):
        if file.suffix in (".py", ".cuh", ".toml"):
            for page in re.findall(r"docs/[\w/-]+\.md", file.read_text()):
                assert (ROOT / page).exists(), f"{file}: {page}"


@pytest.mark.parametrize(
    "file", [*sorted(DOCS.rglob("*.md")), ROOT / "README.md"], ids=lambda file: file.stem
)
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
    text = (DOCS / "topics" / "schedules.md").read_text()
    rows = [
        [cell.strip() for cell in line.strip("|").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| ")
    ]
    searches = {
        field: re.findall(r"\w+", row[2])
        for row in rows
        if len(row) == 4 and row[3].endswith("GPU")
        for field in re.findall(r"`(\w+)`", row[0])
    }
    listed = {name: {field for field, own in searches.items() if name in own} for name in FIELDS}
    assert listed == {name: set(fields) for name, fields in FIELDS.items()}
    presets = {row[0].strip("`"): row for row in rows if row[0].strip("`") in PRESETS}
    assert list(presets) == list(PRESETS)
    for name, (_, _, *shown) in presets.items():
        made = PRESETS[name].schedule
        balance, frontier, duplicates, loop = (cell.strip("`") for cell in shown)
        assert parse(balance).balance == made.balance
        assert (frontier.split("`")[0], duplicates, loop) == (
            made.frontier, made.duplicates, made.loop,
        )  # fmt: skip
        assert ("bottom-up" in frontier) == (made.direction == "bottom-up")
