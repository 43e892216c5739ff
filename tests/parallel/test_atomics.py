import numpy as np
import pytest
from numba import njit, types
from numba.core.errors import TypingError

from exhaustive import few
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import (
    atomic_add,
    atomic_compare_and_swap,
    atomic_exchange,
    atomic_load,
    atomic_min,
    atomic_store,
    prefetch,
    spin_hint,
    unowned,
    yield_core,
)

DTYPES = ["i4", "i8", "f4", "f8"]
every_dtype = pytest.mark.parametrize("dtype", few(DTYPES, ["i4", "f8"]))


@njit(nogil=True)
def add(array, index, value):
    return atomic_add(array, index, value)


@njit(nogil=True)
def minimum(array, index, value):
    return atomic_min(array, index, value)


@njit(nogil=True)
def exchange(array, index, value):
    return atomic_exchange(array, index, value)


@njit(nogil=True)
def swap(array, index, expected, value):
    return atomic_compare_and_swap(array, index, expected, value)


@njit(nogil=True)
def load(array, index):
    return atomic_load(array, index)


@njit(nogil=True)
def store(array, index, value):
    atomic_store(array, index, value)


@njit(nogil=True)
def hints(array):
    prefetch(array, 0)
    prefetch(array, 1 << 40)  # a prefetch of what is not there must not fault
    spin_hint()
    yield_core()


@every_dtype
class TestOneThread:
    def test_add(self, dtype):
        a = np.array([1, 2, 3], dtype)
        assert add(a, 1, 40) == 2
        assert a.tolist() == [1, 42, 3]

    def test_min(self, dtype):
        a = np.array([10, 10, 10], dtype)
        assert minimum(a, 2, 12) == 10
        assert minimum(a, 2, -7) == 10
        assert minimum(a, 2, -6) == -7
        assert a.tolist() == [10, 10, -7]

    def test_exchange(self, dtype):
        a = np.array([1, 2, 3], dtype)
        assert exchange(a, 0, 9) == 1
        assert a.tolist() == [9, 2, 3]

    def test_compare_and_swap(self, dtype):
        a = np.array([1, 2, 3], dtype)
        assert swap(a, 1, 5, 9) == 2
        assert a.tolist() == [1, 2, 3]
        assert swap(a, 1, 2, 9) == 2
        assert a.tolist() == [1, 9, 3]

    def test_load_and_store(self, dtype):
        a = np.array([1, 2, 3], dtype)
        store(a, 2, 8)
        assert load(a, 2) == 8
        assert a.tolist() == [1, 2, 8]

    def test_the_old_value_has_the_arrays_dtype(self, dtype):
        @njit
        def old(array):
            out = np.empty(1, array.dtype)
            out[0] = atomic_add(array, 0, 1)
            return out

        extreme = np.finfo(dtype).max if dtype[0] == "f" else np.iinfo(dtype).max - 1
        assert old(np.array([extreme], dtype))[0] == extreme

    def test_strided_arrays(self, dtype):
        a = np.zeros(10, dtype)
        add(a[1::3], 2, 5)
        assert np.flatnonzero(a).tolist() == [7]

    def test_hints_change_nothing(self, dtype):
        a = np.array([1, 2], dtype)
        hints(a)
        assert a.tolist() == [1, 2]


@njit(nogil=True)
def swap_first(arrays):
    one, (two, number) = unowned(arrays)
    one[0], two[0] = two[0], one[0]
    return number


@njit(nogil=True)
def unowned_number(x):
    return unowned(x)


def test_unowned_arrays_are_the_same_arrays():
    one, two = np.arange(3), np.arange(3.0) + 9
    for _ in range(1000):  # a reference lost each time would free them
        assert swap_first((one, (two, 5))) == 5
    assert (one.tolist(), two.tolist()) == ([0, 1, 2], [9, 10, 11])
    with pytest.raises(TypingError, match="a tuple of arrays"):
        unowned_number(1)


def test_floats_keep_their_bits():
    a = np.array([1.5, np.inf], "f8")
    assert exchange(a, 1, np.nan) == np.inf
    assert np.isnan(load(a, 1))
    assert swap(a, 0, 1.5, 0.1) == 1.5
    assert load(a, 0) == 0.1
    b = np.array([0.1], "f4")
    assert add(b, 0, 0.0) == np.float32(0.1)


def test_compare_and_swap_compares_bits():
    a = np.array([0.0])
    assert swap(a, 0, -0.0, 1.0) == 0.0  # equal as numbers, not as bits
    assert a[0] == 0.0


def test_min_of_infinity():
    a = np.array([np.inf])
    assert minimum(a, 0, 3.0) == np.inf
    assert a[0] == 3.0


ROUNDS = 20_000


@njit(nogil=True)
def add_all(thread, threads, sync, total):
    for i in range(ROUNDS):
        atomic_add(total, 0, i % 3)


