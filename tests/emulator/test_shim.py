"""The emulator itself: right kernels give right answers, wrong ones are found."""

from pathlib import Path

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from exhaustive import few
from planted import Fault

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels"
SEEDS = range(24)


def instances(*names):
    return [("shim.cuh", name) for name in names]


RIGHT = ("block_sum<256>", "ring_bfs", "pass_around")
OTHERS = (
    "scan<32>", "scan<8>", "filter", "collectives", "atomics", "lost_update", "order_of_threads",
    "uninitialised", "shapes",
)  # fmt: skip


@pytest.fixture(scope="module")
def shim(emulator):
    made = instances(
        *RIGHT, *OTHERS, *DEADLOCKS, *REPORTS, *WRITES, "overflows", "reads_after_exit"
    )
    with EmulatedRuntime(emulator, made, include=[KERNELS], timeout=120) as runtime:
        yield runtime


def call(shim, name, grid, threads, *arguments, seed=0, **options):
    """Launch with this seed; arrays are those of the device, numbers int32."""
    shim.seed = seed
    values = [np.int32(one) if isinstance(one, int) else one for one in arguments]
    shim.call("shim.cuh", name, grid, threads, *values, **options)


def failing_seeds(emulator, run):
    """Find, one by one, those seeds under which `run(seed)` answers wrongly or is stopped."""

    def wrong(seed):
        try:
            return not run(seed)
        except emulator.Error:
            return True

    return filter(wrong, SEEDS)


def block_sum_is_right(shim, seed):
    values = np.random.default_rng(seed).integers(-100, 100, 5_000, np.int32)
    sums = shim.xp.zeros(3, np.int32)
    call(shim, "block_sum<256>", 3, 256, shim.xp.asarray(values), 5_000, sums, seed=seed)
    return sums.get().sum() == values.sum()


def ring_bfs(shim, seed, n, blocks, threads):
    level, queues = shim.xp.full(n, -1, np.int32), shim.xp.zeros(2 * n, np.int32)
    level[:1] = 0
    counters, barrier = shim.xp.asarray(np.uint32([1, 0, 0])), shim.xp.zeros(2, np.uint32)
    call(shim, "ring_bfs", blocks, threads, n, level, queues, counters, barrier, seed=seed)
    return level.get()


def ring_bfs_is_right(shim, seed):
    vertices = np.arange(40)
    return np.array_equal(ring_bfs(shim, seed, 40, 4, 64), np.minimum(vertices, 40 - vertices))


def pass_around_is_right(shim, seed, rounds=6):
    blocks, cluster, threads = 12, 4, 64
    held, block = shim.xp.zeros(2 * blocks, np.int32), np.arange(blocks)
    call(
        shim, "pass_around", blocks, threads, rounds, held, seed=seed, cluster=cluster,
        shared_bytes=4,
    )  # fmt: skip
    passed = block - block % cluster + (block - rounds) % cluster
    expected = np.column_stack([passed, np.full(blocks, rounds * threads)])
    return np.array_equal(held.get().reshape(blocks, 2), expected)


@pytest.mark.parametrize("right", [block_sum_is_right, ring_bfs_is_right, pass_around_is_right])
def test_right_kernels_are_right_under_every_schedule(emulator, shim, right):
    assert list(failing_seeds(emulator, lambda seed: right(shim, seed))) == []


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("width", [32, 8])
def test_warp_scan(shim, width, seed):
    values = np.random.default_rng(seed).integers(-100, 100, 512, np.int32)
    sums = shim.xp.zeros(512, np.int32)
    call(shim, f"scan<{width}>", 4, 128, shim.xp.asarray(values), sums, seed=seed)
    np.testing.assert_array_equal(sums.get(), values.reshape(-1, width).cumsum(1).ravel())


@pytest.mark.parametrize("seed", range(6))
def test_filter_with_one_atomic_a_warp(shim, seed):
    values = np.random.default_rng(seed).integers(0, 1_000, 1_000, np.int32)
    queue, size = shim.xp.zeros(1_000, np.int32), shim.xp.zeros(1, np.uint64)
    call(shim, "filter", 11, 96, shim.xp.asarray(values), 1_000, queue, size, seed=seed)
    np.testing.assert_array_equal(
        np.sort(queue.get()[: int(size[0])]), np.sort(values[values % 3 == 0])
    )


