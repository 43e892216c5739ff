"""Public functions on the emulator: with it ``device="cuda"`` is an emulated GPU."""

import sys
from contextlib import contextmanager

import pytest

from emulated_runtime import DeviceArray
from warpath import devices
from warpath.algorithms.common import device_measure
from warpath.algorithms.primitives import arguments, frontier
from warpath.cuda.runtime import use


def _is_emulated(values):
    return isinstance(values, DeviceArray)


@contextmanager
def emulated_device(runtime):
    """Let the emulator be the GPU, and its arrays CuPy's."""
    with use(runtime), pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "cupy", runtime.xp)
        patch.setattr(devices, "require", lambda: None)
        patch.setattr(devices, "missing", lambda: None)
        for module in (arguments, frontier, device_measure):
            patch.setattr(module, "is_on_gpu", _is_emulated)
        patch.setattr(arguments, "as_cupy", lambda values: values)
        yield
