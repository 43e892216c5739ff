"""Which CUDA devices there are, and what is missing if none can be used."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from types import ModuleType
from typing import Any

from warpath.errors import DeviceUnavailableError

# Kernels use warp-wide reductions (__reduce_*_sync), which came with this compute capability.
_LEAST = (8, 0)
_INSTALL = "pip install 'warpath[cuda]' (for a driver of CUDA 12: 'warpath[cuda12]')"


@dataclass(frozen=True)
class CudaDevice:
    """A device as its driver describes it."""

    number: int
    model: str
    compute_capability: tuple[int, int]
    multiprocessors: int
    memory: int

    @property
    def arch(self) -> str:
        """As the compiler names it, ``sm_90``."""
        major, minor = self.compute_capability
        return f"sm_{major}{minor}"

    @property
    def suffices(self) -> bool:
        """Whether it has what the kernels use."""
        return self.compute_capability >= _LEAST


_importing = Lock()


def cuda_module(name: str) -> ModuleType:
    """Import ``cuda.core`` or a module of ``cuda.bindings``, by one thread at a time.

    Their modules import each other. Two threads that begin at different ones would wait for each other, and Python
    ends that by giving one of them a module that is not complete.
    """
    with _importing:
        return import_module(name)


@cache
def missing() -> str | None:
    """Why CUDA cannot be used here and what to do about it; None if it can."""
    for package, what in (("cupy", "CuPy"), ("cuda.core", "cuda-core")):
        if not _is_installed(package):
            return f"{what} is not installed: {_INSTALL}"
    try:
        import cupy
    except ImportError as error:
        return f"CuPy cannot be imported ({error}): {_INSTALL}"
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return f"there is no usable NVIDIA driver or GPU ({error}): install or update the driver"
    if count == 0:
        return "there is no NVIDIA GPU"
    if not any(device(number).suffices for number in range(count)):
        return _too_old(device(0))
    try:
        cuda_module("cuda.bindings.nvrtc").nvrtcVersion()
    except Exception as error:  # the loader's own kinds of errors
        return f"NVRTC, CUDA's run-time compiler, cannot be loaded ({error}): {_INSTALL}"
    return None


def require() -> CudaDevice:
    """The current device.

    Raises
    ------
    DeviceUnavailableError
        If CUDA cannot be used on it, saying what is missing and what to install.
    """
    why = missing()
    if why is not None:
        raise DeviceUnavailableError(f"device='cuda': {why}")
    import cupy

    current = device(cupy.cuda.runtime.getDevice())
    if not current.suffices:
        raise DeviceUnavailableError(
            f"device='cuda': {_too_old(current)}; others here are new enough: "
            f"with cupy.cuda.Device({devices()[0].number}): …"
        )
    return current


def _too_old(found: CudaDevice) -> str:
    (major, minor), (least_major, least_minor) = found.compute_capability, _LEAST
    return (
        f"{found.model} has compute capability {major}.{minor}; "
        f"{least_major}.{least_minor} or newer is needed"
    )


@cache
def device(number: int) -> CudaDevice:
    """One device."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(number)
    name = properties["name"]
    return CudaDevice(
        number=number,
        model=name.decode() if isinstance(name, bytes) else str(name),
        compute_capability=(int(properties["major"]), int(properties["minor"])),
        multiprocessors=int(properties["multiProcessorCount"]),
        memory=int(properties["totalGlobalMem"]),
    )


def uuid(number: int) -> str:
    """What no other device has, on any host."""
    from cuda.core import Device

    return str(Device(number).uuid)


def devices() -> list[CudaDevice]:
    """All devices that can be used; empty without CUDA."""
    if missing() is not None:
        return []
    import cupy

    found = [device(number) for number in range(cupy.cuda.runtime.getDeviceCount())]
    return [one for one in found if one.suffices]


def free_memory(xp: Any) -> int:
    """Bytes that may still be allocated on the current device.

    What CuPy's pool holds unused counts, and the pool's limit is respected.

    Parameters
    ----------
    xp : module
        CuPy, or one with the same functions.
    """
    pool = xp.get_default_memory_pool()
    free = int(xp.cuda.runtime.memGetInfo()[0]) + int(pool.free_bytes())
    limit = int(pool.get_limit())
    return max(free if limit == 0 else min(free, limit - int(pool.used_bytes())), 0)


def in_order() -> list[int]:
    """Their numbers, the current one first.

    Raises
    ------
    DeviceUnavailableError
        See `require`.
    """
    here = require().number
    return [here, *(one.number for one in devices() if one.number != here)]


def named(asked: int | Sequence[int]) -> tuple[int, ...]:
    """The GPUs that ``devices=`` asks for: that number of them, the current one first, or these.

    Where CUDA cannot be used, any are taken: a plan may be for another machine, and a run calls
    `require`.

    Raises
    ------
    TypeError
        If it is neither a number nor a sequence of them.
    ValueError
        Too many or none, or unknown ones.
    """
    there: list[int] | None
    try:
        there = in_order()
    except DeviceUnavailableError:
        there = None
    if isinstance(asked, Collection) and all(hasattr(one, "__index__") for one in asked):
        gpus = tuple(one.__index__() for one in asked)
        if there is not None and (not gpus or not set(gpus) <= set(there)):
            known = ", ".join(map(str, sorted(there)))
            raise ValueError(f"devices={asked!r}: some of {known}")
        if not gpus or min(gpus) < 0:
            raise ValueError(f"devices={asked!r}: numbers of GPUs, from 0")
        return gpus
    if not hasattr(asked, "__index__"):
        raise TypeError(f"devices={asked!r}: a number of GPUs, or a list of their numbers")
    count = asked.__index__()
    if count < 1:
        raise ValueError(f"devices={asked}: at least one GPU")
    if there is None:
        return tuple(range(count))
    if count > len(there):
        raise ValueError(f"devices={asked}: there are {len(there)} GPUs that can be used")
    return tuple(there[:count])


@contextmanager
def memory_for(what: str) -> Iterator[None]:
    """Let a GPU's memory that does not suffice be an error that says for what.

    Raises
    ------
    MemoryError
        With ``what``, the allocation that failed, and how much is free.
    """
    try:
        yield
    except MemoryError as error:
        import cupy

        free, all_of_it = free_memory(cupy), cupy.cuda.runtime.memGetInfo()[1]
        raise MemoryError(
            f"{what}: {error}. {free:,} of the GPU's {all_of_it:,} bytes are free: "
            "device='cpu' uses the host's memory"
        ) from error


def _is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False
