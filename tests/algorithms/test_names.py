"""Names in, names out: each public function on a graph with labels, and on the same without."""

import pickle
from dataclasses import dataclass
from inspect import signature
from typing import Any

import numpy as np
import pytest

import warpath as wp
from warpath.graph.names import VertexMessage

N = 40
# Some labels are other vertices' numbers: what translates twice, or not at all, answers wrongly.
LABELS = {
    "integers": np.random.default_rng(5).permutation(N),
    "text": np.array([f"v{k * 17 % N}" for k in range(N)]),
    "tuples": np.array([*[divmod(k * 7 % N, 5) for k in range(N)], None], object)[:N],
}


@pytest.fixture(scope="module")
def plain():
    """A graph in which 3 is reached from 0, by weight over another vertex, and 39 is not."""
    rng = np.random.default_rng(2)
    source, target = rng.integers(0, N - 1, (2, 120))
    ends = [*source, 0, 8, 0], [*target, 8, 3, 3]
    return wp.Graph.from_edges(*ends, [*rng.integers(10, 50, 120), 1, 2, 9], n=N)


@dataclass
class Vertices:
    """What is renamed: a vertex, a list or a tuple of them, lists of lists."""

    them: Any


def _paths(r, v, row=None):
    r.verify()
    one = r if row is None else r[row]
    frame = one.to_frame()
    assert frame["vertex"][3] == (v(3) if not isinstance(v(3), tuple) else str(v(3)))
    assert frame["distance"].to_list() == [one[v(u)] for u in range(N)]
    source = r.source.tolist() if isinstance(r.source, np.ndarray) else r.source
    return r.distance, r.predecessor, one[v(3)], Vertices(source), Vertices(one.path(v(3)))


def _path(r):
    r.verify()
    return Vertices(r.vertices), r.length


def _paths_in_order(r):
    r.verify()
    return Vertices([[r.source, r.target], *r.vertices]), r.lengths


def _connection(r):
    r.verify()
    return Vertices([r.source, r.target, *r.meeting]), r.distance


def _matrix(r):
    r.verify()
    assert len(r.to_frame()) == 6
    return Vertices([r.sources.tolist(), r.targets.tolist()]), r.distance


def _all_pairs(r, v):
    r.verify()
    return Vertices([r.path(v(0), v(3)), [r[v(5)].source]]), r.distance


def _reached(found):
    nearest = found.paths.nearest_source
    return Vertices([found.vertices().tolist()]), len(found.to_frame()), nearest is not None


def _forest(g):
    edges = wp.Graph.from_edges(*g.edges(), n=N, directed=False, labels=g.labels)
    forest = wp.minimum_spanning_forest(edges)
    return *forest.edges(), Vertices(
        forest.neighbors(0 if g.labels is None else g.labels[0]).tolist()
    )


def _certificates(g, v):
    distance = wp.sssp(g, v(0)).distance
    wp.verify.sssp(g, v(0), distance)
    wp.verify.bfs(g, [v(0)], wp.bfs(g, v(0)).distance)
    wp.verify.apsp(g, wp.apsp(g).distance)
    found = wp.shortest_path(g, v(0), v(3))
    wp.verify.path(g, found.vertices, found.length, distance)
    wp.verify.no_path(g, v(0), v(N - 1))
    with pytest.raises(wp.NoPathError) as error:
        wp.shortest_path(g, v(0), v(N - 1))
    with pytest.raises(wp.NoPathError, match="no path leads from"):
        wp.sssp(g, v(0)).path(v(N - 1))
    ends = [error.value.source, error.value.target]
    source, target, weight = g.coo()
    source, target, weight = [*source, 3], [*target, 8], [*weight, -3]
    worse = wp.Graph.from_edges(source, target, weight, n=N, labels=g.labels)
    with pytest.raises(wp.NegativeCycleError) as error:
        wp.sssp(worse, v(0))
    wp.verify.negative_cycle(worse, error.value.cycle, v(0))
    return Vertices([ends, sorted(error.value.cycle, key=[v(u) for u in range(N)].index)])


