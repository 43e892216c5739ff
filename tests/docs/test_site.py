"""What the front page and the reference show runs: Python as doctests, command lines in a folder."""

import doctest
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from warpath.cli import main

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["index.md", "reference/index.rst"])
def test_python(page):
    text = (DOCS / page).read_text().replace("```", "")
    examples = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert examples.examples
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_command_lines(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^   (warpath .+)$", (DOCS / "reference/cli.rst").read_text(), re.MULTILINE)
    assert len(lines) > 10
    for line in lines:
        _, *arguments = shlex.split(line, comments=True)
        result = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert result.exit_code == 0, f"{line}: {result.output}"
