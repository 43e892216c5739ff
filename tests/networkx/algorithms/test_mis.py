"""Independent sets are independent, maximal, and have the nodes that were asked for."""

import random
from collections import Counter

import networkx as nx
import numpy as np
import pytest

from networkx_graphs import assert_plain, compare, declined, random_graph


def independent_set(G, nodes=None, seed=None):
    return nx.maximal_independent_set(G, nodes, seed, backend="warpath")


def without_loops(kind, seed, m):
    G = random_graph(kind, "integers", seed, m=m)
    G.remove_edges_from(list(nx.selfloop_edges(G)))
    return G


def check(G, found, nodes=()):
    assert_plain(found)
    assert isinstance(found, list)
    assert set(nodes) <= set(found)
    assert len(set(found)) == len(found)
    assert G.subgraph(found).number_of_edges() == 0
    assert nx.is_dominating_set(G, found)


@pytest.mark.parametrize("kind", [nx.Graph, nx.MultiGraph])
def test_sets(kind):
    for seed, m in enumerate((0, 40, 90, 300)):
        G = without_loops(kind, seed, m)
        check(G, independent_set(G))
        nodes = nx.maximal_independent_set(G, seed=seed)[::2]
        check(G, independent_set(G, nodes, seed), nodes)
        check(G, independent_set(G, dict.fromkeys(nodes[:1])), nodes[:1])


def test_a_view():
    G = nx.DiGraph([(0, 1), (1, 2), (3, 2)]).to_undirected(as_view=True)
    check(G, independent_set(G, [1]), [1])


@pytest.mark.parametrize("make", [int, random.Random, np.random.default_rng, np.random.RandomState])
def test_a_seed_gives_a_set(make):
    G = without_loops(nx.Graph, 1, 90)
    first, again = (independent_set(G, seed=make(7)) for _ in range(2))
    assert first == again
    sets = {frozenset(independent_set(G, seed=make(seed))) for seed in range(10)}
    assert len(sets) > 1


def test_sets_are_as_likely_as_networkxs():
    """On a path of five nodes there are four sets."""
    G, draws = nx.path_graph(5), 2000
    ours, theirs = (
        Counter(
            frozenset(nx.maximal_independent_set(G, seed=seed, backend=backend))
            for seed in range(draws)
        )
        for backend in ("warpath", "networkx")
    )
    assert ours.keys() == theirs.keys()
    assert all(abs(ours[one] - theirs[one]) < 0.05 * draws for one in theirs)


def test_errors_are_networkxs():
    G = without_loops(nx.Graph, 1, 90)
    edge = next(iter(G.edges))
    for nodes in (edge, ["nowhere"], [edge[0], "nowhere"], [[1]]):
        compare("maximal_independent_set", G, nodes)
    compare("maximal_independent_set", nx.Graph())
    compare("maximal_independent_set", nx.DiGraph(G))
    compare("maximal_independent_set", G, seed="seven")


def test_self_loops_are_networkxs():
    declined("maximal_independent_set", random_graph(nx.Graph, "integers", 1, m=300))


def test_by_priority_a_seed_is_networkxs():
    G = nx.empty_graph(10_000)
    with nx.config(backend_priority=["warpath"]):
        assert nx.maximal_independent_set(G, seed=1)[:2] != [0, 1]
        check(G, nx.maximal_independent_set(G))
