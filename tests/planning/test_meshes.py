"""Which graphs are meshes."""

import numpy as np
import pytest

import warpath as wp
from warpath.planning.meshes import is_mesh


def shuffled(graph):
    """The same with other numbers."""
    number = np.random.default_rng(1).permutation(graph.num_vertices)
    u, v, _ = graph.edges()
    return wp.Graph.from_edges(number[u], number[v], n=graph.num_vertices, directed=False)


GRAPHS = {
    "grid": (wp.generate.grid(200), True),
    "triangulation": (wp.generate.delaunay(40_000, seed=1), True),
    "cube": (wp.generate.mesh((33, 33, 33), 26), True),
    "few arcs": (wp.generate.erdos_renyi(40_000, 80_000, seed=1), False),
    "many arcs": (wp.generate.erdos_renyi(40_000, 640_000, seed=1), False),
    "directed": (wp.generate.erdos_renyi(40_000, 320_000, directed=True, seed=1), False),
    "path": (wp.generate.grid(1, 40_000), False),
    "parallel": (
        wp.Graph.from_edges(
            *np.tile(wp.generate.erdos_renyi(40_000, 160_000, seed=1).edges()[:2], 2),
            directed=False,
        ),
        False,
    ),
    "loops": (wp.Graph.from_edges(range(40_000), range(40_000)), False),
    "no arcs": (wp.Graph.from_edges([], [], n=40_000), None),
    "small": (wp.generate.grid(181), None),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_whatever_the_numbers(name):
    graph, expected = GRAPHS[name]
    assert is_mesh(graph) is expected
    if not graph.directed:
        assert is_mesh(shuffled(graph)) is expected


def test_it_is_looked_at_once(monkeypatch):
    graph = wp.generate.grid(200)
    assert is_mesh(graph)
    monkeypatch.delattr("warpath.planning.meshes._neighbors")
    assert is_mesh(graph)
