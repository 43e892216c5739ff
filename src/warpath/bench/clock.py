"""How long a call takes, compiling apart: on the host by its clock, on a GPU by events."""

import time
from collections.abc import Callable
from functools import cache
from typing import Any

from warpath.kernel_cache import compile_seconds

# Longer to fill than a call takes on the host, so that its work is queued when the GPU gets there.
_BUSY_BYTES = 2**30


def now() -> float:
    """Seconds of wall time, of which those do not count that compile kernels, or load them."""
    return time.perf_counter() - compile_seconds()


def on_host(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and its seconds of wall time."""
    began = now()
    answer = call()
    return answer, now() - began


@cache
def _busy(device: int) -> Any:
    import cupy

    with cupy.cuda.Device(device):
        return cupy.empty(_BUSY_BYTES, "uint8")


def on_device(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and the seconds of its work on the current device.

    Between two events, with the device kept busy before the first, so that the host's time until
    a launch is not counted, unless the call itself waits for the device in between.
    """
    import cupy

    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    _busy(cupy.cuda.runtime.getDevice()).fill(1)
    begin.record()
    answer = call()
    end.record()
    end.synchronize()
    return answer, float(cupy.cuda.get_elapsed_time(begin, end)) / 1e3


def and_wait(call: Callable[[], Any]) -> tuple[Any, float]:
    """What a call returns, and the seconds of wall time until the device is done."""
    import cupy

    began = now()
    answer = call()
    cupy.cuda.get_current_stream().synchronize()
    return answer, now() - began
