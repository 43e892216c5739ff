import gc
import itertools
import json
import weakref

import numpy as np
import polars as pl
import pytest

import warpath as wp
from oracles import DIRECTIONS, METHODS, SHAPES, shape, weighted
from warpath.planning.memory import MAX_TRACE_ROWS


@pytest.fixture
def diamond():
    """0 → 1 → 3 is lighter than 0 → 2 → 3; 4 is out of reach."""
    return wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 5, 1, 1], n=5)


@pytest.mark.parametrize("name", ["grid", "power law, directed"])
def test_paths_are_walks_of_the_length_that_they_claim(name):
    graph = weighted(name, np.int32)
    for paths in (wp.sssp(graph, 3), wp.bfs(graph, 3)):
        for v in np.flatnonzero(paths.reached)[::97].tolist():
            path = paths.path(v)
            assert (path[0], path[-1]) == (3, v)
            steps = list(itertools.pairwise(path))
            assert all(graph.has_edge(a, b) for a, b in steps)
            if paths.weighted:
                lengths = [
                    graph.arc_weights(a)[graph.neighbors(a) == b].min() for a, b in steps
                ]  # fmt: skip
            else:
                lengths = [1] * len(steps)
            assert sum(lengths) == paths.distance[v]


def test_path(diamond):
    paths = wp.sssp(diamond, 0)
    assert paths.path(3) == [0, 1, 3]
    assert paths.path(np.int64(3)) == [0, 1, 3]
    assert paths.path(0) == [0]
    assert all(type(v) is int for v in paths.path(3))


def test_path_from_the_nearest_source(diamond):
    paths = wp.sssp(diamond, [2, 4], nearest=True)
    assert paths.path(3) == [2, 3]
    assert paths.path(4) == [4]
    with pytest.raises(wp.NoPathError, match=r"no path leads from \[2 4\] to 0"):
        paths.path(0)


def test_path_errors(diamond):
    paths = wp.sssp(diamond, 0)
    with pytest.raises(wp.NoPathError, match=r"no path leads from 0 to 4$") as error:
        paths.path(4)
    assert (error.value.source, error.value.target) == (0, 4)
    with pytest.raises(wp.NoPathError, match="no path leads from 4 to 0"):
        wp.apsp(diamond, predecessors=True).path(4, 0)
    with pytest.raises(ValueError, match="target 5 is out of range: the graph has 5 vertices"):
        paths.path(5)
    with pytest.raises(ValueError, match=r"target must be an integer vertex id, not 1\.0"):
        paths.path(1.0)
    with pytest.raises(wp.NoPathError, match="no path leads from 0 to 2 within 2"):
        wp.sssp(diamond, 0, cutoff=2).path(2)
    with pytest.raises(wp.NoPathError, match="no path leads from 0 to 3 within 1") as error:
        wp.bfs(diamond, 0, depth_limit=1).path(3)
    assert error.value.limit == 1
    with pytest.raises(ValueError, match="predecessors=False"):
        wp.sssp(diamond, 0, predecessors=False).path(3)
    with pytest.raises(ValueError, match=r"ask one of them, paths\[i\]\.path\(v\)"):
        wp.sssp(diamond, [0, 1]).path(3)


def test_rows(diamond):
    paths = wp.sssp(diamond, [0, 2], cutoff=5)
    assert len(paths) == 2
    rows = list(paths)
    assert [row.source for row in rows] == [0, 2]
    assert rows[1].distance.tolist() == paths.distance[1].tolist()
    assert np.shares_memory(rows[1].distance, paths.distance)
    assert rows[0].path(3) == [0, 1, 3]
    assert paths[-1].path(3) == [2, 3]
    assert rows[0].limit == 5
    rows[0].verify()
    for row in (2, -3):
        with pytest.raises(IndexError, match=f"row {row} of 2 sources"):
            paths[row]


