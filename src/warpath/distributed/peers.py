"""The processes of other ranks: waiting for them while those on this host run, and how ranks share its cores.

A process that is killed sends no message. Linux tells those that have opened it (``pidfd_open``), so a rank that waits
for others sees within a moment that one on its own host has ended. Ranks on other hosts are what a launcher, or a timeout, is for.
"""

import os
import select
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from warpath.errors import RankFailedError
from warpath.parallel import cores

_SPINS = 2000  # tests of what is waited for before a rank leaves its core to others: a guess
_NAP = 20e-6  # seconds between tests then: a guess
_GLANCE = 0.1  # seconds between looks at other processes: a guess
_NAMESPACE, _BOOT = "/proc/self/ns/pid", "/proc/sys/kernel/random/boot_id"


class Process(NamedTuple):
    """What a rank says of itself.

    Attributes
    ----------
    host : str
        The same for processes whose ids can be compared.
    pid : int
    cores : tuple of int
        Those that it may run on.
    """

    host: str
    pid: int
    cores: tuple[int, ...]

    @classmethod
    def this(cls) -> "Process":
        """This process."""
        try:
            host = f"{Path(_BOOT).read_text().strip()} {os.readlink(_NAMESPACE)}"
        except OSError:  # not Linux: no process is known to be on this host
            host = f"{os.uname().nodename} {os.getpid()}"
        return cls(host, os.getpid(), tuple(sorted(cores.allowed())))


def threads_of(rank: int, processes: Sequence[Process]) -> int:
    """How many threads a rank's part of its host's cores has room for, at least 1."""
    mine = processes[rank]
    sharing = [set(one.cores) for one in processes if one.host == mine.host]
    share = sum(1 / sum(core in others for others in sharing) for core in mine.cores)
    return max(1, int(share + 1e-6))


class Watch:
    """The other ranks' processes on this host.

    Parameters
    ----------
    rank : int
    processes : sequence of Process
        Those of all ranks; none if ranks are threads.
    timeout : float, optional
        Seconds that a rank waits for others.
    """

    def __init__(
        self, rank: int, processes: Sequence[Process], timeout: float | None = None
    ) -> None:
        self._timeout = timeout
        self._ranks: dict[int, int] = {}
        self._poll = select.poll()
        if not hasattr(os, "pidfd_open"):
            return
        for other, process in enumerate(processes):
            if other != rank and process.host == processes[rank].host:
                try:
                    descriptor = os.pidfd_open(process.pid)
                except OSError:  # not allowed, or it has ended already
                    continue
                self._ranks[descriptor] = other
                self._poll.register(descriptor, select.POLLIN)

    def ended(self) -> int | None:
        """A rank whose process has ended; None if there is none."""
        ready = self._poll.poll(0)
        return min(self._ranks[descriptor] for descriptor, _ in ready) if ready else None

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Until ``is_done()``, to which other ranks contribute.

        Raises
        ------
        RankFailedError
            A process of this host has ended, or the time is over.
        """
        for _ in range(_SPINS):
            if is_done():
                return
        began = glance = time.monotonic()
        while not is_done():
            time.sleep(_NAP)
            now = time.monotonic()
            if now - glance < _GLANCE:
                continue
            glance = now
            ended = self.ended()
            if ended is not None and not any(is_done() for _ in range(_SPINS)):
                raise RankFailedError(f"the process of rank {ended} has ended")
            if self._timeout is not None and now - began > self._timeout:
                raise RankFailedError(f"a rank has not answered for {self._timeout:g} seconds")
