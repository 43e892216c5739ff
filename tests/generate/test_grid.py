import networkx as nx
import numpy as np
import pytest

from warpath.generate import grid
from warpath.parallel import thread_count


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 7), (7, 1), (2, 2), (3, 5), (5, 3)])
@pytest.mark.parametrize("directed", [True, False])
def test_a_whole_grid_is_networkxs(rows, columns, directed):
    graph = grid(rows, columns, directed=directed)
    G = nx.grid_2d_graph(rows, columns)
    wanted = {(u * columns + c, v * columns + d) for (u, c), (v, d) in G.edges}
    wanted |= {(v, u) for u, v in wanted}
    source, target, weight = graph.coo()
    assert weight is None
    assert graph.directed == directed
    assert graph.num_vertices == rows * columns
    assert graph.num_arcs == len(wanted)
    assert set(zip(source.tolist(), target.tolist(), strict=True)) == wanted


def test_a_square_by_default():
    assert grid(4).num_vertices == 16
    assert grid(4).num_edges == 24


@pytest.mark.parametrize(("rows", "columns"), [(0, None), (0, 5), (5, 0)])
def test_no_vertices(rows, columns):
    graph = grid(rows, columns)
    assert (graph.num_vertices, graph.num_arcs) == (0, 0)


def test_a_share_of_the_edges_is_kept():
    whole = grid(200)
    assert grid(200, keep=0).num_edges == 0
    for keep in (0.1, 0.5, 0.9):
        graph = grid(200, keep=keep)
        # Five standard deviations of a binomial.
        error = 5 * np.sqrt(keep * (1 - keep) * whole.num_edges)
        assert abs(graph.num_edges - keep * whole.num_edges) < error
        kept = np.column_stack(graph.edges()[:2])
        assert {tuple(e) for e in kept} <= {tuple(e) for e in np.column_stack(whole.edges()[:2])}
        horizontal = np.count_nonzero(kept[:, 1] - kept[:, 0] == 1)
        assert abs(horizontal - graph.num_edges / 2) < error


def test_directed_arcs_are_kept_and_weighted_each_on_its_own():
    graph = grid(100, keep=0.5, directed=True, weights=(1, 1000))
    source, target, weight = graph.coo()
    arcs = dict(zip(zip(source.tolist(), target.tolist(), strict=True), weight, strict=True))
    pairs = [(w, arcs[v, u]) for (u, v), w in arcs.items() if (v, u) in arcs]
    assert len(pairs) == pytest.approx(len(arcs) / 2, rel=0.05)
    assert np.mean([a != b for a, b in pairs]) > 0.99


def test_undirected_edges_weigh_the_same_both_ways():
    graph = grid(20, weights=(0.0, 1.0))
    matrix = graph.to_scipy().toarray()
    np.testing.assert_array_equal(matrix, matrix.T)


@pytest.mark.parametrize("directed", [True, False])
def test_the_same_seed_gives_the_same_graph_on_any_number_of_threads(directed):
    before, graphs = thread_count._num_threads, []
    for threads in (1, 2):
        thread_count.set_num_threads(threads)
        graphs.append(grid(300, keep=0.9, directed=directed, weights=(1, 255), seed=3))
    thread_count.set_num_threads(before)
    for one, two in zip(*(graph.coo() for graph in graphs), strict=True):
        np.testing.assert_array_equal(one, two)
    other = grid(300, keep=0.9, directed=directed, seed=4)
    assert not np.array_equal(other.degree, graphs[0].degree)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((-1,), {}, "rows must be a number of vertices, not -1"),
        ((2, -1), {}, "columns must be a number of vertices, not -1"),
        ((2.0,), {}, "rows must be a number of vertices, not 2.0"),
        ((2**16, 2**16), {}, "not 4294967296"),
        ((3,), {"keep": -0.1}, "keep is -0.1"),
        ((3,), {"keep": "1"}, "keep must be a number, not '1'"),
        ((3,), {"keep": 1.01}, "keep is 1.01"),
        ((3,), {"keep": np.nan}, "keep must be a number, not NaN"),
        ((3,), {"weights": 5}, r"pair \(low, high\), not 5"),
        ((3,), {"seed": 1.5}, "seed must be an integer"),
    ],
)
def test_wrong_parameters(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        grid(*arguments, **options)