@pytest.mark.parametrize("one", ["int", "nearest"])
def test_one_answer_has_no_rows(diamond, one):
    paths = wp.bfs(diamond, 0) if one == "int" else wp.bfs(diamond, [0, 1], nearest=True)
    with pytest.raises(TypeError, match="only several have a length"):
        len(paths)
    with pytest.raises(TypeError, match="only several have a length"):
        list(paths)
    assert paths[1] == paths.distance[1].item()
    with pytest.raises(ValueError, match="vertex 5 is out of range"):
        paths[5]


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_reached(diamond, dtype):
    expected = [True, True, True, True, False]
    assert wp.sssp(diamond, 0, dtype=dtype).reached.tolist() == expected
    assert wp.bfs(diamond, 0).reached.tolist() == expected
    assert wp.bfs(diamond, [0, 4]).reached.tolist() == [expected, [False] * 4 + [True]]


def test_it_is_frozen(diamond):
    paths = wp.bfs(diamond, 0)
    with pytest.raises(AttributeError):
        paths.distance = None


@pytest.mark.parametrize("v", [0, 1, 4])
@pytest.mark.parametrize("rows", [False, True])
def test_verify_finds_a_changed_answer(diamond, v, rows):
    for run in (wp.sssp, wp.bfs):
        paths = run(diamond, [2, 0] if rows else 0)
        paths.verify()
        paths.distance[..., v] = 3
        with pytest.raises(wp.VerificationError):
            paths.verify()


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("name", SHAPES)
def test_stats_of_bfs(name, direction, threads):
    graph = shape(name)
    paths = wp.bfs(graph, 0, schedule=wp.Schedule(direction=direction))
    stats = paths.stats
    assert stats.method == f"bfs {direction}"
    assert stats.why == ("the default" if direction == "optimizing" else "as asked")
    assert stats.seconds > 0
    assert 1 <= stats.threads <= threads
    assert stats.iterations == paths.distance.max() + 1
    assert len(stats.frontier) == len(stats.edges) == len(stats.direction) == stats.iterations
    assert stats.frontier.tolist() == np.bincount(paths.distance[paths.reached]).tolist()
    down = np.array(stats.direction) == "top-down"
    of_level = np.bincount(
        paths.distance[paths.reached], weights=graph.degree[paths.reached]
    )  # fmt: skip
    assert np.array_equal(stats.edges[down], of_level[down])
    if direction != "optimizing":
        assert set(stats.direction) == {direction}
    if direction == "top-down":
        assert stats.relaxations == graph.degree[paths.reached].sum()


def test_stats_of_an_optimizing_bfs_on_a_power_law_graph(threads):
    """It goes bottom-up in the middle, and inspects a fraction of the arcs."""
    graph = shape("power law")
    paths = wp.bfs(graph, int(graph.degree.argmax()))
    assert "bottom-up" in paths.stats.direction
    reached_arcs = graph.degree[paths.reached].sum()
    assert paths.stats.relaxations < reached_arcs / 2


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", SHAPES)
def test_stats_of_sssp(name, method, threads):
    graph = weighted(name, np.int32)
    paths = wp.sssp(graph, 0, method=method)
    stats = paths.stats
    assert (stats.method, stats.why) == (method, "as asked")
    assert stats.seconds > 0
    assert 1 <= stats.threads <= threads
    assert len(stats.frontier) == len(stats.edges) == stats.iterations >= 1
    assert stats.direction == ()
    assert (stats.delta is not None) == (method == "delta-stepping")
    reached = int(paths.reached.sum())
    assert stats.improvements <= stats.relaxations
    if method in ("dijkstra", "sequential-bellman-ford"):
        assert stats.iterations == stats.threads == 1
    if method == "dijkstra":
        assert stats.frontier.sum() == reached  # each vertex is settled once
        assert stats.relaxations == graph.degree[paths.reached].sum()
    elif method == "bellman-ford-queueless":
        assert (stats.frontier == graph.num_vertices).all()
        assert (stats.edges == graph.num_arcs).all()
    if method != "bellman-ford":  # whose leaves are settled without being relaxed
        assert stats.improvements >= reached - 1
        assert stats.relaxations >= graph.degree[paths.reached].sum()


