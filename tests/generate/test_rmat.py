import numpy as np
import pytest

import warpath as wp
from warpath.generate import rmat
from warpath.parallel import thread_count


def matrix_of(graph):
    return graph.to_scipy().toarray()


def test_size():
    graph = rmat(10, directed=True)
    assert (graph.num_vertices, graph.num_edges) == (1024, 16 * 1024)
    assert rmat(10, 3).num_edges == 3 * 1024
    assert rmat(10, 0.5).num_edges == 512
    assert rmat(5, 0).num_arcs == 0
    assert not rmat(3).directed


def test_one_vertex():
    graph = rmat(0, 4)
    assert (graph.num_vertices, graph.num_self_loops) == (1, 4)
    assert rmat(0, 4, simple=True).num_arcs == 0


def test_quarters_have_their_probabilities():
    n, count = 2**9, 2**17
    graph = rmat(9, 2**8, a=0.4, b=0.3, c=0.2, directed=True, permute=False)
    matrix = matrix_of(graph)
    assert matrix.sum() == count
    for level in (2, 8, n):  # the whole, an upper left corner of it, the smallest quarters
        side = n // level * 2
        corner = matrix[:side, :side]
        half = side // 2
        found = corner.reshape(2, half, 2, half).sum(axis=(1, 3)).ravel()
        total = found.sum()
        for share, wanted in zip(found / total, (0.4, 0.3, 0.2, 0.1), strict=True):
            # Five standard deviations of a binomial.
            assert abs(share - wanted) < 5 * np.sqrt(wanted * (1 - wanted) / total)


def test_every_level_chooses_on_its_own():
    """Two levels share one random number; each pair of choices has the product's share."""
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    graph = rmat(4, 2**14, a=0.4, b=0.3, c=0.2, directed=True, permute=False)
    source, target, _ = graph.coo()
    quarter = [2 * (source >> k & 1) + (target >> k & 1) for k in range(4)]
    for first in range(4):
        for second in range(first):
            found = np.bincount(4 * quarter[first] + quarter[second], minlength=16)
            wanted = np.outer(shares, shares).ravel()
            error = np.sqrt(wanted * (1 - wanted) * graph.num_arcs)
            assert (np.abs(found - wanted * graph.num_arcs) < 5 * error).all()


@pytest.mark.parametrize(
    ("quarters", "where"),
    [
        ({"a": 1, "b": 0, "c": 0}, (0, 0)),
        ({"a": 0, "b": 1, "c": 0}, (0, 15)),
        ({"a": 0, "b": 0, "c": 1}, (15, 0)),
        ({"a": 0, "b": 0, "c": 0}, (15, 15)),
    ],
)
def test_certain_quarters(quarters, where):
    graph = rmat(4, directed=True, permute=False, **quarters)
    source, target, _ = graph.coo()
    assert set(zip(source.tolist(), target.tolist(), strict=True)) == {where}


def test_it_is_a_power_law_graph_and_ids_say_nothing():
    graph = rmat(12)
    degree = graph.degree
    assert degree.max() > 20 * degree.mean()
    assert np.count_nonzero(degree == 0) > 0.1 * graph.num_vertices
    assert abs(np.corrcoef(np.arange(len(degree)), degree)[0, 1]) < 0.1
    plain = rmat(12, permute=False).degree
    assert plain.argmax() == 0
    assert sorted(plain) == sorted(degree)  # the same graph by other names


def test_permuted_ids_are_a_renaming():
    named, plain = rmat(6, 4, directed=True), rmat(6, 4, directed=True, permute=False)
    assert named.num_self_loops == plain.num_self_loops
    assert sorted(named.in_degree) == sorted(plain.in_degree)
    assert not np.array_equal(named.column_indices, plain.column_indices)


def test_simple():
    full, graph = rmat(8, weights=(1, 9)), rmat(8, weights=(1, 9), simple=True)
    assert full.num_self_loops > 0
    assert graph.num_self_loops == 0
    wanted = wp.Graph.from_edges(*full.edges(), n=256, symmetrize=True, drop_self_loops=True)
    np.testing.assert_array_equal(graph.column_indices, wanted.column_indices)
    np.testing.assert_array_equal(graph.weights, wanted.weights)


