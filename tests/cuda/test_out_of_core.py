"""Matrices that go past a device together with the host, with NumPy for the kernels and the CPU engine.

The same cases run on a device in ``test_apsp_gpu.py``, and with kernels in ``emulator/test_several.py``.
"""

import threading
import time

import numpy as np
import pytest

from arc_matrices import check_trees, closed, drawn, ends, tree_of
from emulated_runtime import EmulatedRuntime
from exhaustive import slow
from warpath.algorithms.all_pairs.hybrid import host_products
from warpath.cuda import out_of_core, staging
from warpath.cuda.minplus import Relax
from warpath.cuda.runtime import use
from warpath.cuda.streaming import Blocking
from warpath.operators import lookup

DTYPES = [("int32", True), *slow([("float64", False), ("int32", False), ("float64", True)])]


class Elimination:
    """The steps, in NumPy, by the definition: all vertices of a group at once."""

    def __init__(self, words, predecessors, packed, lazy_none):
        self.products, self.words = self, words

    def close(self, matrix, steps):
        for step in steps:
            if isinstance(step, Relax):
                self.relax(matrix, step, matrix)
            else:
                for k in range(step.low, step.low + 64):
                    rows = slice(step.low - matrix.first, step.low - matrix.first + 64)
                    self._through(matrix, rows, matrix, k, matrix.distance[rows, k].copy())

    def relax(self, matrix, step, by):
        time.sleep(0.002)  # that the host gets a share
        rows, low, high = step
        mine = slice(rows.first - matrix.first, rows.first - matrix.first + rows.size)
        left = matrix.distance[mine, low:high].copy()
        for k in range(low, high):
            self._through(matrix, mine, by, k, left[:, k - low])

    def _through(self, matrix, rows, by, k, left):
        D, onward = matrix.distance[rows], by.distance[k - by.first]
        if "unsigned" in self.words.word.lower():
            D, onward, left = (array.view(f"u{D.itemsize}") for array in (D, onward, left))
        join = {"MostReliable": np.multiply, "Minimax": np.maximum, "Widest": np.minimum}
        paths = join.get(self.words.algebra, np.add)(left[:, None], onward)
        larger = self.words.algebra in ("MostReliable", "Widest")
        better = paths > D if larger else paths < D
        D[better] = paths[better]
        if matrix.predecessor is not None:
            P = matrix.predecessor[rows]
            P[better] = np.broadcast_to(by.predecessor[k - by.first], P.shape)[better]


@pytest.fixture(autouse=True)
def device(monkeypatch):
    """The emulator's memory and copies; groups of 64 rows, slabs of 32."""
    monkeypatch.setattr(out_of_core, "Elimination", Elimination)
    monkeypatch.setattr(out_of_core, "blocking", lambda *_, **__: Blocking(64, 16))
    monkeypatch.setattr(staging, "_SLAB_BYTES", 32 * 8 * 150)
    with use(EmulatedRuntime(None)):
        yield


def run(arcs, hybrid, predecessors, algebra="shortest", **options):
    """(distances, predecessors, the host's share)."""
    tree = tree_of(arcs, ends(algebra, arcs.dtype)[0]) if predecessors else None
    host = None
    if hybrid:
        host = host_products(lookup(algebra), arcs.dtype, predecessors, options.get("lazy", False))
    distance = arcs.copy()
    share = out_of_core.floyd_warshall_out_of_core(
        distance, tree, algebra, host=host, device_bytes=1, **options
    )
    return distance, tree, share


def check(arcs, algebra="shortest", **options):
    """Together as the device alone, to the bit, and right."""
    for predecessors in (False, True):
        alone, tree, share = run(arcs, False, predecessors, algebra, **options)
        assert share == 0
        together, other, share = run(arcs, True, predecessors, algebra, **options)
        assert 0 < share < 1
        assert np.array_equal(together, alone)
        if predecessors:
            assert np.array_equal(tree, other)
            check_trees(arcs, together, other, algebra)
    assert np.array_equal(alone, closed(arcs, algebra))


@pytest.mark.parametrize(("dtype", "negative"), DTYPES)
def test_dtypes(dtype, negative):
    check(drawn(170, dtype, 0.05, 6, negative=negative, most=2))


@pytest.mark.parametrize(
    ("algebra", "dtype"),
    [("widest", "int32"), *slow([("minimax", "float64"), ("most-reliable", "float64")])],
)
def test_algebras(algebra, dtype):
    check(drawn(130, dtype, 0.05, 7, algebra=algebra), algebra)