@wp.operator
def ascend(u, v):
    return u < v


CALLS = {
    "advance": lambda g, v: wp.advance(g, wp.Frontier(g, v(0)), ascend).vertices,
    "traverse": lambda g, v: wp.traverse(g, v(0), ascend),
    "aggregate": lambda g, v: wp.aggregate(g, ascend),
    "pagerank": lambda g, v: wp.pagerank(g, personalization={v(3): 1}),
    "triangles": lambda g, v: wp.triangles(g),
    "clustering": lambda g, v: wp.clustering(g),
    "core_numbers": lambda g, v: wp.core_numbers(g),
    "maximal_independent_set": lambda g, v: wp.maximal_independent_set(g, seed=3),
    "label_propagation": lambda g, v: wp.label_propagation(g, seed=3)[0],
    "bfs": lambda g, v: _paths(wp.bfs(g, v(0)), v),
    "bfs of several": lambda g, v: _paths(wp.bfs(g, [v(7), v(0)]), v, 1),
    "bfs of the nearest": lambda g, v: _paths(wp.bfs(g, [v(7), v(0)], nearest=True), v),
    "sssp": lambda g, v: _paths(wp.sssp(g, v(0)), v),
    "sssp to a target": lambda g, v: Vertices(wp.sssp(g, v(0), target=v(3)).path(v(3))),
    "shortest_path": lambda g, v: _path(wp.shortest_path(g, v(0), v(3))),
    "shortest_path by hops": lambda g, v: _path(wp.shortest_path(g, v(0), v(3), weighted=False)),
    "shortest_path by one": lambda g, v: _path(wp.shortest_path(g, v(0), v(3), method="dijkstra")),
    "k_shortest_paths": lambda g, v: _paths_in_order(wp.k_shortest_paths(g, v(0), v(3), 4)),
    "st_connected": lambda g, v: _connection(wp.st_connected(g, v(0), v(3))),
    "distance_matrix": lambda g, v: _matrix(
        wp.distance_matrix(g, [v(0), v(5)], [v(3), v(1), v(2)])
    ),
    "apsp": lambda g, v: _all_pairs(wp.apsp(g, predecessors=True), v),
    "eccentricity": lambda g, v: wp.eccentricity(g, [v(4), v(0)]),
    "closeness": lambda g, v: wp.closeness(g, [v(4), v(0)]),
    "harmonic": lambda g, v: wp.harmonic(g, [v(4), v(0)]),
    "diameter": lambda g, v: wp.diameter(g),
    "betweenness": lambda g, v: wp.betweenness(g, sources=[v(4), v(0)]),
    "edge_betweenness": lambda g, v: wp.edge_betweenness(g, sources=[v(4), v(0)]),
    "connected_components": lambda g, v: wp.connected_components(g)[0],
    "strongly_connected_components": lambda g, v: wp.strongly_connected_components(g)[0],
    "isochrone": lambda g, v: _reached(wp.isochrone(g, [v(7), v(0)], [2, 5])),
    "statistics": lambda g, v: str(wp.statistics(g)),
    "minimum_spanning_forest": lambda g, v: _forest(g),
    "advise": lambda g, v: [*wp.advise(g, device="cpu", seconds=0.5).best],
    "plan": lambda g, v: [wp.plan(g, "sssp", v(3), target=v(7)).as_dict()],
    "verify": _certificates,
}


def _same(found, wanted, called):
    """Equal, once the vertices of ``wanted`` are called what they are called."""
    if isinstance(wanted, Vertices):
        assert found.them == _renamed(wanted.them, called)
    elif isinstance(wanted, tuple):
        for one, other in zip(found, wanted, strict=True):
            _same(one, other, called)
    else:
        np.testing.assert_array_equal(found, wanted)


