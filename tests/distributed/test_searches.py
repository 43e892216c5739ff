"""Searches of graphs in parts, on ranks that are threads."""

import numpy as np
import pytest

import real_graphs
import warpath as wp
from distributed_cases import GRAPHS, check
from thread_ranks import answers_on, on_ranks


@pytest.mark.parametrize("name", GRAPHS)
def test_answers_are_those_of_one_process(name):
    graph = GRAPHS[name]()
    source = graph.num_vertices // 2
    trees = answers_on(1, lambda: check(graph, source))[0]
    for ranks in (2, 3, 4):
        for others in answers_on(ranks, lambda: check(graph, source)):
            for tree, other in zip(trees, others, strict=True):
                np.testing.assert_array_equal(tree, other)


@pytest.mark.parametrize("name", real_graphs.names())
def test_real_graphs(name):
    graph = real_graphs.load(name).without_labels()
    if graph.num_arcs > 3_000_000 or graph.weight_range[0] < 0:
        pytest.skip("large, or of negative weights")
    answers_on(3, lambda: check(graph, 0))


def test_a_predecessor_is_the_smallest_that_there_is():
    graph = wp.Graph.from_edges([0, 0, 0, 3, 2, 1], [3, 2, 1, 4, 4, 4])
    answers = answers_on(3, lambda: wp.bfs(wp.distributed.distribute(graph), 0).predecessor)
    assert answers[0].tolist() == [-1, 0, 0, 0, 1]


def test_both_directions_are_taken():
    graph = wp.generate.rmat(12)
    answers = answers_on(2, lambda: wp.bfs(wp.distributed.distribute(graph), 0).direction)
    assert set(answers[0]) == {"top-down", "bottom-up"}


def test_paths_lead_from_the_source():
    graph = wp.generate.grid(9)

    def paths():
        answer = wp.bfs(wp.distributed.distribute(graph), 0)
        return answer.path(0), answer.path(80), answer.reached.all()

    for to_source, far, reached in answers_on(2, paths):
        assert to_source == [0]
        assert (far[0], far[-1], len(far)) == (0, 80, 17)
        assert reached


def test_no_path_is_an_error():
    graph = wp.Graph.from_edges([0], [1], n=3)
    for vertex in (2, 3, -1):
        for error in on_ranks(
            2, lambda v=vertex: wp.bfs(wp.distributed.distribute(graph), 0).path(v)
        ):
            assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: wp.bfs(g, 9), ValueError, "out of range"),
        (lambda g: wp.bfs(g, 0, depth_limit=-1), ValueError, "depth_limit"),
        (lambda g: wp.bfs(g, 0, nearest=True), ValueError, "takes no nearest"),
        (lambda g: wp.sssp(g, 0), ValueError, "negative"),
        (lambda g: wp.sssp(g, 0, device="cuda"), ValueError, "device='cpu'"),
        (lambda g: wp.connected_components(g, device="tpu"), ValueError, "choose one of"),
        (lambda g: wp.connected_components(g, schedule="merge-path"), ValueError, "takes no"),
    ],
)
def test_bad_arguments_are_refused_on_all_ranks(call, error, message):
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [1, -2, 1])
    for outcome in on_ranks(3, lambda: call(wp.distributed.distribute(graph))):
        assert isinstance(outcome, error)
        assert message in str(outcome)


def test_a_distance_beyond_64_bits_is_an_error():
    heavy = 2**62
    graph = wp.Graph.from_edges([0, 1, 2], [1, 2, 3], [heavy, heavy, heavy])
    for outcome in on_ranks(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0)):
        assert isinstance(outcome, OverflowError)
        assert "vertex 2" in str(outcome)


def test_a_sum_beyond_64_bits_that_is_no_distance_is_none():
    heavy = 2**62
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], [heavy, heavy - 2, heavy, 5])
    for distance in answers_on(2, lambda: wp.sssp(wp.distributed.distribute(graph), 0).distance):
        assert distance.tolist() == [0, heavy, 2 * heavy - 2, 5]


def test_only_graphs_without_labels_are_distributed():
    graph = wp.Graph.from_edges(["a"], ["b"])
    with pytest.raises(ValueError, match="labels"):
        wp.distributed.distribute(graph)
    with pytest.raises(TypeError, match=r"warpath\.Graph"):
        wp.distributed.distribute([[0, 1]])
