"""Label propagation, against its certificate and communities that are known."""

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    labels, count = wp.label_propagation(shape(name))
    assert labels.dtype == np.int32
    assert count == len(np.unique(labels))
    wp.verify.label_propagation(shape(name), labels)


@pytest.mark.parametrize("seed", range(8))
def test_any_seed_and_multigraphs(seed, threads):
    for graph in (wp.generate.rmat(9, 6, seed=seed), small_multigraph(seed, None)):
        labels, _ = wp.label_propagation(graph, seed=seed)
        wp.verify.label_propagation(graph, labels)
        assert np.array_equal(labels, wp.label_propagation(graph, seed=seed)[0])


def test_planted_communities():
    planted = nx.planted_partition_graph(8, 40, 0.5, 0.005, seed=1)
    labels, count = wp.label_propagation(wp.Graph(planted))
    assert count == 8
    assert np.array_equal(labels, np.arange(320) // 40 * 40)


def test_parts_have_labels_of_their_own():
    graph = wp.Graph.from_edges([0, 1, 3], [1, 0, 4], n=6)
    assert wp.label_propagation(graph)[0].tolist() == [0, 0, 2, 3, 3, 5]
    assert wp.label_propagation(wp.Graph.from_edges([], [], n=0))[1] == 0


def test_what_does_not_fit():
    graph = wp.generate.rmat(8, 6, seed=1)
    with pytest.raises(RuntimeError, match="has not ended after 1 iterations"):
        wp.label_propagation(graph, max_iterations=1)
    with pytest.raises(ValueError, match="max_iterations must be a positive integer, not 0"):
        wp.label_propagation(graph, max_iterations=0)
    with pytest.raises(ValueError, match="seed must be an integer"):
        wp.label_propagation(graph, seed="x")
    with pytest.raises(ValueError, match="label_propagation has no loop"):
        wp.label_propagation(graph, schedule="loop=host")
