import time
from typing import Any

import pytest

import warpath as wp
from warpath.bench import prepare as module
from warpath.bench.candidates import Candidate
from warpath.bench.prepare import prepare, prepare_races
from warpath.bench.runner import Settings
from warpath.bench.suite import Case, Suite
from warpath.bench.suites import SUITES
from warpath.bench.suites.listing import on_cpu

BFS = on_cpu("bfs", "bfs", schedule="direction=top-down")


def test_each_configuration_once_on_each_kind_of_graph() -> None:
    suites = [SUITES[name]() for name in ("hong-fig7b", "hong-fig7a", "mishra-fig8")]
    tasks = [*module._tasks(suites, Settings(device="cpu"))]
    # The same in both of Hong's, but for the threads; and Mishra's.
    (hong, options, few), (mishra, _, others) = tasks
    assert (hong, mishra) == ("bfs-every-vertex", "bfs")
    assert options == {}
    # Maps are undirected here.
    assert [graph.directed for graph in few] == [True, True]
    assert sorted(graph.directed for graph in others) == [False, True, True]
    assert all(4096 < graph.num_vertices < 20_000 for graph in (*few, *others))
    sparse = [graph.num_arcs < 8 * graph.num_vertices for graph in few]
    assert sorted(sparse) == [False, True]


@pytest.mark.slow
def test_other_processes_do_it_and_failures_do_not_matter() -> None:
    bad = on_cpu("bad", "sssp", method="no such method")
    case = Case("USA-road-d.CAL", "positive")
    suite = Suite("t", (case,), (BFS, bad))
    assert prepare([suite], Settings(device="cpu"), processes=1) == 2
    assert prepare([suite], Settings(device="cpu", configurations=("bad",)), processes=1) == 1


def test_what_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(scale: float, seed: int, device: str) -> wp.Graph:
        return wp.generate.grid(300, weights=(1, 255), seed=seed)

    slow = on_cpu("slow", "sssp", threads=1, method="sequential-bellman-ford")
    suite = Suite("t", (Case("long", build=build),), (slow,))
    began = time.monotonic()
    assert prepare([suite], Settings(device="cpu"), processes=1, seconds=0.01) == 1
    assert time.monotonic() - began < 20


def test_candidates_of_a_race_search_the_graph_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = wp.generate.grid(20, weights=(1, 9), seed=1)
    searched = []

    def here(function: Any, tasks: list[Any], processes: int, seconds: float) -> int:
        for task in tasks:
            function(*task)
        return len(tasks)

    def run(algorithm: str, options: dict[str, Any], graphs: list[wp.Graph]) -> None:
        (same,) = graphs
        assert (same.num_vertices, same.weight_dtype) == (400, graph.weight_dtype)
        searched.append((algorithm, options))

    monkeypatch.setattr(module, "_elsewhere", here)
    monkeypatch.setattr(module, "_run", run)
    runners = [Candidate("bfs", "cpu"), Candidate("sssp", "cpu", {"method": "dijkstra"})]
    assert prepare_races([(graph, [])]) == 0
    assert prepare_races([(graph, runners)]) == 2
    assert searched == [
        ("bfs", {"device": "cpu"}), ("sssp", {"device": "cpu", "method": "dijkstra"}),
    ]  # fmt: skip
