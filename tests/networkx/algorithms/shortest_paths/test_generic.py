"""The functions that choose among others."""

from itertools import pairwise

import networkx as nx
import pytest

from networkx_graphs import KINDS, assert_plain, compare, random_graph

HOW = [
    {},
    {"weight": "weight"},
    {"weight": "weight", "method": "bellman-ford"},
    {"weight": lambda u, v, data: 2},
]

pytestmark = pytest.mark.filterwarnings("ignore:.*will return:FutureWarning")


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_lengths(kind, how):
    G = random_graph(kind, "integers", 1)
    nodes = list(G)
    ordered = how.get("method") != "bellman-ford"
    compare("shortest_path_length", G, ordered=ordered, **how)
    for node in nodes[:5]:
        compare("shortest_path_length", G, source=node, ordered=ordered, **how)
        compare("shortest_path_length", G, target=node, ordered=ordered, **how)
        compare("shortest_path_length", G, nodes[-1], node, **how)
    compare("shortest_path_length", G, "nowhere", **how)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("kind", KINDS)
def test_paths(kind, how):
    """Between two nodes, and by Bellman-Ford, a path may be another one of the same length."""
    G = random_graph(kind, "integers", 2)
    nodes = list(G)
    length = dict(nx.shortest_path_length(G, backend="networkx", **how))

    def weigh(path):
        if "weight" not in how:
            return len(path) - 1
        if callable(how["weight"]):
            return 2 * (len(path) - 1)
        arcs = pairwise(path)
        return sum(
            min(d["weight"] for d in G[u][v].values()) if G.is_multigraph() else G[u][v]["weight"]
            for u, v in arcs
        )

    if how.get("method") != "bellman-ford":
        compare("shortest_path", G, **how)
    for node in nodes[:5]:
        there = nx.shortest_path(G, target=node, backend="warpath", **how)
        back = nx.shortest_path(G, source=node, backend="warpath", **how)
        assert there.keys() == {u for u in G if node in length[u]}
        assert back.keys() == length[node].keys()
        for u, path in there.items():
            assert (path[0], path[-1], weigh(path)) == (u, node, length[u][node])
        for v, path in back.items():
            assert (path[0], path[-1], weigh(path)) == (node, v, length[node][v])
        assert_plain((there, back))
        if how.get("method") != "bellman-ford":
            compare("shortest_path", G, source=node, **how)
            compare("shortest_path", G, target=node, **how)
        if node in length[nodes[-1]]:
            path = nx.shortest_path(G, nodes[-1], node, backend="warpath", **how)
            assert weigh(path) == length[nodes[-1]][node]
        else:
            compare("shortest_path", G, nodes[-1], node, **how)


@pytest.mark.parametrize("name", ["shortest_path", "shortest_path_length"])
def test_unknown_methods(name):
    G = nx.path_graph(4)
    compare(name, G, 0, 1, method="SPAM")
    compare(name, G, weight="weight", method="SPAM")
    compare("average_shortest_path_length", G, method="SPAM")
    compare("all_shortest_paths", G, 0, 1, weight="weight", method="SPAM")
    with nx.config.backend_priority(algos=["warpath"]), pytest.raises(ValueError, match="SPAM"):
        getattr(nx, name)(G, weight="weight", method="SPAM")
    compare("all_shortest_paths", G, 0, 1, method="SPAM")


@pytest.mark.parametrize("kind", KINDS)
def test_has_path(kind):
    G = random_graph(kind, "integers", 3)
    nodes = list(G)
    for target in [*nodes, "nowhere"]:
        compare("has_path", G, nodes[0], target)
        compare("has_path", G, target, nodes[0])


@pytest.mark.parametrize(
    "how", [*HOW, *({"weight": "weight", "method": f"floyd-warshall{m}"} for m in ("", "-numpy"))]
)
def test_average(how):
    for G in (
        nx.cycle_graph(7),
        nx.cycle_graph(7, create_using=nx.DiGraph),
        nx.MultiGraph([(0, 1), (0, 1)]),
    ):
        for i, (_, _, data) in enumerate(G.edges(data=True)):
            data["weight"] = i % 3
        compare("average_shortest_path_length", G, **how)
    for G in (nx.Graph(), nx.empty_graph(1), nx.Graph([(0, 1), (2, 3)]), nx.DiGraph([(0, 1)])):
        compare("average_shortest_path_length", G, **how)


def test_average_of_floats_and_of_negative_weights():
    G = nx.cycle_graph(9, create_using=nx.DiGraph)
    for i, (_, _, data) in enumerate(G.edges(data=True)):
        data["weight"] = i / 7
    ours = nx.average_shortest_path_length(G, weight="weight", backend="warpath")
    theirs = nx.average_shortest_path_length(G, weight="weight", backend="networkx")
    assert ours == pytest.approx(theirs, rel=1e-15)
    G[0][1]["weight"] = -1
    G.__networkx_cache__.clear()
    ours = nx.average_shortest_path_length(
        G, weight="weight", method="bellman-ford", backend="warpath"
    )
    theirs = nx.average_shortest_path_length(
        G, weight="weight", method="bellman-ford", backend="networkx"
    )
    assert ours == pytest.approx(theirs, rel=1e-15)
    G[0][1]["weight"] = -9
    G.__networkx_cache__.clear()
    compare("average_shortest_path_length", G, weight="weight", method="bellman-ford")


@pytest.mark.parametrize("how", HOW[:2])
@pytest.mark.parametrize("kind", KINDS)
def test_all_shortest_paths_in_networkxs_order(kind, how):
    G = random_graph(kind, "zeros", 4, n=14, m=30)
    nodes = list(G)
    for target in [*nodes, "nowhere"]:
        compare("all_shortest_paths", G, nodes[0], target, **how)
    compare("single_source_all_shortest_paths", G, nodes[0], **how)
    compare("all_pairs_all_shortest_paths", G, **how)
    compare("all_shortest_paths", G, "nowhere", nodes[0], **how)


@pytest.mark.parametrize("kind", KINDS)
def test_all_shortest_paths_of_bellman_ford(kind):
    """The same paths, in any order."""
    G = random_graph(kind, "integers", 5, n=14, m=30)
    nodes = list(G)
    how = {"weight": "weight", "method": "bellman-ford"}
    ours = dict(nx.single_source_all_shortest_paths(G, nodes[0], backend="warpath", **how))
    theirs = dict(nx.single_source_all_shortest_paths(G, nodes[0], backend="networkx", **how))
    assert {v: sorted(map(str, ours[v])) for v in ours} == {
        v: sorted(map(str, theirs[v])) for v in theirs
    }
