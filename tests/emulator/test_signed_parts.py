"""Negative weights on several GPUs, which are the emulator's: `warpath.distributed.gpu.signed`."""

import numpy as np
import pytest

import real_graphs
import warpath as wp
from distributed_cases import with_potentials
from exhaustive import slow
from thread_ranks import on_ranks
from warpath.distributed.gpu import signed
from warpath.verify import negative_cycle


def check(graph, source, devices, **options):
    """Answers are those of one process, to the bit, and certified where the parts lie."""
    expected = wp.sssp(graph, source, device="cpu", **options)
    answer = wp.sssp(graph, source, devices=devices, **options)
    answer.verify()
    assert answer.distance.dtype == expected.distance.dtype
    np.testing.assert_array_equal(answer.distance, expected.distance)
    wp.verify.sssp(graph, source, answer.distance, answer.predecessor)
    return answer


@pytest.mark.parametrize(
    ("dtype", "devices"),
    [(np.int32, 3), (np.int64, [0, 0]), *slow([(np.float32, 2), (np.float64, 4)])],
)
def test_answers_are_those_of_one_process(gpus, dtype, devices):
    answer = check(with_potentials(200, 1200, dtype), 5, devices)
    assert answer.stats.method == answer.stats.plan.method == "workfront-sweep"
    assert answer.stats.why == "a weight is negative"
    assert "in each round" in answer.stats.plan.exchanged


@pytest.mark.parametrize("name", slow([("rome99",), ("SiouxFalls_length",)]))
def test_real_graphs(gpus, name):
    check(real_graphs.negative_twin(name).without_labels(), 0, 2)


def test_options_are_those_of_one_process(gpus):
    graph = with_potentials(90, 500, np.int32)
    check(graph, 3, 2, dtype="float64")
    check(graph, 3, 2, target=50)
    rows = wp.sssp(graph, [3, 8], devices=2)
    rows.verify()
    np.testing.assert_array_equal(rows.distance, wp.sssp(graph, [3, 8], device="cpu").distance)
    assert wp.sssp(graph, 3, devices=2, predecessors=False).predecessor is None
    with pytest.raises(ValueError, match="cutoff needs non-negative weights"):
        wp.sssp(graph, 3, devices=2, cutoff=9)


def test_a_negative_weight_leads_from_one_of_several_sources_to_another(gpus):
    graph = wp.Graph.from_edges([0, 1, 1], [1, 2, 3], [-5, 2, 1])
    found = wp.sssp(graph, [0, 1], nearest=True, devices=2)
    found.verify()
    assert found.distance.tolist() == [0, -5, -3, -4]
    assert found.predecessor.tolist() == [-1, 0, 1, 1]


def test_a_tree_has_none_of_the_cycles_of_weight_zero(gpus):
    """From 2 on all lie on cycles of weight 0, whose arcs all make distances; only 1 leads there."""
    n = 40
    v = np.arange(2, n)
    after = np.append(v[1:], 2)
    weight = np.where(v % 2, 3, -3)
    graph = wp.Graph.from_edges(
        np.concatenate([[0, 1], v, after]),
        np.concatenate([[1, n - 1], after, v]),
        np.concatenate([[4, -9], weight, -weight]),
    )
    check(graph, 0, 3)


@pytest.mark.parametrize("length", [1, 3, *slow([400])])
def test_a_negative_cycle_is_named(gpus, length):
    tail = np.arange(500)
    graph = wp.Graph.from_edges(
        np.append(tail, 300),
        np.append((tail + 1) % 500, (301 - length) % 500),
        np.append(np.ones(500, int), -length),
    )
    with pytest.raises(wp.NegativeCycleError) as error:
        wp.sssp(graph, 7, devices=3)
    assert len(error.value.cycle) == length
    negative_cycle(graph, error.value.cycle, 7)


def test_ranks_name_it_likewise(gpus):
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [5, 1, -4, 2])
    for error in on_ranks(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0, device="cuda")):
        assert isinstance(error, wp.NegativeCycleError)
        negative_cycle(graph, error.cycle, 0)


def test_a_cycle_out_of_reach_is_none(gpus):
    graph = wp.Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 0, 4, 3], [1, -3, 2, -1, 0])
    assert check(graph, 0, 2).distance.tolist()[:3] == [0, 1, -2]


def test_a_negative_cycle_below_cycles_of_weight_zero(gpus, monkeypatch):
    """The negative cycle 4, 5 is entered from the cycle 1, 2, 3, and leads to others."""
    monkeypatch.setattr(signed, "_LAUNCHES_BEFORE_LOOKING", 1)
    graph = wp.Graph.from_edges(
        [0, 1, 2, 3, 3, 4, 5, 5, 6, 7],
        [1, 2, 3, 1, 4, 5, 4, 6, 7, 6],
        [1, 2, -1, -1, 0, 1, -2, 0, 3, -3],
    )
    with pytest.raises(wp.NegativeCycleError) as error:
        wp.sssp(graph, 0, devices=2)
    assert sorted(error.value.cycle) == [4, 5]


def test_a_cycle_that_large_floats_swallow(gpus):
    """Once around the source is at -1, and at -big the others no longer see it: the search ends with a cycle."""
    weights = np.array([-(2**30), 2**30 - 1, -1], np.float32)
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], weights, n=100)
    with pytest.raises(wp.NegativeCycleError) as error:
        wp.sssp(graph, 0, devices=2)
    negative_cycle(graph, error.value.cycle, 0)


@pytest.mark.parametrize(
    ("weights", "dtype", "message"),
    [
        ([-(2**62), -(2**62), -(2**62)], "int64", "below what int64 holds"),
        ([-(2**30), -(2**30), -(2**30)], "int32", "distance of vertex 3 does not fit in int32"),
        ([2**62, 2**62, -5], "int64", "distance of vertex 2 does not fit"),
    ],
)
def test_distances_beyond_their_dtype(gpus, weights, dtype, message):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], weights)
    with pytest.raises(OverflowError, match=message):
        wp.sssp(graph, 0, devices=2, dtype=dtype)


def test_undirected_edges_are_cycles(gpus):
    graph = wp.Graph.from_edges([0, 2], [1, 3], [2, -1], directed=False)
    check(graph, 0, 2)
    with pytest.raises(wp.NegativeCycleError):
        wp.sssp(graph, 2, devices=2)
