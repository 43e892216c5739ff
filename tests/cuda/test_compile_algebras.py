"""The kernels of other algebras than sums compile, without a GPU, and keep all in registers."""

from itertools import product

import numpy as np
import pytest

from compiled import ARCHITECTURES, check_kernels, used
from custom_algebras import CASES
from warpath import balance
from warpath.cuda.compile import compile_kernel
from warpath.cuda.custom_algebra import header_for
from warpath.cuda.instances import (
    ALGEBRAS,
    batch_sssp_kernel,
    sssp_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)
from warpath.operators import ALGEBRAS as ALL
from warpath.operators import lookup

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


def header_of(header, case):
    """The kernels' header for an algebra of `custom_algebras`."""
    dtypes = np.dtype(case.dtype), np.dtype(case.weights)
    return header_for(header, lookup(case.algebra), *dtypes)


@pytest.mark.parametrize("name", ["toll", "capped", "widest, float64"])
def test_users_own_compile_without_spills(name):
    case = CASES[name]
    types = np.dtype(case.weights).name, np.dtype(case.dtype).name
    search = sssp_kernel(4, "NearFarRelaxing", *types, DEFAULT, False, False, True, "custom")
    check_kernels("sm_90", header_of("algorithms/sssp.cuh", case), [search])
    sweep = tight_sweep_kernel(4, *types, True, "custom")
    check_kernels("sm_90", header_of("tree.cuh", case), [sweep])
    rows = batch_sssp_kernel(*types, True, "custom")
    check_kernels("sm_90", header_of("batch.cuh", case), [rows], ONE_BLOCK)


def test_a_sum_of_users_own_takes_no_more_registers_than_the_named_one():
    instance = 4, "NearFarRelaxing", "int32", "int32", DEFAULT, False, False, False
    named, own = (
        compile_kernel(header, sssp_kernel(*instance, algebra), "sm_90", use_cache=False)
        for header, algebra in (
            ("algorithms/sssp.cuh", "shortest"),
            (header_of("algorithms/sssp.cuh", CASES["sum"]), "custom"),
        )
    )
    assert used(own.log) == used(named.log)
    assert len(own.code) < 1.05 * len(named.code)


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
