"""GAP's kernels that are no searches: right answers pass, and a change of one value is found."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.bench import measures
from warpath.bench.answers import Answers
from warpath.bench.measures import MEASURES, Values, smallest_of
from warpath.bench.task import Call

GRAPHS = {
    "skewed": lambda: wp.generate.rmat(9, 8, weights=(1, 255), simple=True, seed=1),
    "directed": lambda: wp.generate.rmat(9, 8, weights=(1, 255), directed=True, seed=2),
    "sparse": lambda: wp.generate.erdos_renyi(500, 600, seed=3),
}
SOURCES = [3, 8, 300, 4, 7, 9]


def run(name: str, graph: wp.Graph, source: int | None) -> Values:
    """What a task finds on the CPU."""
    found: Values = MEASURES[name].run(Call(graph, source, {"device": "cpu"}, SOURCES))
    return found


def source_of(name: str) -> int | None:
    return 4 if MEASURES[name].repetitions is None else None


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("make", GRAPHS.values(), ids=GRAPHS)
@pytest.mark.parametrize("name", MEASURES)
def test_a_value_that_is_wrong_is_found(
    name: str, make: Callable[[], wp.Graph], large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if large:
        monkeypatch.setattr(measures, "_CHEAP_ARCS", 0)
        monkeypatch.setattr(measures, "_CHEAP_PRODUCT", 0)
        monkeypatch.setattr(measures, "_SAMPLED", 500)
    graph, source = make(), source_of(name)
    answers, found = Answers(graph), run(name, graph, source)
    assert MEASURES[name].wrong(answers, source, found) is None
    values = np.array(found.values)
    if name == "components":  # a vertex of its own that is none
        v = np.flatnonzero(values != np.arange(len(values)))[0]
        values[v] = v
    else:
        values[np.argmax(values)] += 1
    said = MEASURES[name].wrong(answers, source, Values(values, found.sources))
    assert said is not None
    assert MEASURES[name].wrong(answers, source, found) is None


def test_components_that_have_one_label_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measures, "_CHEAP_ARCS", 0)
    graph = GRAPHS["sparse"]()
    labels, answers = run("components", graph, None).values, Answers(graph)
    assert MEASURES["components"].wrong(answers, None, Values(labels)) is None
    first, second = np.unique(labels)[:2]
    joined = np.where(labels == second, first, labels)
    said = MEASURES["components"].wrong(answers, None, Values(joined))
    assert said == f"no path leads to vertex {second} from the first one of component {first}"


def test_pageranks_iterations_are_counted() -> None:
    graph = GRAPHS["skewed"]().without_weights()
    found = run("pagerank", graph, None)
    assert found.iterations is not None
    assert MEASURES["pagerank"].counts(found) == {"iterations": found.iterations}
    wp.pagerank(graph, max_iterations=found.iterations)
    with pytest.raises(RuntimeError, match="not converged"):
        wp.pagerank(graph, max_iterations=found.iterations - 1)


def test_betweenness_is_of_four_sources_that_follow_each_other() -> None:
    task: Any = MEASURES["betweenness"]
    assert task.sources(300, SOURCES) == (300, 4, 7, 9)
    assert task.sources(9, SOURCES) == (9, 3, 8, 300)
    assert task.sources(5, [5, 6, 5]) == (5, 6)


def test_components_may_have_any_numbers() -> None:
    assert smallest_of(np.array([7, 2, 7, 5, 2])).tolist() == [0, 1, 0, 3, 1]


def test_weights_do_not_count() -> None:
    graph = GRAPHS["skewed"]()
    for name in MEASURES:
        one, other = (run(name, g, source_of(name)) for g in (graph, graph.without_weights()))
        assert np.allclose(one.values, other.values, rtol=1e-12)


def test_pagerank_stops_at_gaps_tolerance() -> None:
    graph = GRAPHS["skewed"]()
    loose = wp.pagerank(graph.without_weights(), tolerance=0.01)
    said = MEASURES["pagerank"].wrong(Answers(graph), None, Values(loose))
    assert said is not None
    assert "one more iteration changes the ranks by" in said
