"""Core numbers, against their certificate and NetworkX."""

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape, small_multigraph
from warpath.algorithms.centrality import core_numbers


def by_networkx(graph):
    source, target, _ = graph.coo()
    same = nx.Graph((u, v) for u, v in zip(source.tolist(), target.tolist(), strict=True) if u != v)
    same.add_nodes_from(range(graph.num_vertices))
    found = nx.core_number(same)
    return [found[v] for v in range(graph.num_vertices)]


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    found = wp.core_numbers(shape(name))
    assert found.dtype == np.int32
    wp.verify.core_numbers(shape(name), found)


def test_as_networkx(threads):
    graphs = [wp.generate.rmat(10, 8, seed=1), wp.generate.rmat(9, 8, directed=True, seed=2)]
    graphs += [small_multigraph(seed, None, directed=bool(seed % 2)) for seed in range(10)]
    for graph in graphs:
        found = wp.core_numbers(graph)
        assert found.tolist() == by_networkx(graph)
        wp.verify.core_numbers(graph, found)


def test_by_a_team(threads, monkeypatch):
    """Threads that take the vertices of a number together, which would have to be more."""
    monkeypatch.setattr(core_numbers, "_TEAM", 0)
    test_as_networkx(threads)
    for name in SHAPES:
        test_shapes(name)


def test_known_graphs():
    assert wp.core_numbers(wp.Graph.from_edges([], [], n=0)).tolist() == []
    assert wp.core_numbers(wp.generate.named("complete", 7)).tolist() == 7 * [6]
    karate = wp.core_numbers(wp.Graph(nx.karate_club_graph()))
    assert np.bincount(karate).tolist() == [0, 1, 11, 12, 10]


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="core_numbers has no loop"):
        wp.core_numbers(wp.generate.grid(2, 2), schedule="loop=host")
    with pytest.raises(TypeError, match="expected a warpath"):
        wp.core_numbers([1])
