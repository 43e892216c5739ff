"""The package as a newcomer meets it: names, import cost, README, doctests."""

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import warpath as wp
from exhaustive import few

ROOT = Path(__file__).resolve().parents[1]


def test_every_public_name_resolves():
    for name in wp.__all__:
        assert getattr(wp, name) is not None
    assert set(wp.__all__) <= set(dir(wp))
    assert set(wp.io.__all__) <= set(dir(wp.io))


def test_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'dijkstra'"):
        _ = wp.dijkstra


def test_importing_warpath_imports_nothing_heavy():
    code = (
        "import sys, warpath; "
        "print(*{'numpy', 'numba', 'scipy', 'polars', 'rich', 'click'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == []


def test_a_cpu_call_imports_no_gpu_module():
    code = (
        "import sys, warpath as wp; g = wp.generate.grid(9, weights=(1, 9), seed=1); "
        "wp.bfs(g, 0), wp.sssp(g, 0), wp.apsp(g), wp.shortest_path(g, 0, 9), wp.st_connected(g, 0, 9), "
        "wp.distance_matrix(g, [0], [1]), wp.connected_components(g), wp.diameter(g), wp.betweenness(g); "
        "print(*(name for name in sys.modules if name.startswith(('warpath.cuda', 'cupy')))); "
        "wp.plan(g, 'sssp', 0, device='cuda'); "  # it asks CuPy whether there is a GPU
        "print(*(name for name in sys.modules if name.startswith('warpath.cuda')))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == []


def test_readme_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    assert len(blocks) == 1
    exec(compile(blocks[0], "README.md", "exec"), {})
    assert "delta-stepping" in capsys.readouterr().out


def _modules_with_doctests():
    for file in sorted((ROOT / "src").rglob("*.py")):
        if ">>>" in file.read_text():
            parts = file.relative_to(ROOT / "src").with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = list(_modules_with_doctests())
# Each compiles a search by an algebra that no other test has.
DEAR = {"warpath.operators.rule", "warpath.algorithms.shortest_paths.shortest_path"}


@pytest.mark.parametrize("module", few(MODULES, [one for one in MODULES if one not in DEAR]))
def test_doctests(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some write files
    outcome = doctest.testmod(import_module(module))
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_types_are_told_to_users():
    """Without the file, type checkers take everything that a user imports for Any (PEP 561)."""
    assert (Path(wp.__file__).parent / "py.typed").is_file()


def test_the_changelog_has_this_version():
    assert f"\n## {wp.__version__} - 20" in (ROOT / "CHANGELOG.md").read_text()
