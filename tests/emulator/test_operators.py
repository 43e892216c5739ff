"""Operators written in Python, by their drivers on the emulator: what plain Python gives."""

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from emulated_sssp import Children
from exhaustive import few, slow
from operator_bodies import (
    AGGREGATIONS,
    CASES,
    VERTEX_CASES,
    aggregated,
    check_elements,
    check_neutral,
    fresh,
    given_by,
    neutral,
    typed,
    visit,
)
from warpath import Graph, traverse
from warpath.balance import DEFAULT, lookup
from warpath.cuda import operators
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.runtime import use
from warpath.language.staging import staged

BALANCE = lookup(DEFAULT)
# Each is some kernels to build: by default these, the others if there is time.
QUICK = ("relax, int32", "visit, sinks")
OTHERS = tuple(name for name in CASES if name not in QUICK)


def on_device(runtime, graph):
    return DeviceGraph.from_arrays(
        graph.row_offsets, graph.column_indices, graph.weights, directed=graph.directed
    )


def moved(runtime, arguments):
    xp = runtime.xp
    return [xp.asarray(one) if isinstance(one, np.ndarray) else one for one in arguments]


def has_steps(name):
    case = CASES[name]
    function = typed(case.operator, case.arguments, case.graph)
    return staged(function) is not None and case.max_iterations > 1


def check(
    runtime,
    name,
    balance=BALANCE,
    *,
    pull=False,
    small="off",
    loop="device",
    seed=0,
    checks=False,
):
    runtime.seed, runtime.blocks = seed, 1 + seed % 3
    case = CASES[name]
    arguments = fresh(case.arguments)
    function = typed(case.operator, arguments, case.graph)
    with use(runtime):
        there = moved(runtime, arguments)
        faults = runtime.xp.zeros(4, np.int64) if checks else None
        iterations, left = operators.traverse(
            on_device(runtime, case.graph), runtime.xp.asarray(np.array(case.sources, np.int32)), function,
            given_by(case.operator, there), balance, case.max_iterations, pull, small, loop, faults,
        )  # fmt: skip
    assert faults is None or not faults.get().any()
    case.check([one.get() if hasattr(one, "get") else one for one in there])
    case.check_frontier(left.get())
    assert iterations >= 1
    return iterations


@pytest.mark.parametrize("name", ["relax, int32", *slow(["visit, sinks", *OTHERS])])
def test_edges(runtime, name):
    for seed in range(3):
        check(runtime, name, seed=seed)
    check(runtime, name, pull=True, seed=1)


@pytest.mark.parametrize(
    ("name", "limit"),
    [
        ("relax, int32", 30),
        ("relax, int32", 32768),
        *slow((one, limit) for one in ("visit, sinks", "claim") for limit in (30, 32768)),
        *slow((one, 30) for one in OTHERS if one != "claim"),
    ],
)
def test_small_frontiers(runtime, monkeypatch, name, limit):
    monkeypatch.setattr(operators, "SMALL_FRONTIER_MAX_EDGES", limit)
    for seed in range(3):
        check(runtime, name, small="cluster", seed=seed)
    check(runtime, name, small="block", seed=1)


@pytest.mark.parametrize(
    "name",
    [
        *(one for one in QUICK if has_steps(one)),
        *slow((one,) for one in OTHERS if has_steps(one)),
    ],
)
def test_asynchronous_blocks(runtime, name):
    for seed in range(6):
        check(runtime, name, small="async", seed=seed)


@pytest.mark.parametrize("name", ["merge-path", *slow(["virtual-warp", "edge-parallel"])])
def test_balances(runtime, name):
    check(runtime, "claim", lookup(name))


@pytest.mark.parametrize(
    ("pull", "name"), [(False, "visit, sinks"), *slow([(True, "relax, int32")])]
)
def test_a_launch_for_each_iteration(runtime, pull, name):
    iterations = check(runtime, "relax, int32", pull=pull, loop="host")
    assert runtime.launches >= iterations > 2
    children = Children(dynamic_parallelism=1024)
    for seed in range(2):
        iterations = check(runtime, name, children, pull=pull, seed=seed)
        assert runtime.launches >= max(iterations, 2)  # the last one reads what child grids found


