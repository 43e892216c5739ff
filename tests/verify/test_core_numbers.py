"""Claimed core numbers: right ones pass, and each wrong one breaks its property."""

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# A triangle with a tail; directions, the parallel edge and the self-loop do not count.
GRAPH = Graph.from_edges([0, 1, 2, 2, 3, 4, 4], [1, 2, 0, 3, 2, 4, 3])
RIGHT = np.array([2, 2, 2, 1, 1], np.int32)


def test_right_numbers_pass():
    verify.core_numbers(GRAPH, RIGHT)
    verify.core_numbers(GRAPH, RIGHT.astype(np.int64))
    verify.core_numbers(Graph.from_edges([], [], n=0), np.empty(0, np.int32))


@pytest.mark.parametrize(
    ("numbers", "broken"),
    [
        ([2, 2, 2, 2, 1], "core"),
        ([2, 2, 2, 1, 2], "core"),
        ([1, 1, 1, 1, 1], "peeling"),
        ([2, 2, 2, 0, 0], "peeling"),
        ([0, 0, 0, 0, 0], "peeling"),
        ([2, 2, 2, -1, -1], "peeling"),
    ],
)
def test_wrong_numbers_do_not(numbers, broken):
    with pytest.raises(VerificationError) as error:
        verify.core_numbers(GRAPH, np.array(numbers))
    assert error.value.broken == broken


def test_what_are_no_numbers():
    with pytest.raises(ValueError, match=r"numbers has shape \(2,\), and the graph 5 vertices"):
        verify.core_numbers(GRAPH, RIGHT[:2])
    with pytest.raises(ValueError, match="numbers must hold integers, not float64"):
        verify.core_numbers(GRAPH, RIGHT.astype(float))
    with pytest.raises(ValueError, match=r"numbers\[0\] is \[1, 2\]"):
        verify.core_numbers(GRAPH, [[1, 2], [3]])
