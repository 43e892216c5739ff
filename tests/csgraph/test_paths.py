"""Values are SciPy's, to the bit where sums are made in the same order."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix, lil_array
from scipy.sparse import csgraph as scipys

import warpath as wp
from oracles import in_dtype, small_multigraph
from warpath import csgraph
from warpath.generate import erdos_renyi, negative_weights

KINDS = {
    "csr": csr_array,
    "csr_matrix": csr_matrix,
    "csc": csc_array,
    "coo": coo_array,
    "lil": lil_array,
    "dense": lambda matrix: matrix.toarray(),
    "list": lambda matrix: matrix.toarray().tolist(),
    "masked": lambda matrix: np.ma.masked_array(
        matrix.toarray(), mask=(matrix.astype(bool).toarray() == 0)
    ),
}


def plain(graph):
    """A graph as SciPy's CSR array, writable."""
    matrix = graph.to_scipy()
    return csr_array(
        (matrix.data.copy(), matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape
    )


def matrices(seed):
    """One random matrix in every dtype: floats that round, zeros, and ints."""
    for dtype in (np.float64, np.float32, np.int64, np.int32, np.int8, bool):
        graph = small_multigraph(seed, np.float64 if dtype is bool else dtype)
        yield plain(graph).astype(dtype)


def same(found, expected):
    if isinstance(expected, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert (one.shape, one.dtype) == (other.shape, other.dtype)
        found, expected = found[0], expected[0]
    assert type(found) is type(expected)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(found, expected)


def lengths_along(matrix, predecessors, sources, *, unweighted=False):
    """Distances by walking the predecessors back: they are right if those are."""
    rows = csgraph.csgraph_to_dense(csr_array(matrix, dtype=float), null_value=np.inf)
    n = len(rows)
    answer = np.full((len(sources), n), np.inf)
    for row, source in enumerate(sources):
        for v in range(n):
            walk = [v]
            while predecessors[row, walk[-1]] != -9999:
                walk.append(int(predecessors[row, walk[-1]]))
                assert len(walk) <= n
            if walk[-1] == source:
                total = 0.0
                for a, b in zip(walk[:0:-1], walk[-2::-1], strict=True):
                    total += 1 if unweighted else rows[a, b]
                answer[row, v] = total
    return answer


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("seed", range(3))
def test_every_dtype_with_duplicates_and_zeros(seed, directed):
    for matrix in matrices(seed):
        for unweighted in (False, True):
            how = {"directed": directed, "unweighted": unweighted, "return_predecessors": True}
            for indices in (None, 3, [2, 0], [[1], [-1]], []):
                given = how | {"indices": indices}
                expected = scipys.dijkstra(matrix, **given)
                found = csgraph.dijkstra(matrix, **given)
                same(found, expected)
                if directed and indices == [2, 0] and matrix.dtype == np.float64:
                    walked = lengths_along(matrix, found[1], [2, 0], unweighted=unweighted)
                    np.testing.assert_array_equal(walked, found[0])
                same(csgraph.johnson(matrix, **given), expected)
                same(csgraph.bellman_ford(matrix, **given), expected)
                same(csgraph.shortest_path(matrix, "D", **given), expected)
            for limit in (0, 1, 2.5, np.inf):
                given = {"directed": directed, "unweighted": unweighted, "limit": limit}
                same(csgraph.dijkstra(matrix, **given), scipys.dijkstra(matrix, **given))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", [np.float64, np.int64], ids=str)
def test_every_kind_of_matrix(kind, dtype):
    graph = small_multigraph(4, dtype)
    source, target, weight = graph.coo()
    keep = weight > 0
    matrix = plain(wp.Graph.from_edges(source[keep], target[keep], weight[keep], merge="min"))
    given = KINDS[kind](matrix)
    for directed in (True, False):
        same(csgraph.dijkstra(given, directed), scipys.dijkstra(matrix, directed))
        same(csgraph.shortest_path(given, directed=directed), scipys.dijkstra(matrix, directed))
        dense = scipys.floyd_warshall(matrix, directed)
        np.testing.assert_allclose(csgraph.floyd_warshall(given, directed), dense, rtol=1e-14)
        count = csgraph.connected_components(given, directed, return_labels=False)
        assert count == scipys.connected_components(matrix, directed)[0]
        order = csgraph.breadth_first_order(given, 0, directed)
        if kind != "csc":  # there SciPy takes columns first
            same(order, scipys.breadth_first_order(matrix, 0, directed))


@pytest.mark.parametrize("seed", range(4))
def test_min_only(seed):
    for matrix in matrices(seed):
        for indices in ([5, 2, 9], [4, 4], 3, None, []):
            how = {"indices": indices, "min_only": True}
            expected = scipys.dijkstra(matrix, return_predecessors=True, **how)
            found = csgraph.dijkstra(matrix, return_predecessors=True, **how)
            same(found, expected)
            same(csgraph.dijkstra(matrix, **how), expected[0])
            distance, predecessors, sources = found
            assert sources.dtype == np.int32
            assert ((sources == -9999) == np.isinf(distance)).all()
            led = np.flatnonzero(predecessors >= 0)
            assert (sources[led] == sources[predecessors[led]]).all()
            roots = np.flatnonzero(sources == np.arange(len(sources)))
            assert set(roots) <= set(np.atleast_1d(range(14) if indices is None else indices))


def large(*, weights, directed=True):
    return wp.generate.erdos_renyi(1500, 9000, directed=directed, weights=weights, seed=3)


@pytest.mark.parametrize("weights", [(0.0, 1.0), (1, 99)], ids=["floats", "ints"])
@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
def test_beyond_the_small_ones(weights, directed, threads):
    matrix = plain(large(weights=weights))
    some = [7, 1499, 7, 300]
    for indices in (11, some):
        for unweighted in (False, True):
            how = {"directed": directed, "indices": indices, "unweighted": unweighted}
            expected = scipys.dijkstra(matrix, **how)
            same(csgraph.dijkstra(matrix, **how), expected)
            same(csgraph.johnson(matrix, **how), expected)
            same(csgraph.bellman_ford(matrix, **how), expected)
            same(csgraph.shortest_path(matrix, **how), expected)
            how |= {"min_only": True}
            same(csgraph.dijkstra(matrix, **how), scipys.dijkstra(matrix, **how))
            how |= {"min_only": False, "limit": 3}
            same(csgraph.dijkstra(matrix, **how), scipys.dijkstra(matrix, **how))
    found, predecessors = csgraph.dijkstra(matrix, indices=some, return_predecessors=True)
    np.testing.assert_array_equal(lengths_along(matrix, predecessors, some), found)


def test_all_pairs_beyond_the_small_ones():
    matrix = plain(wp.generate.erdos_renyi(450, 2000, directed=True, weights=(0.0, 1.0), seed=1))
    expected = scipys.dijkstra(matrix)
    same(csgraph.dijkstra(matrix), expected)
    same(csgraph.shortest_path(matrix), expected)
    np.testing.assert_allclose(csgraph.floyd_warshall(matrix), expected, rtol=1e-14)


@pytest.mark.parametrize("dtype", [np.int32, np.float64], ids=str)
def test_negative_weights(dtype):
    graph = negative_weights(large(weights=(1, 99)), 7)
    matrix = plain(graph).astype(dtype)
    some = [5, 900]
    expected = scipys.bellman_ford(matrix[:200, :200], indices=[5, 90])
    same(csgraph.bellman_ford(matrix[:200, :200], indices=[5, 90]), expected)
    same(csgraph.johnson(matrix[:200, :200], indices=[5, 90]), expected)
    same(csgraph.shortest_path(matrix[:200, :200]), scipys.johnson(matrix[:200, :200]))
    found = csgraph.bellman_ford(matrix, indices=some, return_predecessors=True)
    same(csgraph.johnson(matrix, indices=some, return_predecessors=True), found)
    same(csgraph.bellman_ford(matrix, indices=5), found[0][0])
    with pytest.warns(UserWarning, match="negative weights"):
        same(csgraph.dijkstra(matrix, indices=some), found[0])
    with pytest.warns(UserWarning, match="negative weights"):
        limited = csgraph.dijkstra(matrix, indices=some, limit=20, return_predecessors=True)
    np.testing.assert_array_equal(limited[0], np.where(found[0] > 20, np.inf, found[0]))
    assert (limited[1][found[0] > 20] == -9999).all()
    with pytest.warns(UserWarning, match="negative weights"):
        nearest = csgraph.dijkstra(matrix, indices=some, min_only=True)
    np.testing.assert_array_equal(nearest, found[0].min(axis=0))


def test_negative_cycles_and_what_reaches_them():
    # 0 → 1; 2 ⇄ 3 is a negative cycle that 0 does not reach.
    matrix = plain(wp.Graph.from_edges([0, 2, 3, 3], [1, 3, 2, 1], [5.0, 1.0, -3.0, 1.0]))
    same(csgraph.bellman_ford(matrix, indices=0), scipys.bellman_ford(matrix, indices=0))
    same(csgraph.bellman_ford(matrix, indices=[0, 1]), scipys.bellman_ford(matrix, indices=[0, 1]))
    for call in (
        lambda module: module.bellman_ford(matrix, indices=2),
        lambda module: module.bellman_ford(matrix, indices=[0, 3]),
        lambda module: module.bellman_ford(matrix),
        lambda module: module.johnson(matrix, indices=0),
        lambda module: module.johnson(matrix),
        lambda module: module.shortest_path(matrix, indices=0),
        lambda module: module.floyd_warshall(matrix),
        lambda module: module.yen(matrix, 0, 1, 2),
    ):
        with pytest.raises(scipys.NegativeCycleError):
            call(scipys)
        with pytest.raises(scipys.NegativeCycleError) as caught:
            call(csgraph)
        assert sorted(caught.value.cycle) == [2, 3]
        wp.verify.negative_cycle(wp.Graph(matrix), caught.value.cycle)


def test_dijkstra_warns_and_ends_where_there_is_a_negative_cycle():
    matrix = csr_array(([1.0, -3.0, 1.0], ([0, 1, 2], [1, 2, 1])), shape=(3, 3))
    for how in ({"indices": 0}, {"indices": [0]}, {"indices": [0], "min_only": True}, {}):
        with (
            pytest.warns(UserWarning, match="bellman_ford"),
            pytest.raises(csgraph.NegativeCycleError),
        ):
            csgraph.dijkstra(matrix, **how)


def test_the_callers_line_is_warned():
    for call in (csgraph.dijkstra, partial(csgraph.shortest_path, method="D")):
        with pytest.warns(UserWarning, match="negative weights") as seen:
            call([[0, -1], [0, 0]])
        assert [one.filename for one in seen] == [__file__]


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64], ids=str)
def test_dtype(dtype):
    graph = small_multigraph(2, np.int32)
    matrix = plain(graph)
    expected = scipys.dijkstra(matrix.astype(float))
    expected = in_dtype(expected, dtype)
    for function in (csgraph.dijkstra, csgraph.johnson, csgraph.bellman_ford):
        for indices in (None, [0, 3], 0):
            found = function(matrix.astype(float), indices=indices, dtype=dtype)
            assert found.dtype == dtype
            rows = slice(None) if indices is None else indices
            np.testing.assert_array_equal(found, expected[rows])
    found = csgraph.shortest_path(matrix, unweighted=True, dtype=dtype, indices=[0, 3])
    hops = scipys.dijkstra(matrix, unweighted=True, indices=[0, 3])
    np.testing.assert_array_equal(found, in_dtype(hops, dtype))
    found = csgraph.floyd_warshall(matrix.astype(float).toarray(), dtype=dtype)
    np.testing.assert_array_equal(found, in_dtype(scipys.floyd_warshall(matrix.toarray()), dtype))


