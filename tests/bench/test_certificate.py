import numpy as np
import pytest

import warpath as wp
from warpath.bench import certificate
from warpath.bench.certificate import proves
from warpath.graph.arrays import Csr


@pytest.fixture(autouse=True)
def few_arcs_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "_ARCS_AT_ONCE", 100)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("algorithm", ["bfs", "sssp"])
def test_right_distances_are_proved_and_any_other_not(algorithm: str, directed: bool) -> None:
    graph = wp.generate.rmat(8, 3, seed=3, directed=directed, weights=(1, 50))
    csr = graph.resident if algorithm == "sssp" else Csr(*graph.resident[:2], None)
    source = int(graph.degree.argmax())
    right = getattr(wp, algorithm)(graph, source).distance
    none = -1 if algorithm == "bfs" else np.iinfo(right.dtype).max
    assert np.count_nonzero(right == none) > 0  # what cannot be reached is part of it
    assert proves(np, csr, source, right, none)
    for v in range(graph.num_vertices):
        for other in {int(right[v]) - 1, min(int(right[v]), 99) + 1, none} - {int(right[v])}:
            wrong = right.copy()
            wrong[v] = other
            assert not proves(np, csr, source, wrong, none), (v, other)


def test_a_circle_of_zeros_does_not_prove_itself() -> None:
    graph = wp.Graph.from_edges([0, 1, 2], [3, 2, 1], [4, 0, 0], n=4)
    none = np.iinfo(np.int32).max
    hanging = np.array([0, 7, 7, 4], np.int32)
    assert not proves(np, graph.resident, 0, hanging, none)
    assert proves(np, graph.resident, 0, np.array([0, none, none, 4], np.int32), none)


def test_what_is_left_open() -> None:
    graph = wp.Graph.from_edges([0, 1], [1, 2], [1.5, 2.5])
    right = wp.sssp(graph, 0).distance
    assert not proves(np, graph.resident, 0, right, 0)
    whole = wp.Graph.from_edges([0], [1], [2**62])
    far = wp.sssp(whole, 0)
    assert not proves(np, whole.resident, 0, far.distance, np.iinfo(np.int64).max)
    assert not proves(np, whole.resident, 0, far.distance[:1], 0)
