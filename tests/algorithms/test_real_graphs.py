"""Real graphs with answers that others published, through the readers and the public API."""

import numpy as np
import pytest

import real_graphs
import warpath as wp
from exhaustive import few, slow
from oracles import DIRECTIONS, METHODS, NON_NEGATIVE, SIGNED
from warpath import verify

# Looking at all vertices in every iteration takes minutes on a large road network.
_LARGE = 100_000  # vertices
_SLOW = ("bellman-ford-queueless", "sequential-bellman-ford")


def are(*kinds: str) -> list[str]:
    """The graphs of expected.json whose weights are of these kinds."""
    return [n for n in real_graphs.names() if real_graphs.expected(n)["weights"].startswith(kinds)]


def pairs(names: list[str], methods: tuple[str, ...]) -> list:
    """Each graph with each method that ends in a reasonable time there."""
    chosen = []
    for name in names:
        n = real_graphs.expected(name)["nodes"]
        marks = [] if name in real_graphs.small_names() else [pytest.mark.slow]
        chosen += [
            pytest.param(name, method, marks=marks)
            for method in methods
            if method not in _SLOW or n < _LARGE
        ]
    return chosen


def sources(name: str) -> list[dict]:
    return real_graphs.expected(name)["sources"]


@pytest.mark.parametrize(("name", "direction"), pairs(real_graphs.names(), DIRECTIONS))
def test_levels(name, direction):
    graph = real_graphs.load(name)
    few = direction == "bottom-up" and graph.num_vertices >= _LARGE
    for answer in sources(name)[: 1 if few else None]:
        paths = wp.bfs(graph, answer["source"], schedule=wp.Schedule(direction=direction))
        assert real_graphs.sha256(paths.distance.astype("<i4")) == answer["bfs_levels_sha256_i32le"]
        assert paths.reached.sum() == answer["bfs_reached"]
        assert paths.distance.max() == answer["bfs_ecc"]
        assert paths.distance[paths.reached].sum() == answer["bfs_level_sum"]
    paths.verify()


@pytest.mark.parametrize(
    ("name", "method"), pairs(are("int", "synthetic"), ("auto", "dijkstra", *SIGNED))
)  # fmt: skip
def test_distances(name, method):
    graph = real_graphs.load(name)
    few = method == "bellman-ford" and graph.num_vertices >= _LARGE
    for answer in sources(name)[: 1 if few else None]:
        paths = wp.sssp(graph, answer["source"], method=method)
        whole = np.where(paths.reached, paths.distance, -1).astype("<i8")
        assert real_graphs.sha256(whole) == answer["sssp_dist_sha256_i64le"]
        assert paths.reached.sum() == answer["sssp_reached"]
        assert whole.max() == answer["sssp_max"]
    paths.verify()


@pytest.mark.parametrize(
    ("name", "method"), pairs(are("int", "synthetic"), ("auto", *_SLOW))
)  # fmt: skip
def test_distances_of_the_negative_twin(name, method):
    twin = real_graphs.negative_twin(name)
    for answer in sources(name):
        paths = wp.sssp(twin, answer["source"], method=method, dtype=np.int64)
        known = answer["negtwin_dist_sha256_i64le_unreached_maxint"]
        assert real_graphs.sha256(paths.distance.astype("<i8")) == known
        assert paths.distance.min() == answer["negtwin_min"]
    paths.verify()


@pytest.mark.parametrize(("name", "method"), pairs(are("float"), ("auto", *METHODS)))
def test_distances_of_float_weights(name, method):
    graph = real_graphs.load(name)
    for answer in sources(name):
        paths = wp.sssp(graph, answer["source"], method=method)
        found = paths.distance[paths.reached]
        assert len(found) == answer["sssp_reached"]
        assert found.sum() == pytest.approx(answer["sssp_sum"], rel=1e-12)
        assert found.max() == pytest.approx(answer["sssp_max"], rel=1e-12)
        paths.verify()
        exact = wp.sssp(graph, answer["source"], method="dijkstra").distance
        assert np.array_equal(paths.distance, exact)


@pytest.mark.parametrize("method", ["auto", *SIGNED])
@pytest.mark.parametrize("name", are("signed"))
def test_negative_cycles(name, method):
    """Distrust on both sides: a negative cycle of two."""
    graph = real_graphs.load(name)
    assert graph.weight_range[0] < 0
    for answer in sources(name):
        source = answer["source"]
        with pytest.raises(wp.NegativeCycleError) as caught:
            wp.sssp(graph, source, method=method)
        verify.negative_cycle(graph, caught.value.cycle, source)


@pytest.mark.parametrize("name", real_graphs.ldbc_names())
def test_ldbc_graphalytics(name):
    case = real_graphs.ldbc(name)
    assert case.levels is not None or case.distances is not None
    if case.levels is not None:
        for direction in DIRECTIONS:
            paths = wp.bfs(case.graph, case.source, schedule=wp.Schedule(direction=direction))
            assert np.array_equal(paths.distance, case.levels)
            paths.verify()
    if case.distances is not None:
        for method in METHODS:
            paths = wp.sssp(case.graph, case.source, method=method)
            np.testing.assert_allclose(paths.distance, case.distances, rtol=1e-12)
            paths.verify()


