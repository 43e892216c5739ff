"""The kernel that shows which lane visits which arc compiles for every technique."""

import pytest

from compiled import check_kernels
from warpath import balance
from warpath.cuda.instances import explain_kernel

THREADS = 64  # of warpath.cuda.explain, which wants a device


@pytest.mark.slow
def test_every_technique_compiles():
    kernels = [explain_kernel(each(), THREADS) for each in balance.TECHNIQUES.values()]
    check_kernels("sm_90", "explain.cuh", kernels)
