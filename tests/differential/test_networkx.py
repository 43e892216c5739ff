"""NetworkX's functions by warpath and by NetworkX itself, on random small graphs.

Answers are equal with their types and order, exceptions with their words; where
docs/guides/networkx.md says that something differs, that is left out. warpath may decline what is
said there, and nothing else.
"""

import math
import random
from fractions import Fraction

import networkx as nx
import numpy as np
import pytest

from networkx_close import is_close
from networkx_graphs import KINDS, assert_equivalent, outcome
from warpath.networkx import graph, interface, weights

MOST = 2**63 - 1


class Label:
    """A node that is no number."""

    def __init__(self, number):
        self.number = number

    def __repr__(self):
        return f"Label({self.number})"


LABELS = {
    "numbers": lambda i: i,
    "negative": lambda i: -i,
    "beyond 64 bits": lambda i: 2**64 + i,
    "words": lambda i: f"v{i}",
    "pairs": lambda i: (i % 3, i),
    "sets": lambda i: frozenset({i, "a"}),
    "floats": lambda i: i + 0.5,
    "NumPy's": np.int64,
    "objects": Label,
    "all sorts": lambda i: [i, f"v{i}", (i,), i + 0.5, b"%d" % i][i % 5],
}
# Of each kind: how a weight is drawn, and whether warpath may decline it.
WEIGHTS = {
    "small": (lambda rng: rng.randint(1, 6), False),
    "zeros": (lambda rng: rng.randint(0, 1), False),
    "ones": (lambda rng: 1, False),
    "bools": (lambda rng: rng.random() < 0.5, False),
    "missing": (lambda rng: rng.choice([None, 1, 2]), False),
    "floats": (lambda rng: rng.uniform(0.1, 2), False),
    "tenths": (lambda rng: rng.randint(0, 5) / 10, False),
    "tiny floats": (lambda rng: rng.choice([5e-324, 1e-300, 0.0, 2.5e-308]), False),
    "far apart": (lambda rng: rng.choice([1e-8, 1.0, 1e17]), False),
    "NumPy's integers": (lambda rng: np.int64(rng.randint(1, 9)), False),
    "NumPy's floats": (lambda rng: np.float64(rng.uniform(0.1, 2)), False),
    "large": (lambda rng: rng.randint(2**55, 2**58), True),
    "near the end": (lambda rng: rng.choice([1, 2**61, 2**62, MOST - 2, MOST - 1]), True),
    "at the end": (lambda rng: rng.choice([1, MOST, MOST + 1, 2**70]), True),
    "near the floats' end": (lambda rng: rng.choice([1.0, 8e307, 1.7e308]), True),
    "infinite": (lambda rng: rng.choice([1.0, math.inf]), True),
    "fractions": (lambda rng: Fraction(rng.randint(1, 9), 4), True),
    "NumPy's bools": (lambda rng: np.bool_(rng.random() < 0.8), True),
    "NumPy's small integers": (lambda rng: np.int32(rng.randint(1, 5)), True),
    "negative": (lambda rng: rng.randint(-2, 9), True),
    "lifted": (lambda rng: rng.randint(0, 5), True),  # some become negative, no cycle does
}

# Of weights 0, or so small that a distance swallows them: around cycles of them NetworkX's Bellman-Ford misses paths
# that its Dijkstra's finds.
STAND_STILL = "zeros", "bools", "tenths", "tiny floats", "far apart", "near the floats' end"

ONE, PAIR, NONE = "one node", "two nodes", "no node"
EXACT = {
    "single_source_dijkstra": ONE,
    "single_source_dijkstra_path": ONE,
    "single_source_dijkstra_path_length": ONE,
    "dijkstra_predecessor_and_distance": ONE,
    "dijkstra_path": PAIR,
    "dijkstra_path_length": PAIR,
    "bidirectional_dijkstra": PAIR,
    "shortest_path": PAIR,
    "shortest_path_length": PAIR,
    "all_shortest_paths": PAIR,
    "single_source_all_shortest_paths": ONE,
    "all_pairs_all_shortest_paths": NONE,
    "all_pairs_dijkstra": NONE,
    "all_pairs_dijkstra_path": NONE,
    "all_pairs_dijkstra_path_length": NONE,
    "voronoi_cells": "nodes",
    "multi_source_dijkstra": "nodes",
    "eccentricity": NONE,
    "diameter": NONE,
    "center": NONE,
}
ROUNDED = {
    "average_shortest_path_length": "weight",
    "wiener_index": "weight",
    "closeness_centrality": "distance",
    "harmonic_centrality": "distance",
    "betweenness_centrality": "weight",
    "edge_betweenness_centrality": "weight",
}
UNORDERED = {
    "single_source_bellman_ford_path_length": ONE,
    "all_pairs_bellman_ford_path_length": NONE,
    "bellman_ford_path_length": PAIR,
    "negative_edge_cycle": NONE,
    "floyd_warshall": NONE,
}
EDGES = {
    "single_source_shortest_path": ONE,
    "single_source_shortest_path_length": ONE,
    "single_target_shortest_path": ONE,
    "single_target_shortest_path_length": ONE,
    "bidirectional_shortest_path": PAIR,
    "all_pairs_shortest_path": NONE,
    "all_pairs_shortest_path_length": NONE,
    "predecessor": ONE,
    "has_path": PAIR,
    "bfs_edges": ONE,
    "bfs_predecessors": ONE,
    "bfs_successors": ONE,
    "descendants": ONE,
    "ancestors": ONE,
    "global_efficiency": NONE,
    "is_connected": NONE,
    "is_weakly_connected": NONE,
    "number_connected_components": NONE,
    "connected_components": NONE,
}
# What the arguments' kind alone may make warpath decline.
DECLINES_FUNCTIONS = {"closeness_centrality", "harmonic_centrality", "floyd_warshall"}
# Weights of 0, or that vanish next to a distance, and hidden edges.
DECLINES_ZEROS = {"betweenness_centrality", "edge_betweenness_centrality"}


