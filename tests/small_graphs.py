"""Small random graphs and lists of edges, and whether two are the same."""

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


@st.composite
def edge_lists(draw, dtypes=("i4", "i8", "f4", "f8", None)):
    """(source, target, weight or None, n), with self-loops, parallel edges, isolated vertices."""
    n = draw(st.integers(0, 30))
    m = draw(st.integers(0, 80)) if n else 0
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    busy = draw(st.integers(1, n)) if n else 1  # few busy vertices: many parallel edges
    source, target = rng.integers(0, busy, (2, m), dtype=np.int32)
    dtype = draw(st.sampled_from(dtypes))
    weight = None if dtype is None else rng.integers(-4, 5, m).astype(dtype)
    return source, target, weight, n


def assert_same_arrays(a, b):
    """Of as many arrays, some of which may be None."""
    for x, y in zip(a, b, strict=True):
        if x is None:
            assert y is None
        else:
            np.testing.assert_array_equal(x, y)


def assert_same_graph(a, b):
    assert (a.num_vertices, a.directed) == (b.num_vertices, b.directed)
    assert_same_arrays(a.coo(), b.coo())
