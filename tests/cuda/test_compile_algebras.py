"""The kernels of other algebras than sums compile, without a GPU, and keep all in registers."""

from itertools import product

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath import balance
from warpath.cuda.instances import ALGEBRAS, sssp_kernel, tight_search_kernel, tight_sweep_kernel
from warpath.operators import ALGEBRAS as ALL

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

DEFAULT = balance.lookup(balance.DEFAULT)
TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"), ("float32", "float32"),
    ("float64", "float64"),
)  # fmt: skip
OTHERS = [
    (algebra, *types)
    for algebra, types in product(ALGEBRAS[1:], TYPES)
    if algebra != "most-reliable" or types[0].startswith("float")
]
ONE_BLOCK = 128  # registers, where one block of 512 threads is enough


def test_every_algebra_of_weights_has_its_kernels():
    assert {name for name, one in ALL.items() if not one.is_boolean} == set(ALGEBRAS)


def test_one_of_each_kind_compiles_without_spills():
    kernels = [
        sssp_kernel(4, "NearFarRelaxing", weight, distance, DEFAULT, False, False, True, algebra)
        for algebra, weight, distance in OTHERS
        if weight.endswith("32") and distance.endswith("32")
    ]
    check_kernels("sm_90", "algorithms/sssp.cuh", kernels)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    kernels, alone = [], []
    for algebra, weight, distance in OTHERS:
        types = weight, distance, DEFAULT, False
        kernels += [
            sssp_kernel(size, "NearFarRelaxing", *types, False, True, algebra) for size in (4, 8)
        ]
        if distance.endswith("32"):
            kernels.append(sssp_kernel(4, "PackedRelaxing", *types, False, True, algebra))
        alone += [
            sssp_kernel(4, "NearFarRelaxing", *types, True, True, algebra),
            sssp_kernel(4, "QueuelessRelaxing", *types, False, True, algebra),
        ]
    check_kernels(arch, "algorithms/sssp.cuh", kernels)
    check_kernels(arch, "algorithms/sssp.cuh", alone, ONE_BLOCK)
    sweeps = [
        tight_sweep_kernel(4, weight, distance, pull, algebra)
        for (algebra, weight, distance), pull in product(OTHERS, (True, False))
    ]
    check_kernels(arch, "tree.cuh", sweeps)
    searches = [
        tight_search_kernel(size, weight, distance, algebra)
        for (algebra, weight, distance), size in product(OTHERS, (4, 8))
    ]
    check_kernels(arch, "tree.cuh", searches, most_registers=80)  # of 384 threads
