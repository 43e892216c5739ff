"""How unlike the degrees of a graph are."""

import pytest

import warpath as wp
from warpath.planning.degrees import mean_degree, skew


def test_a_graph_whose_degrees_are_alike():
    ring = wp.Graph.from_edges(range(10), [*range(1, 10), 0], directed=False)
    assert mean_degree(ring) == pytest.approx(2)
    assert skew(ring) == pytest.approx(1)


def test_a_star():
    """Half of the arcs leave the hub, which has 99 of them: (99 + 1) / 2 over 198 / 100."""
    star = wp.Graph.from_edges([0] * 99, range(1, 100), directed=False)
    assert skew(star) == pytest.approx(50 / 1.98)


@pytest.mark.parametrize("n", [0, 5])
def test_no_arcs(n):
    none = wp.Graph.from_edges([], [], n=n)
    assert mean_degree(none) == 1
    assert skew(none) <= 1
