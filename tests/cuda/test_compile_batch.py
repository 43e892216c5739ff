"""The kernels of several searches at once compile and keep all in registers."""

import pytest

from compiled import check_kernels
from warpath.cuda.instances import batch_bfs_kernel, batch_sssp_kernel, batch_tree_kernel

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"), ("float32", "float32"),
    ("float64", "float64"),
)  # fmt: skip
REGISTERS = 80  # so that 768 threads of a multiprocessor run: batch.cuh


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_every_instance_compiles_without_spills(arch):
    kernels = [batch_bfs_kernel(predecessors) for predecessors in (True, False)]
    kernels += [batch_sssp_kernel(*types) for types in TYPES]
    kernels += [batch_tree_kernel(*types, pull) for types in TYPES for pull in (True, False)]
    check_kernels(arch, "batch.cuh", kernels, REGISTERS)
