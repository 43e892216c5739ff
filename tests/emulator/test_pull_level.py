"""A bottom-up level by its driver, where a warp's words have about as many arcs as 32 bits can name."""

from types import SimpleNamespace

import numpy as np
import pytest

from emulated_bfs import THREADS
from emulated_runtime import EmulatedRuntime
from warpath.cuda.arguments import CSR
from warpath.cuda.instances import pull_level_kernel
from warpath.cuda.pull_level import pull_level
from warpath.cuda.runtime import use


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator, [("pull_level.cuh", pull_level_kernel(8, THREADS))]) as runtime:
        yield runtime


@pytest.mark.parametrize("has_neighbor", [True, False])
@pytest.mark.parametrize("beyond", [-200, -129, -128, -1, 0, 200])
def test_arcs_at_the_end_of_what_32_bits_name(runtime, beyond, has_neighbor):
    """Vertex 0 was reached, so only the 60 arcs of vertex 1 are looked at, and only they have columns."""
    arcs = 2**32 + beyond
    first = (arcs - 60) // 4 * 4  # kernels load four columns at once
    columns = np.ones(arcs - first + 4, np.int32)
    columns[arcs - first - 1] = 0 if has_neighbor else 1
    runtime.seed, runtime.blocks = 1, 1
    with use(runtime):
        xp = runtime.xp
        offsets, there = xp.asarray(np.array([0, arcs - 60, arcs], np.uint64)), xp.asarray(columns)
        csr = CSR(
            vertices=2, row_offsets=runtime.address(offsets),
            column_indices=runtime.address(there) - 4 * first,
        )  # fmt: skip
        reverse = SimpleNamespace(num_vertices=2, num_arcs=arcs, offset_bytes=8, csr=csr)
        distance = xp.asarray(np.array([0, -1], np.int32))
        pull_level(reverse, xp.asarray(np.array([True, False])), distance, 1)
        assert distance.get().tolist() == [0, 1 if has_neighbor else -1]