def weigh(rng, kind, data, u, v, height):
    weight = WEIGHTS[kind][0](rng)
    if kind == "lifted":
        weight += height[u] - height[v]
    data.clear()
    if weight is not None:
        data["weight"] = weight


def draw_graph(rng, kind):
    """A graph with self-loops, parallel edges, nodes without edges, perhaps none of them."""
    n = rng.choice([0, 1, 2, 5, 5, 9, 9, 16, 30])
    labels = LABELS[rng.choice(list(LABELS))]
    names = [labels(i) for i in range(n)]
    if rng.random() < 0.5:
        rng.shuffle(names)
    G = rng.choice(KINDS)()
    G.add_nodes_from(names)
    for _ in range(int(n * rng.choice([0, 0.8, 1.5, 3]))):
        G.add_edge(rng.choice(names), rng.choice(names))
    if n and rng.random() < 0.5:
        nx.add_cycle(G, names)
    height = {name: 3 * rng.randint(0, 3) for name in names}
    for u, v, data in G.edges(data=True):
        weigh(rng, kind, data, u, v, height)
    return G


def change(rng, G, kind):
    """What users do between two calls, seen by NetworkX's cache or not."""
    edges = list(G.edges(data=True))
    height = dict.fromkeys(G, 0)
    if not edges or rng.random() < 0.2:
        u, v = "new", next(iter(G), "newer")
        weigh(rng, kind, data := {}, u, v, height | {u: 0, v: 0})
        G.add_edge(u, v, **data)
    elif rng.random() < 0.2:
        G.remove_edge(*rng.choice(edges)[:2])
    elif kind != "lifted":
        for u, v, data in rng.sample(edges, min(len(edges), 3)):
            weigh(rng, kind, data, u, v, height)


def draw_view(rng, G):
    """The graph, a view of it, or the same as another kind."""
    way = rng.choice(["itself"] * 5 + ["part", "reversed", "undirected", "directed"])
    if way == "part":
        return way, G.subgraph([node for node in G if rng.random() < 0.8])
    if way == "reversed" and G.is_directed():
        return way, G.reverse(copy=False)
    if way == "undirected":
        return way, G.to_undirected(as_view=True)
    if way == "directed":
        return way, G.to_directed(as_view=True)
    return "itself", G


def draw_function(rng, G):
    """A weight function: other weights in each direction, some edges hidden, or an attribute."""
    place = {node: i for i, node in enumerate(G)}
    kind = rng.choice(["attribute", "directions", "hidden"])

    def weight(u, v, data):
        edges = data.values() if G.is_multigraph() else [data]
        least = min(edge.get("weight", 1) for edge in edges)
        mixed = 7 * place[u] + 3 * place[v]
        if kind == "directions":
            return least + mixed % 4
        return None if kind == "hidden" and mixed % 3 == 0 else least

    return kind, weight


