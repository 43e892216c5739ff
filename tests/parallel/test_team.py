from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import njit, typeof

from teams import check_prefix_sums, record_call
from warpath.cpu.relax import ALGEBRAS
from warpath.parallel import team, thread_count, workers
from warpath.parallel.sync import barrier


def test_each_member_runs_once(size):
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(record_call, size, seen, sizes)
    assert seen.tolist() == [1] * size + [0] * (8 - size)
    assert sizes.tolist() == [size] * size + [0] * (8 - size)


def test_a_team_has_no_more_members_than_threads_allowed():
    thread_count.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(record_call, 8, seen, sizes)
    assert seen.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]


def test_calls_from_several_python_threads_end_and_are_right():
    thread_count.set_num_threads(3)
    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(check_prefix_sums, seed) for seed in range(300)]:
            done.result(timeout=60)
    assert not workers.busy


def test_a_kernel_may_start_another_team():
    thread_count.set_num_threads(2)
    inner = []

    def outer(thread, threads, sync):
        seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
        team.run(record_call, 4, seen, sizes)
        inner.append(seen.sum())

    outer.compile = lambda signature: outer  # a plain function needs no compiling
    team.run(outer, 2)
    # The outer team holds the only worker: the inner ones are of one member each.
    assert inner == [1, 1]
    assert not workers.busy


@pytest.mark.parametrize("culprit", [0, 1])
def test_an_exception_reaches_the_caller_and_frees_the_workers(culprit):
    thread_count.set_num_threads(2)

    def kernel(thread, threads, sync):
        if thread == culprit:
            raise ArithmeticError(f"member {thread}")

    kernel.compile = lambda signature: kernel  # a plain function needs no compiling
    with pytest.raises(ArithmeticError, match=f"member {culprit}"):
        team.run(kernel, 2)
    assert not workers.busy
    check_prefix_sums(1)


def test_a_kernel_that_does_not_compile_fails_before_the_team_starts():
    @njit(nogil=True)
    def wrong(thread, threads, sync, values):
        values.no_such_method()
        barrier(sync, threads)

    thread_count.set_num_threads(2)
    with pytest.raises(Exception, match="no_such_method"):
        team.run(wrong, 2, np.zeros(1))
    assert not workers.busy
    check_prefix_sums(2)


def test_what_numba_compiles_apart_is_told_apart():
    """Else a member of a team might compile, while the others wait for it."""
    array = np.zeros((4, 4), np.int32)
    frozen = array.view()
    frozen.flags.writeable = False
    arguments = [
        array, frozen, array[::2], np.asfortranarray(array), array[0], array[:, 0],
        array.astype(np.int64), array.astype(np.float32), array.view(np.uint32), 1, 2**63, 1.0,
        True, np.uint64(1), np.int32(1), np.float32(1), (1, 2), (1, 2.0), (array,), (frozen,), None,
        *ALGEBRAS.values(),  # tuples without content, of types of their own
    ]  # fmt: skip
    for one in arguments:
        for other in arguments:
            if typeof(one) != typeof(other):
                assert team.kind(one) != team.kind(other)