def test_integers_beyond_what_float64_holds():
    weight = 2**53 + 1
    matrix = csr_array(([weight, 1], ([0, 1], [1, 2])), shape=(3, 3))
    same(csgraph.dijkstra(matrix), scipys.dijkstra(matrix))
    assert csgraph.dijkstra(matrix, dtype=np.int64)[0].tolist() == [0, weight, weight + 1]


def test_overwrite():
    given = np.array([[0.0, 3, 0], [0, 0, 1], [2, 0, 0]])
    kept = given.copy()
    expected = scipys.floyd_warshall(given)
    same(csgraph.floyd_warshall(given), expected)
    np.testing.assert_array_equal(given, kept)
    for call in (csgraph.floyd_warshall, lambda m, **how: csgraph.shortest_path(m, "FW", **how)):
        here = kept.copy()
        found = call(here, overwrite=True)
        same(found, expected)
        assert np.shares_memory(found, here)
    same(csgraph.floyd_warshall(kept.T, overwrite=True), scipys.floyd_warshall(kept.T.copy()))
    same(csgraph.floyd_warshall(kept.astype(int), overwrite=True), expected)


def test_no_vertices_and_one():
    for empty in (csr_array((0, 0)), np.zeros((0, 0))):
        for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
            assert getattr(csgraph, name)(empty).shape == (0, 0)
            pair = getattr(csgraph, name)(empty, return_predecessors=True)
            assert [one.shape for one in pair] == [(0, 0)] * 2
    one = csr_array((1, 1))
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
        assert getattr(csgraph, name)(one).tolist() == [[0]]


