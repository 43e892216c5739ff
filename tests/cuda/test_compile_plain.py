"""The plain kernels of the benchmarks compile, without a GPU."""

from pathlib import Path

import pytest

from compiled import ARCHITECTURES, check_kernels

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

CODE = Path(__file__).resolve().parents[2] / "benchmarks" / "plain.cu"
FULL = 32  # registers with which as many threads are resident as there can be


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_kernel_compiles_without_spills(arch):
    """The report on one of them is on all of the file."""
    check_kernels(arch, str(CODE), ["direct_search"], FULL)
