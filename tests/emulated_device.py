"""Public functions on the emulator: with it ``device="cuda"`` is an emulated GPU."""

import sys
from contextlib import contextmanager

import pytest

from emulated_arrays import DeviceArray
from warpath import devices
from warpath.algorithms.common import device_measure, several_gpus
from warpath.algorithms.primitives import arguments, frontier
from warpath.algorithms.traversal import components
from warpath.cuda.runtime import use
from warpath.distributed.gpu import nccl


def _is_emulated(values):
    return isinstance(values, DeviceArray)


def _fetched(values):
    return values.get() if _is_emulated(values) else values


@contextmanager
def emulated_device(runtime, count=1):
    """Let the emulator be the GPU, or several, and its arrays CuPy's."""
    there = [
        devices.CudaDevice(number, "the emulator", (9, 0), runtime.multiprocessors, 2**30)
        for number in range(count)
    ]
    with use(runtime), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", runtime.xp)
        patch.setattr(devices, "require", lambda: there[0])
        patch.setattr(devices, "devices", lambda: there)
        patch.setattr(devices, "missing", lambda: None)
        patch.setattr(nccl, "nccl", lambda: None)
        patch.setattr(devices, "uuid", lambda number: f"GPU-{number}")
        for module in (arguments, frontier, device_measure):
            patch.setattr(module, "is_on_gpu", _is_emulated)
        patch.setattr(arguments, "as_cupy", lambda values: values)
        for module in (several_gpus, components):
            patch.setattr(module, "to_host", _fetched)
        yield
