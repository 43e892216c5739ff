"""Levels that threads go through by lists of their own: answers, and what the trace counts."""

import itertools

import numpy as np
import pytest

from oracles import levels
from warpath import Graph, verify
from warpath.cpu import bfs as cpu
from warpath.cpu.levels import LARGE, TOGETHER, is_unpredictable
from warpath.cpu.trace import BOTTOM_UP, DIRECTION, EDGES, VERTICES
from warpath.generate import erdos_renyi, grid, named, rmat
from warpath.planning.breadth_first import ALPHA, BETA

NO_LIMIT = 2**31 - 1


def run(graph, sources, size, direction="top-down", limit=NO_LIMIT):
    """The distances, verified, and the trace, which a top-down search's distances give as well."""
    n = graph.num_vertices
    distance, predecessor = np.empty(n, np.int32), np.empty(n, np.int32)
    sources = np.unique(sources).astype(np.int32)
    report = cpu.bfs(
        graph, sources, direction, ALPHA["cpu"], BETA["cpu"], limit, distance, predecessor, size
    )
    verify.bfs(graph, sources, distance, predecessor, depth_limit=limit)
    rows = report.iterations
    assert len(report.trace) == rows
    reached = distance[distance >= 0]
    assert report.trace[:, VERTICES].tolist() == np.bincount(reached).tolist()[:rows]
    if direction == "top-down":
        degree = graph.degree[distance >= 0]
        edges = np.bincount(reached, degree).astype(int)[:rows]
        assert report.trace[:, EDGES].tolist() == edges.tolist()
    return distance, report.trace


def circulant(n, reach):
    """Each vertex is joined to ``reach`` vertices on either side."""
    here = np.repeat(np.arange(n), reach)
    return Graph.from_edges(here, (here + np.tile(np.arange(1, reach + 1), n)) % n, directed=False)


def chained(*sizes):
    """Levels of these sizes, each vertex joined to all of the level before; and their first ids."""
    first = np.concatenate([[0], np.cumsum(sizes)])
    pairs = [
        (np.repeat(np.arange(*first[k : k + 2]), b), np.tile(np.arange(*first[k + 1 : k + 3]), a))
        for k, (a, b) in enumerate(itertools.pairwise(sizes))
    ]
    source, target = (np.concatenate(ends) for ends in zip(*pairs, strict=True))
    return Graph.from_edges(source, target, directed=False)


@pytest.mark.parametrize("reach", range(1, 7))
def test_degrees_on_both_sides_of_few(reach, size):
    """2 to 12 arcs per vertex, from many places at once, so that levels are shared."""
    graph = circulant(6000, reach)
    run(graph, np.arange(0, 6000, 40), size)


@pytest.mark.parametrize("edges", [20_000, 30_000, 50_000, 100_000])
def test_degrees_that_differ(edges, size):
    """2 to 10 arcs per vertex, on average, and one hub: groups that are full, or not."""
    graph = erdos_renyi(20_000, edges, seed=edges)
    source, target, _ = graph.coo()
    hub = np.arange(1, 20)
    graph = Graph.from_edges(np.append(source, hub * 0), np.append(target, hub), symmetrize=True)
    assert is_unpredictable(graph) == (edges < 60_000)
    run(graph, np.arange(0, 2000, 40), size)
    run(graph, 0, size, "optimizing")


def test_which_graphs_go_without_branches():
    assert is_unpredictable(grid(300, keep=0.9))
    assert is_unpredictable(erdos_renyi(20_000, 50_000))
    for regular in (grid(300), circulant(6000, 2), circulant(6000, 3), named("path", 5000)):
        assert not is_unpredictable(regular)
    for many in (rmat(12, 16), named("star", 5000), erdos_renyi(20_000, 100_000)):
        assert not is_unpredictable(many)
    assert not is_unpredictable(Graph.from_edges([0, 0, 1], [1, 2, 2]))  # less than a group
    assert not is_unpredictable(Graph.from_edges([], [], n=5))


@pytest.mark.parametrize("seed", range(4))
def test_parallel_arcs_and_self_loops_are_found_once(seed, size):
    random = np.random.default_rng(seed)
    source, target = random.integers(0, 3000, (2, 9000))
    graph = Graph.from_edges(np.repeat(source, 3), np.repeat(target, 3), n=3000)
    run(graph, random.integers(0, 3000, 200), size)