@pytest.mark.slow
def test_zero_cycles_leave_trees_and_lazy_answers_are_the_same():
    rng = np.random.default_rng(3)
    arcs = np.full((150, 150), np.iinfo(np.int32).max, np.int32)
    arcs[rng.integers(0, 150, 450), rng.integers(0, 150, 450)] = rng.integers(0, 2, 450)
    np.fill_diagonal(arcs, 0)
    check(arcs)
    check(arcs, lazy=True)


def test_sums_that_round_are_the_same():
    arcs = np.random.default_rng(5).exponential(size=(150, 150))
    np.fill_diagonal(arcs, 0)
    alone, tree, _ = run(arcs, False, True)
    together, other, share = run(arcs, True, True)
    assert share > 0
    assert np.array_equal(alone, together)
    assert np.array_equal(tree, other)
    exact = closed(arcs, "shortest")
    assert not np.array_equal(together, exact)
    assert np.allclose(together, exact, rtol=1e-12)


def test_a_failure_of_the_host_ends_the_run():
    def fail(*operands):
        raise OSError("of the host")

    with pytest.raises(OSError, match="of the host"):
        out_of_core.floyd_warshall_out_of_core(
            drawn(150, "float64", 0.1, 10), device_bytes=1, host=fail
        )


def test_progress_counts_all_and_ends_the_run_if_it_raises():
    arcs, calls = drawn(150, "float64", 0.1, 10), []
    run(arcs, True, False, progress=lambda *call: calls.append(call))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1] == (3 * 150, 3 * 150)

    def stop(done, total):
        if done > 200:
            raise KeyboardInterrupt

    before = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        run(arcs, True, False, progress=stop)
    assert threading.active_count() == before


@pytest.mark.parametrize(("dtype", "negative"), DTYPES)
@pytest.mark.parametrize("n", [131, *slow([60])])  # within a group of rows, and a few more than two
def test_repeated_squaring(n, dtype, negative):
    arcs = drawn(n, dtype, 0.02, 6, negative=negative, most=2)
    calls = []
    for predecessors in (False, True):
        found, tree, share = run(
            arcs, False, predecessors, squares=True, progress=lambda *call: calls.append(call)
        )
        assert share == 0
        assert np.array_equal(found, closed(arcs, "shortest"))
        if predecessors:
            check_trees(arcs, found, tree, "shortest")
        assert calls[-1][0] == calls[-1][1]


def test_repeated_squaring_ends_when_nothing_changes_and_takes_log_n_passes_on_a_path(monkeypatch):
    passes = []
    path = np.full((132, 132), np.inf)
    np.fill_diagonal(path, 0)
    path[np.arange(131, 0, -1), np.arange(130, -1, -1)] = 1
    for arcs, most in ((path, 8), (np.where(np.eye(132) > 0, 0, np.inf), 1)):
        passes.clear()
        load = out_of_core._Run._load

        def count(self, to, rows, load=load):
            passes.extend([1] * (to is self.group and rows.first == 0))
            load(self, to, rows)

        with monkeypatch.context() as patch:
            patch.setattr(out_of_core._Run, "_load", count)
            found, _, _ = run(arcs, False, False, squares=True)
        assert np.array_equal(found, closed(arcs, "shortest"))
        assert len(passes) <= most


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algebra", "dtype"),
    [("widest", "int32"), *slow([("minimax", "float64"), ("most-reliable", "float64")])],
)
def test_repeated_squaring_of_other_algebras(algebra, dtype):
    arcs = drawn(130, dtype, 0.05, 7, algebra=algebra)
    found, tree, _ = run(arcs, False, True, algebra, squares=True)
    assert np.array_equal(found, closed(arcs, algebra))
    check_trees(arcs, found, tree, algebra)


@pytest.mark.slow
def test_zero_cycles_leave_trees_after_squaring():
    rng = np.random.default_rng(3)
    arcs = np.full((150, 150), np.iinfo(np.int32).max, np.int32)
    arcs[rng.integers(0, 150, 450), rng.integers(0, 150, 450)] = rng.integers(0, 2, 450)
    np.fill_diagonal(arcs, 0)
    found, tree, _ = run(arcs, False, True, squares=True)
    assert np.array_equal(found, closed(arcs, "shortest"))
    check_trees(arcs, found, tree, "shortest")
