"""Who owns which rows and what each device does when, with NumPy for the devices."""

import numpy as np
import pytest

from warpath.cuda.minplus import Rows
from warpath.cuda.spreading import (
    BUFFERS,
    Broadcast,
    Close,
    Spread,
    Through,
    dealt,
    play,
    schedule,
)

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


def own_rows(spread, device):
    """Rows of the square in the order in which a device has them."""
    groups = [spread.vertices(group) for group in spread.owned(device)]
    return [row for first, size, *_ in groups for row in range(first, first + size)]


def chosen(rows):
    """The numbers that a range of rows without a gap stands for."""
    return [
        rows.first + i + (rows.gap if i >= rows.gap_at else 0) for i in range(rows.size)
    ]  # fmt: skip


@pytest.mark.parametrize(("n", "size", "devices"), SHAPES)
def test_each_row_has_an_owner_and_a_place(n, size, devices):
    spread = Spread(n, size, devices)
    owned = [own_rows(spread, device) for device in range(devices)]
    assert sorted(row for rows in owned for row in rows) == list(range(n))
    assert [len(rows) for rows in owned] == [spread.rows(device) for device in range(devices)]
    for group in range(spread.groups):
        place, vertices = spread.place(group), spread.vertices(group)
        rows = owned[spread.owner(group)][place.first : place.first + place.size]
        assert rows == list(range(vertices.first, vertices.first + vertices.size))


@pytest.mark.parametrize("devices", [1, 2, 3, 8])
@pytest.mark.parametrize("n", [64, 640, 4096, 32768])
@pytest.mark.parametrize("block", [64, 1000, 2048])
def test_groups_are_dealt_evenly(n, devices, block):
    spread = dealt(n, 64, devices, block)
    assert spread.size % 64 == 0
    assert spread.size <= max(-(-block // 64) * 64, 64)
    most = max(spread.rows(device) for device in range(devices))
    assert most <= n / devices + 2 * spread.size
    if n >= devices * block:
        assert len({len(spread.owned(device)) for device in range(devices)}) <= 2


@pytest.mark.parametrize(("n", "size", "devices"), SHAPES)
def test_each_row_meets_each_group_once_and_in_order(n, size, devices):
    spread = Spread(n, size, devices)
    met = {row: [] for row in range(n)}
    for what, (device, *_), _ in schedule(spread):
        if isinstance(what, Broadcast):
            continue
        rows = spread.place(what.group) if isinstance(what, Close) else what.rows
        for place in chosen(rows):
            met[own_rows(spread, device)[place]].append(what.group)
    assert met == {row: list(range(spread.groups)) for row in range(n)}


def test_the_next_group_is_sent_before_others_are_relaxed():
    steps = schedule(Spread(64, 8, 2))
    sent = [number for number, step in enumerate(steps) if isinstance(step.what, Broadcast)]
    for number, step in enumerate(steps):
        if isinstance(step.what, Through) and step.what.rows.size > 8:
            group = step.what.group
            assert sent[group] < number
            assert group + 1 == len(sent) or sent[group + 1] < number


def test_one_device_sends_nothing():
    assert not any(isinstance(step.what, Broadcast) for step in schedule(Spread(64, 8, 1)))


class Queues:
    """Queues of NumPy's work, done as late as may be and in any order that waiting allows."""

    def __init__(self, spread, arcs, seed):
        self.spread, self.rng = spread, np.random.default_rng(seed)
        self.rows = [arcs[own_rows(spread, device)] for device in range(spread.devices)]
        self.buffers = np.full((spread.devices, BUFFERS, spread.size, len(arcs)), np.nan)
        self.queues = {(d, c): [] for d in range(spread.devices) for c in (False, True)}
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
        low, size, *_ = self.spread.vertices(group)

        def task():
            rows = self._panel(device, group)
            for k in range(size):
                np.minimum(rows, rows[:, low + k, None] + rows[k], out=rows)

        return self._queue(device, False, task)

    def relax(self, device, group, rows):
        low, size, *_ = self.spread.vertices(group)

        def task():
            mine, some = self.rows[device], chosen(rows)
            through = mine[some][:, low : low + size]
            sums = (through[:, :, None] + self._panel(device, group)).min(axis=1)
            mine[some] = np.minimum(mine[some], sums)

        return self._queue(device, False, task)

    def _panel(self, device, group):
        place = self.spread.place(group)
        if self.spread.owner(group) == device:
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
        owner = self.spread.owner(group)

        def send(to):
            def task():
                self._panel(to, group)[:] = self._panel(owner, group)

            return task

        others = [device for device in range(self.spread.devices) if device != owner]
        ends = {device: self._queue(owner, True, send(device)) for device in others}
        return {**ends, owner: max(ends.values())}


class Meeting(Queues):
    """All take part, and nobody goes on before the others are there, as with NCCL."""

    def broadcast(self, group):
        owner, everyone = self.spread.owner(group), range(self.spread.devices)
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
    spread, calls = Spread(n, size, devices), []
    for seed in range(8):
        queues = kind(spread, arcs, seed)
        play(spread, queues, lambda *call: calls.append(call))
        queues.everything()
        for device in range(devices):
            assert np.array_equal(queues.rows[device], expected[own_rows(spread, device)])
    assert all(done < groups for done, groups in calls)


@pytest.mark.parametrize("lost", [Close, Through, Broadcast])
def test_no_wait_is_needless(lost, monkeypatch):
    """Steps of each kind that do not wait for others are seen."""
    spread = Spread(64, 8, 3)
    impatient = [
        step._replace(after=()) if isinstance(step.what, lost) else step
        for step in schedule(spread)
    ]
    monkeypatch.setattr("warpath.cuda.spreading.schedule", lambda _: impatient)
    if lost is Close:  # waits for nothing but its own queue
        assert impatient == schedule(spread)
        return
    with pytest.raises(AssertionError):
        test_all_steps_close_a_matrix_in_any_order(64, 8, 3, Pushing)


def test_progress_may_stop_it():
    def stop(done, groups):
        raise KeyboardInterrupt

    spread = Spread(64, 8, 2)
    with pytest.raises(KeyboardInterrupt):
        play(spread, Pushing(spread, np.zeros((64, 64)), 0), stop)


def test_a_device_s_other_rows():
    assert Spread(64, 8, 2).others(0, 2) == Rows(0, 24, 8, 8)
    assert Spread(64, 8, 2).others(1, 2) == Rows(0, 24, 8, 8)
    assert Spread(64, 8, 1).others(0, 2) == Rows(0, 48, 16, 16)
    assert Spread(64, 8, 2).others(0, 7) == Rows(0, 32, 0, 0)
