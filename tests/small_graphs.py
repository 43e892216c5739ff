"""Small random graphs, and whether two are the same."""

import numpy as np
from hypothesis import strategies as st

import warpath as wp

seeds = st.integers(0, 2**32 - 1)


def random_graph(seed, directed=True, merge="keep", weights=True):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 15))
    source, target = rng.integers(0, n, (2, 3 * n))
    weight = rng.integers(0, 5, 3 * n) if weights else None
    return wp.Graph.from_edges(source, target, weight, n=n, directed=directed, merge=merge)


def assert_same_graph(a, b):
    assert (a.num_vertices, a.directed) == (b.num_vertices, b.directed)
    for x, y in zip(a.coo(), b.coo(), strict=True):
        if x is None:
            assert y is None
        else:
            np.testing.assert_array_equal(x, y)
