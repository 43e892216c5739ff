"""The command line in this process, and two graphs of six vertices as files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from warpath.cli import main


def _run(*arguments: object, code: int = 0, stdin: str | bytes | None = None) -> Result:
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == code, result.output
    return result


@pytest.fixture(scope="session")
def run() -> Callable[..., Result]:
    """Run a command, which must end with ``code``, without an exception."""
    return _run


@pytest.fixture(scope="session")
def run_json() -> Callable[..., Any]:
    """Run a command with --json; what it prints is one JSON object, and is returned."""

    def run_json(*arguments: object, code: int = 0) -> Any:
        lines = _run(*arguments, "--json", code=code).stdout.splitlines()
        assert len(lines) == 1
        return json.loads(lines[0])

    return run_json


@pytest.fixture
def gr(tmp_path: Path) -> Path:
    """0 →4 1, 0 →1 2, 2 →2 1, 1 →5 3, 4 →1 5: distances 0 3 1 8, and 4, 5 are unreached."""
    file = tmp_path / "g.gr"
    file.write_text("p sp 6 5\na 1 2 4\na 1 3 1\na 3 2 2\na 2 4 5\na 5 6 1\n")
    return file


@pytest.fixture
def cycle(tmp_path: Path) -> Path:
    """0 →1 1, and 1 → 2 → 3 → 1 of weight -1."""
    file = tmp_path / "cycle.wel"
    file.write_text("0 1 1\n1 2 2\n2 3 -4\n3 1 1\n")
    return file


@pytest.fixture
def towns(tmp_path: Path) -> Path:
    """Ulm – Bonn 12, Bonn – Kiel 5, and apart Oslo – Bergen 9: read it with --undirected."""
    file = tmp_path / "towns.csv"
    file.write_text("from,to,km\nUlm,Bonn,12\nBonn,Kiel,5\nOslo,Bergen,9\n")
    return file
