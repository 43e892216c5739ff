"""Matrices that no search may be given: an error in every function."""

from functools import partial

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, csr_matrix, issparse
from scipy.sparse import csgraph as scipys

import warpath as wp
from warpath import csgraph

PREDECESSORS = np.array([-9999, 0, 1], np.int32)
CALLS = {
    "bellman_ford": lambda m: csgraph.bellman_ford(m, indices=0),
    "breadth_first_order": lambda m: csgraph.breadth_first_order(m, 0),
    "breadth_first_order, undirected": lambda m: csgraph.breadth_first_order(m, 0, directed=False),
    "breadth_first_tree": lambda m: csgraph.breadth_first_tree(m, 0),
    "connected_components": csgraph.connected_components,
    "connected_components, strong": lambda m: csgraph.connected_components(m, connection="strong"),
    "dijkstra": csgraph.dijkstra,
    "dijkstra, limit": lambda m: csgraph.dijkstra(m, indices=0, limit=1.0),
    "dijkstra, min_only": lambda m: csgraph.dijkstra(m, indices=[0, 1], min_only=True, limit=3),
    "dijkstra, undirected": lambda m: csgraph.dijkstra(m, directed=False),
    "dijkstra, unweighted": lambda m: csgraph.dijkstra(m, unweighted=True),
    "floyd_warshall": csgraph.floyd_warshall,
    "johnson": csgraph.johnson,
    "minimum_spanning_tree": csgraph.minimum_spanning_tree,
    "shortest_path": csgraph.shortest_path,
    "yen": lambda m: csgraph.yen(m, 0, 2, 2),
}
SCIPYS = {
    "construct_dist_matrix": (np.tile(PREDECESSORS, (3, 1)),),
    "csgraph_to_dense": (),
    "csgraph_to_masked": (),
    "depth_first_order": (0,),
    "depth_first_tree": (0,),
    "laplacian": (),
    "maximum_bipartite_matching": (),
    "maximum_flow": (0, 2),
    "min_weight_full_bipartite_matching": (),
    "reconstruct_path": (PREDECESSORS,),
    "reverse_cuthill_mckee": (),
    "structural_rank": (),
}
FAULTS = {
    "offsets beyond": ("indptr", [0, 10**8, 2, 3]),
    "offsets decrease": ("indptr", [0, 3, 1, 3]),
    "an offset is negative": ("indptr", [0, -5, 2, 3]),
    "the first offset": ("indptr", [2, 2, 2, 3]),
    "the last offset": ("indptr", [0, 1, 2, 10**6]),
    "too few offsets": ("indptr", [0, 1]),
    "float offsets": ("indptr", [0.0, 1.0, 2.0, 3.0]),
    "a column too large": ("indices", [1, 2, 10**8]),
    "a negative column": ("indices", [1, 2, -(10**6)]),
    "a column beyond int32": ("indices", [1, 2, 2**32]),
    "too few columns": ("indices", [1, 2]),
    "too few weights": ("data", [1.0]),
}


def right(kind=csr_array, dtype=np.float64):
    offsets, columns = np.array([0, 1, 2, 3], np.int32), np.array([1, 2, 0], np.int32)
    return kind((np.array([1, 2, 3]).astype(dtype), columns, offsets), shape=(3, 3))


def call_scipys(module, name, matrix):
    return getattr(module, name)(matrix, *SCIPYS[name])


def plain(answer):
    """An answer of SciPy's as text."""
    if isinstance(answer, tuple):
        return [plain(part) for part in answer]
    answer = getattr(answer, "flow", answer)
    return repr(answer.toarray() if issparse(answer) else answer)


@pytest.mark.parametrize("name", SCIPYS)
def test_other_matrices_reach_scipys_functions(name):
    matrix = right(dtype=np.int32)
    found, expected = (plain(call_scipys(m, name, matrix)) for m in (csgraph, scipys))
    assert found == expected


@pytest.mark.parametrize("call", CALLS | SCIPYS)
@pytest.mark.parametrize("kind", [csr_array, csr_matrix, csc_array])
def test_arrays_that_contradict_each_other(call, kind):
    run = CALLS.get(call) or partial(call_scipys, csgraph, call)
    for name, values in FAULTS.values():
        matrix = right(kind)
        narrow = np.int32 if name != "data" and max(map(abs, values)) < 2**31 else None
        narrow = None if isinstance(values[0], float) else narrow
        setattr(matrix, name, np.array(values, narrow))
        with pytest.raises(ValueError, match=r"indptr|indices|data"):
            run(matrix)


@pytest.mark.parametrize("call", CALLS)
def test_coordinates_out_of_range(call):
    matrix = coo_array(right())
    matrix.col[1] = 2**30
    with pytest.raises(ValueError, match="out of range for size 3"):
        CALLS[call](matrix)


@pytest.mark.parametrize("call", CALLS)
def test_floats_beyond_64_bits(call):
    sparse = right()
    sparse.data = sparse.data.astype(np.longdouble)
    dense = right().toarray().astype(np.longdouble)
    for matrix in (sparse, dense, dense.tolist(), np.ma.masked_equal(dense, 0)):
        if isinstance(matrix, list):
            matrix[0][1] = np.longdouble(1)
        with pytest.raises(TypeError, match=r"convert the matrix by .*float64"):
            CALLS[call](matrix)


@pytest.mark.parametrize("dtype", ["f2", ">f8", ">i4", "<f4", "u8", "?"])
def test_other_numbers_are_taken(dtype):
    matrix = right()
    matrix.data = matrix.data.astype(dtype)
    expected = scipys.dijkstra(matrix.toarray() if dtype == "?" else right())
    if dtype == "?":
        expected = scipys.dijkstra(right(), unweighted=True)
    for given in (matrix, right().toarray().astype(dtype)):
        np.testing.assert_array_equal(csgraph.dijkstra(given), expected)
        np.testing.assert_array_equal(csgraph.floyd_warshall(given), expected)
        assert csgraph.breadth_first_order(given, 0)[0].tolist() == [0, 1, 2]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_offsets_are_checked_where_a_search_with_a_limit_does_not_come(dtype):
    grid = wp.generate.grid(130, weights=(0.0, 1.0), seed=1).to_scipy().astype(float)
    matrix = csr_array(
        (grid.data, grid.indices.astype(dtype), grid.indptr.astype(dtype)), shape=grid.shape
    )
    expected = scipys.dijkstra(matrix, indices=5, limit=0.5)
    np.testing.assert_array_equal(csgraph.dijkstra(matrix, indices=5, limit=0.5), expected)
    matrix.indptr[9000] = 3
    with pytest.raises(ValueError, match="indptr descends"):
        csgraph.dijkstra(matrix, indices=5, limit=0.5)
    matrix.indptr = matrix.indptr[:8000]
    with pytest.raises(ValueError, match="indptr has 8000 offsets"):
        csgraph.dijkstra(matrix, indices=5, limit=0.5)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_stored_infinities_where_each_arc_counts_one(value, directed):
    matrix = right()
    matrix.data[0] = value
    for name in ("dijkstra", "bellman_ford", "johnson", "floyd_warshall", "shortest_path"):
        how = {"directed": directed, "unweighted": True, "return_predecessors": True}
        for found, expected in zip(
            getattr(csgraph, name)(matrix, **how), getattr(scipys, name)(matrix, **how),
            strict=True,
        ):  # fmt: skip
            np.testing.assert_array_equal(found, expected)
