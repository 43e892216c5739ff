import _thread
import gc
import itertools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from numba import njit, typeof

from warpath.cpu.relax import ALGEBRAS
from warpath.parallel import cores, interruption, team, thread_count, workers
from warpath.parallel.atomics import atomic_add
from warpath.parallel.sync import RETURNED, barrier, share, stopping


@pytest.fixture(autouse=True)
def default_threads():
    before = thread_count._num_threads
    yield
    thread_count.set_num_threads(before)


@pytest.fixture(params=[1, 2, 5])
def size(request):
    thread_count.set_num_threads(request.param)
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
    thread_count.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 8, seen, sizes)
    assert seen.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]


def test_a_barrier_orders_writes_before_reads(size):
    errors = np.zeros(1, np.int64)
    rounds = 3000 if size <= 2 else 200  # a team larger than the machine waits for its turns
    team.run(rotate, size, np.zeros(size, np.int64), errors, rounds)
    assert errors[0] == 0


def check_prefix_sums(seed):
    values = np.random.default_rng(seed).integers(0, 9, 1000)
    out = np.empty_like(values)
    team.run(prefix_sums, 4, values, np.zeros(4, np.int64), out)
    assert np.array_equal(out, np.cumsum(values) - values)


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
        team.run(who, 4, seen, sizes)
        inner.append(seen.sum())

    outer.compile = lambda signature: outer  # a plain function needs no compiling
    team.run(outer, 2)
    # The outer team holds the only worker: the inner ones are of one member each.
    assert inner == [1, 1]
    assert not workers.busy


def test_workers_are_used_again():
    thread_count.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 2, seen, sizes)
    before = _thread._count()
    for _ in range(50):
        team.run(who, 2, seen, sizes)
    assert _thread._count() == before
    assert seen.tolist()[:3] == [51, 51, 0]


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
                assert team.kind(one) != team.kind(other)


@njit(nogil=True)
def late(thread, threads, sync, order, steps):
    """Members come to the barrier one long after the other, so that the first ones sleep."""
    for _ in range(thread * steps):
        stopping(sync)
    order[thread] = atomic_add(order, threads, 1)
    barrier(sync, threads)
    if order[threads] != threads:
        order[thread] = -1


def test_members_that_sleep_at_a_barrier_are_woken(size):
    for _ in range(3):
        order = np.zeros(size + 1, np.int64)
        team.run(late, size, order, 2_000_000)
        assert sorted(order) == list(range(size + 1))


@pytest.mark.parametrize("size", [2, 5], indirect=True)
def test_all_members_leave_a_call(size, monkeypatch):
    syncs = []
    new = interruption.new_sync
    monkeypatch.setattr(team, "new_sync", lambda: syncs.append(new()) or syncs[-1])
    team.run(who, size, np.zeros(size, np.int64), np.zeros(size, np.int64))
    deadline = time.monotonic() + 10
    while syncs[0][RETURNED] < size - 1 and time.monotonic() < deadline:
        time.sleep(0.001)
    assert syncs[0][RETURNED] == size - 1


@njit(nogil=True)
def go_on(thread, threads, sync, rounds, left):
    """Iterate until the kernel is to end; all members end in the same round."""
    for _ in range(left):
        rounds[thread] += 1
        if barrier(sync, threads):
            return


@njit(nogil=True)
def go_on_without_barriers(thread, threads, sync, rounds, left):
    for _ in range(left):
        rounds[thread] += 1
        if stopping(sync):
            return


@njit(nogil=True)
def wait_for_a_slow_member(thread, threads, sync, rounds, left):
    """Thread 0, where handlers run, sleeps at the barrier meanwhile."""
    if thread == threads - 1:
        go_on_without_barriers(thread, threads, sync, rounds, left)
    rounds[thread] += barrier(sync, threads)


@pytest.fixture
def alarm():
    """Set off a signal after a while; its handler raises if it says so."""
    calls = []

    def set_off(error, seconds=0.1, rounds=None):
        def handler(number, frame):
            calls.append(None if rounds is None else rounds.max())
            if error is not None:
                raise error

        signal.signal(signal.SIGALRM, handler)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return calls

    before = signal.getsignal(signal.SIGALRM)
    yield set_off
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


needs_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no timers on this system"
)


@needs_timers
@pytest.mark.parametrize("kernel", [go_on, go_on_without_barriers, wait_for_a_slow_member])
def test_a_signal_handler_that_raises_ends_the_kernel(kernel, size, alarm):
    rounds = np.zeros(size, np.int64)
    team.run(kernel, size, rounds, 3)
    rounds[:] = 0
    error = KeyboardInterrupt("of the handler")
    calls = alarm(error)
    with pytest.raises(KeyboardInterrupt) as caught:
        team.run(kernel, size, rounds, 10**11)
    assert caught.value is error
    assert len(calls) == 1
    assert caught.traceback[-1].name == "handler"
    if kernel is go_on:
        assert len(set(rounds.tolist())) == 1
    assert not workers.busy
    check_prefix_sums(3)


