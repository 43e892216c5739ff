import itertools
import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import njit, typeof

import warpath as wp
from warpath.cpu.relax import ALGEBRAS
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add
from warpath.parallel.team import barrier, share


@pytest.fixture(autouse=True)
def default_threads():
    before = team._num_threads
    yield
    team.set_num_threads(before)


@pytest.fixture(params=[1, 2, 5])
def size(request):
    team.set_num_threads(request.param)
    return request.param


@njit(nogil=True)
def who(thread, threads, sync, seen, sizes):
    seen[thread] += 1
    sizes[thread] = threads


@njit(nogil=True)
def rotate(thread, threads, sync, values, errors, rounds):
    """Each round every member writes its own cell, then reads its neighbour's."""
    for i in range(1, rounds + 1):
        values[thread] = i
        barrier(sync, threads)  # all have written round i
        if values[(thread + 1) % threads] != i:
            atomic_add(errors, 0, 1)
        barrier(sync, threads)  # all have read round i


@njit(nogil=True)
def prefix_sums(thread, threads, sync, values, totals, out):
    begin, end = share(values.shape[0], thread, threads)
    total = 0
    for i in range(begin, end):
        total += values[i]
    totals[thread] = total
    barrier(sync, threads)  # all totals are there
    position = 0
    for t in range(thread):
        position += totals[t]
    for i in range(begin, end):
        out[i] = position
        position += values[i]


def test_each_member_runs_once(size):
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, size, seen, sizes)
    assert seen.tolist() == [1] * size + [0] * (8 - size)
    assert sizes.tolist() == [size] * size + [0] * (8 - size)


def test_a_team_has_no_more_members_than_threads_allowed():
    team.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 8, seen, sizes)
    assert seen.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]


def test_a_barrier_orders_writes_before_reads(size):
    errors = np.zeros(1, np.int64)
    rounds = 3000 if size <= 2 else 200  # a team larger than the machine waits for its turns
    team.run(rotate, size, np.zeros(size, np.int64), errors, rounds)
    assert errors[0] == 0


@pytest.mark.parametrize("total", [0, 1, 2, 7, 1000, 2**40])
def test_shares_cover_all_without_overlap(total, size):
    shares = [share(total, t, size) for t in range(size)]
    assert shares[0][0] == 0
    assert shares[-1][1] == total
    assert all(a[1] == b[0] for a, b in itertools.pairwise(shares))
    lengths = [end - begin for begin, end in shares]
    assert max(lengths) - min(lengths) <= 1


def check_prefix_sums(seed):
    values = np.random.default_rng(seed).integers(0, 9, 1000)
    out = np.empty_like(values)
    team.run(prefix_sums, 4, values, np.zeros(4, np.int64), out)
    assert np.array_equal(out, np.cumsum(values) - values)


def test_calls_from_several_python_threads_end_and_are_right():
    team.set_num_threads(3)
    with ThreadPoolExecutor(6) as pool:
        for done in [pool.submit(check_prefix_sums, seed) for seed in range(300)]:
            done.result(timeout=60)
    assert team._busy == 0


def test_a_kernel_may_start_another_team():
    team.set_num_threads(2)
    inner = []

    def outer(thread, threads, sync):
        seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
        team.run(who, 4, seen, sizes)
        inner.append(seen.sum())

    outer.compile = lambda signature: None  # a plain function needs no compiling
    team.run(outer, 2)
    # The outer team holds the only worker: the inner ones are of one member each.
    assert inner == [1, 1]
    assert team._busy == 0


def test_workers_are_used_again():
    team.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 2, seen, sizes)
    before = threading.active_count()
    for _ in range(50):
        team.run(who, 2, seen, sizes)
    assert threading.active_count() == before
    assert seen.tolist()[:3] == [51, 51, 0]


@pytest.mark.parametrize("culprit", [0, 1])
def test_an_exception_reaches_the_caller_and_frees_the_workers(culprit):
    team.set_num_threads(2)

    def kernel(thread, threads, sync):
        if thread == culprit:
            raise ArithmeticError(f"member {thread}")

    kernel.compile = lambda signature: None  # a plain function needs no compiling
    with pytest.raises(ArithmeticError, match=f"member {culprit}"):
        team.run(kernel, 2)
    assert team._busy == 0
    check_prefix_sums(1)


def test_a_kernel_that_does_not_compile_fails_before_the_team_starts():
    @njit(nogil=True)
    def wrong(thread, threads, sync, values):
        values.no_such_method()
        barrier(sync, threads)

    team.set_num_threads(2)
    with pytest.raises(Exception, match="no_such_method"):
        team.run(wrong, 2, np.zeros(1))
    assert team._busy == 0
    check_prefix_sums(2)


def test_number_of_threads(monkeypatch):
    team.set_num_threads(None)
    monkeypatch.delenv("WARPATH_NUM_THREADS", raising=False)
    assert wp.num_threads() >= 1
    if hasattr(os, "sched_getaffinity"):
        assert wp.num_threads() == len(os.sched_getaffinity(0))
    monkeypatch.setenv("WARPATH_NUM_THREADS", "7")
    assert wp.num_threads() == 7
    wp.set_num_threads(3)
    assert wp.num_threads() == 3
    wp.set_num_threads(None)
    assert wp.num_threads() == 7


@pytest.mark.parametrize("given", ["0", "-1", "two", "1.5"])
def test_wrong_environment(given, monkeypatch):
    team.set_num_threads(None)
    monkeypatch.setenv("WARPATH_NUM_THREADS", given)
    with pytest.raises(ValueError, match=f"WARPATH_NUM_THREADS.*{given}"):
        wp.num_threads()


@pytest.mark.parametrize("given", [0, -1, 1.5, "2", True])
def test_wrong_number_of_threads(given):
    with pytest.raises(ValueError, match=f"positive integer, not {given!r}"):
        wp.set_num_threads(given)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_child_has_its_own_workers():
    script = """
        import os, warnings
        import numpy as np
        import warpath as wp
        warnings.simplefilter("ignore")  # Python 3.12 warns of threads in a forking process
        wp.set_num_threads(2)
        edges = np.arange(400_000) % 1000, np.arange(400_000) // 1000
        before = wp.Graph.from_edges(*edges)  # with a team: the parent has a worker now
        child = os.fork()
        if child == 0:
            after = wp.Graph.from_edges(*edges)
            same = np.array_equal(before.column_indices, after.column_indices)
            os._exit(0 if same else 3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], timeout=120, check=False)
    assert done.returncode == 0


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
                assert team._kind(one) != team._kind(other)