@pytest.mark.parametrize("small", ["block", *slow(["cluster"])])
def test_small_frontiers_next_to_child_grids(runtime, monkeypatch, small):
    """Where all frontiers are small, they take no launch each; where some are, these take one, and child grids."""
    children = Children(dynamic_parallelism=1024)
    for limit in (32768, 30):
        monkeypatch.setattr(operators, "SMALL_FRONTIER_MAX_EDGES", limit)
        iterations = check(runtime, "relax, int32", children, small=small)
        launches = runtime.launches - 1  # the last one looks which vertices are left
        assert launches == 1 if limit == 32768 else 1 < launches <= iterations


@pytest.mark.parametrize("source", [0, 2])
def test_vertices_without_edges_count_as_an_iteration(runtime, source):
    graph = Graph.from_edges([0, 1], [1, 2])
    level = np.where(np.arange(3) == source, 0, -1).astype(np.int32)
    function = typed(visit, [level], graph)
    with use(runtime):
        iterations, left = operators.traverse(
            on_device(runtime, graph), runtime.xp.asarray(np.array([source], np.int32)), function,
            given_by(visit, moved(runtime, [level])), BALANCE, 9,
        )  # fmt: skip
    assert iterations == traverse(graph, source, visit, level.copy()) == 3 - source
    assert len(left) == 0


def test_checks(runtime):
    check(runtime, "relax, int32", checks=True)
    case = CASES["relax, int32"]
    arguments = [case.arguments[0][:100].copy()]
    function = typed(case.operator, arguments, case.graph)
    with use(runtime):
        faults = runtime.xp.zeros(4, np.int64)
        operators.traverse(
            on_device(runtime, case.graph), runtime.xp.asarray(np.array(case.sources, np.int32)), function,
            given_by(case.operator, moved(runtime, arguments)), BALANCE, case.max_iterations,
            False, "off", "device", faults,
        )  # fmt: skip
    assert faults.get()[0] == 1
    assert 100 <= faults.get()[2] < case.graph.num_vertices


@pytest.mark.parametrize(
    "name", few(VERTEX_CASES, ["integers", "floats", "fill", "ordered", "ranges", "walk", "whole"])
)
def test_vertices(runtime, name):
    case = VERTEX_CASES[name]
    arguments = fresh(case.arguments)
    function = typed(case.operator, arguments, case.graph)
    n = case.graph.num_vertices
    with use(runtime):
        there = moved(runtime, arguments)
        out = runtime.xp.empty(n, np.dtype(function.result)) if function.result else None
        operators.prepare_compute(None, n, function, given_by(case.operator, there), out).run()
    case.check([one.get() if hasattr(one, "get") else one for one in there])
    if out is not None:
        case.check_out(out.get())


@pytest.mark.parametrize("layers", [1, 3])
def test_elements(runtime, layers):
    runtime.seed = runtime.blocks = layers
    with emulated_device(runtime):
        check_elements(layers, runtime.xp.asarray)


@pytest.mark.parametrize("most", [0, np.inf])  # their bits are never looked at, or always
def test_others_that_bring_nothing(runtime, monkeypatch, most):
    monkeypatch.setattr(operators, "_CACHED", 0)
    monkeypatch.setattr(operators, "_MOST", most)
    with emulated_device(runtime):
        check_neutral(3, runtime.xp.asarray)