@pytest.mark.parametrize("seed", range(6))
def test_collectives(shim, seed):
    columns = shim.xp.zeros(18 * 32, np.int32)
    call(shim, "collectives", 1, 32, columns, 32, seed=seed)
    lane = np.arange(32)
    odd, ones = lane % 2, np.ones(32, int)
    expected = [
        3 * ones,
        lane // 8 * 8 + 1,
        np.where(lane < 2, lane, lane - 2),
        np.where(lane % 16 < 14, lane + 2, lane),
        5 * (lane ^ 1),
        odd,
        np.where(odd, 0b1010, 0b0101),
        1 - odd,
        odd,
        ones,
        lane.sum() * ones,
        odd,
        30 + odd,
        -ones,
        ones,
        5 * ones,
        ones,
        0 * ones,
    ]
    for number, (column, right) in enumerate(
        zip(columns.get().reshape(-1, 32), expected, strict=True)
    ):
        np.testing.assert_array_equal(column, right, err_msg=f"column {number}")


@pytest.mark.parametrize("seed", SEEDS)
def test_atomics(shim, seed):
    ints, longs = shim.xp.asarray(np.int32([0, 0, 0, 0, -1, 0])), shim.xp.zeros(2, np.uint64)
    floats, doubles = shim.xp.zeros(1, np.float32), shim.xp.zeros(1, np.float64)
    call(shim, "atomics", 4, 100, ints, longs, floats, doubles, seed=seed)
    n = 400
    assert ints.tolist() == [n * (n - 1) // 2, 1 - n, n - 1, 2**31 - 1, -(2**31), 2 * n]
    assert int(longs[0]) == n << 32 | n
    assert 0 <= int(longs[1]) < n
    assert (float(floats[0]), float(doubles[0])) == (n / 2, n / 4)


def test_grids_of_three_dimensions(shim):
    seen = shim.xp.zeros(480, np.int32)
    call(shim, "shapes", (2, 3, 2), 40, seen, cluster=2)
    assert seen.tolist() == [2] * 480


@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (3, 33), (20, 100), (2, 1024)])
def test_grids_of_any_size(shim, blocks, threads):
    level = ring_bfs(shim, 5, 9, blocks, threads)
    assert level.tolist() == [0, 1, 2, 3, 4, 4, 3, 2, 1]


def test_a_seed_is_a_schedule(shim):
    def order(seed):
        order, size = shim.xp.zeros(256, np.int32), shim.xp.zeros(1, np.int32)
        call(shim, "order_of_threads", 4, 64, order, size, seed=seed)
        return order.tolist()

    assert order(0) == list(range(256))
    orders = [order(seed) for seed in SEEDS]
    assert all(sorted(each) == list(range(256)) for each in orders)
    assert len({tuple(each) for each in orders}) == len(SEEDS)
    assert [order(seed) for seed in SEEDS] == orders


def value_after(shim, name, grid, threads, seed):
    """What a kernel makes of 0."""
    value = shim.xp.zeros(1, np.int32)
    call(shim, name, grid, threads, value, seed=seed)
    return int(value[0])


def test_shared_memory_starts_as_anything(shim):
    assert len({value_after(shim, "uninitialised", 1, 1, seed) for seed in SEEDS}) > 5


def test_threads_are_interrupted_between_plain_loads_and_stores(shim):
    counts = [value_after(shim, "lost_update", 2, 64, seed) for seed in SEEDS]
    assert counts[0] == 128  # in order, nothing is lost
    assert min(counts) < 64


# ---- it can fail -------------------------------------------------------------------------------

