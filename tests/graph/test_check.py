from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

import warpath as wp
from foreign import OnlyDlpack
from warpath.graph.check import (
    MAX_VERTICES,
    as_ids,
    as_vector,
    as_vertex,
    as_vertex_count,
    as_weights,
    check_below,
)


class OnlyArray:
    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


@pytest.mark.parametrize(
    "wrap", [OnlyDlpack, OnlyArray, pl.Series, np.asarray, memoryview], ids=lambda w: w.__name__
)
def test_vectors_of_other_libraries(wrap):
    array = np.array([3, 1, 2], np.int32)
    vector = as_vector(wrap(array), "x")
    assert type(vector) is np.ndarray
    assert vector.dtype == np.int32
    assert vector.tolist() == [3, 1, 2]


@pytest.mark.parametrize("wrap", [OnlyDlpack, OnlyArray])
def test_no_copy_where_there_is_a_way(wrap):
    array = np.array([3, 1, 2], np.int32)
    assert np.shares_memory(as_vector(wrap(array), "x"), array)


@pytest.mark.parametrize("values", [[3, 1, 2], (3, 1, 2), range(1, 4)])
def test_vectors_of_sequences(values):
    assert as_vector(values, "x").tolist() == list(values)


@pytest.mark.parametrize("values", [[[1, 2]], np.zeros((2, 0))])
def test_only_one_dimension(values):
    with pytest.raises(ValueError, match=r"x must be one-dimensional, not of shape \("):
        as_vector(values, "x")


@pytest.mark.parametrize("values", [5, {1, 2}, iter([1, 2]), np.sqrt, np.array(5)])
def test_only_sequences(values):
    kind = type(values).__name__
    with pytest.raises(ValueError, match=f"x must be a sequence or an array, not {kind}"):
        as_vector(values, "x")


def test_ragged_sequences():
    for i, values in enumerate(([[1], [1, 2]], [1, (2,)], [1, 2, [[3], 4]])):
        with pytest.raises(ValueError, match=rf"x must be one-dimensional, and x\[{i}\] is [\[(]"):
            as_vector(values, "x")


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", ">i4", ">u8"])
def test_ids_of_any_integer_width(dtype):
    ids = as_ids(np.array([0, 5, 127], dtype), "x")
    checked = check_below(ids, 128, "x")
    assert checked.dtype == np.int32
    assert checked.dtype.isnative
    assert checked.tolist() == [0, 5, 127]


@pytest.mark.parametrize("values", [[], np.empty(0), np.empty(0, bool)])
def test_no_ids(values):
    assert as_ids(values, "x").dtype == np.int32


@pytest.mark.parametrize("values", [[1.0, 2.0], [True], ["a"], [None], [2**70]])
def test_ids_that_are_no_integers(values):
    with pytest.raises(ValueError, match="x must hold integer vertex ids, not "):
        as_ids(values, "x")


@pytest.mark.parametrize(
    "call",
    [
        lambda: wp.Graph.from_csr([0, 1], ["a"]),
        lambda: wp.Graph.from_edges([0], [1]).subgraph(["a"]),
        lambda: wp.Graph.from_edges([0], [1]).index(["a"]),
    ],
)
def test_errors_of_text_name_no_option_that_is_not_there(call):
    with pytest.raises(ValueError, match=r"must hold integer vertex ids, not <U1$"):
        call()


def test_the_negative_id_is_named():
    with pytest.raises(ValueError, match=r"x\[2\] is -7: vertex ids are 0 or more"):
        as_ids([4, 0, -7, -3], "x")


@pytest.mark.parametrize("big", [5, 2**31, 2**63 - 1, 2**64 - 1])
def test_the_large_id_is_named(big):
    ids = as_ids(np.array([4, big], np.uint64), "x")
    with pytest.raises(ValueError, match=rf"x\[1\] is {big}, but the graph has 5 vertices"):
        check_below(ids, 5, "x")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("?", "i4"), ("i1", "i4"), ("i2", "i4"), ("i4", "i4"), ("i8", "i8"),
        ("u1", "i4"), ("u2", "i4"), ("u4", "i8"), ("u8", "i8"),
        ("f2", "f4"), ("f4", "f4"), ("f8", "f8"), ("g", "f8"), (">i4", "i4"), (">f8", "f8"),
    ],
)  # fmt: skip
def test_weight_dtypes(given, kept):
    weights = as_weights(np.array([0, 1, 1], given))
    assert weights.dtype == np.dtype(kept)
    assert weights.dtype.isnative
    assert weights.tolist() == [0, 1, 1]


@pytest.mark.parametrize("value", [2**32 - 1, 2**31])
def test_large_unsigned_weights_keep_their_value(value):
    assert as_weights(np.array([value], np.uint32)).tolist() == [value]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_the_weight_that_is_no_number_is_named(value, dtype):
    with pytest.raises(ValueError, match=rf"weight\[1\] is {value}: weights are finite"):
        as_weights(np.array([0, value, np.nan], dtype))


def test_a_long_double_beyond_float64():
    if np.finfo("g").max <= np.finfo("f8").max:
        pytest.skip("long double is float64 here")
    with pytest.raises(ValueError, match=r"weight\[0\] is inf"):
        as_weights(np.array([np.finfo("g").max], "g"))


