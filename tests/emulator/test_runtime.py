"""The emulator as a runtime: drivers' arrays, memory and launches, and what it reports."""

from pathlib import Path

import numpy as np
import pytest

from emulated_memory import arena
from emulated_runtime import EmulatedRuntime
from planted import Fault
from warpath.cuda.arguments import BOOL, POINTER, U32, Struct
from warpath.cuda.memory import Layout
from warpath.cuda.runtime import current, use
from warpath.graph.sort import GivenEdges, rows_of

KERNELS = Path(__file__).resolve().parent / "kernels"
HEADER = "runtime.cuh"
SEEDS = range(1, 17)
NAMES = (
    "sum_by_block<64>", "write_one", "lose_updates", "wait_for_more", "poll", "record_order",
    "record_shape", "launch_children",
)  # fmt: skip
SUM = Struct(values=POINTER, sums=POINTER, n=U32, twice=BOOL)
WRITE = Struct(at=POINTER, index="i8")
COUNTER = Struct(counter=POINTER)
ORDER = Struct(order=POINTER, size=POINTER)
SHAPE = Struct(blocks_threads_cluster=POINTER)


@pytest.fixture(scope="module")
def programs(emulator):
    instances = [(HEADER, f"warpath::{name}") for name in NAMES]
    with EmulatedRuntime(emulator, instances, include=[KERNELS]) as runtime:
        yield runtime


@pytest.fixture
def runtime(programs):
    programs.seed, programs.blocks, programs.timeout = 0, 2, 120
    with use(programs):
        yield programs


def kernel(runtime, name, cluster=1):
    return runtime.persistent(HEADER, f"warpath::{name}", 64, 1, cluster)


def block_sums(values, runtime, twice=False):
    sums = runtime.xp.empty(runtime.blocks, np.int32)
    values = runtime.xp.asarray(values)
    arguments = SUM(
        values=runtime.address(values), sums=runtime.address(sums), n=len(values), twice=twice
    )
    kernel(runtime, "sum_by_block<64>").launch(arguments)
    return sums


@pytest.mark.parametrize("blocks", [1, 2, 3])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_kernel_runs(runtime, seed, blocks):
    runtime.seed, runtime.blocks = seed, blocks
    values = np.arange(1000, dtype=np.int32)
    assert current() is runtime
    sums = block_sums(values, runtime)
    assert isinstance(sums, runtime.xp.ndarray)
    assert sums.shape == (blocks,)
    assert sums.get().sum() == values.sum()
    assert block_sums(values, runtime, twice=True).get().sum() == 2 * values.sum()


def write(runtime, at, index):
    address = at if isinstance(at, int) else runtime.address(at)
    kernel(runtime, "write_one").launch(WRITE(at=address, index=index))


def count(runtime, name, counter):
    kernel(runtime, name).launch(COUNTER(counter=runtime.address(counter)))
    return int(counter[0])


def order(runtime):
    threads = runtime.blocks * 64
    made, size = runtime.xp.empty(threads, np.int32), runtime.xp.zeros(1, np.int32)
    arguments = ORDER(order=runtime.address(made), size=runtime.address(size))
    kernel(runtime, "record_order").launch(arguments)
    assert sorted(made.tolist()) == list(range(threads))
    return made.tolist()


@pytest.mark.parametrize(("blocks", "cluster", "shape"), [(3, 1, 3), (3, 2, 2), (1, 4, 4)])
def test_the_grid_is_as_the_runtime_says(runtime, blocks, cluster, shape):
    runtime.blocks = blocks
    seen = runtime.xp.zeros(3, np.uint32)
    one = kernel(runtime, "record_shape", cluster)
    assert one.blocks == shape
    one.launch(SHAPE(blocks_threads_cluster=runtime.address(seen)))
    assert seen.tolist() == [shape, 64, cluster]


