"""Each kernel of connected components compiles, without a GPU, and keeps all in registers."""

from itertools import product

import pytest

from compiled import check_kernels
from exhaustive import EXHAUSTIVE
from warpath.balance import DEFAULT, TECHNIQUES, lookup
from warpath.cuda.instances import components_kernel


@pytest.mark.slow
def test_every_balance_compiles_without_spills():
    kernels = [components_kernel(4, False, False, lookup(name)) for name in TECHNIQUES]
    kernels += [
        components_kernel(size, directed, False, lookup(name))
        for size, directed, name in product(
            (4, 8), (False, True), TECHNIQUES if EXHAUSTIVE else (DEFAULT,)
        )
    ]
    kernels += [components_kernel(size, False, True, lookup(DEFAULT)) for size in (4, 8)]
    check_kernels("sm_90", "algorithms/components.cuh", kernels)
