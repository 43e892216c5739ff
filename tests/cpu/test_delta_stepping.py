"""Buckets near and far, refilled, and a pool that is full."""

import numpy as np
import pytest

from oracles import distances
from relaxations import relaxation_by, searched
from warpath import Graph
from warpath.cpu.delta_stepping import BUCKETS, CHUNK, delta_stepping
from warpath.cpu.trace import EDGES, VERTICES
from warpath.generate import erdos_renyi, grid, named
from warpath.graph.distance import unreachable


def run(graph, delta, size, source=0, target=-1):
    """(distance, report), verified."""
    plan = relaxation_by(graph.weights, delta=delta)
    distance, report = searched(delta_stepping, graph, plan, source, size, target)
    assert report.threads == size
    return distance, report


@pytest.mark.parametrize("delta", [1e-9, 1e-3, 1.0, 1e3, 1e9, 1e12])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_weights_from_a_billionth_to_a_billion(dtype, delta, size):
    """From Δ = 1e-3 down there are more buckets than can be listed, and most are empty."""
    graph = erdos_renyi(2000, 16_000, directed=True)
    rng = np.random.default_rng(3)
    graph = graph.with_weights((10.0 ** rng.uniform(-9, 9, graph.num_arcs)).astype(dtype))
    run(graph, delta, size)


@pytest.mark.parametrize("delta", [1.0, 2.0**20, 2.0**45])
def test_powers_of_two_along_a_path(delta, size):
    """Every vertex is in a bucket of its own, twice as far as the one before."""
    n = 53  # up to 2⁵² buckets: below the 2⁶⁰ that a bucket's number may have
    graph = named("path", n, directed=True).with_weights(2 ** np.arange(n - 1, dtype=np.int64))
    distance, report = run(graph, delta, size)
    assert distance.tolist() == [2**i - 1 for i in range(n)]
    assert distance[-1] / delta > BUCKETS or delta == 2.0**45
    assert report.iterations <= n


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_a_delta_far_below_the_weights(dtype, size):
    """Nearly every relaxed vertex lies beyond the last bucket."""
    graph = grid(40, 40, weights=(1, 1000), seed=1)
    graph = graph.with_weights(graph.weights.astype(dtype))
    distance, report = run(graph, 0.01, size)
    assert distance[distance != unreachable(dtype)].max() / 0.01 > 100 * BUCKETS
    assert report.trace[:, VERTICES].sum() >= 1600


def test_a_delta_beyond_every_distance(size):
    """One bucket: Bellman-Ford."""
    graph = grid(40, 40, weights=(1, 1000), seed=1)
    narrow, wide = run(graph, 1.0, size)[1], run(graph, 1e12, size)[1]
    assert wide.iterations < narrow.iterations
    assert wide.trace[:, EDGES].sum() >= narrow.trace[:, EDGES].sum()


def full_pool(targets, hubs):
    """Each of the hubs, one after another, lowers all targets before any of these has its turn.

    0 → hub 1 → hub 2 …, each 1 farther; from each arcs to all targets, 2 shorter each time.
    An arc leads on from each target, so that it matters when one is forgotten.
    """
    hub, target = np.arange(hubs), np.arange(hubs, hubs + targets)
    source = np.concatenate([hub[:-1], np.repeat(hub, targets), target])
    end = np.concatenate([hub[1:], np.tile(target, hubs), target + targets])
    weight = np.concatenate(
        [np.ones(hubs - 1, int), np.repeat(500 - 2 * hub, targets), np.arange(targets) % 7]
    )
    return Graph.from_edges(source, end, weight)


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_the_pool_is_full(dtype, size):
    targets, hubs = 4000, 100
    graph = full_pool(targets, hubs)
    graph = graph.with_weights(graph.weights.astype(dtype))
    distance, report = run(graph, 1.0, size)
    entries = graph.num_vertices * 7 // 4 + size * BUCKETS * CHUNK
    assert report.improvements > 2 * entries
    assert (distance[hubs : hubs + targets] == 99 + 500 - 2 * 99).all()


