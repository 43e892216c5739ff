import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpath as wp
from small_graphs import assert_same_graph, random_graph, seeds


@given(seeds, st.booleans(), st.sampled_from(["keep", "min"]), st.booleans())
def test_networkx_there_and_back(seed, directed, merge, weights):
    graph = random_graph(seed, directed, merge, weights)
    other = graph.to_networkx()
    assert other.is_directed() == directed
    assert other.number_of_nodes() == graph.num_vertices
    assert other.number_of_edges() == graph.num_edges
    assert_same_graph(wp.Graph(other), graph)


def test_networkx_multigraphs_only_for_parallel_edges():
    assert type(wp.Graph.from_edges([0], [1]).to_networkx()) is nx.DiGraph
    assert type(wp.Graph.from_edges([0, 0], [1, 1]).to_networkx()) is nx.MultiDiGraph
    assert type(wp.Graph.from_edges([0], [1], directed=False).to_networkx()) is nx.Graph
    both_ways = wp.Graph.from_edges([0, 1], [1, 0], directed=False)
    assert type(both_ways.to_networkx()) is nx.MultiGraph


def test_networkx_labels():
    G = nx.DiGraph()
    G.add_edge("b", "a", weight=2)
    G.add_edge("a", ("c", 1), weight=3)
    graph = wp.Graph(G)
    assert graph.labels.tolist() == ["b", "a", ("c", 1)]
    assert [c.tolist() for c in graph.coo()] == [[0, 1], [1, 2], [2, 3]]
    assert nx.utils.graphs_equal(graph.to_networkx(), G)
    assert wp.Graph(nx.path_graph(3)).labels is None


def test_networkx_weights():
    G = nx.Graph()
    G.add_edge(0, 1, weight=5, length=0.5)
    G.add_edge(1, 2)
    assert wp.Graph(G).weights.tolist() == [5, 5, 1, 1]  # an edge without one weighs 1
    assert wp.Graph(G, weight="length").weights.tolist() == [0.5, 0.5, 1, 1]
    assert wp.Graph(G, weight=None).weights is None
    with pytest.raises(
        ValueError, match="no edge has the attribute 'lenght'; there are 'length', 'weight'"
    ):
        wp.Graph(G, weight="lenght")
    assert wp.Graph(nx.path_graph(3)).weights is None
    assert wp.Graph(nx.empty_graph(3), weight="length").num_vertices == 3
    G.add_edge(0, 2, weight="far")
    with pytest.raises(ValueError, match="weight must hold integers or floats"):
        wp.Graph(G)


def test_networkx_numbers_agree():
    G = nx.karate_club_graph()
    graph = wp.Graph(G)
    assert (graph.num_vertices, graph.num_edges) == (34, 78)
    assert graph.degree.tolist() == [d for _, d in G.degree]


@pytest.mark.parametrize("directed", [True, False])
def test_igraph(directed):
    igraph = pytest.importorskip("igraph", reason="igraph's graphs: pip install igraph")
    edges = [(0, 1), (2, 1), (0, 1), (3, 3)]
    other = igraph.Graph(n=5, edges=edges, directed=directed)
    graph = wp.Graph(other)
    assert_same_graph(graph, wp.Graph.from_edges(*zip(*edges, strict=True), n=5, directed=directed))
    assert graph.weights is graph.labels is None
    other.es["weight"], other.es["km"] = [4, 3, 2, 1], [0.5, 1.5, 2.5, 3.5]
    other.vs["name"] = list("abcde")
    assert sorted(wp.Graph(other).edges()[2].tolist()) == [1, 2, 3, 4]
    graph = wp.Graph(other, weight="km")
    assert graph.weights.dtype == np.float64
    assert graph.labels.tolist() == list("abcde")
    assert wp.Graph.from_igraph(other, weight=None).weights is None
    with pytest.raises(
        ValueError, match="no edge has the attribute 'kmm'; there are 'km', 'weight'"
    ):
        wp.Graph(other, weight="kmm")
    paths = wp.sssp(graph, "a", dtype=np.float64)
    theirs = other.distances(source=0, weights="km", mode="out")[0]
    assert paths.distance.tolist() == theirs
    assert wp.Graph(igraph.Graph()).num_vertices == 0