@njit(nogil=True)
def min_all(thread, threads, sync, least):
    for i in range(ROUNDS):
        # Each thread comes down from above; only thread 1 reaches the least.
        atomic_min(least, i % 2, ROUNDS - i - thread)


@njit(nogil=True)
def count_by_swaps(thread, threads, sync, counter):
    for _ in range(ROUNDS):
        while True:
            old = atomic_load(counter, 0)
            if atomic_compare_and_swap(counter, 0, old, old + 1) == old:
                break


@njit(nogil=True)
def pass_tokens(thread, threads, sync, slot, sums):
    """Put tokens into one slot and take out others': none is lost, none doubled."""
    for i in range(ROUNDS):
        sums[thread] += atomic_exchange(slot, 0, thread * ROUNDS + i + 1)


@njit(nogil=True)
def publish(thread, threads, sync, payload, flag, seen):
    """Thread 0 writes plainly, then sets the flag; the others must see what it wrote."""
    for i in range(1, ROUNDS):
        if thread == 0:
            payload[0] = i
            atomic_store(flag, 0, i)
            while atomic_load(flag, 1) != i:
                pass
        elif thread == 1:
            while atomic_load(flag, 0) != i:
                pass
            if payload[0] != i:
                seen[0] += 1
            atomic_store(flag, 1, i)


@pytest.fixture
def crowd():
    """More threads than cores, so that some are stopped in the middle of an update."""
    before = thread_count._num_threads
    thread_count.set_num_threads(4)
    yield 4
    thread_count.set_num_threads(before)


@every_dtype
class TestContention:
    def test_add(self, dtype, crowd):
        total = np.zeros(1, dtype)
        team.run(add_all, crowd, total)
        # Exact in float32 as well: below 2²⁴.
        assert total[0] == crowd * sum(i % 3 for i in range(ROUNDS))

    def test_min(self, dtype, crowd):
        least = np.full(2, 2 * ROUNDS, dtype)
        team.run(min_all, crowd, least)
        assert sorted(least.tolist()) == [1 - (crowd - 1), 2 - (crowd - 1)]

    def test_compare_and_swap(self, dtype, crowd):
        counter = np.zeros(1, dtype)
        team.run(count_by_swaps, crowd, counter)
        assert counter[0] == crowd * ROUNDS

    def test_exchange(self, dtype, crowd):
        slot, sums = np.zeros(1, dtype), np.zeros(crowd, np.float64)
        team.run(pass_tokens, crowd, slot, sums)
        tokens = crowd * ROUNDS
        assert sums.sum() + slot[0] == tokens * (tokens + 1) / 2


def test_a_store_publishes_what_was_written_before(crowd):
    seen = np.zeros(1, np.int64)
    team.run(publish, 2, np.zeros(1), np.zeros(2, np.int64), seen)
    assert seen[0] == 0


@pytest.mark.parametrize(
    ("array", "reason"),
    [
        (np.zeros(2, np.int16), "int32/int64/float32/float64"),
        (np.zeros(2, np.uint32), "int32/int64/float32/float64"),
        (np.zeros(2, np.complex128), "int32/int64/float32/float64"),
        (np.zeros(2, bool), "int32/int64/float32/float64"),
        (np.zeros((2, 2)), "1-d"),
        (3, "1-d"),
        (np.frombuffer(bytes(16), np.int64), "writeable"),
    ],
    ids=["int16", "uint32", "complex", "bool", "2-d", "scalar", "read-only"],
)
@pytest.mark.parametrize("operation", [add, minimum, exchange, store])
def test_wrong_arrays_are_refused_at_compile_time(operation, array, reason):
    with pytest.raises(TypingError, match=reason):
        operation(array, 0, 1)
    with pytest.raises(TypingError, match=reason):
        load(array, 0)
    with pytest.raises(TypingError, match=reason):
        swap(array, 0, 1, 1)


def test_unaligned_arrays_are_refused_at_compile_time():
    # Numba takes every array it is given for an aligned one, so ask for the other type.
    unaligned = types.Array(types.int64, 1, "C", aligned=False)
    with pytest.raises(TypingError, match="aligned"):
        add.compile((unaligned, types.int64, types.int64))


def test_a_wrong_index_is_refused_at_compile_time():
    with pytest.raises(TypingError, match="integer index"):
        add(np.zeros(2), 0.5, 1)


@pytest.mark.parametrize("operation", [add, minimum, exchange, store])
@pytest.mark.parametrize(("dtype", "value"), [("i4", 1.5), ("i8", 1.5), ("f8", 1j), ("f8", "x")])
def test_wrong_values_are_refused_at_compile_time(operation, dtype, value):
    with pytest.raises(TypingError, match="cannot store"):
        operation(np.zeros(2, dtype), 0, value)
    with pytest.raises(TypingError, match="cannot store"):
        swap(np.zeros(2, dtype), 0, value, 1)
