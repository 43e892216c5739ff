"""Arrays of the emulator: NumPy's in its device memory, as CuPy's lie in a GPU's."""

import types
import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import NDArray

from emulated_cuda import Device, EmulatedCuda
from emulated_memory import BYTES, arena, pool


class DeviceArray(np.ndarray):
    """An array in the arena, as CuPy's lie in a device's memory; so do results made of it."""

    device = Device(0)  # type: ignore[assignment]

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        result = getattr(ufunc, method)(*plain(inputs), **plain(options))
        return options["out"][0] if len(options.get("out") or ()) == 1 else moved(result)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return moved(function(*plain(args), **plain(kwargs)))

    def __getitem__(self, key: Any) -> Any:
        return moved(np.asarray(self)[plain(key)])

    def get(
        self, stream: Any = None, *, out: NDArray[Any] | None = None, blocking: bool = True
    ) -> NDArray[Any]:
        if out is None:
            return np.array(self, subok=False)
        out[...] = np.asarray(self)
        return out

    def set(self, array: NDArray[Any], stream: Any = None) -> None:
        if array.shape != self.shape or array.dtype != self.dtype:
            raise ValueError(
                f"{self.dtype}{self.shape} cannot be set to {array.dtype}{array.shape}"
            )
        np.asarray(self)[...] = array


def _method(name: str) -> Callable[..., Any]:
    @wraps(getattr(np.ndarray, name))
    def call(self: DeviceArray, *args: Any, **options: Any) -> Any:
        return moved(getattr(np.asarray(self), name)(*plain(args), **plain(options)))

    return call


for _name in dir(np.ndarray):
    if not _name.startswith("_") and callable(getattr(np.ndarray, _name)):
        setattr(DeviceArray, _name, _method(_name))


def plain(value: Any) -> Any:
    """The same with NumPy's own arrays, which are views."""
    if isinstance(value, DeviceArray):
        return np.asarray(value)
    if type(value) in (tuple, list):
        return type(value)(map(plain, value))
    if type(value) is dict:
        return {key: plain(each) for key, each in value.items()}
    return value


def moved(value: Any) -> Any:
    """The same with arrays in the arena; scalars of NumPy as well, as CuPy has them there."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if value is not array or not arena().holds(array.ctypes.data, 1):
            array = new(array.shape, array.dtype)
            array[...] = value
        return array.view(DeviceArray)
    if type(value) in (tuple, list):
        return type(value)(map(moved, value))
    return value


def new(shape: Any, dtype: Any, fill: int = 0, pinned: bool = False) -> NDArray[Any]:
    dtype = np.dtype(dtype)
    shape = (shape,) if np.ndim(shape) == 0 else tuple(shape)
    nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = arena().allocate(nbytes, pinned)
    memory.clear(0, memory.nbytes, fill)
    return np.ndarray(shape, dtype, np.asarray(memory))


def _free_and_all() -> tuple[int, int]:
    """Bytes."""
    return BYTES - arena().device_bytes(), BYTES


class EmulatedArrays:
    """NumPy as if it were CuPy: its arrays are `DeviceArray`s."""

    ndarray = DeviceArray
    get_default_memory_pool = staticmethod(pool)

    def __init__(self, runtime: Any) -> None:
        self._runtime = weakref.ref(runtime)
        self.cuda = EmulatedCuda(lambda *part: arena().holds(*part), _free_and_all)
        self.cuda.get_allocator = lambda: pool().malloc

    def __getattr__(self, name: str) -> Any:
        value = getattr(np, name)
        if isinstance(value, (type, types.ModuleType, np.ufunc)) or not callable(value):
            return value

        @wraps(value)
        def call(*args: Any, **options: Any) -> Any:
            return moved(value(*plain(args), **plain(options)))

        return call

    def empty(self, shape: Any, dtype: Any = float) -> DeviceArray:
        runtime = self._runtime()
        assert runtime is not None
        return new(shape, dtype, runtime.garbage).view(DeviceArray)

    def empty_like(self, array: Any, dtype: Any = None) -> DeviceArray:
        return self.empty(np.shape(array), array.dtype if dtype is None else dtype)

    @staticmethod
    def asnumpy(array: Any) -> NDArray[Any]:
        return np.array(array, subok=False)