SHIM = KERNELS / "shim.cuh"
MUTANTS = {
    "barrier in the block's reduction": (
        block_sum_is_right,
        Fault(SHIM, "        __syncthreads();  // `partial`", "        // `partial`"),
    ),
    "barrier before the grid's": (
        ring_bfs_is_right,
        Fault(
            SHIM,
            "__syncthreads();\n    if (threadIdx.x == 0) {\n        const unsigned phase",
            "if (threadIdx.x == 0) {\n        const unsigned phase",
        ),
    ),
    "barrier behind the grid's": (
        ring_bfs_is_right,
        Fault(SHIM, "        }\n    }\n    __syncthreads();", "        }\n    }"),
    ),
    "clears the counter that is filled": (
        ring_bfs_is_right,
        Fault(SHIM, "counters[(depth + 2) % 3] = 0", "counters[(depth + 1) % 3] = 0"),
    ),
    "phase read too late": (
        ring_bfs_is_right,
        Fault(
            SHIM,
            "while (warpath::load_acquire(gate) == phase)",
            "const unsigned late = warpath::load_relaxed(gate);\n"
            "            while (warpath::load_acquire(gate) == late)",
        ),
    ),
    "no first cluster barrier": (
        pass_around_is_right,
        Fault(SHIM, "    warpath::cluster_sync();  // every box is filled", ""),
    ),
    "no cluster barrier in the loop": (
        pass_around_is_right,
        Fault(SHIM, "        warpath::cluster_arrive();\n        warpath::cluster_wait();", ""),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_barrier_is_found(emulator, tmp_path, name):
    right, fault = MUTANTS[name]
    include = [emulator.mutant(tmp_path, fault)]
    with EmulatedRuntime(emulator, instances(*RIGHT), include=include) as mutant:
        assert next(failing_seeds(emulator, lambda seed: right(mutant, seed)), None) is not None


SHAPES = {  # (grid, threads, options) of wrong kernels; by default one warp
    "missing_lane": (1, 64, {}), "thread_leaves_before_barrier": (1, 64, {}),
    "divergent_barrier": (1, 64, {}), "missing_block": (3, 64, {}), "endless_loop": (2, 32, {}),
    "cluster_misses_one": (4, 64, {"cluster": 2}), "reads_after_exit": (2, 32, {"cluster": 2}),
    "writes_behind_shared<64>": (2, 64, {}),
    "writes_behind_dynamic_shared": (2, 32, {"shared_bytes": 40}),
}  # fmt: skip


def run_wrong(shim, name, *arguments, seed=0):
    grid, threads, options = SHAPES.get(name, (1, 32, {}))
    more = (1000,) if name == "uses_up_stack" else arguments
    result = shim.xp.zeros(threads, np.int32)
    call(shim, name, grid, threads, result, *more, seed=seed, **options)


DEADLOCKS = {
    "missing_lane": r"threads 0-6 at __shfl_sync \(shim.cuh:\d+\), mask 0xffffffff\n"
    r"  block 0: thread 7 exited",
    "mismatched_mask": r"threads 16-31 at __any_sync .*mask 0xffffffff",
    "thread_leaves_before_barrier": r"threads 0-39 at __syncthreads .*\n.*thread 40 exited",
    "missing_block": r"block 0: thread 0 at spin\n(.*\n)*  block 1: threads 0-63 exited",
    "cluster_misses_one": r"block 1: thread 3 exited",
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", DEADLOCKS)
def test_a_deadlock_is_reported(emulator, shim, name, seed):
    with pytest.raises(emulator.Error, match=rf"emulator: deadlock\n(.*\n)*.*{DEADLOCKS[name]}"):
        run_wrong(shim, name, seed=seed)


REPORTS = {
    "different_operations": r"lanes of a warp meet at __(any|all)_sync and at __(any|all)_sync",
    "not_in_mask": r"the mask 0x0000ffff does not name the lane that calls",
    "divergent_barrier": r"threads of a block meet at different barriers: __syncthreads",
    "endless_loop": r"no progress \(does a loop wait without warpath::spin\(\)\?\)",
    "uses_up_stack": r"AddressSanitizer: stack-overflow",
    "loads_shared_as_global": r"an instruction for global memory at .*, in shared memory",
    "misaligned": r"misaligned address .* requires 16 byte alignment",
}


@pytest.mark.parametrize("name", few(REPORTS, [one for one in REPORTS if one != "endless_loop"]))
def test_a_fault_is_reported(emulator, shim, name):
    with pytest.raises(emulator.Error, match=REPORTS[name]):
        run_wrong(shim, name, seed=1)


WRITES = {
    "writes_behind_global": ([-1, 32], "AddressSanitizer: use-after-poison"),
    "writes_behind_shared<64>": ([-1, 64, 100], "AddressSanitizer: use-after-poison"),
    "writes_behind_dynamic_shared": ([-1, 10], "AddressSanitizer: heap-buffer-overflow"),
}


@pytest.mark.parametrize("name", WRITES)
def test_writes_out_of_bounds_are_reported(emulator, shim, name):
    run_wrong(shim, name, 0)
    outside, report = WRITES[name]
    for where in outside:
        with pytest.raises(emulator.Error, match=report):
            run_wrong(shim, name, where)


def test_signed_overflow_is_reported(emulator, shim):
    run_wrong(shim, "overflows", 2**29)
    with pytest.raises(emulator.Error, match="signed integer overflow"):
        run_wrong(shim, "overflows", 2**30)


def test_shared_memory_of_a_block_that_is_gone_is_reported(emulator, shim):
    def run(seed):
        run_wrong(shim, "reads_after_exit", seed=seed)
        return True

    seed = next(failing_seeds(emulator, run))
    with pytest.raises(emulator.Error, match="AddressSanitizer: use-after-poison"):
        run(seed)


def test_an_initialised_shared_variable_does_not_build(emulator, tmp_path):
    header = tmp_path / "initialised.cuh"
    header.write_text("__global__ void kernel(int* out) { __shared__ int x = 5; *out = x++; }\n")
    with pytest.raises(ValueError, match=r"__shared__ variable cannot be initialised: _ZZ6kernel"):
        emulator.build_kernels([("initialised.cuh", "kernel")], include=[tmp_path])


def test_a_program_is_built_once(emulator):
    made = instances("block_sum<256>")
    first = emulator.build_kernels(made, include=[KERNELS])
    before = first.stat().st_mtime_ns
    again = emulator.build_kernels(made, include=[KERNELS])
    assert again == first
    assert again.stat().st_mtime_ns == before
