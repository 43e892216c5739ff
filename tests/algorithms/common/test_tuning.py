"""Profiles as schedules: they are written here by hand, so that what is best is known."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.algorithms.common import tuning


@pytest.fixture
def graph() -> wp.Graph:
    return wp.generate.grid(12, weights=(1, 9), seed=1)


def written(folder: Path, graph: wp.Graph, *ways: dict[str, Any], **changed: Any) -> Path:
    """A profile of the graph: shortest paths, the best way first."""
    candidates = [
        {"algorithm": "sssp", "device": "cpu", "note": "", "seconds": 1.0, "searches": 1}
        | {"options": way}
        for way in ways
    ]
    data = {"format": tuning.FORMAT, "graph": tuning.facts(graph) | changed, "machine": {}}
    file = folder / "profile.json"
    file.write_text(json.dumps(data | {"candidates": candidates, "best": {}}))
    return file


DELTA = {"method": "delta-stepping", "schedule": "delta=3.0"}
DIJKSTRA = {"method": "dijkstra"}


def test_the_best_way_is_taken(graph: wp.Graph, tmp_path: Path) -> None:
    right = wp.sssp(graph, 5).distance
    for way, method in ((DELTA, "delta-stepping"), (DIJKSTRA, "dijkstra")):
        found = wp.sssp(graph, 5, schedule=written(tmp_path, graph, way, {}))
        assert found.stats.method == method
        assert np.array_equal(found.distance, right)
    assert wp.sssp(graph, 5, schedule=str(written(tmp_path, graph, DELTA))).stats.delta == 3


def test_what_the_call_says_wins(graph: wp.Graph, tmp_path: Path) -> None:
    profile = written(tmp_path, graph, DIJKSTRA, DELTA)
    # Of the ways that agree with the call the best is taken, with all its options …
    found = wp.sssp(graph, 5, method="delta-stepping", schedule=profile)
    assert (found.stats.method, found.stats.delta) == ("delta-stepping", 3)
    assert wp.sssp(graph, 5, method="auto", schedule=profile).stats.method == "dijkstra"
    # … and if there is none, the call stands for itself.
    found = wp.sssp(graph, 5, method="bellman-ford", schedule=profile)
    assert found.stats.method == "bellman-ford"


def test_a_way_of_a_gpu_is_passed_over_where_there_is_none(
    graph: wp.Graph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = written(tmp_path, graph, DIJKSTRA, DELTA)
    data = json.loads(profile.read_text())
    data["candidates"][0]["device"] = "cuda"
    profile.write_text(json.dumps(data))
    monkeypatch.setattr(tuning.devices, "missing", lambda: "no GPU")
    assert wp.sssp(graph, 5, schedule=profile).stats.method == "delta-stepping"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"vertices": 12_345}, r"vertices: 12,345, not 144"),
        ({"directed": True}, r"directed: True, not False"),
        ({"weights": None}, r"weights: None, not int32"),
        ({"digest": "0"}, r"its arcs or weights are others"),
    ],
)
def test_another_graph(
    graph: wp.Graph, tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    profile = written(tmp_path, graph, DIJKSTRA, **changed)
    with pytest.raises(ValueError, match=f"profile is of another graph .{message}"):
        wp.sssp(graph, 0, schedule=profile)


def test_other_weights_are_another_graph(graph: wp.Graph) -> None:
    weights = graph.weights.copy()  # type: ignore[union-attr]
    assert tuning.facts(graph.with_weights(weights)) == tuning.facts(graph)
    assert tuning.facts(graph.with_weights(weights * 2)) != tuning.facts(graph)


def test_what_is_no_profile(graph: wp.Graph, tmp_path: Path) -> None:
    profile = written(tmp_path, graph, DIJKSTRA)
    with pytest.raises(ValueError, match="has nothing about bfs"):
        wp.bfs(graph, 0, schedule=profile)
    with pytest.raises(ValueError, match="about shortest paths, not algebra='widest'"):
        wp.sssp(graph, 0, schedule=profile, algebra="widest")
    with pytest.raises(
        ValueError, match=r"schedule must be a warpath\.Schedule, its text or a balance, not 3"
    ):
        wp.sssp(graph, 0, schedule=3)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="profiles are for bfs and sssp, not st_connected"):
        wp.st_connected(graph, 0, 1, schedule=profile)
    for text in ("", "[]", '{"format": 0}', f'{{"format": {tuning.FORMAT}}}'):
        profile.write_text(text)
        with pytest.raises(ValueError, match="not a profile of warpath advise"):
            wp.sssp(graph, 0, schedule=profile)
    with pytest.raises(FileNotFoundError):
        wp.sssp(graph, 0, schedule=tmp_path / "nowhere.json")


def test_advice_is_such_a_profile(graph: wp.Graph, tmp_path: Path) -> None:
    wp.advise(graph, device="cpu", seconds=1).save(tmp_path / "a.json")
    for search in (wp.bfs, wp.sssp):
        found = search(graph, 3, schedule=tmp_path / "a.json")
        assert np.array_equal(found.distance, search(graph, 3).distance)
