"""Small graphs are of the family and the degree of those that they stand for."""

import pytest

from warpath.planning.degrees import SPARSE

SPARSE_ONES = (
    "grid 64 × 16384",
    "great-britain_osm",
    "delaunay_n20",
    "R-MAT 22, 2",
    "road-W, a third",
)
DENSE_ONES = ("R-MAT 20, 16", "G(2²², 2²⁶)", "R-MAT 14, 16", "kron_g500-logn20")


@pytest.fixture
def graphs(script, monkeypatch):
    module = script("gpu_graphs")
    monkeypatch.setitem(module.HOW, "device", "cpu")
    return module.GRAPHS | module.OTHERS


@pytest.mark.parametrize("name", SPARSE_ONES + DENSE_ONES)
def test_small_graphs_take_the_same_kernels(graphs, name):
    graph = graphs[name](small=True)
    assert 4096 <= graph.num_vertices < 2**17
    assert (graph.num_arcs < SPARSE * graph.num_vertices) == (name in SPARSE_ONES)
    assert graph.weight_range == (1, 255)


def test_a_graph_that_is_small_stays_as_it_is(graphs):
    assert graphs["R-MAT 12, 16"](small=True).num_vertices == 2**12
    star = graphs["star and path"](small=True)
    assert star.num_vertices == 2**13 + 1001
    assert star.largest_degree == 2**13