def test_answers_can_be_written():
    matrix = plain(large(weights=(1, 9)))
    for found in csgraph.dijkstra(matrix, indices=[0, 1], return_predecessors=True):
        found[0, 0] = 7
    for found in csgraph.shortest_path(matrix, indices=0, return_predecessors=True):
        found[0] = 7


@pytest.mark.parametrize("directed", [True, False], ids=["directed", "undirected"])
@pytest.mark.parametrize("unweighted", [False, True], ids=["weighted", "unweighted"])
@pytest.mark.parametrize("seed", range(4))
def test_yen(seed, unweighted, directed):
    for dtype in (np.float64, np.int32, np.float32):
        graph = small_multigraph(seed, dtype)
        source, target, weight = graph.coo()
        matrix = plain(wp.Graph.from_edges(source, target, weight, n=14, merge="min"))
        for sink in (5, 11, 13):
            for K in (1, 4, 30):
                how = {"directed": directed, "unweighted": unweighted, "return_predecessors": True}
                lengths, predecessors = csgraph.yen(matrix, 0, sink, K, **how)
                expected, others = scipys.yen(matrix, 0, sink, K, **how)
                assert (lengths.dtype, predecessors.dtype) == (expected.dtype, others.dtype)
                assert predecessors.shape == others.shape
                np.testing.assert_allclose(lengths, expected, rtol=1e-13, atol=1e-13)
                same(
                    csgraph.yen(matrix, 0, sink, K, directed=directed, unweighted=unweighted),
                    lengths,
                )
                paths = {tuple(row) for row in predecessors.tolist()}
                assert len(paths) == len(lengths)
                for row in predecessors:
                    walk = [sink]
                    while walk[-1] != 0:
                        walk.append(int(row[walk[-1]]))
                    assert np.count_nonzero(row != -9999) == len(walk) - 1
    assert csgraph.yen(matrix, 0, 5, 0).shape == (0,)
    same(csgraph.yen(matrix, 4, 4, 3), scipys.yen(matrix, 4, 4, 3))


