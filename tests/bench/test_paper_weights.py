import numpy as np
import pytest

import warpath as wp
from warpath.bench.paper_weights import HIGH, LOW, weighted


@pytest.fixture
def graph() -> wp.Graph:
    return wp.generate.erdos_renyi(300, 2000, seed=1)


def test_both_arcs_of_an_edge_weigh_the_same(graph: wp.Graph) -> None:
    found = weighted(graph, "positive")
    source, target, weight = found.coo()
    assert weight is not None
    by_arc = dict(zip(zip(source.tolist(), target.tolist(), strict=True), weight, strict=True))
    assert all(by_arc[v, u] == one for (u, v), one in by_arc.items())
    assert (weight.min(), weight.max()) == (LOW, HIGH)
    # Uniform: 4000 draws of a mean of 128 and a deviation of 74.
    assert abs(weight.mean() - (LOW + HIGH) / 2) < 5 * 74 / np.sqrt(2000)
    assert weighted(graph, None) is graph


def test_negative_ones_make_no_cycle(graph: wp.Graph) -> None:
    found = weighted(graph, "negative")
    assert found.directed
    assert found.num_arcs == graph.num_arcs
    assert found.weights is not None
    assert (found.weights < 0).any()
    wp.sssp(found, 0).verify()
