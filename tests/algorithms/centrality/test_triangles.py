"""Triangles and clustering, against NetworkX."""

import networkx as nx
import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, shape


def simple(graph):
    source, target, _ = graph.coo()
    same = nx.Graph((u, v) for u, v in zip(source.tolist(), target.tolist(), strict=True) if u != v)
    same.add_nodes_from(range(graph.num_vertices))
    return same


def check(graph):
    same, vertices = simple(graph), range(graph.num_vertices)
    counted, shares = nx.triangles(same), nx.clustering(same)
    found = wp.triangles(graph)
    assert found.dtype == np.int64
    assert found.tolist() == [counted[v] for v in vertices]
    assert wp.clustering(graph).tolist() == pytest.approx([shares[v] for v in vertices])


# NetworkX takes a minute for a hub of a large star.
@pytest.mark.parametrize("name", [name for name in SHAPES if shape(name).num_vertices <= 2000])
def test_shapes(name):
    check(shape(name))


def test_skewed_graphs(threads):
    check(wp.generate.rmat(10, 8, seed=1))
    check(wp.generate.rmat(9, 8, directed=True, seed=2))


def test_a_published_number():
    karate = nx.karate_club_graph()
    graph = wp.Graph(karate)
    assert wp.triangles(graph).sum() // 3 == 45
    assert wp.clustering(graph).mean() == pytest.approx(0.5706384782076823)


def test_what_does_not_fit():
    with pytest.raises(ValueError, match="triangles has no loop"):
        wp.triangles(wp.generate.grid(2, 2), schedule="loop=host")
    with pytest.raises(TypeError, match="expected a warpath"):
        wp.clustering([1])
