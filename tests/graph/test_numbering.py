import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpath.graph import numbering
from warpath.graph.numbering import IntegerNumbers, TextNumbers

BATCHES = st.lists(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9)), max_size=5)


@given(BATCHES)
def test_integers(batches):
    numbers = IntegerNumbers()
    given = [numbers.of(np.array(batch, np.int64)) for batch in batches]
    labels, place = numbers.in_order()
    assert labels.tolist() == sorted({name for batch in batches for name in batch})
    for batch, array in zip(batches, given, strict=True):
        assert array.dtype == np.int32
        assert labels[place[array]].tolist() == batch


def test_many_integers():
    """Tables that grow within a batch; names that come again."""
    names = np.random.default_rng(0).integers(-(2**62), 2**62, 50_000)
    names = np.concatenate([names, names[::-1]])
    numbers = IntegerNumbers()
    first = numbers.of(names)
    np.testing.assert_array_equal(numbers.of(names), first)
    labels, place = numbers.in_order()
    np.testing.assert_array_equal(labels, np.unique(names))
    np.testing.assert_array_equal(labels[place[first]], names)


def test_too_many_integers(monkeypatch):
    monkeypatch.setattr(numbering, "MAX_VERTICES", 1000)
    numbers = IntegerNumbers()
    numbers.of(np.arange(1000))
    numbers.of(np.arange(1000))
    with pytest.raises(OverflowError, match="more than 1000 vertices"):
        numbers.of(np.arange(1001))


@given(st.lists(st.lists(st.text(max_size=3)), max_size=5))
def test_text(batches):
    numbers = TextNumbers()
    given = [
        numbers.of(batch) if k % 2 else numbers.of_column(pl.Series(batch, dtype=pl.String))
        for k, batch in enumerate(batches)
    ]
    labels, place = numbers.in_order()
    assert labels.tolist() == sorted({name for batch in batches for name in batch})
    for batch, array in zip(batches, given, strict=True):
        assert array.dtype == np.int32
        assert labels[place[array]].tolist() == batch