def test_another_grid_is_another_device(runtime):
    before = runtime.device
    runtime.blocks = 3
    assert runtime.device != before
    assert runtime.threads(512) == 64
    assert runtime.compute_capability >= (9, 0)


def test_child_grids_run_before_the_launch_returns(runtime):
    assert count(runtime, "launch_children", runtime.xp.zeros(1, np.int32)) == 2 * 3 * 256


# ---- memory ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 5, 64, 1000])
def test_writes_beside_an_array_are_reported(emulator, runtime, size):
    before, array, behind = (runtime.xp.zeros(size, np.int32) for _ in range(3))
    for index in (-1, size):
        with pytest.raises(emulator.Error, match=r"(?s)use-after-poison.*lies \d+ bytes b"):
            write(runtime, array, index)
    write(runtime, array, size - 1)
    assert array.tolist() == [0] * (size - 1) + [1]
    assert not before.any()
    assert not behind.any()


def test_padding_is_part_of_an_array(emulator, runtime):
    array = runtime.xp.zeros(8, np.int32)[:5]
    write(runtime, array, 7)
    with pytest.raises(emulator.Error, match="lies 0 bytes behind the end of the 32 bytes"):
        write(runtime, array, 8)


def test_nothing_of_an_empty_array_is_written(emulator, runtime):
    """It lies nowhere, as in CuPy."""
    with pytest.raises(emulator.Error, match="SEGV on unknown address 0x0"):
        write(runtime, runtime.xp.zeros(0, np.int32), 0)


def test_freed_memory_is_not_written(emulator, runtime):
    array = runtime.xp.zeros(100, np.int32)
    address, part = runtime.address(array), array[10:20]
    del array
    write(runtime, address, 5)  # a view keeps it
    del part
    with pytest.raises(emulator.Error, match="use-after-poison"):
        write(runtime, address, 5)


def test_arrays_of_the_host_have_no_address(runtime):
    assert runtime.address(None) == 0
    with pytest.raises(ValueError, match=r"an array of the host, int32\[3, 2\]"):
        runtime.address(np.zeros((3, 2), np.int32))
    assert not isinstance(np.zeros(3), runtime.xp.ndarray)


def test_memory_is_cleared_and_fetched(runtime):
    memory = runtime.allocate(100)
    assert memory.address % 256 == 0
    memory.clear(0, 100, 7)
    memory.clear(10, 12)
    assert memory.fetch(8, 14).tolist() == [7, 7, 0, 0, 7, 7]
    write(runtime, memory.address, 24)
    assert memory.fetch(96, 100).tolist() == [1, 0, 0, 0]
    with pytest.raises(IndexError):
        memory.clear(90, 101)


def test_writes_beside_an_array_of_a_workspace_are_reported(emulator, runtime):
    sizes = {"one": 3, "two": 1, "none": 0, "three": 8}
    layout = Layout(**{name: (np.int32, size) for name, size in sizes.items()})
    space = runtime.allocate(layout.nbytes)
    for name, address in layout.at(space.address).items():
        for index in range(sizes[name]):
            write(runtime, address, index)
        for index in (-1, sizes[name]):
            with pytest.raises(emulator.Error, match="use-after-poison"):
                write(runtime, address, index)


def test_memory_without_content_differs_by_seed(runtime):
    def first_bytes(seed):
        runtime.seed = seed
        memory = runtime.allocate(8).fetch(0, 8)
        array = runtime.xp.empty(2, np.uint32).view(np.uint8)
        assert memory.tolist() == array.tolist()
        assert memory[0] % 2
        return memory.tobytes()

    assert len({first_bytes(seed) for seed in range(8)}) == 8


def test_more_memory_than_there_is(runtime):
    with pytest.raises(MemoryError, match="the emulator has no 2147483648 bytes"):
        runtime.allocate(2**31)
    free, total = runtime.xp.cuda.runtime.memGetInfo()
    kept = runtime.allocate(1000)
    assert runtime.xp.cuda.runtime.memGetInfo() == (free - kept.nbytes, total)


