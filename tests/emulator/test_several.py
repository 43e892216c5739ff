"""Matrices whose rows are spread over several devices, or go past one, by their drivers, on the emulator.

Its one device has several shares. `test_several_gpu.py` and `test_apsp_gpu.py` run the same on devices.
"""

import ctypes
from itertools import product

import numpy as np
import pytest

import warpath as wp
from arc_matrices import check_trees, closed, drawn, ends, limits, tree_of
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from exhaustive import few, pairwise
from shares import close_in_shares
from warpath.algorithms.all_pairs import gpu_apsp
from warpath.cuda import out_of_core, several, staging, transport
from warpath.cuda.instances import fill_arcs_kernel
from warpath.cuda.minplus import (
    look_kernel,
    pack_kernel,
    panel_kernel,
    pivot_kernel,
    product_kernel,
    tiles_for,
    words_of,
)
from warpath.cuda.runtime import use

TYPES = [("int32", True), ("float32", False)]  # (dtype, whether weights may be negative)
PLACES = [(0,), (0, 0), (0, 0, 0)]


def instances():
    for dtype, negative in (*TYPES, ("int32", False)):
        words = words_of(dtype, "shortest", negative)
        yield "minplus.cuh", pack_kernel(words)
        yield "minplus.cuh", look_kernel(words)
        yield "dense.cuh", fill_arcs_kernel(8, dtype, 64)
        yield "dense.cuh", fill_arcs_kernel(4, dtype, 64)
        for tree in (False, True):
            for name in (pivot_kernel, panel_kernel):
                yield "floyd_warshall.cuh", name(words, tree)
            for lazy in (False, True):
                yield "minplus.cuh", product_kernel(words, tiles_for(words, tree).small, tree, lazy)


@pytest.fixture(scope="module")
def programs(emulator):
    with EmulatedRuntime(emulator, instances()) as runtime:
        runtime.multiprocessors = 1000  # so that all tiles are small ones
        yield runtime


@pytest.fixture
def runtime(programs, monkeypatch):
    """Slabs hold few rows."""
    monkeypatch.setattr(staging, "_SLAB_BYTES", 32 * 1024)
    with use(programs):
        yield programs


def check(arcs, close):
    """``close`` a matrix with predecessors and without."""
    right = closed(arcs, "shortest")
    for tree in (None, tree_of(arcs, ends("shortest", arcs.dtype)[0])):
        distance, tree = close(arcs.copy(), tree)
        assert np.array_equal(distance, right)
        if tree is not None:
            check_trees(arcs, distance, tree)


SHARES = list(product([1, 65, 200], TYPES, PLACES, [False, True]))


