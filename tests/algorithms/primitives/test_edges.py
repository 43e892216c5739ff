"""`advance` and `traverse` on the CPU, against plain Python."""

import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from foreign import OnlyDlpack
from operator_bodies import (
    AGGREGATIONS,
    CASES,
    FAR,
    aggregated,
    check_layers,
    check_neutral,
    check_tensors,
    claim,
    fresh,
    known,
    relax,
    visit,
)
from warpath import verify


@pytest.fixture(params=[1, 2])
def threads(request):
    wp.set_num_threads(request.param)
    yield request.param
    wp.set_num_threads(None)


# Each is several kernels to compile.
@pytest.mark.parametrize("name", few(CASES, ["relax, int32", "toll", "count", "claim"]))
def test_operators(name):
    case = CASES[name]
    for schedule in (None, "direction=bottom-up", "direction=top-down"):
        arguments = fresh(case.arguments)
        options = {"schedule": schedule}
        if case.max_iterations == 1:
            f = wp.Frontier(case.graph, case.sources)
            left = wp.advance(case.graph, f, case.operator, *arguments, **options)
            case.check_frontier(left.vertices)
        else:
            wp.traverse(case.graph, case.sources, case.operator, *arguments, **options)
        case.check(arguments)


def test_a_traversal_is_a_search(threads):
    for graph in (
        wp.generate.rmat(15, 8, seed=1),
        wp.generate.rmat(12, 8, directed=True, seed=2),
        wp.generate.grid(200, keep=0.9, seed=3),
    ):
        source = int(np.diff(graph.row_offsets).argmax())
        level = np.full(graph.num_vertices, -1, np.int32)
        level[source] = 0
        wp.traverse(graph, source, visit, level)
        assert np.array_equal(level, wp.bfs(graph, source).distance)


def test_shortest_paths_by_several_threads(threads):
    graph = wp.generate.rmat(15, 8, weights=(1, 255), seed=1)
    distance = np.full(graph.num_vertices, FAR, np.int32)
    distance[5] = 0
    wp.traverse(graph, 5, relax, distance)
    distance[distance == FAR] = np.iinfo(np.int32).max
    verify.sssp(graph, 5, distance)


def test_advance_by_hand():
    graph = wp.generate.grid(7, 9)
    level = np.full(63, -1, np.int32)
    level[[0, 62]] = 0
    f, sizes = wp.Frontier(graph, [0, 62]), []
    while f:
        sizes.append(len(f))
        f = wp.advance(graph, f, visit, level)
        assert len(set(f.vertices.tolist())) == len(f)
    assert sum(sizes) == 63
    assert np.array_equal(level, wp.bfs(graph, [0, 62], nearest=True).distance)


def test_iterations_and_their_limit():
    graph = wp.generate.grid(1, 10)
    level = np.full(10, -1, np.int32)
    level[0] = 0
    assert wp.traverse(graph, 0, visit, level, max_iterations=0) == 0
    assert wp.traverse(graph, 0, visit, level, max_iterations=3) == 3
    assert level.tolist() == [0, 1, 2, 3] + [-1] * 6
    assert wp.traverse(graph, 3, visit, level) == 7  # the last one finds nothing


@wp.operator
def for_ever(u, v):
    return True


def test_a_traversal_without_an_end():
    with pytest.raises(
        RuntimeError, match="for_ever still has a frontier of 2 vertices after 5 iterat"
    ):
        wp.traverse(wp.generate.grid(1, 4), 1, for_ever)


def test_names():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [2, 3])
    distance = np.array([FAR, FAR, FAR])
    distance[graph.index("a")] = 0
    wp.traverse(graph, "a", relax, distance)
    assert distance[[graph.index(name) for name in "abc"]].tolist() == [0, 2, 5]


def test_no_vertices_and_none_in_the_frontier():
    empty = wp.Graph.from_edges([], [], n=0)
    assert wp.traverse(empty, [], visit, np.zeros(0, np.int32)) == 0
    graph = wp.generate.grid(1, 3)
    assert not wp.advance(graph, wp.Frontier(graph, []), visit, np.zeros(3, np.int32))