@needs_timers
def test_a_signal_handler_that_returns_runs_while_the_kernel_goes_on(size, alarm):
    rounds, left = np.zeros(size, np.int64), 30_000_000
    team.run(wait_for_a_slow_member, size, rounds, 3)
    rounds[:] = 0
    calls = alarm(None, 0.01, rounds)
    team.run(wait_for_a_slow_member, size, rounds, left)
    assert rounds.max() == left
    assert len(calls) == 1
    assert calls[0] < left


@needs_timers
def test_a_kernel_without_a_team_is_ended(alarm):
    rounds = np.zeros(1, np.int64)
    alarm(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt), interruption.interruptible() as sync:
        go_on_without_barriers(0, 1, sync, rounds, 10**11)
    assert rounds[0] < 10**11
    with interruption.interruptible() as sync:
        go_on_without_barriers(0, 1, sync, rounds, 3)


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_a_call_spreads_over_the_cores_and_leaves_the_callers_affinity(size):
    allowed = os.sched_getaffinity(0)
    masks = {}

    def kernel(thread, threads, sync):
        masks[thread] = os.sched_getaffinity(0)
        if thread in failing:
            raise ArithmeticError

    kernel.compile = lambda signature: kernel  # a plain function needs no compiling
    failing = set()
    team.run(kernel, size)
    assert os.sched_getaffinity(0) == allowed
    assert len(masks) == size
    assert set().union(*masks.values()) == allowed
    if size <= len(allowed):
        assert sum(map(len, masks.values())) == len(allowed)
    for thread in range(size):
        failing = {thread}
        with pytest.raises(ArithmeticError):
            team.run(kernel, size)
        assert os.sched_getaffinity(0) == allowed


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no affinity on this system")
def test_a_team_keeps_to_the_callers_affinity():
    allowed = os.sched_getaffinity(0)
    thread_count.set_num_threads(2)
    check_prefix_sums(4)  # with a worker that may run everywhere
    masks = []

    def kernel(thread, threads, sync):
        masks.append(os.sched_getaffinity(0))

    kernel.compile = lambda signature: kernel
    for core in allowed:
        masks.clear()
        os.sched_setaffinity(0, {core})
        try:
            team.run(kernel, 2)
            assert os.sched_getaffinity(0) == {core}
        finally:
            os.sched_setaffinity(0, allowed)
        assert masks == [{core}] * 2


class Interrupted(BaseException):
    """What a signal handler raises."""


@pytest.fixture
def team_of_three():
    """Two workers, which are idle before and after; none is lost, none spins."""
    dismiss_workers()
    thread_count.set_num_threads(3)
    check_full_team()
    threads = _thread._count()
    yield
    check_full_team()
    assert _thread._count() == threads
    assert len(workers.hired) == len(workers.idle)
    began, cpu = time.monotonic(), time.process_time()
    time.sleep(0.2)
    assert time.process_time() - cpu < (time.monotonic() - began) / 2


def check_full_team():
    """The next call has all members, and they do what they should."""
    while workers.busy:  # members whose caller was interrupted end by themselves
        time.sleep(1e-4)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 3, seen, sizes)
    assert seen.tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert sizes.tolist() == [3, 3, 3, 0, 0, 0, 0, 0]
    errors = np.zeros(1, np.int64)
    team.run(rotate, 3, np.zeros(3, np.int64), errors, 2)
    assert errors[0] == 0


def interrupt(call, position):
    """Call, and raise at a position: before its n-th line or operation, of all Python code in it."""
    passed = 0

    def trace(frame, event, argument):
        nonlocal passed
        frame.f_trace_opcodes = True
        passed += 1
        if passed == position:
            raise Interrupted
        return trace

    before = sys.gettrace()
    gc.disable()  # its callbacks, such as Hypothesis's, are no part of the call
    sys.settrace(trace)
    try:
        call()
    except Interrupted:
        return True
    finally:
        sys.settrace(before)
        gc.enable()
    assert passed < position  # it was reached, and nothing was raised
    return False


def dismiss_workers():
    """End all threads, and forget them."""
    others = _thread._count() - len(workers.hired)
    for worker in workers.hired:
        worker.calls.put(sys.exit)
    while _thread._count() > others:
        time.sleep(1e-4)
    workers.forget()


