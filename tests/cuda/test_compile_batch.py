"""The kernels of several searches at once compile and keep all in registers."""

from itertools import product

import pytest

from compiled import check_kernels
from warpath.cuda.instances import (
    ALGEBRAS,
    batch_bfs_kernel,
    batch_sssp_kernel,
    batch_tree_kernel,
)

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"), ("float32", "float32"),
    ("float64", "float64"),
)  # fmt: skip
OTHERS = [
    (*types, algebra)
    for algebra, types in product(ALGEBRAS[1:], TYPES)
    if algebra != "most-reliable" or types[0].startswith("float")
]
REGISTERS = 80  # so that 768 threads of a multiprocessor run: batch.cuh


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_every_instance_compiles_without_spills(arch):
    kernels = [batch_bfs_kernel(*kept) for kept in product((True, False), repeat=2)]
    kernels += [batch_sssp_kernel(*types, trace) for types, trace in product(TYPES, (True, False))]
    kernels += [batch_tree_kernel(*types, pull) for types in TYPES for pull in (True, False)]
    check_kernels(arch, "batch.cuh", kernels, REGISTERS)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ["sm_80", "sm_90", "sm_100"])
def test_other_algebras_compile_without_spills(arch):
    kernels = [batch_sssp_kernel(*types, True, algebra) for *types, algebra in OTHERS]
    kernels += [
        batch_tree_kernel(*types, pull, algebra)
        for (*types, algebra), pull in product(OTHERS, (True, False))
    ]
    check_kernels(arch, "batch.cuh", kernels, REGISTERS)


def test_one_of_each_kind_compiles_without_spills():
    kernels = [
        batch_sssp_kernel("int64", "int64", True, "widest"),
        batch_sssp_kernel("float32", "float32", True, "most-reliable"),
        batch_tree_kernel("float64", "float64", True, "minimax"),
    ]
    check_kernels("sm_90", "batch.cuh", kernels, REGISTERS)