@pytest.mark.parametrize(
    ("n", "types", "where", "host"),
    few(SHARES, pairwise([65, 200, 1], TYPES, PLACES, [False, True])),
)
def test_shares(runtime, n, types, where, host):
    dtype, negative = types

    def close(distance, tree):
        if not host:
            distance, tree = (x if x is None else runtime.xp.asarray(x) for x in (distance, tree))
        calls = []
        close_in_shares(
            distance, tree, devices=where, block=64, transport="peer", lazy=n == 65,
            progress=lambda *call: calls.append(call),
        )  # fmt: skip
        assert calls == sorted(calls)
        assert calls[-1] == (-(-n // 64),) * 2
        return np.asarray(distance), tree if tree is None else np.asarray(tree)

    check(drawn(n, dtype, min(1, 4 / n), n, negative=negative), close)


@pytest.mark.parametrize("weights", [None, (1, 9)])
def test_shares_that_are_filled_by_a_graph(runtime, weights):
    graph = wp.generate.erdos_renyi(150, 500, directed=True, weights=weights, seed=1)
    right = wp.apsp(graph, device="cpu", dtype=np.int32).distance
    none = limits(np.int32)[1]
    shares = several.Shares(150, np.dtype(np.int32), False, (0, 0), block=64)
    shares.fill(graph.with_weights(graph.weights) if weights else graph, 0, none, False)
    shares.close(transport="peer")
    distance = np.empty((150, 150), np.int32)
    shares.store(distance)
    assert np.array_equal(distance, right)
    assert several.arcs_nbytes(graph, np.dtype(np.int32), 2, 64) > 0


def test_what_raises_ends_the_run(runtime):
    def stop(done, groups):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        close_in_shares(
            drawn(200, "float32", 0.1, 10), devices=(0, 0), transport="peer", block=64, progress=stop
        )  # fmt: skip


def test_bad_input_is_named(runtime, monkeypatch):
    monkeypatch.setattr(transport, "nccl", lambda: None)
    arcs = drawn(10, "float32", 1, 0)
    for options, message in (
        ({"devices": ()}, "at least one"),
        ({"devices": (0,), "block": 0}, "block=0"),
        ({"devices": (0, 0), "transport": "mail"}, "nccl, peer"),
        ({"devices": (0, 0), "transport": "nccl"}, "NCCL is not installed"),
    ):
        with pytest.raises(ValueError, match=message):
            close_in_shares(arcs.copy(), **options)
    close_in_shares(arcs, devices=(0, 0))  # by copies, then


class Library:
    """NCCL, where a group's broadcasts begin when the group ends."""

    NCCL_INT8 = 0

    def __init__(self):
        self.NcclCommunicator = self
        self.devices, self.queued = 0, None

    def initAll(self, devices):  # noqa: N802
        self.devices = len(devices)
        return [self] * self.devices

    def groupStart(self):  # noqa: N802
        self.queued = []

    def broadcast(self, sent, to, count, dtype, root, stream):
        assert dtype == self.NCCL_INT8
        self.queued.append((sent, to, count, root))

    def groupEnd(self):  # noqa: N802
        arrays = len(self.queued) // self.devices
        for number, (_, to, count, root) in enumerate(self.queued):
            ctypes.memmove(to, self.queued[root * arrays + number % arrays][0], count)
        self.queued = None


def test_nccl(runtime, monkeypatch):
    library = Library()
    monkeypatch.setattr(transport, "nccl", lambda: library)
    transport._communicators.cache_clear()
    arcs = drawn(200, "float32", 0.02, 5)

    def close(distance, tree):
        close_in_shares(distance, tree, devices=(0, 1), block=64)
        return distance, tree

    check(arcs, close)
    assert library.queued is None
    transport._communicators.cache_clear()


def test_linked_devices_reach_each_other_once(runtime, monkeypatch):
    asked = []
    cuda = runtime.xp.cuda.runtime
    cuda.CUDARuntimeError = RuntimeError

    def enable(other):
        asked.append(other)
        raise RuntimeError("PeerAccessAlreadyEnabled")

    monkeypatch.setattr(cuda, "deviceCanAccessPeer", lambda device, other: other < 2)
    monkeypatch.setattr(cuda, "deviceEnablePeerAccess", enable, raising=False)
    transport.let_access.cache_clear()
    for _ in range(2):
        transport.PeerCopies((0, 1, 2), [None] * 3)
    assert sorted(asked) == [0, 0, 1, 1]
    transport.let_access.cache_clear()


@pytest.mark.parametrize(
    ("types", "lazy"),
    few(product(TYPES, [False, True]), [(TYPES[0], True)]),
)
def test_out_of_core(runtime, types, lazy):
    """What fits at once, and what goes past the device in groups."""
    dtype, negative = types
    arcs = drawn(200, dtype, 0.02, 3, negative=negative)

    def close(distance, tree):
        before = distance.copy(), None if tree is None else tree.copy()
        out_of_core.floyd_warshall_out_of_core(*before, lazy=lazy)
        out_of_core.floyd_warshall_out_of_core(distance, tree, lazy=lazy, device_bytes=700_000)
        assert np.array_equal(before[0], distance)
        return distance, tree

    check(arcs, close)


def test_out_of_core_refuses(runtime):
    arcs = drawn(200, "float32", 0.02, 3)
    with pytest.raises(MemoryError, match="device_bytes=1,000"):
        out_of_core.floyd_warshall_out_of_core(arcs, device_bytes=1000)
    arcs.flags.writeable = False
    with pytest.raises(ValueError, match="distances are read-only"):
        out_of_core.floyd_warshall_out_of_core(arcs)
    assert out_of_core.floyd_warshall_out_of_core(np.empty((0, 0), np.float32)) == 0
    assert 0 < out_of_core.free_bytes() < 2**30


@pytest.mark.parametrize(
    ("method", "gpus"), [("blocked-floyd-warshall", 1), ("blocked-floyd-warshall", 2), ("partitioned", 1)]
)  # fmt: skip
def test_apsp(runtime, monkeypatch, method, gpus):
    monkeypatch.setattr(transport, "nccl", lambda: None)
    graph = wp.generate.grid(8, 18, weights=(1, 9), seed=1)
    with emulated_device(runtime, gpus):
        found = wp.apsp(
            graph, device="cuda", devices=gpus, method=method, dtype=np.int32, predecessors=True
        )
        assert ("2 GPUs" in found.stats.why) == (gpus == 2)
        distance, tree = np.asarray(found.distance), np.asarray(found.predecessor)
    assert np.array_equal(distance, wp.apsp(graph, device="cpu", dtype=np.int32).distance)
    assert (tree >= 0).sum() == 144 * 143


def test_parts_that_go_past_the_device(runtime, monkeypatch):
    """To a matrix of the host's."""
    monkeypatch.setattr(gpu_apsp, "_device_bytes", lambda *_: 2**62)
    graph = wp.generate.grid(8, 18, weights=(1, 9), seed=1)
    with emulated_device(runtime):
        found = wp.apsp(graph, device="cuda", method="partitioned", dtype=np.int32)
        assert type(found.distance) is np.ndarray
    assert np.array_equal(found.distance, wp.apsp(graph, device="cpu", dtype=np.int32).distance)
