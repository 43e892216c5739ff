import numpy as np
import pytest

import warpath as wp


@pytest.fixture
def small():
    """0 → 1 (5), 0 → 2 (1), 0 → 2 (7), 2 → 2 (0), 2 → 1 (2); vertex 3 is isolated."""
    weight = np.array([5, 0, 1, 2, 7], np.int32)
    return wp.Graph.from_edges([0, 2, 0, 2, 0], [1, 2, 2, 1, 2], weight, n=4)
