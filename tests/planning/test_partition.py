"""Cuts of graphs, by METIS."""

import sys

import numpy as np
import pytest

import warpath as wp
from warpath.planning.partition import Cut, cut

pymetis = pytest.importorskip("pymetis", reason="cuts graphs: pip install 'warpath[partition]'")

GRAPHS = {
    "grid": wp.generate.grid(30),
    "one way": wp.generate.erdos_renyi(500, 600, directed=True, seed=1),
    "dense": wp.generate.erdos_renyi(300, 9000, seed=2),
    "no arcs": wp.Graph.from_edges([], [], n=200),
}


def check(graph, found):
    assert np.array_equal(np.sort(found.order), np.arange(graph.num_vertices))
    assert found.starts[0] == 0
    assert found.starts[-1] == graph.num_vertices
    part = np.empty(graph.num_vertices, int)
    for number, vertices in enumerate(found.parts):
        part[vertices] = number
    source, target, _ = graph.coo()
    across = part[source] != part[target]
    outer = np.union1d(source[across], target[across])
    for vertices, count in zip(found.parts, found.boundary, strict=True):
        assert np.isin(vertices[:count], outer).all()
        assert not np.isin(vertices[count:], outer).any()


@pytest.mark.parametrize("parts", [None, 1, 2, 7, 40])
@pytest.mark.parametrize("name", GRAPHS)
def test_boundaries_come_first(name, parts):
    found = cut(GRAPHS[name], parts)
    check(GRAPHS[name], found)
    assert parts is None or len(found.boundary) == parts


def test_what_takes_the_fewest_steps_is_taken():
    grid, dense = wp.generate.grid(60), GRAPHS["dense"]
    found = cut(grid)
    assert len(found.boundary) > 4
    assert found.steps < grid.num_vertices**3 / 4
    assert found.steps <= min(cut(grid, parts).steps for parts in (4, 16, 64))
    assert "boundaries" in str(found)
    assert len(cut(dense).boundary) == 1
    assert "one part" in str(cut(dense))


def test_the_same_cut_each_time():
    assert np.array_equal(cut(GRAPHS["grid"]).order, cut(GRAPHS["grid"]).order)


def test_steps_are_counted():
    part = np.array([0, 0, 0, 1, 1])
    found = Cut.of(part, np.array([0, 2]), np.array([1, 3]), 2)
    assert found.order.tolist() == [2, 0, 1, 3, 4]
    assert found.boundary.tolist() == [1, 1]
    closing, onward = 27 + 8 + 8, (3 + 2) * 2 + (3 + 2) * 5
    products = 2 * 3 * (Cut.of(part * 0, part, part, 1).steps - 125) // 2
    assert found.steps == closing + onward + products


def test_without_pymetis(monkeypatch):
    monkeypatch.setitem(sys.modules, "pymetis", None)
    monkeypatch.setattr(
        "warpath.planning.all_pairs.can_cut", lambda: False
    )  # it would be remembered
    with pytest.raises(ModuleNotFoundError, match=r"warpath\[partition\]"):
        wp.apsp(GRAPHS["grid"], method="partitioned")
    # A small graph is not cut.
    assert len(cut(wp.generate.named("karate")).boundary) == 1


def test_parts_of_no_vertices():
    graph = wp.Graph.from_edges([], [], n=0)
    assert cut(graph, 3).starts.tolist() == [0, 0, 0, 0]
