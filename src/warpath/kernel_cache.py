"""Compiled kernels: how long compiling takes, and entries on disk that are checked before they are loaded.

Machine code that is damaged crashes a process, and machine code of somebody else runs in it.
So an entry begins with a digest of all that follows and of what it was made from, and warpath's
own folders belong to this user alone. What does not pass is made again.
"""

import hashlib
import logging
import os
import stat
import threading
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import monotonic, perf_counter, sleep

from warpath.files import replacing

try:
    from fcntl import LOCK_EX, LOCK_NB, flock
except ImportError:  # Windows
    flock = None  # type: ignore[assignment]

_DIGEST_BYTES = 32
_warned = False

_log = logging.getLogger("warpath")
SECONDS_BEFORE_NOTICE = 1.0
_LONGEST_TURN = 120.0  # seconds; a process that takes longer has been stopped
_ASKED_EVERY = 0.01  # seconds
NOTICE = "warpath: compiling kernels, once; this takes some seconds (`warpath warm-up` does it in advance)"

kept: dict[Path, int] = {}
"""The entries that this process has read or written, and their bytes."""


class _Clock:
    """Wall time during which this process compiled or loaded kernels, on any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[object] = set()
        self._began = self._before = 0.0
        self.noticed = False

    def start(self, task: object) -> None:
        with self._lock:
            if not self._running:
                self._began = perf_counter()
            self._running.add(task)

    def stop(self, task: object) -> None:
        with self._lock:
            if self._running == {task}:
                self._before += perf_counter() - self._began
            self._running.discard(task)

    def seconds(self) -> float:
        if not self._running:  # most often, and asked twice by each call
            return self._before
        with self._lock:
            return self._before + (perf_counter() - self._began if self._running else 0.0)


_clock = _Clock()


def _forget_threads() -> None:
    """A forked child does not compile what another thread of its parent was compiling."""
    global _clock
    _clock = _Clock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)


@contextmanager
def compiling() -> Iterator[None]:
    """Count the time as spent on compiling kernels, or on loading them."""
    clock, task = _clock, object()
    try:
        clock.start(task)
        yield
    finally:  # wherever a signal handler raised
        clock.stop(task)


def compile_seconds() -> float:
    """Wall time so far during which this process compiled or loaded kernels."""
    return _clock.seconds()


def notice() -> None:
    """Say so, once in a process, when compiling has taken a second; to be called now and then.

    It is a warning of the logger "warpath": a program that configures no logging has it on stderr.
    """
    if not _clock.noticed and _clock.seconds() >= SECONDS_BEFORE_NOTICE:
        _clock.noticed = True
        _log.warning(NOTICE)


def private_folder(name: str) -> Path | None:
    """The folder of entries ``name`` in ``WARPATH_CACHE``, by default ``~/.cache/warpath``.

    It is made if need be, for this user only. None, with one warning, if it cannot be made, or if
    another user owns it or may write to it.
    """
    try:
        root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(os.environ.get("WARPATH_CACHE") or Path(root) / "warpath") / name
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
        warn_once(f"compiled kernels cannot be kept: {error}")
        return None
    if stat.S_ISDIR(found.st_mode) and _is_private(found):
        return folder
    warn_once(
        f"compiled kernels in {folder} are ignored: it must be a folder that belongs to this user and "
        "that no other may write to"
    )
    return None


def read(path: Path, made_of: bytes, *, private: bool) -> bytes | None:
    """The content of an entry; None if there is none, or none that is whole.

    Parameters
    ----------
    path : Path
    made_of : bytes
        All that the content depends on. An entry that was made of something else does not count.
    private : bool
        Whether an entry that another user owns or may write to does not count either.
    """
    try:
        with open(path, "rb") as file:
            if private and not _is_private(os.fstat(file.fileno())):
                return None
            digest, content = file.read(_DIGEST_BYTES), file.read()
    except OSError:
        return None
    if digest != _digest(made_of, content):
        return None
    kept[path] = _DIGEST_BYTES + len(content)
    return content


def write(path: Path, made_of: bytes, content: bytes) -> None:
    """Keep an entry; other processes may do the same at the same time.

    Raises
    ------
    OSError
        If it cannot be written: then what was there is still there.
    """
    with replacing(path, mode=0o644) as file:
        file.write(_digest(made_of, content) + content)
    kept[path] = _DIGEST_BYTES + len(content)


@contextmanager
def turn(path: Path) -> Iterator[None]:
    """Let one process at a time make an entry, so that those which start together do not all compile it.

    Look for the entry again inside. Processes on other hosts, and where files cannot be locked, do not wait.
    """
    lock = Path(f"{path}.lock")
    with ExitStack() as stack:
        if flock is not None:
            with suppress(OSError):  # no file can be made there, or none be locked
                path.parent.mkdir(parents=True, exist_ok=True)
                file = stack.enter_context(open(lock, "wb"))
                stack.callback(_remove, lock)  # a process that waits for it has it open
                _wait_for(file.fileno())
        yield


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink()


def _wait_for(descriptor: int) -> None:
    """Lock a file as soon as no other process has done so, or when that takes too long."""
    end = monotonic() + _LONGEST_TURN
    while monotonic() < end:
        try:
            flock(descriptor, LOCK_EX | LOCK_NB)
            return
        except BlockingIOError:
            notice()
            sleep(_ASKED_EVERY)


def warn_once(problem: str) -> None:
    """Warn, the first time in this process, that kernels are not kept, and say what to do."""
    global _warned
    if not _warned:
        _warned = True
        message = (
            f"{problem}. Each process compiles its kernels again; set WARPATH_CACHE to a folder of "
            "this user's own (or NUMBA_CACHE_DIR, for the CPU's kernels)"
        )
        warnings.warn(message, RuntimeWarning, stacklevel=2)


def _digest(made_of: bytes, content: bytes) -> bytes:
    return hashlib.sha256(len(made_of).to_bytes(8, "big") + made_of + content).digest()


def _is_private(found: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):  # Windows: a user's folders are private
        return True
    others_write = stat.S_IWGRP | stat.S_IWOTH
    return found.st_uid == os.getuid() and not found.st_mode & others_write
