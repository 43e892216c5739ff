"""Bit-parallel searches against single ones."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, levels, shape
from warpath.cpu.multi_source_bfs import BATCH, Batch, workspace_nbytes

SMALL = [name for name in SHAPES if name not in ("star", "path")]


@pytest.mark.parametrize("name", SHAPES)
def test_levels(name):
    graph = shape(name)
    n = graph.num_vertices
    sources = np.unique(np.linspace(0, n - 1, 7).astype(np.int32))
    searches = Batch(graph)
    found = np.empty((len(sources), n), np.int32)
    searches.run(sources, None)
    searches.decode(-1, found)
    for source, row in zip(sources, found, strict=True):
        assert np.array_equal(row, levels(graph, int(source)))


@pytest.mark.parametrize("name", SMALL)
def test_trees(name):
    graph = shape(name)
    n = graph.num_vertices
    sources = np.unique(np.linspace(0, n - 1, 70).astype(np.int32))
    searches = Batch(graph)
    found, parents = np.empty((len(sources), n), np.int32), np.empty((len(sources), n), np.int32)
    searches.run(sources, parents)
    searches.decode(-1, found)
    for i in range(0, len(sources), 9):
        wp.verify.bfs(graph, sources[i], found[i], parents[i])


def test_all_bits_of_a_batch_and_the_same_source_twice():
    graph = shape("karate")
    sources = (np.arange(BATCH) * 7 % graph.num_vertices).astype(np.int32)
    expected = wp.bfs(graph, sources).distance
    searches = Batch(graph)
    for part in (slice(None), slice(0, 3), slice(3, 300)):  # used again, by fewer
        searches.run(sources[part], None)
        found = np.empty(expected[part].shape, np.int32)
        searches.decode(-1, found)
        assert np.array_equal(found, expected[part])
        farthest, total, reached, near = searches.summarise(inverse=True)
        reciprocals = np.divide(1, found, out=np.zeros(found.shape), where=found > 0)
        assert np.allclose(near, reciprocals.sum(axis=1), rtol=1e-12)
        assert np.array_equal(farthest, expected[part].max(axis=1))
        assert np.array_equal(total, expected[part].sum(axis=1))
        assert np.array_equal(reached, np.full(len(found), graph.num_vertices))


@pytest.mark.parametrize(
    ("dtype", "none"), [(np.int64, 2**63 - 1), (np.float32, np.inf), (bool, False)]
)
def test_other_dtypes(dtype, none):
    graph = shape("uniform, directed")
    sources = np.arange(5, dtype=np.int32)
    searches = Batch(graph)
    searches.run(sources, None)
    found = np.empty((5, graph.num_vertices), dtype)
    searches.decode(none, found)
    expected = wp.bfs(graph, sources).distance
    there = expected >= 0
    assert np.array_equal(
        found[there], np.ones(there.sum(), bool) if dtype is bool else expected[there]
    )
    assert (found[~there] == none).all()


def test_many_levels_need_many_planes():
    graph = wp.generate.named("path", 5000)
    searches = Batch(graph)
    searches.run(np.array([0, 4999, 2500], np.int32), None)
    farthest, total, _, near = searches.summarise()
    assert len(near) == 0
    assert farthest.tolist() == [4999, 4999, 2500]
    assert total.tolist() == [4999 * 5000 // 2] * 2 + [2500 * 2501 // 2 + 2499 * 2500 // 2]
    assert searches.levels == 4999
    assert workspace_nbytes(5000) >= 5000 * 64 * (3 + 13)
