"""Algebras of users' own, on the CPU: plain Python's answer to the bit, its certificate, and errors."""

import math
from itertools import cycle, product

import numpy as np
import pytest

import warpath as wp
from custom_algebras import CASES
from exhaustive import few, sample, slow
from oracles import SHAPES, some_vertices
from warpath.planning.methods import METHODS as ALL_METHODS

METHODS = [name for name, one in ALL_METHODS.items() if "cpu" in one.devices and name != "auto"]
QUICK = ("toll", "reliable")
OTHERS = [one for one in CASES if one not in QUICK]
# Each function is a kernel to compile, and this method's is the smallest.
ONCE = {"method": "dijkstra"}


def check(case, graph, source, **options):
    """The answer, verified, and plain Python's to the bit."""
    paths = wp.sssp(graph, source, algebra=case.algebra, dtype=case.dtype, device="cpu", **options)
    paths.verify()
    assert paths.algebra is case.algebra
    answer = case.answer(graph, [source])
    assert paths.distance.dtype == answer.dtype
    assert np.array_equal(paths.distance, answer)
    assert not (np.signbit(paths.distance) & (paths.distance == 0)).any()
    return paths


@pytest.mark.parametrize(
    ("name", "shape"),
    few(
        product([*QUICK, *sample(OTHERS, 2)], SHAPES),
        [(QUICK[0], one) for one in ("one vertex", "no arcs", "self-loop", "karate", "grid")],
    ),
)
def test_every_graph(name, shape):
    case = CASES[name]
    graph = case.graph(shape)
    for source in some_vertices(graph)[:2]:  # plain Python takes long
        check(case, graph, source)


@pytest.mark.parametrize(
    ("name", "method"),
    [
        # One algebra by every method, the others by one each in turn.
        *few(
            (("toll", method) for method in METHODS),
            [("toll", "dijkstra")],
        ),
        *slow([("reliable", "delta-stepping")]),
        *slow(zip(OTHERS, cycle(METHODS), strict=False)),
    ],
)
def test_every_method(name, method):
    case = CASES[name]
    for shape in ("grid", "uniform, directed", "star"):
        check(case, case.graph(shape), 0, method=method)


