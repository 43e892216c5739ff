"""Sparse ids renumbered, by a table and by sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph.compact import numbered as compact


@given(
    st.integers(0, 60).flatmap(
        lambda bits: st.lists(
            st.tuples(st.integers(0, 2**bits), st.integers(0, 2**bits)), max_size=30
        )
    )
)
def test_order_of_id(pairs):
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    new_source, new_target, labels = compact(source, target)
    ids = sorted({*source.tolist(), *target.tolist()})
    assert new_source.dtype == new_target.dtype == np.int32
    if labels is None:
        assert ids == list(range(len(ids)))
        labels = np.arange(len(ids))
    assert labels.tolist() == ids
    assert np.array_equal(labels[new_source], source)
    assert np.array_equal(labels[new_target], target)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint64])
def test_dtypes(dtype):
    source, target, labels = compact(np.array([7, 3], dtype), np.array([3, 9], dtype))
    assert (source.tolist(), target.tolist(), labels.tolist()) == ([1, 0], [0, 2], [3, 7, 9])
    assert labels.dtype == np.int64
