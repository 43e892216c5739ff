import _thread
import os
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from teams import Interrupted, check_full_team, dismiss_workers, record_call
from warpath.parallel import cores, team, thread_count, workers


def test_workers_are_used_again():
    thread_count.set_num_threads(2)
    seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
    team.run(record_call, 2, seen, sizes)
    before = _thread._count()
    for _ in range(50):
        team.run(record_call, 2, seen, sizes)
    assert _thread._count() == before
    assert seen.tolist()[:3] == [51, 51, 0]


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
        team.run(record_call, 3, np.zeros(8, np.int64), np.zeros(8, np.int64))
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
    team.run(record_call, 2, seen, sizes)
    worker.calls = calls
    assert seen.tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert sizes[0] == 1


def test_a_worker_that_is_not_idle_is_not_taken(team_of_three):
    first, second = workers.idle
    arrays = np.zeros(8, np.int64), np.zeros(8, np.int64)
    taken = workers.idle.pop(second)
    on = cores.allowed()
    assert not team._run_with([first, second], (record_call, "like"), arrays, on, on)
    assert not arrays[0].any()
    workers.idle[taken] = taken


def test_a_system_without_room_for_threads_has_smaller_teams(monkeypatch):
    dismiss_workers()
    thread_count.set_num_threads(3)
    before = threading.stack_size(2**46)
    try:
        with pytest.raises(RuntimeError):
            threading.Thread(target=print).start()
        seen, sizes = np.zeros(8, np.int64), np.zeros(8, np.int64)
        team.run(record_call, 3, seen, sizes)
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
        team.run(record_call, 3, seen, sizes)
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
            team.run(record_call, 3, np.zeros(8, np.int64), np.zeros(8, np.int64))
    check_full_team()