def test_unsigned_weights_beyond_int64():
    with pytest.raises(OverflowError, match=rf"weight\[1\] is {2**63}: it exceeds int64"):
        as_weights(np.array([1, 2**63], np.uint64))


@pytest.mark.parametrize("values", [[1, 2**64], [-1, 2**63], [2**63, -1], [0.5, -(2**70)], [2**63]])
def test_integers_beyond_int64_are_named(values):
    large = next(i for i, one in enumerate(values) if abs(one) >= 2**63)
    with pytest.raises(
        OverflowError, match=rf"^weight\[{large}\] is {values[large]}: it exceeds int64"
    ):
        as_weights(np.array(values, object) if 0.5 in values else values)


def test_floats_beyond_int64():
    assert as_weights([-1.0, 2**63]).tolist() == [-1.0, 2.0**63]


@pytest.mark.parametrize("values", [[1j], ["a"], [None]])
def test_weights_that_are_no_numbers(values):
    with pytest.raises(ValueError, match="weight must hold integers or floats, not "):
        as_weights(values)


def test_weights_to_convert_are_named():
    for values, first in (
        (["1", "x"], r"<U1 \(weight\[1\] is 'x'\)"),
        (["1", "2"], r"<U1 \(weight\[0\] is '1'\)"),
        (pd.Series([2, "far"]), r"object \(weight\[1\] is 'far'\)"),
        ([Decimal("1.5")], r"object \(weight\[0\] is Decimal\('1.5'\)\)"),
    ):
        with pytest.raises(ValueError, match=f"{first}: convert them, as numpy.asarray"):
            as_weights(values)


def test_a_column_of_an_empty_frame():
    assert as_weights(pd.DataFrame(columns=["w"])["w"]).dtype == np.float64


@pytest.mark.parametrize("n", [0, 1, np.int64(7), MAX_VERTICES])
def test_vertex_counts(n):
    assert as_vertex_count(n) == n
    assert type(as_vertex_count(n)) is int


@pytest.mark.parametrize("n", [-1, 2**31])
def test_vertex_counts_out_of_range(n):
    with pytest.raises(ValueError, match=f"not {n}"):
        as_vertex_count(n)


@pytest.mark.parametrize("n", [1.0, "3", None, True])
def test_vertex_counts_that_are_no_integers(n):
    with pytest.raises(ValueError, match=f"must be an integer, not {n!r}"):
        as_vertex_count(n)


@pytest.mark.parametrize("v", [0, 4, np.int8(3), np.uint64(4), np.array(2)])
def test_vertices(v):
    assert as_vertex(v, 5) == v
    assert type(as_vertex(v, 5)) is int


@pytest.mark.parametrize("v", [-1, 5, 2**70])
def test_vertices_out_of_range(v):
    with pytest.raises(ValueError, match=f"source {v} is out of range: the graph has 5 vertices"):
        as_vertex(v, 5, "source")


@pytest.mark.parametrize("v", [1.0, "1", None, True, np.True_])
def test_vertices_that_are_no_integers(v):
    with pytest.raises(ValueError, match="vertex must be an integer vertex id, not "):
        as_vertex(v, 5)


HIDDEN = np.ma.array([0, 1, 1], mask=[0, 0, 1])


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("source", lambda: wp.Graph.from_edges(HIDDEN, [1, 2, 0])),
        ("target", lambda: wp.Graph.from_edges([1, 2, 0], HIDDEN)),
        ("weight", lambda: wp.Graph.from_edges([1, 2, 0], [1, 2, 0], HIDDEN)),
        ("labels", lambda: wp.Graph.from_edges([1, 2, 0], [1, 2, 0], labels=HIDDEN)),
        ("row_offsets", lambda: wp.Graph.from_csr(HIDDEN, [1])),
        ("column_indices", lambda: wp.Graph.from_csr([0, 1, 3], HIDDEN)),
        ("weights", lambda: wp.Graph.from_csr([0, 1, 2, 3], [1, 2, 0], HIDDEN)),
        ("weights", lambda: wp.generate.named("path", 2).with_weights(HIDDEN)),
        ("source", lambda: wp.Graph.from_edge_index(np.ma.stack([HIDDEN, HIDDEN]))),
        ("sources", lambda: wp.sssp(wp.generate.named("path", 4), HIDDEN)),
        ("sources", lambda: wp.distance_matrix(wp.generate.named("path", 4), HIDDEN)),
    ],
)
def test_masked_elements_are_refused(name, make):
    with pytest.raises(ValueError, match=rf"{name}\[2\] is masked"):
        make()


def test_masked_arrays_without_masked_elements_are_arrays():
    ends = np.ma.array([0, 1, 2], mask=[0, 0, 0])
    graph = wp.Graph.from_edges(ends, np.ma.array([1, 2, 0]), ends)
    assert [part.tolist() for part in graph.coo()] == [[0, 1, 2], [1, 2, 0], [0, 1, 2]]
    assert all(type(part) is np.ndarray for part in graph.coo())
