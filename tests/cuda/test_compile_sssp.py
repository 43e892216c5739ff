"""Each kernel of shortest paths compiles, without a GPU, and keeps all in registers."""

from itertools import product

import pytest

from compiled import check_kernels
from warpath import balance
from warpath.cuda.instances import sssp_kernel

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

ONE_BLOCK = 128  # registers, where one block of 512 threads is enough
OFFSET_BYTES = (4, 8)
TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"),
    ("float32", "float32"), ("float64", "float64"),
)  # fmt: skip
SHORT = (TYPES[0], TYPES[3])
TECHNIQUES = [technique() for technique in balance.TECHNIQUES.values()]
DEFAULT = balance.lookup(balance.DEFAULT)
BOTH = (False, True)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_every_kind_of_instance_compiles_without_spills(arch):
    wide = [
        sssp_kernel(size, method, *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
        for method in ("NearFar", "NearFarList")
        if not (parents and method == "NearFarList")  # which takes no negative weights
    ]
    wide += [
        sssp_kernel(size, "Packed", *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, SHORT, BOTH)
    ]
    check_kernels(arch, "sssp.cuh", wide)
    narrow = [
        sssp_kernel(size, "NearFar", *types, DEFAULT, parents, True, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
    ]
    queueless = [
        sssp_kernel(size, "Queueless", *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
    ]
    check_kernels(arch, "sssp.cuh", narrow + queueless, ONE_BLOCK)


@pytest.mark.slow
@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_every_balance_compiles_without_spills(technique):
    for narrow, most in ((False, None), (True, ONE_BLOCK)):
        kernels = [
            sssp_kernel(4, "NearFar", *types, technique, False, narrow, True)
            for types in (TYPES[0], TYPES[2])
        ]
        check_kernels("sm_90", "sssp.cuh", kernels, *([most] if most else []))
