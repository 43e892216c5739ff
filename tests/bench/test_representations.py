"""Every representation answers every question as it is expected."""

from types import SimpleNamespace

import numpy as np
import pytest

import warpath as wp
from warpath.bench import representations
from warpath.bench.answers import Answers
from warpath.bench.representations import FORMS, QUESTIONS
from warpath.bench.suite import Configuration
from warpath.bench.suites import SUITES
from warpath.bench.tasks import TASKS, options_of

GRAPHS = {
    "undirected": lambda: wp.generate.erdos_renyi(99, 400, weights=(1, 255), seed=2),
    "directed": lambda: wp.generate.erdos_renyi(99, 400, directed=True, weights=(1, 255), seed=2),
    "without weights": lambda: wp.generate.erdos_renyi(64, 300, seed=3),
    "self-loops, a weight of 0 and one below": lambda: wp.Graph.from_edges(
        [0, 0, 3, 4], [0, 1, 3, 2], np.array([7, 0, -5, 9], np.int32), n=6, directed=False
    ),
    "without arcs": lambda: wp.Graph.from_edges([], [], n=5, directed=False),
}
PARALLEL = wp.Graph.from_edges(
    [0, 0, 1, 2], [1, 1, 2, 2], np.array([3, 4, 5, 6], np.int32), n=4, directed=False
)
ONCE = "list of edges, each pair once"


def forms(graph: wp.Graph) -> list[str]:
    return [name for name in FORMS if not (graph.directed and name == ONCE)]


@pytest.mark.parametrize("name", GRAPHS)
def test_all_answer_as_expected(name: str) -> None:
    graph = GRAPHS[name]()
    for form in forms(graph):
        for question in QUESTIONS:
            found = representations.ask(graph, form, question)
            assert found.found == representations.expected(graph, question), (form, question)
            assert found.seconds >= 0


def test_parallel_arcs_count_each() -> None:
    for form in FORMS:
        if form.startswith("adjacency matrix"):
            with pytest.raises(ValueError, match="parallel"):
                representations.ask(PARALLEL, form, "sweep")
            continue
        for question in QUESTIONS:
            found = representations.ask(PARALLEL, form, question)
            assert found.found == representations.expected(PARALLEL, question), (form, question)


def test_what_is_expected_is_so_by_hand() -> None:
    """Each arc is weight · target; the self-loop is one arc."""
    sums = representations.sums_of(PARALLEL)
    assert sums.tolist() == [3 + 4, 5 * 2, 5 * 1 + 6 * 2, 0]
    assert representations.checksum(sums) == 7 * 1 + 10 * 2 + 17 * 3
    assert representations.checksum(np.array([-1, 0, 1])) == 2
    assert representations.checksum(np.array([-2, 0])) == 2**64 - 2


def test_space() -> None:
    graph = GRAPHS["undirected"]()
    n, m = graph.num_vertices, graph.num_arcs
    nbytes = {form: representations.ask(graph, form, "sweep").nbytes for form in FORMS}
    assert nbytes == {
        "adjacency matrix": 4 * n * n,
        "adjacency matrix, padded": 4 * n * 128,
        "adjacency lists": 8 * (n + 1) + 8 * m,
        "adjacency lists, AoS": 8 * (n + 1) + 8 * m,
        "list of edges": 12 * m,
        "list of edges, sorted": 12 * m,
        ONCE: 6 * m,
    }


def test_a_list_that_is_not_sorted_is_in_no_order() -> None:
    graph = GRAPHS["undirected"]()
    sources, targets, weights = FORMS["list of edges"].make(graph)
    assert (np.diff(sources) < 0).any()
    order = np.lexsort([targets, sources])
    for array, right in zip(
        (sources, targets, weights), FORMS["list of edges, sorted"].make(graph), strict=True
    ):
        assert np.array_equal(array[order], right)


def test_what_cannot_be_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="undirected"):
        representations.ask(GRAPHS["directed"](), ONCE, "edge")
    with pytest.raises(ValueError, match="a GPU is asked for a sweep"):
        representations.ask(GRAPHS["directed"](), "adjacency lists", "edge", "cuda")
    with pytest.raises(ValueError, match="int32, not float64"):
        representations.ask(
            wp.generate.erdos_renyi(9, 9, weights=(0.0, 1.0)), "list of edges", "edge"
        )
    monkeypatch.setattr(representations, "_MAX_MATRIX_BYTES", 4 * 99 * 100)
    graph = GRAPHS["undirected"]()
    representations.ask(graph, "adjacency matrix", "edge")
    with pytest.raises(MemoryError, match="99 vertices"):
        representations.ask(graph, "adjacency matrix, padded", "edge")


def test_the_task_takes_a_device_and_times_by_events_there() -> None:
    task, graph = TASKS["look"], GRAPHS["undirected"]()
    options = {"representation": "adjacency lists", "question": "sweep"}
    assert options_of(Configuration("a", "look", "cuda", options))["device"] == "cuda"
    answer = representations.ask(graph, "adjacency lists", "sweep")
    assert (task.seconds(answer), task.clock(answer)) == (answer.seconds, "events")
    counts = task.counts(answer)["extra"]
    assert counts["ns each"] == pytest.approx(answer.seconds / 99 * 1e9)
    assert task.wrong(Answers(graph), None, answer) is None
    planted = SimpleNamespace(question="sweep", found=answer.found - 1)
    assert "not" in (task.wrong(Answers(graph), None, planted) or "")


def test_the_suite_measures_each_form_on_both_devices() -> None:
    """Its rows need padding, at any scale."""
    suite = SUITES["survey-table1"]()
    for device in ("cpu", "cuda"):
        swept = [
            one.options["representation"]
            for one in suite.configurations
            if one.device == device and one.options["question"] == "sweep"
        ]
        missing = {"adjacency matrix, padded"} if device == "cpu" else set()
        assert set(FORMS) - set(swept) == missing
    for case in suite.cases:
        assert case.build is not None
        graph = case.build(0.001, 1, "cpu")
        assert graph.num_vertices % 32
        assert graph.weight_dtype == np.int32
