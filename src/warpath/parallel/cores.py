"""Which cores a call may use: the affinity mask, cgroup quotas, and each thread's part of the cores."""

import ctypes
import math
import os
import re
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

_PROCESS = Path("/proc/self")


def count() -> int:
    """The cores that this thread may run on, or fewer where a cgroup grants less time."""
    cores, granted = len(allowed()), _own_quota()
    return cores if granted is None else min(cores, granted)


@cache
def _own_quota() -> int | None:
    return quota(_PROCESS) if sys.platform == "linux" else None


def quota(process: Path) -> int | None:
    """The cores whose time the cgroups of a process grant it, rounded up; None: no limit.

    A container that may use 2 of 64 cores' time still runs on all 64: 64 threads would use up a period's
    time at once, and wait for each other until the next one.

    Parameters
    ----------
    process : pathlib.Path
        The process's folder in ``/proc``.
    """
    grants = [grant for folder in _cgroups(process) if (grant := _granted(folder)) is not None]
    return max(1, math.ceil(min(grants))) if grants else None


def _granted(cgroup: Path) -> float | None:
    """Cores granted by one cgroup, of version 2 or 1."""
    try:
        if (cgroup / "cpu.max").exists():
            most, period = (cgroup / "cpu.max").read_text().split()
        else:
            most = (cgroup / "cpu.cfs_quota_us").read_text().strip()
            period = (cgroup / "cpu.cfs_period_us").read_text()
        return None if most in {"max", "-1"} else int(most) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None


def _cgroups(process: Path) -> Iterator[Path]:
    """The folders of the process's own cgroup, where time is granted, and of those around it."""
    try:
        own = (process / "cgroup").read_text().splitlines()
        mounts = (process / "mountinfo").read_text().splitlines()
    except OSError:
        return
    paths = {}  # version: path
    for line in own:
        _, controllers, path = line.split(":", 2)
        if not controllers:
            paths["cgroup2"] = path
        elif "cpu" in controllers.split(","):
            paths["cgroup"] = path
    for line in mounts:
        before, _, after = line.partition(" - ")
        version, _, options = after.split(" ", 2)
        if version not in paths or (version == "cgroup" and not _is_of_cpu(options)):
            continue
        root, mounted = (_unescaped(word) for word in before.split(" ")[3:5])
        below = Path(os.path.relpath(paths[version], root))
        # What is mounted here may be another cgroup's: then only that one can be seen.
        folder = Path(mounted) if ".." in below.parts else Path(mounted, below)
        yield from (f for f in (folder, *folder.parents) if f.is_relative_to(mounted))


def _is_of_cpu(options: str) -> bool:
    return "cpu" in options.split(" ")[-1].split(",")


def _unescaped(word: str) -> str:
    """A word of ``mountinfo``, where a space is ``\\040``."""
    return re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), word)


def parts(cores: Collection[int], current: int, size: int) -> list[frozenset[int]]:
    """The cores that each member of a team runs on: the caller's first, from its ``current`` one on.

    All equally many and disjoint, as far as there are cores enough. Processes whose callers run on
    different cores choose different ones for the same member.

    Examples
    --------
    >>> [sorted(part) for part in parts({0, 1, 2, 3}, 2, 2)]
    [[2, 3], [0, 1]]
    """
    order = sorted(cores)
    if len(order) < size:
        return [frozenset(order)] * size
    begin = order.index(current) if current in cores else 0
    order = order[begin:] + order[:begin]
    n = len(order)
    return [frozenset(order[k * n // size : (k + 1) * n // size]) for k in range(size)]


Binding = Callable[[], object]
"""Lets the thread that calls it run on some cores only. It is a C function: it never raises, and no
signal handler runs in it."""

UNBOUND: Binding = partial(int)


class Spread(NamedTuple):
    """How a team spreads over cores.

    Attributes
    ----------
    members : list of Binding
        What each member is to call as it begins; the first one is the caller.
    cores : list of (int or None)
        The core of each member; None where it has several, or none is known.
    back : Binding
        What the caller calls at the end: then it may run again where it may now.
    apart : bool
        Whether the members have different cores, as far as is known.
    """

    members: list[Binding]
    cores: list[int | None]
    back: Binding
    apart: bool


def allowed() -> frozenset[int]:
    """The cores that this thread may run on; as many as the machine has, if that is not known."""
    if hasattr(os, "sched_getaffinity"):
        return frozenset(os.sched_getaffinity(0))
    return frozenset(range(os.cpu_count() or 1))


def spread(size: int, on: frozenset[int], allowed: frozenset[int]) -> Spread:
    """How a team of this size spreads over the cores ``on``, of those that this thread may run on."""
    if _libc is None:
        return Spread([UNBOUND] * size, [None] * size, UNBOUND, size <= len(on))
    return _spread(size, on, allowed, _libc.sched_getcpu())


@lru_cache(64)
def _spread(size: int, on: frozenset[int], allowed: frozenset[int], current: int) -> Spread:
    places = parts(on, current, size)
    apart = size <= len(on)
    return Spread(
        [_binding(part) for part in places],
        [min(part) if apart and len(part) == 1 else None for part in places],
        _binding(allowed),
        apart,
    )


@lru_cache(1024)
def _binding(cores: frozenset[int]) -> Binding:
    assert _libc is not None
    words = [0] * (max(cores) // 64 + 1)
    for core in cores:
        words[core // 64] |= 1 << core % 64
    mask = b"".join(word.to_bytes(8, sys.byteorder) for word in words)
    return partial(_libc.sched_setaffinity, 0, len(mask), mask)


def _find_libc() -> Any:
    """The C library, if threads can be bound to cores."""
    if not hasattr(os, "sched_getaffinity"):
        return None
    libc = ctypes.PyDLL(None)
    return libc if hasattr(libc, "sched_getcpu") else None


_libc = _find_libc()
