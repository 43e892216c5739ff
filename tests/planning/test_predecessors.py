"""Where a distance and the vertex before it fit into one word."""

import numpy as np
import pytest

from warpath.planning.predecessors import pack_with_distances


@pytest.mark.parametrize(
    ("dtype", "lightest", "fit"),
    [("int32", 1, True), ("int32", 0, False), ("int64", 1, False), ("float32", 1.0, False)],
)
def test_of_positive_integers_of_32_bits(dtype, lightest, fit):
    assert bool(pack_with_distances(np.dtype(dtype), lightest)) is fit