def test_allocations_do_not_touch(runtime):
    rng = np.random.default_rng(0)
    kept = {}
    for turn in range(400):
        if turn == 200:
            arena()._next = max(kept)  # from here on every address was used before
        memory = runtime.allocate(int(rng.integers(0, 2000)))
        kept[memory.address] = memory
        if turn >= 100:
            del kept[rng.choice(list(kept))]
        del memory
    live = arena().live()
    assert {address for address, _ in live} >= set(kept)
    ends = [address + size for address, size in live]
    assert all(end + 256 <= start for end, (start, _) in zip(ends, live[1:], strict=False))


def test_addresses_come_again_at_the_end_of_memory(runtime):
    arena()._next = max(arena()._next, 0x3000_0000_0000 + 2**30 - 512)
    assert runtime.allocate(1000).address < arena().used


# ---- arrays ------------------------------------------------------------------------------------


def test_results_lie_in_device_memory(runtime):
    xp = runtime.xp
    host = np.array([3, 1, 2], np.int32)
    array = xp.asarray(host)
    assert xp.asarray(array).ctypes.data == array.ctypes.data
    parts = xp.nonzero(array > 1)
    made = [
        array + 1, -array, array[array > 1], array[:2], array[xp.argsort(array)], array.copy(),
        array.astype(np.int64), array.cumsum(), xp.cumsum(array), xp.concatenate([array, array]),
        xp.where(array > 1, array, 0), xp.searchsorted(array, array), np.minimum(array, 2),
        np.minimum.reduceat(array, [0, 1]), array.view(np.uint32), array.T, *parts, array.max(),
        array[0], xp.empty_like(array), xp.full(3, 7), xp.arange(4), xp.unique(array),
    ]  # fmt: skip
    for each in made:
        assert isinstance(each, xp.ndarray)
        assert runtime.address(each) % each.itemsize == 0
    array[:] = 5
    array += 1
    xp.copyto(array[:1], array[1:2] + 1)
    assert array.tolist() == [7, 6, 6]
    assert host.tolist() == [3, 1, 2]
    array.set(host)
    array.sort()
    assert type(array.get()) is type(xp.asnumpy(array)) is np.ndarray
    assert array.get().tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match=r"int32\(3,\) cannot be set to int64"):
        array.set(host.astype(np.int64))


@pytest.mark.parametrize("merge", ["keep", "min", "sum"])
@pytest.mark.parametrize("dtype", [np.int32, np.float32])
def test_a_graph_is_built_in_device_memory(runtime, dtype, merge):
    xp, rng = runtime.xp, np.random.default_rng(0)
    edges = [*rng.integers(0, 20, (2, 300), np.int32), rng.integers(1, 9, 300).astype(dtype)]
    right, self_loops = rows_of(np, GivenEdges(*edges), 0, 20, mirror=True, merge=merge)
    found, counted = rows_of(
        xp, GivenEdges(*map(xp.asarray, edges)), 0, 20, mirror=True, merge=merge
    )
    assert counted == self_loops
    for one, other in zip(found, right, strict=True):
        runtime.address(one)
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one.get(), other)


# ---- schedules and reports ---------------------------------------------------------------------


def test_a_seed_is_a_sequence_of_schedules(runtime):
    def orders(seed):
        runtime.seed = seed
        return [order(runtime) for _ in range(3)]

    assert orders(0) == [list(range(128))] * 3
    found = [tuple(each) for seed in SEEDS for each in orders(seed)]
    assert len(set(found)) > 2 * len(SEEDS)
    assert [tuple(each) for seed in SEEDS for each in orders(seed)] == found


def test_a_race_is_seen_under_some_seed(runtime):
    def counted(seed):
        runtime.seed = seed
        return count(runtime, "lose_updates", runtime.xp.zeros(1, np.int32))

    assert counted(0) == 128
    assert min(map(counted, SEEDS)) < 64


