"""All pairs' shortest paths on a device, against SciPy and the definition."""

import time

import numpy as np
import pytest

from arc_matrices import (
    ALGEBRAS,
    DTYPES,
    check_trees,
    closed,
    drawn,
    ends,
    in_components,
    tree_of,
)
from warpath.graph.distance import unreachable

pytestmark = pytest.mark.gpu
VARIANTS = ("blocked", "r-kleene", "repeated-squaring", "plain")


def run(arcs, predecessors=True, algebra="shortest", variant="blocked", **options):
    import cupy

    from warpath.cuda.apsp import floyd_warshall

    distance = cupy.asarray(arcs)
    tree = cupy.asarray(tree_of(arcs, ends(algebra, arcs.dtype)[0])) if predecessors else None
    floyd_warshall(distance, tree, algebra, variant, **options)
    return distance.get(), None if tree is None else tree.get()


def check(arcs, algebra="shortest", expected=None, **options):
    """Distances to the bit, and predecessors that are trees and make them."""
    if expected is None:
        expected = closed(arcs, algebra)
    alone, _ = run(arcs, False, algebra, **options)
    assert np.array_equal(alone, expected)
    distance, tree = run(arcs, True, algebra, **options)
    assert np.array_equal(distance, expected)
    check_trees(arcs, distance, tree, algebra)


@pytest.mark.parametrize("n", [1, 2, 3, 63, 64, 65, 128, 300])
@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_size(dtype, variant, n):
    check(drawn(n, dtype, min(1, 4 / n), n), variant=variant, block=128)


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("density", [0.003, 0.05, 1.0])
@pytest.mark.parametrize("dtype", DTYPES)
def test_every_density_and_sign(dtype, density, negative):
    arcs = drawn(700, dtype, density, 1, negative=negative)
    expected = closed(arcs, "shortest")
    for variant in VARIANTS:
        check(arcs, expected=expected, variant=variant, block=256)


@pytest.mark.parametrize("dtype", DTYPES)
def test_large_tiles(dtype):
    """As many rows as large tiles need, and rows that do not fill them."""
    arcs = drawn(2500, dtype, 0.004, 2)
    expected = closed(arcs, "shortest")
    for block in (64, 1024, 2048):
        check(arcs, expected=expected, block=block)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("algebra", [name for name in ALGEBRAS if name != "shortest"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_algebras(variant, algebra, dtype):
    if algebra == "most-reliable" and "float" not in dtype:
        pytest.skip("floats only")
    check(drawn(400, dtype, 0.02, 3, algebra=algebra), algebra, variant=variant, block=128)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_zero_cycles_leave_trees(dtype, variant):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        arcs = np.full((512, 512), unreachable(dtype), dtype)
        arcs[rng.integers(0, 512, 1500), rng.integers(0, 512, 1500)] = rng.integers(0, 2, 1500)
        np.fill_diagonal(arcs, 0)
        check(arcs, variant=variant, block=128)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_negative_cycles_show_on_the_diagonal(dtype, variant):
    arcs = drawn(300, dtype, 0.05, 4, negative=True)
    cycle = [5, 140, 77, 290]
    for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        arcs[u, v] = -1
    for predecessors in (False, True):
        distance, _ = run(arcs, predecessors, variant=variant, block=128)
        assert (np.diagonal(distance)[cycle] < 0).all()


@pytest.mark.parametrize("count", [1, 2, 7])
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_lazy_answers_are_the_same(dtype, negative, count):
    """Of one component and of some, with few arcs and many, where tiles are small and large."""
    none = unreachable(dtype)
    for n, density in ((700, 0.001), (700, 0.05), (2500, 0.002)):
        arcs = in_components(drawn(n, dtype, density, 1, negative=negative), none, count)
        for variant in ("blocked", "r-kleene", "repeated-squaring"):
            for predecessors in (False, True):
                expected = run(arcs, predecessors, variant=variant, block=256)
                found = run(arcs, predecessors, variant=variant, block=256, lazy=True)
                assert np.array_equal(found[0], expected[0])
                assert np.array_equal(found[1], expected[1])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("algebra", [name for name in ALGEBRAS if name != "shortest"])
def test_lazy_algebras(algebra, dtype):
    if algebra == "most-reliable" and "float" not in dtype:
        pytest.skip("floats only")
    arcs = drawn(500, dtype, 0.02, 3, algebra=algebra)
    arcs = in_components(arcs, ends(algebra, arcs.dtype)[0], 3)
    check(arcs, algebra, block=128, lazy=True)


def test_integers_near_their_limits():
    most = 2**31 - 2
    arcs = np.full((70, 70), unreachable("int32"), np.int32)
    np.fill_diagonal(arcs, 0)
    arcs[0, 1], arcs[1, 2], arcs[3, 4], arcs[4, 5] = most - 5, 5, most - 5, -7
    check(arcs)
    signed = np.full((70, 70), unreachable("int16"), np.int16)
    np.fill_diagonal(signed, 0)
    signed[0, 1], signed[1, 2], signed[2, 3] = 20000, 12000, -32000
    check(signed)


def test_what_cannot_be_proved_to_fit_is_refused():
    arcs = np.full((8, 8), unreachable("int64"), np.int64)
    arcs[0, 1], arcs[1, 2] = 2**60, -1
    with pytest.raises(OverflowError, match=str(2**60)):
        run(arcs)


def test_rounding_does_not_depend_on_the_run():
    rng = np.random.default_rng(5)
    arcs = rng.exponential(size=(1000, 1000)).astype(np.float32)  # sums of them round
    np.fill_diagonal(arcs, 0)
    first, tree = run(arcs)
    for _ in range(3):
        again, other = run(arcs)
        assert np.array_equal(first, again)
        assert np.array_equal(tree, other)
    exact = closed(arcs.astype(float), "shortest")
    assert not np.array_equal(first, exact)
    assert np.allclose(first, exact, rtol=1e-5)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"variant": "fast"}, "blocked"),
        ({"algebra": "longest"}, "widest"),
        ({"block": 0}, "block=0"),
    ],
)
def test_bad_input_is_named(change, message):
    with pytest.raises(ValueError, match=message):
        run(drawn(10, "int32", 1, 0), False, **change)


