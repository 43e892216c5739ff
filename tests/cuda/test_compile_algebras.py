"""The kernels of other algebras than sums compile, without a GPU, and keep all in registers."""

from itertools import product

import numpy as np
import pytest

from compiled import ARCHITECTURES, ONE_BLOCK, TYPES, check_kernels, used
from custom_algebras import CASES
from exhaustive import pairwise, slow
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

DEFAULT = balance.lookup(balance.DEFAULT)


def is_built(algebra, types, kind, size=4):
    if algebra == "most-reliable" and types[0].startswith("int"):
        return False
    if kind == "PackedRelaxing":
        return size == 4 and types[1].endswith("32")
    return size == 4 or kind not in ("asynchronous", "QueuelessRelaxing")


def test_every_algebra_of_weights_has_its_kernels():
    assert {name for name, one in ALL.items() if not one.is_boolean} == set(ALGEBRAS)


@pytest.mark.slow
def test_one_of_each_kind_compiles_without_spills():
    kernels = [
        sssp_kernel(4, "NearFarRelaxing", *types, DEFAULT, False, False, True, algebra)
        for algebra, types in product(ALGEBRAS[1:], (TYPES[0], TYPES[3]))
        if is_built(algebra, types, "NearFarRelaxing")
    ]
    check_kernels("sm_90", "algorithms/sssp.cuh", kernels)


def header_of(header, case):
    """The kernels' header for an algebra of `custom_algebras`."""
    dtypes = np.dtype(case.dtype), np.dtype(case.weights)
    return header_for(header, lookup(case.algebra), *dtypes)


@pytest.mark.parametrize("name", ["toll", *slow(["capped", "widest, float64"])])
def test_users_own_compile_without_spills(name):
    case = CASES[name]
    types = np.dtype(case.weights).name, np.dtype(case.dtype).name
    searches = [
        sssp_kernel(4, relaxing, *types, DEFAULT, False, False, True, "custom")
        for relaxing in ("NearFarRelaxing", "LimitedRelaxing NearFarRelaxing")
    ]
    check_kernels("sm_90", header_of("algorithms/sssp.cuh", case), searches)
    sweep = tight_sweep_kernel(4, *types, True, "custom")
    check_kernels("sm_90", header_of("tree.cuh", case), [sweep])
    rows = batch_sssp_kernel(*types, True, "custom")
    check_kernels("sm_90", header_of("batch.cuh", case), [rows], ONE_BLOCK)


@pytest.mark.slow
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
    relaxing = ("NearFarRelaxing", "PackedRelaxing", "asynchronous", "QueuelessRelaxing")
    kernels, alone = [], []
    for algebra, types, kind, size in pairwise(
        ALGEBRAS[1:], TYPES, relaxing, (8, 4), allowed=is_built
    ):
        asynchronous = kind == "asynchronous"
        method = "NearFarRelaxing" if asynchronous else kind
        kernel = sssp_kernel(size, method, *types, DEFAULT, False, asynchronous, True, algebra)
        (alone if kind in relaxing[2:] else kernels).append(kernel)
    check_kernels(arch, "algorithms/sssp.cuh", kernels)
    check_kernels(arch, "algorithms/sssp.cuh", alone, ONE_BLOCK)
    sweeps, searches = [], []
    for algebra, types, kind in pairwise(
        ALGEBRAS[1:], TYPES, ("search", "pull", "push"), allowed=is_built
    ):
        if kind == "search":
            searches.append(tight_search_kernel(8, *types, algebra))
        else:
            sweeps.append(tight_sweep_kernel(4, *types, kind == "pull", algebra))
    check_kernels(arch, "tree.cuh", sweeps)
    check_kernels(arch, "tree.cuh", searches, most_registers=80)  # of 384 threads
