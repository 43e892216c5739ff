"""Graphs in parts on GPUs: two, where they are there, else two parts on one."""

import numpy as np
import pytest

import warpath as wp
from distributed_cases import GRAPHS, with_potentials
from warpath import devices

pytestmark = pytest.mark.gpu
COUNT = len(devices.devices())
PLACES = [
    pytest.param((0, 0), id="two parts on one GPU"),
    pytest.param(
        (0, 1), id="two GPUs", marks=pytest.mark.skipif(COUNT < 2, reason="two GPUs are needed")
    ),
]


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("where", PLACES)
def test_answers_are_those_of_the_cpu(where, name):
    graph = GRAPHS[name]()
    source = graph.num_vertices // 2
    for search in (wp.bfs, wp.sssp):
        expected, found = search(graph, source, device="cpu"), search(graph, source, devices=where)
        found.verify()
        np.testing.assert_array_equal(found.distance, expected.distance)
        verify = wp.verify.bfs if search is wp.bfs else wp.verify.sssp
        verify(graph, source, found.distance, found.predecessor)
    labels, count = wp.connected_components(graph, devices=where)
    right, same = wp.connected_components(graph, device="cpu")
    np.testing.assert_array_equal(labels, right)
    assert count == same


@pytest.mark.parametrize("where", PLACES)
def test_large_graphs(where):
    for graph in (
        wp.generate.rmat(18, weights=(1, 255), seed=1, device="cuda"),
        wp.generate.rmat(20, 32, weights=(1, 255), seed=4, device="cuda"),  # has a limit of paths
        wp.generate.grid(1000, keep=0.9, weights=(1, 255), seed=2, device="cuda"),
        wp.generate.erdos_renyi(2**17, 2**20, directed=True, weights=(0.0, 1.0), seed=3),
    ):
        for source in (0, graph.num_vertices // 3):
            for search in (wp.bfs, wp.sssp):
                expected = search(graph, source, device="cuda").to_numpy()
                found = search(graph, source, devices=where)
                found.verify()
                np.testing.assert_array_equal(found.distance, expected.distance)


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("dtype", [np.int32, np.float64])
def test_negative_weights(where, dtype):
    graph = with_potentials(20_000, 160_000, dtype)
    found = wp.sssp(graph, 5, devices=where)
    found.verify()
    np.testing.assert_array_equal(found.distance, wp.sssp(graph, 5, device="cpu").distance)
    wp.verify.sssp(graph, 5, found.distance, found.predecessor)
    source, target, weight = graph.edges()
    back = np.append(source, target[:1]), np.append(target, source[:1])
    cyclic = wp.Graph.from_edges(*back, np.append(weight, -weight[:1] - 1), n=graph.num_vertices)
    with pytest.raises(wp.NegativeCycleError) as error:
        wp.sssp(cyclic, 5, devices=where)
    wp.verify.negative_cycle(cyclic, error.value.cycle, 5)


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("options", [{}, {"directed": True, "simple": True}])
def test_a_graph_that_they_make(where, options):
    expected = wp.generate.rmat(18, weights=(1, 255), seed=1, **options)
    made = wp.generate.rmat(18, weights=(1, 255), seed=1, devices=where, **options)
    for mine, theirs in zip(made.graph.resident, expected.resident, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    found = wp.sssp(made, 5)
    found.verify()
    np.testing.assert_array_equal(found.distance, wp.sssp(expected, 5, device="cpu").distance)


@pytest.mark.parametrize("where", PLACES)
def test_vertices_by_degree_cyclically(where):
    expected = wp.generate.rmat(18, seed=1)
    made = wp.generate.rmat(18, seed=1, devices=where, by_degree=True)
    np.testing.assert_array_equal(np.sort(made.graph.degree), np.sort(expected.degree))
    assert made.graph.num_self_loops == expected.num_self_loops
    assert (
        np.diff(made.graph.degree[: made.graph.num_vertices // 8]) <= 2
    ).all()  # a self-loop is one arc, and two ends
    wp.bfs(made, 5).verify()
