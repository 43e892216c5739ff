import numpy as np

import warpath as wp
from warpath.bench.source_vertices import draw


def test_of_the_largest_component() -> None:
    graph = wp.Graph.from_edges([0, 2, 3, 4], [1, 3, 4, 5], n=7, directed=False)
    assert set(draw(graph, 4, 1)) == {2, 3, 4, 5}
    assert len(draw(graph, 9, 1)) == 9
    assert draw(graph, 9, 1) == draw(graph, 9, 1)


def test_of_a_directed_graph_all_reach_the_same() -> None:
    graph = wp.generate.rmat(9, 4, directed=True, seed=1)
    reached = [wp.bfs(graph, source).distance >= 0 for source in draw(graph, 6, 1)]
    assert all(np.array_equal(reached[0], one) for one in reached)
    assert reached[0].sum() > 100


def test_of_no_vertices() -> None:
    assert draw(wp.Graph.from_edges([], [], n=0, directed=False), 3, 1) == []