@pytest.mark.parametrize("options", [{}, {"weights": (1, 255)}, {"weights": (0.0, 1.0)}])
def test_the_same_seed_gives_the_same_graph_on_any_number_of_threads(options):
    before, graphs = thread_count._num_threads, []
    for threads in (1, 2, 2):
        thread_count.set_num_threads(threads)
        graphs.append(rmat(14, 8, seed=5, **options))
    thread_count.set_num_threads(before)
    for graph in graphs[1:]:
        np.testing.assert_array_equal(graph.row_offsets, graphs[0].row_offsets)
        np.testing.assert_array_equal(graph.column_indices, graphs[0].column_indices)
        if options:
            np.testing.assert_array_equal(graph.weights, graphs[0].weights)
    assert not np.array_equal(rmat(14, 8, seed=6).degree, graphs[0].degree)


def test_a_seed_is_a_promise():
    """What seed 0 gave when this was written, it gives for ever."""
    source, target, weight = rmat(3, 1, weights=(1, 255), directed=True).coo()
    found = list(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
    assert found == [
        (0, 3, 16),
        (1, 0, 67),
        (4, 5, 104),
        (5, 1, 65),
        (5, 2, 17),
        (5, 4, 226),
        (5, 5, 255),
        (5, 5, 10),
    ]


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((-1,), {}, r"scale must be an integer in 0 … 30, not -1"),
        ((31,), {}, "not 31"),
        ((2.0,), {}, "not 2.0"),
        ((True,), {}, "not True"),
        ((3, -1), {}, "edge_factor must be a number of edges per vertex, not -1"),
        ((3, np.nan), {}, "edge_factor must be a number, not NaN"),
        ((3, np.inf), {}, "not inf"),
        ((3, "16"), {}, "edge_factor must be a number, not '16'"),
        ((3,), {"a": "0.5"}, "a must be a number, not '0.5'"),
        ((3,), {"a": 0.6, "b": 0.3, "c": 0.2}, r"a \+ b \+ c is 1.1"),
        ((3,), {"a": -0.1}, "a is -0.1"),
        ((3,), {"b": 1.5}, "b is 1.5"),
        ((3,), {"c": np.nan}, "c must be a number, not NaN"),
        ((3,), {"d": -1}, "d is -1"),
        ((3,), {"d": 0.1}, r"a \+ b \+ c \+ d is 1.05"),
        ((3,), {"weights": (2, 1)}, "low ≤ high"),
        ((3,), {"seed": -1}, "seed must be in"),
    ],
)
def test_wrong_parameters(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        rmat(*arguments, **options)


def test_quarters_may_sum_to_one_but_for_rounding():
    assert rmat(4, a=0.7, b=0.1, c=0.2).num_vertices == 16  # 0.7 + 0.1 + 0.2 < 1 in binary
    assert rmat(4, a=0.57, b=0.19, c=0.19, d=0.05).num_vertices == 16


def test_fewer_vertices_than_a_power_of_two():
    whole, graph = rmat(12, 8, seed=3, n=2**12), rmat(12, 8, seed=3, n=3000)
    assert (graph.num_vertices, graph.num_edges) == (3000, 24_000)
    assert whole.num_edges == 8 * 2**12
    source, target, _ = rmat(12, 8 * 3000 / 2**12, seed=3).edges()
    folded = [tuple(sorted((u * 3000 >> 12, v * 3000 >> 12))) for u, v in
              zip(source.tolist(), target.tolist(), strict=True)]  # fmt: skip
    found = zip(*map(np.ndarray.tolist, graph.edges()[:2]), strict=True)
    assert sorted(tuple(sorted(pair)) for pair in found) == sorted(folded)
    # A third of the ids are two in one: every vertex is somebody.
    assert np.unique(np.arange(2**12) * 3000 >> 12).size == 3000


@pytest.mark.parametrize("n", [0, -1, 9])
def test_more_vertices_than_the_scale_has(n):
    with pytest.raises(ValueError, match="vertices"):
        rmat(3, n=n)
