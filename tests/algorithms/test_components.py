"""The public face of `warpath.graph.components`, whose tests say more."""

import numpy as np
import pytest

import warpath as wp


def test_labels_and_count():
    labels, count = wp.connected_components(wp.Graph.from_edges([5, 1], [2, 1], n=6))
    assert labels.tolist() == [0, 1, 2, 3, 4, 2]
    assert labels.dtype == np.int32
    assert count == 5


def test_bad_input():
    with pytest.raises(TypeError, match=r"expected a warpath\.Graph"):
        wp.connected_components(np.eye(2))