def _renamed(them, called):
    if isinstance(them, (list, tuple)):
        return type(them)(_renamed(one, called) for one in them)
    return called(them)


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("labels", LABELS.values(), ids=LABELS)
def test_as_without_labels(plain, labels, call):
    named = wp.Graph.from_csr(plain.row_offsets, plain.column_indices, plain.weights, labels=labels)
    called = labels.tolist().__getitem__
    _same(call(named, called), call(plain, int), called)


def test_no_function_of_a_graph_is_forgotten():
    functions = {
        name for name in wp.__all__
        if callable(getattr(wp, name)) and not isinstance(getattr(wp, name), type)
        and next(iter(signature(getattr(wp, name)).parameters), None) == "graph"
    }  # fmt: skip
    assert functions - {"balance_profile", "distribute", "write"} <= {*CALLS}  # two need GPUs


def _path_of_two(weights, labels):
    return wp.Graph.from_edges([0, 1], [1, 2], weights, labels=labels)


_TOP = np.int64([2**62, 2**62])
REFUSED = {
    "sssp, a sum": lambda g: wp.sssp(g(_TOP), g.v(0)),
    "sssp, a dtype": lambda g: wp.sssp(g([2**30, 2**30]), g.v(0), dtype=np.int32),
    "sssp, an algebra": lambda g: wp.sssp(g([1, 2]), g.v(0), algebra="most-reliable"),
    "sssp, a product": lambda g: wp.sssp(
        g(np.float32([1e-30, 1e-30])), g.v(0), algebra="most-reliable"
    ),
    "betweenness": lambda g: wp.betweenness(g(_TOP)),
    "betweenness, twice": lambda g: wp.betweenness(g([1, 1]), sources=[g.v(2), g.v(2)]),
    "edge_betweenness": lambda g: wp.edge_betweenness(g(_TOP)),
    "closeness": lambda g: wp.closeness(g(_TOP)),
    "closeness, a float": lambda g: wp.closeness(g([0.0, 0.9e308])),
    "harmonic": lambda g: wp.harmonic(g([5e-324, 5e-324])),
    "verify.no_path": lambda g: wp.verify.no_path(g([1, 1]), g.v(0), g.v(2)),
}


@pytest.mark.parametrize("refused", REFUSED.values(), ids=REFUSED)
def test_errors_name_vertices(refused):
    messages = []
    for labels in (None, ["Aachen", "Bonn", "Celle"]):

        def graph(weights, labels=labels):
            return _path_of_two(weights, labels)

        graph.v = (lambda v: v) if labels is None else labels.__getitem__
        with pytest.raises((ValueError, OverflowError, wp.VerificationError)) as error:
            refused(graph)
        messages.append((type(error.value), str(error.value)))
    (kind, plain), (same_kind, named) = messages
    assert kind is same_kind
    assert any(name in named for name in ("Aachen", "Bonn", "Celle")), (plain, named)
    for v, name in enumerate(("Aachen", "Bonn", "Celle")):
        named = named.replace(name, str(v))
    assert named == plain


def test_a_message_of_vertices_survives_pickling():
    message = VertexMessage("from {} to {}", 1, 2)
    assert pickle.loads(pickle.dumps(message)) == message == "from 1 to 2"


def test_columns_of_names_are_of_one_kind():
    """Whatever names stand in one of them: frames can be joined by any."""
    graph = wp.Graph.from_edges([0, 1, 0], [1, 2, 3], labels=[1, 2, "c", ("d", 4)])
    frames = [
        graph.to_frame(),
        wp.bfs(graph, [1, 2]).to_frame(),
        wp.bfs(graph, [1, 2], nearest=True).to_frame(),
        wp.distance_matrix(graph, [1], [2]).to_frame(),
        wp.isochrone(graph, 1, [1]).to_frame(),
        wp.isochrone(graph, ("d", 4), [1]).to_frame(),  # no rows
    ]
    names = {"source", "target", "vertex", "predecessor"}
    kinds = {str(frame[name].dtype) for frame in frames for name in names & {*frame.columns}}
    assert kinds == {"String"}
    assert frames[1]["source"].unique().sort().to_list() == ["1", "2"]
