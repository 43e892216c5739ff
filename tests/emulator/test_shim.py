"""The emulator itself: right kernels give right answers, wrong ones are found."""

from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
KERNELS = HERE / "kernels"
SEEDS = range(24)


@pytest.fixture(scope="module")
def shim(emulator):
    return emulator.build(HERE / "test_shim.cpp", include=[KERNELS])


def failing_seeds(emulator, run):
    """Find, one by one, those seeds under which `run(seed)` answers wrongly or is stopped."""

    def wrong(seed):
        try:
            return not run(seed)
        except emulator.Error:
            return True

    return filter(wrong, SEEDS)


def block_sum_is_right(program, seed):
    values = np.random.default_rng(seed).integers(-100, 100, 5_000, np.int32)
    return (
        program.run("block_sum", seed=seed, values=values, blocks=3)["sums"].sum() == values.sum()
    )


def ring_bfs_is_right(program, seed):
    n = 40
    level = program.run("ring_bfs", seed=seed, n=n, blocks=4, threads=64)["level"]
    vertices = np.arange(n)
    return np.array_equal(level, np.minimum(vertices, n - vertices))


def pass_around_is_right(program, seed, rounds=6):
    blocks, cluster, threads = 12, 4, 64
    held = program.run("pass_around", seed=seed, blocks=blocks, cluster=cluster, rounds=rounds)
    block = np.arange(blocks)
    passed = block - block % cluster + (block - rounds) % cluster
    expected = np.column_stack([passed, np.full(blocks, rounds * threads)])
    return np.array_equal(held["held"].reshape(blocks, 2), expected)


@pytest.mark.parametrize("right", [block_sum_is_right, ring_bfs_is_right, pass_around_is_right])
def test_right_kernels_are_right_under_every_schedule(emulator, shim, right):
    assert list(failing_seeds(emulator, lambda seed: right(shim, seed))) == []


@pytest.mark.parametrize("seed", range(6))
def test_warp_scan(shim, seed):
    values = np.random.default_rng(seed).integers(-100, 100, 512, np.int32)
    sums = shim.run("scan", seed=seed, values=values)
    np.testing.assert_array_equal(sums["by_warp"], values.reshape(-1, 32).cumsum(1).ravel())
    np.testing.assert_array_equal(sums["by_eight"], values.reshape(-1, 8).cumsum(1).ravel())


@pytest.mark.parametrize("seed", range(6))
def test_filter_with_one_atomic_a_warp(shim, seed):
    values = np.random.default_rng(seed).integers(0, 1_000, 1_000, np.int32)
    queue = shim.run("filter", seed=seed, values=values)["queue"]
    np.testing.assert_array_equal(np.sort(queue), np.sort(values[values % 3 == 0]))


@pytest.mark.parametrize("seed", range(6))
def test_collectives(shim, seed):
    columns = shim.run("collectives", seed=seed)["columns"].reshape(-1, 32)
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
    for number, (column, right) in enumerate(zip(columns, expected, strict=True)):
        np.testing.assert_array_equal(column, right, err_msg=f"column {number}")


