"""Sparse ids renumbered, by a table and by sorting."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph import compact as module
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


NAMES = ["Ulm", "", "a", "Zürich", "東京", "\U0001f68b", "A", "\ufffd", "Ulm 2"]


@pytest.mark.parametrize(
    "kind", [pl.String, pl.Categorical, pl.Enum(["not there", *NAMES]), object]
)
def test_text_by_column_is_as_by_a_dictionary(kind, monkeypatch):
    rng = np.random.default_rng(1)
    source, target = (np.array(NAMES, object)[rng.integers(0, len(NAMES), 40)] for _ in range(2))
    right = compact(source, target)
    monkeypatch.setattr(module, "_MANY_NAMES", 0)
    columns = source, target
    if kind is not object:
        columns = (pl.Series(names.tolist(), dtype=kind) for names in columns)
    *ends, n, labels = module.numbered_ends(*columns, compact=None, n=None, fetch=True)
    assert labels.tolist() == right[2].tolist() == sorted({*source, *target})
    assert all(type(name) is str for name in labels)
    assert n == len(labels)
    for found, expected in zip(ends, right, strict=False):
        assert found.dtype == np.int32
        assert np.array_equal(found, expected)


def test_text_that_polars_cannot_hold(monkeypatch):
    monkeypatch.setattr(module, "_MANY_NAMES", 0)
    assert compact(np.array(["b"], object), np.array(["\ud800"], object))[2].tolist() == [
        "b",
        "\ud800",
    ]


def test_nulls_among_text():
    names = pl.Series(["a", None])
    with pytest.raises(ValueError, match=r"missing values \(target\[1\]\)"):
        module.numbered_ends(pl.Series(["a", "b"]), names, compact=None, n=None, fetch=True)