def test_work_efficiency_can_be_read_off():
    """Which method relaxes most arcs, as in H-BF's figure 9: queueless > queue-based > Dijkstra."""
    graph = weighted("uniform, directed", np.int32)
    work = {m: wp.sssp(graph, 0, method=m).stats.relaxations for m in METHODS}
    assert work["bellman-ford-queueless"] > work["bellman-ford"] > work["dijkstra"]
    assert work["bellman-ford-queueless"] > work["sequential-bellman-ford"] > work["dijkstra"]


def test_stats_of_several_sources_are_sums(diamond):
    stats = wp.bfs(diamond, [0, 3], schedule="direction=top-down").stats
    assert stats.iterations == 4  # 0; 1 and 2; 3 · and 3 alone
    assert stats.frontier.tolist() == [1, 2, 1, 1]
    assert stats.edges.tolist() == [2, 2, 0, 0]


def test_long_runs_add_up_their_last_iterations():
    n = MAX_TRACE_ROWS + 500
    stats = wp.bfs(wp.generate.named("path", n), 0).stats
    assert stats.iterations == n
    assert len(stats.frontier) == len(stats.direction) == MAX_TRACE_ROWS
    assert stats.frontier.sum() == n
    assert stats.frontier[-1] == 501
    assert f"{n - 12:,} more" in str(stats)


def test_stats_print(diamond):
    text = str(wp.sssp(diamond, 0).stats)
    first, header, *rows = text.splitlines()
    assert first.startswith("delta-stepping (no weight is negative): ")
    assert "4 arcs inspected" in first
    assert header.split() == ["iteration", "vertices", "arcs"]
    assert len(rows) == wp.sssp(diamond, 0).stats.iterations
    assert "top-down" in str(wp.bfs(diamond, 0, schedule="direction=top-down").stats)


def test_stats_as_plain_values(diamond):
    for paths in (wp.bfs(diamond, [0, 1]), wp.sssp(diamond, 0), wp.sssp(diamond, [0, 1])):
        plain = paths.stats.as_dict()
        assert json.loads(json.dumps(plain)) == plain
        assert plain["relaxations"] == paths.stats.relaxations
        assert plain["frontier"] == paths.stats.frontier.tolist()


def test_an_answer_is_true():
    graph = wp.Graph.from_edges([0], [1])
    assert wp.bfs(graph, 0)
    assert wp.bfs(graph, [0, 1])


def test_a_cutoff_beyond_all_floats():
    graph = wp.Graph.from_edges([0], [1], [0.5])
    assert wp.sssp(graph, 0, cutoff=10**400).distance.tolist() == [0.0, 0.5]


def test_nearest_source():
    graph = wp.generate.grid(20, weights=(1, 9), seed=3)
    sources = [0, 399, 210, 0]
    for search in (wp.sssp, wp.bfs):
        found = search(graph, sources, nearest=True)
        rows = search(graph, sources)
        nearest = found.nearest_source
        assert nearest.dtype == np.int32
        distance = {s: row.distance for s, row in zip(sources, rows, strict=True)}
        assert all(distance[s][v] == found.distance[v] for v, s in enumerate(nearest.tolist()))
        assert found.to_frame()["source"].to_list() == nearest.tolist()
        assert [found.path(v)[0] for v in range(400)] == nearest.tolist()
        assert rows.nearest_source.tolist() == [[s] * 400 for s in sources]


def test_nearest_source_of_none():
    graph = wp.Graph.from_edges(["a", "c"], ["b", "d"], [3, 4])
    found = wp.sssp(graph, ["c"], nearest=True)
    assert found.nearest_source.tolist() == [-1, -1, 2, 2]
    assert found.to_frame().rows() == [
        (None, "a", None, None), (None, "b", None, None), ("c", "c", 0, None), ("c", "d", 4, "c"),
    ]  # fmt: skip
    with pytest.raises(ValueError, match="kept no predecessors"):
        _ = wp.sssp(graph, ["c"], nearest=True, predecessors=False).nearest_source


