import numpy as np
import pytest

from warpath.generate import grid, roads
from warpath.graph.components import largest_component
from warpath.parallel import thread_count


def contracted(graph, crossings):
    """Pairs of crossings that a road joins: bends taken out of their paths."""
    pairs = []
    for v in range(crossings):
        for u in graph.neighbors(v).tolist():
            before = v
            while u >= crossings:
                before, u = u, next(w for w in graph.neighbors(u).tolist() if w != before)
            pairs.append((v, u))
    return sorted(pairs)


@pytest.mark.parametrize("pieces", [1, 2, 2.5, 4])
def test_with_its_bends_taken_out_it_is_the_grid(pieces):
    graph, plain = roads(9, 12, keep=0.7, pieces=pieces, seed=4), grid(9, 12, keep=0.7, seed=4)
    assert (graph.degree[9 * 12 :] == 2).all()
    source, target, _ = plain.coo()
    assert contracted(graph, 9 * 12) == sorted(zip(source.tolist(), target.tolist(), strict=True))
    lengths = graph.num_edges / plain.num_edges
    assert abs(lengths - pieces) < 0.2


def test_pieces_in_the_mean():
    graph, plain = roads(200, 200, keep=0.7, pieces=1.3), grid(200, 200, keep=0.7)
    assert graph.num_edges / plain.num_edges == pytest.approx(1.3, abs=0.02)
    assert graph.num_vertices == plain.num_vertices + graph.num_edges - plain.num_edges


@pytest.mark.parametrize("junction", [1, 4, 9, 30])
def test_one_crossing_is_a_junction(junction):
    graph, without = roads(30, 41, pieces=1.5, junction=junction), roads(30, 41, pieces=1.5)
    middle = 15 * 41 + 20
    assert graph.degree[middle] == max(junction, without.degree[middle])
    assert graph.num_edges - without.num_edges == graph.degree[middle] - without.degree[middle]
    assert len(np.unique(graph.neighbors(middle))) == graph.degree[middle]
    added = set(graph.neighbors(middle).tolist()) - set(without.neighbors(middle).tolist())
    assert all(abs(v // 41 - 15) <= 3 and abs(v % 41 - 20) <= 3 for v in added)


def test_most_of_it_hangs_together():
    graph = roads(100, 100, keep=0.66, pieces=4.8)
    assert len(largest_component(graph)) > 0.9 * graph.num_vertices


def test_the_graph_depends_on_the_seed_and_not_on_the_threads(monkeypatch):
    graph = roads(150, 150, pieces=2.5, weights=(1, 9), seed=5)
    assert roads(150, 150, pieces=2.5, seed=6).num_vertices != graph.num_vertices
    monkeypatch.setattr(thread_count, "_num_threads", 1)
    again = roads(150, 150, pieces=2.5, weights=(1, 9), seed=5)
    np.testing.assert_array_equal(again.column_indices, graph.column_indices)
    np.testing.assert_array_equal(again.weights, graph.weights)


def test_no_roads():
    assert roads(3, 3, keep=0, pieces=2).num_edges == 0
    assert roads(0, 0).num_vertices == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pieces": 0.5}, "pieces is 0.5"),
        ({"junction": -1}, "junction is -1"),
        ({"pieces": "3"}, "pieces must be a number, not '3'"),
        ({"junction": "3"}, "junction is '3'"),
        ({"junction": 49}, r"junction is 49: choose a degree in 0 … 48"),
        ({"keep": 1.5}, "keep is 1.5"),
    ],
)
def test_what_is_out_of_range(options, message):
    with pytest.raises(ValueError, match=message):
        roads(5, 5, **options)
