"""Algebras of users' own by the drivers of shortest paths on the emulator: plain Python's answer to the bit."""

import numpy as np
import pytest

from custom_algebras import CASES
from exhaustive import sample, slow
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

# Each is a handful of kernels to build. Here are no other sums, which on the CPU have their tests.
OTHERS = ("costs", "widest, float64", "from 5", "widest")
OTHER_METHODS = {"near-far": "capped", "h-bf": "reliable", "bellman-ford-queueless": "capped"}


def on_device(case, graph):
    weights = graph.weights.astype(case.weights)
    return DeviceGraph.from_arrays(
        graph.row_offsets, graph.column_indices, weights, directed=graph.directed
    )


def check(runtime, case, graph, keys, sources, predecessor=None):
    distance = lookup_algebra(case.algebra).values(keys.get())
    assert np.array_equal(distance, case.answer(graph, sources))
    verify.sssp(graph, sources, distance, predecessor, algebra=case.algebra)


def search(
    runtime,
    case,
    graph,
    method,
    *,
    asynchronous=False,
    balance=DEFAULT,
    seed=0,
    limit=None,
    grows_tree=False,
):
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
        predecessor = runtime.xp.empty(n, np.int32)
        report = sssp(
            there, there.weights, np.array([0], np.int32), method, delta, unreachable(dtype), -1, distance,
            lookup(balance), asynchronous=asynchronous, path_limit_width=limit, algebra=case.algebra,
            optimizations=default(dtype) if method == "h-bf" else None,
            parents=predecessor if grows_tree else None, tree=grows_tree,
        )  # fmt: skip
        assert report.control()["progress"]["size"] == 0
        if not grows_tree:
            tree.fill_predecessors(
                there, there.weights, np.array([0], np.int32), distance, predecessor, "non-negative",
                algebra=case.algebra,
            )  # fmt: skip
    check(runtime, case, graph, distance, [0], predecessor.get())
    return report.control()["progress"]


def check_method(runtime, name, method):
    case = CASES[name]
    for seed, shape in enumerate(("grid", "uniform, directed")):
        search(runtime, case, weighted(shape, case.weights), method, seed=seed)


@pytest.mark.parametrize("name", ["capped", *slow(["reliable", *sample(OTHERS, 2)])])
def test_searches(runtime, name):
    check_method(runtime, name, "delta-stepping")


@pytest.mark.parametrize("name", ["capped", *slow(["reliable", "widest", "costs"])])
def test_edges_that_offer_much_are_left_out_for_a_while(runtime, name):
    """Limits near and far, so that some are set again."""
    case, looked_back = CASES[name], 0
    graphs = [weighted("grid", case.weights), case.graph("karate")]
    for graph in graphs:
        for seed, limit in enumerate((1, 4, 16)):
            width = limit if np.dtype(case.dtype).kind == "i" else limit / 8
            progress = search(runtime, case, graph, "delta-stepping", seed=seed, limit=width)
            looked_back += progress["path_limits"] > 1
    assert looked_back > 0


@pytest.mark.parametrize("name", ["toll", *slow(["downwards"])])
def test_a_tree_that_grows_with_the_search(runtime, name):
    """Where each edge makes a path worse; also where the larger value is the better, and keys are below 0."""
    case = CASES[name]
    for seed, shape in enumerate(("grid", "karate")):
        for limit in (None, 4):
            search(
                runtime,
                case,
                case.graph(shape),
                "delta-stepping",
                seed=seed,
                limit=limit,
                grows_tree=True,
            )


@pytest.mark.slow
@pytest.mark.parametrize("method", OTHER_METHODS)
def test_other_methods(runtime, method):
    check_method(runtime, OTHER_METHODS[method], method)


@pytest.mark.slow
def test_asynchronous_blocks(runtime):
    search(runtime, CASES["toll"], CASES["toll"].graph("grid"), "delta-stepping", asynchronous=True)


@pytest.mark.slow
def test_another_balance(runtime):
    search(
        runtime, CASES["toll"], CASES["toll"].graph("grid"), "delta-stepping", balance="merge-path"
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["reliable", "capped", *sample(OTHERS, 2, 1)])
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