def test_yen_with_negative_weights():
    graph = negative_weights(wp.generate.erdos_renyi(30, 120, directed=True, weights=(1, 9)), 1)
    matrix = plain(graph).astype(float)
    same(csgraph.yen(matrix, 0, 7, 9), scipys.yen(matrix, 0, 7, 9))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: csgraph.dijkstra(m, indices=3), "indices out of range 0...N: 3, but N is 3"),
        (lambda m: csgraph.bellman_ford(m, indices=[0, -4]), "indices out of range"),
        (lambda m: csgraph.johnson(m, indices=2**40), "indices out of range"),
        (lambda m: csgraph.dijkstra(m, indices=[0.5]), "indices must be whole numbers, not 0.5"),
        (lambda m: csgraph.dijkstra(m, indices="a"), "indices must be vertex numbers"),
        (lambda m: csgraph.dijkstra(m, limit=-1), "limit must be >= 0"),
        (lambda m: csgraph.dijkstra(m, limit=np.nan), "limit must be >= 0, not nan"),
        (lambda m: csgraph.shortest_path(m, "X"), "unrecognized method 'X'"),
        (lambda m: csgraph.shortest_path(m, "FW", indices=0), "Cannot specify indices"),
        (lambda m: csgraph.dijkstra(m, dtype=np.int8), "dtype must be one of"),
        (lambda m: csgraph.dijkstra(m + 0.5, dtype=np.int32), "integer weights, but one is 0.5"),
        (lambda m: csgraph.dijkstra(m, device="tpu"), "unknown device 'tpu'"),
        (lambda m: csgraph.shortest_path(m, device="tpu"), "unknown device 'tpu'"),
        (lambda m: csgraph.yen(m, 0, 3, 1), "must have 0 <= source < N"),
        (lambda m: csgraph.yen(m, 0, 1, -1), "K must not be negative"),
        (lambda m: csgraph.breadth_first_order(m, 3), "i_start 3 is out of range"),
        (lambda m: csgraph.breadth_first_order(m, -1), "i_start -1 is out of range"),
        (lambda m: csgraph.connected_components(m, connection="x"), "connection must be"),
    ],
)  # fmt: skip
def test_bad_arguments(call, message):
    with pytest.raises(ValueError, match=message):
        call(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]]))


