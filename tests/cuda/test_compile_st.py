"""The kernels of paths between two vertices compile and keep all in registers."""

import pytest

from compiled import MOST_REGISTERS, ONE_BLOCK, check_kernels
from exhaustive import sample
from warpath import balance
from warpath.cuda.instances import st_kernel, walk_kernel


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arch", "first", "every"), [("sm_90", 0, 1), ("sm_80", 0, 4), ("sm_100", 2, 4)]
)
def test_every_instance_compiles_without_spills(arch, first, every):
    """With 32-bit offsets on sm_90; of the others a sample, which have the same sources."""
    techniques = [technique() for technique in balance.TECHNIQUES.values()]
    narrow = [st_kernel(4, each) for each in sample(techniques, every, first)]
    wide = [st_kernel(8, each) for each in sample(techniques, 4, first)]
    check_kernels(arch, "st.cuh", narrow, ONE_BLOCK if arch == "sm_80" else MOST_REGISTERS)
    check_kernels(arch, "st.cuh", wide, ONE_BLOCK)
    check_kernels(arch, "walk.cuh", [walk_kernel()])