def plain(value):
    """NumPy's scalars as Python's, as warpath has them."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {plain(key): plain(part) for key, part in value.items()}
    if isinstance(value, set):
        return set(map(plain, value))
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value


def refused(answer):
    """Whether an outcome is an exception."""
    return isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[0], type)


def compare(name, G, arguments, keywords, how, may_decline):
    function = getattr(nx, name)
    ours = outcome(function, G, *arguments, backend="warpath", **keywords)
    theirs = plain(outcome(function, G, *arguments, backend="networkx", **keywords))
    if any(isinstance(node, np.generic) for node in G):
        ours = plain(ours)
    if refused(ours) and issubclass(ours[0], NotImplementedError):
        # What is not implemented for a kind of graph is a subclass.
        assert ours[0] is not NotImplementedError or may_decline, (ours, theirs)
        if ours[0] is NotImplementedError:
            return
    if refused(ours) or refused(theirs):
        assert refused(ours), (ours, theirs)
        assert refused(theirs), (ours, theirs)
        assert ours[0] is theirs[0], (ours, theirs)
        if issubclass(theirs[0], nx.NetworkXException):
            assert ours == theirs
    elif how == "rounded":
        assert is_close(ours, theirs), (ours, theirs)
    elif how == "equal":
        assert ours == theirs
    else:
        assert_equivalent(ours, theirs, ordered=how == "exact")


def draw_ends(rng, G, what):
    """Nodes to search from and to; now and then what is no node."""
    nodes = [*G] * 5 + ["no node", 10**6, [0]]
    if what == ONE:
        return [rng.choice(nodes)]
    if what == PAIR:
        return [rng.choice(nodes), rng.choice(nodes)]
    if what == "nodes":
        return [rng.sample([*G] * 2, rng.randint(0, min(3, len(G))))]
    return []


def may_not_end(name, G):
    """Whether the answer may be larger than the memory: paths are as many as subsets of nodes."""
    return "all_shortest_paths" in name and len(G) > 9


def call_one(rng, G, kind, way):
    may_decline = WEIGHTS[kind][1] or way == "undirected"
    weight, keywords = "weight", {}
    said = rng.random() < 0.3
    if said:
        shows, weight = draw_function(rng, G)
    names = [*EXACT, *ROUNDED, *UNORDERED, *EDGES]
    name = rng.choice(names)
    if name in EDGES:
        how = "rounded" if name == "global_efficiency" else "exact"
        may_decline = False
        ends = draw_ends(rng, G, EDGES[name])
        if name.startswith(("single", "all_pairs")) and rng.random() < 0.3:
            keywords = {"cutoff": rng.choice([-1, 0, 1, 1.5, 2, math.inf])}
    elif name in EXACT:
        how, keywords = "exact", {"weight": weight}
        ends = draw_ends(rng, G, EXACT[name])
        if "dijkstra" in name and EXACT[name] == ONE and rng.random() < 0.3:
            keywords["cutoff"] = rng.choice([-1, 0, 2, 2.5, 0.3, 10**6, 2**62, math.inf])
    elif name in ROUNDED:
        how, keywords, ends = "rounded", {ROUNDED[name]: weight}, []
    else:
        how, keywords = "unordered", {"weight": weight}
        ends = draw_ends(rng, G, UNORDERED[name])
    may_decline = may_decline or name in DECLINES_ZEROS
    if said and name in DECLINES_FUNCTIONS:
        may_decline = True
    if name == "negative_edge_cycle" and (said or nx.is_frozen(G)):
        return  # NetworkX adds a node to the graph, and asks for its weights
    if said and shows == "hidden" and "bellman_ford" in name:
        return  # of None NetworkX makes a TypeError
    if may_not_end(name, G):
        return
    if "bellman_ford" in name and kind in STAND_STILL:
        return
    if kind in ("missing", "bools", "tiny floats", "tenths") and name == "floyd_warshall":
        how = "equal"  # a missing weight is 1.0 there, and a loop of weight False or 0.0 a distance
    try:
        compare(name, G, ends, keywords, how, may_decline)
    except BaseException as error:
        error.add_note(f"{name}, weights {kind}, {way} {G}, {ends}, {keywords}")
        raise


@pytest.fixture(autouse=True)
def quiet_cache():
    with nx.config(warnings_to_ignore={"cache"}):
        yield


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # of NumPy's weights, by NetworkX
@pytest.mark.filterwarnings("ignore::FutureWarning")  # of NetworkX 3.4
def test_random_calls(each_case, monkeypatch):
    def check(draw):
        rng = random.Random(int(draw.integers(2**62)))
        kind = rng.choice(list(WEIGHTS))
        base = draw_graph(rng, kind)
        with monkeypatch.context() as patch:
            if rng.random() < 0.5:  # what larger graphs run
                for module, limit in ((graph, "_FEW_ARCS"), (weights, "_FIT_THE_CACHE")):
                    patch.setattr(module, limit, -1)
            for _ in range(4):
                way, G = draw_view(rng, base)
                for _ in range(3):
                    call_one(rng, G, kind, way)
                change(rng, base, kind)

    each_case(check)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_random_changes_when_warpath_is_preferred(each_case, monkeypatch):
    """No answer is an old one, and none is missing."""
    monkeypatch.setattr(interface, "should_run", lambda name, args, kwargs: True)

    def check(draw):
        rng = random.Random(int(draw.integers(2**62)))
        kind = rng.choice(list(WEIGHTS))
        G = draw_graph(rng, kind)
        name = rng.choice([name for name in EXACT if EXACT[name] == NONE])
        keywords = {"weight": "weight"}
        for _ in range(4):
            if may_not_end(name, G):
                break
            answers = []
            for backend in ("warpath", "networkx"):
                with nx.config.backend_priority(algos=[backend]):
                    answers.append(outcome(getattr(nx, name), G, **keywords))
            ours, theirs = answers
            if refused(theirs):
                assert ours == theirs
            else:
                assert plain(ours) == plain(theirs)
            change(rng, G, kind)

    each_case(check)