def test_bad_arrays_are_named():
    import cupy

    from warpath.cuda.apsp import floyd_warshall

    square = cupy.zeros((8, 8), cupy.float32)
    for distance, predecessor, message in (
        (square[:4], None, "square"),
        (square.T.astype("uint8"), None, "uint8"),
        (cupy.asfortranarray(cupy.arange(64.0).reshape(8, 8)), None, "contiguous"),
        (square, cupy.zeros((8, 8), cupy.int64), "int32"),
    ):
        with pytest.raises(ValueError, match=message):
            floyd_warshall(distance, predecessor)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("n", [640, 1000])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_more_memory_than_said(variant, dtype, n, lazy):
    import cupy

    from warpath.cuda.apsp import floyd_warshall, workspace_nbytes

    arcs = drawn(n, dtype, 0.05, 11)
    distance = cupy.asarray(arcs)
    tree = cupy.asarray(tree_of(arcs, unreachable(dtype)))
    said = workspace_nbytes(n, distance.dtype, True, variant, lazy=lazy)
    pool = cupy.cuda.MemoryPool()
    with cupy.cuda.using_allocator(pool.malloc):
        floyd_warshall(distance, tree, variant=variant, lazy=lazy)
    # In addition there are flags of what differs, at most (n + 127)², and a few scalars.
    assert pool.total_bytes() <= said + (n + 127) ** 2 + (1 << 20)


def shared(arcs, rows, predecessors=True, algebra="shortest", with_host=True, **options):
    """`out_of_core`, together with the CPU; and the host's share."""
    from warpath.algorithms.all_pairs.hybrid import host_products
    from warpath.cuda.out_of_core import floyd_warshall_out_of_core
    from warpath.operators import lookup

    tree = tree_of(arcs, ends(algebra, arcs.dtype)[0]) if predecessors else None
    row = len(arcs) * (arcs.itemsize + 4 * predecessors)
    if with_host:
        options["host"] = host_products(
            lookup(algebra), arcs.dtype, predecessors, options.get("lazy", False)
        )
    distance = arcs.copy()
    share = floyd_warshall_out_of_core(
        distance, tree, algebra, device_bytes=int(rows * row), **options
    )
    return distance, tree, share


def out_of_core(*given, **options):
    """(distances, predecessors) with memory of the device for about this number of rows."""
    return shared(*given, with_host=False, **options)[:2]


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_out_of_core(dtype, negative):
    """In one group that fits, and in several of which the rows do not fill blocks."""
    arcs = drawn(1500, dtype, 0.01, 6, negative=negative, most=2)
    expected = closed(arcs, "shortest")
    for rows, lazy in ((1100, False), (5000, False), (1100, True)):
        alone, _ = out_of_core(arcs, rows, False, lazy=lazy)
        assert np.array_equal(alone, expected)
        distance, tree = out_of_core(arcs, rows, lazy=lazy)
        assert np.array_equal(distance, expected)
        check_trees(arcs, distance, tree)


@pytest.mark.parametrize("algebra", [name for name in ALGEBRAS if name != "shortest"])
def test_out_of_core_algebras(algebra):
    arcs = drawn(1000, "float32", 0.02, 7, algebra=algebra)
    distance, tree = out_of_core(arcs, 800, algebra=algebra)
    assert np.array_equal(distance, closed(arcs, algebra))
    check_trees(arcs, distance, tree, algebra)


