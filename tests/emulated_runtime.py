"""The emulator as a runtime: the drivers of `warpath.cuda` run on it without a GPU.

Kernels run in a process of their own, apart from this one, so that what stops them is an exception
here. Both map the same memory at the same address: the arena, which is the device's memory.
"""

import ctypes
import itertools
import os
import re
import selectors
import struct
import subprocess
import tempfile
import types
import weakref
from bisect import bisect_left, bisect_right, insort
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial, wraps
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emulated_cuda import Device, EmulatedCuda, MemoryPool

_ADDRESS = 0x3000_0000_0000  # where AddressSanitizer, CUDA and the system place nothing
_BYTES = 1 << 30
_ALIGNED = 256  # as CUDA's allocations; at least this number of bytes lies between two
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *3 * [ctypes.c_int], ctypes.c_long]
_MAP = 0x01 | 0x4000 | 0x100000  # MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE
_READ_WRITE = 0x3

# ---- device memory -----------------------------------------------------------------------------


class EmulatedMemory:
    """An allocation in the arena, freed with this object and with what is a view of it.

    Attributes
    ----------
    address, nbytes : int
    """

    def __init__(self, address: int, nbytes: int) -> None:
        self.address = address
        self.nbytes = nbytes

    @property
    def __array_interface__(self) -> dict[str, Any]:
        data = (self.address, False)
        return {"version": 3, "shape": (self.nbytes,), "typestr": "|u1", "data": data}

    def clear(self, begin: int, end: int, value: int = 0) -> None:
        self._bytes(begin, end)[:] = value

    def fetch(self, begin: int, end: int) -> NDArray[np.uint8]:
        return self._bytes(begin, end).copy()

    def _bytes(self, begin: int, end: int) -> NDArray[np.uint8]:
        if not 0 <= begin <= end <= self.nbytes:
            raise IndexError(f"bytes {begin} … {end} of an allocation of {self.nbytes}")
        return np.asarray(self)[begin:end]