@pytest.mark.parametrize("seed", SEEDS)
def test_atomics(shim, seed):
    result = shim.run("atomics", seed=seed)
    n = 400
    assert result["ints"].tolist() == [n * (n - 1) // 2, 1 - n, n - 1, 2**31 - 1, -(2**31), 2 * n]
    assert result["longs"][0] == n << 32 | n
    assert 0 <= result["longs"][1] < n
    assert result["floats"][0] == n / 2
    assert result["doubles"][0] == n / 4


def test_grids_and_blocks_of_three_dimensions(shim):
    assert shim.run("shapes")["seen"].tolist() == [2] * 480


@pytest.mark.parametrize(("blocks", "threads"), [(1, 1), (3, 33), (20, 100), (2, 1024)])
def test_grids_of_any_size(shim, blocks, threads):
    level = shim.run("ring_bfs", seed=5, n=9, blocks=blocks, threads=threads)["level"]
    assert level.tolist() == [0, 1, 2, 3, 4, 4, 3, 2, 1]


def test_a_seed_is_a_schedule(shim):
    def order(seed):
        return shim.run("order", seed=seed)["order"].tolist()

    assert order(0) == list(range(256))
    orders = [order(seed) for seed in SEEDS]
    assert all(sorted(each) == list(range(256)) for each in orders)
    assert len({tuple(each) for each in orders}) == len(SEEDS)
    assert [order(seed) for seed in SEEDS] == orders


def test_shared_memory_starts_as_anything(shim):
    assert len({shim.run("uninitialised", seed=seed)["value"][0] for seed in SEEDS}) > 5


def test_threads_are_interrupted_between_plain_loads_and_stores(shim):
    counts = [shim.run("lost_update", seed=seed)["counter"][0] for seed in SEEDS]
    assert counts[0] == 128  # in order, nothing is lost
    assert min(counts) < 64


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "barrier in the block's reduction": (
        block_sum_is_right,
        "        __syncthreads();  // `partial`",
        "        // `partial`",
    ),
    "barrier before the grid's": (
        ring_bfs_is_right,
        "__syncthreads();\n    if (threadIdx.x == 0) {\n        const unsigned phase",
        "if (threadIdx.x == 0) {\n        const unsigned phase",
    ),
    "barrier behind the grid's": (
        ring_bfs_is_right,
        "        }\n    }\n    __syncthreads();",
        "        }\n    }",
    ),
    "clears the counter that is filled": (
        ring_bfs_is_right,
        "counters[(depth + 2) % 3] = 0",
        "counters[(depth + 1) % 3] = 0",
    ),
    "phase read too late": (
        ring_bfs_is_right,
        "while (warpath::load_acquire(gate) == phase)",
        "const unsigned late = warpath::load_relaxed(gate);\n"
        "            while (warpath::load_acquire(gate) == late)",
    ),
    "no first cluster barrier": (
        pass_around_is_right,
        "    warpath::cluster_sync();  // every box is filled",
        "",
    ),
    "no cluster barrier in the loop": (
        pass_around_is_right,
        "        warpath::cluster_arrive();\n        warpath::cluster_wait();",
        "",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_barrier_is_found(emulator, tmp_path, name):
    right, old, new = MUTANTS[name]
    source = HERE / "test_shim.cpp"
    mutant = emulator.faulty(tmp_path, source, KERNELS / "shim.cuh", old, new)
    assert next(failing_seeds(emulator, lambda seed: right(mutant, seed)), None) is not None


DEADLOCKS = {
    "missing_lane": r"threads 0-6 at __shfl_sync \(shim.cuh:\d+\), mask 0xffffffff\n"
    r"  block 0: thread 7 exited",
    "mismatched_mask": r"threads 16-31 at __any_sync .*mask 0xffffffff",
    "thread_leaves_before_barrier": r"threads 0-39 at __syncthreads .*\n.*thread 40 exited",
    "missing_block": r"block 0: thread 0 at spin\n(.*\n)*  block 1: threads 0-63 exited",
    "cluster_misses_one": r"block 1: thread 3 exited",
}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("test", DEADLOCKS)
def test_a_deadlock_is_reported(emulator, shim, test, seed):
    with pytest.raises(emulator.Error, match=rf"emulator: deadlock\n(.*\n)*.*{DEADLOCKS[test]}"):
        shim.run(test, seed=seed)


REPORTS = {
    "different_operations": r"lanes of a warp meet at __(any|all)_sync and at __(any|all)_sync",
    "not_in_mask": r"the mask 0x0000ffff does not name the lane that calls",
    "divergent_barrier": r"threads of a block meet at different barriers: __syncthreads",
    "endless_loop": r"no progress \(does a loop wait without warpath::spin\(\)\?\)",
    "uses_up_stack": r"AddressSanitizer: stack-overflow",
    "misaligned": r"misaligned address .* requires 16 byte alignment",
}


@pytest.mark.parametrize("test", REPORTS)
def test_a_fault_is_reported(emulator, shim, test):
    with pytest.raises(emulator.Error, match=REPORTS[test]):
        shim.run(test, seed=1)


@pytest.mark.parametrize(
    ("test", "sizes", "report"),
    [
        ("writes_behind_global", [-1, 32], "AddressSanitizer: heap-buffer-overflow"),
        ("writes_behind_shared", [-1, 64, 100], "AddressSanitizer: use-after-poison"),
        ("writes_behind_dynamic_shared", [-1, 10], "AddressSanitizer: heap-buffer-overflow"),
    ],
)
def test_writes_out_of_bounds_are_reported(emulator, shim, test, sizes, report):
    shim.run(test, where=0)
    for where in sizes:
        with pytest.raises(emulator.Error, match=report):
            shim.run(test, where=where)


def test_signed_overflow_is_reported(emulator, shim):
    shim.run("overflows", value=2**29)
    with pytest.raises(emulator.Error, match="signed integer overflow"):
        shim.run("overflows", value=2**30)


def test_shared_memory_of_a_block_that_is_gone_is_reported(emulator, shim):
    def run(seed):
        return shim.run("reads_after_exit", seed=seed) == {}

    seed = next(failing_seeds(emulator, run))
    with pytest.raises(emulator.Error, match="AddressSanitizer: use-after-poison"):
        run(seed)


def test_unknown_tests_inputs_and_types_are_named(emulator, shim):
    with pytest.raises(emulator.Error, match="no such test: nothing"):
        shim.run("nothing")
    with pytest.raises(emulator.Error, match="reads 'values', which it was not given"):
        shim.run("block_sum", blocks=1)
    with pytest.raises(emulator.Error, match="reads 'values' as i4, but it is i8"):
        shim.run("block_sum", blocks=1, values=[1, 2])


def test_an_initialised_shared_variable_does_not_build(emulator, tmp_path):
    source = tmp_path / "initialised.cpp"
    source.write_text("void kernel(int* out) { __shared__ int x = 5; *out = x++; }\n")
    with pytest.raises(ValueError, match=r"__shared__ variable cannot be initialised: _ZZ6kernel"):
        emulator.build(source)


def test_a_program_is_built_once(emulator, shim):
    before = shim.executable.stat().st_mtime_ns
    again = emulator.build(HERE / "test_shim.cpp", include=[KERNELS])
    assert again.executable == shim.executable
    assert again.executable.stat().st_mtime_ns == before
