from typing import Any

import numpy as np
import pytest
from scipy.sparse.csgraph import breadth_first_order

from exhaustive import slow
from warpath import Graph, VerificationError, verify
from warpath.verify import claim


@pytest.mark.parametrize("chunk", [1, 7, claim.ARCS_AT_ONCE])
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("seed", [0, 1, *slow([2, 3, 4])])
def test_right_answers_pass(
    solve: Any, random_graph: Any, monkeypatch: Any, seed: int, directed: bool, chunk: int
) -> None:
    monkeypatch.setattr(claim, "ARCS_AT_ONCE", chunk)
    graph = random_graph(seed, np.float64, directed=directed)  # weights are not looked at
    for source in (0, [3], [5, 1, 5]):
        for limit in (None, 0, 1, 2, 100):
            distance, predecessor = solve(graph, source, limit=limit)
            verify.bfs(graph, source, distance, predecessor, depth_limit=limit)
            verify.bfs(graph, source, distance, depth_limit=limit)


def test_scipy_is_right(random_graph: Any) -> None:
    graph = random_graph(1, n=2000, m=6000)
    order, parent = breadth_first_order(graph.to_scipy(), 0)
    distance = np.full(graph.num_vertices, -1, np.int32)
    distance[0] = 0
    for v in order[1:]:
        distance[v] = distance[parent[v]] + 1
    verify.bfs(graph, 0, distance, np.where(parent < 0, -1, parent).astype(np.int32))


@pytest.mark.parametrize("seed", range(20))
def test_any_single_change_is_caught(solve: Any, random_graph: Any, seed: int) -> None:
    graph = random_graph(seed)
    right = solve(graph, 0)
    rng = np.random.default_rng(seed)
    distance, predecessor = (array.copy() for array in right)
    v = rng.integers(graph.num_vertices)
    distance[v] += rng.choice([-2, -1, 1, 2])
    for given in (None, predecessor):
        with pytest.raises(VerificationError):
            verify.bfs(graph, 0, distance, given)


def test_one_vertex() -> None:
    graph = Graph.from_edges([], [], n=1)
    verify.bfs(graph, 0, np.int32([0]), np.int32([-1]))
    with pytest.raises(VerificationError, match="source"):
        verify.bfs(graph, 0, np.int32([-1]), np.int32([-1]))


@pytest.mark.parametrize(
    ("source", "message"),
    [(2, "source 2 is out of range"), (-1, "out of range"), (0.0, "integer"), ([], "empty"),
     ([0, 9], "source 9")],
)  # fmt: skip
def test_sources_that_are_none(source: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        verify.bfs(Graph.from_edges([0], [1]), source, np.int32([0, 1]))


def test_an_empty_graph_has_no_source() -> None:
    with pytest.raises(ValueError, match="0 vertices"):
        verify.bfs(Graph.from_edges([], [], n=0), 0, np.empty(0, np.int32))


def test_a_negative_depth_limit() -> None:
    with pytest.raises(ValueError, match="depth_limit must be 0 or more, not -1"):
        verify.bfs(Graph.from_edges([0], [1]), 0, np.int32([0, 1]), depth_limit=-1)
