import networkx as nx
import numpy as np
import pytest

from warpath.generate import delaunay


def test_it_is_a_planar_triangulation():
    graph = delaunay(300, seed=1)
    G = graph.to_networkx()
    assert nx.check_planarity(G)[0]
    assert nx.is_connected(G)
    # Euler: 3n − 3 − h edges, with h vertices on the hull.
    assert 3 * 300 - 3 - 40 <= graph.num_edges <= 3 * 300 - 6
    assert not graph.directed


def test_neighbours_have_ids_that_are_near():
    source, target, _ = delaunay(10_000).coo()
    assert np.median(np.abs(source - target)) < 300


def test_the_graph_depends_on_the_seed():
    graph = delaunay(100, seed=5)
    np.testing.assert_array_equal(delaunay(100, seed=5).column_indices, graph.column_indices)
    other = delaunay(100, seed=6)
    assert not np.array_equal(other.column_indices, graph.column_indices)


def test_a_triangle_has_three_corners():
    assert delaunay(3).num_edges == 3
    with pytest.raises(ValueError, match="n is 2"):
        delaunay(2)
    with pytest.raises(ValueError, match="must be an integer, not 'many'"):
        delaunay("many")
