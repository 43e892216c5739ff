import numpy as np
import pytest

import warpath as wp
from warpath.graph.distance import distance_dtype, fits, longest_path, positive, unreachable


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_unreachable_is_a_scalar_beyond_all_distances(dtype):
    value = unreachable(dtype)
    assert np.array([value], dtype)[0] == value
    assert value == (np.inf if dtype[0] == "f" else np.iinfo(dtype).max)


def test_longest_path():
    graph = wp.Graph.from_edges([0, 1], [1, 2], [3, -7], n=5)
    assert longest_path(graph) == 4 * 7
    assert longest_path(graph.without_weights()) == 4
    assert longest_path(wp.Graph.from_edges([], [], n=5)) == 0
    assert longest_path(wp.Graph.from_edges([], [])) == 0
    assert longest_path(wp.Graph.from_edges([0], [0], [2**40], n=1)) == 2**40


@pytest.mark.parametrize("dtype", ["i4", "i8"])
def test_an_integer_that_fits_is_below_unreachable(dtype):
    largest = np.iinfo(dtype).max
    assert fits(largest - 1, dtype)
    assert not fits(largest, dtype)
    assert not fits(2**70, dtype)


def test_a_float_that_fits_is_finite():
    assert fits(1e38, "f4")
    assert not fits(1e39, "f4")
    assert not fits(float("inf"), "f8")


@pytest.mark.parametrize(
    ("weight", "given_dtype", "wanted"),
    [
        (2, "i4", "i4"),
        (2**29, "i4", "i4"),
        (2**30, "i4", "i8"),  # two of them are 2³¹
        (-(2**30), "i4", "i8"),
        (2, "i8", "i8"),
        (2**62, "i8", "i8"),  # nothing wider: overflow is detected later
        (1e30, "f4", "f4"),
        (1e300, "f8", "f8"),
    ],
)
def test_dtype_of_distances(weight, given_dtype, wanted):
    weights = np.array([weight, 1], given_dtype)
    graph = wp.Graph.from_edges([0, 1], [1, 2], weights)
    assert distance_dtype(graph) == np.dtype(wanted)
    assert distance_dtype(graph.without_weights()) == np.int32


@pytest.mark.parametrize("dtype", ["i4", "i8", "f4", "f8"])
def test_positive_numbers_stop_at_a_dtypes_ends(dtype):
    dtype = np.dtype(dtype)
    ends = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    assert positive(7, dtype) == 7
    assert positive(7, dtype).dtype == dtype
    assert positive(1e300, dtype) == (1e300 if dtype == np.float64 else ends.max)
    assert positive(unreachable(dtype), dtype) == unreachable(dtype)
    assert positive(0.25, dtype) == (0.25 if dtype.kind == "f" else 1)
