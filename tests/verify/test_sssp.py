from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import bellman_ford, dijkstra

from exhaustive import few, pairwise
from warpath import Graph, VerificationError, verify
from warpath.verify import claim

DTYPES = [np.int32, np.int64, np.float32, np.float64]


AXES = [0, 1, 2], DTYPES, [True, False], [7, 1, claim.ARCS_AT_ONCE]


@pytest.mark.parametrize(
    ("seed", "dtype", "directed", "chunk"), few(product(*AXES), pairwise(*AXES))
)
def test_right_answers_pass(
    solve: Any,
    random_graph: Any,
    monkeypatch: Any,
    seed: int,
    dtype: Any,
    directed: bool,
    chunk: int,
) -> None:
    monkeypatch.setattr(claim, "ARCS_AT_ONCE", chunk)
    graph = random_graph(seed, dtype, directed=directed)
    for source in (0, [3], [5, 1, 5]):
        for cutoff in (None, 0, 1, 3, 1000, np.inf):
            limit = None if cutoff is None else np.float64(cutoff).astype(dtype) if (
                np.dtype(dtype).kind == "f") else cutoff  # fmt: skip
            distance, predecessor = solve(graph, source, dtype, limit)
            verify.sssp(graph, source, distance, predecessor, cutoff=cutoff)
            verify.sssp(graph, source, distance, cutoff=cutoff)


@pytest.mark.parametrize("dtype", DTYPES)
def test_without_weights_each_arc_weighs_one(solve: Any, random_graph: Any, dtype: Any) -> None:
    graph = random_graph(4)
    verify.sssp(graph, 0, *solve(graph, 0, dtype))


def test_integer_weights_may_have_float_distances(solve: Any, random_graph: Any) -> None:
    graph = random_graph(4, np.int64)
    verify.sssp(graph, 0, *solve(graph, 0, np.float32))


def test_float_weights_need_float_distances(random_graph: Any) -> None:
    graph = random_graph(4, np.float32)
    with pytest.raises(VerificationError, match="form: distance has dtype int64, not float32 or"):
        verify.sssp(graph, 0, np.zeros(graph.num_vertices, np.int64))


def test_scipy_is_right() -> None:
    rng = np.random.default_rng(0)
    pairs = np.unique(rng.integers(0, 1000, (5000, 2)), axis=0)  # SciPy adds parallel arcs
    graph = Graph.from_edges(*pairs.T, rng.random(len(pairs)), n=1000)
    distance, parent = dijkstra(graph.to_scipy(), indices=0, return_predecessors=True)
    verify.sssp(graph, 0, distance, np.where(parent < 0, -1, parent).astype(np.int32))
    verify.sssp(graph, 0, distance)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float64])
@pytest.mark.parametrize("seed", range(5))
def test_negative_weights(solve: Any, random_graph: Any, seed: int, dtype: Any) -> None:
    graph = random_graph(seed, dtype)
    if np.dtype(dtype).kind == "f":
        graph = graph.with_weights(np.round(graph.weights * 10))  # sums that are exact
    source, target, weight = graph.coo()
    potential = np.random.default_rng(seed).integers(-9, 9, graph.num_vertices).astype(dtype)
    twin = Graph.from_edges(
        source, target, weight + potential[source] - potential[target], n=graph.num_vertices
    )
    for s in (0, [0, 3, 7]):
        distance, predecessor = solve(twin, s, dtype)
        verify.sssp(twin, s, distance, predecessor)
        verify.sssp(twin, s, distance)
    assert twin.weight_range[0] < 0


def test_bellman_ford_of_scipy_is_right() -> None:
    graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4], [4.0, 1.0, -6.0, 2.0, -1.0])
    distance, parent = bellman_ford(graph.to_scipy(), indices=0, return_predecessors=True)
    verify.sssp(graph, 0, distance, np.where(parent < 0, -1, parent).astype(np.int32))


def test_one_source_may_lie_below_another() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], [-5, 1])
    verify.sssp(graph, [0, 1], np.int32([0, -5, -4]), np.int32([-1, 0, 1]))
    with pytest.raises(VerificationError, match="triangle"):
        verify.sssp(graph, [0, 1], np.int32([0, 0, 1]), np.int32([-1, -1, 1]))


