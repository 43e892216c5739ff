"""The best paths by other algebras than sums, by the CUDA kernels."""

from pathlib import Path

import numpy as np
import pytest

from algebras import best_paths, probabilities
from emulated_sssp import DTYPES, GRAPHS, SWEEP, in_dtype, run
from multigraphs import NAMES
from warpath import Graph, verify
from warpath.operators import ALGEBRAS

HERE = Path(__file__).resolve().parent
# Of test_algebras.cpp, with the dtypes of weights and distances.
CASES = {
    "minimax_int32": ("minimax", "int32", "int32"),
    "minimax_int32_int64": ("minimax", "int32", "int64"),
    "minimax_float32_queueless": ("minimax", "float32", "float32"),
    "minimax_float64_drift": ("minimax", "float64", "float64"),
    "widest_int32_packed": ("widest", "int32", "int32"),
    "widest_int64_drift": ("widest", "int64", "int64"),
    "widest_float32_list": ("widest", "float32", "float32"),
    "most_reliable_float32_packed": ("most-reliable", "float32", "float32"),
    "most_reliable_float64": ("most-reliable", "float64", "float64"),
}
HAS_FAR = [case for case in CASES if "packed" not in case and "queueless" not in case]


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(HERE / "test_algebras.cpp")


def graph_for(name, case):
    """With weights of both signs, both zeros among them; or from 0 to 1."""
    algebra, weights, _ = CASES[case]
    graph = in_dtype(GRAPHS[name], DTYPES[weights])
    if algebra == "most-reliable":
        return probabilities(graph)
    middle = graph.weights.dtype.type(0.5 if graph.weights.dtype.kind == "f" else 5)
    return graph.with_weights(graph.weights - middle)


def search(program, case, graph, sources, delta=SWEEP, **options):
    """Run one case to its end, and check its answer and its certificate."""
    name, _, dtype = CASES[case]
    algebra, dtype = ALGEBRAS[name], DTYPES[dtype]
    offset = np.uint64 if case == "minimax_int32_int64" else np.uint32
    found = run(program, case, graph, sources, delta, dtype=dtype, offset=offset, **options)
    assert found["size"][0] == 0
    distance = algebra.values(found["distance"])
    assert np.array_equal(distance, best_paths(graph, sources, name, dtype) + dtype(0))
    assert not (np.signbit(distance) & (distance == 0)).any()
    verify.sssp(graph, np.array(sources, np.int32), distance, algebra=name)
    return found


@pytest.mark.parametrize("case", CASES)
def test_every_graph(program, case):
    for seed, name in enumerate(NAMES):
        search(program, case, graph_for(name, case), [0], seed=seed)


@pytest.mark.parametrize("blocks", [1, 3])
@pytest.mark.parametrize("delta", [0.03, 1, 3])
@pytest.mark.parametrize("case", HAS_FAR)
def test_every_width_of_buckets(program, case, delta, blocks):
    """Also where the sources lie so low that their distance and Δ make nothing."""
    if "int" in case:
        delta = max(1, int(delta))
    for seed, name in enumerate(("path", "random", "random, directed")):
        search(program, case, graph_for(name, case), [0], delta, seed=seed, blocks=blocks)


@pytest.mark.parametrize("case", CASES)
def test_several_sources(program, case):
    search(program, case, graph_for("random, directed", case), [0, 17, 5, 300], seed=3)


@pytest.mark.parametrize("case", ["minimax_int32", "widest_int32_packed", "widest_int64_drift"])
def test_the_ends_of_a_dtype(program, case):
    """All weights but the one that reads as "no path" are told from it."""
    ends = np.iinfo(DTYPES[CASES[case][1]])
    low, high = (ends.min + 1, ends.max) if "widest" in case else (ends.min, ends.max - 1)
    weights = np.array([high, 0, low, low, high], ends.dtype)
    graph = Graph.from_edges([0, 1, 2, 0, 4], [1, 2, 3, 4, 5], weights, n=7)
    for delta in (SWEEP, 1, 2**20):
        if delta == 1 or "packed" not in case:
            search(program, case, graph, [0], delta)


@pytest.mark.parametrize("case", ["minimax_int32", "widest_float32_list", "most_reliable_float64"])
def test_nothing_within_a_cutoff_is_missed(program, case):
    name, _, dtype = CASES[case]
    algebra, dtype = ALGEBRAS[name], DTYPES[dtype]
    graph = graph_for("random", case)
    whole = best_paths(graph, [0], name, dtype)
    limit = np.sort(algebra.keys(whole))[whole.size // 3]
    delta = 1 if np.dtype(dtype).kind == "i" else 0.05
    found = run(program, case, graph, [0], delta, dtype=dtype, cutoff=limit)
    keys = found["distance"]
    within = algebra.keys(whole) <= limit
    assert np.array_equal(keys[within], algebra.keys(whole)[within])
    assert (keys[~within] > limit).all()
