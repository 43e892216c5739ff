"""The runtime of CUDA devices: CuPy's arrays and memory, kernels of `cuda.core`, launches by the driver.

Work is queued on CuPy's current stream.
"""

import ctypes
from collections.abc import Iterable
from functools import cache
from threading import Lock
from typing import Any

import cupy
import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.cuda import pinned_memory
from warpath.cuda.compile import load_kernel

core, driver = map(devices.cuda_module, ("cuda.core", "cuda.bindings.driver"))

_LEGACY_DEFAULT = 1  # CU_STREAM_LEGACY: what the null stream is called by handle


class DeviceMemory:
    """`warpath.cuda.runtime.Memory` of CuPy's pool."""

    def __init__(self, nbytes: int) -> None:
        self._memory = cupy.cuda.alloc(nbytes)
        self._stream = cupy.cuda.get_current_stream()
        self.address = int(self._memory.ptr)

    def clear(self, begin: int, end: int, value: int = 0) -> None:
        """See `warpath.cuda.runtime.Memory.clear`."""
        cupy.cuda.runtime.memsetAsync(self.address + begin, value, end - begin, self._stream.ptr)

    def fetch(self, begin: int, end: int) -> NDArray[np.uint8]:
        """See `warpath.cuda.runtime.Memory.fetch`."""
        raw = cupy.ndarray((end - begin,), np.uint8, self._memory + begin)
        return raw.get(stream=self._stream)  # type: ignore[no-any-return]


class DeviceKernel:
    """`warpath.cuda.runtime.Kernel` or `GridKernel` of a device.

    A grid of blocks that wait for each other is launched cooperatively, which makes sure that they
    all run. Kernels that launch others must not be (CUDA_ERROR_NOT_PERMITTED); their blocks are as
    many as fit at once, and wait for what other streams run before them.
    """

    def __init__(
        self, kernel: Any, blocks: int, threads: int, cluster: int = 1, cooperative: bool = False,
        shared_bytes: int = 0,
    ):  # fmt: skip
        self.blocks = blocks
        self._kernel = kernel  # keeps its code loaded
        self._function = driver.CUfunction(int(kernel.handle))
        self._attributes = [_attribute("COOPERATIVE", "cooperative", 1)] if cooperative else []
        if cluster > 1:
            size = driver.CUlaunchAttributeValue()
            size.clusterDim.x, size.clusterDim.y, size.clusterDim.z = cluster, 1, 1
            self._attributes.append(_attribute("CLUSTER_DIMENSION", "clusterDim", size.clusterDim))
        self._threads, self._shared_bytes = threads, shared_bytes
        if shared_bytes:
            _allow(kernel, shared_bytes)
        self._configs: dict[tuple[int, ...], Any] = {}  # by stream and grid
        parameters = kernel.arguments_info  # one struct, or its fields one by one: the same bytes
        self._nbytes = int(parameters[-1].offset + parameters[-1].size)
        self._arguments = ctypes.create_string_buffer(self._nbytes)
        at = ctypes.addressof(self._arguments)
        self._pointer = (ctypes.c_void_p * len(parameters))(
            *(at + one.offset for one in parameters)
        )
        self._pointers = ctypes.addressof(self._pointer)
        self._lock = Lock()  # of the arguments, which the driver reads

    def launch(self, arguments: bytes, *blocks: int) -> None:
        """See `warpath.cuda.runtime.Kernel.launch`, and that of `GridKernel`."""
        if not self._nbytes <= len(arguments) < self._nbytes + 8:  # a struct's end is padded
            raise TypeError(f"the kernel takes {self._nbytes} bytes, not {len(arguments)}")
        config = self._config(cupy.cuda.get_current_stream().ptr or _LEGACY_DEFAULT, *blocks)
        with self._lock:
            ctypes.memmove(self._arguments, arguments, self._nbytes)
            errors = driver.cuLaunchKernelEx(config, self._function, self._pointers, 0)
        _check(*errors)

    def _config(self, stream: int, *blocks: int) -> Any:
        config = self._configs.get((stream, *blocks))
        if config is None:
            config = driver.CUlaunchConfig()
            config.gridDimX, config.gridDimY, config.gridDimZ = (*(blocks or (self.blocks,)), 1, 1)[
                :3
            ]
            config.blockDimX, config.blockDimY, config.blockDimZ = self._threads, 1, 1
            config.sharedMemBytes = self._shared_bytes
            config.hStream = driver.CUstream(stream)
            config.attrs, config.numAttrs = self._attributes, len(self._attributes)
            if len(self._configs) >= 1024:  # streams come and go
                self._configs.clear()
            self._configs[stream, *blocks] = config
        return config


