"""The kernels of triangles compile and keep all in registers."""

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import triangles_kernel


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    check_kernels(
        arch,
        "triangles.cuh",
        [triangles_kernel(size, block, 256) for size in (4, 8) for block in (False, True)],
    )