def test_a_deadlock_is_reported(emulator, runtime):
    runtime.seed = 3
    counter = runtime.xp.zeros(1, np.int32)
    report = r"wait_for_more, launch 1 under seed 3: .*\nemulator: deadlock\n.*thread 0 at spin"
    with pytest.raises(emulator.Error, match=report):
        count(runtime, "wait_for_more", counter)
    counter[0] = 1
    assert count(runtime, "wait_for_more", counter) == 1


def test_a_launch_that_takes_too_long_is_stopped(emulator, runtime):
    counter = runtime.xp.zeros(1, np.int32)
    runtime.timeout = 0.1
    with pytest.raises(emulator.Error, match=r"not finished after 0\.1 seconds"):
        count(runtime, "poll", counter)
    runtime.timeout = 120
    counter[0] = 1
    assert count(runtime, "poll", counter) == 1


def test_a_struct_of_another_size_is_refused(emulator, runtime):
    array = runtime.xp.zeros(1, np.int32)
    arguments = COUNTER(counter=runtime.address(array))
    message = "warpath::write_one takes a struct of 16 bytes, but was given 8"
    with pytest.raises(emulator.Error, match=message):
        kernel(runtime, "write_one").launch(arguments)


def test_an_instance_on_demand_and_one_that_does_not_compile(runtime):
    array = runtime.xp.zeros(3, np.uint32)
    runtime.persistent(HEADER, "warpath::sum_by_block<32>", 32, 1).launch(
        SUM(values=0, sums=runtime.address(array), n=0, twice=False)
    )
    with pytest.raises(RuntimeError, match="no_such_kernel"):
        runtime.persistent(HEADER, "warpath::no_such_kernel", 32, 1)


NO_BARRIER = Fault(KERNELS / HEADER, "    __syncthreads();  // the sum is 0\n", "")


def test_a_fault_in_a_header_is_found(emulator, tmp_path):
    changed = emulator.mutant(tmp_path, NO_BARRIER)
    values = np.arange(1000, dtype=np.int32)
    instance = (HEADER, "warpath::sum_by_block<64>")
    with EmulatedRuntime(emulator, [instance], include=[changed]) as runtime:

        def is_right(seed):
            runtime.seed = seed
            return block_sums(values, runtime).sum() == values.sum()

        assert not all(map(is_right, SEEDS))


def test_copies_stay_in_device_memory(runtime):
    cuda = runtime.xp.cuda.runtime
    here, host = runtime.xp.empty((4, 8), np.int32), np.arange(12, dtype=np.int32).reshape(4, 3)
    there = runtime.address(here)
    to_device, to_host = cuda.memcpyHostToDevice, cuda.memcpyDeviceToHost
    cuda.memcpy2DAsync(there, 32, host.ctypes.data, 12, 12, 4, to_device, 0)
    assert np.array_equal(here.get()[:, :3], host)
    back = np.empty_like(host)
    cuda.memcpy2DAsync(back.ctypes.data, 12, there, 32, 12, 4, to_host, 0)
    assert np.array_equal(back, host)
    with pytest.raises(ValueError, match="not the device's"):
        cuda.memcpy2DAsync(there, 32, host.ctypes.data, 12, 12, 5, to_device, 0)
    with pytest.raises(ValueError, match="not the device's"):
        cuda.memcpyPeerAsync(there, 0, host.ctypes.data, 0, 12, 0)


def test_events_are_recorded_before_they_are_waited_for(runtime):
    cuda = runtime.xp.cuda
    event, stream = cuda.Event(disable_timing=True), cuda.Stream(non_blocking=True)
    with pytest.raises(RuntimeError, match="nothing has recorded"):
        stream.wait_event(event)
    event.record(stream)
    stream.wait_event(event)
