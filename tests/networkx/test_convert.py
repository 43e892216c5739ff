"""Graphs of NetworkX as arrays."""

from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import KINDS, random_graph
from warpath.networkx import BackendGraph, from_networkx, graph
from warpath.networkx import weights as edge_weights
from warpath.networkx.convert import convert_from_nx, convert_to_nx


def arcs_of(H):
    offsets, neighbors = H.adjacency
    return {
        u: [H.names[v] for v in neighbors[offsets[i] : offsets[i + 1]]] for i, u in enumerate(H)
    }


@pytest.mark.parametrize("kind", KINDS)
def test_adjacency_is_networkxs_in_its_order(kind):
    G = random_graph(kind, "integers", 1)
    H = from_networkx(G)
    assert arcs_of(H) == {u: list(row) for u, row in G.adjacency()}
    assert (len(H), list(H), H.is_directed(), H.is_multigraph()) == (
        len(G), list(G), G.is_directed(), G.is_multigraph(),
    )  # fmt: skip
    assert convert_to_nx(H) is G


@pytest.mark.parametrize("kind", [nx.DiGraph, nx.MultiDiGraph])
def test_reversed_adjacency_is_that_of_predecessors(kind):
    G = random_graph(kind, "integers", 2)
    H = from_networkx(G).reversed
    assert arcs_of(H) == {u: list(G.pred[u]) for u in G}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weights", ["integers", "floats", "some missing"])
@pytest.mark.parametrize("size", ["small", "large"])
def test_weights_are_the_least_of_parallel_edges(size, kind, weights, monkeypatch):
    if size == "large":  # read in another order, of undirected graphs once per edge
        monkeypatch.setattr(graph, "_FEW_ARCS", -1)
        monkeypatch.setattr(edge_weights, "_FIT_THE_CACHE", -1)
    G = random_graph(kind, weights, 3, n=12)
    H = from_networkx(G, "weight")
    values = H.arc_weights("weight")
    assert values.dtype == (np.float64 if weights == "floats" else np.int64)
    expected = [
        min(data.get("weight", 1) for data in (keys.values() if G.is_multigraph() else [keys]))
        for _, row in G.adjacency()
        for keys in row.values()
    ]
    assert values.tolist() == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weight", [None, "weight"])
def test_warpaths_graph_has_the_same_arcs(kind, weight):
    G = random_graph(kind, "integers", 4)
    H = from_networkx(G)
    graph = H.to_graph(weight)
    source, target, values = graph.coo()
    expected = {
        (H.index[u], H.index[v]): min(
            d.get("weight", 1) for d in (keys.values() if G.is_multigraph() else [keys])
        )
        for u, row in G.adjacency()
        for v, keys in row.items()
    }
    assert graph.directed is G.is_directed()
    assert list(zip(source.tolist(), target.tolist(), strict=True)) == sorted(expected)
    if weight:
        assert values.tolist() == [expected[arc] for arc in sorted(expected)]
    else:
        assert values is None
    assert H.to_graph(weight) is graph  # kept


