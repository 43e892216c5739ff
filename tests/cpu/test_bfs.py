"""Each form of a step is reached, and gives the same levels."""

import itertools

import numpy as np
import pytest

from oracles import levels
from warpath import Graph, verify
from warpath.cpu import bfs as cpu
from warpath.cpu.levels import LARGE, TOGETHER
from warpath.cpu.trace import BOTTOM_UP, DIRECTION, EDGES, TOP_DOWN, VERTICES
from warpath.generate import erdos_renyi, grid, named, rmat
from warpath.planning.breadth_first import ALPHA, BETA


def run(
    graph,
    source,
    direction="top-down",
    threads=1,
    alpha=ALPHA["cpu"],
    beta=BETA["cpu"],
    limit=2**31 - 1,
):
    """The engine's report, its answer verified."""
    n = graph.num_vertices
    distance, predecessor = np.empty(n, np.int32), np.empty(n, np.int32)
    sources = np.atleast_1d(np.int32(source))
    report = cpu.bfs(
        graph, sources, direction, alpha, beta, limit, distance, predecessor, threads
    )  # fmt: skip
    verify.bfs(graph, sources, distance, predecessor, depth_limit=limit)
    if len(sources) == 1 and limit > n:
        assert np.array_equal(distance, levels(graph, int(source)))
    assert report.threads == threads
    return report


def forms(report):
    """Which form each top-down step took: see the thresholds in `warpath.cpu.levels`."""
    edges = report.trace[report.trace[:, DIRECTION] == TOP_DOWN, EDGES]
    return {"alone" if e < TOGETHER else "lists" if e < LARGE else "chunks" for e in edges}


def test_all_forms_of_a_top_down_step(size):
    graph = rmat(14, 16)
    report = run(graph, int(np.flatnonzero(graph.degree == 1)[0]), threads=size)
    assert forms(report) == {"alone", "lists", "chunks"}
    assert report.trace[:, EDGES].max() >= LARGE


def test_a_road_network_goes_by_lists(size):
    """A wide frontier of few edges, level after level."""
    graph = grid(700, 700, keep=0.9)
    report = run(graph, 350 * 700, threads=size)
    assert forms(report) == {"alone", "lists"}
    assert report.iterations > 700
    assert report.trace[:, VERTICES].sum() <= graph.num_vertices


def test_two_threads_find_the_same_vertices(size):
    """Each vertex of the second level is a neighbour of every one in the first."""
    left, right = np.arange(1, 41), np.arange(41, 641)  # 24,000 edges: by lists
    source = np.concatenate([np.zeros(40, int), np.repeat(left, 600), right])
    target = np.concatenate([left, np.tile(right, 40), np.full(600, 641)])
    graph = Graph.from_edges(source, target)
    report = run(graph, 0, threads=size)
    assert report.trace[:, VERTICES].tolist() == [1, 40, 600, 1]
    assert forms(report) == {"alone", "lists"}


def test_two_threads_find_the_same_vertices_in_chunks(size):
    left, right = np.arange(1, 401), np.arange(401, 1401)  # 400,000 edges
    source = np.concatenate([np.zeros(400, int), np.repeat(left, 1000)])
    target = np.concatenate([left, np.tile(right, 400)])
    report = run(Graph.from_edges(source, target), 0, threads=size)
    assert report.trace[:, VERTICES].tolist() == [1, 400, 1000]
    assert report.trace[1, EDGES] >= LARGE


@pytest.mark.parametrize("leaves", [cpu._BUFFER, cpu._BUFFER + 1, LARGE - 1, LARGE, 70_000])
def test_one_hub_fills_every_buffer(leaves, size):
    graph = named("star", leaves + 1)
    for direction in cpu.DIRECTIONS:
        run(graph, 0, direction, size)
        run(graph, 5, direction, size)


def test_optimizing_turns_twice(size):
    graph = rmat(15, 16)
    leaf = int(np.flatnonzero(graph.degree == 1)[0])
    report = run(graph, leaf, "optimizing", size)
    ways = report.trace[:, DIRECTION].tolist()
    turns = [a != b for a, b in itertools.pairwise(ways)]
    assert ways[0] == TOP_DOWN
    assert BOTTOM_UP in ways
    assert sum(turns) in (1, 2)


def test_many_vertices_wake_between_two_turns(size):
    """The queue is made again of more vertices than a thread keeps before it appends them."""
    graph = erdos_renyi(400_000, 1_000_000)
    report = run(graph, 1, "optimizing", size, alpha=3, beta=3.5)
    ways = report.trace[:, DIRECTION].tolist()
    back = next(i for i in range(1, len(ways)) if ways[i - 1 : i + 1] == [BOTTOM_UP, TOP_DOWN])
    assert report.trace[back, VERTICES] > LARGE


def test_a_road_network_never_turns(size):
    report = run(grid(200, 200, keep=0.9), 0, "optimizing", size)
    assert (report.trace[:, DIRECTION] == TOP_DOWN).all()


def test_a_search_whose_frontiers_do_not_grow_never_turns(size):
    """Also where few arcs are left: few of the vertices that are left have a neighbour in it."""
    near, n = 60, 3000
    first = np.repeat(np.arange(n - near), near)
    band = Graph.from_edges(first, first + np.tile(np.arange(1, near + 1), n - near), n=n)
    report = run(band, 0, "optimizing", size)
    assert report.trace[:, EDGES].max() > n / BETA["cpu"]
    assert (report.trace[:, DIRECTION] == TOP_DOWN).all()


@pytest.mark.parametrize("n", [1, 2, 63, 64, 65, 127, 128, 1023, 1024, 1025, 4097])
@pytest.mark.parametrize("direction", cpu.DIRECTIONS)
def test_numbers_of_vertices_beside_a_words_end(n, direction, size):
    for graph in (named("star", n), named("path", n), named("path", n, directed=True)):
        run(graph, 0, direction, size)
        run(graph, n - 1, direction, size)


@pytest.mark.parametrize("direction", cpu.DIRECTIONS)
def test_every_vertex_is_a_source(direction, size):
    graph = erdos_renyi(3000, 9000, directed=True)
    report = run(graph, np.arange(3000), direction, size)
    assert report.iterations == 1
    assert report.trace[0, VERTICES] == 3000


@pytest.mark.parametrize("direction", cpu.DIRECTIONS)
@pytest.mark.parametrize("limit", [0, 1, 2, 3])
def test_a_limit_ends_every_form(direction, limit, size):
    graph = rmat(14, 16, directed=True)
    report = run(graph, int(graph.degree.argmax()), direction, size, limit=limit)
    assert report.iterations == limit


def test_bottom_up_goes_against_the_arcs(size):
    graph = Graph.from_edges([0, 1, 3], [1, 2, 0])
    report = run(graph, 0, "bottom-up", size)
    assert report.iterations == 3
    # Unreached vertices ask arc after arc into them: of 1, 2 and 0 → 3's none; of 2; of none.
    assert report.trace[:, EDGES].tolist() == [2, 1, 0]
