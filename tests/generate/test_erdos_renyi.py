import numpy as np
import pytest
from scipy import stats

from warpath.generate import erdos_renyi
from warpath.generate.erdos_renyi import _unordered_pair
from warpath.parallel import thread_count

UNLIKELY = 1e-6  # a test of chance fails one seed in a million; the seeds are fixed


def pairs_of(graph):
    source, target, _ = graph.edges()
    return set(zip(source.tolist(), target.tolist(), strict=True))


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize(("n", "m"), [(0, 0), (1, 0), (5, 0), (2, 1), (50, 300), (1000, 700)])
def test_without_replacement_the_graph_is_simple(n, m, directed):
    graph = erdos_renyi(n, m, directed=directed)
    assert graph.directed == directed
    assert (graph.num_vertices, graph.num_edges) == (n, m)
    assert graph.num_self_loops == 0
    assert len(pairs_of(graph)) == m


@pytest.mark.parametrize("n", range(1, 12))
@pytest.mark.parametrize("directed", [True, False])
def test_all_pairs_give_the_complete_graph(n, directed):
    pairs = n * (n - 1) if directed else n * (n - 1) // 2
    graph = erdos_renyi(n, pairs, directed=directed)
    assert (graph.degree == n - 1).all()
    assert len(pairs_of(graph)) == pairs


@pytest.mark.parametrize("directed", [True, False])
def test_every_pair_is_as_likely(directed):
    n, m, counts = 6, 4, {}
    for seed in range(3000):
        for pair in pairs_of(erdos_renyi(n, m, directed=directed, seed=seed)):
            counts[pair] = counts.get(pair, 0) + 1
    assert len(counts) == n * (n - 1) // (1 if directed else 2)
    assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY


def test_degrees_are_binomial():
    n, m = 5000, 50_000
    degree = erdos_renyi(n, m).degree
    assert degree.mean() == 2 * m / n
    assert degree.std() == pytest.approx(np.sqrt(2 * m / n), rel=0.05)
    assert abs(np.corrcoef(np.arange(n), degree)[0, 1]) < 0.07


def test_with_replacement():
    graph = erdos_renyi(10, 5000, directed=True, replace=True)
    assert graph.num_edges == 5000
    matrix = graph.to_scipy().toarray()
    assert stats.chisquare(matrix.ravel()).pvalue > UNLIKELY  # self-loops are pairs as well
    assert erdos_renyi(1, 3, replace=True).num_self_loops == 3


@pytest.mark.parametrize("pair", [0, 1, 2, 3, 2**53 + 1, 2**61 - 2**30 - 1])
@pytest.mark.parametrize("near", [-1, 0, 1])
def test_unordered_pairs_are_numbered(pair, near):
    if pair > 3:
        u = round((1 + np.sqrt(1 + 8 * pair)) / 2)
        pair = u * (u - 1) // 2 + near  # around the start of a row, where roots round
    else:
        pair = max(0, pair + near)
    u, v = _unordered_pair(pair)
    assert 0 <= v < u
    assert u * (u - 1) // 2 + v == pair


@pytest.mark.parametrize("replace", [True, False])
def test_the_same_seed_gives_the_same_graph_on_any_number_of_threads(replace):
    before, graphs = thread_count._num_threads, []
    for threads in (1, 2):
        thread_count.set_num_threads(threads)
        graphs.append(
            erdos_renyi(30_000, 90_000, weights=(1, 255), replace=replace, seed=3, directed=True)
        )
    thread_count.set_num_threads(before)
    for one, two in zip(*(graph.coo() for graph in graphs), strict=True):
        np.testing.assert_array_equal(one, two)
    assert pairs_of(erdos_renyi(100, 50, seed=1)) != pairs_of(erdos_renyi(100, 50, seed=2))


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((0, 1), {}, "m is 1, but 0 vertices have only 0 pairs"),
        ((0, 1), {"replace": True}, "m is 1, but 0 vertices have only 0 pairs"),
        ((4, 7), {}, "m is 7, but 4 vertices have only 6 pairs"),
        ((4, 13), {"directed": True}, "m is 13, but 4 vertices have only 12 pairs"),
        ((4, -1), {}, "m must be a number of edges, not -1"),
        ((4, 2.0), {}, "not 2.0"),
        ((-1, 0), {}, "not -1"),
        ((2**31, 0), {}, "not 2147483648"),
        ((1.5, 0), {}, "not 1.5"),
        ((4, 1), {"seed": "x"}, "seed must be an integer, not 'x'"),
        ((4, 1), {"weights": (1,)}, r"pair \(low, high\)"),
    ],
)
def test_wrong_parameters(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        erdos_renyi(*arguments, **options)
