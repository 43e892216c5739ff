"""PageRank is NetworkX's, but for the last digits."""

from itertools import cycle, product

import networkx as nx
import pytest

from exhaustive import few
from networkx_graphs import KINDS, WEIGHTS, assert_plain, compare, declined, random_graph

PRECISE = {"tol": 1e-13, "max_iter": 2000}


def check(G, **options):
    """To nine digits, and to 10⁻¹⁵: no rank is smaller than 10⁻¹⁸ but 0."""
    ours, theirs = (nx.pagerank(G, backend=name, **options) for name in ("warpath", "networkx"))
    assert_plain(ours)
    assert list(ours) == list(theirs)
    assert all(type(rank) is float for rank in ours.values())
    assert [*ours.values()] == pytest.approx([*theirs.values()], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("kind", "weights"),
    few(product(KINDS[:2], WEIGHTS), zip(cycle(KINDS[:2]), WEIGHTS, strict=False)),
)
def test_ranks(kind, weights):
    for seed in range(3):
        G = random_graph(kind, weights, seed)
        some, others = {3: 1, "a": 2, "elsewhere": 5}, {(1, 2): 1.5, 4: 1}
        for options in (
            {"alpha": 0.5},
            {"weight": None, "personalization": some},
            {"dangling": others},
            {"dangling": others, "personalization": some},
        ):
            check(G, **PRECISE, **options)


def test_it_stops_where_networkx_does():
    G = random_graph(nx.DiGraph, "integers", 7)
    for tol in (1e-1, 1e-2, 1e-4, 1e-6):
        check(G, tol=tol)
    for backend in ("warpath", "networkx"):
        with pytest.raises(nx.PowerIterationFailedConvergence, match="within 3 iterations"):
            nx.pagerank(G, max_iter=3, tol=1e-9, backend=backend)


@pytest.mark.parametrize(
    "options",
    [
        {"personalization": {0: 0}},
        {"personalization": {"elsewhere": 1}},
        {"nstart": {0: 1, 1: 3}},
        {"alpha": 1.5, "max_iter": 5},
        {"max_iter": 0},
        {"tol": -1, "max_iter": 4},
    ],
)
def test_what_is_networkxs_to_answer_or_to_refuse(options):
    declined("pagerank", random_graph(nx.DiGraph, "integers", 7), **options)


def test_graphs_that_are_special():
    compare("pagerank", nx.DiGraph())
    for kind in KINDS[:2]:
        check(kind([(0, 0)]), **PRECISE)
        check(random_graph(kind, "integers", 3, m=10), **PRECISE)
    check(nx.DiGraph([(0, 1, {"weight": 0}), (1, 0)]), **PRECISE)
    for kind in KINDS[2:]:  # whose parallel edges NetworkX adds
        declined("pagerank", random_graph(kind, "integers", 3))
    declined("pagerank", nx.DiGraph([(0, 1, {"weight": -1}), (1, 0)]))