class _Arena:
    """Memory that child processes map as well. Addresses are used again as late as possible."""

    def __init__(self) -> None:
        self.file = os.memfd_create("warpath-emulator")
        os.ftruncate(self.file, _BYTES)
        if _libc.mmap(_ADDRESS, _BYTES, _READ_WRITE, _MAP, self.file, 0) != _ADDRESS:
            raise OSError(ctypes.get_errno(), "the emulator's device memory cannot be mapped")
        self.used = self._next = _ADDRESS + _ALIGNED
        self._starts: list[int] = []  # of live allocations, ascending
        self._sizes: dict[int, int] = {}
        self._parts: dict[int, list[tuple[int, int]]] = {}
        self._pinned: set[int] = set()  # where what would be the host's memory starts
        # A destructor may run within any of the functions below.
        self._dead: deque[int] = deque()
        self._lock = RLock()  # drivers copy in threads

    def allocate(self, nbytes: int, pinned: bool = False) -> EmulatedMemory:
        """Memory that holds what was there before."""
        with self._lock:
            limit = _pool().get_limit()
            if not pinned and limit and self.device_bytes() + nbytes > limit:
                raise MemoryError(f"{nbytes:,} bytes exceed the pool's limit of {limit:,}")
            self._bury()
            start = self._room(nbytes)
            insort(self._starts, start)
            self._sizes[start] = nbytes
            self._parts[start] = [(start, nbytes)]
            if pinned:
                self._pinned.add(start)
            self._next = self._end(start)
            self.used = max(self.used, self._next)
        memory = EmulatedMemory(start, nbytes)
        weakref.finalize(memory, self._dead.append, start).atexit = False
        return memory

    def guard(self, start: int, parts: Iterable[tuple[int, int]]) -> None:
        """Let kernels touch nothing of an allocation but these (offset, bytes), ascending."""
        self._parts[start] = [(start + offset, size) for offset, size in parts]

    def live(self) -> list[tuple[int, int]]:
        """(address, bytes) of all that kernels may touch, in order."""
        with self._lock:
            self._bury()
            return [part for start in self._starts for part in self._parts[start]]

    def device_bytes(self) -> int:
        """Of all live allocations that are not the host's."""
        with self._lock:
            self._bury()
            return sum(size for at, size in self._sizes.items() if at not in self._pinned)

    def in_use(self) -> tuple[list[tuple[int, int]], int]:
        """`live`, and the address behind all that was ever used."""
        with self._lock:  # other ranks may allocate meanwhile
            return self.live(), self.used

    def describe(self, address: int) -> str:
        """Where an address lies among live allocations, or nothing if it is none of the arena's."""
        if not _ADDRESS <= address < _ADDRESS + _BYTES:
            return ""
        live = self.live()
        place = bisect_right(live, (address, _BYTES))
        said = [f"{address:#x} lies"]
        for start, size in live[max(place - 1, 0) : place]:
            at = address - start
            where = f"{at} bytes into" if at < size else f"{at - size} bytes behind the end of"
            said.append(f"{where} the {size} bytes at {start:#x},")
        for start, size in live[place : place + 1]:
            said.append(f"{start - address} bytes before the {size} bytes at {start:#x}")
        return " ".join(said)

    def holds(self, address: int, nbytes: int) -> bool:
        """Whether these bytes are a part of one live allocation."""
        with self._lock:
            place = bisect_right(self._starts, address)
            if place == 0:
                return False
            start = self._starts[place - 1]
            return address + nbytes <= start + self._sizes[start]

    def _bury(self) -> None:
        while self._dead:
            start = self._dead.popleft()
            del self._sizes[start], self._parts[start]
            self._pinned.discard(start)
            self._starts.remove(start)

    def _end(self, start: int) -> int:
        """Where the red zone behind an allocation ends, which is also the one before the next."""
        return -(-(start + self._sizes[start] + _ALIGNED) // _ALIGNED) * _ALIGNED

    def _room(self, nbytes: int) -> int:
        """The next address with room behind it, from the front again behind the last one."""
        for start in (self._next, _ADDRESS + _ALIGNED):
            while True:
                place = bisect_left(self._starts, start)
                behind = self._starts[place] if place < len(self._starts) else _ADDRESS + _BYTES
                if start + nbytes + _ALIGNED <= behind:
                    return start
                if place == len(self._starts):
                    break
                start = self._end(behind)
        raise MemoryError(f"the emulator has no {nbytes} bytes left of {_BYTES}")


@cache
def _arena() -> _Arena:
    return _Arena()


@cache
def _pool() -> MemoryPool:
    return MemoryPool(lambda: _arena().device_bytes())


# ---- arrays ------------------------------------------------------------------------------------


class DeviceArray(np.ndarray):
    """An array in the arena, as CuPy's lie in a device's memory; so do results made of it."""

    device = Device(0)  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        result = getattr(ufunc, method)(*_plain(inputs), **_plain(options))
        return options["out"][0] if len(options.get("out") or ()) == 1 else _moved(result)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return _moved(function(*_plain(args), **_plain(kwargs)))

    def __getitem__(self, key: Any) -> Any:
        return _moved(np.asarray(self)[_plain(key)])

    def get(self, stream: Any = None) -> NDArray[Any]:
        return np.array(self, subok=False)

    def set(self, array: NDArray[Any], stream: Any = None) -> None:
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"{self.dtype}{self.shape} cannot be set to {array.dtype}{array.shape}"
            )
        np.asarray(self)[...] = array


def _method(name: str) -> Callable[..., Any]:
    @wraps(getattr(np.ndarray, name))
    def call(self: DeviceArray, *args: Any, **options: Any) -> Any:
        return _moved(getattr(np.asarray(self), name)(*_plain(args), **_plain(options)))

    return call


for _name in dir(np.ndarray):
    if not _name.startswith("_") and callable(getattr(np.ndarray, _name)):
        setattr(DeviceArray, _name, _method(_name))


def _plain(value: Any) -> Any:
    """The same with NumPy's own arrays, which are views."""
    if isinstance(value, DeviceArray):
        return np.asarray(value)
    if type(value) in (tuple, list):
        return type(value)(map(_plain, value))
    if type(value) is dict:
        return {key: _plain(each) for key, each in value.items()}
    return value


