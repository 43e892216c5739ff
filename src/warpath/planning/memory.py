"""How much memory is free, and the refusal of what takes more."""

import os
from collections.abc import Callable
from pathlib import Path

# This share of free memory may be taken; the rest is for everything else. A guess.
SHARE = 0.9
SMALL = 2**24  # bytes that are taken without a look, which costs 40 µs: a guess
_CGROUP = Path("/sys/fs/cgroup")
# Rows of a trace beyond this one are added to the last: a long path graph has as many iterations as vertices, and its
# trace must not outgrow its distances.
MAX_TRACE_ROWS = 2**14


def trace_rows(n: int) -> int:
    """How many rows the trace of a search of n vertices has, for at most n + 1 iterations."""
    return min(n + 1, MAX_TRACE_ROWS)


def free() -> int:
    """Bytes that this process may still allocate: of the machine, or of its container."""
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        fields = dict(line.split(":") for line in lines)
        pages = int(fields["MemAvailable"].split()[0]) * 1024
        limit = (_CGROUP / "memory.max").read_text().strip()
        if limit != "max":
            pages = min(pages, int(limit) - int((_CGROUP / "memory.current").read_text()))
    except (OSError, KeyError, ValueError):
        pass  # not Linux, or no such limit
    return max(pages, 0)


def check(needed: int, what: Callable[[], str], instead: str) -> None:
    """Refuse what does not fit, before it is allocated.

    ``what`` is asked only then: to write it takes longer than a small call.

    Raises
    ------
    MemoryError
        Saying what takes how much, how much is free, and what to do ``instead``.
    """
    if needed <= SMALL:
        return
    there = free()
    if needed > SHARE * there:
        raise MemoryError(
            f"{what()} takes {needed:,} bytes, and {there:,} bytes of memory are free: {instead}"
        )
