"""What ``--help`` says, and what a shell completes."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import click
import pytest
from click.shell_completion import ShellComplete

from exhaustive import few
from warpath import typing as names
from warpath.cli import main
from warpath.cli.name_types import ScheduleText
from warpath.schedule.searches import FIELDS


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


@pytest.mark.parametrize("name", few(OWN, OWN.keys() - {"warm-up", "demo"}))
def test_examples_run(name: str, run: Any, examples: Path) -> None:
    """One after the other, in a folder with roads.gr and towns.csv."""
    if name == "bench compare":
        tiny = ("--device", "cpu", "--scale", 0.0005, "--sources", 2)
        run("bench", "hbf-fig9", *tiny, "--configurations", "Dijkstra", "-o", "before.jsonl")
        Path("after.jsonl").write_text(
            Path("before.jsonl").read_text()
        )  # a second run may be slower
    for line in (OWN[name].epilog or "").splitlines():
        if line.strip().startswith("warpath "):
            run(*shlex.split(line)[1:])


@pytest.fixture
def examples(tmp_path: Path, monkeypatch: Any, run: Any) -> Path:
    monkeypatch.chdir(tmp_path)
    run("generate", "grid", "--rows", 4, "--weights", 1, 9, "-o", "roads.gr")
    Path("towns.csv").write_text("from,to,km\nUlm,Bonn,12\nBonn,Kiel,5\n")
    for lines in ("trials.jsonl", "figures.jsonl"):
        Path(lines).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("name", "offered"),
    [
        ("sssp", names.MethodName),
        ("sssp", names.BalanceName),
        ("connected", names.BalanceName),
        ("path", names.LoopName),
        ("profile", names.OptimizationName),
        ("sssp", names.AlgebraName),
        ("sssp", names.OptimizationName),
        ("sssp", names.FormatName),
        ("bfs", names.FrontierName),
        ("bfs", names.DuplicatesName),
        ("bfs", names.PresetName),
        ("bfs", names.EnqueueName),
        ("bfs", names.DirectionName),
        ("apsp", names.ApspMethodName),
        ("apsp", names.ApspDeviceName),
    ],
)
def test_help_lists_all_names(run: Any, name: str, offered: Any) -> None:
    shown = "".join(run(name, "--help").stdout.split())
    for one in get_args(offered):
        assert one in shown


@pytest.mark.parametrize(
    ("command", "search"),
    [
        ("bfs", "bfs"), ("sssp", "sssp"), ("path", "shortest_path"), ("connected", "st_connected"),
        ("components", "connected_components"), ("pagerank", "pagerank"), ("cores", "core_numbers"),
        ("triangles", "triangles"), ("communities", "label_propagation"),
    ],
)  # fmt: skip
def test_a_schedule_has_the_fields_of_its_search(run: Any, command: str, search: str) -> None:
    (option,) = (one for one in COMMANDS[command].params if one.name == "schedule")
    assert isinstance(option.type, ScheduleText)
    assert option.type.fields == list(FIELDS[search])
    shown = run(command, "--help").stdout
    for field in {*FIELDS["bfs"], *FIELDS["sssp"]} - {"balance"}:
        assert (f"{field}=" in shown) == (field in FIELDS[search])
    assert ("harish" in shown) == (search == "bfs")
    assert (".json file" in shown) == (search in ("bfs", "sssp"))


def test_only_apsp_offers_hybrid(run: Any) -> None:
    both, one = (" ".join(run(name, "--help").stdout.split()) for name in ("apsp", "bfs"))
    assert "auto (default), cpu, cuda, hybrid" in both
    assert "auto (default), cpu, cuda." in one  # a frontier is called so, too


def test_the_list_of_commands_is_not_cut(run: Any) -> None:
    assert "..." not in run("--help").stdout.replace("[ARGS]...", "")


def completed(line: str, kind: str = "plain") -> list[str]:
    words = line.split(" ")
    completer = ShellComplete(main, {}, "warpath", "_WARPATH_COMPLETE")
    offered = completer.get_completions(words[:-1], words[-1])
    return [one.value for one in offered if one.type == kind]


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("sssp g.gr --method d", ["delta-stepping", "dijkstra"]),
        ("bfs g.gr --device ", ["auto", "cpu", "cuda"]),
        ("apsp g.gr --device h", ["hybrid"]),
        ("bfs g.gr --schedule h", ["hierarchical", "harish", "hong"]),
        ("sssp g.gr --schedule h", ["hierarchical"]),
        ("bfs g.gr --schedule a", ["auto", "algebraic", "alpha="]),
        ("bfs g.gr --schedule harish,a", ["harish,auto", "harish,alpha="]),
        ("bfs g.gr --schedule small_frontiers=block,small", []),
        ("bfs g.gr --schedule loop=host,direction", [
            "loop=host,direction=top-down", "loop=host,direction=bottom-up",
            "loop=host,direction=optimizing",
        ]),
        ("bfs g.gr --schedule duplicates=warp-culling+", ["duplicates=warp-culling+history-culling"]),
        ("bfs g.gr --schedule bfs-4k:hash", [
            "bfs-4k:hash-duplicates=on", "bfs-4k:hash-duplicates=off",
        ]),
        ("bfs g.gr --schedule bfs-4k:hash-duplicates=on,single", [
            "bfs-4k:hash-duplicates=on,single-block=on", "bfs-4k:hash-duplicates=on,single-block=off",
                    ]),
        ("sssp g.gr --schedule bfs-4k:hash", []),
        ("sssp g.gr --schedule virtual-warp:width=1", ["virtual-warp:width=16"]),
        ("sssp g.gr --schedule delta=2,balance=virtual-warp:width=1",
         ["delta=2,balance=virtual-warp:width=16"]),
        ("sssp g.gr --schedule merge-path:f0=20,coupling=h", ["merge-path:f0=20,coupling=hybrid"]),
        ("sssp g.gr --schedule merge-path:f0=20,delta=2,coup", []),
        ("sssp g.gr --schedule merge-path,coup", []),
        ("sssp g.gr --schedule nonsense:", []),
        ("sssp g.gr --schedule optimizations=hash-duplicates+co",
         ["optimizations=hash-duplicates+coalesced-enqueue"]),
        ("sssp g.gr --schedule optimizations=hash", ["optimizations=hash-duplicates"]),
        ("connected g.gr --schedule l", ["local-warp-search", "loop=device", "loop=host"]),
        ("components g.gr --schedule l", ["local-warp-search"]),
        ("profile bfs g.gr --schedule d", [
            "direct-search", "dynamic-virtual-warp",
            *(f"duplicates={name}" for name in get_args(names.DuplicatesName)),
            *(f"direction={name}" for name in names.DIRECTIONS), "delta=",
        ]),
        ("bfs g.gr --format ma", ["matrix-market"]),
        ("convert g.gr o --to-format par", ["parquet"]),
        ("generate named p", ["path", "petersen"]),
        ("generate paper asia", ["asia.osm"]),
        ("explain-balance merge", ["merge-path"]),
        ("profile s", ["sssp"]),
        ("bench run hong-fig1", ["hong-fig10", "hong-fig11"]),
        ("distances g.gr --dtype i", ["int32", "int64"]),
    ],
)  # fmt: skip
def test_a_shell_completes_names(line: str, offered: list[str]) -> None:
    assert completed(line) == offered


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        ("bfs g.gr --schedule pro", ["pro"]),
        ("sssp g.gr --schedule ", [""]),
        ("sssp g.gr --schedule delta=2,pro", []),
        ("path g.gr --schedule pro", []),
    ],
)
def test_a_shell_completes_profiles(line: str, offered: list[str]) -> None:
    assert completed(line, "file") == offered