def test_what_two_threads_find_is_expanded_once(size):
    """Every vertex of a level is found by all of the level before: by each thread."""
    _, trace = run(chained(1, 40, 60, 40, 60, 40, 1), 0, size)
    assert trace[:, VERTICES].tolist() == [1, 40, 60, 40, 60, 40, 1]


@pytest.mark.parametrize("leaves", [LARGE - 3, LARGE - 2, LARGE - 1, LARGE, LARGE + 5000])
@pytest.mark.parametrize("directed", [False, True])
def test_a_frontier_that_grows_suddenly(leaves, directed, size):
    """A path leads to a hub with this number of leaves, which have one arc more or none at all."""
    source = np.concatenate([np.arange(20), np.full(leaves, 20)])
    target = np.concatenate([np.arange(1, 21), np.arange(21, 21 + leaves)])
    graph = Graph.from_edges(source, target, directed=directed)
    for direction in ("top-down", "optimizing"):
        distance, _ = run(graph, 0, size, direction)
        assert (distance[21:] == 21).all()


def test_several_hubs_at_once(size):
    """Each list may be filled by one thread: hubs stand side by side in the frontier."""
    graph = chained(1, 9, LARGE // 9, 1)
    run(graph, 0, size)
    run(graph, graph.num_vertices - 1, size)


def test_alone_together_alone(size):
    """A path into a grid, out of its other corner, and into one more grid."""
    side, tail = 150, 300
    one = grid(side)
    source, target, _ = one.coo()
    path = np.arange(tail)
    last = 2 * side**2
    source = np.concatenate(
        [source, source + side**2, last + path[:-1], [side**2 - 1, last + tail - 1]]
    )
    target = np.concatenate([target, target + side**2, last + path[1:], [last, side**2]])
    graph = Graph.from_edges(source, target, symmetrize=True)
    _, trace = run(graph, 0, size)
    together = trace[:, EDGES] >= TOGETHER
    assert len(list(itertools.groupby(together))) == 5


@pytest.mark.parametrize("limit", [0, 1, 7, 100, 101, 399])
def test_a_limit_in_the_middle(limit, size):
    graph = grid(300, keep=0.9)
    distance, trace = run(graph, 45_150, size, limit=limit)
    whole = levels(graph, 45_150)
    assert np.array_equal(distance, np.where(whole <= limit, whole, -1))
    assert len(trace) == min(limit, whole.max() + 1)


@pytest.mark.parametrize("count", [2, 50, 3000])
def test_several_sources(count, size):
    graph = grid(250, keep=0.9)
    sources = np.random.default_rng(count).choice(graph.num_vertices, count, replace=False)
    for limit in (5, NO_LIMIT):
        run(graph, sources, size, limit=limit)


@pytest.mark.parametrize("n", [1, 3, 100, 5000])
def test_no_arcs(n, size):
    _, trace = run(Graph.from_edges([], [], n=n), np.arange(n), size)
    assert trace.tolist() == [[n, 0, 0]]


@pytest.mark.parametrize("last", [1, 2, 3, 4, 5])
def test_arcs_that_end_the_array(last, size):
    """The last vertices have the array's last arcs, fewer than a group."""
    n = 400
    path = np.arange(n - 1)
    graph = Graph.from_edges(
        np.concatenate([path, np.full(last, n - 1)]), np.concatenate([path + 1, np.arange(last)])
    )
    run(graph, [0, 100, 200], size)
    run(graph, np.arange(n - 60, n), size)


def test_directions_turn_by_exact_counts():
    """Whatever the threads, and whichever finds a vertex twice: the same levels, the same forms."""
    for graph in (rmat(15, 8), erdos_renyi(60_000, 120_000), grid(200, keep=0.9)):
        source = int(graph.degree.argmax())
        traces = [run(graph, source, threads, "optimizing")[1] for threads in (1, 2, 2, 2)]
        assert all(np.array_equal(trace, traces[0]) for trace in traces)
    assert BOTTOM_UP in run(named("star", 5000), 3, 2, "optimizing")[1][:, DIRECTION]
