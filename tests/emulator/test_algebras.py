"""The best paths by other algebras than sums, by the driver of shortest paths."""

import numpy as np
import pytest

from algebras import best_paths, probabilities
from emulated_sssp import DTYPES, GRAPHS, SWEEP, Case, cases_runtime, in_dtype, run
from exhaustive import few
from multigraphs import NAMES
from warpath import Graph, verify
from warpath.operators import ALGEBRAS


def same(dtype, algebra, method="delta-stepping", **options):
    return Case(method, dtype, dtype, algebra=algebra, **options)


CASES = {
    "minimax, int32": same("int32", "minimax"),
    "minimax, int32 to int64": Case(dtype="int64", offset_bytes=8, algebra="minimax"),
    "minimax, float32, queueless": same("float32", "minimax", "bellman-ford-queueless"),
    "minimax, float64, asynchronous": same("float64", "minimax", asynchronous=True),
    "widest, int32, packed": same("int32", "widest", "h-bf"),
    "widest, int64, asynchronous": same("int64", "widest", asynchronous=True),
    "widest, float32, list": same("float32", "widest", "near-far"),
    "most-reliable, float32, packed": same("float32", "most-reliable", "h-bf"),
    "most-reliable, float64": same("float64", "most-reliable"),
    "minimax, float64, prefilter": same("float64", "minimax", prefilter=True),
    "widest, int32, prefilter": same("int32", "widest", prefilter=True),
    "most-reliable, float32, prefilter": same("float32", "most-reliable", prefilter=True),
}
# Each is a kernel to build: by default each algebra, and each way to keep what is far.
OFTEN = (
    "minimax, int32", "widest, int64, asynchronous", "widest, float32, list",
    "most-reliable, float32, packed", "widest, int32, prefilter", "most-reliable, float32, prefilter",
)  # fmt: skip
HAS_FAR = [name for name in CASES if "packed" not in name and "queueless" not in name]


@pytest.fixture(scope="module")
def runtime(emulator):
    with cases_runtime(emulator, map(CASES.get, OFTEN), CASES.values()) as runtime:
        yield runtime


def graph_for(name, case):
    """With weights of both signs, both zeros among them; or from 0 to 1."""
    graph = in_dtype(GRAPHS[name], DTYPES[case.weights])
    if case.algebra == "most-reliable":
        return probabilities(graph)
    middle = graph.weights.dtype.type(0.5 if graph.weights.dtype.kind == "f" else 5)
    return graph.with_weights(graph.weights - middle)


def search(runtime, case, graph, sources, delta=SWEEP, **options):
    """Search to the end, and check the answer and its certificate."""
    algebra, dtype = ALGEBRAS[case.algebra], DTYPES[case.dtype]
    found = run(runtime, case, graph, sources, delta, **options)
    assert found.progress["size"] == 0
    distance = algebra.values(found.distance)
    assert np.array_equal(distance, best_paths(graph, sources, case.algebra, dtype) + dtype(0))
    assert not (np.signbit(distance) & (distance == 0)).any()
    verify.sssp(graph, np.array(sources, np.int32), distance, algebra=case.algebra)


@pytest.mark.parametrize("name", few(CASES, OFTEN))
def test_every_graph(runtime, name):
    for seed, graph in enumerate(NAMES):
        search(runtime, CASES[name], graph_for(graph, CASES[name]), [0], seed=seed)


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("delta", [0.03, 1, 3])
@pytest.mark.parametrize("name", few(HAS_FAR, OFTEN))
def test_every_width_of_buckets(runtime, name, delta, blocks):
    """Also where the sources lie so low that their distance and Δ make nothing."""
    case = CASES[name]
    if "int" in case.weights:
        delta = max(1, int(delta))
    for seed, graph in enumerate(("path", "random", "random, directed")):
        search(runtime, case, graph_for(graph, case), [0], delta, seed=seed, blocks=blocks)


@pytest.mark.parametrize("name", few(CASES, OFTEN))
def test_several_sources(runtime, name):
    case = CASES[name]
    search(runtime, case, graph_for("random, directed", case), [0, 17, 5, 300], seed=3)


@pytest.mark.parametrize(
    "name", few(["minimax, int32", "widest, int32, packed", "widest, int64, asynchronous"], OFTEN)
)
def test_the_ends_of_a_dtype(runtime, name):
    """All weights but the one that reads as "no path" are told from it."""
    ends = np.iinfo(DTYPES[CASES[name].weights])
    low, high = (ends.min + 1, ends.max) if "widest" in name else (ends.min, ends.max - 1)
    weights = np.array([high, 0, low, low, high], ends.dtype)
    graph = Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 5], weights, n=7)
    for delta in (SWEEP, 1, 2**20):
        if delta == 1 or "packed" not in name:
            search(runtime, CASES[name], graph, [0], delta)


@pytest.mark.parametrize(
    "name", few(["minimax, int32", "widest, float32, list", "most-reliable, float64"], OFTEN)
)
def test_nothing_within_a_cutoff_is_missed(runtime, name):
    case = CASES[name]
    algebra, dtype = ALGEBRAS[case.algebra], DTYPES[case.dtype]
    graph = graph_for("random", case)
    whole = best_paths(graph, [0], case.algebra, dtype)
    limit = np.sort(algebra.keys(whole))[whole.size // 3]
    delta = 1 if np.dtype(dtype).kind == "i" else 0.05
    keys = run(runtime, case, graph, [0], delta, cutoff=limit).distance
    within = algebra.keys(whole) <= limit
    assert np.array_equal(keys[within], algebra.keys(whole)[within])
    assert (keys[~within] > limit).all()
