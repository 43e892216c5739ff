"""Arrays of the host that a GPU reads where they lie, and searches of graphs that its memory does not hold."""

import gc

import numpy as np
import pytest

import warpath as wp
from warpath import devices

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(devices.missing() is not None, reason=f"no GPU: {devices.missing()}"),
]


def aligned(size, dtype, beside=0):
    """An array that begins ``beside`` bytes behind a multiple of 16."""
    space = np.zeros(size * np.dtype(dtype).itemsize + 64, np.uint8)
    begin = -space.ctypes.data % 16 + beside
    return space[begin:][: size * np.dtype(dtype).itemsize].view(dtype)


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("beside", [0, 8])
def test_an_array_is_read_where_it_lies_or_in_a_copy(dtype, beside):
    from warpath.cuda import pinned_memory

    array = aligned(2**20 - 4, dtype, beside)
    array[:] = np.arange(len(array))
    there = pinned_memory.pin(array)
    in_all = len(array) * (len(array) - 1) // 2
    assert int(there.sum(dtype=np.float64)) == in_all
    array[7] = 0  # 7 less
    assert int(there.sum(dtype=np.float64)) == in_all - (0 if beside else 7)


def test_an_array_is_pinned_once_and_freed():
    from warpath.cuda import pinned_memory

    array = aligned(2**20, np.int32)
    key = array.ctypes.data, array.nbytes
    first, second = pinned_memory.pin(array), pinned_memory.pin(array)
    assert first.data.ptr == second.data.ptr
    del first
    assert not int(second[-1])
    del second
    gc.collect()
    assert key not in pinned_memory._registered
    assert not int(pinned_memory.pin(array)[0])  # it can be pinned again


def test_searches_within_a_limit():
    import cupy

    drawn = wp.generate.rmat(17, 32, weights=(1, 255), simple=True, seed=1, device="cuda")
    csr = drawn.row_offsets, drawn.column_indices, drawn.weights
    graph = wp.Graph.from_csr(*csr, directed=False)
    del drawn, csr
    pool = cupy.get_default_memory_pool()
    pool.free_all_blocks()
    pool.set_limit(size=pool.used_bytes() + graph.column_indices.nbytes)
    try:
        for search in (wp.bfs, wp.sssp):
            found = search(graph, 0, device="cuda")
            assert found.stats.plan.out_of_core
            found.verify()
        assert wp.connected_components(graph, device="cuda")[1] > 0
    finally:
        pool.set_limit(size=0)
    graph.release()
    assert not wp.plan(graph, "bfs", 0, device="cuda").out_of_core
