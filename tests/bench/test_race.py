import itertools
import time
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath import kernel_cache
from warpath.bench.candidates import Candidate
from warpath.bench.race import Race, race


def ways(*methods: str) -> list[Candidate]:
    return [Candidate("sssp", "cpu"), *(Candidate("sssp", "cpu", {"method": m}) for m in methods)]


def test_the_fastest_wins_through_noise(graph: wp.Graph, planted: Any) -> None:
    """Searches differ threefold by source and 10 % by noise, candidates by 5 %."""
    rng = np.random.default_rng(1)
    mean = {"cpu": 1.05, "cpu, method=a": 1.0, "cpu, method=b": 1.1, "cpu, method=c": 9.0}

    def seconds(label: str, source: int) -> float:
        return float(mean[label] * (1 + source % 3) * rng.normal(1, 0.02))

    planted(seconds)
    ranked = race(graph, ways("a", "b", "c"), [*range(30)], 60.0)
    assert ranked[0].label == "cpu, method=a"
    searches = {one.label: one.searches for one in ranked}
    assert searches["cpu, method=c"] == 1  # out after the first round
    assert searches["cpu, method=a"] == 64  # then alone


def test_who_comes_behind_a_slow_one_has_no_disadvantage(graph: wp.Graph, planted: Any) -> None:
    """Behind "a", which lets threads fall asleep, everything takes half as long again."""
    mean = {"cpu": 1.2, "cpu, method=a": 2.5, "cpu, method=b": 1.0}
    before = [""]

    def seconds(label: str, source: int) -> float:
        behind = before[0].endswith("a")
        before[0] = label
        return mean[label] * (1.5 if behind else 1.0)

    planted(seconds)
    running = Race(graph, ways("a", "b"))
    running.start(0)
    for _ in range(40):
        running.round(0)
    assert running.ranked()[0].label == "cpu, method=b"


def test_a_default_that_is_as_good_stays(graph: wp.Graph, planted: Any) -> None:
    mean = {"cpu": 1.01, "cpu, method=a": 1.0}
    planted(lambda label, _: mean[label])
    assert race(graph, ways("a"), [0, 1], 60.0)[0].label == "cpu"


@pytest.mark.parametrize(("noise", "first"), [(0.01, "cpu, method=a"), (0.5, "cpu")])
def test_the_default_stays_where_noise_hides_who_is_faster(
    graph: wp.Graph, planted: Any, noise: float, first: str
) -> None:
    """By 6 %: rounds are won by chance if each search differs by half."""
    rng = np.random.default_rng(3)
    mean = {"cpu": 1.06, "cpu, method=a": 1.0}
    planted(lambda label, _: float(mean[label] * (1 + noise * rng.random())))
    running = Race(graph, ways("a"))
    running.start(0)
    for _ in range(20):
        running.round(0)
    assert running.ranked()[0].label == first


def test_a_wrong_answer_never_wins(graph: wp.Graph, planted: Any) -> None:
    planted(lambda label, _: 0.1 if label.endswith("a") else 1.0, {"cpu, method=a"})
    first, last = race(graph, ways("a"), [0, 1], 60.0)
    assert (first.label, last.note) == ("cpu", "a wrong answer")


def test_no_time_is_said(graph: wp.Graph, monkeypatch: pytest.MonkeyPatch, planted: Any) -> None:
    ticks = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: float(next(ticks)))
    planted(lambda *_: 1.0)
    first, *others = race(graph, ways("a", "b"), [0], 0.5)
    assert first.label == "cpu"
    assert [one.note for one in others] == ["not tried: no time"] * 2


def test_compiling_takes_no_time(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch, planted: Any
) -> None:
    """Each first search compiles for longer than there is time."""
    now, known = 0.0, set()
    monkeypatch.setattr(time, "perf_counter", lambda: now)
    monkeypatch.setattr(kernel_cache, "perf_counter", lambda: now)

    def search(label: str, source: int) -> float:
        nonlocal now
        if label not in known:
            known.add(label)
            with kernel_cache.compiling():
                now += 10.0
        now += 0.01
        return 0.01

    planted(search)
    found = race(graph, ways("a", "b"), [0], 1.0)
    assert [one.note for one in found] == ["", "", ""]
    assert all(one.searches for one in found)
