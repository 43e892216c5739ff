"""The entry point, as a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import warpath
from warpath.cli import main


def _python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, **options
    )


def test_as_a_module(gr: Path) -> None:
    done = _python("-m", "warpath", "bfs", str(gr), "--source", "0", "--verify", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["answers"][0]["reached"] == 4


def test_exit_codes_reach_the_shell(gr: Path) -> None:
    done = _python("-m", "warpath", "bfs", "none.gr")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.strip() == "Error: none.gr: No such file or directory"


@pytest.mark.slow
def test_from_standard_input() -> None:
    done = _python("-m", "warpath", "sssp", "-", "--format", "wel", "-s", "0", "--json",
                   input="0 1 2\n1 2 3\n")  # fmt: skip
    assert json.loads(done.stdout)["answers"][0]["farthest"] == 5


def test_the_installed_script_is_main() -> None:
    from importlib.metadata import PackageNotFoundError, entry_points

    try:
        scripts = entry_points(group="console_scripts", name="warpath")
    except PackageNotFoundError:
        scripts = ()
    if not scripts:
        pytest.skip("warpath is not installed")
    (script,) = scripts
    assert script.load() is main


def test_help_imports_nothing_heavy() -> None:
    program = (
        "import sys\n"
        "from warpath.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "heavy = {'numpy', 'numba', 'scipy', 'polars', 'rich', 'matplotlib'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = _python("-c", program)
    assert done.stderr.strip() == "[]"
    assert "Exit codes" in done.stdout


@pytest.mark.parametrize("command", sorted(main.commands))
def test_each_command_has_help(run: Any, command: str) -> None:
    assert "Usage: main " + command in run(command, "--help").stdout


def test_commands_are_those_of_the_readme() -> None:
    assert set(main.commands) == {
        "advise", "apsp", "bench", "betweenness", "bfs", "closeness", "communities", "components", "connected",
        "convert", "cores", "demo", "devices", "diameter", "distances", "eccentricity", "explain-balance", "generate", "info",
        "k-paths", "pagerank", "path", "plan", "profile", "spanning-forest", "sssp", "triangles", "verify", "warm-up",
    }  # fmt: skip


def test_version(run: Any) -> None:
    assert warpath.__version__ in run("--version").stdout