def check_aggregation(runtime, name, balance=DEFAULT, *, seed=0, layers=1, some=None, among=None):
    """With ``layers``, arrays of as many permutations; ``some`` aggregate what comes from those ``among``."""
    operator, graph, (load,), by, dtype = AGGREGATIONS[name]
    rng = np.random.default_rng(seed)
    loads = [load, *(rng.permutation(load) for _ in range(layers - 1))]
    arguments = [np.stack(loads, axis=1).ravel()]
    runtime.seed, runtime.blocks = seed, 1 + seed % 3
    each = [aggregated(operator, graph, [one], by, dtype, among) for one in loads]
    right = np.stack(each, axis=1).ravel()
    function = typed(operator, arguments, graph, "sum" if by == "sum" else "value")
    empty = neutral(by, dtype)
    with use(runtime):
        out = runtime.xp.full(len(right), empty, dtype)
        given = given_by(operator, moved(runtime, arguments))
        there, back = on_device(runtime, graph), on_device(runtime, graph.reverse)
        launch = operators.prepare_aggregate(
            back, function, given, by, out, lookup(balance), layers=layers, forward=there,
            vertices=None if some is None else runtime.xp.asarray(some),
            among=None if among is None else runtime.xp.asarray(among),
        )  # fmt: skip
        launch.run()
    if some is not None:
        others = np.setdiff1d(np.arange(graph.num_vertices), some)
        right.reshape(-1, layers)[others] = empty
    assert np.array_equal(out.get(), right, equal_nan=True)


@pytest.mark.parametrize("name", few(AGGREGATIONS, ["sum", "min with NaN, float32"]))
def test_aggregations(runtime, name):
    for seed in range(3):
        check_aggregation(runtime, name, seed=seed)


@pytest.mark.parametrize("layers", [2, 3, 4, *slow([7, 16, 32, 40])])
def test_layers(runtime, layers):
    for seed, name in enumerate(("sum", "max with NaN, float64")):
        check_aggregation(runtime, name, seed=seed, layers=layers)
        some = np.random.default_rng(seed).permutation(160)[:50].astype(np.int32)
        check_aggregation(runtime, name, seed=seed, layers=layers, some=some)
        for among in (some[:3], some):
            check_aggregation(runtime, name, seed=seed, layers=layers, among=among)


def test_some_vertices_aggregate(runtime):
    for some in ([], [5], range(0, 160, 3)):
        check_aggregation(runtime, "min", some=np.array(some, np.int32))


@pytest.mark.parametrize("scattered", [0, np.inf])  # all scatter, or all gather
def test_edges_of_some_vertices_are_aggregated(runtime, monkeypatch, scattered):
    monkeypatch.setattr(operators, "_SCATTERED", scattered)
    steps = ("sum", 2), ("min with NaN, float32", 5), ("max with NaN, float64", 7), ("max", 40)
    for seed, (name, step) in enumerate(steps):
        among = np.arange(1, 160, step, dtype=np.int32)
        check_aggregation(runtime, name, seed=seed, among=among)
        check_aggregation(runtime, name, seed=seed, some=among - 1, among=among[1:])
        for layers in (3, 4):
            check_aggregation(
                runtime, name, seed=seed, layers=layers, some=among - 1, among=among[1:]
            )


# Lanes have edges of different vertices, or some of one vertex each, or share them.
BALANCES = ["edge-parallel", "thread-mapped", *slow(["merge-path", "virtual-warp:width=4"])]


@pytest.mark.parametrize("balance", BALANCES)
def test_aggregations_by_balance(runtime, balance):
    check_aggregation(runtime, "sum", balance)
    check_aggregation(runtime, "sum", balance, seed=1, among=np.arange(1, 160, 3, dtype=np.int32))


def test_a_body_in_cuda_cpp(runtime):
    """It gives what the operator in Python gives, with the same arguments."""
    case = CASES["relax, int32"]
    text = "return atomic_min(distance + v, distance[u] + w);"
    operator = wp.operator(source=text, parameters="u, v, w, distance")
    runtime.seed, runtime.blocks = 1, 2
    arguments = fresh(case.arguments)
    with use(runtime):
        there = moved(runtime, arguments)
        _, left = operators.traverse(
            on_device(runtime, case.graph), runtime.xp.asarray(np.array(case.sources, np.int32)),
            typed(operator, arguments, case.graph), given_by(operator, there), BALANCE,
            case.max_iterations,
        )  # fmt: skip
    case.check([one.get() for one in there])
    case.check_frontier(left.get())
