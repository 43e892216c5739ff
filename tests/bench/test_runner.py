import sys
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.bench import runner
from warpath.bench.suite import Case, Configuration, Suite
from warpath.bench.suites.listing import on_cpu
from warpath.bench.summary import Summary
from warpath.bench.trial import from_line


def make(*configurations: Configuration, **options: Any) -> Suite:
    def build(scale: float, seed: int, device: str) -> wp.Graph:
        return wp.generate.erdos_renyi(round(100 * scale), round(400 * scale), seed=seed)

    case = Case("G", "positive", build=build, recipe="uniform")
    return Suite("title", (case,), configurations, **options)


BFS = on_cpu("bfs", "bfs")
DIJKSTRA = on_cpu("dijkstra", "sssp", method="dijkstra")


def test_a_trial_says_all_of_it() -> None:
    (one, *_) = runner.run("mine", make(DIJKSTRA), runner.Settings(scale=2, sources=3, seed=5))
    graph = wp.generate.erdos_renyi(200, 800, seed=5)
    assert one.suite == "mine"
    assert one.graph == {
        "name": "G", "kind": "generated", "recipe": "uniform", "scale": 2, "seed": 5,
        "vertices": 200, "arcs": graph.num_arcs, "directed": False, "weights": "int32",
    }  # fmt: skip
    assert one.configuration == {
        "label": "dijkstra", "by": "warpath", "algorithm": "sssp", "device": "cpu",
        "threads": None, "options": {"predecessors": False, "method": "dijkstra"},
    }  # fmt: skip
    assert one.status == "ok"
    assert one.verified is True
    assert one.clock == "host"
    assert one.seconds is not None
    assert one.cold_seconds is not None
    assert one.seconds > 0
    reached = wp.bfs(graph, one.source).distance >= 0  # type: ignore[arg-type]
    assert one.arcs == graph.degree[reached].sum()
    assert one.iterations == 1
    assert one.relaxations is not None
    assert one.relaxations > 0
    assert one.versions["warpath"] == wp.__version__
    assert one.machine["cores"] >= 1
    assert one.when.endswith("Z")


@pytest.mark.parametrize("how", ["direction=top-down", wp.Schedule(direction="top-down")])
def test_a_trial_has_the_schedules_text(how: Any) -> None:
    one = on_cpu("top-down", "bfs", schedule=how)
    (trial, *_) = runner.run("x", make(one), runner.Settings(sources=1))
    assert trial.configuration["options"]["schedule"] == "direction=top-down"
    assert from_line(trial.as_json()).configuration == trial.configuration


def test_sources_are_drawn_by_the_seed() -> None:
    def sources(seed: int) -> list[int | None]:
        trials = runner.run("x", make(BFS), runner.Settings(sources=5, seed=seed))
        return [one.source for one in trials]

    assert len(sources(1)) == 5
    assert sources(1) == sources(1)
    assert sources(1) != sources(2)


def test_a_wrong_answer_fails_the_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """One distance of one source is planted wrong; only that trial fails, and says why."""
    right = wp.bfs
    graph = wp.generate.erdos_renyi(100, 400, seed=1)
    calls: list[int] = []

    def planted(graph: wp.Graph, source: int, **options: Any) -> Any:
        found = right(graph, source, **options)
        calls.append(source)
        if len(calls) == 3:  # cold, first, second
            found.distance[(source + 1) % 100] += 1
        return found

    monkeypatch.setattr(wp, "bfs", planted)
    suite = make(BFS)
    trials = runner.run("x", suite, runner.Settings(sources=3, seed=1))
    assert [one.status for one in trials] == ["ok", "wrong", "ok"]
    assert trials[1].verified is False
    assert trials[1].why
    cell = Summary(suite, trials).cell("G", "bfs")
    assert cell is not None
    assert cell.status == "wrong"
    assert cell.seconds is None  # no time for a wrong answer
    assert graph.num_vertices == 100


def test_a_later_method_is_held_to_the_verified_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    right = wp.sssp

    def planted(graph: wp.Graph, source: int, *, method: str, **options: Any) -> Any:
        found = right(graph, source, method=method, **options)
        if method == "bellman-ford":
            found.distance[source] = 1
        return found

    monkeypatch.setattr(wp, "sssp", planted)
    other = on_cpu("bellman-ford", "sssp", method="bellman-ford")
    trials = runner.run("x", make(DIJKSTRA, other), runner.Settings(sources=2))
    assert [one.status for one in trials] == ["ok", "ok", "wrong", "wrong"]
    assert trials[2].why == "not the distances that were verified"


def test_a_method_that_refuses_fails_and_the_run_goes_on() -> None:
    bad = on_cpu("near-far", "sssp", method="near-far", schedule="delta=3")
    trials = runner.run("x", make(bad, DIJKSTRA), runner.Settings(sources=2))
    assert [one.status for one in trials] == ["failed", "ok", "ok"]
    assert "near-far" in (trials[0].why or "")


