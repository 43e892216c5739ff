import networkx as nx
import numpy as np
import pytest

from warpath import Graph
from warpath.generate import mesh
from warpath.parallel import thread_count


def pairs(graph):
    source, target, _ = graph.coo()
    return set(zip(source.tolist(), target.tolist(), strict=True))


@pytest.mark.parametrize("shape", [(4, 5), (5, 4, 3), (1, 6), (7, 1, 2), (1, 1, 1)])
@pytest.mark.parametrize("loops", [False, True])
def test_the_nearest_are_those_along_the_axes(shape, loops):
    graph = mesh(shape, 2 * len(shape), loops=loops)
    G = nx.convert_node_labels_to_integers(nx.grid_graph(shape[::-1]), ordering="sorted")
    wanted = {arc for u, v in G.edges for arc in ((u, v), (v, u))}
    wanted |= {(v, v) for v in G} if loops else set()
    assert pairs(graph) == wanted
    assert graph.num_arcs == len(wanted)
    assert not graph.directed


@pytest.mark.parametrize(("neighbors", "reach"), [(26, 1), (124, 2)])
def test_a_whole_box(neighbors, reach):
    shape = (7, 6, 6)
    graph = mesh(shape, neighbors)
    at = np.stack(np.unravel_index(np.arange(np.prod(shape)), shape), axis=1)
    near = (np.abs(at[:, None] - at[None]) <= reach).all(axis=2)
    np.fill_diagonal(near, False)
    assert pairs(graph) == set(zip(*map(np.ndarray.tolist, np.nonzero(near)), strict=True))


def test_on_rings_all_in_the_inside_are_alike():
    graph = mesh((9, 5, 5), 18, periodic=True)
    degree = graph.degree.reshape(9, 25)
    assert (degree[1:-1] == 18).all()
    assert (degree[0] < 18).all()
    # Along the ring, the last is next to the first.
    assert 4 in graph.neighbors(0)
    assert 20 in graph.neighbors(0)
    assert 8 * 25 not in graph.neighbors(0)


@pytest.mark.parametrize("periodic", [False, True])
def test_mixed_elements_are_symmetric_sorted_and_as_many_as_asked_for(periodic):
    graph = mesh((60, 9, 9), (20, 80), loops=True, periodic=periodic, seed=2)
    # Checks that rows are sorted and that every arc's reverse is there.
    Graph.from_csr(graph.row_offsets, graph.column_indices, directed=False)
    assert graph.num_self_loops == graph.num_vertices
    inside = graph.degree.reshape(60, 9, 9)[2:-2, 2:-2, 2:-2]
    assert inside.mean() == pytest.approx(51, abs=1.5)
    # Each draws 10 … 40 and meets the mean of the others, 25: the range is 30, over √12.
    assert inside.std() == pytest.approx(30 / 12**0.5, rel=0.15)


def test_the_graph_depends_on_the_seed_and_not_on_the_threads(monkeypatch):
    graph = mesh((40, 20, 20), (2, 20), seed=5)
    other = mesh((40, 20, 20), (2, 20), seed=6)
    assert graph.num_arcs != other.num_arcs
    monkeypatch.setattr(thread_count, "_num_threads", 1)
    again = mesh((40, 20, 20), (2, 20), seed=5)
    np.testing.assert_array_equal(again.column_indices, graph.column_indices)


def test_no_vertices():
    assert mesh((0, 3)).num_vertices == 0
    assert mesh((3, 3), 0).num_arcs == 0


@pytest.mark.parametrize(
    ("shape", "options", "message"),
    [
        ((3,), {}, "shape must be 2 or 3 lengths"),
        ((3, -1), {}, "shape must be 2 or 3 lengths"),
        ((3.0, 2.0), {}, "shape must be 2 or 3 lengths"),
        ((9, 9), {"neighbors": "4"}, "neighbors must be a number, not '4'"),
        ((9, 9), {"neighbors": -1}, "neighbors is -1"),
        ((9, 9), {"neighbors": (5, 4)}, r"neighbors is \(5, 4\)"),
        ((9, 9), {"neighbors": 81}, "a box around has 80 places"),
        ((9, 4), {"neighbors": 24, "periodic": True}, "a ring of 4 vertices is too short"),
    ],
)
def test_what_is_out_of_range(shape, options, message):
    with pytest.raises(ValueError, match=message):
        mesh(shape, **options)
