"""Origin-destination matrices: against rows of SSSP, SciPy, and the certificate."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import warpath as wp
from algebras import EACH_KIND, probabilities
from exhaustive import few, slow
from oracles import (
    DTYPES,
    ONE_OF_EACH_KIND,
    SHAPES,
    lightest,
    shape,
    signed,
    small_multigraph,
    weighted,
)
from warpath.algorithms.all_pairs import near_rows, rows, target_rows

FEW, MANY = [3, 0, 5], [1, 5, 0, 3, 2, 1, 4]


def check(graph, sources, targets=None, **options):
    """The matrix is what `warpath.sssp` finds row by row, to the bit."""
    found = wp.distance_matrix(graph, sources, targets, **options)
    asked = {key: options[key] for key in ("algebra", "cutoff", "dtype") if key in options}
    whole = wp.sssp(graph, sources, device="cpu", **asked).distance
    right = whole if targets is None else whole[:, targets]
    assert found.distance.dtype == right.dtype
    assert found.distance.tobytes() == right.tobytes()
    assert np.array_equal(found.sources, sources)
    every = np.arange(graph.num_vertices)
    assert np.array_equal(found.targets, every if targets is None else targets)
    return found


@pytest.mark.parametrize(
    ("name", "dtype"),
    few(
        product([name for name in SHAPES if name != "one vertex"], [None, *DTYPES]),
        [(name, np.int32) for name in SHAPES] + [("power law", None), ("power law", np.float64)],
    ),
)
def test_shapes(name, dtype):
    graph = shape(name) if dtype is None else weighted(name, dtype)
    n = graph.num_vertices
    rng = np.random.default_rng(n)
    for k, t in ((9, 4), (4, 9), (9, None)):
        sources = rng.integers(0, n, k)
        check(graph, sources, None if t is None else rng.integers(0, n, t))


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
@given(
    seed=st.integers(0, 2**32), directed=st.booleans(),
    sources=st.lists(st.integers(0, 13), min_size=1, max_size=12),
    targets=st.none() | st.lists(st.integers(0, 13), min_size=1, max_size=12),
)  # fmt: skip
def test_multigraphs(dtype, seed, directed, sources, targets):
    graph = small_multigraph(seed, dtype, directed=directed)
    check(graph, sources, targets).verify()
    check(graph.without_weights(), sources, targets).verify()


def test_against_scipy():
    graph = weighted("uniform, directed", np.float64)
    found = wp.distance_matrix(graph, FEW, MANY)
    right = csgraph.dijkstra(lightest(graph), indices=FEW)[:, MANY]
    assert np.allclose(found.distance, right)
    assert np.array_equal(found.reached, np.isfinite(right))


@pytest.mark.parametrize(("algebra", "dtype"), few(EACH_KIND, [("widest", np.int32)]))
def test_other_algebras(algebra, dtype):
    graph = weighted("karate", dtype)
    graph = probabilities(graph) if algebra == "most-reliable" else graph
    for sources, targets in ((FEW, MANY), (MANY, FEW), (FEW, None)):
        check(graph, sources, targets, algebra=algebra).verify()


def test_reachability():
    graph = signed("power law, directed", np.int32)
    for sources, targets in ((MANY * 2, FEW), (FEW, MANY), (MANY * 2, None)):
        found = check(graph, sources, targets, algebra="reachability")
        assert found.stats.method == ("bfs" if len(sources) > 8 and targets is None else "sssp")
    found.verify()


CUTOFFS = [0, 1, 2.5, 7, 1e30]


@pytest.mark.parametrize(
    ("cutoff", "dtype"),
    few(product(CUTOFFS, [None, np.int32, np.float32]), product([2.5, 7], [None, np.int32])),
)
def test_a_cutoff(cutoff, dtype):
    sources = [*range(12)]
    graph = shape("karate") if dtype is None else weighted("karate", dtype)
    for targets in (FEW, None):
        found = check(graph, sources, targets, cutoff=cutoff)
        assert found.limit == cutoff
        found.verify()


@pytest.mark.slow
@pytest.mark.parametrize("cutoff", CUTOFFS)
def test_a_cutoff_of_another_algebra(cutoff):
    check(weighted("karate", np.int32), FEW, MANY, cutoff=cutoff, algebra="minimax").verify()


# -- how it is done --------------------------------------------------------------------------


@pytest.mark.slow
def test_searches_go_from_the_shorter_side_where_nothing_is_rounded():
    for graph, options, backwards in (
        (weighted("power law, directed", np.int32), {}, True),
        (weighted("power law, directed", np.float32), {}, False),
        (weighted("power law, directed", np.float32), {"algebra": "widest"}, True),
        (signed("power law, directed", np.int32), {}, False),
    ):
        stats = check(graph, MANY, FEW, **options).stats
        assert ("on the reversed graph" in stats.why) is backwards
        assert stats.frontier[0] == (len(FEW) if backwards else len(MANY))
        assert "backwards" not in check(graph, FEW, MANY, **options).stats.why
    huge = wp.Graph.from_edges([0, 1], [1, 2], np.int64([2**62, 2**61]))
    assert "backwards" not in wp.distance_matrix(huge, [0, 1], 2).stats.why


def test_without_weights_searches_share_words():
    graph = shape("power law, directed")
    found = check(graph, np.arange(600), [5, 6, 7000 % graph.num_vertices])
    assert found.stats.method == "sssp"  # from three targets, backwards
    found = check(graph, np.arange(600), np.arange(700))
    assert "512 searches at once" in found.stats.why
    assert found.stats.method == "bfs"


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_negative_weights(dtype):
    graph = signed("uniform, directed", dtype)
    for targets in (FEW, None):
        found = check(graph, MANY, targets)
        assert (found.stats.method, found.stats.why.split(";")[0]) == (
            "johnson",
            "a weight is negative",
        )
    found.verify()
    assert check(graph, [4], FEW).stats.method == "sssp"


def test_a_negative_cycle_counts_only_where_a_source_reaches_it():
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 1, 3], [1, 1, -2, 1])
    with pytest.raises(wp.NegativeCycleError):
        wp.distance_matrix(graph, [3, 0], [3])
    found = wp.distance_matrix(graph, [3, 3], [0, 3])
    assert found.reached.tolist() == [[False, True]] * 2
    found.verify()
    undirected = wp.Graph.from_edges([0, 2], [1, 3], [-1, 4], directed=False)
    assert wp.distance_matrix(undirected, [2, 3], [3, 2]).distance.tolist() == [[4, 0], [0, 4]]
    with pytest.raises(wp.NegativeCycleError):
        wp.distance_matrix(undirected, [2, 0], [3])


def test_only_a_batch_of_rows_is_held(monkeypatch):
    monkeypatch.setattr(rows, "_BATCH_BYTES", 1)
    graph, seen, most = weighted("grid", np.int32), [], []
    search = rows.Rows.search

    def count(self, sources, predecessors):
        most.append(len(sources))
        return search(self, sources, predecessors)

    monkeypatch.setattr(rows.Rows, "search", count)
    sources = np.arange(0, 60)
    found = check(graph, sources, np.arange(100), progress=lambda *now: seen.append(now))
    assert max(most) == 2 * wp.num_threads() < 60
    assert seen[-1] == (60, 60)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert found.stats.iterations > 0
    assert found.stats.edges[0] > 0


def test_progress_may_stop_it(tmp_path):
    def stop(done, of):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        wp.distance_matrix(shape("karate"), FEW, MANY, out=tmp_path / "d.npy", progress=stop)
    assert list(tmp_path.iterdir()) == []


# -- searches that end early -----------------------------------------------------------------


def corner(size):
    """Some vertices of the grid's corner; it has 130 rows of 150."""
    return (np.arange(size)[:, None] * 150 + np.arange(size)).ravel()


