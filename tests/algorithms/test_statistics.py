import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpath as wp
from warpath.generate import grid, named, rmat
from warpath.graph.graph_statistics import Statistics


def longest_shortest_path(graph):
    """The largest finite distance between two vertices, in arcs."""
    lengths = dict(nx.all_pairs_shortest_path_length(graph.to_networkx()))
    return max((d for row in lengths.values() for d in row.values()), default=0)


@pytest.mark.parametrize(
    ("graph", "diameter"),
    [
        (named("path", 100), 99),
        (named("cycle", 101), 50),
        (named("star", 9), 2),
        (named("complete", 7), 1),
        (named("binary-tree", 31), 8),
        (named("petersen"), 2),
        (named("karate"), 5),
        (grid(20, 30), 48),
        (wp.Graph.from_edges([], [], n=4), 0),
        (wp.Graph.from_edges([0], [0]), 0),
    ],
    ids=["path", "cycle", "star", "complete", "tree", "petersen", "karate", "grid", "none", "loop"],
)
def test_the_bound_is_exact_where_a_double_sweep_is(graph, diameter):
    assert wp.statistics(graph).diameter_at_least == diameter


@given(st.integers(0, 2**32 - 1), st.integers(1, 25), st.booleans())
def test_it_is_a_lower_bound(seed, n, directed):
    ends = np.random.default_rng(seed).integers(0, n, (2, 2 * n))
    graph = wp.Graph.from_edges(*ends, n=n, directed=directed)
    found = wp.statistics(graph).diameter_at_least
    assert found <= longest_shortest_path(graph)
    largest = wp.statistics(graph).largest_component
    assert found >= (1 if largest > 1 else 0)


def test_a_directed_graph_is_swept_backwards():
    """From the vertex of largest degree the farthest one is 3 away; 6 lead to that one."""
    graph = wp.Graph.from_edges([0, 1, 2, 3, 3, 3, 4, 5], [1, 2, 3, 4, 7, 8, 5, 6])
    assert wp.statistics(graph).diameter_at_least == 6


def test_the_component_is_the_largest():
    """A longer path next to a larger star does not count."""
    star = [(0, v) for v in range(1, 30)]
    path = [(v, v + 1) for v in range(40, 60)]
    graph = wp.Graph.from_edges(*np.array(star + path).T, directed=False)
    assert wp.statistics(graph).diameter_at_least == 2


def test_all_else_is_the_graphs_own():
    graph = rmat(8, weights=(1, 9))
    numbers = wp.statistics(graph)
    assert numbers.diameter_at_least >= 2
    assert wp.statistics(graph, diameter=False) == Statistics.of(graph)
    plain = numbers.as_dict()
    assert plain.pop("diameter_at_least") == numbers.diameter_at_least
    other = Statistics.of(graph).as_dict()
    assert other.pop("diameter_at_least") is None
    assert plain == other
    assert "diameter" in str(numbers)


def test_no_vertices():
    assert wp.statistics(wp.Graph.from_edges([], [])).diameter_at_least is None
