"""The order in which blocks go past a device, with NumPy for the device."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from warpath.cuda.minplus import Relax, closing_group
from warpath.cuda.streaming import SLOTS, Blocking, Pipeline, blocking, rounds


def bytes_of(n):
    return lambda sizes: (sizes.size + SLOTS * sizes.rows) * n


@pytest.mark.parametrize("n", [1, 63, 64, 65, 1000, 4096])
@pytest.mark.parametrize("share", [0.3, 0.5, 1, 2])
def test_sizes_fit_and_cover_all_rows(n, share):
    most = max(int(share * n * n), 4 * 64 * n)
    sizes = blocking(n, 64, bytes_of(n), most)
    assert bytes_of(n)(sizes) <= most
    assert sizes.size % 64 == sizes.rows % 64 == 0
    met = []
    for group, blocks in rounds(n, *sizes):
        met += range(group.first, group.first + group.size)
        others = [row for first, size, *_ in blocks for row in range(first, first + size)]
        inside = set(range(group.first, group.first + group.size))
        assert others == [row for row in range(n) if row not in inside]
        assert all(block.size <= sizes.rows for block in blocks)
    assert met == list(range(n))


def test_what_fits_is_one_group():
    assert blocking(1000, 64, bytes_of(1000), 1024 * 1000) == Blocking(1024, 0)


def test_too_little_memory_is_refused():
    with pytest.raises(MemoryError, match="256,000"):
        blocking(1000, 64, bytes_of(1000), 255_999)


class FakeDevice:
    """Slots of NumPy arrays; work runs later, in order, as a stream's does; all take their time."""

    def __init__(self, host, low, group, seed):
        self.host, self.low, self.group = host, low, group
        self.slots = [np.full_like(host, np.nan) for _ in range(SLOTS)]
        self.rng = np.random.default_rng(seed)
        self.lock = threading.Lock()
        self.stream = ThreadPoolExecutor(1)

    def wait(self):
        with self.lock:
            seconds = self.rng.choice([0, 0, 0.001, 0.003])
        time.sleep(seconds)

    def load(self, slot, rows):
        self.slots[slot][:] = np.nan
        self.wait()
        self.slots[slot][: rows.size] = self.host[rows.first : rows.first + rows.size]

    def work(self, slot, rows):
        def relax():
            self.wait()
            block = self.slots[slot][: rows.size]
            through = block[:, self.low : self.low + len(self.group)].copy()
            for k in range(len(self.group)):
                np.minimum(block, through[:, k, None] + self.group[k], out=block)

        return self.stream.submit(relax)

    def store(self, slot, rows, worked):
        worked.result()
        self.wait()
        self.host[rows.first : rows.first + rows.size] = self.slots[slot][: rows.size]

    def pipeline(self):
        return Pipeline(self.load, self.work, self.store, lambda: None)


@pytest.mark.parametrize("seed", range(4))
def test_all_rounds_close_a_matrix(seed):
    rng = np.random.default_rng(seed)
    n = 72
    arcs = rng.integers(1, 100, (n, n)).astype(float)
    arcs[rng.random((n, n)) < 0.8] = np.inf
    np.fill_diagonal(arcs, 0)
    expected, host = arcs.copy(), arcs.copy()
    for k in range(n):
        expected = np.minimum(expected, expected[:, k, None] + expected[k])
    for group, blocks in rounds(n, 16, 5):
        rows = host[group.first : group.first + group.size].copy()
        for step in closing_group(0, group.size, 4):
            if isinstance(step, Relax):  # to all columns at once
                part = slice(step.rows.first, step.rows.first + step.rows.size)
                own = slice(group.first + step.low, group.first + step.high)
                sums = rows[part, own, None] + rows[step.low : step.high]
                rows[part] = np.minimum(rows[part], sums.min(axis=1))
            else:
                part = slice(step.low, step.low + 4)
                for k in range(step.low, step.low + 4):
                    rows[part] = np.minimum(rows[part], rows[part, group.first + k, None] + rows[k])
        host[group.first : group.first + group.size] = rows
        with FakeDevice(host, group.first, rows, seed).pipeline() as pipeline:
            pipeline.run(blocks)
    assert np.array_equal(host, expected)


@pytest.mark.parametrize("fails", ["load", "work", "store"])
def test_a_failure_ends_the_run(fails):
    device = FakeDevice(np.zeros((40, 8)), 0, np.zeros((4, 8)), 0)
    calls = []

    def failing(slot, rows, *_):
        calls.append(rows.first)
        if rows.first >= 20:
            raise OSError(f"{fails} of {rows.first}")
        return getattr(FakeDevice, fails)(device, slot, rows, *_)

    setattr(device, fails, failing)
    (_, blocks), *_ = rounds(40, 4, 4)
    with device.pipeline() as pipeline, pytest.raises(OSError, match=f"{fails} of 20"):
        pipeline.run(blocks)
    assert max(calls) < 36
