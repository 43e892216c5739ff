"""The kernels of paths between two vertices compile and keep all in registers."""

import pytest

from compiled import MOST_REGISTERS, check_kernels
from warpath import balance
from warpath.cuda.instances import st_kernel, walk_kernel

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

ONE_BLOCK = 128  # registers, where one block of 512 threads is enough


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_every_instance_compiles_without_spills(arch):
    techniques = [technique() for technique in balance.TECHNIQUES.values()]
    narrow, wide = ([st_kernel(size, each) for each in techniques] for size in (4, 8))
    check_kernels(arch, "st.cuh", narrow, ONE_BLOCK if arch == "sm_80" else MOST_REGISTERS)
    check_kernels(arch, "st.cuh", wide, ONE_BLOCK)
    check_kernels(arch, "walk.cuh", [walk_kernel()])