def test_arrays_of_other_libraries_and_weights_that_are_none():
    array = np.array([0, 9, 9])
    wp.traverse(wp.generate.grid(1, 3), 0, relax, OnlyDlpack(array))
    assert array.tolist() == [0, 1, 2]  # each edge counts 1


def test_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch's tensors: pip install torch")
    check_tensors(torch, "cpu")


def test_what_does_not_fit():
    graph = wp.generate.grid(1, 3)
    level = np.full(3, -1, np.int32)
    f = wp.Frontier(graph, 0)
    with pytest.raises(TypeError, match=r"write @wp\.operator above"):
        wp.traverse(graph, 0, lambda u, v: True)
    with pytest.raises(TypeError, match="takes a frontier"):
        wp.advance(graph, [0], visit, level)
    with pytest.raises(ValueError, match="a graph of 4"):
        wp.advance(wp.generate.grid(1, 4), f, visit, level)
    with pytest.raises(ValueError, match="advance has no loop"):
        wp.advance(graph, f, visit, level, schedule="loop=host")
    with pytest.raises(ValueError, match="not optimizing"):
        wp.advance(graph, f, visit, level, schedule="direction=optimizing")
    with pytest.raises(ValueError, match="is for arrays on a GPU"):
        wp.advance(graph, f, visit, level, schedule="merge-path")
    with pytest.raises(ValueError, match="small_frontiers='cluster' is for arrays on a GPU"):
        wp.traverse(graph, 0, visit, level, schedule="small_frontiers=cluster")
    with pytest.raises(ValueError, match="loop='host' is for arrays on a GPU"):
        wp.traverse(graph, 0, visit, level, schedule="loop=host")
    with pytest.raises(ValueError, match="max_iterations must be"):
        wp.traverse(graph, 0, visit, level, max_iterations=-1)
    with pytest.raises(ValueError, match="out of range"):
        wp.traverse(graph, 3, visit, level)
    with pytest.raises(TypeError, match=r"claim takes 3 arguments \(parent, depth, order\), not 1"):
        wp.traverse(graph, 0, claim, level)


@pytest.mark.slow
def test_checked_indices():
    @wp.operator
    def beyond(u, v, x):
        return x[v + 1] > x[u - 7]

    graph, x = wp.generate.grid(1, 3), np.zeros(3)
    wp.set_checks(True)
    try:
        with pytest.raises(
            IndexError, match=r"test_edges.py:\d+: beyond: index -?\d+ is out of range: x has 3"
        ):
            wp.advance(graph, wp.Frontier(graph, 1), beyond, x)
        assert wp.advance(graph, wp.Frontier(graph, [0, 1, 2]), visit, np.full(3, -1, np.int32))
    finally:
        wp.set_checks(False)
    with pytest.raises(TypeError, match="True or False"):
        wp.set_checks(1)


@pytest.mark.parametrize("name", few(AGGREGATIONS, ["sum", "min with NaN, float32"]))
def test_aggregate(name):
    operator, graph, arguments, by, dtype = AGGREGATIONS[name]
    found = wp.aggregate(graph, operator, *arguments, by=by)
    assert found.dtype == dtype
    right = aggregated(operator, graph, arguments, by, dtype)
    assert np.array_equal(found, right, equal_nan=True)


@pytest.mark.parametrize(
    "name", few([name for name in AGGREGATIONS if "NaN" not in name], ["sum", "max"])
)
@pytest.mark.parametrize("layers", [2, 5])
def test_layers(name, layers):
    check_layers(name, layers)


def test_others_that_bring_nothing():
    check_neutral(2)


@pytest.mark.parametrize("by", ["sum", "min", "max"])
def test_nan_stays(by):
    """Also where it was there before."""
    graph, load = wp.generate.grid(1, 3), np.array([1, np.nan, 2])
    found = wp.aggregate(graph, known, load, by=by)
    assert np.array_equal(
        found, [np.nan, {"sum": 3, "min": 1, "max": 2}[by], np.nan], equal_nan=True
    )
    out = np.full(3, np.nan)
    assert wp.aggregate(graph, known, load, by=by, out=out) is out
    assert np.isnan(out).all()