@pytest.mark.parametrize("dtype", [None, *ONE_OF_EACH_KIND])
def test_a_search_for_near_targets_costs_what_it_meets(dtype):
    graph = shape("grid") if dtype is None else weighted("grid", dtype)
    near, far = corner(4), graph.num_vertices - 1
    found = check(graph, near[:3], near[::2])
    assert "as far as the targets are" in found.stats.why
    assert found.stats.edges[0] < graph.num_arcs / 10
    assert found.stats.iterations == 3
    found.verify()
    check(graph, near[:3], [3, 3, 0, 151])  # one twice, and a source
    check(graph, near[:3], near[::2], cutoff=2.5)
    check(graph, [0, far], near[::2])  # one source is far away
    check(graph, [*near, far], near[::2])  # one of many
    check(graph, near[:3], [*near[::2], far])  # a target is


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_searches_end_where_the_targets_are(dtype, monkeypatch):
    monkeypatch.setattr(target_rows, "_SHARE", 2**40)
    monkeypatch.setattr(target_rows, "_MIN_BUDGET", 1)
    graph = weighted("grid", dtype)
    near = corner(12)
    found = check(graph, near[::9], near[::3])
    whole = wp.sssp(graph, near[::9], predecessors=False, device="cpu")
    assert found.stats.edges[0] < whole.stats.relaxations / 3
    found.verify()
    check(graph, np.append(near[::9], 19_000), near[::3])  # one source is far away
    check(graph, near[::9], np.append(near[::3], 19_000))  # a target is
    monkeypatch.setattr(near_rows, "_FARTHER", 0.01)  # nothing is found at once
    check(graph, near[::9], near[::3])