def _allow(kernel: Any, shared_bytes: int) -> None:
    """Let a kernel have as much dynamic shared memory; others that were loaded with it may ask for more."""
    most = driver.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    handle, here = driver.CUkernel(int(kernel.handle)), driver.CUdevice(cupy.cuda.get_device_id())
    error, allowed = driver.cuKernelGetAttribute(most, handle, here)
    _check(error)
    if shared_bytes > allowed:
        _check(*driver.cuKernelSetAttribute(most, shared_bytes, handle, here))


def _check(error: Any) -> None:
    if error:
        _, name = driver.cuGetErrorName(error)
        raise RuntimeError(f"a kernel was not launched: {name.decode()}")


def _attribute(name: str, field: str, value: Any) -> Any:
    attribute = driver.CUlaunchAttribute()
    attribute.id = getattr(driver.CUlaunchAttributeID, f"CU_LAUNCH_ATTRIBUTE_{name}")
    setattr(attribute.value, field, value)
    return attribute


def _max_blocks(kernel: Any, threads: int, cluster: int, device: int) -> int:
    """How many blocks of ``kernel``, in clusters of ``cluster``, are resident on ``device`` at once."""
    if cluster > 1:
        config = core.LaunchConfig(grid=1, cluster=cluster, block=threads)
        stream = core.Stream.from_handle(_LEGACY_DEFAULT)
        return int(kernel.occupancy.max_active_clusters(config, stream=stream)) * cluster
    per_multiprocessor = kernel.occupancy.max_active_blocks_per_multiprocessor(threads, 0)
    return int(per_multiprocessor) * devices.device(device).multiprocessors


@cache
def _persistent(
    header: str,
    expression: str,
    threads: int,
    blocks: int,
    device: int,
    cluster: int,
    children: bool,
) -> DeviceKernel:
    kernel = load_kernel(header, expression, device, children)
    blocks = min(_max_blocks(kernel, threads, cluster, device), blocks)
    count = max(1, blocks // cluster) * cluster
    return DeviceKernel(kernel, count, threads, cluster, not children)


@cache
def _grid(
    header: str, expression: str, threads: int, device: int, shared_bytes: int
) -> DeviceKernel:
    kernel = load_kernel(header, expression, device)
    return DeviceKernel(kernel, 1, threads, shared_bytes=shared_bytes)


class DeviceRuntime:
    """`warpath.cuda.runtime.Runtime` of the current CUDA device."""

    xp = cupy
    red_zone = 0

    @property
    def device(self) -> int:
        """See `warpath.cuda.runtime.Runtime`."""
        return int(cupy.cuda.get_device_id())

    @property
    def compute_capability(self) -> tuple[int, int]:
        """See `warpath.cuda.runtime.Runtime`."""
        return devices.device(self.device).compute_capability

    @property
    def multiprocessors(self) -> int:
        """See `warpath.cuda.runtime.Runtime`."""
        return devices.device(self.device).multiprocessors

    @property
    def max_shared_bytes(self) -> int:
        """See `warpath.cuda.runtime.Runtime`."""
        return int(cupy.cuda.Device().attributes["MaxSharedMemoryPerBlockOptin"])

    def threads(self, preferred: int) -> int:
        """All of them."""
        return preferred

    def address(self, array: Any) -> int:
        """See `warpath.cuda.runtime.Runtime.address`."""
        return 0 if array is None else int(array.data.ptr)

    def allocate(self, nbytes: int) -> DeviceMemory:
        """See `warpath.cuda.runtime.Runtime.allocate`."""
        return DeviceMemory(nbytes)

    def pin(self, array: NDArray[Any]) -> Any:
        """See `warpath.cuda.runtime.Runtime.pin`."""
        return pinned_memory.pin(array)

    def empty_pinned(self, size: int, dtype: Any) -> Any:
        """See `warpath.cuda.runtime.Runtime.empty_pinned`."""
        return pinned_memory.empty(size, dtype)

    def guard(self, address: int, parts: Iterable[tuple[int, int]]) -> None:
        """See `warpath.cuda.runtime.Runtime.guard`."""

    def grid(
        self, header: str, expression: str, threads: int, shared_bytes: int = 0
    ) -> DeviceKernel:
        """See `warpath.cuda.runtime.Runtime.grid`."""
        return _grid(header, expression, threads, self.device, shared_bytes)

    def persistent(
        self,
        header: str,
        expression: str,
        threads: int,
        blocks: int,
        cluster: int = 1,
        children: bool = False,
    ) -> DeviceKernel:
        """See `warpath.cuda.runtime.Runtime.persistent`."""
        return _persistent(header, expression, threads, blocks, self.device, cluster, children)


DEVICE = DeviceRuntime()
