"""What the compiler makes of kernels: registers and spills, without a GPU."""

import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import pytest

from exhaustive import EXHAUSTIVE
from warpath.cuda.compile import compile_kernel

# Where it is not there, what imports this module is skipped.
pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

ARCHITECTURES = ("sm_80", "sm_90", "sm_100") if EXHAUSTIVE else ("sm_90",)
MOST_REGISTERS = 64  # so that two blocks of 512 threads are resident
ONE_BLOCK = 128  # registers, where one block of 512 threads is enough
TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"), ("float32", "float32"),
    ("float64", "float64"),
)  # fmt: skip


def used(log: str) -> tuple[int, int]:
    """(registers, bytes of spilled stores and loads) by the assembler's report, of all kernels."""
    registers = max(map(int, re.findall(r"Used (\d+) registers", log)))
    spilled = sum(map(int, re.findall(r"(\d+) bytes spill", log)))
    return registers, spilled


def check_kernels(
    arch: str,
    header: str,
    expressions: Iterable[str],
    most_registers: int = MOST_REGISTERS,
    children: bool = False,
) -> None:
    """Compile instances of ``header``'s templates: none may spill or take too many registers."""

    def build(expression: str) -> tuple[int, int]:
        cubin = compile_kernel(header, expression, arch, use_cache=False, children=children)
        assert cubin.code.startswith(b"\x7fELF")
        assert expression.split("<")[0].removeprefix("warpath::") in cubin.symbol
        return used(cubin.log)

    expressions = list(expressions)
    with ThreadPoolExecutor(2) as pool:
        results = dict(zip(expressions, pool.map(build, expressions), strict=True))
    for expression, (registers, spilled) in results.items():
        print(f"{arch} {expression}: {registers} registers, {spilled} bytes spilled")
    assert {
        name: use for name, use in results.items() if use[0] > most_registers or use[1] > 0
    } == {}