def test_targets_that_no_path_leads_to():
    graph = weighted("power law, directed", np.int32)
    distance = wp.sssp(graph, 0).distance
    lost = np.flatnonzero(distance == np.iinfo(distance.dtype).max)[:3]
    assert len(lost)
    check(graph, [0, 0, 1, 0], np.append(lost, [5, 6, 7]))


# -- where it goes ---------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [False, *slow([True])])
def test_a_file(tmp_path, weights):
    graph = weighted("karate", np.float32) if weights else shape("karate")
    for sources, targets in ((FEW, MANY), (np.arange(34), FEW), (np.arange(20), None)):
        file = tmp_path / "d.npy"
        found = check(graph, sources, targets, out=file)
        assert np.load(file).tobytes() == found.distance.tobytes()
        assert not found.distance.flags.writeable
        assert [one.name for one in tmp_path.iterdir()] == ["d.npy"]
        found.verify()


@pytest.mark.parametrize("weights", [True, False])
def test_an_array(weights):
    graph = weighted("karate", np.int32) if weights else shape("karate")
    for sources, targets in ((FEW, MANY), (np.arange(34), FEW), (np.arange(20), None)):
        wide = np.full((len(sources), 40), -7, np.int32)
        out = wide[:, 3 : 3 + (34 if targets is None else len(targets))]
        found = check(graph, sources, targets, out=out)
        assert found.distance is out
        assert (wide[:, :3] == -7).all()


def test_a_mapped_file_of_the_callers(tmp_path):
    out = np.lib.format.open_memmap(tmp_path / "d.npy", "w+", np.int32, (12, 34))
    assert check(shape("karate"), np.arange(12), out=out).distance is out


def test_as_an_array():
    found = wp.distance_matrix(weighted("karate", np.int32), FEW, MANY)
    assert np.asarray(found) is found.distance
    assert np.asarray(found, np.float64).dtype == np.float64
    assert found.to_numpy() is found
    assert (len(found), bool(found)) == (3, True)
    assert "distance" not in repr(found)


# -- what goes wrong -------------------------------------------------------------------------

