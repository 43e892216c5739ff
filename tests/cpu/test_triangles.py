"""Triangles by marks, against products of matrices."""

import numpy as np
import pytest

import warpath as wp
from warpath.cpu import triangles as module
from warpath.cpu.triangles import triangles


def simple(n, share, seed):
    """A random graph, each edge with this probability."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((n, n)) < share, 1)
    return wp.Graph.from_edges(*upper.nonzero(), n=n, directed=False), upper | upper.T


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 2, 3, 65, 200])
def test_every_corner_is_counted(n, threads):
    for seed, share in enumerate((0.0, 0.05, 0.5, 1.0)):
        graph, matrix = simple(n, share, seed)
        matrix = matrix.astype(np.int64)
        found = triangles(graph, matrix.sum(axis=1), threads)
        assert found.dtype == np.int64
        assert np.array_equal(found, np.diag(matrix @ matrix @ matrix) // 2)


def test_a_hub_beside_others():
    """A wheel: the hub is in all triangles, each vertex of the rim in two."""
    rim = np.arange(1, 1001)
    source, target = np.r_[np.zeros(1000, int), rim], np.r_[rim, np.roll(rim, 1)]
    graph = wp.Graph.from_edges(source, target, directed=False)
    found = triangles(graph, np.diff(graph.row_offsets).astype(np.int64), 2)
    assert found.tolist() == [1000] + [2] * 1000


def test_marks_of_many_threads_take_16_bytes_per_arc_at_most(monkeypatch):
    teams = []
    run = module.team.run
    monkeypatch.setattr(
        module.team,
        "run",
        lambda kernel, threads, *more: teams.append(threads) or run(kernel, threads, *more),
    )
    graph, matrix = simple(200, 0.1, 1)
    matrix = matrix.astype(np.int64)
    found = triangles(graph, matrix.sum(axis=1), 999)
    assert np.array_equal(found, np.diag(matrix @ matrix @ matrix) // 2)
    assert teams == [999, 999, 16 * graph.num_arcs // (5 * 200)]
