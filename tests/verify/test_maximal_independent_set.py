"""Claimed sets: right ones pass, and each wrong one breaks its property."""

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# A path of four vertices, directions mixed, with a self-loop and a parallel edge; and a lone vertex.
GRAPH = Graph.from_edges([0, 2, 2, 1, 0], [1, 1, 3, 0, 0], n=5)


@pytest.mark.parametrize("chosen", [[1, 0, 1, 0, 1], [1, 0, 0, 1, 1], [0, 1, 0, 1, 1]])
def test_right_sets_pass(chosen):
    verify.maximal_independent_set(GRAPH, np.array(chosen, bool))


@pytest.mark.parametrize(
    ("chosen", "broken"),
    [
        ([1, 1, 0, 1, 1], "independent"),
        ([1, 0, 1, 1, 1], "independent"),
        ([0, 1, 0, 0, 1], "maximal"),
        ([1, 0, 1, 0, 0], "maximal"),
    ],
)
def test_wrong_sets_do_not(chosen, broken):
    with pytest.raises(VerificationError) as error:
        verify.maximal_independent_set(GRAPH, np.array(chosen, bool))
    assert error.value.broken == broken


def test_what_is_no_set():
    with pytest.raises(ValueError, match="chosen must hold truths, not int64"):
        verify.maximal_independent_set(GRAPH, np.array([1, 0, 1, 0, 1]))
