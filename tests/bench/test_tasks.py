from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.balance.virtual_warp import VirtualWarp
from warpath.bench import representations, tasks
from warpath.bench.answers import Answers
from warpath.bench.expansion import fanned_out
from warpath.bench.task import Call
from warpath.bench.tasks import TASKS
from warpath.planning import knobs


@pytest.fixture
def graph() -> wp.Graph:
    return wp.generate.rmat(8, 8, seed=1)


def test_expand_inspects_each_arc_once(graph: wp.Graph) -> None:
    task, answers = TASKS["expand"], Answers(graph)
    answer = task.run(Call(graph, None, {"device": "cpu"}, []))
    assert task.wrong(answers, None, answer) is None
    assert task.arcs(answers, None) == graph.num_arcs
    assert task.counts(answer)["relaxations"] == graph.num_arcs
    assert 0 <= (task.seconds(answer) or 0) < 1
    found = answer.found
    missed = SimpleNamespace(distance=found.distance, stats=SimpleNamespace(edges=[0, 0, 5]))
    planted = SimpleNamespace(found=missed, seconds=1.0)
    assert "5 arcs inspected" in (task.wrong(answers, None, planted) or "")
    found.distance[7] = 1
    assert task.wrong(answers, None, answer) == "a vertex of the frontier is not at distance 2"


def test_expand_searches_top_down_by_a_balance(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    monkeypatch.setattr(wp, "bfs", lambda *_, **options: found.append(options))
    options = {"device": "cuda", "balance": "virtual-warp:width=4"}
    TASKS["expand"].run(Call(graph, None, options, []))
    assert [str(one["schedule"]) for one in found] == ["virtual-warp:width=4,direction=top-down"]
    assert "balance" not in found[0]
    assert "balance" in options  # whose they are needs them again


def test_expand_sets_knobs_by_the_degrees_of_the_graph_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    graph = wp.generate.grid(100, 100)  # which is fanned out by vertices of 100 arcs
    found = []
    monkeypatch.setattr(wp, "bfs", lambda *_, **options: found.append(options))
    TASKS["expand"].run(
        Call(graph, None, {"device": "cuda", "balance": "virtual-warp:width=auto"}, [])
    )
    assert found[0]["schedule"].technique == VirtualWarp(width=knobs.width(graph))
    assert knobs.width(graph) != knobs.width(fanned_out(graph))


def test_expand_takes_the_kernels_clock_where_there_is_one() -> None:
    stats = SimpleNamespace(nanoseconds=np.array([7, 8, 9]))
    answer = SimpleNamespace(found=SimpleNamespace(stats=stats), seconds=None)
    assert TASKS["expand"].seconds(answer) == 9e-9
    assert TASKS["expand"].clock(answer) == "trace"


def test_expand_subtracts_what_precedes_child_grids(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    depths = []

    def timed(call: Callable[[], Any]) -> tuple[Any, float]:
        depths.append(call().get("depth_limit"))
        return SimpleNamespace(stats=SimpleNamespace(nanoseconds=[1, 1, 1])), float(depths[-1]) ** 2

    monkeypatch.setattr(wp, "bfs", lambda *_, **options: options)
    monkeypatch.setattr(tasks.clock, "on_device", timed)
    options = {"device": "cuda", "balance": "dynamic-virtual-warp:dynamic_parallelism=4096"}
    answer = TASKS["expand"].run(Call(graph, None, options, []))
    assert depths == [2, 3]
    assert (TASKS["expand"].seconds(answer), TASKS["expand"].clock(answer)) == (5.0, "events")


def test_split_degrees_count_vertices_without_arcs() -> None:
    graph = wp.Graph.from_edges([0, 0, 0], [1, 2, 3], n=6)
    task = TASKS["split-degrees"]
    answer = task.run(Call(graph, None, {"MDT": 4}, []))
    before = TASKS["describe"].counts(wp.statistics(graph, diameter=False))["extra"]
    after = task.counts(answer)["extra"]
    assert task.wrong(Answers(graph), None, answer) is None
    for column in ("vertices", "degree", "deviation", "largest", "histogram"):
        assert after[column] == before[column]


def test_split_degrees_keep_all_arcs(graph: wp.Graph) -> None:
    task, answers = TASKS["split-degrees"], Answers(graph)
    answer = task.run(Call(graph, None, {"MDT": 4}, []))
    offsets, most, is_split = answer
    assert most == 4
    assert task.wrong(answers, None, answer) is None
    assert task.counts(answer)["extra"]["largest"] == 4
    assert is_split == np.count_nonzero(graph.degree > 4) / graph.num_vertices
    assert "more than 3" in (task.wrong(answers, None, (offsets, 3, is_split)) or "")
    assert "not" in (task.wrong(answers, None, (offsets[1:], most, is_split)) or "")


@pytest.mark.parametrize("representation", ["adjacency matrix", "adjacency lists", "list of edges"])
@pytest.mark.parametrize("question", representations.QUESTIONS)
def test_representations_answer_the_same(representation: str, question: str) -> None:
    graph = wp.generate.erdos_renyi(100, 400, seed=2)
    found = representations.ask(graph, representation, question)
    assert found.found == representations.expected(graph, question)
    assert found.found > 0
    task = TASKS["look"]
    assert task.wrong(Answers(graph), None, found) is None
    planted = SimpleNamespace(question=question, found=found.found + 1)
    assert task.wrong(Answers(graph), None, planted)


def test_balance_costs(graph: wp.Graph) -> None:
    task = TASKS["balance-costs"]

    def costs(balance: str) -> tuple[int, int]:
        extra = task.counts(task.run(Call(graph, None, {"balance": balance}, [])))["extra"]
        return extra["bytes"], extra["lines"]

    assert costs("thread-mapped")[0] == 0
    # The sources of all arcs, and a place for each in the list.
    assert costs("edge-parallel")[0] == 8 * graph.num_arcs
    # What prepares a graph, and what a header includes, counts as well.
    assert costs("node-splitting")[1] > costs("edge-parallel")[1] > costs("thread-mapped")[1] > 0
    assert costs("hierarchical")[1] > costs("workload-decomposition")[1]


def test_connect_asks_for_the_next_source(graph: wp.Graph) -> None:
    task = TASKS["st-connected"]
    found = task.run(Call(graph, 3, {"device": "cpu"}, [1, 3, 8]))
    assert (found.source, found.target) == (3, 8)
    assert task.wrong(Answers(graph), 3, found) is None
    planted = SimpleNamespace(source=3, target=8, connected=True, distance=99)
    assert "not 99" in (task.wrong(Answers(graph), 3, planted) or "")


def test_no_path_is_an_answer() -> None:
    graph = wp.Graph.from_edges([0], [1], n=3)
    found = TASKS["st-connected"].run(Call(graph, 0, {"device": "cpu"}, [0, 2]))
    assert TASKS["st-connected"].wrong(Answers(graph), 0, found) is None
    planted = SimpleNamespace(source=0, target=2, connected=True, distance=1)
    assert "None, not 1" in (TASKS["st-connected"].wrong(Answers(graph), 0, planted) or "")


@pytest.mark.parametrize(
    ("warps", "multiprocessors", "grid"),
    [(1, None, (132, 32)), (16, None, (132, 512)), (32, None, (264, 512)), (16, 4, (4, 512)), (8, 999, (132, 256))],
)  # fmt: skip
def test_a_grid_has_its_warps_on_each_multiprocessor(
    warps: int, multiprocessors: int | None, grid: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks.devices, "require", lambda: SimpleNamespace(multiprocessors=132))
    assert tasks._grid(warps, multiprocessors) == grid