def test_zero_weight_cycles_that_hang_on_the_source(solve: Any) -> None:
    ring = np.arange(50)
    source = np.concatenate([ring, (ring + 1) % 50, [50, 50]])
    target = np.concatenate([(ring + 1) % 50, ring, [10, 30]])
    graph = Graph.from_edges(source, target, [0] * 100 + [2, 2])
    distance, predecessor = solve(graph, 50, np.int32)
    verify.sssp(graph, 50, distance, predecessor)
    verify.sssp(graph, 50, distance)


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 9, 1000])
def test_zero_weight_cycles_of_any_length_are_found(n: int) -> None:
    ring = np.arange(1, n + 1)
    graph = Graph.from_edges(ring, np.roll(ring, -1), np.zeros(n, np.int32))
    distance = np.append(0, np.full(n, 4)).astype(np.int32)
    predecessor = np.append(-1, np.roll(ring, 1)).astype(np.int32)
    for given in (None, predecessor):
        with pytest.raises(VerificationError, match="rooted"):
            verify.sssp(graph, 0, distance, given)


def test_a_long_path_of_weight_zero() -> None:
    n = 4097  # one more than a power of two: as many rounds of doubling as there can be
    graph = Graph.from_edges(np.arange(n - 1), np.arange(1, n), np.zeros(n - 1, np.int32))
    distance, predecessor = np.zeros(n, np.int32), np.arange(-1, n - 1, dtype=np.int32)
    verify.sssp(graph, 0, distance, predecessor)
    verify.sssp(graph, 0, distance)


def test_sums_beyond_32_bits_do_not_wrap() -> None:
    big = np.iinfo(np.int32).max - 1
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], np.int32([big, big, 5]))
    verify.sssp(graph, 0, np.int32([0, big, 5]), np.int32([-1, 0, 0]))


def test_sums_beyond_64_bits_do_not_wrap() -> None:
    big = np.iinfo(np.int64).max - 1
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], [big, big, 5])
    verify.sssp(graph, 0, np.int64([0, big, 5]), np.int64([-1, 0, 0]).astype(np.int32))
    graph = Graph.from_edges([0, 1], [1, 2], [big, big])
    with pytest.raises(VerificationError, match="closed"):
        verify.sssp(graph, 0, np.int64([0, big, big + 1]), np.int32([-1, 0, -1]))


def test_float_sums_beyond_the_dtype_read_as_infinite() -> None:
    big = np.float32(3e38)
    graph = Graph.from_edges([0, 1, 0], [1, 2, 2], np.float32([big, big, 5]))
    verify.sssp(graph, 0, np.float32([0, big, 5]), np.int32([-1, 0, 0]))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_any_single_change_is_caught(solve: Any, random_graph: Any, seed: int, dtype: Any) -> None:
    graph = random_graph(seed, dtype)
    distance, predecessor = solve(graph, 0, dtype)
    rng = np.random.default_rng(seed)
    v = rng.integers(graph.num_vertices)
    reached = distance[v] not in (np.inf, np.iinfo(np.int32).max)
    distance[v] = distance[v] + rng.choice([-1, 1]) if reached else 2
    for given in (None, predecessor):
        with pytest.raises(VerificationError):
            verify.sssp(graph, 0, distance, given)


def test_one_vertex() -> None:
    for graph in (Graph.from_edges([], [], n=1), Graph.from_edges([0, 0], [0, 0], [0, 3])):
        verify.sssp(graph, 0, np.int32([0]), np.int32([-1]))
        verify.sssp(graph, 0, np.int32([0]))


@pytest.mark.parametrize("cutoff", [-1, -0.5, np.nan])
def test_cutoffs_that_are_none(cutoff: float) -> None:
    with pytest.raises(ValueError, match="cutoff must be a number of 0 or more"):
        verify.sssp(Graph.from_edges([0], [1], [1]), 0, np.int32([0, 1]), cutoff=cutoff)


def test_no_cutoff_with_negative_weights() -> None:
    with pytest.raises(ValueError, match="negative weights"):
        verify.sssp(Graph.from_edges([0], [1], [-1]), 0, np.int32([0, -1]), cutoff=3)


def test_cutoff_between_integers_is_rounded_down() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], [2, 2])
    far = np.iinfo(np.int32).max
    verify.sssp(graph, 0, np.int32([0, 2, far]), np.int32([-1, 0, -1]), cutoff=3.9)
    with pytest.raises(VerificationError, match="limit"):
        verify.sssp(graph, 0, np.int32([0, 2, 4]), np.int32([-1, 0, 1]), cutoff=3.9)


def test_a_cutoff_of_64_bits_is_not_rounded() -> None:
    far = np.iinfo(np.int64).max
    graph = Graph.from_edges([0, 1], [1, 2], [2**53 + 1, 1])
    distance = np.int64([0, 2**53 + 1, far])
    verify.sssp(graph, 0, distance, np.int32([-1, 0, -1]), cutoff=np.int64(2**53 + 1))
    with pytest.raises(VerificationError, match="closed"):
        verify.sssp(graph, 0, np.int64([0, far, far]), cutoff=np.int64(2**53 + 1))
