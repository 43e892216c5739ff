"""The kernels that sweep over representations compile and keep all in registers."""

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath.cuda.instances import graph_sweep_kernel


@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_instance_compiles_without_spills(arch):
    kernels = [
        graph_sweep_kernel("sweep_matrix"),
        *(graph_sweep_kernel("sweep_lists", f"warpath::{one}") for one in ("TwoArrays", "Interleaved")),
        *(graph_sweep_kernel("sweep_edges", each_once) for each_once in (False, True)),
    ]  # fmt: skip
    check_kernels(arch, "graph_sweeps.cuh", kernels)