def _moved(value: Any) -> Any:
    """The same with arrays in the arena; scalars of NumPy as well, as CuPy has them there."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if value is not array or not _arena().holds(array.ctypes.data, 1):
            array = _new(array.shape, array.dtype)
            array[...] = value
        return array.view(DeviceArray)
    if type(value) in (tuple, list):
        return type(value)(map(_moved, value))
    return value


def _new(shape: Any, dtype: Any, fill: int = 0, pinned: bool = False) -> NDArray[Any]:
    dtype = np.dtype(dtype)
    shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = _arena().allocate(nbytes, pinned)
    memory.clear(0, memory.nbytes, fill)
    return np.ndarray(shape, dtype, np.asarray(memory))


def _free_and_all() -> tuple[int, int]:
    """Bytes."""
    return _BYTES - _arena().device_bytes(), _BYTES


class EmulatedArrays:
    """NumPy as if it were CuPy: its arrays are `DeviceArray`s."""

    ndarray = DeviceArray
    get_default_memory_pool = staticmethod(_pool)

    def __init__(self, runtime: "EmulatedRuntime") -> None:
        self._runtime = weakref.ref(runtime)
        self.cuda = EmulatedCuda(lambda *part: _arena().holds(*part), _free_and_all)
        self.cuda.get_allocator = lambda: _pool().malloc

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if isinstance(value, (type, types.ModuleType, np.ufunc)) or not callable(value):
            return value

        @wraps(value)
        def call(*args: Any, **options: Any) -> Any:
            return _moved(value(*_plain(args), **_plain(options)))

        return call

    def empty(self, shape: Any, dtype: Any = float) -> DeviceArray:
        runtime = self._runtime()
        assert runtime is not None
        return _new(shape, dtype, runtime.garbage).view(DeviceArray)

    def empty_like(self, array: Any, dtype: Any = None) -> DeviceArray:
        return self.empty(np.shape(array), array.dtype if dtype is None else dtype)

    @staticmethod
    def asnumpy(array: Any) -> NDArray[Any]:
        return np.array(array, subok=False)


# ---- kernels -----------------------------------------------------------------------------------


class _Process:
    """A program of kernels while it runs: see shim/server.cpp."""

    def __init__(self, executable: Path, environment: Mapping[str, str]) -> None:
        arena = _arena()
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - until `close`
        self._process = subprocess.Popen(
            [executable, str(arena.file), str(_ADDRESS), str(_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            pass_fds=[arena.file],
            bufsize=0,
            env=environment,
        )

    def ask(self, request: bytes, timeout: float) -> str:
        """Launch a kernel: empty, or why it cannot be.

        Raises
        ------
        TimeoutError
        EOFError
            If the process has ended; `close` returns its report.
        """
        assert self._process.stdin is not None
        view = memoryview(request)
        try:
            while view:
                view = view[self._process.stdin.write(view) :]
        except BrokenPipeError:
            raise EOFError from None
        (size,) = struct.unpack("<Q", self._read(8, timeout))
        return self._read(size, timeout).decode()

    def _read(self, size: int, timeout: float) -> bytes:
        assert self._process.stdout is not None
        data = b""
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while len(data) < size:
                if not selector.select(timeout):
                    raise TimeoutError
                part = self._process.stdout.read(size - len(data))
                if not part:
                    raise EOFError
                data += part
        return data

    def close(self, kill: bool = True) -> str:
        """End it; return its exit status and what it wrote to stderr."""
        if kill:
            self._process.kill()
        status = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        self._errors.seek(0)
        with self._errors:
            return f"exit status {status}\n{self._errors.read().decode(errors='replace')}"


class _Program:
    """A compiled program of kernels, which runs from its first launch on."""

    def __init__(self, executable: Path, environment: Mapping[str, str]) -> None:
        self._start = partial(_Process, executable, environment)
        self._process: _Process | None = None
        self.lock = RLock()  # of a launch and what it is told: ranks may be threads

    def launch(self, request: bytes, timeout: float) -> str:
        """Empty, or what went wrong; the next launch works in any case."""
        if self._process is None:
            self._process = self._start()
        try:
            return self._process.ask(request, timeout)
        except TimeoutError:
            self.close()
            return f"not finished after {timeout} seconds"
        except EOFError:
            process, self._process = self._process, None
            report = process.close(kill=False)
            found = re.search(r"address (0x[0-9a-f]+)", report)
            place = _arena().describe(int(found[1], 16)) if found else ""
            return f"{report}{place}"

    def close(self) -> None:
        """End its process."""
        if self._process is not None:
            process, self._process = self._process, None
            process.close()


class EmulatedKernel:
    """A kernel of the emulator's; its grid is as large as a launch says, or else the runtime."""

    def __init__(
        self,
        runtime: "EmulatedRuntime",
        program: _Program,
        expression: str,
        threads: int,
        cluster: int,
    ) -> None:
        self._runtime = runtime
        self._program = program
        self._expression = expression
        self._threads = threads
        self._cluster = cluster

    @property
    def blocks(self) -> int:
        return max(1, self._runtime.blocks // self._cluster) * self._cluster

    def launch(self, arguments: bytes, *grid: int, shared_bytes: int = 0) -> None:
        """Run it to its end.

        Parameters
        ----------
        *grid : int
            Up to three numbers of blocks; by default one, the runtime's.
        shared_bytes : int
            Of dynamic shared memory.

        Raises
        ------
        EmulatorError
            A sanitizer or the emulator reported something, or time ran out.
        """
        runtime, data = self._runtime, arguments
        expression, seed = self._expression.encode(), runtime.next_seed()
        grid = (*(grid or (self.blocks,)), 1, 1)[:3]
        with self._program.lock:
            live, used = _arena().in_use()
            numbers = (
                *grid,
                self._threads,
                self._cluster,
                shared_bytes,
                seed,
                len(live),
                used,
            )
            request = struct.pack("<11Q", len(expression), len(data), *numbers) + expression + data
            request += np.array(live, np.uint64).tobytes()
            problem = self._program.launch(request, runtime.timeout)
        if problem:
            raise runtime.emulator.Error(
                f"{self._expression}, launch {runtime.launches} under seed {runtime.seed}: {problem}"
            )


class EmulatedRuntime:
    """Where kernels run in tests: a `warpath.cuda.runtime.Runtime` on the host.

    Parameters
    ----------
    emulator : Emulator
        The fixture ``emulator``.
    instances : iterable of (str, str)
        Headers and expressions that are built together, when one of them is first asked for. Any
        other is built alone, which takes some seconds more.
    include : sequence of Path
        Folders to look for headers in before the kernels' own.
    threads : int
        Of each block, whatever drivers are tuned for.

    Attributes
    ----------
    blocks : int
        Of each grid, whatever drivers ask for, rounded to whole clusters.
    seed : int
        Of the schedules: 0 runs threads in order, any other gives each launch a schedule of its
        own. Setting it starts a sequence of launches again.
    timeout : float
        Seconds for a launch.
    launches : int
        Since the seed was set.
    max_launches : int
        More of them are an error: a driver that launches until a search has ended may not end.
    device : int
        Another number after each change of the grid, so that nothing that drivers keep for
        a device is taken for that of another grid.
    """

    _devices = itertools.count()
    red_zone = _ALIGNED

    def __init__(
        self,
        emulator: Any,
        instances: Iterable[tuple[str, str]] = (),
        *,
        include: Sequence[Path] = (),
        blocks: int = 2,
        threads: int = 64,
        seed: int = 0,
        timeout: float = 120,
    ) -> None:
        self.emulator = emulator
        self.xp = EmulatedArrays(self)
        self.compute_capability = (9, 0)
        self.multiprocessors = 2
        self.timeout = timeout
        self.max_launches = 10_000
        self._instances = tuple(dict.fromkeys(instances))
        self._include = tuple(include)
        self._programs: dict[tuple[tuple[str, str], ...], _Program] = {}
        self._building = RLock()  # ranks may be threads
        _arena()
        self._threads = threads
        self.blocks = blocks
        self.seed = seed

    def __enter__(self) -> "EmulatedRuntime":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes; a launch starts them again."""
        for program in self._programs.values():
            program.close()

    @property
    def blocks(self) -> int:
        return self._blocks

    @blocks.setter
    def blocks(self, blocks: int) -> None:
        self._blocks = blocks
        self.device = next(self._devices)

    @property
    def seed(self) -> int:
        return self._seed

    @seed.setter
    def seed(self, seed: int) -> None:
        self._seed = seed
        self.launches = 0

    @property
    def garbage(self) -> int:
        """What uninitialised bytes hold: odd, and the seed's."""
        return (0xDB + 74 * self._seed) % 256

    def next_seed(self) -> int:
        """The schedule of the next launch."""
        self.launches += 1
        if self.launches > self.max_launches:
            raise self.emulator.Error(f"no end after {self.max_launches} launches")
        if self._seed == 0:
            return 0
        return int(np.random.SeedSequence((self._seed, self.launches)).generate_state(1)[0]) | 1

    def threads(self, preferred: int) -> int:
        return self._threads

    def address(self, array: Any) -> int:
        """Where an array's first element lies; 0 for None.

        Raises
        ------
        ValueError
            If it is not in the emulator's device memory.
        """
        if array is None:
            return 0
        address = int(array.ctypes.data)
        if not _arena().holds(address, 0):
            raise ValueError(
                f"an array of the host, {array.dtype}{list(array.shape)}, where the device's is needed"
            )
        return address

    def allocate(self, nbytes: int) -> EmulatedMemory:
        memory = _arena().allocate(nbytes)
        memory.clear(0, nbytes, self.garbage)
        return memory

    def pin(self, array: NDArray[Any]) -> DeviceArray:
        """A copy where kernels may read it, which is counted as the host's memory."""
        pinned = self.empty_pinned(len(array), array.dtype)
        np.asarray(pinned)[...] = array
        return pinned

    def empty_pinned(self, size: int, dtype: Any) -> DeviceArray:
        padded = -(-max(size, 1) // 4) * 4
        return _new(padded, dtype, self.garbage, pinned=True)[:size].view(DeviceArray)

    def guard(self, address: int, parts: Iterable[tuple[int, int]]) -> None:
        _arena().guard(address, parts)

    def grid(self, header: str, expression: str, threads: int) -> EmulatedKernel:
        return self.persistent(header, expression, threads, 1)

    def call(
        self,
        header: str,
        expression: str,
        grid: int | tuple[int, ...],
        threads: int,
        *arguments: Any,
        cluster: int = 1,
        shared_bytes: int = 0,
    ) -> None:
        """Launch a kernel whose parameters are pointers and numbers.

        Parameters
        ----------
        *arguments : DeviceArray, None or NumPy scalar
            One for each parameter, of its type.
        """
        values = [one if isinstance(one, np.generic) else self.address(one) for one in arguments]
        types = [np.dtype(getattr(one, "dtype", np.uint64)) for one in values]
        record = np.zeros(1, np.dtype([(f"a{i}", one) for i, one in enumerate(types)], align=True))
        record[0] = tuple(values)
        kernel = self.persistent(header, expression, threads, 1, cluster)
        blocks = grid if isinstance(grid, tuple) else (grid,)
        kernel.launch(record.tobytes(), *blocks, shared_bytes=shared_bytes)

    def persistent(
        self,
        header: str,
        expression: str,
        threads: int,
        blocks: int,
        cluster: int = 1,
        children: bool = False,
    ) -> EmulatedKernel:
        wanted = (header, expression)
        together = self._instances if wanted in self._instances else (wanted,)
        with self._building:
            if together not in self._programs:
                executable = self.emulator.build_kernels(together, include=self._include)
                self._programs[together] = _Program(executable, self.emulator.environment)
        return EmulatedKernel(self, self._programs[together], expression, threads, cluster)
