import inspect
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.bench import advise as module
from warpath.bench.advise import Advice, Candidate, Race, advise, race
from warpath.schedule import schedule_for


@pytest.fixture
def graph() -> wp.Graph:
    return wp.generate.grid(30, weights=(1, 9), seed=1)


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


def planted(monkeypatch: pytest.MonkeyPatch, seconds: Any, wrong: set[str] = frozenset()) -> None:  # type: ignore[assignment]
    """Let candidates take what a function of their label and the source says."""
    from warpath.bench.answers import Answers

    def run(graph: Any, answers: Answers, runner: Candidate, source: int) -> Any:
        bad = runner.label in wrong
        return seconds(runner.label, source), "a wrong answer" if bad else None

    monkeypatch.setattr(module, "_run", run)


def ways(*methods: str) -> list[Candidate]:
    return [Candidate("sssp", "cpu"), *(Candidate("sssp", "cpu", {"method": m}) for m in methods)]


def test_the_fastest_wins_through_noise(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches differ threefold by source and 10 % by noise, candidates by 5 %."""
    rng = np.random.default_rng(1)
    mean = {"cpu": 1.05, "cpu, method=a": 1.0, "cpu, method=b": 1.1, "cpu, method=c": 9.0}

    def seconds(label: str, source: int) -> float:
        return float(mean[label] * (1 + source % 3) * rng.normal(1, 0.02))

    planted(monkeypatch, seconds)
    ranked = race(graph, ways("a", "b", "c"), [*range(30)], 60.0)
    assert ranked[0].label == "cpu, method=a"
    searches = {one.label: one.searches for one in ranked}
    assert searches["cpu, method=c"] == 1  # out after the first round
    assert searches["cpu, method=a"] == 64  # then alone


def test_who_comes_behind_a_slow_one_has_no_disadvantage(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind "a", which lets threads fall asleep, everything takes half as long again."""
    mean = {"cpu": 1.2, "cpu, method=a": 2.5, "cpu, method=b": 1.0}
    before = [""]

    def seconds(label: str, source: int) -> float:
        behind = before[0].endswith("a")
        before[0] = label
        return mean[label] * (1.5 if behind else 1.0)

    planted(monkeypatch, seconds)
    running = Race(graph, ways("a", "b"))
    running.start(0)
    for _ in range(40):
        running.round(0)
    assert running.ranked()[0].label == "cpu, method=b"


def test_a_default_that_is_as_good_stays(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    mean = {"cpu": 1.01, "cpu, method=a": 1.0}
    planted(monkeypatch, lambda label, _: mean[label])
    assert race(graph, ways("a"), [0, 1], 60.0)[0].label == "cpu"


@pytest.mark.parametrize(("noise", "first"), [(0.01, "cpu, method=a"), (0.5, "cpu")])
def test_the_default_stays_where_noise_hides_who_is_faster(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch, noise: float, first: str
) -> None:
    """By 6 %: rounds are won by chance if each search differs by half."""
    rng = np.random.default_rng(3)
    mean = {"cpu": 1.06, "cpu, method=a": 1.0}
    planted(monkeypatch, lambda label, _: float(mean[label] * (1 + noise * rng.random())))
    running = Race(graph, ways("a"))
    running.start(0)
    for _ in range(20):
        running.round(0)
    assert running.ranked()[0].label == first


def test_a_wrong_answer_never_wins(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda label, _: 0.1 if label.endswith("a") else 1.0, {"cpu, method=a"})
    first, last = race(graph, ways("a"), [0, 1], 60.0)
    assert (first.label, last.note) == ("cpu", "a wrong answer")


def test_no_time_is_said(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(module.time, "perf_counter", lambda: float(next(ticks)))
    planted(monkeypatch, lambda *_: 1.0)
    first, *others = race(graph, ways("a", "b"), [0], 0.5)
    assert first.label == "cpu"
    assert [one.note for one in others] == ["not tried: no time"] * 2


def test_too_few_seconds_compare_nothing(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look at the clock takes a second: one of six ways is tried, in two of them."""
    ticks = itertools.count()
    monkeypatch.setattr(module.time, "perf_counter", lambda: float(next(ticks)))
    planted(monkeypatch, lambda *_: 1.0)
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


def test_what_never_works_is_not_advised(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch) -> None:
    planted(monkeypatch, lambda *_: 1.0, {"cpu", "cpu, direction=top-down"})
    with pytest.raises(ValueError, match="no way to run bfs worked: cpu: a wrong answer"):
        advise(graph, algorithms=["bfs"], device="cpu", seconds=1.0)


def test_a_label_shows_a_schedule_as_its_text() -> None:
    options = {"method": "workfront-sweep", "schedule": "merge-path:f0=20"}
    label = Candidate("sssp", "cuda", options).label
    assert label == "cuda, method=workfront-sweep, merge-path:f0=20"
    assert Candidate("sssp", "cpu").label == "cpu"


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("algorithm", ["bfs", "sssp"])
def test_candidates_are_calls_of_the_search(algorithm: str, signed: bool) -> None:
    """Of a GPU too, which need not be here to refuse what no search has."""
    graph = wp.generate.erdos_renyi(200, 900, directed=True, weights=(1, 9), seed=1)
    if signed:
        graph = wp.generate.negative_weights(graph, 1)
    found = [*module.candidates(graph, algorithm, ["cpu", "cuda"])]
    labels = [one.label for one in found]
    assert len(set(labels)) == len(labels)
    assert [one.label for one in found if not one.options] == ["cpu", "cuda"]
    search = inspect.signature(getattr(wp, algorithm))
    for one in found:
        search.bind(graph, 0, device=one.device, **one.options)
        schedule_for(algorithm, one.options.get("schedule"))


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
