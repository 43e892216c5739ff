"""Claimed communities: right ones pass, and each wrong one breaks its property."""

import numpy as np
import pytest

from warpath import Graph, VerificationError, verify

# Two triangles that an edge joins, and a lone vertex.
GRAPH = Graph.from_edges([0, 1, 2, 3, 4, 5, 2, 0], [1, 2, 0, 4, 5, 3, 3, 0], n=7)


@pytest.mark.parametrize("labels", [[0, 0, 0, 3, 3, 3, 6], [0, 0, 0, 0, 0, 0, 6]])
def test_right_communities_pass(labels):
    verify.label_propagation(GRAPH, np.array(labels))


@pytest.mark.parametrize(
    ("labels", "broken"),
    [
        ([0, 0, 0, 3, 3, 5, 6], "frequent"),
        ([0, 1, 2, 3, 4, 5, 6], "frequent"),
        ([1, 1, 1, 3, 3, 3, 6], "smallest"),
        ([0, 0, 0, 3, 3, 3, -1], "smallest"),
    ],
)
def test_wrong_communities_do_not(labels, broken):
    with pytest.raises(VerificationError) as error:
        verify.label_propagation(GRAPH, np.array(labels))
    assert error.value.broken == broken
