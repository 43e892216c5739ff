"""Brandes' algorithm by operators: the CPU's kernels' sums, but for the order of additions."""

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph, some_vertices
from warpath.algorithms.centrality.brandes import passing_paths


def check(graph, starts, *, endpoints=False):
    """With NumPy's arrays."""
    starts = np.array(starts, np.int32)
    found, countless = passing_paths(graph, starts, np, endpoints=endpoints)
    assert countless == -1
    scaled = wp.betweenness(graph, sources=starts, weighted=False, endpoints=True, normalized=False)
    n = graph.num_vertices
    right = scaled * len(starts) / n * (1 if graph.directed else 2)
    if not endpoints:  # the ends of each path
        reached = [wp.bfs(graph, s, predecessors=False).distance > 0 for s in starts.tolist()]
        right = right - np.sum(reached, axis=0)
        right[starts] -= [np.count_nonzero(one) for one in reached]
    assert np.allclose(found, right, rtol=1e-11, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in SHAPES if name != "one vertex"])
def test_shapes(name):
    check(shape(name), some_vertices(shape(name)))
    check(shape(name), some_vertices(shape(name)), endpoints=True)


def test_all_sources_of_multigraphs(threads):
    for seed in range(6):
        graph = small_multigraph(seed, None, directed=bool(seed % 2))
        check(graph, range(14))


def test_paths_that_cannot_be_counted():
    assert (
        passing_paths(wp.generate.grid(520), np.array([0], np.int32), np, endpoints=False)[1] == 0
    )


def test_what_does_not_fit():
    graph = wp.generate.grid(3, weights=(1, 9), seed=1)
    with pytest.raises(ValueError, match="a GPU counts shortest paths in edges"):
        wp.betweenness(graph, device="cuda")
    with pytest.raises(ValueError, match="betweenness has no loop"):
        wp.betweenness(graph, schedule="loop=host")
    assert wp.plan(graph, "betweenness", weighted=False, device="cuda").device == "cuda"
