"""The kernel that lists rows compiles and keeps all in registers."""

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import list_rows_kernel


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    check_kernels(arch, "list_rows.cuh", [list_rows_kernel(size) for size in (4, 8)])