@pytest.mark.parametrize("first", [False, True], ids=["idle workers", "no workers yet"])
def test_an_exception_at_any_point_of_a_call_harms_no_other(first, team_of_three):
    values, allowed = np.zeros(3, np.int64), cores.count()
    for position in itertools.count(1):
        if first:
            dismiss_workers()
        errors = np.zeros(1, np.int64)
        interrupted = interrupt(lambda: team.run(rotate, 3, values, errors, 2), position)  # noqa: B023
        check_full_team()
        assert errors[0] == 0
        assert cores.count() == allowed
        if not interrupted:
            break
    assert position > 300


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("which", [0, 1])
def test_an_exception_as_a_worker_gets_its_call(which, after, team_of_three):
    """Queues are C functions, which no handler interrupts; but memory may run out in them."""

    class Queue:
        def __init__(self, calls):
            self.calls, self.left = calls, 1
            self.get = calls.get

        def put(self, call):
            if after:
                self.calls.put(call)
            if self.left:
                self.left -= 1
                raise Interrupted
            if not after:
                self.calls.put(call)

    worker = list(reversed(workers.idle))[which]
    calls, worker.calls = worker.calls, Queue(worker.calls)
    with pytest.raises(Interrupted):
        team.run(who, 3, np.zeros(8, np.int64), np.zeros(8, np.int64))
    worker.calls = calls
    check_full_team()


def test_a_member_that_comes_before_the_decision_calls_the_team_off(team_of_three):
    class Slow:
        def __init__(self, calls):
            self.calls = calls
            self.get = calls.get

        def put(self, call):
            self.calls.put(call)
            while worker in workers.busy:
                time.sleep(1e-4)

    worker = next(reversed(workers.idle))
    calls, worker.calls = worker.calls, Slow(worker.calls)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(who, 2, seen, sizes)
    worker.calls = calls
    assert seen.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert sizes[0] == 1


def test_a_worker_that_is_not_idle_is_not_taken(team_of_three):
    first, second = workers.idle
    arrays = np.zeros(8, np.int64), np.zeros(8, np.int64)
    taken = workers.idle.pop(second)
    on = cores.allowed()
    assert not team._run_with([first, second], (who, "like"), arrays, on, on)
    assert not arrays[0].any()
    workers.idle[taken] = taken


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers on this system")
def test_interrupts_at_real_moments():
    """Within a call, and within the next one that it interrupts."""
    script = """
        import random, signal, time
        import warpath as wp
        from warpath.parallel import workers

        armed = interrupts = 0

        def handler(number, frame):
            global armed, interrupts
            if armed:
                armed -= 1
                interrupts += 1
                raise KeyboardInterrupt

        def shot():
            global armed
            armed = 2
            signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-6, length), length / 10)
            try:
                wp.sssp(g, 0)
            except KeyboardInterrupt:
                wp.sssp(g, 0)
            armed = 0

        def shielded():
            try:
                shot()
            except KeyboardInterrupt:
                pass

        signal.signal(signal.SIGALRM, handler)
        wp.set_num_threads(2)
        g = wp.generate.grid(200, weights=(1, 9))
        right = wp.sssp(g, 0).distance
        length = -time.monotonic()
        wp.sssp(g, 0)
        length += time.monotonic()
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            try:
                shielded()
            except KeyboardInterrupt:
                pass
            armed = 0
            signal.setitimer(signal.ITIMER_REAL, 0)
            assert (wp.sssp(g, 0).distance == right).all()
        assert interrupts and len(workers.hired) == 1
    """
    command = [sys.executable, "-c", textwrap.dedent(script)]
    subprocess.run(command, timeout=120, check=True)


def test_a_system_without_room_for_threads_has_smaller_teams(monkeypatch):
    dismiss_workers()
    thread_count.set_num_threads(3)
    before = threading.stack_size(2**46)
    try:
        with pytest.raises(RuntimeError):
            threading.Thread(target=print).start()
        seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
        team.run(who, 3, seen, sizes)
    finally:
        threading.stack_size(before)
    assert sizes.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    check_full_team()


def test_a_thread_that_never_begins_is_not_waited_for(monkeypatch):
    dismiss_workers()
    thread_count.set_num_threads(3)
    with monkeypatch.context() as patch:
        patch.setattr(workers, "start_new_thread", lambda function, args: None)
        patch.setattr(workers, "_SECONDS_TO_BEGIN", 0.01)
        seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
        team.run(who, 3, seen, sizes)
    assert sizes.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    check_full_team()


def test_an_exception_that_arrives_as_a_thread_is_started_comes_out(monkeypatch):
    def start(function, args):
        team_start(function, args)
        raise RuntimeError("of a signal handler")

    dismiss_workers()
    thread_count.set_num_threads(3)
    team_start = workers.start_new_thread
    with monkeypatch.context() as patch:
        patch.setattr(workers, "start_new_thread", start)
        with pytest.raises(RuntimeError, match="of a signal handler"):
            team.run(who, 3, np.zeros(8, np.int64), np.zeros(8, np.int64))
    check_full_team()
