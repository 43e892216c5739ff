"""Each kernel of core numbers compiles, without a GPU, and keeps all in registers."""

import pytest

from compiled import check_kernels
from exhaustive import EXHAUSTIVE
from warpath.balance import DEFAULT, TECHNIQUES, lookup
from warpath.cuda.instances import cores_kernel


@pytest.mark.slow
def test_every_balance_compiles_without_spills():
    names = [name for name in TECHNIQUES if not lookup(name).launches_children]
    kernels = [cores_kernel(4, lookup(name)) for name in names]
    kernels += [cores_kernel(8, lookup(name)) for name in (names if EXHAUSTIVE else (DEFAULT,))]
    check_kernels("sm_90", "algorithms/cores.cuh", kernels)