def test_the_pool_is_full_in_the_first_bucket(size):
    """All of it happens in one bucket, which is refilled while it is worked off."""
    graph = full_pool(4000, 100)
    run(graph, 1e6, size)


def test_a_bucket_of_many_chunks_is_shared(size):
    """A frontier of 20,000 vertices; fusion must leave something to the others."""
    fan = np.arange(1, 20_001)
    source = np.concatenate([np.zeros(20_000, int), fan, fan])
    target = np.concatenate([fan, np.full(20_000, 20_001), fan[::-1]])
    graph = Graph.from_edges(source, target, np.ones(60_000, int))
    for delta in (0.5, 1.0, 100.0):
        run(graph, delta, size)


@pytest.mark.parametrize("delta", [0.5, 3.0, 50.0, 1e9])
@pytest.mark.parametrize("target", [1, 77, 1599])
def test_the_target_and_all_nearer_ones_are_final(delta, target, size):
    graph = grid(40, 40, weights=(0, 100), seed=2)
    whole = distances(graph, 0, np.int32)
    found, report = run(graph, delta, size, target=target)
    assert np.array_equal(found[whole <= whole[target]], whole[whole <= whole[target]])
    assert (found >= whole).all()
    assert report.iterations >= 1


@pytest.mark.parametrize("high", [0, 1])
def test_weights_of_zero(high, size):
    graph = erdos_renyi(3000, 30_000, directed=True)
    weights = np.random.default_rng(0).integers(0, high + 1, 30_000).astype(np.int32)
    run(graph.with_weights(weights), 0.5, size)


FEW = 4  # mean arcs of a vertex, as an arc meets it, up to which arcs are picked first


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 7])
def test_the_last_arcs_of_a_small_graph(n, dtype, size):
    """Fewer than four arcs, four, more; what lies behind the last one is not looked at."""
    backward = np.arange(n - 1, 0, -1)
    graph = Graph.from_edges(backward, backward - 1, np.arange(1, n).astype(dtype), n=n)
    assert graph.mean_arc_degree <= FEW
    assert run(graph, 1.0, size, source=n - 1)[0][0] == n * (n - 1) // 2
    assert run(graph, 1.0, size, source=0)[0].tolist()[0] == 0  # no arc leads on


@pytest.mark.parametrize("legs", [4, 5, 9, 40])
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_vertices_of_many_arcs_in_a_graph_of_few(legs, dtype, size):
    """The hub of a spider with long legs has more arcs than are picked."""
    length = 10 * legs
    foot = 1 + np.arange(legs * length).reshape(legs, length)
    source = np.concatenate([np.zeros(legs, int), foot[:, :-1].ravel()])
    target = np.concatenate([foot[:, 0], foot[:, 1:].ravel()])
    weight = np.random.default_rng(legs).integers(0, 9, len(source)).astype(dtype)
    graph = Graph.from_edges(source, target, weight, directed=False)
    assert graph.mean_arc_degree <= FEW
    assert graph.degree.max() == legs
    for start in (0, 1, graph.num_vertices - 1):
        run(graph, 4.0, size, source=start)


@pytest.mark.parametrize("delta", [1.0, 30.0, 1e9])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
def test_grids_with_and_without_holes(dtype, delta, size):
    """Wide buckets improve a vertex several times within the chunk in which it stands."""
    for keep in (1.0, 0.8):
        graph = grid(60, 50, keep=keep, weights=(0, 20), seed=4)
        assert graph.mean_arc_degree <= FEW
        run(graph.with_weights(graph.weights.astype(dtype)), delta, size, source=1234)


def test_a_source_without_arcs(size):
    graph = Graph.from_edges([1, 2, 3, 4], [2, 3, 4, 5], [1, 1, 1, 1], n=7)
    for source in (0, 5, 6):
        assert (run(graph, 1.0, size, source=source)[0] < 9).sum() == 1
