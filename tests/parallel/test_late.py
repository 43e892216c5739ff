import numpy as np
import pytest
from numba.core.errors import TypingError

from warpath.parallel import late, team
from warpath.parallel.jit import compiled
from warpath.parallel.late import ABSENT, call_at
from warpath.parallel.sync import barrier


@compiled
def add(thread, threads, sync, pair, factor, out):
    values, more = pair
    for i in range(thread, values.shape[0], threads):
        out[i] = values[i] * factor + more[0]


@compiled
def through(thread, threads, sync, pair, factor, out, where):
    if where != ABSENT:
        call_at(where, (thread, threads, sync, pair, factor, out))
    barrier(sync, threads)


def test_a_kernel_calls_a_function_once_its_address_is_there():
    pair, out = (np.arange(100), np.array([0.5])), np.zeros(100)
    args = pair, 3, out
    team.run(through, 2, *args, ABSENT)
    assert not out.any()
    where = late.address(add, *args)
    team.run(through, 2, *args, where)
    assert np.array_equal(out, np.arange(100) * 3 + 0.5)
    assert late.address(add, *args) == where
    assert late.address(add, (pair[0].astype(np.int32), pair[1]), 3, out) != where


def test_arguments_come_in_a_tuple():
    @compiled
    def wrong(where):
        call_at(where, 1)

    with pytest.raises(TypingError, match="a tuple of arguments"):
        wrong(5)
