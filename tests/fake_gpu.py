"""Stand-ins for a GPU's modules, for tests of what calls them."""

from types import SimpleNamespace

from emulated_cuda import MemoryPool


def memory_of(cupy, free=1, total=2):
    """Give a stand-in for CuPy this memory, in bytes, and a pool that holds nothing."""
    runtime, pool = SimpleNamespace(memGetInfo=lambda: (free, total)), MemoryPool(lambda: 0)
    cupy.cuda = SimpleNamespace(runtime=runtime)
    cupy.get_default_memory_pool = lambda: pool
    return cupy


device_graph = SimpleNamespace(
    DeviceGraph=object,
    on_device=lambda graph, out_of_core=None: graph,
    out_of_core_reason=lambda graph, needed: "",
)
"""A stand-in for ``warpath.cuda.device_graph``, on which all graphs fit."""