CHECKED = real_graphs.library_checker_names()
ALL_PAIRS = real_graphs.apsp_names()


@pytest.mark.parametrize("name", few(CHECKED, [one for one in CHECKED if "line" not in one]))
def test_library_checker(name):
    graph, s, t, answer = real_graphs.library_checker(name)
    for method in METHODS:
        if method in _SLOW and graph.num_vertices >= _LARGE:
            continue
        for options in ({}, {"target": t}):
            paths = wp.sssp(graph, s, method=method, **options)
            assert paths.reached[t] == (answer is not None)
            if answer is not None:
                assert paths.distance[t] == answer
                path = paths.path(t)
                assert (path[0], path[-1]) == (s, t)
        paths.verify()


@pytest.mark.parametrize("name", real_graphs.dijkstra_names())
def test_stanford_dijkstra(name):
    graph, source, vertices, answers = real_graphs.dijkstra(name)
    for method in METHODS:
        paths = wp.sssp(graph, source, method=method)
        found = np.where(paths.reached, paths.distance, -1)[vertices]
        assert np.array_equal(found, answers)
        paths.verify()


@pytest.mark.parametrize("name", few(ALL_PAIRS, [one for one in ALL_PAIRS if "2048" not in one]))
def test_stanford_shortest_of_all_paths(name):
    """A row for every vertex; one negative cycle anywhere is reached from some."""
    graph, answer = real_graphs.apsp(name)
    everywhere = range(graph.num_vertices)
    for method in SIGNED:
        if method != "bellman-ford" and graph.num_vertices > 256:
            continue
        if answer is None:
            with pytest.raises(wp.NegativeCycleError) as caught:
                wp.sssp(graph, everywhere, method=method)
            verify.negative_cycle(graph, caught.value.cycle)
            continue
        paths = wp.sssp(graph, everywhere, method=method, dtype=np.int64)
        between = paths.distance.copy()
        np.fill_diagonal(between, np.iinfo(np.int64).max)
        assert between.min() == answer
        for row in range(0, graph.num_vertices, 50):
            paths[row].verify()


# -- moving ai ------------------------------------------------------------------------------

_MAPS = real_graphs.DATA / "movingai" / "dao"
_PASSABLE = b".GS"
_ROUNDED = 1e-5  # scenarios print lengths to 6 significant digits


def grid_map(name: str) -> tuple[wp.Graph, int]:
    """Cells joined to their passable neighbours, eight at most; and the map's width.

    A diagonal move takes √2, and both cells next to it must be passable.
    """
    from warpath.io.source import Source

    with Source(_MAPS / f"{name}.map.gz") as source:
        text = b"".join(iter(lambda: source.read(1 << 20), b""))
    _, height, width, _, *rows = text.split(b"\n")
    height, width = int(height.split()[1]), int(width.split()[1])
    cells = np.array([list(row) for row in rows[:height]], np.uint8)
    assert cells.shape == (height, width)
    free = np.isin(cells, list(_PASSABLE))
    ids = np.arange(height * width).reshape(height, width)
    right = free[:, :-1] & free[:, 1:]
    down = free[:-1] & free[1:]
    square = right[:-1] & right[1:]
    arcs = [
        (ids[:, :-1][right], ids[:, 1:][right], 1.0),
        (ids[:-1][down], ids[1:][down], 1.0),
        (ids[:-1, :-1][square], ids[1:, 1:][square], np.sqrt(2)),
        (ids[:-1, 1:][square], ids[1:, :-1][square], np.sqrt(2)),
    ]
    source, target = (np.concatenate([arc[k] for arc in arcs]) for k in (0, 1))
    weight = np.concatenate([np.full(len(arc[0]), arc[2]) for arc in arcs])
    return wp.Graph.from_edges(source, target, weight, n=height * width, directed=False), width


def scenarios(name: str, every: int) -> np.ndarray:
    """Rows of (start x, start y, goal x, goal y, optimal length)."""
    return np.loadtxt(
        _MAPS / f"{name}.map.scen.gz", skiprows=1, usecols=range(4, 9), ndmin=2
    )[::every]  # fmt: skip


@pytest.mark.skipif(not _MAPS.is_dir(), reason=f"no maps at {_MAPS}")
@pytest.mark.parametrize("method", ["auto", *NON_NEGATIVE, "bellman-ford"])
@pytest.mark.parametrize(
    ("name", "every"), [("arena", 1), *slow([("arena2", 10), ("brc202d", 50)])]
)
def test_moving_ai(name, every, method):
    graph, width = grid_map(name)
    rows = scenarios(name, every)
    starts, goals = (
        (rows[:, k] + rows[:, k + 1] * width).astype(np.int64) for k in (0, 2)
    )  # fmt: skip
    paths = wp.sssp(graph, starts, method=method)
    found = paths.distance[np.arange(len(rows)), goals]
    np.testing.assert_allclose(found, rows[:, 4], rtol=_ROUNDED)
    for row in range(0, len(rows), 20):
        paths[row].verify()
        one = wp.sssp(graph, starts[row], target=goals[row], method=method)
        assert one.distance[goals[row]] == found[row]
        one.verify()
        between = wp.shortest_path(graph, starts[row], goals[row], method=method)
        assert between.length == found[row]
        between.verify()
