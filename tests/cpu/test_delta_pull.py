"""Paths beyond a limit: left out, and then pulled by the vertices there or pushed after all."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from relaxations import relaxation_by, searched
from warpath import Graph
from warpath.cpu.delta_stepping import delta_stepping
from warpath.cpu.report import Report
from warpath.generate import erdos_renyi, rmat
from warpath.planning.bucket_width import BucketWidth, as_width


def run(
    graph: Graph, width: BucketWidth, threads: int = 1, source: int = 0, cutoff: int | None = None
) -> tuple[np.ndarray, Report]:
    """The distances, verified, and how it went."""
    plan = replace(relaxation_by(graph.weights, cutoff=cutoff), width=width)
    return searched(delta_stepping, graph, plan, source, threads)


def pair(graph: Graph, delta: float, reach: float, threads: int) -> tuple[int, int]:
    """Arcs that are relaxed without a limit, and with one."""
    width = as_width(delta)
    _, plain = run(graph, width, threads)
    _, limited = run(graph, replace(width, reach=reach), threads)
    return int(plain.edges.sum()), int(limited.edges.sum())


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("make", [rmat, erdos_renyi])
def test_most_arcs_are_not_relaxed(make, dtype, threads):
    size_of = (10, 16) if make is rmat else (2**10, 2**14)
    graph = make(*size_of, weights=(1, 255), seed=1)
    graph = graph.with_weights(graph.weights.astype(dtype))
    plain, limited = pair(graph, 4.0, 32.0, threads)
    assert plain >= graph.num_arcs * 0.95
    assert limited < 0.7 * plain


def test_they_are_pushed_where_many_vertices_are_beyond(threads):
    """Of two parts between which the arcs are heavy the other has half of the arcs."""
    one = erdos_renyi(300, 6000, weights=(1, 9), seed=1)
    u, v, weights = one.edges()
    u, v = np.concatenate([u, u + 300, [3, 5]]), np.concatenate([v, v + 300, [308, 311]])
    weights = np.concatenate([weights, weights, [900, 1200]]).astype(np.int32)
    graph = Graph.from_edges(u, v, weights, directed=False)
    plain, limited = pair(graph, 1.0, 4.0, threads)
    assert limited == plain


def test_where_the_limit_is_no_distance_there_is_none(threads):
    """It would be beyond the largest one that a path may have."""
    graph = erdos_renyi(200, 3200, weights=(1, 255), seed=1)
    plain, limited = pair(graph, 1.0, 2.0**33, threads)
    assert limited == plain


def test_a_cutoff_holds_for_what_is_pulled(threads):
    graph = erdos_renyi(2**10, 2**14, weights=(1, 255), seed=1)
    found = {
        reach: run(graph, replace(as_width(4.0), reach=reach), threads, cutoff=110)[0]
        for reach in (0.0, 32.0)
    }
    assert np.array_equal(found[0.0], found[32.0])
    reached = found[0.0] != np.iinfo(np.int32).max
    assert found[0.0][reached].max() <= 110
    assert not reached.all()


@settings(max_examples=150, deadline=None)
@given(
    st.integers(2, 24), st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 3, 50]),
    st.sampled_from([0.5, 1.0, 7.0]), st.sampled_from([1.0, 2.0, 5.0, 40.0]),
)  # fmt: skip
def test_any_small_graph(n, seed, heaviest, delta, reach):
    rng = np.random.default_rng(seed)
    m = int(rng.integers(3 * n, 8 * n))
    u, v = rng.integers(0, n, m), rng.integers(0, n, m)
    weights = rng.integers(0, heaviest + 1, m).astype(np.int32)
    graph = Graph.from_edges(u, v, weights, n=n, directed=False)
    run(graph, replace(as_width(delta), reach=reach), source=int(rng.integers(n)))
