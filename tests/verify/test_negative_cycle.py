from typing import Any

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# 0 → 1, and 1 → 2 → 3 → 1 of weight -1 by the lighter of two arcs 2 → 3; 4 → 0.
GRAPH = Graph.from_edges([0, 1, 2, 2, 3, 4], [1, 2, 3, 3, 1, 0], [7, 2, 9, -4, 1, 1])


@pytest.mark.parametrize("cycle", [[1, 2, 3], (2, 3, 1), np.array([3, 1, 2])])
@pytest.mark.parametrize("source", [None, 0, 2, 4])
def test_right_cycles_pass(cycle: Any, source: int | None) -> None:
    verify.negative_cycle(GRAPH, cycle, source)


def test_a_negative_self_loop_and_an_undirected_edge() -> None:
    verify.negative_cycle(Graph.from_edges([0, 1], [1, 1], [1, -1]), [1], 0)
    verify.negative_cycle(Graph.from_edges([0, 1], [1, 2], [1, -1], directed=False), [1, 2], 0)


@pytest.mark.parametrize(
    ("graph", "cycle", "source", "broken"),
    [
        (GRAPH, [], None, "arc"),
        (GRAPH, [1, 3, 2], None, "arc"),
        (GRAPH, [1, 2], None, "arc"),
        (GRAPH, [0], None, "arc"),
        (GRAPH.with_weights(np.array([7, 2, 9, -3, 1, 1])), [1, 2, 3], None, "negative"),
        (GRAPH.without_weights(), [1, 2, 3], None, "negative"),
        (Graph.from_edges([0, 0], [0, 1], [-1, 1]), [0], 1, "reachable"),
    ],
)
def test_wrong_cycles(graph: Graph, cycle: Any, source: Any, broken: str) -> None:
    with pytest.raises(VerificationError) as error:
        verify.negative_cycle(graph, cycle, source)
    assert error.value.broken == broken


def test_float_sums_are_exact() -> None:
    # From left to right these round to -1; exactly they are 0.
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1e20, 1.0, -1e20])
    with pytest.raises(VerificationError, match="negative"):
        verify.negative_cycle(graph, [0, 1, 2])
    tiny = Graph.from_edges([0, 1, 2], [1, 2, 0], [1e20, -1.0, -1e20])
    verify.negative_cycle(tiny, [0, 1, 2])


def test_integer_sums_do_not_wrap() -> None:
    least = np.iinfo(np.int64).min
    verify.negative_cycle(Graph.from_edges([0, 1], [1, 0], [least, least]), [0, 1])


@pytest.mark.parametrize(("cycle", "source"), [([9], None), ([-1], None), ([1, 2, 3], 9)])
def test_vertices_that_are_none(cycle: list[int], source: int | None) -> None:
    with pytest.raises(ValueError, match="out of range"):
        verify.negative_cycle(GRAPH, cycle, source)