@pytest.mark.parametrize("dtype", DTYPES)
def test_out_of_core_squares(dtype):
    arcs = drawn(1500, dtype, 0.01, 6, negative=True, most=2)
    for rows in (1100, 5000):
        distance, tree = out_of_core(arcs, rows, squares=True)
        assert np.array_equal(distance, closed(arcs, "shortest"))
        check_trees(arcs, distance, tree)


@pytest.fixture
def patient(monkeypatch):
    """Let the device take its time, so that the host has its part of matrices so small."""
    from warpath.cuda import out_of_core
    from warpath.cuda.work_sharing import WorkSharing

    class Patient(WorkSharing):
        def blocks(self):
            for rows in super().blocks():
                yield rows
                time.sleep(0.005)

    monkeypatch.setattr(out_of_core, "WorkSharing", Patient)


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_together_with_the_cpu(dtype, negative, patient):
    """As the device alone with the same groups, to the bit, in several groups."""
    arcs = drawn(1500, dtype, 0.01, 6, negative=negative, most=2)
    expected = closed(arcs, "shortest")
    for lazy in (False, True):
        for predecessors in (False, True):
            alone = out_of_core(arcs, 1000, predecessors, lazy=lazy)
            distance, tree, share = shared(arcs, 1000, predecessors, lazy=lazy)
            assert 0 < share < 1
            assert np.array_equal(distance, expected)
            assert np.array_equal(distance, alone[0])
            assert np.array_equal(tree, alone[1])
            if predecessors:
                check_trees(arcs, distance, tree)


@pytest.mark.parametrize("algebra", [name for name in ALGEBRAS if name != "shortest"])
def test_together_with_the_cpu_algebras(algebra, patient):
    for dtype in ("float32", "float64"):
        arcs = drawn(1000, dtype, 0.02, 7, algebra=algebra)
        distance, tree, share = shared(arcs, 700, algebra=algebra)
        assert 0 < share < 1
        assert np.array_equal(distance, closed(arcs, algebra))
        check_trees(arcs, distance, tree, algebra)


def test_sums_round_on_both_sides_alike(patient):
    arcs = np.random.default_rng(5).exponential(size=(2000, 2000))
    np.fill_diagonal(arcs, 0)
    for dtype in ("float32", "float64"):
        alone, tree = out_of_core(arcs.astype(dtype), 900)
        together, other, share = shared(arcs.astype(dtype), 900)
        assert 0 < share < 1
        assert np.array_equal(alone, together)
        assert np.array_equal(tree, other)


def test_out_of_core_in_files_within_its_budget(tmp_path):
    import cupy

    pool = cupy.get_default_memory_pool()
    arcs = drawn(2048, "float32", 0.01, 8)
    file = np.lib.format.open_memmap(tmp_path / "d.npy", "w+", arcs.dtype, arcs.shape)
    file[:] = arcs
    pool.free_all_blocks()
    before, budget, calls = pool.total_bytes(), 6 << 20, []

    from warpath.cuda.out_of_core import floyd_warshall_out_of_core

    floyd_warshall_out_of_core(
        file, device_bytes=budget, progress=lambda *call: calls.append((*call, pool.total_bytes()))
    )
    assert max(used for *_, used in calls) - before <= budget
    assert [done for done, *_ in calls] == sorted(done for done, *_ in calls)
    assert calls[-1][0] == calls[-1][1]
    assert len(calls) > 20
    assert np.array_equal(np.load(tmp_path / "d.npy"), closed(arcs, "shortest"))


def test_out_of_core_refusals(tmp_path):
    from warpath.cuda.out_of_core import floyd_warshall_out_of_core

    arcs = drawn(500, "int32", 0.1, 9)
    with pytest.raises(MemoryError, match="at least"):
        floyd_warshall_out_of_core(arcs, device_bytes=1000)
    np.save(tmp_path / "d.npy", arcs)
    with pytest.raises(ValueError, match="read-only"):
        floyd_warshall_out_of_core(np.load(tmp_path / "d.npy", mmap_mode="r"))
    arcs[0, 1] = -1
    arcs[1, 2] = 2**30
    with pytest.raises(OverflowError, match="wider"):
        floyd_warshall_out_of_core(arcs)


def test_out_of_core_stops_when_progress_raises():
    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        out_of_core(drawn(1000, "float32", 0.1, 10), 600, progress=stop)


def test_a_failure_on_either_side_ends_the_run(patient):
    from warpath.cuda.out_of_core import floyd_warshall_out_of_core

    arcs, calls = drawn(1000, "float32", 0.1, 10), []

    def fail(*operands):
        raise OSError("of the host")

    with pytest.raises(OSError, match="of the host"):
        floyd_warshall_out_of_core(arcs.copy(), device_bytes=3_000_000, host=fail)

    def stop(done, total):
        calls.append(done)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shared(arcs, 600, progress=stop)
    assert len(calls) == 3
