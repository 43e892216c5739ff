"""Matrices of distances."""

from collections import defaultdict
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import KINDS, assert_plain, compare, random_graph


@pytest.mark.parametrize("weights", ["integers", "floats", "zeros"])
@pytest.mark.parametrize("kind", KINDS)
def test_floyd_warshall(kind, weights):
    """Distances are NetworkX's; floats, which it adds up in another order, but for rounding."""
    G = random_graph(kind, weights, 1, n=25, m=60)
    ours = nx.floyd_warshall(G, backend="warpath")
    theirs = nx.floyd_warshall(G, backend="networkx")
    assert list(ours) == list(theirs)
    for u in G:
        assert isinstance(ours[u], defaultdict)
        assert ours[u]["nowhere"] == float("inf")
        del ours[u]["nowhere"]
        assert ours[u] == (theirs[u] if weights != "floats" else pytest.approx(theirs[u]))
        assert {v: type(d) for v, d in ours[u].items()} == {
            v: type(d) for v, d in theirs[u].items()
        }
    assert_plain(ours)
    matrix = nx.floyd_warshall_numpy(G, backend="warpath")
    assert matrix.dtype == np.float64
    np.testing.assert_allclose(matrix, nx.floyd_warshall_numpy(G, backend="networkx"), rtol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_predecessors_make_paths_of_these_lengths(kind):
    G = random_graph(kind, "integers", 2, n=25, m=60)
    predecessor, distance = nx.floyd_warshall_predecessor_and_distance(G, backend="warpath")
    assert_plain((predecessor, distance))
    for u, row in predecessor.items():
        for v in row:
            path = nx.reconstruct_path(u, v, predecessor)
            length = sum(
                min(d["weight"] for d in G[a][b].values())
                if G.is_multigraph()
                else G[a][b]["weight"]
                for a, b in pairwise(path)
            )
            assert u == v or (path[0], path[-1], length) == (u, v, distance[u][v])
    finite = {(u, v) for u in G for v in G if u != v and distance[u][v] < float("inf")}
    assert {(u, v) for u in predecessor for v in predecessor[u] if u != v} == finite


def test_order_of_nodes():
    G = random_graph(nx.DiGraph, "integers", 3, n=10, m=20)
    nodes = list(G)[::-1]
    ours = nx.floyd_warshall_numpy(G, nodelist=nodes, backend="warpath")
    np.testing.assert_array_equal(
        ours, nx.floyd_warshall_numpy(G, nodelist=nodes, backend="networkx")
    )
    compare("floyd_warshall_numpy", G, nodelist=nodes[1:])
    compare("floyd_warshall_numpy", G, nodelist=nodes[1:] + nodes[1:2])


def test_a_diagonal_is_zero_and_a_missing_weight_is_one():
    G = nx.DiGraph([(0, 0, {"weight": 3}), (0, 1)])
    for name in ("floyd_warshall", "floyd_warshall_predecessor_and_distance"):
        compare(name, G, ordered=False)
    compare("floyd_warshall", nx.Graph())


def test_negative_cycles_and_functions_are_left_to_networkx():
    G = nx.DiGraph([(0, 1, {"weight": -2}), (1, 0, {"weight": 1})])
    with pytest.raises(NotImplementedError):
        nx.floyd_warshall(G, backend="warpath")
    with pytest.raises(NotImplementedError):
        nx.floyd_warshall(nx.path_graph(3), weight=lambda u, v, d: 1, backend="warpath")


def test_further_keywords():
    G = random_graph(nx.DiGraph, "integers", 4)
    found = nx.floyd_warshall(G, backend="warpath", method="r-kleene", device="cpu")
    assert found == nx.floyd_warshall(G)
