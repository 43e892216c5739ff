import itertools
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.bench.advise import Advice, advise


def test_measures_and_can_be_followed(graph: wp.Graph, tmp_path: Path) -> None:
    advice = advise(graph, device="cpu", seconds=1.0)
    for algorithm in ("bfs", "sssp"):
        ranked = [one for one in advice.candidates if one.algorithm == algorithm]
        assert ranked[0].seconds
        assert all(one.seconds and one.searches and not one.note for one in ranked)
        assert {"device": ranked[0].device} | ranked[0].options == advice.best[algorithm]
        found = getattr(wp, algorithm)(graph, 3, **advice.best[algorithm])
        assert np.array_equal(found.distance, getattr(wp, algorithm)(graph, 3).distance)
    assert advice.graph["vertices"] == 900
    advice.save(tmp_path / "a.json")
    assert Advice.load(tmp_path / "a.json") == advice
    (tmp_path / "b.json").write_text("[]")
    with pytest.raises(ValueError, match="not a profile of warpath advise"):
        Advice.load(tmp_path / "b.json")


def test_too_few_seconds_compare_nothing(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch, planted: Any
) -> None:
    """Each look at the clock takes a second: one of six ways is tried, in two of them."""
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    planted(lambda *_: 1.0)
    with pytest.raises(
        ValueError, match=r"0\.5 s were enough to try 1 of 6 ways to run sssp"
    ) as said:
        advise(graph, algorithms=["sssp"], device="cpu", seconds=0.5)
    needed = int(str(said.value).split("seconds=")[1])
    assert f"seconds={needed}" in str(said.value)
    ticks = itertools.count()
    found = advise(graph, algorithms=["sssp"], device="cpu", seconds=needed)
    assert not any(one.note for one in found.candidates)
    assert found.candidates[0].searches > 1


def test_what_never_works_is_not_advised(graph: wp.Graph, planted: Any) -> None:
    planted(lambda *_: 1.0, {"cpu", "cpu, direction=top-down"})
    with pytest.raises(ValueError, match="no way to run bfs worked: cpu: a wrong answer"):
        advise(graph, algorithms=["bfs"], device="cpu", seconds=1.0)


def test_negative_weights() -> None:
    graph = wp.generate.erdos_renyi(200, 900, directed=True, weights=(1, 9), seed=1)
    graph = wp.generate.negative_weights(graph, 1)
    advice = advise(graph, algorithms=["sssp"], device="cpu", seconds=1.0)
    wp.sssp(graph, 0, **advice.best["sssp"]).verify()


def test_what_cannot_be_advised(graph: wp.Graph) -> None:
    with pytest.raises(ValueError, match="unknown algorithm 'apsp'; choose of bfs, sssp"):
        advise(graph, algorithms=["apsp"])
    with pytest.raises(ValueError, match="unknown device 'tpu'"):
        advise(graph, device="tpu")
    with pytest.raises(ValueError, match="seconds must be positive"):
        advise(graph, seconds=0)
    with pytest.raises(ValueError, match="no vertices"):
        advise(wp.Graph.from_edges([], [], n=0))
