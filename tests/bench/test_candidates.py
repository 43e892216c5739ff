import inspect

import pytest

import warpath as wp
from warpath.bench.candidates import Candidate, candidates
from warpath.schedule import schedule_for


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
    found = [*candidates(graph, algorithm, ["cpu", "cuda"])]
    labels = [one.label for one in found]
    assert len(set(labels)) == len(labels)
    assert [one.label for one in found if not one.options] == ["cpu", "cuda"]
    search = inspect.signature(getattr(wp, algorithm))
    for one in found:
        search.bind(graph, 0, device=one.device, **one.options)
        schedule_for(algorithm, one.options.get("schedule"))
