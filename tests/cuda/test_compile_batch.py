"""The kernels of several searches at once compile and keep all in registers."""

from itertools import product

import pytest

from compiled import TYPES, check_kernels
from exhaustive import pairwise, sample, slow
from warpath.cuda.instances import (
    ALGEBRAS,
    batch_bfs_kernel,
    batch_sssp_kernel,
    batch_tree_kernel,
)

REGISTERS = 80  # so that 768 threads of a multiprocessor run: batch.cuh


def shortest_paths():
    """Kernels of each algebra with each kind of weights, and of both with either option."""
    for algebra, types, kind, option in pairwise(
        ALGEBRAS, TYPES, (batch_sssp_kernel, batch_tree_kernel), (True, False),
        allowed=lambda algebra, types, *_: algebra != "most-reliable" or types[0].startswith("float"),
    ):  # fmt: skip
        yield kind(*types, option, algebra)


@pytest.mark.slow
@pytest.mark.parametrize(("arch", "every"), [("sm_90", 1), ("sm_80", 5), ("sm_100", 5)])
def test_every_instance_compiles_without_spills(arch, every):
    """On sm_90; of the other architectures, which have the same sources, a sample."""
    kernels = [batch_bfs_kernel(*kept) for kept in product((True, False), repeat=2)]
    check_kernels(arch, "batch.cuh", sample([*kernels, *shortest_paths()], every), REGISTERS)


@pytest.mark.parametrize(
    "kernel",
    [
        batch_sssp_kernel("int64", "int64", True, "widest"),
        *slow([
            batch_sssp_kernel("float32", "float32", True, "most-reliable"),
            batch_tree_kernel("float64", "float64", True, "minimax"),
        ]),
    ],
    ids=str,
)  # fmt: skip
def test_one_of_each_kind_compiles_without_spills(kernel):
    check_kernels("sm_90", "batch.cuh", [kernel], REGISTERS)
