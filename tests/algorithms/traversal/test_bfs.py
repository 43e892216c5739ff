import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from oracles import DIRECTIONS, SHAPES, levels, shape, small_multigraph, some_vertices


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", SHAPES)
def test_every_direction_finds_the_levels(name, direction, threads, small_teams):
    graph = shape(name)
    for source in some_vertices(graph):
        paths = wp.bfs(graph, source, schedule=wp.Schedule(direction=direction))
        assert paths.distance.dtype == np.int32
        assert paths.predecessor.dtype == np.int32
        assert np.array_equal(paths.distance, levels(graph, source))
        paths.verify()


@pytest.mark.parametrize("alpha", [1e-9, 1.0, 15.0, 1e9, np.inf])
@pytest.mark.parametrize("beta", [1e-9, 1.0, 18.0, 1e9, np.inf])
def test_alpha_and_beta_change_the_way_and_not_the_answer(alpha, beta, threads, small_teams):
    for name in ("power law, directed", "grid"):
        graph = shape(name)
        paths = wp.bfs(graph, 1, schedule=wp.Schedule(alpha=alpha, beta=beta))
        assert np.array_equal(paths.distance, levels(graph, 1))
        paths.verify()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("depth_limit", [0, 1, 2, 5, 2**40])
def test_a_depth_limit_masks_the_answer(depth_limit, direction, threads, small_teams):
    for name in ("power law, directed", "grid", "star"):
        graph = shape(name)
        whole = levels(graph, 3)
        paths = wp.bfs(graph, 3, depth_limit=depth_limit, schedule=wp.Schedule(direction=direction))
        beyond = whole > depth_limit
        assert np.array_equal(paths.distance, np.where(beyond, -1, whole))
        assert (paths.predecessor[beyond] == -1).all()
        assert paths.stats.iterations <= depth_limit
        paths.verify()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("sources", [[0], [5, 3], [1, 2, 3, 2, 1], range(40)])
def test_several_sources_have_a_row_each(sources, direction, threads, small_teams):
    graph = shape("power law, directed")
    paths = wp.bfs(graph, sources, schedule=wp.Schedule(direction=direction))
    assert paths.distance.shape == paths.predecessor.shape == (len(sources), graph.num_vertices)
    assert np.array_equal(paths.distance, [levels(graph, s) for s in sources])
    assert paths.source.tolist() == list(sources)
    paths.verify()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("sources", [[7], [5, 3], [4, 4, 900, 4], range(0, 4096, 37)])
def test_nearest_is_the_least_of_the_rows(sources, direction, threads, small_teams):
    graph = shape("power law, directed")
    rows = np.array([levels(graph, s) for s in sources])
    least = np.where(rows < 0, graph.num_vertices, rows).min(axis=0)
    paths = wp.bfs(graph, sources, nearest=True, schedule=wp.Schedule(direction=direction))
    assert np.array_equal(paths.distance, np.where(least == graph.num_vertices, -1, least))
    assert (paths.predecessor[list(sources)] == -1).all()
    paths.verify()


@pytest.mark.parametrize("sources", [0, [0, 1], [0, 1, 2]])
def test_predecessors_are_left_out_on_demand(sources, threads, small_teams):
    graph = shape("power law")
    paths = wp.bfs(graph, sources, predecessors=False)
    assert paths.predecessor is None
    assert np.array_equal(paths.distance, wp.bfs(graph, sources).distance)
    paths.verify()


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("seed", [*range(4), *slow(range(4, 10))])
def test_small_multigraphs(seed, direction, directed, threads, small_teams):
    graph = small_multigraph(seed, None, directed=directed)
    for source in range(graph.num_vertices):
        paths = wp.bfs(graph, source, schedule=wp.Schedule(direction=direction))
        assert np.array_equal(paths.distance, levels(graph, source))
        paths.verify()


def test_weights_are_ignored():
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], [9, -9, 0.5])
    assert wp.bfs(graph, 0).distance.tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    "source", [2, np.int64(2), np.uint8(2), np.array(2)], ids=lambda s: type(s).__name__
)
def test_a_source_is_any_integer(source):
    paths = wp.bfs(wp.generate.named("path", 4), source)
    assert paths.distance.tolist() == [2, 1, 0, 1]
    assert paths.source == 2
    assert type(paths.source) is int


@pytest.mark.parametrize(
    "sources",
    [[2, 0], (2, 0), range(2, -1, -2), np.array([2, 0]), np.array([2, 0], np.uint64)],
    ids=["list", "tuple", "range", "int64", "uint64"],
)
def test_sources_are_any_sequence(sources):
    paths = wp.bfs(wp.generate.named("path", 4), sources)
    assert paths.distance.tolist() == [[2, 1, 0, 1], [0, 1, 2, 3]]


@pytest.mark.slow
def test_offsets_of_64_bits():
    """As a graph of 2³¹ arcs has them."""
    graph = shape("grid")
    wide = wp.Graph._from_parts(
        graph.row_offsets.astype(np.int64), graph.column_indices, None, False
    )
    for direction in DIRECTIONS:
        paths = wp.bfs(wide, 5, schedule=wp.Schedule(direction=direction))
        assert np.array_equal(paths.distance, levels(graph, 5))
