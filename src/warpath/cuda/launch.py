"""Launching kernels on the user's current stream."""

from functools import cache
from typing import Any

import cupy
from cuda.core import LaunchConfig, Stream, launch

from warpath import devices
from warpath.cuda.compile import load_kernel

_LEGACY_DEFAULT = 1  # cudaStreamLegacy: what the null stream is called by handle
# cuda.core before 1.0 has another name for it.
_COOPERATIVE = "is_cooperative" if hasattr(LaunchConfig, "is_cooperative") else "cooperative_launch"


@cache
def most_blocks(kernel: Any, threads: int, cluster: int, device: int) -> int:
    """How many blocks of ``kernel``, in clusters of ``cluster``, are resident on ``device`` at once."""
    if cluster > 1:
        config = LaunchConfig(grid=1, cluster=cluster, block=threads)
        clusters = kernel.occupancy.max_active_clusters(config, stream=_stream(_LEGACY_DEFAULT))
        return int(clusters) * cluster
    a_multiprocessor = kernel.occupancy.max_active_blocks_per_multiprocessor(threads, 0)
    return int(a_multiprocessor) * devices.device(device).multiprocessors


@cache
def resident(blocks: int, threads: int, cluster: int, children: bool) -> LaunchConfig:
    """A grid whose blocks all run at once, so that they can wait for each other.

    It is launched cooperatively, which makes sure of that. Kernels that launch others must not be
    (CUDA_ERROR_NOT_PERMITTED); their blocks are as many as fit beside each other, and wait for
    what other streams run before them.

    Parameters
    ----------
    blocks : int
        A multiple of ``cluster``.
    threads : int
        Of a block.
    cluster : int
        Blocks that share memory; more than 1 needs compute capability 9.0.
    children : bool
        Whether the kernel launches others.
    """
    options: dict[str, Any] = {} if children else {_COOPERATIVE: True}
    if cluster > 1:
        options["cluster"] = cluster  # `grid` then counts clusters
    return LaunchConfig(grid=blocks // cluster, block=threads, **options)


@cache
def persistent(
    header: str,
    expression: str,
    threads: int,
    blocks: int,
    device: int,
    cluster: int = 1,
    children: bool = False,
) -> tuple[Any, LaunchConfig]:
    """A kernel, and a grid of it that runs at once: at most ``blocks`` blocks, at least one.

    Parameters
    ----------
    header, expression, children
        See `warpath.cuda.compile.compile_kernel`.
    threads, cluster : int
        See `resident`.
    """
    kernel = load_kernel(header, expression, device, children)
    most = most_blocks(kernel, threads, cluster, device)
    count = max(1, min(most, blocks) // cluster) * cluster
    return kernel, resident(count, threads, cluster, children)


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
