import numba
import numpy as np
import pytest
from numba import types
from numba.core.errors import TypingError

from warpath.parallel import late, team
from warpath.parallel.interruption import new_sync
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


def test_a_function_takes_what_numbas_convention_says():
    """`call_at` calls by `call_conv`; the machine code at the address must be of that type, in any Numba."""

    @numba.njit
    def function(thread, threads, sync, pair, factor, flag, out):
        out[thread] = pair[0][0] * factor + flag

    args = (np.arange(3), (np.float32(1), 2j)), 3.5, True, np.zeros(2)
    late.address(function, *args)
    (result,) = function.overloads.values()
    (code,) = (
        each
        for each in result.library._final_module.functions
        if each.name == result.fndesc.llvm_func_name
    )
    kinds = team.signature(new_sync(), args)
    by_convention = result.target_context.call_conv.get_function_type(types.none, kinds)
    taken = [str(each.type) for each in code.arguments]
    wanted = ["ptr" if kind.is_pointer else str(kind) for kind in by_convention.args]
    assert taken == wanted, (
        f"Numba {numba.__version__} compiles functions that take {taken}, and says that they take {wanted}: "
        "look at `codegen` of warpath.parallel.late.call_at"
    )


def test_a_function_that_returns_something_is_refused():
    @compiled
    def next_thread(thread, threads, sync):
        return thread + 1

    with pytest.raises(TypeError, match="next_thread returns int64; it must return nothing"):
        late.address(next_thread)