def test_a_search_ends_at_its_target_and_at_its_cutoff():
    case = CASES["toll"]
    graph = case.graph("grid")
    whole = check(case, graph, 0).distance
    target = int(np.argsort(whole)[len(whole) // 2])
    paths = wp.sssp(graph, 0, algebra=case.algebra, target=target)
    paths.verify()
    assert np.array_equal(paths.reached, whole <= whole[target])
    within = wp.sssp(graph, 0, algebra=case.algebra, cutoff=int(whole[target]))
    within.verify()
    assert np.array_equal(within.distance, paths.distance)


def test_the_nearest_of_several_sources():
    case = CASES["toll"]
    graph = case.graph("uniform, directed")
    paths = wp.sssp(graph, [0, 7, 9], algebra=case.algebra, nearest=True)
    paths.verify()
    assert np.array_equal(paths.distance, case.answer(graph, [0, 7, 9]))


def test_paths_and_matrices():
    case = CASES["toll"]
    graph = case.graph("grid")
    matrix = wp.distance_matrix(graph, [0, 3], [5, 9], algebra=case.algebra)
    matrix.verify()
    rows = np.stack([case.answer(graph, [source]) for source in (0, 3)])
    assert np.array_equal(matrix.distance, rows[:, [5, 9]])
    path = wp.shortest_path(graph, 0, 9, algebra=case.algebra)
    path.verify()
    assert path.length == rows[0, 9]


@pytest.mark.slow
def test_the_best_of_parallel_edges_is_the_functions():
    cheap = wp.Algebra(lambda d, w: d + (1 if w == 7 else w))
    graph = wp.Graph.from_edges([0, 0, 0], [1, 1, 1], [5, 7, 9])
    paths = wp.sssp(graph, 0, algebra=cheap, **ONCE)
    paths.verify()
    assert paths.distance.tolist() == [0, 1]
    path = wp.shortest_path(graph, 0, 1, algebra=cheap)
    path.verify()
    with pytest.raises(ValueError, match="which of parallel edges is the best"):
        _ = path.edges
    with pytest.raises(ValueError, match="which of parallel edges is the best"):
        paths.path_edges(1)


@pytest.mark.parametrize(
    ("extend", "weights", "dtype"),
    [
        (lambda d, w: d + np.int64(w), np.int32, np.int64),
        *slow(
            [
                (lambda d, w: d + w / 2, np.int32, np.float64),
                (lambda d, w: d + np.float64(w), np.float32, np.float32),
            ]
        ),
        *(
            pytest.param(lambda d, w: d + w, one, one, marks=pytest.mark.slow)
            for one in (np.int32, np.float32, np.float64)
        ),
    ],
)
def test_distances_have_the_dtype_that_the_function_makes(extend, weights, dtype):
    graph = wp.Graph.from_edges([0, 1], [1, 2], np.array([5, 6], weights))
    paths = wp.sssp(graph, 0, algebra=wp.Algebra(extend), **ONCE)
    paths.verify()
    assert paths.distance.dtype == dtype


def test_without_weights_each_is_one():
    graph = wp.Graph.from_edges([0, 1], [1, 2])
    paths = wp.sssp(graph, 0, algebra=wp.Algebra(lambda d, w: d + 3 * w), **ONCE)
    paths.verify()
    assert paths.distance.tolist() == [0, 3, 6]


@pytest.mark.parametrize(
    ("method", "dtype"),
    few(product(METHODS, [np.int32, np.int64, np.float64]), [(ONCE["method"], np.int32)]),
)
def test_what_does_not_fit_is_an_error(method, dtype):
    graph = wp.generate.grid(1, 40, weights=(4, 6), seed=1)
    double = wp.Algebra(lambda d, w: (d + 1) * w)
    if dtype is np.float64:
        assert wp.sssp(graph, 0, algebra=double, dtype=dtype, method=method).reached.all()
        return
    with pytest.raises(OverflowError, match=f"exceeds {np.dtype(dtype)}"):
        wp.sssp(graph, 0, algebra=double, dtype=dtype, method=method)


@pytest.mark.slow
def test_values_far_beyond_all_buckets():
    """Buckets are as wide as a step of the sample, and the last ones share one."""
    graph = wp.generate.grid(1, 900, weights=(2, 2))
    double = wp.Algebra(lambda d, w: d * w, start=1)
    paths = wp.sssp(graph, 0, algebra=double, dtype=np.float64, method="delta-stepping")
    paths.verify()
    assert paths.distance[-1] == 2.0**899


def test_no_other_function_has_its_kernel():
    """Kernels are kept under what a function is: two of one name, one of two bounds."""

    def bounded(limit):
        return wp.Algebra(lambda d, w: d + min(w, limit))

    graph = wp.Graph.from_edges([0, 1], [1, 2], [50, 60])
    ends = [wp.sssp(graph, 0, algebra=bounded(k), **ONCE).distance[2] for k in (10, 20, 10)]
    assert ends == [20, 40, 20]


GRAPH = wp.Graph.from_edges([0, 1, 0], [1, 2, 2], np.int32([5, 6, 3]))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (lambda: wp.Algebra(lambda d, w: d - w), r"must not make a path better, but extend\(.*smaller than"),
        (
            lambda: wp.Algebra(lambda d, w: d + w, select=max, unreached=-math.inf),
            r"must not make a path better, but extend\(.*larger than.*return min\(d, …\), let select be min",
        ),
        (lambda: wp.Algebra(lambda d, w: d + w * 10 // (d + 1)), "must keep the order, but extend"),
        (lambda: wp.Algebra(lambda d, w: d + 1, start=0.5), "start=0.5 is no int32"),
        (lambda: wp.Algebra(lambda d, w: d + 1, start=2**40), "start=1099511627776 is no int32"),
        (lambda: wp.Algebra(lambda d, w: d + 1, unreached=9.5), "unreached=9.5 is no int32"),
        (lambda: wp.Algebra(lambda d, w: [d]), r"test_custom_algebras.py:\d+: <lambda>: extend has no list"),
        (lambda: wp.Algebra(lambda d: d), "extend takes two numbers"),
        (lambda: wp.Algebra(len), "extend is a Python function, not <built-in function len>"),
        (lambda: wp.Algebra(lambda d, w: d, select=sum), "select is Python's min or max"),
        (lambda: wp.Algebra(lambda d, w: d, select=max), "start=0 is not better than unreached=inf .* let unreached be -inf"),
        (lambda: wp.Algebra(lambda d, w: d, start=math.nan), "start must be a number, not NaN"),
        (lambda: wp.Algebra(lambda d, w: d, start=-math.inf), "start must be finite"),
        (lambda: wp.Algebra(lambda d, w: d, unreached="no"), "unreached must be a number"),
    ],
)  # fmt: skip
def test_what_is_no_algebra(given, message):
    with pytest.raises(ValueError, match=message):
        wp.sssp(GRAPH, 0, algebra=given())


def test_what_is_no_number():
    logarithm = wp.Algebra(lambda d, w: d + np.log(w - 4))
    with pytest.raises(ValueError, match=r"extend\(0.0, 3.0\) is nan: a value is a number"):
        wp.sssp(GRAPH, 0, algebra=logarithm)


def test_a_result_that_no_distance_holds():
    with pytest.raises(
        ValueError, match=r"extend returns float64, and distances are int32: .*dtype='float64'"
    ):
        wp.sssp(GRAPH, 0, algebra=wp.Algebra(lambda d, w: d + w / 2), dtype=np.int32)


def test_calls_that_have_no_own_algebra():
    own = wp.Algebra(lambda d, w: d + w)
    with pytest.raises(ValueError, match=r"apsp joins two paths.*wp\.distance_matrix"):
        wp.apsp(GRAPH, algebra=own)
    with pytest.raises(ValueError, match="method 'bidirectional' by weight is for sums"):
        wp.shortest_path(GRAPH, 0, 2, algebra=own, method="bidirectional")
