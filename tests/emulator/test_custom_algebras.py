"""Algebras of users' own by the drivers of shortest paths on the emulator: plain Python's answer to the bit."""

import numpy as np
import pytest

from custom_algebras import CASES
from emulated_runtime import EmulatedRuntime
from oracles import weighted
from warpath import verify
from warpath.balance import DEFAULT, lookup
from warpath.cuda import batch, tree
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.runtime import use
from warpath.cuda.sssp import sssp
from warpath.graph.distance import unreachable
from warpath.operators import lookup as lookup_algebra
from warpath.schedule.optimizations import default

QUICK = ("capped", "reliable")
SOME = [one if one in QUICK else pytest.param(one, marks=pytest.mark.slow) for one in CASES]
OTHER_METHODS = ("near-far", "h-bf", "bellman-ford-queueless")


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator) as runtime:
        yield runtime


def on_device(case, graph):
    weights = graph.weights.astype(case.weights)
    return DeviceGraph.from_arrays(
        graph.row_offsets, graph.column_indices, weights, directed=graph.directed
    )


def check(runtime, case, graph, keys, sources, predecessor=None):
    distance = lookup_algebra(case.algebra).values(keys.get())
    assert np.array_equal(distance, case.answer(graph, sources))
    verify.sssp(graph, sources, distance, predecessor, algebra=case.algebra)


def search(runtime, case, graph, method, *, asynchronous=False, balance=DEFAULT, seed=0):
    runtime.seed, runtime.blocks = seed, 2
    dtype, n = np.dtype(case.dtype), graph.num_vertices
    with use(runtime):
        there, distance = on_device(case, graph), runtime.xp.empty(n, dtype)
        delta = (
            None
            if method in ("h-bf", "bellman-ford-queueless")
            else 3
            if dtype.kind == "i"
            else 0.5
        )
        report = sssp(
            there, there.weights, np.array([0], np.int32), method, delta, unreachable(dtype), -1, distance,
            lookup(balance), asynchronous=asynchronous, algebra=case.algebra,
            optimizations=default(dtype) if method == "h-bf" else None,
        )  # fmt: skip
        assert report.control()["progress"]["size"] == 0
        predecessor = runtime.xp.empty(n, np.int32)
        tree.fill_predecessors(
            there, there.weights, np.array([0], np.int32), distance, predecessor, "non-negative",
            algebra=case.algebra,
        )  # fmt: skip
    check(runtime, case, graph, distance, [0], predecessor.get())


def check_method(runtime, name, method):
    case = CASES[name]
    for seed, shape in enumerate(("grid", "uniform, directed")):
        search(runtime, case, weighted(shape, case.weights), method, seed=seed)


@pytest.mark.parametrize("name", SOME)
def test_every_algebra(runtime, name):
    check_method(runtime, name, "delta-stepping")


@pytest.mark.slow
@pytest.mark.parametrize("method", OTHER_METHODS)
@pytest.mark.parametrize("name", QUICK)
def test_other_methods(runtime, name, method):
    check_method(runtime, name, method)


def test_asynchronous_blocks(runtime):
    search(runtime, CASES["toll"], CASES["toll"].graph("grid"), "delta-stepping", asynchronous=True)


@pytest.mark.slow
@pytest.mark.parametrize("balance", ["merge-path", "virtual-warp", "cta-warp-scan"])
def test_balances(runtime, balance):
    search(runtime, CASES["toll"], CASES["toll"].graph("grid"), "delta-stepping", balance=balance)


@pytest.mark.parametrize("name", SOME)
def test_rows_at_once(runtime, name):
    case, sources = CASES[name], np.array([0, 5, 2], np.int32)
    graph, dtype = case.graph("grid"), np.dtype(case.dtype)
    runtime.seed, runtime.blocks = 1, 2
    with use(runtime):
        there = on_device(case, graph)
        each = -(-graph.num_vertices // 4) * 4
        rows = runtime.xp.empty((3, each), dtype)[:, : graph.num_vertices]
        parents = runtime.xp.empty((3, each), np.int32)[:, : graph.num_vertices]
        delta = 3 if dtype.kind == "i" else 0.5
        batch.sssp_rows(
            there, there.weights, sources, delta, unreachable(dtype), -1, rows, True, case.algebra
        )
        batch.fill_predecessor_rows(
            there, there.weights, sources, rows, parents, "non-negative", case.algebra
        )
    for row, source in enumerate(sources):
        check(runtime, case, graph, rows[row], [int(source)], parents[row].get())
