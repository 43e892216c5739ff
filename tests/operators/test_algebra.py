"""What engines rest on: turning values round is exact, and keys keep their order."""

import numpy as np
import pytest

from algebras import RULES, in_dtype
from oracles import DTYPES
from warpath import Algebra, Graph, sssp
from warpath.operators import ALGEBRAS, lookup


def some_values(algebra, dtype):
    """The ends, zeros of both signs, numbers of both signs or from 0 to 1."""
    ends = [algebra.source(dtype), algebra.none(dtype)]
    if algebra.multiplies:
        return np.array([*ends, 0.25, 0.5, np.finfo(dtype).smallest_subnormal], dtype)
    return np.array([*ends, -3, 0, 5, 2**20], dtype)


def test_lookup():
    assert lookup("widest").name == str(lookup("widest")) == "widest"
    assert lookup(ALGEBRAS["minimax"]) is ALGEBRAS["minimax"]
    for unknown in ("longest", None, 3):
        with pytest.raises(ValueError, match=r"unknown algebra .* shortest, widest, most-reliable"):
            lookup(unknown)


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_sources_and_no_paths(name, dtype):
    algebra = ALGEBRAS[name]
    _, _, at_source, none = RULES[name]
    assert algebra.source(dtype) == in_dtype(at_source, dtype)
    assert algebra.none(dtype) == in_dtype(none, dtype)
    assert algebra.source(dtype).dtype == algebra.none(dtype).dtype == dtype


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_better_value_has_the_less_key(name, dtype):
    algebra = ALGEBRAS[name]
    if algebra.multiplies and np.dtype(dtype).kind == "i":
        return
    values = some_values(algebra, dtype)
    keys = algebra.keys(values)
    assert keys.dtype == dtype
    a, b = np.meshgrid(np.arange(len(values)), np.arange(len(values)))
    assert np.array_equal(algebra.better(values[a], values[b]), keys[a] < keys[b])
    assert np.array_equal(algebra.values(keys), values)
    assert not np.signbit(algebra.values(keys)[algebra.values(keys) == 0]).any()


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_largest_key_is_no_path(name, dtype):
    algebra = ALGEBRAS[name]
    if algebra.multiplies and np.dtype(dtype).kind == "i":
        return
    far = np.array([np.inf if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max], dtype)
    assert algebra.values(far) == algebra.none(dtype)


def test_boolean_values_are_whether_there_is_a_number_of_arcs():
    reached = ALGEBRAS["reachability"].values(np.int32([0, 7, 2**31 - 1]))
    assert reached.tolist() == [True, True, False]


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_search_starts_no_later_than_any_path_ends(dtype):
    for low, high in [(-7, 5), (2, 2), (0, 9)]:
        graph = Graph.from_edges([0, 0], [1, 2], np.array([low, high], dtype))
        assert ALGEBRAS["shortest"].start_key(graph, dtype) == 0
        assert ALGEBRAS["minimax"].start_key(graph, dtype) == low
        widest = ALGEBRAS["widest"]
        assert widest.values(widest.start_key(graph, dtype)) == high
        assert widest.spread(graph) == ALGEBRAS["minimax"].spread(graph) == high - low
    assert ALGEBRAS["most-reliable"].start_key(graph, np.float32) == -1


@pytest.mark.parametrize(
    ("name", "weights", "expected"),
    [
        ("minimax", None, np.int32),
        ("minimax", np.int32([2**31 - 2]), np.int32),
        ("minimax", np.int32([2**31 - 1]), np.int64),
        ("minimax", np.int32([-(2**31)]), np.int32),
        ("widest", np.int32([2**31 - 1]), np.int32),
        ("widest", np.int32([-(2**31)]), np.int64),
        ("widest", np.int64([5]), np.int64),
        ("widest", np.float32([3e38]), np.float32),
        ("most-reliable", None, np.float64),
        ("most-reliable", np.int32([0, 1]), np.float64),
        ("most-reliable", np.float32([0.5]), np.float32),
        ("shortest", np.int32([2**30, 2**30, 2**30]), np.int64),
        ("reachability", np.float32([3.5]), bool),
    ],
)
def test_the_dtype_tells_every_value_from_no_path(name, weights, expected):
    k = 1 if weights is None else len(weights)
    graph = Graph.from_edges(np.arange(k), np.arange(1, k + 1), weights)
    assert ALGEBRAS[name].dtype(graph) == expected


@pytest.mark.parametrize("weight", [-0.25, 1.5, np.nextafter(1, 2)])
def test_a_reliability_is_from_0_to_1(weight):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], [1.0, 0.0, weight])
    with pytest.raises(
        ValueError, match=f"weights from 0 to 1, but that of the arc 2 → 0 is {weight}"
    ):
        ALGEBRAS["most-reliable"].check(graph)
    for name in ("shortest", "widest", "minimax", "reachability"):
        ALGEBRAS[name].check(graph)
    ALGEBRAS["most-reliable"].check(Graph.from_edges([], [], n=3))


class DeviceArray(np.ndarray):
    """Turned round as a device's array is, whose arithmetic takes subnormal numbers for 0."""

    __cuda_array_interface__ = {}  # noqa: RUF012


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_on_a_device_are_turned_by_their_bits(dtype):
    least = np.finfo(dtype).smallest_subnormal
    numbers = np.array([0.25, 0.0, -0.0, least, -least, np.inf, -np.inf, -3.0], dtype)
    for algebra in ALGEBRAS.values():
        here, there = algebra.keys(numbers), algebra.keys(numbers.view(DeviceArray))
        assert np.asarray(there).tobytes() == here.tobytes()


def test_the_least_reliability_is_not_none():
    algebra = ALGEBRAS["most-reliable"]
    least = np.array([np.finfo(np.float32).smallest_subnormal, 0.5, 0.0], np.float32)
    keys = np.where(least == 0, np.float32(np.inf), algebra.keys(least))
    assert algebra.values(keys).tolist() == least.tolist()


def test_what_leaves_64_bits_is_found():
    graph = Graph.from_edges(range(4), range(1, 5), [100_000] * 4)
    product = Algebra(lambda d, w: d * w, start=1)
    with pytest.raises(OverflowError, match="the distance of vertex 4 exceeds int64"):
        sssp(graph, 0, algebra=product)
    shift = Algebra(lambda d, w: (d << w) + 1)
    with pytest.raises(OverflowError, match="exceeds int64"):
        sssp(Graph.from_edges(range(5), range(1, 6), [20] * 5), 0, algebra=shift, dtype="int64")
