import numpy as np
import pytest

from warpath import Graph
from warpath.generate import local
from warpath.parallel import thread_count


def steps(graph, shape):
    """How far each arc goes along each axis, the shorter way round its ring."""
    source, target, _ = graph.coo()
    at = [np.array(np.unravel_index(v, shape)) for v in (source, target)]
    apart = np.abs(at[1] - at[0])
    return np.minimum(apart, np.array(shape)[:, None] - apart)


@pytest.mark.parametrize(("shape", "reach"), [((9, 11), 4), ((5, 6, 7), 2), ((10, 9, 9), 4)])
@pytest.mark.parametrize("loops", [False, True])
def test_arcs_are_short_different_and_as_many_as_asked_for(shape, reach, loops):
    n = int(np.prod(shape))
    degree = np.random.default_rng(1).integers(0, 12, n)
    graph = local(shape, degree, reach=reach, loops=loops, seed=3)
    assert graph.directed
    np.testing.assert_array_equal(graph.degree, degree)
    assert steps(graph, shape).max() <= reach
    source, target, _ = graph.coo()
    assert len(np.unique(source.astype(np.int64) * n + target)) == graph.num_arcs
    assert graph.num_self_loops == (np.count_nonzero(degree) if loops else 0)
    Graph.from_csr(graph.row_offsets, graph.column_indices)


def test_a_vertex_may_have_an_arc_to_every_place():
    shape = (5, 5)
    graph = local(shape, np.full(25, 24), reach=2)
    assert all(len(np.unique(graph.neighbors(v))) == 24 for v in range(25))


def test_arcs_lead_everywhere_alike():
    shape = (40, 40)
    graph = local(shape, np.full(1600, 4), reach=2)
    into = np.bincount(graph.column_indices, minlength=1600)
    assert into.mean() == 4
    assert into.min() == 0
    assert into.max() < 20


def test_the_graph_depends_on_the_seed_and_not_on_the_threads(monkeypatch):
    shape, degree = (20, 20, 20), np.full(8000, 5)
    graph = local(shape, degree, seed=5)
    assert (local(shape, degree, seed=6).column_indices != graph.column_indices).any()
    monkeypatch.setattr(thread_count, "_num_threads", 1)
    again = local(shape, degree, seed=5)
    np.testing.assert_array_equal(again.column_indices, graph.column_indices)


@pytest.mark.parametrize(
    ("degree", "options", "message"),
    [
        (np.ones(3, int), {}, "degree must be 81 integers"),
        (np.ones(81), {}, "degree must be 81 integers, not float64"),
        (np.full(81, 81), {}, r"degree\[0\] is 81: there are 0 … 80 places"),
        (-np.arange(81), {}, r"degree\[1\] is -1"),
        (np.ones(81, int), {"reach": 0}, "reach is 0"),
        (np.ones(81, int), {"reach": 5}, "reach is 5"),
    ],
)
def test_what_is_out_of_range(degree, options, message):
    with pytest.raises(ValueError, match=message):
        local((9, 9), degree, **options)


def test_a_ring_that_is_too_short():
    with pytest.raises(ValueError, match="a ring of 8 vertices is too short"):
        local((9, 8), np.ones(72, int))
