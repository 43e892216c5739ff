"""Kernels from their headers, by NVRTC; compiled once, then kept on disk.

A kernel is an instance of a template, named by a C++ expression such as
``warpath::bfs<unsigned, warpath::ThreadMapped<0>, true, true, 512>``. Compiling needs neither a
GPU nor a driver.
"""

import hashlib
import os
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from warpath import devices, kernel_cache
from warpath.errors import DeviceUnavailableError

KERNELS = Path(__file__).parent / "kernels"
_STANDARD = "c++20"


@dataclass(frozen=True)
class Cubin:
    """Machine code of one kernel.

    Attributes
    ----------
    code : bytes
    symbol : str
        The kernel's name in it.
    log : str
        What the assembler reported (registers, spills); empty if it came from disk.
    """

    code: bytes
    symbol: str
    log: str = ""


def compile_kernel(
    header: str, expression: str, arch: str, *, use_cache: bool = True, children: bool = False
) -> Cubin:
    """Compile one instance of a kernel template.

    Parameters
    ----------
    header : str
        The file in `KERNELS` that has the template, ``"bfs.cuh"``.
    expression : str
        The instance, as C++ names it.
    arch : str
        ``"sm_90"``.
    use_cache : bool
        Whether to look on disk first, and to keep the result there.
    children : bool
        Whether it launches child grids: then it is linked with the device's run time.

    Raises
    ------
    DeviceUnavailableError
        If that is not installed.
    """
    with kernel_cache.compiling():
        return _find_or_compile(header, expression, arch, use_cache, children)


def _find_or_compile(
    header: str, expression: str, arch: str, use_cache: bool, children: bool
) -> Cubin:
    folder = kernel_cache.private_folder("kernels") if use_cache else None
    if folder is None:
        return _compile(header, expression, arch, children)
    made_of = _made_of(header, expression, arch)
    path = folder / f"{hashlib.sha256(made_of).hexdigest()[:32]}.cubin"
    cubin = _read(path, made_of)
    if cubin is not None:
        return cubin
    with kernel_cache.turn(path):
        cubin = _read(path, made_of)
        if cubin is not None:
            return cubin
        cubin = _compile(header, expression, arch, children)
        try:
            kernel_cache.write(path, made_of, cubin.symbol.encode() + b"\n" + cubin.code)
        except OSError as error:
            kernel_cache.warn_once(f"compiled kernels cannot be kept: {error}")
        return cubin


def _read(path: Path, made_of: bytes) -> Cubin | None:
    content = kernel_cache.read(path, made_of, private=True)
    if content is None:
        return None
    symbol, _, code = content.partition(b"\n")
    return Cubin(code, symbol.decode())


def _compile(header: str, expression: str, arch: str, children: bool) -> Cubin:
    kernel_cache.notice()
    core = devices.cuda_module("cuda.core")
    options = core.ProgramOptions(
        arch=arch,
        std=_STANDARD,
        include_path=[str(KERNELS)],
        ptxas_options=["-v"],
        relocatable_device_code=children,
    )
    log = _Log()
    program = core.Program(f'#include "{header}"\n', "c++", options)
    binary = program.compile("cubin", name_expressions=(expression,), logs=log)
    code = _link(binary, arch) if children else bytes(binary.code)
    return Cubin(code, _text(binary.symbol_mapping[expression]), log.text)


def _link(binary: Any, arch: str) -> bytes:
    """Relocatable code with the device's run time, by nvJitLink."""
    core = devices.cuda_module("cuda.core")
    run_time = core.ObjectCode.from_library(_device_run_time().read_bytes())
    linked = core.Linker(binary, run_time, options=core.LinkerOptions(arch=arch)).link("cubin")
    return bytes(linked.code)


@cache
def _device_run_time() -> Path:
    """CUDA's ``libcudadevrt.a``: of the wheel of CUDA's run time, or of a toolkit."""
    folders = [Path(entry) / "nvidia" for entry in sys.path]
    roots = [os.environ.get(name) for name in ("CUDA_HOME", "CUDA_PATH")]
    folders += [Path(root) for root in (*roots, "/usr/local/cuda") if root]
    for folder in folders:
        for place in ("cu13/lib", "cuda_runtime/lib", "lib64", "lib", "lib/x64", "cu13/lib/x64"):
            for name in ("libcudadevrt.a", "cudadevrt.lib"):
                if (path := folder / place / name).exists():
                    return path
    raise DeviceUnavailableError(
        "child grids need CUDA's libcudadevrt.a, which was not found: pip install "
        "nvidia-cuda-runtime, or set CUDA_HOME to a toolkit"
    )


@cache
def load_kernel(header: str, expression: str, device: int, children: bool = False) -> Any:
    """A `cuda.core.Kernel`, ready to be launched on ``device``; see `compile_kernel`."""
    core = devices.cuda_module("cuda.core")
    core.Device(device).set_current()
    cubin = compile_kernel(header, expression, devices.device(device).arch, children=children)
    return core.ObjectCode.from_cubin(cubin.code).get_kernel(cubin.symbol)


class _Log:
    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str | bytes) -> None:
        self.text += _text(text)


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value


@cache
def _sources() -> bytes:
    """A digest of all headers."""
    digest = hashlib.sha256()
    for path in sorted(KERNELS.rglob("*.cuh")):
        digest.update(f"{path.relative_to(KERNELS)}\0".encode() + path.read_bytes() + b"\0")
    return digest.digest()


@cache
def _compiler() -> str:
    _, major, minor = devices.cuda_module("cuda.bindings.nvrtc").nvrtcVersion()
    return f"nvrtc {major}.{minor}"


def _made_of(header: str, expression: str, arch: str) -> bytes:
    parts = "\0".join((header, expression, arch, _STANDARD, _compiler()))
    return _sources() + parts.encode()
