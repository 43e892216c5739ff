"""Names as types: each list is that of the table that runs."""

import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from warpath import typing as names
from warpath.algorithms.shortest_paths.path_problem import BIDIRECTIONAL
from warpath.balance import TECHNIQUES
from warpath.cpu.bfs import DIRECTIONS
from warpath.frontier import DUPLICATES, FRONTIERS
from warpath.generate.named import FAMILIES, GRAPHS
from warpath.io.format_registry import FORMATS
from warpath.operators.algebras import ALGEBRAS
from warpath.planning import all_pairs
from warpath.planning.methods import METHODS
from warpath.schedule import PRESETS, optimizations

USER = Path(__file__).with_name("typed") / "user.py"


@pytest.mark.parametrize(
    ("literal", "table"),
    [
        (names.MethodName, METHODS),
        (names.PathMethodName, (*METHODS, BIDIRECTIONAL)),
        (names.ApspMethodName, all_pairs.METHODS),
        (names.AlgebraName, ALGEBRAS),
        (names.DirectionName, DIRECTIONS),
        (names.BalanceName, TECHNIQUES),
        (names.FrontierName, FRONTIERS),
        (names.DuplicatesName, DUPLICATES),
        (names.PresetName, PRESETS),
        (names.OptimizationName, optimizations.NAMES),
        (names.FormatName, [one.name for one in FORMATS]),
        (names.GraphName, (*FAMILIES, *GRAPHS)),
    ],
)
def test_a_type_has_the_names_of_the_table_that_runs(literal, table):
    assert get_args(literal) == tuple(table)


def test_the_module_is_light():
    code = "import sys, warpath.typing; assert not {'numpy', 'numba'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_the_right_lines_of_a_user_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    script: dict[str, object] = {}
    exec(compile(USER.read_text(), str(USER), "exec"), script)
    assert script["length"] == 4
    assert script["path"] == [0, 2, 3]
