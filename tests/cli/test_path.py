import json
from pathlib import Path
from typing import Any

import pytest

import warpath as wp


def test_by_weight_and_by_hops(run_json: Any, gr: Path) -> None:
    data = run_json("path", gr, "-s", 0, "-t", 3, "--verify")
    assert (data["path"], data["distance"], data["arcs"]) == ([0, 2, 1, 3], 8, 3)
    data = run_json("path", gr, "-s", 0, "-t", 3, "--hops", "--verify")
    assert (data["path"], data["distance"], data["arcs"]) == ([0, 1, 3], 2, 2)


def test_from_the_nearest(run_json: Any, gr: Path) -> None:
    assert run_json("path", gr, "-s", 0, "-s", 2, "-t", 3)["path"] == [2, 1, 3]


def test_to_oneself(run_json: Any, gr: Path) -> None:
    data = run_json("path", gr, "-s", 3, "-t", 3)
    assert (data["path"], data["distance"], data["arcs"]) == ([3], 0, 0)


def test_no_path_is_an_answer(run: Any, run_json: Any, gr: Path) -> None:
    for options in ((), ("--verify",), ("--hops", "--verify"), ("-s", 1, "--verify")):
        data = run_json("path", gr, "-s", 0, "-t", 5, *options)
        assert data["path"] is data["distance"] is data["arcs"] is None
    assert "No path leads to 5" in run("path", gr, "-s", 0, "-t", 5).stdout


def test_for_people(run: Any, gr: Path) -> None:
    out = run("path", gr, "-s", 0, "-t", 3).stdout
    assert out == "0 → 2 → 1 → 3\ndistance 8, 3 arcs\n"


@pytest.mark.parametrize("method", ["bidirectional", "dijkstra", "bellman-ford"])
def test_methods(run_json: Any, gr: Path, method: str) -> None:
    assert run_json("path", gr, "-s", 0, "-t", 3, "--method", method)["distance"] == 8


def test_a_negative_cycle(run_json: Any, cycle: Path) -> None:
    error = run_json("path", cycle, "-s", 0, "-t", 2, code=2)["error"]
    assert error["type"] == "NegativeCycleError"


def test_a_long_path_is_one_line(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "line.el"
    file.write_text("".join(f"{v} {v + 1}\n" for v in range(500)))
    first = run("path", file, "-s", 0, "-t", 500).stdout.splitlines()[0]
    assert first.split(" → ") == [str(v) for v in range(501)]


def test_devices(run_json: Any, gr: Path) -> None:
    for options in ((), ("--hops",), ("-s", 1)):
        data = run_json("path", gr, "-s", 0, "-t", 3, "--device", "cpu", *options)
        assert data["path"][-1] == 3
        error = run_json(
            "path", gr, "-s", 0, "-t", 3, "--device", "cpu", "--schedule", "virtual-warp", *options,
            code=2,
        )["error"]  # fmt: skip
        assert "is for --device cuda, not 'cpu'" in error["message"]


def test_algebras(run: Any, run_json: Any, gr: Path) -> None:
    """The widest way to 1 is the arc of 4, the shortest one is 3 long."""
    for options in ((), ("-s", 4)):
        data = run_json("path", gr, "-s", 0, "-t", 1, "--algebra", "widest", "--verify", *options)
        assert (data["path"], data["distance"], data["algebra"]) == ([0, 1], 4, "widest")
    out = run("path", gr, "-s", 0, "-t", 1, "--algebra", "widest").stdout
    assert out == "0 → 1\nwidest 4, 1 arc\n"
    data = run_json("path", gr, "-s", 0, "-t", 5, "--algebra", "widest", "--verify")
    assert data["path"] is None
    assert run_json("path", gr, "-s", 0, "-t", 5)["algebra"] == "shortest"
    run("path", gr, "-s", 0, "-t", 1, "--algebra", "widest", "--hops", code=2)


@pytest.fixture
def town(tmp_path: Path) -> Path:
    """Ulm – Bonn – Jena, with coordinates."""
    graph = wp.Graph.from_edges(["Ulm", "Bonn"], ["Bonn", "Jena"], [410, 350])
    graph = graph.with_coordinates([7.1, 11.6, 10.0], [50.7, 50.9, 48.4], crs="EPSG:4326")
    wp.write(graph, tmp_path / "town.npz")
    return tmp_path / "town.npz"


@pytest.mark.parametrize("options", [(), ("--hops",), ("-s", "Jena")])
def test_as_geojson(run_json: Any, town: Path, options: tuple[str, ...]) -> None:
    file = town.with_name("a.geojson")
    data = run_json("path", town, "-s", "Ulm", "-t", "Jena", "--geojson", file, *options)
    (feature,) = json.loads(file.read_text())["features"]
    places = {"Ulm": [10.0, 48.4], "Bonn": [7.1, 50.7], "Jena": [11.6, 50.9]}
    line = [places[name] for name in data["path"]]
    assert feature["geometry"]["coordinates"] == (line if len(line) > 1 else line * 2)
    assert feature["properties"]["length"] == data["distance"]


def test_no_geojson_without_a_path_or_coordinates(run: Any, town: Path, gr: Path) -> None:
    file = town.with_name("a.geojson")
    assert "No path" in run("path", town, "-s", "Jena", "-t", "Ulm", "--geojson", file).stdout
    assert not file.exists()
    out = run("path", gr, "-s", 0, "-t", 3, "--geojson", file, code=2).output
    assert "--geojson needs coordinates" in out
    run("path", town, "-s", "Ulm", "-t", "Jena", "--geojson", town.with_name("no") / "a", code=2)
