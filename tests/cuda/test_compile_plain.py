"""The plain kernels of the benchmarks compile, without a GPU."""

from pathlib import Path

import pytest

from compiled import ARCHITECTURES, check_kernels

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
FULL = 32  # registers with which as many threads are resident as there can be


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_kernel_compiles_without_spills(arch):
    """The report on one of them is on all of the file."""
    check_kernels(arch, str(BENCHMARKS / "plain.cu"), ["direct_search"], FULL)


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_child_grids_link(arch):
    code = str(BENCHMARKS / "plain_children.cu")
    check_kernels(arch, code, ["virtual_warp_with_children"], FULL, children=True)
