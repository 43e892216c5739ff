"""Stand-ins for a GPU's modules, for tests of what calls them."""

import sys
from types import SimpleNamespace

import numpy as np

from emulated_cuda import MemoryPool
from warpath import devices


def memory_of(cupy, free=1, total=2):
    """Give a stand-in for CuPy this memory, in bytes, and a pool that holds nothing."""
    runtime, pool = SimpleNamespace(memGetInfo=lambda: (free, total)), MemoryPool(lambda: 0)
    cupy.cuda = SimpleNamespace(runtime=runtime)
    cupy.get_default_memory_pool = lambda: pool
    return cupy


device_graph = SimpleNamespace(
    DeviceGraph=object,
    on_device=lambda graph, out_of_core=None: graph,
    does_not_fit=lambda graph, needed: "",
)
"""A stand-in for ``warpath.cuda.device_graph``, on which all graphs fit."""


def there_is_one(monkeypatch, cupy, modules):
    """Let a GPU be there, with this stand-in for CuPy and these for other modules; all graphs fit on it."""
    always = {"cupy": memory_of(cupy), "warpath.cuda.device_graph": device_graph}
    for name, module in (always | modules).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(devices, "require", lambda: SimpleNamespace(model="a GPU"))
    monkeypatch.setattr(devices, "missing", lambda: None)


class OnDevice(np.ndarray):
    """An array as CuPy's, as far as the engine's callers touch it."""

    def __array_function__(self, *call):
        result = super().__array_function__(*call)
        return result.view(OnDevice) if type(result) is np.ndarray else result

    def get(self):
        return np.array(self)

    def set(self, array):
        self[...] = array
