"""The Graph500 benchmark: what it counts, and what it prints."""

import numpy as np
import pytest

import warpath as wp
from thread_ranks import answers_on, on_ranks
from warpath.bench import graph500
from warpath.generate.rmat import RmatEdges


def edges_of_component(scale, factor, root):
    """Counted in the list of drawn edges."""
    drawn = RmatEdges.of(scale, factor, (0.57, 0.19, 0.19, None), None, None, 0, True)
    source, target, _ = drawn.drawn(np, 0, drawn.count)
    graph = wp.Graph.from_edges(source, target, n=1 << scale, directed=False)
    return int((wp.bfs(graph, root).distance[source] >= 0).sum())


SUBJECTS = {
    "one process": lambda **how: [graph500.run(graph500.OnDevice("cpu", **how), 9, 2, roots=5)],
    "three ranks": lambda **how: answers_on(
        3, lambda: graph500.run(graph500.InParts("cpu", **how), 9, 2, roots=5)
    ),
}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_drawn_edges_are_counted(subject, monkeypatch):
    searched = []
    monkeypatch.setitem(
        graph500._SEARCHES, "bfs", lambda g, s, **how: searched.append(s) or wp.bfs(g, s, **how)
    )
    found = SUBJECTS[subject]()
    for result in found:
        roots = list(dict.fromkeys(searched[1:]))[-5:]
        assert len(set(roots)) == result.roots == 5
        assert result.edges.tolist() == [edges_of_component(9, 2, root) for root in roots]
    for result in SUBJECTS[subject](by_degree=True):  # the same roots
        assert result.edges.tolist() == found[0].edges.tolist()


def test_roots_do_not_depend_on_the_number_of_ranks():
    def roots():
        subject = graph500.InParts("cpu")
        subject.generate(RmatEdges.of(8, 1, (0.57, 0.19, 0.19, None), None, None, 0, True))
        subject.construct()
        subject.count()
        return graph500._roots(subject, 1 << 8, 64, 0)

    found = [answers_on(ranks, roots)[0] for ranks in (1, 2, 3)]
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) == 64


def test_a_root_has_an_edge_to_another_vertex():
    graph = wp.Graph.from_edges([0, 1, 3, 3], [0, 2, 3, 4], n=6, directed=False)
    ends, has_edge = graph500._counted(graph.resident)
    assert has_edge.tolist() == [False, True, True, True, True, False]
    assert ends.tolist() == [2, 1, 1, 3, 1, 0]


def test_statistics_are_those_of_the_reference_code():
    result = graph500.Result(
        20, 16, 4, 2, 0.5, 1.5, np.array([100, 100, 200, 400]),
        {"bfs": np.array([1.0, 2.0, 1.0, 4.0])}, {"bfs": np.array([0.1, 0.1, 0.1, 0.1])},
    )  # fmt: skip
    said = dict(line.replace("!", "").split(":") for line in result.lines())
    value = {name: float(text) for name, text in said.items()}
    assert value["SCALE"] == 20
    assert value["num_mpi_processes"] == 2
    assert value["bfs  median_time"] == 1.5
    assert value["bfs  min_TEPS"] == 50
    assert value["bfs  max_TEPS"] == 200
    assert value["bfs  harmonic_mean_TEPS"] == pytest.approx(
        4 / (1 / 100 + 1 / 50 + 1 / 200 + 1 / 100), rel=1e-5
    )
    per_edge = np.array([1 / 100, 1 / 50, 1 / 200, 1 / 100])
    deviation = per_edge.std(ddof=1) / (per_edge.mean() ** 2 * np.sqrt(3))
    assert value["bfs  harmonic_stddev_TEPS"] == pytest.approx(deviation, rel=1e-5)
    assert "bfs  harmonic_mean_TEPS:     !  88.8889" in result.lines()
    assert "construction_time:              1.5" in result.lines()


def test_a_graph_without_edges_has_no_root():
    for error in on_ranks(2, lambda: graph500._roots(_Empty(), 4, 1, 0)):
        assert isinstance(error, ValueError)


class _Empty:
    number = None

    def has_edge(self, vertices):
        return np.zeros(len(vertices), bool)


@pytest.mark.slow
def test_shortest_paths_are_timed_as_well():
    (result,) = answers_on(
        1, lambda: graph500.run(graph500.InParts("cpu"), 6, roots=2, kernels=("bfs", "sssp"))
    )
    assert set(result.times) == {"bfs", "sssp"}
    assert result.harmonic_mean("sssp") > 0
