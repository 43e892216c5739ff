"""Which device owns which rows, and what it does when, with NumPy for the devices."""

import numpy as np
import pytest

from warpath.cuda.block_cyclic import (
    BUFFERS,
    BlockCyclic,
    Broadcast,
    Close,
    Update,
    distribute,
    execute,
    schedule,
)
from warpath.cuda.minplus import Rows

SHAPES = [
    (64, 8, 1),
    (64, 8, 2),
    (64, 8, 3),
    (60, 8, 2),
    (60, 8, 4),
    (24, 8, 5),
    (8, 8, 2),
    (16, 4, 8),
]


def own_rows(layout, device):
    """Rows of the square in the order in which a device has them."""
    groups = [layout.vertices(group) for group in layout.owned(device)]
    return [row for first, size, *_ in groups for row in range(first, first + size)]


def chosen(rows):
    """The numbers that a range of rows without a gap stands for."""
    return [
        rows.first + i + (rows.gap if i >= rows.gap_at else 0) for i in range(rows.size)
    ]  # fmt: skip


@pytest.mark.parametrize(("n", "size", "devices"), SHAPES)
def test_each_row_has_an_owner_and_a_place(n, size, devices):
    layout = BlockCyclic(n, size, devices)
    owned = [own_rows(layout, device) for device in range(devices)]
    assert sorted(row for rows in owned for row in rows) == list(range(n))
    assert [len(rows) for rows in owned] == [layout.rows(device) for device in range(devices)]
    for group in range(layout.groups):
        place, vertices = layout.place(group), layout.vertices(group)
        rows = owned[layout.owner(group)][place.first : place.first + place.size]
        assert rows == list(range(vertices.first, vertices.first + vertices.size))


