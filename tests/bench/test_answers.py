import sys
from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.bench import answers as module
from warpath.bench.answers import Answers


@pytest.fixture
def graph() -> wp.Graph:
    return wp.Graph.from_edges([0, 0, 1, 3], [1, 2, 2, 4], [5, 9, 1, 1], n=5)


def test_the_first_answer_is_proved_later_ones_compared(graph: wp.Graph) -> None:
    answers = Answers(graph)
    right = wp.sssp(graph, 0).distance
    assert answers.arcs(0) is None
    assert answers.wrong("sssp", 0, right) is None
    assert answers.arcs(0) == 3
    assert answers.wrong("sssp", 0, right.copy()) is None
    wrong = right.copy()
    wrong[2] = 7
    assert answers.wrong("sssp", 0, wrong) == "not the distances that were verified"
    assert "distance[2] is 7" in (Answers(graph).wrong("sssp", 0, wrong) or "")


def test_others_may_answer_in_floats(graph: wp.Graph) -> None:
    answers = Answers(graph)
    assert answers.wrong_values("sssp", 0, np.array([0, 5, 6, np.inf, np.inf])) is None
    assert answers.wrong_values("bfs", 0, np.array([0, 1, 1, -1, -1], np.int64)) is None
    assert answers.wrong_values("bfs", 0, np.array([0, 1, 1, np.inf, np.inf])) is None
    assert answers.wrong_values("sssp", 0, np.array([0, 5, 6, np.inf, 3.0]))
    assert answers.wrong_values("bfs", 0, np.array([0, 1, 2, -1, -1]))


def test_of_large_graphs_some_are_compared_with_the_cpu(
    graph: wp.Graph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_CHEAP_ARCS", 1)
    certified: list[int] = []
    real = module.verify.bfs
    monkeypatch.setattr(module.verify, "bfs", lambda g, s, d: certified.append(s) or real(g, s, d))
    answers = Answers(graph)
    for source in range(5):
        assert answers.wrong("bfs", source, wp.bfs(graph, source).distance) is None
    assert certified == [0, 1, 2]
    wrong = wp.bfs(graph, 4).distance + 1
    assert Answers(graph).wrong("bfs", 4, wrong)
    fresh = Answers(graph)
    for source in range(3):
        fresh.wrong("bfs", source, wp.bfs(graph, source).distance)
    assert fresh.wrong("bfs", 4, wrong) == "not the distances of the CPU"


@pytest.fixture
def certificates(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sources that certificates were made for on a GPU of 64 MB, for which NumPy stands."""
    pytest.importorskip("cupy")
    device_graph = pytest.importorskip("warpath.cuda.device_graph")
    monkeypatch.setattr(module.devices, "missing", lambda: None)
    monkeypatch.setattr(module.devices, "require", lambda: SimpleNamespace(memory=2**26))
    monkeypatch.setitem(sys.modules, "cupy", np)
    monkeypatch.setattr(device_graph, "on_device", lambda graph: graph)
    made: list[int] = []
    real = module.proves
    monkeypatch.setattr(
        module, "proves", lambda xp, csr, s, *rest: made.append(s) or real(xp, csr, s, *rest)
    )
    return made


def test_with_a_gpu_every_answer_is_proved_there(
    graph: wp.Graph, certificates: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not proved goes to `warpath.verify`, which says why."""
    asked: list[int] = []
    real = module.verify.sssp
    monkeypatch.setattr(module.verify, "sssp", lambda g, s, d: asked.append(s) or real(g, s, d))
    answers = Answers(graph)
    right = wp.sssp(graph, 0).distance
    for _ in range(3):
        assert answers.wrong("sssp", 0, right) is None
    assert not asked
    assert certificates == [0]  # later ones are compared
    assert answers.arcs(0) == 3
    assert answers.wrong("bfs", 3, wp.bfs(graph, 3).distance) is None
    assert answers.hops(0, 2) == 1
    assert answers.hops(0, 4) is None
    wrong = right.copy()
    wrong[2] = 7
    assert "distance[2] is 7" in (answers.wrong("sssp", 0, wrong) or "")
    # Floats are not for the GPU's certificate.
    halves = graph.with_weights(graph.weights / 2)  # type: ignore[operator]
    asked.clear()
    assert Answers(halves).wrong("sssp", 0, wp.sssp(halves, 0).distance) is None
    assert asked == [0]


def test_distances_are_proved_again_where_memory_does_not_keep_them(
    graph: wp.Graph, certificates: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SHARE_KEPT", 0)
    answers = Answers(graph)
    right = wp.sssp(graph, 0).distance
    assert [answers.wrong("sssp", 0, right) for _ in range(2)] == [None, None]
    assert certificates == [0, 0]


def test_what_a_search_writes_later_does_not_change_what_was_proved(
    graph: wp.Graph, certificates: list[int]
) -> None:
    answers = Answers(graph)
    shared = wp.sssp(graph, 0).distance.copy()
    assert answers.wrong("sssp", 0, shared) is None
    shared[2] = 7
    assert "distance[2] is 7" in (answers.wrong("sssp", 0, shared) or "")