def test_a_weight_function_may_say_other_things_there_and_back_and_hide_arcs():
    G = nx.path_graph(4)
    H = from_networkx(G)
    arcs, back = H.arcs_both_ways(lambda u, v, data: None if u == 3 else u + 10)
    assert arcs.adjacency.offsets.tolist() == [0, 1, 3, 5, 5]
    assert arcs.adjacency.neighbors.tolist() == [1, 0, 2, 1, 3]
    assert arcs.weights.tolist() == [10, 11, 11, 12, 12]
    assert back.adjacency.offsets.tolist() == [0, 1, 3, 4, 5]
    assert back.adjacency.neighbors.tolist() == [1, 0, 2, 1, 2]
    assert back.weights.tolist() == [11, 10, 12, 11, 12]
    graph = H.graph_by(arcs)
    source, target, weights = graph.coo()
    assert graph.directed
    assert list(zip(source.tolist(), target.tolist(), weights.tolist(), strict=True)) == [
        (0, 1, 10), (1, 0, 11), (1, 2, 11), (2, 1, 12), (2, 3, 12),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("weight", "why"),
    [
        (Fraction(1, 2), "Fraction are not plain numbers"),
        (np.float32(0.5), "float32 are not plain numbers"),
        (np.int32(5), "int32 are not plain numbers"),
        (np.bool_(True), "bool are not plain numbers"),  # two of them add up to True
        (10**400, "beyond 64 bits"),
        (-(2**63), "beyond 64 bits"),  # that has no opposite
        ("1", "str are not plain numbers"),
        (float("nan"), "NaN or infinite"),
        (float("inf"), "NaN or infinite"),
        (2**63, "beyond 64 bits"),
        (2**63 - 1, "beyond 64 bits"),  # that says "no path"
    ],
)
def test_what_arrays_do_not_hold_is_left_to_networkx(weight, why):
    G = nx.path_graph(3)
    G.add_edge(0, 1, weight=weight)
    with pytest.raises(NotImplementedError, match=why):
        convert_from_nx(G, edge_attrs={"weight": 1})


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        ([np.int64(2**62), 3, True], np.int64),
        ([np.float64(0.1), 2, 1e300], np.float64),
        ([np.float64(2), np.int64(2**53 - 1)], np.float64),
    ],
)
def test_numpys_scalars_of_64_bits_are_numbers(values, dtype):
    G = nx.path_graph(len(values) + 1, create_using=nx.DiGraph)
    for u, value in enumerate(values):
        G[u][u + 1]["weight"] = value
    found = from_networkx(G).arc_weights("weight")
    assert found.dtype == dtype
    assert found.tolist() == values


def test_an_integer_beyond_every_float_is_left_to_networkx():
    G = nx.DiGraph([(0, 1, {"weight": 0.5}), (1, 2, {"weight": 10**400})])
    with pytest.raises(NotImplementedError, match="infinite"):
        from_networkx(G, "weight")


def test_an_undirected_view_with_arcs_in_one_direction_only_is_left_to_networkx():
    """NetworkX walks such an edge in one direction only."""
    view = nx.subgraph_view(nx.path_graph(4), filter_edge=lambda u, v: u < v)
    with pytest.raises(NotImplementedError, match="one direction only"):
        from_networkx(view)


def test_views_and_empty_graphs():
    G = nx.path_graph(6)
    H = from_networkx(G.subgraph([1, 2, 4]))
    assert arcs_of(H) == {1: [2], 2: [1], 4: []}
    multi = nx.MultiGraph([(0, 1), (0, 1), (1, 2)])
    none = nx.subgraph_view(multi, filter_edge=lambda u, v, k: k == 1)
    assert arcs_of(from_networkx(none)) == {0: [1], 1: [0], 2: []}
    empty = from_networkx(nx.Graph())
    assert (len(empty), empty.num_arcs, empty.to_graph().num_vertices) == (0, 0, 0)


def test_what_is_no_node_is_not_in_the_graph():
    H = from_networkx(nx.path_graph(2))
    assert 0 in H
    assert 2 not in H
    assert [] not in H
    with pytest.raises(nx.NodeNotFound, match=r"no \[\] here"):
        H.vertex([], "no {} here")


def test_a_converted_graph_goes_in_for_networkxs():
    G = nx.cycle_graph(6)
    H = from_networkx(G)
    assert nx.shortest_path_length(H, 0, 3) == 3
    assert isinstance(H, BackendGraph)
    assert "Graph with 6 nodes and 12 arcs" in repr(H)


def test_networkx_caches_what_was_converted():
    G = nx.cycle_graph(6)
    nx.has_path(G, 0, 3, backend="warpath")
    (kept,) = G.__networkx_cache__["backends"]["warpath"].values()
    assert isinstance(kept, BackendGraph)
    G.add_edge(0, 9)
    assert not G.__networkx_cache__.get("backends")
    assert nx.has_path(G, 0, 9, backend="warpath")


def test_views_are_not_cached_since_they_hear_of_no_change():
    G = nx.path_graph(4)
    views = [
        G.subgraph([0, 1, 2, 3]),
        nx.subgraph_view(G),
        nx.DiGraph(G).reverse(copy=False),
        G.to_directed(as_view=True),
    ]
    for view in views:
        nx.shortest_path_length(view, 0, 3, backend="warpath")
        assert view.__networkx_cache__ is None
    assert nx.shortest_path_length(views[1], 0, 3, backend="warpath") == 3
    G.add_edge(0, 3)
    assert nx.shortest_path_length(views[1], 0, 3, backend="warpath") == 1
