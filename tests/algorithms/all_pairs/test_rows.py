"""Rows by each method that makes them, and what is said of them without keeping them."""

import numpy as np
import pytest

import warpath as wp
from oracles import shape, signed, unreachable, weighted
from warpath.algorithms.all_pairs.rows import (
    BitParallelRows,
    DijkstraRows,
    JohnsonRows,
    Rows,
    rows_of,
)
from warpath.operators import lookup

CASES = {
    "sssp": ("sssp", lambda: weighted("grid", np.int32), Rows),
    "sssp of few vertices": ("sssp", lambda: weighted("karate", np.int32), DijkstraRows),
    "and floats": ("sssp", lambda: weighted("karate", np.float64), DijkstraRows),
    "sssp of floats": ("sssp", lambda: weighted("uniform, directed", np.float64), Rows),
    "johnson": ("johnson", lambda: signed("uniform, directed", np.int32), JohnsonRows),
    "johnson of floats": ("johnson", lambda: signed("uniform, directed", np.float32), JohnsonRows),
    "not johnson": ("johnson", lambda: weighted("karate", np.int64), DijkstraRows),
    "bfs": ("bfs", lambda: shape("power law, directed"), BitParallelRows),
    "bfs of many levels": ("bfs", lambda: shape("path"), Rows),
}


@pytest.mark.parametrize("case", CASES)
def test_rows_and_summaries(case, threads, monkeypatch):
    method, make, kind = CASES[case]
    graph = make()
    n = graph.num_vertices
    sources = np.unique(np.linspace(0, n - 1, 11).astype(np.int32))
    expected = wp.sssp(graph, sources)
    dtype = expected.distance.dtype
    monkeypatch.setattr(
        "warpath.algorithms.all_pairs.rows._BATCH_BYTES", 1
    )  # as many batches as can be
    rows = rows_of(method, graph, lookup("shortest"), dtype, "cpu")
    assert type(rows) is kind
    assert 0 < rows.nbytes(True, 1) <= rows.nbytes(True, 11)
    distance, predecessor = np.empty((11, n), dtype), np.empty((11, n), np.int32)
    seen = []
    rows.fill(sources, distance, predecessor, lambda *now: seen.append(now))
    assert seen[-1] == (11, 11)
    assert np.array_equal(distance, expected.distance)
    for i, source in enumerate(sources):
        wp.verify.sssp(graph, source, distance[i], predecessor[i])
    assert rows.arcs > 0
    found = rows.summarise(sources, inverse=True)
    finite = np.where(distance == unreachable(dtype), 0, distance)
    if graph.weight_range[0] >= 0:
        assert np.array_equal(found.farthest, finite.max(axis=1))
    assert np.allclose(found.total, finite.sum(axis=1, dtype=np.float64), rtol=1e-6)
    reciprocals = np.divide(1, finite, out=np.zeros(finite.shape), where=finite != 0)
    assert np.allclose(found.inverse, reciprocals.sum(axis=1), rtol=1e-6)
    assert np.array_equal(found.reached, (distance != unreachable(dtype)).sum(axis=1))


def test_bits_that_take_too_much_memory_are_not_asked_for(monkeypatch):
    monkeypatch.setattr("warpath.planning.memory.free", lambda: 100_000)
    rows = rows_of("bfs", shape("karate"), lookup("shortest"), np.dtype(np.int32), "cpu")
    assert type(rows) is BitParallelRows  # no callback
    rows = rows_of("bfs", shape("power law"), lookup("shortest"), np.dtype(np.int32), "cpu")
    assert type(rows) is Rows


@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_memory_is_that_of_the_sources_that_there_are(threads, device):
    rows = Rows(wp.generate.grid(40), lookup("shortest"), np.dtype(np.int32), device)
    few, more = rows.nbytes(False, 1), rows.nbytes(False, 2)
    assert 0 < few < more
