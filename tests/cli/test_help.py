"""What ``--help`` says, and what a shell completes."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.shell_completion import ShellComplete

from warpath import typing as names
from warpath.cli import main


def commands(group: Any = main, words: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Each command that is no group, with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        one = group.get_command(context, name)
        if isinstance(one, click.Group):
            yield from commands(one, (*words, name))
        else:
            yield " ".join((*words, name)), one


COMMANDS = dict(commands())
OWN = {name: one for name, one in COMMANDS.items() if "--quick" not in (one.epilog or "")}


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_has_a_text_and_each_command_examples(name: str) -> None:
    for one in COMMANDS[name].params:
        if isinstance(one, click.Option):
            assert one.help, one.name
            assert "…" not in one.help.replace("0 … n−1", ""), one.name
    assert "Examples:\n  warpath " in (COMMANDS[name].epilog or "")


@pytest.mark.parametrize("name", OWN)
def test_examples_run(name: str, run: Any, examples: Path) -> None:
    """One after the other, in a folder with roads.gr and towns.csv."""
    if name == "bench compare":
        tiny = ("--device", "cpu", "--scale", 0.0005, "--sources", 2)
        for file in ("before.jsonl", "after.jsonl"):
            run("bench", "hbf-fig9", *tiny, "--configurations", "Dijkstra", "-o", file)
    for line in (OWN[name].epilog or "").splitlines():
        if line.strip().startswith("warpath "):
            run(*shlex.split(line)[1:])


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: Any, run: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    run("generate", "grid", "--rows", 4, "--weights", 1, 9, "-o", "roads.gr")
    Path("towns.csv").write_text("from,to,km\nUlm,Bonn,12\nBonn,Kiel,5\n")
    Path("trials.jsonl").touch()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("sssp", names.MethodName),
        ("sssp", names.BalanceName),
        ("sssp", names.AlgebraName),
        ("sssp", names.OptimizationName),
        ("sssp", names.FormatName),
        ("bfs", names.FrontierName),
        ("bfs", names.DuplicatesName),
        ("bfs", names.PresetName),
        ("bfs", names.DirectionName),
        ("apsp", names.ApspMethodName),
        ("apsp", names.ApspDeviceName),
    ],
)
def test_help_lists_all_names(run: Any, name: str, offered: Any) -> None:
    shown = "".join(run(name, "--help").stdout.split())
    for one in get_args(offered):
        assert one in shown


def test_only_apsp_offers_hybrid(run: Any) -> None:
    assert "hybrid" in run("apsp", "--help").stdout
    assert "hybrid" not in run("bfs", "--help").stdout


def test_the_list_of_commands_is_not_cut(run: Any) -> None:
    assert "..." not in run("--help").stdout.replace("[ARGS]...", "")


def completed(line: str) -> list[str]:
    words = line.split(" ")
    completer = ShellComplete(main, {}, "warpath", "_WARPATH_COMPLETE")
    return [one.value for one in completer.get_completions(words[:-1], words[-1])]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sssp g.gr --method d", ["delta-stepping", "dijkstra"]),
        ("bfs g.gr --device ", ["auto", "cpu", "cuda"]),
        ("apsp g.gr --device h", ["hybrid"]),
        ("bfs g.gr --preset h", ["harish"]),
        (
            "bfs g.gr --preset bfs-4k:hash",
            ["bfs-4k:hash-duplicates=on", "bfs-4k:hash-duplicates=off"],
        ),
        ("bfs g.gr --balance virtual-warp:width=1", ["virtual-warp:width=16"]),
        ("bfs g.gr --balance nonsense:", []),
        ("bfs g.gr --format ma", ["matrix-market"]),
        ("convert g.gr o --to-format par", ["parquet"]),
        ("sssp g.gr --optimizations hash-duplicates,co", ["hash-duplicates,coalesced-enqueue"]),
        ("generate named p", ["path", "petersen"]),
        ("generate paper asia", ["asia.osm"]),
        ("explain-balance merge", ["merge-path"]),
        ("profile s", ["sssp"]),
        ("bench run hong-fig1", ["hong-fig10", "hong-fig11"]),
        ("distances g.gr --dtype i", ["int32", "int64"]),
    ],
)
def test_a_shell_completes_names(line: str, offered: list[str]) -> None:
    assert completed(line) == offered
