import networkx as nx
import numpy as np
import pytest

from warpath.generate import hexagonal


def test_all_but_the_rim_have_three_neighbours_and_every_cycle_is_a_hexagon():
    graph = hexagonal(6, 8)
    degree = graph.degree.reshape(6, 8)
    assert (degree[1:-1, 1:-1] == 3).all()
    assert degree.max() == 3
    faces = nx.minimum_cycle_basis(graph.to_networkx())
    assert {len(face) for face in faces} == {6}


@pytest.mark.parametrize(("rows", "columns", "edges"), [(0, 0, 0), (0, 5, 0), (1, 5, 4), (2, 1, 1)])
def test_small_ones(rows, columns, edges):
    graph = hexagonal(rows, columns)
    assert (graph.num_vertices, graph.num_edges) == (rows * columns, edges)


def test_a_negative_size_is_refused():
    with pytest.raises(ValueError, match="rows must be a number of vertices, not -1"):
        hexagonal(-1, 4)
    with pytest.raises(ValueError, match="columns must be a number of vertices, not '4'"):
        hexagonal(1, "4")


def test_ids_go_row_by_row():
    np.testing.assert_array_equal(hexagonal(2, 4).neighbors(0), [1, 4])
