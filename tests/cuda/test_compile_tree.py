"""The kernels around shortest paths compile and keep all in registers."""

from itertools import product

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import (
    cycle_kernel,
    roots_kernel,
    stale_parents_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"), ("float32", "float32"),
    ("float64", "float64"),
)  # fmt: skip
OFFSET_BYTES = (4, 8)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    sweeps = [tight_sweep_kernel(size, *types, pull) for size, types, pull in product(OFFSET_BYTES, TYPES, (True, False))]  # fmt: skip
    searches = [tight_search_kernel(size, *types) for size, types in product(OFFSET_BYTES, TYPES)]
    roots = [roots_kernel(distance) for distance in ("int32", "int64", "float32", "float64")]
    check_kernels(arch, "tree.cuh", sweeps + roots)
    check_kernels(arch, "tree.cuh", searches, most_registers=80)  # of 384 threads
    signed = [tight_sweep_kernel(size, *types, False, ordered=False) for size, types in product(OFFSET_BYTES, TYPES)]  # fmt: skip
    check_kernels(arch, "tree.cuh", signed)
    offers = [stale_parents_kernel(size, *types) for size, types in product(OFFSET_BYTES, TYPES)]
    check_kernels(arch, "parent_cycle.cuh", [cycle_kernel(), *offers])
