"""Launching kernels with positional arguments on the user's current stream.

Those of all pairs; traversals are launched by a runtime (`warpath.cuda.runtime`).
"""

from functools import cache
from typing import Any

import cupy
from cuda.core import LaunchConfig, Stream, launch

_LEGACY_DEFAULT = 1  # cudaStreamLegacy: what the null stream is called by handle


@cache
def _stream(pointer: int) -> Stream:
    return Stream.from_handle(pointer)


def run(kernel: Any, config: LaunchConfig, *arguments: Any) -> None:
    """Queue one launch; returns at once.

    Parameters
    ----------
    kernel : cuda.core.Kernel
    config : cuda.core.LaunchConfig
    *arguments
        Addresses as int, numbers as NumPy scalars of the parameter's type.
    """
    launch(
        _stream(cupy.cuda.get_current_stream().ptr or _LEGACY_DEFAULT), config, kernel, *arguments
    )
