"""The kernels of propagation blocking compile and keep all in registers."""

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import accumulate_kernel, propagate_kernel, split_kernel, tiles_kernel


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    check_kernels(
        arch,
        "propagation_blocking.cuh",
        [
            *(
                tiles_kernel(name, offset, 46_272)
                for name in ("count_tiles", "fill_tiles")
                for offset in (4, 8)
            ),
            split_kernel(),
            *(propagate_kernel(*case) for case in (("float32", 46_272), ("int64", 23_136))),
            *(accumulate_kernel(value) for value in ("float32", "int64")),
        ],
    )