def test_a_method_without_room_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> Any:
        raise MemoryError("a table of 1 TiB")

    monkeypatch.setattr(wp, "sssp", full)
    (trial,) = runner.run("x", make(DIJKSTRA), runner.Settings(sources=2))
    assert (trial.status, trial.why) == ("left-out", "MemoryError: a table of 1 TiB")


def test_the_limit_ends_a_configuration() -> None:
    trials = runner.run("x", make(BFS, DIJKSTRA), runner.Settings(sources=9, limit=1e-9))
    assert [one.configuration["label"] for one in trials] == ["bfs", "dijkstra"]


def test_the_budget_ends_a_suite_visibly() -> None:
    trials = runner.run("x", make(BFS, DIJKSTRA), runner.Settings(sources=9, budget=1e-9))
    assert [one.status for one in trials] == ["left-out", "left-out"]
    assert trials[0].why == "the 1e-09 s of the suite were spent"
    assert trials[0].graph["vertices"] is None  # it was not made


def test_small_graphs_first_slow_configurations_last() -> None:
    slow = on_cpu("slow", "sssp", slow=True, method="dijkstra")
    suite = Suite("t", (Case("flickr", "positive"), Case("rmat20", "positive")), (slow, DIJKSTRA))
    trials = runner.run("x", suite, runner.Settings(scale=0.001, sources=1))
    shown = [(one.graph["name"], one.configuration["label"]) for one in trials]
    assert shown == [
        ("rmat20", "dijkstra"), ("rmat20", "slow"), ("flickr", "dijkstra"), ("flickr", "slow")
    ]  # fmt: skip


def test_suites_share_graphs_and_what_is_known_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    certified: list[int] = []
    real = wp.verify.bfs
    monkeypatch.setattr(
        "warpath.bench.answers.verify.bfs", lambda g, s, d: certified.append(s) or real(g, s, d)
    )
    suite, settings = make(BFS), runner.Settings(device="cpu", sources=3, seed=77)
    for name in ("one", "two"):
        assert all(one.verified for one in runner.run(name, suite, settings))
    assert len(certified) == 3


def test_parts_of_names_choose() -> None:
    suite = make(BFS, DIJKSTRA)
    trials = runner.run("x", suite, runner.Settings(sources=1, configurations=("dijk",)))
    assert {one.configuration["label"] for one in trials} == {"dijkstra"}
    with pytest.raises(ValueError, match="no graph has 'H' in its name: G"):
        runner.run("x", suite, runner.Settings(graphs=("H",)))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"device": "tpu"}, "unknown device 'tpu'; choose one of auto, cpu, cuda"),
        ({"scale": 0.0}, "scale must be positive, not 0.0"),
        ({"scale": float("inf")}, "scale must be a number of times, not inf"),
        ({"limit": -1.0}, "limit must be positive"),
        ({"budget": 0.0}, "budget must be positive"),
        ({"sources": 0}, "sources must be at least 1, not 0"),
    ],
)
def test_bad_settings(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        runner.Settings(**settings)


def test_threads_are_set_for_a_configuration_alone() -> None:
    before = wp.num_threads()
    seen: list[int] = []
    one = on_cpu("one", "bfs", threads=1)
    runner.run("x", make(one), runner.Settings(sources=1), lambda _: seen.append(wp.num_threads()))
    assert wp.num_threads() == before
    assert np.all(np.array(seen) <= before)


@pytest.mark.parametrize(("gigabytes", "held"), [(10, True), (30, False)])
def test_a_large_graph_does_not_wait_for_the_next_suite(
    gigabytes: int, held: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite, settings = make(BFS), runner.Settings(device="cpu", sources=1)
    runner._subject.cache_clear()
    runner.run("x", suite, settings)
    pool = SimpleNamespace(used_bytes=lambda: gigabytes * 10**9, free_all_blocks=lambda: None)
    cupy: Any = SimpleNamespace(get_default_memory_pool=lambda: pool)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(runner.devices, "missing", lambda: None)
    monkeypatch.setattr(runner.devices, "require", lambda: SimpleNamespace(memory=150 * 10**9))
    runner._free_memory()
    assert (runner._subject.cache_info().currsize > 0) is held


@pytest.mark.parametrize(
    ("gigabytes", "scale", "fits"), [(150, 1, True), (100, 1, False), (100, 0.5, True)]
)
def test_a_graph_for_a_large_gpu_is_left_out_elsewhere(
    gigabytes: int, scale: float, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = Case("large", build=lambda scale, seed, device: wp.generate.grid(3), gpu_bytes=2.0**37)
    (one,) = runner.run(
        "x", Suite("title", (case,), (BFS,)), runner.Settings(device="cpu", sources=1)
    )
    assert (one.status, one.why) == ("left-out", "a GPU with 128 GiB of memory builds this graph")
    monkeypatch.setattr(runner.devices, "missing", lambda: None)
    monkeypatch.setattr(
        runner.devices, "require", lambda: SimpleNamespace(memory=gigabytes * 10**9)
    )
    assert (runner.Settings(device="cuda", scale=scale).too_large(case) is None) is fits
