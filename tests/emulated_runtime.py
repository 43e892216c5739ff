"""The emulator as a runtime: the drivers of `warpath.cuda` run on it without a GPU.

Kernels run in a process of their own (`emulated_process`), on memory that both map (`emulated_memory`).
"""

import itertools
import struct
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emulated_arrays import DeviceArray, EmulatedArrays, new
from emulated_cuda import Device, Stream
from emulated_memory import ALIGNED, EmulatedMemory, arena
from emulated_process import Program


class ProgramsOfGpus:
    """A program of kernels, in a process for each GPU where its kernels wait for those of others."""

    def __init__(self, start: Callable[[], Program]) -> None:
        self._start = start
        self._of_gpus: dict[int, Program] = {}
        self._lock = RLock()

    def of(self, expression: str) -> Program:
        """Where a kernel runs for this thread's GPU."""
        gpu = Device.current() if "multi_gpu" in expression else 0
        with self._lock:
            if gpu not in self._of_gpus:
                self._of_gpus[gpu] = self._start()
            return self._of_gpus[gpu]

    def close(self) -> None:
        for program in self._of_gpus.values():
            program.close()


class EmulatedKernel:
    """A kernel of the emulator's; its grid is as large as a launch says, or else the runtime."""

    def __init__(
        self,
        runtime: "EmulatedRuntime",
        programs: ProgramsOfGpus,
        expression: str,
        threads: int,
        cluster: int,
    ) -> None:
        self.shared_bytes = 0  # of dynamic shared memory
        self._runtime = runtime
        self._programs = programs
        self._expression = expression
        self._threads = threads
        self._cluster = cluster

    @property
    def blocks(self) -> int:
        return max(1, self._runtime.blocks // self._cluster) * self._cluster

    def launch(self, arguments: bytes, *grid: int) -> None:
        """Run it to its end; one that waits for other GPUs' until the device's stream is waited for.

        Parameters
        ----------
        *grid : int
            Up to three numbers of blocks; by default one, the runtime's.

        Raises
        ------
        EmulatorError
            A sanitizer or the emulator reported something, or time ran out.
        """
        if "multi_gpu" in self._expression:  # waits for other GPUs' launches
            Stream.begin(
                lambda program: self._launch(program, arguments, grid),
                self._programs.of(self._expression),
            )
        else:
            self._launch(self._programs.of(self._expression), arguments, grid)

    def _launch(self, program: Program, arguments: bytes, grid: tuple[int, ...]) -> None:
        runtime, data = self._runtime, arguments
        expression, seed = self._expression.encode(), runtime.next_seed()
        grid = (*(grid or (self.blocks,)), 1, 1)[:3]
        with program.lock:
            live, used = arena().in_use()
            numbers = (
                *grid,
                self._threads,
                self._cluster,
                self.shared_bytes,
                seed,
                len(live),
                used,
            )
            request = struct.pack("<11Q", len(expression), len(data), *numbers) + expression + data
            request += np.array(live, np.uint64).tobytes()
            problem = program.launch(request, runtime.timeout)
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
    *instances : iterable of (str, str)
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
    red_zone = ALIGNED

    def __init__(
        self,
        emulator: Any,
        *instances: Iterable[tuple[str, str]],
        include: Sequence[Path] = (),
        blocks: int = 2,
        threads: int = 64,
        seed: int = 0,
        timeout: float = 120,
    ) -> None:
        self.emulator = emulator
        self.xp = EmulatedArrays(self)
        self.compute_capability = (9, 0)
        self.multiprocessors, self.max_shared_bytes = 2, 2**18
        self.timeout = timeout
        self.max_launches = 10_000
        self._instances = [tuple(dict.fromkeys(each)) for each in instances]
        self._include = tuple(include)
        self._programs: dict[tuple[tuple[str, str], ...], ProgramsOfGpus] = {}
        self._building = RLock()  # ranks may be threads
        arena()
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
        """Where an array's first element lies; 0 for None, and as in CuPy for an array that is empty.

        Raises
        ------
        ValueError
            If it is not in the emulator's device memory.
        """
        if array is None or array.size == 0:
            return 0
        address = int(array.ctypes.data)
        if not arena().holds(address, 0):
            raise ValueError(
                f"an array of the host, {array.dtype}{list(array.shape)}, where the device's is needed"
            )
        return address

    def allocate(self, nbytes: int) -> EmulatedMemory:
        memory = arena().allocate(nbytes)
        memory.clear(0, nbytes, self.garbage)
        return memory

    def pin(self, array: NDArray[Any]) -> DeviceArray:
        """A copy where kernels may read it, which is counted as the host's memory."""
        pinned = self.empty_pinned(len(array), array.dtype)
        np.asarray(pinned)[...] = array
        return pinned

    def empty_pinned(self, size: int, dtype: Any) -> DeviceArray:
        padded = -(-max(size, 1) // 4) * 4
        return new(padded, dtype, self.garbage, pinned=True)[:size].view(DeviceArray)

    def guard(self, address: int, parts: Iterable[tuple[int, int]]) -> None:
        arena().guard(address, parts)

    def grid(
        self, header: str, expression: str, threads: int, shared_bytes: int = 0
    ) -> EmulatedKernel:
        kernel = self.persistent(header, expression, threads, 1)
        kernel.shared_bytes = shared_bytes
        return kernel

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
        kernel.shared_bytes = shared_bytes
        blocks = grid if isinstance(grid, tuple) else (grid,)
        kernel.launch(record.tobytes(), *blocks)

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
        together = next((each for each in self._instances if wanted in each), (wanted,))
        with self._building:
            if together not in self._programs:
                executable = self.emulator.build_kernels(together, include=self._include)
                start = partial(Program, executable, self.emulator.environment)
                self._programs[together] = ProgramsOfGpus(start)
        return EmulatedKernel(self, self._programs[together], expression, threads, cluster)
