import gc
import itertools
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest
from numba import njit

from teams import Interrupted, check_full_team, check_prefix_sums, dismiss_workers, rotate
from warpath.parallel import cores, interruption, team, workers
from warpath.parallel.sync import barrier, stopping


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


needs_timers = pytest.mark.skipif(
    not hasattr(signal, "setitimer"), reason="no timers on this system"
)


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


@pytest.mark.slow
@needs_timers
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
