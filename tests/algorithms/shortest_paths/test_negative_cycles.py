import numpy as np
import pytest

import warpath as wp
from oracles import ONE_OF_EACH_KIND, SIGNED, distances, signed
from warpath import verify

pytestmark = pytest.mark.usefixtures("threads", "small_teams")
WAYS = pytest.mark.parametrize("method", ["auto", *SIGNED])


def cycle_from(graph, source, method, **options):
    """The cycle that sssp raises, verified."""
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.sssp(graph, source, method=method, **options)
    cycle = caught.value.cycle
    sources = np.atleast_1d(source).tolist()
    assert type(cycle) is tuple
    assert len(set(cycle)) == len(cycle)
    if len(sources) == 1:
        verify.negative_cycle(graph, cycle, sources[0])
    else:
        verify.negative_cycle(graph, cycle)
    return cycle


@WAYS
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_two_vertices(method, dtype):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], np.array([4, -3, 2], dtype))
    assert set(cycle_from(graph, 0, method)) == {1, 2}


@WAYS
@pytest.mark.parametrize("source", [0, 1, 2])
def test_self_loop(method, source):
    graph = wp.Graph.from_edges([0, 1, 1, 2], [1, 2, 1, 0], [1, 1, -1, 1])
    assert cycle_from(graph, source, method) == (1,)


@WAYS
def test_a_self_loop_is_all_there_is(method):
    assert cycle_from(wp.Graph.from_edges([0], [0], [-1]), 0, method) == (0,)


@WAYS
def test_only_one_of_parallel_arcs_is_negative_enough(method):
    graph = wp.Graph.from_edges([0, 0, 1, 1], [1, 1, 0, 0], [3, 1, 5, -2])
    assert set(cycle_from(graph, 0, method)) == {0, 1}


@WAYS
@pytest.mark.parametrize("source", [0, 3])
def test_an_undirected_negative_edge(method, source):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, -2, 1], directed=False)
    assert set(cycle_from(graph, source, method)) == {1, 2}


@WAYS
def test_an_undirected_negative_self_loop(method):
    graph = wp.Graph.from_edges([0, 1], [1, 1], [1, -1], directed=False)
    assert cycle_from(graph, 0, method) == (1,)


@WAYS
@pytest.mark.parametrize("directed", [True, False])
def test_a_cycle_out_of_reach_is_no_matter(method, directed):
    graph = wp.Graph.from_edges(
        [0, 1, 3, 4, 5], [1, 2, 4, 3, 5], [2, 3, -1, -1, -7], directed=directed
    )
    paths = wp.sssp(graph, 0, method=method)
    far = np.iinfo(np.int64).max
    assert paths.distance.tolist() == [0, 2, 5, far, far, far]
    paths.verify()
    cycle_from(graph, 3, method)


@WAYS
def test_a_cycle_that_leads_to_the_source_is_out_of_reach(method):
    graph = wp.Graph.from_edges([0, 2, 3, 2], [1, 3, 2, 0], [1, -1, -1, 1])
    paths = wp.sssp(graph, 0, method=method)
    assert paths.distance[:2].tolist() == [0, 1]
    paths.verify()


@WAYS
def test_a_cycle_of_weight_zero_is_none(method):
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [5, -3, 1, 2])
    paths = wp.sssp(graph, 0, method=method)
    assert paths.distance.tolist() == [0, 5, 2, 3]
    paths.verify()


@WAYS
@pytest.mark.parametrize("n", [3, 64, 1000])
@pytest.mark.parametrize("tail", [0, 700])
def test_long_cycles(method, n, tail):
    """Round a ring the weights sum to -1; a path leads to it."""
    weights = np.random.default_rng(n).integers(-50, 50, n)
    weights[0] -= weights.sum() + 1
    ring = np.arange(n) + tail
    graph = wp.Graph.from_edges(
        np.concatenate([np.arange(tail), ring]),
        np.concatenate([np.arange(tail) + 1, np.roll(ring, -1)]),
        np.concatenate([np.ones(tail, int), weights]),
    )
    assert set(cycle_from(graph, 0, method)) == set(ring.tolist())


@pytest.mark.slow
@WAYS
def test_one_cycle_hidden_in_a_large_graph(method):
    """Without it there are shortest paths."""
    graph = signed("uniform, directed", np.int32)
    whole = distances(graph, 0, np.int32)
    reached = np.flatnonzero(whole != np.iinfo(np.int32).max)
    u, v = (int(x) for x in reached[[100, 900]])
    back = int(distances(graph, v, np.int32)[u])  # some path leads back from v to u
    source, target, weight = graph.coo()
    spoilt = wp.Graph.from_edges(
        np.append(source, u), np.append(target, v), np.append(weight, -back - 1)
    )
    cycle = cycle_from(spoilt, 0, method)
    assert (u, v) in zip(cycle, (*cycle[1:], cycle[0]), strict=True)


@WAYS
@pytest.mark.parametrize("nearest", [False, True])
def test_several_sources(method, nearest):
    """That one of them reaches a cycle is enough."""
    graph = wp.Graph.from_edges([0, 2, 3], [1, 3, 2], [1, -2, 1])
    for sources in ([0, 2], [3, 0, 1], [0, 1, 0, 1, 3]):
        assert set(cycle_from(graph, sources, method, nearest=nearest)) == {2, 3}
    wp.sssp(graph, [0, 1], method=method, nearest=nearest).verify()


@WAYS
@pytest.mark.parametrize("options", [{"target": 1}, {"predecessors": False}])
def test_options_do_not_hide_it(method, options):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [4, -3, 2])
    cycle_from(graph, 0, method, **options)
    cycle_from(graph, [0, 1], method, **options)


@WAYS
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_weights_near_the_dtypes_end(method, dtype):
    """The first time round the cycle leads below what int32 holds."""
    heavy = 2**31 - 2 if dtype == np.int32 else 2**60
    graph = wp.Graph.from_edges([0, 1], [1, 0], np.array([-heavy, -heavy], dtype))
    assert set(cycle_from(graph, 0, method)) == {0, 1}


@WAYS
def test_a_cycle_that_64_bits_do_not_hold_is_refused_all_the_same(method):
    graph = wp.Graph.from_edges([0, 1], [1, 0], np.int64([-(2**63) + 2, -(2**63) + 2]))
    with pytest.raises((wp.NegativeCycleError, OverflowError)):
        wp.sssp(graph, 0, method=method)


def test_the_message_names_the_vertices():
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [4, -3, 2])
    with pytest.raises(wp.NegativeCycleError, match=r"reachable from the source: (1 → 2|2 → 1)"):
        wp.sssp(graph, 0)


@WAYS
@pytest.mark.parametrize("predecessors", [True, False])
def test_a_cycle_that_large_floats_swallow(method, predecessors):
    """Once around the source is at -1, and at -2³⁰ the others no longer see it: the search ends with a cycle."""
    big = 2**30
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], [-big, big - 1, -1], n=100)
    found = cycle_from(graph, 0, method, dtype=np.float32, predecessors=predecessors)
    assert set(found) == {0, 1, 2}
