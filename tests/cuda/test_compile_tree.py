"""The kernels around shortest paths compile and keep all in registers."""

from itertools import cycle

import pytest

from compiled import ARCHITECTURES, TYPES, check_kernels
from exhaustive import pairwise
from warpath.cuda.instances import (
    cycle_kernel,
    roots_kernel,
    stale_parents_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)

OFFSET_BYTES = (8, 4)
# Whether arcs are looked at from their end, and whether distances are an order.
SWEEPS = ((True, True), (False, True), (False, False))


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    sweeps = [
        tight_sweep_kernel(size, *types, pull, ordered=ordered)
        for types, (pull, ordered), size in pairwise(TYPES, SWEEPS, OFFSET_BYTES)
    ]
    of_both = [(size, *types) for size, types in zip(cycle(OFFSET_BYTES), TYPES, strict=False)]
    searches = [tight_search_kernel(*kind) for kind in of_both]
    roots = [roots_kernel(distance) for distance in ("int32", "int64", "float32", "float64")]
    check_kernels(arch, "tree.cuh", sweeps + roots)
    check_kernels(arch, "tree.cuh", searches, most_registers=80)  # of 384 threads
    offers = [stale_parents_kernel(*kind) for kind in of_both]
    check_kernels(arch, "parent_cycle.cuh", [cycle_kernel(), *offers])
