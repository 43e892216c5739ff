import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp
from warpath.graph.components import connected_components, largest_component


def labels_by_scipy(graph):
    """The smallest vertex of each vertex's component."""
    if graph.num_vertices == 0:
        return np.empty(0, int)
    _, component = csgraph.connected_components(
        graph.without_weights().to_scipy(), directed=graph.directed, connection="weak"
    )
    _, smallest = np.unique(component, return_index=True)
    return smallest[component]


def check(graph):
    labels, count = connected_components(graph)
    wanted = labels_by_scipy(graph)
    assert labels.dtype == np.int32
    np.testing.assert_array_equal(labels, wanted)
    assert count == len(np.unique(wanted))


@given(st.integers(0, 2**32 - 1), st.integers(0, 40), st.floats(0, 2), st.booleans())
def test_random_multigraphs(seed, n, arcs_a_vertex, directed):
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, max(n, 1), (2, int(arcs_a_vertex * n)))
    check(wp.Graph.from_edges(*ends, n=n, directed=directed))


@given(st.integers(0, 2**32 - 1), st.integers(1, 40), st.floats(0, 2), st.integers(0, 3))
def test_reached_vertices_are_known(seed, n, edges_per_vertex, levels):
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, n, (2, int(edges_per_vertex * n)))
    graph = wp.Graph.from_edges(*ends, n=n, directed=False)
    reached = wp.bfs(graph, int(rng.integers(n)), depth_limit=levels).distance
    labels, count = connected_components(graph, reached)
    assert labels is reached
    np.testing.assert_array_equal(labels, labels_by_scipy(graph))
    assert count == len(np.unique(labels))


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("degree", [0.7, 1.5, 8])
def test_large_graphs_on_teams(directed, degree, threads):
    """Around the birth of the giant component, with arcs enough for a team."""
    n = 200_000
    ends = np.random.default_rng(1).integers(0, n, (2, int(degree * n)), dtype=np.int32)
    check(wp.Graph.from_edges(*ends, n=n, directed=directed))


@pytest.mark.parametrize("descending", [True, False])
def test_a_long_path(descending, threads):
    """Links that lead from each vertex to the next make the deepest trees."""
    path = np.arange(300_000, dtype=np.int32)
    path = path[::-1] if descending else path
    labels, count = connected_components(wp.Graph.from_edges(path[:-1], path[1:]))
    assert count == 1
    assert not labels.any()


def test_many_small_components(threads):
    n = 300_000
    v = np.arange(0, n, 3)
    labels, count = connected_components(wp.Graph.from_edges([*v, *(v + 2)], [*(v + 1), *v], n=n))
    assert count == n // 3
    np.testing.assert_array_equal(labels, np.arange(n) // 3 * 3)


def test_a_giant_joined_by_arcs_beyond_the_sample():
    """The third arc of a vertex outside the giant component is all that leads into it."""
    G = nx.complete_graph(range(10, 60))
    G.add_edges_from([(0, 1), (0, 2), (1, 2), (0, 55)])
    graph = wp.Graph.from_edges(*np.array(list(G.edges)).T, n=60, directed=False)
    check(graph)


def test_no_vertices_and_no_arcs():
    labels, count = connected_components(wp.Graph.from_edges([], []))
    assert (labels.tolist(), count) == ([], 0)
    labels, count = connected_components(wp.Graph.from_edges([], [], n=3))
    assert (labels.tolist(), count) == ([0, 1, 2], 3)


def test_largest_component():
    graph = wp.Graph.from_edges([0, 5, 6, 2], [1, 6, 4, 2], n=8)
    assert largest_component(graph).tolist() == [4, 5, 6]
    assert largest_component(graph).dtype == np.int32
    tie = wp.Graph.from_edges([2, 1], [3, 0])
    assert largest_component(tie).tolist() == [0, 1]
    assert largest_component(wp.Graph.from_edges([], [])).tolist() == []


def test_strongly_connected_components():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(1, 40))
        ends = rng.integers(0, n, (2, int(rng.integers(0, 3 * n))))
        graph = wp.Graph.from_edges(*ends, rng.integers(0, 2, ends.shape[1]), n=n)  # parallel, 0
        labels, count = wp.strongly_connected_components(graph)
        G = nx.MultiDiGraph([*zip(*ends.tolist(), strict=True)])
        G.add_nodes_from(range(n))
        wanted = [*nx.strongly_connected_components(G)]
        assert count == len(wanted)
        assert all(labels[v] == min(part) for part in wanted for v in part)
        largest = graph.largest_component(strong=True)
        part = max(wanted, key=lambda part: (len(part), -min(part)))
        assert largest.to_frame().rows() == [
            row for row in graph.to_frame().rows() if {*row[:2]} <= part
        ]
    undirected = wp.Graph.from_edges([0], [2], n=3, directed=False)
    assert wp.strongly_connected_components(undirected)[0].tolist() == [0, 1, 0]
    labels, count = wp.strongly_connected_components(wp.Graph.from_edges([], []))
    assert (labels.tolist(), count) == ([], 0)