def test_frames(diamond):
    paths = wp.sssp(diamond, 0)
    frame = paths.to_frame()
    assert frame.columns == ["vertex", "distance", "predecessor"]
    assert frame["distance"].to_list()[4] is frame["predecessor"].to_list()[0] is None
    assert frame["predecessor"].fill_null(-1).to_list() == paths.predecessor.tolist()
    other = paths.to_pandas()
    assert other["distance"].isna().tolist() == (~paths.reached).tolist()
    assert other["distance"].dropna().tolist() == paths.distance[paths.reached].tolist()
    assert other["vertex"].dtype == np.int32
    floats = wp.sssp(diamond, 0, dtype="float64", predecessors=False).to_pandas()
    assert floats.columns.tolist() == ["vertex", "distance"]
    assert np.isnan(floats["distance"][4])
    assert wp.sssp(diamond, 0, algebra="reachability").to_frame()["distance"].null_count() == 1
    assert wp.sssp(diamond, 0, algebra="reachability").to_pandas()["distance"].dtype == "boolean"
    assert wp.bfs(diamond, [0, 4]).to_frame()["source"].to_list() == [0] * 5 + [4] * 5


@pytest.mark.parametrize(
    "algebra",
    [
        "shortest",
        "widest",
        *(pytest.param(one, marks=pytest.mark.slow) for one in ("minimax", "most-reliable")),
    ],
)
@pytest.mark.parametrize("directed", [True, False])
def test_path_edges(algebra, directed):
    rng = np.random.default_rng(3)
    ends, weights = rng.integers(0, 30, (2, 150)), rng.integers(1, 64, 150).astype(np.int32)
    if algebra == "most-reliable":
        weights = weights / 64
    graph = wp.Graph.from_edges(*ends, weights, n=30, directed=directed, edge_ids=True)
    found = wp.sssp(graph, 0, algebra=algebra)
    extend = {"shortest": np.sum, "widest": np.min, "minimax": np.max, "most-reliable": np.prod}
    for v in np.flatnonzero(found.reached)[1:].tolist():
        rows = found.path_edges(v)
        walk = found.path(v)
        for row, u, w in zip(rows, walk[:-1], walk[1:], strict=True):
            pair = ends[:, row].tolist()
            assert pair == [u, w] or (not directed and pair == [w, u])
        assert extend[algebra](weights[rows]) == pytest.approx(found.distance[v], rel=1e-12)
    hops = wp.bfs(graph, 0)
    assert len(hops.path_edges(walk[-1])) == hops.distance[walk[-1]]
    with pytest.raises(ValueError, match="no edge ids"):
        wp.sssp(wp.Graph.from_edges(*ends, n=30), 0).path_edges(walk[-1])


def test_path_edges_are_rows_of_a_frame():
    frame = pl.DataFrame({
        "u": ["b", "a", "a", "b"], "v": ["c", "b", "b", "a"], "length": [3, 9, 7, 1],
        "street": ["Main", "Long", "Short", "Back"],
    })  # fmt: skip
    graph = wp.Graph(frame, edge_ids=True)
    assert frame["street"][wp.sssp(graph, "a").path_edges("c")].to_list() == ["Short", "Main"]
    path = wp.shortest_path(graph, "a", "c")
    assert graph.path_edges(path.vertices) == [2, 0]


@pytest.mark.parametrize(
    "call",
    [
        lambda g: wp.bfs(g, 0), lambda g: wp.sssp(g, 0), lambda g: wp.apsp(g),
        lambda g: wp.distance_matrix(g, [0, 1]),
    ],
    ids=["bfs", "sssp", "apsp", "distance_matrix"],
)  # fmt: skip
def test_answers_are_freed_at_once(call):
    """None refers to itself, which would leave its arrays to the garbage collector."""
    found = call(wp.generate.grid(5, weights=(1, 9), seed=1))
    found.verify()
    repr(found), found._repr_html_(), found.to_numpy()
    gone = weakref.ref(found)
    gc.disable()
    try:
        del found
        assert gone() is None
    finally:
        gc.enable()
