"""The threads that serve in teams, as long as the process lives."""

import os
from _thread import LockType, allocate_lock, start_new_thread
from collections.abc import Callable
from queue import SimpleQueue

from warpath.parallel import cores


class Worker:
    """A thread that waits for one call at a time, for as long as the process lives."""

    def __init__(self) -> None:
        self.calls: SimpleQueue[Callable[[], Callable[[], object] | None]] = SimpleQueue()
        self.bound = cores.UNBOUND

    def bind(self, to: cores.Binding) -> None:
        """Run on some cores only, from now on; called by the worker's own thread."""
        if to is not self.bound:
            self.bound = to
            to()


Decision = dict[None, bool]
"""Whether a team starts, at the key None. The first to set it decides."""

hired: list[Worker] = []
# Each worker is idle, or it is in the team whose decision stands here. A caller moves a worker to its
# team, only the worker itself moves back.
idle: dict[Worker, Worker] = {}
busy: dict[Worker, Decision] = {}
# A thread that has not begun by then is not waited for: one that runs out of memory as it begins
# ends without a word.
_SECONDS_TO_BEGIN = 5.0


def forget() -> None:
    """A forked child has none of its parent's threads."""
    hired.clear()
    idle.clear()
    busy.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=forget)


def _work(wanted: int, begun: LockType) -> None:
    """What a worker's thread does; it ends if there are ``wanted`` workers without it."""
    worker = Worker()
    hired.append(worker)
    surplus = len(hired) > wanted  # an interrupted caller did not see that one had begun
    if surplus:
        hired.remove(worker)
    else:
        idle[worker] = worker
    begun.release()
    while not surplus:
        _serve(worker)


def _serve(worker: Worker) -> None:
    """One call. What it held, as the caller's workspace, is freed before its last step."""
    leave = worker.calls.get()()
    if leave is not None:
        leave()


def hire(wanted: int) -> None:
    """Start threads until there are ``wanted`` workers, or as many as the system grants."""
    while len(hired) < wanted:
        begun = allocate_lock()
        begun.acquire()
        try:
            start_new_thread(_work, (wanted, begun))
        except (MemoryError, RuntimeError) as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is not None:
                raise  # a signal handler's
            return
        if not begun.acquire(timeout=_SECONDS_TO_BEGIN):
            return
