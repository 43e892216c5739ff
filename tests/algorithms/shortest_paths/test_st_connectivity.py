"""Searches from both ends that need no weights, against BFS, SciPy and the certificate."""

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import real_graphs
import warpath as wp
from exhaustive import few
from oracles import SHAPES, levels, shape, small_multigraph, some_vertices, weighted


def check(graph, source, target, distance):
    """The answer is ``distance`` (-1: no path), and the arc where the searches met is on a path."""
    found = wp.st_connected(graph, source, target)
    assert bool(found) is found.connected is bool(distance >= 0)
    assert found.distance == (distance if distance >= 0 else None)
    assert (found.source, found.target) == (source, target)
    if found and source != target:
        u, v = found.meeting
        assert graph.has_edge(u, v)
        there, back = levels(graph, source), levels(graph.reverse, target)
        assert there[u] + 1 + back[v] == distance
    else:
        assert found.meeting is None
    return found


@pytest.mark.parametrize("name", SHAPES)
def test_shapes(name):
    graph = shape(name)
    for source in some_vertices(graph):
        for target in some_vertices(graph):
            check(graph, source, target, int(levels(graph, source)[target]))


@given(
    seed=st.integers(0, 2**32), directed=st.booleans(), ends=st.tuples(*[st.integers(0, 13)] * 2)
)
def test_multigraphs(seed, directed, ends):
    graph = small_multigraph(seed, None, directed=directed)
    check(graph, *ends, int(levels(graph, ends[0])[ends[1]])).verify()


@pytest.mark.parametrize("name", few(real_graphs.names(), real_graphs.small_names()))
def test_real_graphs(name):
    graph = real_graphs.load(name)
    answer = real_graphs.expected(name)["sources"][0]
    source = answer["source"]
    distance = wp.bfs(graph, source).distance
    farthest = int(distance.argmax())
    assert distance[farthest] == answer["bfs_ecc"]
    assert wp.st_connected(graph, source, farthest).distance == answer["bfs_ecc"]
    for target in np.random.default_rng(1).integers(0, graph.num_vertices, 10).tolist():
        found = wp.st_connected(graph, source, target)
        assert (found.distance if found else -1) == distance[target]
    found.verify()


@pytest.mark.parametrize("name", real_graphs.ldbc_names())
def test_ldbc_graphalytics(name):
    case = real_graphs.ldbc(name)
    if case.levels is None:
        pytest.skip("no levels are published for it")
    for target, level in enumerate(case.levels.tolist()):
        found = wp.st_connected(case.graph, case.source, target)
        assert (found.distance if found else -1) == level


def test_weights_are_ignored():
    assert wp.st_connected(weighted("path", np.int32), 0, 1499).distance == 1499


def test_it_looks_at_a_small_part_of_the_graph():
    graph = shape("power law")
    found = wp.st_connected(graph, *np.argsort(graph.degree)[-2:].tolist())
    assert found.stats.relaxations < graph.num_arcs / 10


def test_an_end_without_arcs_ends_the_search_at_once():
    graph = shape("power law")
    lonely = int(graph.degree.argmin())
    assert graph.degree[lonely] == 0
    hub = int(graph.degree.argmax())
    for ends in ((hub, lonely), (lonely, hub)):
        found = wp.st_connected(graph, *ends)
        assert not found
        assert found.stats.relaxations == 0
        found.verify()


def test_stats_say_which_search_went_on():
    graph = wp.Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 4])  # 0 has three arcs out, 4 one in
    stats = wp.st_connected(graph, 0, 4).stats
    assert (stats.method, stats.iterations) == ("bidirectional-bfs", 2)
    assert stats.direction == ("backward", "backward")
    assert stats.edges.tolist() == [1, 1]
    assert wp.st_connected(graph, 3, 3).stats.iterations == 0


def test_it_is_a_value():
    found = wp.st_connected(shape("karate"), 0, 33)
    with pytest.raises(FrozenInstanceError):
        found.connected = False
    assert repr(found) == "<Connection: 0 → 33, 2 arcs>"


def test_wrong_answers_do_not_verify():
    graph = wp.Graph.from_edges([0, 1], [1, 2])
    found, none = wp.st_connected(graph, 0, 2), wp.st_connected(graph, 2, 0)
    for wrong, broken in (
        (replace(found, connected=False), "unreachable"),
        (replace(none, connected=True, distance=2), "path"),
        (replace(found, distance=1), "shortest"),
    ):
        with pytest.raises(wp.VerificationError) as error:
            wrong.verify()
        assert error.value.broken == broken