def test_what_cannot_be_aggregated():
    @wp.operator
    def nothing(u, v, x):
        pass

    @wp.operator
    def larger(u, v, x):
        return x[u] > x[v]

    graph, x = wp.generate.grid(1, 3), np.zeros(3)
    with pytest.raises(ValueError, match="nothing returns, and it returns nothing"):
        wp.aggregate(graph, nothing, x)
    with pytest.raises(ValueError, match="the min of bools"):
        wp.aggregate(graph, larger, x, by="min")
    assert wp.aggregate(graph, larger, x).tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match="by"):
        wp.aggregate(graph, larger, x, by="mean")
    with pytest.raises(ValueError, match="others"):
        wp.aggregate(graph, larger, x, among=wp.Frontier(graph, 0), others="zero")
    with pytest.raises(ValueError, match="others='neutral' is of vertices that are not among some"):
        wp.aggregate(graph, larger, x, others="neutral")
    with pytest.raises(ValueError, match="layers must be a positive integer, not 0"):
        wp.aggregate(graph, larger, x, layers=0)
    with pytest.raises(ValueError, match=r"3 vertices of 1,000,000,000 layers are more elements"):
        wp.aggregate(graph, larger, x, layers=10**9)
    with pytest.raises(
        ValueError, match="x has 3 elements, and larger reads it at vertices: it needs 6"
    ):
        wp.aggregate(graph, larger, x, layers=2)
    for out in (x, np.zeros(2, np.int64), [0, 0, 0]):
        with pytest.raises(
            ValueError, match=r"out must be a numpy array of shape \(3,\) and dtype int64, not"
        ):
            wp.aggregate(graph, larger, x, out=out)
    with pytest.raises(ValueError, match="out must be contiguous"):
        wp.aggregate(graph, larger, x, out=np.zeros((3, 2), np.int64)[:, 0])
    fixed = np.zeros(3, np.int64)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="out is read-only"):
        wp.aggregate(graph, larger, x, out=fixed)
    with pytest.raises(ValueError, match="a frontier of a graph of 4 vertices"):
        wp.aggregate(graph, larger, x, frontier=wp.Frontier(wp.generate.grid(2, 2)))


def test_an_array_that_is_read_takes_no_values():
    @wp.operator
    def give(u, v, x):
        return x[u]

    x = np.arange(6.0)
    with pytest.raises(ValueError, match="give reads x, which is out as well and changes"):
        wp.aggregate(wp.generate.grid(2, 3), give, x, out=x)


def test_a_minimum_of_nothing_is_refused():
    @wp.operator
    def large(u, v, x):
        if x[u] > 3:
            return x[u]

    graph, x = wp.generate.grid(1, 3), np.array([5, 6, 1])
    with pytest.raises(wp.OperatorError, match="may end without a value"):
        wp.aggregate(graph, large, x, by="min")
    assert wp.aggregate(graph, large, x).tolist() == [6, 5, 6]

    @wp.operator
    def large_here(v, x):
        if x[v] > 3:
            return x[v]

    with pytest.raises(wp.OperatorError, match="may end without a value"):
        wp.reduce(graph, large_here, x, by="min")
    assert wp.reduce(graph, large_here, x) == 11

    @wp.operator
    def first_above(u, v, x):
        i = x[u]
        while True:
            i += 1
            if i > 3:
                return i

    assert wp.aggregate(graph, first_above, x, by="min").tolist() == [7, 4, 7]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_the_smallest_number_over_minus_one_is_itself(dtype):
    @wp.operator
    def divide(v, x, y):
        y[v] = x[v] // -x[1]

    least = np.iinfo(dtype).min
    x, y = np.array([least, 1, least + 1], dtype), np.zeros(3, np.int64)
    wp.compute(wp.generate.grid(1, 3), divide, x, y)
    assert y.tolist() == [least, -1, -least - 1]
