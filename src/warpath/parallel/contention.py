"""Which cores a kernel's team leaves out for a while, because other processes keep them busy.

The steps of a kernel end when the last member has come. A member whose core another process uses half of the time
halves the speed of all: a team without that core is as fast or faster, one thread instead of two, fifteen instead
of sixteen. Where several processes wait for each core, members seldom run at the same time, and one
thread is faster than two.

So after a call on all cores two numbers are compared, in threads. What the team was worth: the time that its members
ran and did not spin, over the call's. And what fewer would be worth: the number of cores for which no member
waited, or the share of the least busy core that one thread gets. Only Linux counts how long a thread could run and
waited for its core, in ``schedstat``: elsewhere no core is left out.
"""

import math
import os
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, thread_time
from typing import Any, NamedTuple

# Of the time in which a member could run, the share that it waited for its core. One other process that always
# runs takes a half, four take 0.8. Above the first, a core is busy; above the second, overloaded (guesses).
_BUSY, _OVERLOADED = 0.25, 0.6
# Fewer members are taken from these shares of the team's worth on: those on free cores, and one on overloaded cores, which
# finds more in its cache, moves to the better core, and relaxes less in vain. With three to six other processes on each
# of two cores one thread takes 0.4 to 0.8 of the time of two where they have barriers (BFS, SSSP of the 1000² grid),
# and 0.7 to 1.0 in PageRank and triangles of R-MAT 18 (Zen 5, 2026-11).
_ENOUGH_FREE, _ENOUGH_ALONE = 0.7, 0.5
_SPIN = 2e-8  # seconds of a look at a barrier (Zen 5, 2026-11)
_SHORT = (
    1e-3  # seconds: less than a time slice; a call so short tells nothing, a member has not waited
)
_MEMORY = 0.05  # seconds after which a call counts for 1/e: a guess, some time slices of 3 ms
# Seconds until a call tries all cores again, and at least this multiple of the time that this took: guesses.
_LEFT_OUT, _LEFT_OUT_TIMES = 0.1, 8


class Moment:
    """Where the calling thread stands: clock, time that it ran, time that it waited for a core."""

    def __init__(self) -> None:
        self.clock, self.ran, self.waited = perf_counter(), thread_time(), _waited()


class Member(NamedTuple):
    """What one member of a call did, in seconds: until it was done, while it ran, while it waited for its core."""

    seconds: float
    ran: float
    waited: float

    @property
    def wait(self) -> float:
        """The share of the time in which it could run that it waited."""
        return self.waited / (self.ran + self.waited) if self.waited else 0.0


class Tally:
    """The members of one call, by core. Each thread adds itself."""

    def __init__(self) -> None:
        self.members: dict[int, Member] = {}

    def add(self, core: int | None, began: Moment) -> None:
        """Count the calling thread, bound to a core, since it began; None: it was bound to no single one."""
        if core is None:
            return
        seconds = ran = perf_counter() - began.clock
        waited = 0.0
        if seconds >= _SHORT:
            ran, waited = thread_time() - began.ran, _waited() - began.waited
        self.members[core] = Member(seconds, ran, waited)


@dataclass
class _Team:
    """What is known of a kernel's calls on all cores, and what follows for the next ones."""

    worth: float
    cores: frozenset[int]
    until: float = 0.0


_teams: dict[Callable[..., Any], _Team] = {}
_waits: dict[int, float] = {}  # of each core, the average of `Member.wait` over the latest calls


def cores_for(kernel: Callable[..., Any], allowed: frozenset[int]) -> frozenset[int]:
    """Those of the cores that a kernel's team is to use now: one for each member."""
    team = _teams.get(kernel)
    if team is None or perf_counter() >= team.until:
        return allowed
    return allowed & team.cores or allowed


def learn(kernel: Callable[..., Any], tried: frozenset[int], tally: Tally, spun: int) -> None:
    """After a call on all cores: choose those of the next calls.

    Parameters
    ----------
    kernel : function
    tried : frozenset of int
        The cores.
    tally : Tally
        What the call's members were worth.
    spun : int
        How often members looked at barriers whether all were there, before they went to sleep.
    """
    members = tally.members
    if len(members) < len(tried):
        return
    seconds = max(one.seconds for one in members.values())
    if seconds < _SHORT:
        return
    for core, one in members.items():
        before = _waits.get(core, 0.0)
        _waits[core] = before + _weight(one.seconds) * (one.wait - before)
    free = frozenset(core for core in tried if _waits[core] <= _BUSY)
    if len(free) == len(tried):
        _teams.pop(kernel, None)
        return
    worth = (sum(one.ran for one in members.values()) - spun * _SPIN) / seconds
    team = _teams.setdefault(kernel, _Team(worth, tried))
    team.worth += _weight(seconds) * (worth - team.worth)
    least = min(tried, key=_waits.__getitem__)
    if free:
        fewer, enough = float(len(free)), _ENOUGH_FREE
    elif _waits[least] > _OVERLOADED:
        fewer, enough = 1.0 - _waits[least], _ENOUGH_ALONE
    else:
        return
    if fewer >= enough * team.worth:
        team.cores = free or frozenset([least])
        team.until = perf_counter() + max(_LEFT_OUT, _LEFT_OUT_TIMES * seconds)


def _weight(seconds: float) -> float:
    """What a call of this length counts in the average with those before it."""
    return 1.0 - math.exp(-seconds / _MEMORY)


class _Schedstat:
    """What the system counts for the thread that makes this; the file is closed as the thread ends."""

    def __init__(self) -> None:
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            self._file = -1

    def waited(self) -> float:
        if self._file < 0:
            return 0.0
        return int(os.pread(self._file, 64, 0).split()[1]) / 1e9

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)


_own = threading.local()


def _forget() -> None:
    """A forked child's thread is not the one that the file tells of."""
    global _own
    _own = threading.local()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)


def _waited() -> float:
    """Seconds for which the calling thread so far could run and had no core; 0 where it is not counted."""
    try:
        own: _Schedstat = _own.schedstat
    except AttributeError:
        own = _own.schedstat = _Schedstat()
    return own.waited()