PLAIN = wp.Graph.from_edges([0, 1], [1, 2], np.int32([1, 2]))
BAD = [
    ((PLAIN, []), {}, ValueError, "sources is empty"),
    ((PLAIN, [0], []), {}, ValueError, "targets is empty"),
    ((PLAIN, [0, 3]), {}, ValueError, r"sources\[1\] 3 is out of range: the graph has 3 vertices"),
    ((PLAIN, [0], [1, -1]), {}, ValueError, r"targets\[1\] -1 is out of range"),
    ((PLAIN, [0], [0.5]), {}, ValueError, "targets must be integer vertex ids, not float64"),
    ((PLAIN, 0, 9), {}, ValueError, "target 9 is out of range"),
    ((PLAIN, 0), {"device": "tpu"}, ValueError, "unknown device 'tpu'"),
    ((PLAIN, 0), {"algebra": "longest"}, ValueError, "unknown algebra 'longest'"),
    ((PLAIN, 0), {"cutoff": -1}, ValueError, "cutoff must not be negative"),
    ((PLAIN, 0), {"out": "d.txt"}, ValueError, "out must name a .npy file, not 'd.txt'"),
    ((PLAIN, 0), {"out": np.empty((2, 3), np.int32)}, ValueError, r"out has shape \(2, 3\)"),
    ((PLAIN, 0), {"out": np.empty((1, 3))}, ValueError, "dtype float64, but .* int32"),
    ((np.zeros((3, 3)), 0), {}, TypeError, "expected a warpath.Graph"),
    ((PLAIN.with_weights([1, -2]), 0), {"cutoff": 1}, ValueError, "cutoff needs non-negative"),
]


@pytest.mark.parametrize(("arguments", "options", "error", "message"), BAD)
def test_bad_calls(arguments, options, error, message):
    with pytest.raises(error, match=message):
        wp.distance_matrix(*arguments, **options)


def test_an_array_that_must_not_be_written():
    out = np.empty((1, 3), np.int32)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        wp.distance_matrix(PLAIN, 0, out=out)


def test_a_matrix_that_does_not_fit(monkeypatch):
    monkeypatch.setattr("warpath.planning.memory.free", lambda: 100)
    monkeypatch.setattr("warpath.planning.memory.SMALL", 0)
    with pytest.raises(MemoryError, match=r"a matrix of 3 × 3 distances in int32 .* out='d.npy'"):
        wp.distance_matrix(PLAIN, [0, 1, 2])


def test_a_distance_that_does_not_fit():
    huge = wp.Graph.from_edges([0, 1], [1, 2], np.int64([2**62, 2**62]))
    with pytest.raises(OverflowError, match="the distance of vertex 2 exceeds"):
        wp.distance_matrix(huge, [1, 0], [1])


def test_wrong_matrices_do_not_verify():
    found = wp.distance_matrix(weighted("karate", np.int32), FEW, MANY)
    wrong = found.distance.copy()
    wrong[2, 4] += 1
    with pytest.raises(wp.VerificationError, match=r"entry: distance\[2, 4\], from 5 to 2, is"):
        replace(found, distance=wrong).verify()


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("weight", [None, []])
def test_a_graph_without_edges(directed, weight):
    for n in (1, 8, 9, 100):
        graph = wp.Graph.from_edges([], [], weight, n=n, directed=directed)
        for count in (1, 7, 8, 12):
            found = wp.distance_matrix(graph, np.arange(count) % n, [0, n - 1])
            expected = wp.sssp(graph, np.arange(count) % n).distance[:, [0, n - 1]]
            assert np.array_equal(found.distance, expected)


def test_backwards_only_what_is_asked_for_must_fit():
    graph = wp.Graph.from_edges([0], [7], np.array([2**31 - 1], np.int32), n=8)
    found = wp.distance_matrix(graph, [1, 2, 3, 6], [7, 3], dtype=np.int32)
    assert found.distance[2].tolist() == [2**31 - 1, 0]
    with pytest.raises(OverflowError):
        wp.distance_matrix(graph, [0, 2, 3, 6], [7, 3], dtype=np.int32)


def test_targets_at_the_largest_float():
    n = 600  # too many for one call of all searches
    weights = np.zeros(n - 1, np.float32)
    weights[0] = np.finfo(np.float32).max
    path = wp.Graph.from_edges(np.arange(n - 1), np.arange(1, n), weights)
    found = wp.distance_matrix(path, [0, 0, 1], [3, 4])
    assert found.distance.tolist() == [[weights[0]] * 2, [weights[0]] * 2, [0, 0]]
