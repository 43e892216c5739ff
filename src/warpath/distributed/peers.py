"""The processes of other ranks: whether those on this host still run, and how ranks share its cores.

A process that is killed sends no message. Linux tells those that have opened it (``pidfd_open``), so a rank that waits
for others sees within a moment that one on its own host has ended. Ranks on other hosts are what a launcher, or a timeout, is for.
"""

import os
import select
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from warpath.parallel import cores

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
        Those of all ranks.
    """

    def __init__(self, rank: int, processes: Sequence[Process]) -> None:
        self._ranks: dict[int, int] = {}
        self._poll = select.poll()
        if not hasattr(os, "pidfd_open"):
            return
        mine = processes[rank]
        for other, process in enumerate(processes):
            if other != rank and process.host == mine.host:
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