@pytest.mark.parametrize(
    "bad",
    [np.zeros(3), np.zeros((2, 3)), csr_array((2, 3)), np.ma.zeros((2, 3)), [[0, 1], [0]], None, "x"],
)  # fmt: skip
def test_bad_matrices(bad):
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
        with pytest.raises(ValueError, match=r"N, N|square|dimension|sequence"):
            getattr(csgraph, name)(bad)


def test_weights_of_minus_infinity():
    matrix = csr_array(([-np.inf, 1.0], ([0, 1], [1, 2])), shape=(3, 3))
    with pytest.raises(ValueError, match="-inf: weights are finite numbers"):
        csgraph.bellman_ford(matrix)


@pytest.mark.parametrize("directed", [True, False])
def test_sums_beyond_float64_are_no_path(directed):
    """As in SciPy, by each method that a call can take."""
    graph = erdos_renyi(1200, 3000, directed=True, weights=(0.0, 1.0), seed=1)
    matrix = graph.to_scipy() * 1e308
    assert np.isfinite(matrix.data).all()
    sources = [0, 7, 1100]
    how = {"directed": directed, "return_predecessors": True}
    for name, more in {
        "dijkstra": {"indices": sources},
        "johnson": {"indices": 3},
        "bellman_ford": {"indices": sources},
        "dijkstra, nearest": {"indices": sources, "min_only": True},
        "dijkstra, limit": {"indices": sources, "min_only": True, "limit": 1.5e308},
    }.items():
        name = name.partition(",")[0]
        theirs = "dijkstra"  # bellman_ford takes 1200 rounds
        found = getattr(csgraph, name)(matrix, **how, **more)
        expected = getattr(scipys, theirs)(matrix, **how, **more)
        assert (np.isinf(found[0]) & np.isfinite(scipys.dijkstra(matrix / 1e10, directed=directed,
            indices=more["indices"], min_only="min_only" in more))).any()  # fmt: skip
        np.testing.assert_array_equal(found[0], expected[0])
        np.testing.assert_array_equal(found[1] == -9999, expected[1] == -9999)
    small = matrix[:100, :100]
    np.testing.assert_array_equal(
        csgraph.floyd_warshall(small, directed), scipys.floyd_warshall(small, directed)
    )


def test_limits_of_any_type():
    matrix = csr_array(np.array([[0, 2.0, 1], [0, 0, 0], [0, 0.5, 0]]))
    for limit in (1, np.int8(1), np.float32(1), np.array(1.0), True, 1.0, 0, np.inf):
        found, expected = (module.dijkstra(matrix, limit=limit) for module in (csgraph, scipys))
        np.testing.assert_array_equal(found, expected)
    for limit in ("1", None, [1.0], 1j):
        for module in (csgraph, scipys):
            with pytest.raises(TypeError):
                module.dijkstra(matrix, limit=limit)
