"""``warpath plan``."""

import json
import re
from typing import get_args

import pytest

import warpath as wp
from warpath.typing import APSP_DEVICES, PLANNED, ApspMethodName, MethodName


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "g.npz"
    wp.write(wp.generate.grid(9, weights=(1, 9), seed=1), path)
    return str(path)


def test_what_would_run(run, file):
    shown = run("plan", file, "--source", "0").output
    for part in (
        "plan for 81 vertices",
        "delta-stepping (no weight is negative)",
        "delta=",
        "cpu (",
    ):
        assert part in shown
    data = json.loads(run("plan", file, "--search", "bfs", "--device", "cuda", "--json").output)
    assert data["plan"]["device"] == "cuda"
    assert data["plan"]["memory"]["answer"] == 8 * 81
    data = json.loads(
        run("plan", file, "--search", "apsp", "--method", "r-kleene", "--json").output
    )
    assert data["plan"]["method"] == "r-kleene"
    assert data["plan"]["memory"]["answer"] == 4 * 81**2


def test_help_has_the_methods_and_devices_of_all_searches(run):
    shown = " ".join(run("plan", "--help").output.split()).replace("- ", "-")
    for name in (*get_args(MethodName), *get_args(ApspMethodName), *APSP_DEVICES):
        assert re.search(rf"[ :]{name}[ ,.]", shown), name


def test_what_a_search_does_not_have_is_refused(run, file):
    assert (
        "--search bfs has no --method"
        in run("plan", file, "--search", "bfs", "--method", "dijkstra", code=2).output
    )
    assert (
        "bfs has no delta"
        in run("plan", file, "--search", "bfs", "--schedule", "delta=3", code=2).output
    )
    for option in (["--source", "0"], ["--nearest"], ["--schedule", "delta=3"]):
        refused = run("plan", file, "--search", "apsp", *option, code=2).output
        assert f"--search apsp has no {option[0]}" in refused


NEEDS = {
    "st_connected": ["-t", "5"],
    "shortest_path": ["-t", "5", "--method", "bidirectional"],
    "k_shortest_paths": ["-t", "5", "-k", "2"],
}


def test_another_name_of_the_module_is_no_search(run, file):
    for name in ("foo", "threads"):
        assert (
            f"unknown search '{name}'; choose one of "
            in run("plan", file, "--search", name, code=2).output
        )


@pytest.mark.parametrize("search", PLANNED)
def test_every_search(run, file, search):
    data = json.loads(
        run("plan", file, "--search", search, *NEEDS.get(search, ()), "--json").output
    )
    assert data["plan"]["search"] == search
    assert data["plan"]["why"]


def test_vertices_and_hops(run, file):
    plans = [
        json.loads(run("plan", file, "--search", "eccentricity", *given, "--json").output)["plan"]
        for given in ((), ("-s", "1", "-s", "2"), ("--hops",))
    ]
    assert plans[0]["memory"]["answer"] == 4 * 81
    assert plans[1]["memory"]["answer"] == 8
    assert plans[2]["method"] == "bfs"
    refused = run("plan", file, "--search", "k_shortest_paths", code=2).output
    assert "--search k_shortest_paths needs a --target" in refused
    refused = run("plan", file, "-k", "3", code=2).output
    assert "--search sssp has no -k" in refused
    refused = run("plan", file, "--search", "diameter", "-t", "3", code=2).output
    assert "--search diameter has no --target" in refused
