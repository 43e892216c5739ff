"""All pairs of vertices: what a dense method's matrix holds."""

import numpy as np
import pytest

import warpath as wp
from warpath.operators import lookup
from warpath.planning.all_pairs import work_dtype


@pytest.mark.parametrize(
    ("run", "most", "beyond"), [("int32", 2**29 - 1, "int64"), ("int64", 2**61 - 1, None)]
)
@pytest.mark.parametrize("sign", [1, -1])
def test_no_path_is_twice_as_long_as_any_path(run, most, beyond, sign):
    """Half of the largest value: a path that uses it may meet negative weights of the same size."""
    for weight, expected in ((most, run), (most + 1, beyond)):
        graph = wp.Graph.from_edges([0], [1], np.array([sign * weight], run))
        found = work_dtype(graph, lookup("shortest"), np.dtype(run), "cpu")
        assert found == (None if expected is None else np.dtype(expected))