@pytest.mark.parametrize("devices", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [64, 640, 4096, 32768])
@pytest.mark.parametrize("block", [64, 1000, 2048])
def test_groups_are_dealt_evenly(n, devices, block):
    layout = distribute(n, 64, devices, block)
    assert layout.size % 64 == 0
    assert layout.size <= max(-(-block // 64) * 64, 64)
    most = max(layout.rows(device) for device in range(devices))
    assert most <= n / devices + 2 * layout.size
    if n >= devices * block:
        assert len({len(layout.owned(device)) for device in range(devices)}) <= 2


@pytest.mark.parametrize(("n", "size", "devices"), SHAPES)
def test_each_row_meets_each_group_once_and_in_order(n, size, devices):
    layout = BlockCyclic(n, size, devices)
    met = {row: [] for row in range(n)}
    for what, (device, *_), _ in schedule(layout):
        if isinstance(what, Broadcast):
            continue
        rows = layout.place(what.group) if isinstance(what, Close) else what.rows
        for place in chosen(rows):
            met[own_rows(layout, device)[place]].append(what.group)
    assert met == {row: list(range(layout.groups)) for row in range(n)}


def test_the_next_group_is_sent_before_others_are_relaxed():
    steps = schedule(BlockCyclic(64, 8, 2))
    sent = [number for number, step in enumerate(steps) if isinstance(step.what, Broadcast)]
    for number, step in enumerate(steps):
        if isinstance(step.what, Update) and step.what.rows.size > 8:
            group = step.what.group
            assert sent[group] < number
            assert group + 1 == len(sent) or sent[group + 1] < number


def test_one_device_sends_nothing():
    assert not any(isinstance(step.what, Broadcast) for step in schedule(BlockCyclic(64, 8, 1)))


class Queues:
    """Queues of NumPy's work, done as late as may be and in any order that waiting allows."""

    def __init__(self, layout, arcs, seed):
        self.layout, self.rng = layout, np.random.default_rng(seed)
        self.rows = [arcs[own_rows(layout, device)] for device in range(layout.devices)]
        self.buffers = np.full((layout.devices, BUFFERS, layout.size, len(arcs)), np.nan)
        self.queues = {(d, c): [] for d in range(layout.devices) for c in (False, True)}
        self.happened, self.events = set(), 0

    def _queue(self, device, copies, task):
        """Its event."""
        self.events += 1
        event = self.events
        self.queues[device, copies].append((None, lambda: (task(), self.happened.add(event))))
        return event

    def wait(self, device, copies, event):
        self.queues[device, copies].append((event, lambda: None))

    def close(self, device, group):
        low, size, *_ = self.layout.vertices(group)

        def task():
            rows = self._panel(device, group)
            for k in range(size):
                np.minimum(rows, rows[:, low + k, None] + rows[k], out=rows)

        return self._queue(device, False, task)

    def relax(self, device, group, rows):
        low, size, *_ = self.layout.vertices(group)

        def task():
            mine, some = self.rows[device], chosen(rows)
            through = mine[some][:, low : low + size]
            sums = (through[:, :, None] + self._panel(device, group)).min(axis=1)
            mine[some] = np.minimum(mine[some], sums)

        return self._queue(device, False, task)

    def _panel(self, device, group):
        place = self.layout.place(group)
        if self.layout.owner(group) == device:
            return self.rows[device][place.first : place.first + place.size]
        return self.buffers[device, group % BUFFERS, : place.size]

    def finish(self, event):
        while event not in self.happened:
            self._one()

    def everything(self):
        while any(self.queues.values()):
            self._one()

    def _one(self):
        ready = [
            queue
            for queue in self.queues.values()
            if queue and (queue[0][0] is None or queue[0][0] in self.happened)
        ]
        assert ready, "all queues wait for each other"
        _, task = ready[self.rng.integers(len(ready))].pop(0)
        task()


class Pushing(Queues):
    """The owner sends to one after the other, as `warpath.cuda.transport.PeerCopies` does."""

    def broadcast(self, group):
        owner = self.layout.owner(group)

        def send(to):
            def task():
                self._panel(to, group)[:] = self._panel(owner, group)

            return task

        others = [device for device in range(self.layout.devices) if device != owner]
        ends = {device: self._queue(owner, True, send(device)) for device in others}
        return {**ends, owner: max(ends.values())}


class Meeting(Queues):
    """All take part, and none continues before the others are there, as with NCCL."""

    def broadcast(self, group):
        owner, everyone = self.layout.owner(group), range(self.layout.devices)
        there = {device: self._queue(device, True, lambda: None) for device in everyone}
        for device in everyone:
            for other in everyone:
                self.wait(device, True, there[other])
        content = []
        ends = {
            owner: self._queue(
                owner, True, lambda: content.append(self._panel(owner, group).copy())
            )
        }

        def receive(device):
            def task():
                self._panel(device, group)[:] = content[0]

            return task

        for device in everyone:
            if device != owner:
                self.wait(device, True, ends[owner])
                ends[device] = self._queue(device, True, receive(device))
        return ends


@pytest.mark.parametrize("kind", [Pushing, Meeting])
@pytest.mark.parametrize(("n", "size", "devices"), SHAPES)
def test_all_steps_close_a_matrix_in_any_order(n, size, devices, kind):
    rng = np.random.default_rng(n)
    arcs = rng.integers(1, 100, (n, n)).astype(float)
    arcs[rng.random((n, n)) < 0.8] = np.inf
    np.fill_diagonal(arcs, 0)
    expected = arcs.copy()
    for k in range(n):
        expected = np.minimum(expected, expected[:, k, None] + expected[k])
    layout, calls = BlockCyclic(n, size, devices), []
    for seed in range(8):
        queues = kind(layout, arcs, seed)
        execute(layout, queues, lambda *call: calls.append(call))
        queues.everything()
        for device in range(devices):
            assert np.array_equal(queues.rows[device], expected[own_rows(layout, device)])
    assert all(done < groups for done, groups in calls)


@pytest.mark.parametrize("lost", [Close, Update, Broadcast])
def test_no_wait_is_needless(lost, monkeypatch):
    """Steps of each kind that do not wait for others are seen."""
    layout = BlockCyclic(64, 8, 3)
    impatient = [
        step._replace(after=()) if isinstance(step.what, lost) else step
        for step in schedule(layout)
    ]
    monkeypatch.setattr("warpath.cuda.block_cyclic.schedule", lambda _: impatient)
    if lost is Close:  # waits for nothing but its own queue
        assert impatient == schedule(layout)
        return
    with pytest.raises(AssertionError):
        test_all_steps_close_a_matrix_in_any_order(64, 8, 3, Pushing)


def test_progress_may_stop_it():
    def stop(done, groups):
        raise KeyboardInterrupt

    layout = BlockCyclic(64, 8, 2)
    with pytest.raises(KeyboardInterrupt):
        execute(layout, Pushing(layout, np.zeros((64, 64)), 0), stop)


def test_a_device_s_other_rows():
    assert BlockCyclic(64, 8, 2).others(0, 2) == Rows(0, 24, 8, 8)
    assert BlockCyclic(64, 8, 2).others(1, 2) == Rows(0, 24, 8, 8)
    assert BlockCyclic(64, 8, 1).others(0, 2) == Rows(0, 48, 16, 16)
    assert BlockCyclic(64, 8, 2).others(0, 7) == Rows(0, 32, 0, 0)
