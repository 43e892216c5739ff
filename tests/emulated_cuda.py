"""What drivers use of ``cupy.cuda``, on the host: everything is done at once, in the order in which it is asked for."""

import ctypes
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any, ClassVar


class Stream:
    """A queue of this thread's GPU, empty but for kernels that wait for other GPUs'."""

    ptr = 0
    _running: ClassVar[dict[int, list[Future[None]]]] = {}
    _threads: ClassVar[ThreadPoolExecutor] = ThreadPoolExecutor(16)

    @classmethod
    def begin(cls, launch: Callable[..., None], *arguments: Any) -> None:
        """Queue what runs until the GPU is waited for."""
        future = cls._threads.submit(launch, *arguments)
        cls._running.setdefault(Device.current(), []).append(future)

    def __init__(self, non_blocking: bool = False, priority: int = 0) -> None:
        self._non_blocking = non_blocking

    def __enter__(self) -> "Stream":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def synchronize(self) -> None:
        if not self._non_blocking:
            for launch in self._running.pop(Device.current(), []):
                launch.result()

    def wait_event(self, event: "Event") -> None:
        if not event.recorded:
            raise RuntimeError("an event is waited for that nothing has recorded")


class Event:
    """The end of what was asked for before."""

    done = True

    def __init__(self, disable_timing: bool = False) -> None:
        self.recorded = False

    def record(self, stream: Stream | None = None) -> None:
        self.recorded = True

    def synchronize(self) -> None:
        pass


class Device:
    """One of several numbers of the one device that there is; which is the current one, a thread says for itself."""

    _of_thread = threading.local()

    def __init__(self, number: int = 0) -> None:
        self.id = number

    @classmethod
    def current(cls) -> int:
        return getattr(cls._of_thread, "number", 0)

    def __enter__(self) -> "Device":
        self._before = self.current()
        self.use()
        return self

    def __exit__(self, *_: object) -> None:
        self._of_thread.number = self._before

    def use(self) -> None:
        self._of_thread.number = self.id


class EmulatedCuda:
    """What is used of ``cupy.cuda``.

    Parameters
    ----------
    holds : callable
        ``holds(address, nbytes)``: whether these bytes are the device's.
    memory : callable
        (bytes that are free, all bytes).
    """

    Stream, Event = Stream, Event
    peers_reach_each_other = True
    get_current_stream = Stream
    get_allocator: Callable[[], Any]

    def __init__(
        self, holds: Callable[[int, int], bool], memory: Callable[[], tuple[int, int]]
    ) -> None:
        class ThisDevice(Device):
            @property
            def mem_info(self) -> tuple[int, int]:
                return memory()

        self.Device = ThisDevice
        self.alloc_pinned_memory = bytearray
        self._holds = holds
        self.runtime = SimpleNamespace(
            memGetInfo=memory,
            memcpyHostToDevice=1,
            memcpyDeviceToHost=2,
            memcpy2DAsync=self._copy_rows,
            memcpyPeerAsync=self._copy_between,
            deviceCanAccessPeer=lambda device, other: self.peers_reach_each_other,
            deviceEnablePeerAccess=lambda other: None,
            CUDARuntimeError=RuntimeError,
        )

    def _copy_rows(
        self, to: int, to_pitch: int, of: int, of_pitch: int, width: int, rows: int,
        kind: int, stream: int,
    ) -> None:  # fmt: skip
        on_device, pitch = (to, to_pitch) if kind == 1 else (of, of_pitch)
        self._check(on_device, (rows - 1) * pitch + width)
        for row in range(rows):
            ctypes.memmove(to + row * to_pitch, of + row * of_pitch, width)

    def _copy_between(
        self, to: int, to_device: int, of: int, of_device: int, nbytes: int, stream: int
    ) -> None:
        self._check(to, nbytes)
        self._check(of, nbytes)
        ctypes.memmove(to, of, nbytes)

    def _check(self, address: int, nbytes: int) -> None:
        if not self._holds(address, nbytes):
            raise ValueError(f"{nbytes} bytes at {address:#x} are not the device's")


class MemoryPool:
    """What is used of CuPy's pool: it holds nothing that is not used.

    Parameters
    ----------
    used : callable
        Bytes of what is allocated.
    """

    def __init__(self, used: Callable[[], int]) -> None:
        self.used_bytes = used
        self._limit = 0

    def set_limit(self, size: int) -> None:
        self._limit = size

    def get_limit(self) -> int:
        return self._limit

    def free_bytes(self) -> int:
        return 0

    def free_all_blocks(self) -> None:
        pass

    def malloc(self, nbytes: int) -> Any:
        """Only compared."""
