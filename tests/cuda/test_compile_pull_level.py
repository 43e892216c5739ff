"""The kernel of a bottom-up level in a launch of its own compiles and keeps all in registers."""

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import pull_level_kernel


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    check_kernels(arch, "pull_level.cuh", [pull_level_kernel(size) for size in (4, 8)])
