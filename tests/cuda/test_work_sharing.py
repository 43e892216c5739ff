"""Which side takes which rows of a round, by a clock that the test turns."""

import threading

import pytest

from warpath.cuda.minplus import Rows
from warpath.cuda.work_sharing import WorkSharing


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def numbers(taken):
    return [row for rows in taken for row in range(rows.first, rows.first + rows.size)]


def play(sharing, clock, blocks, device_seconds, host_seconds):
    """Both sides work at these seconds per row; returns (device's, host's, when each ended)."""
    sharing.begin(blocks)
    taking, parts = sharing.blocks(), sharing.parts()
    device, host = [], []
    ends = {"device": clock.now, "host": clock.now}
    while ends:
        side = min(ends, key=lambda name: ends[name])
        clock.now = ends[side]
        if side == "device":
            if device:
                sharing.stored(device[-1])
            rows = next(taking, None)
        else:
            rows = next(parts, None)
        if rows is None:
            ends.pop(side)
            continue
        (device if side == "device" else host).append(rows)
        seconds = device_seconds if side == "device" else host_seconds
        ends[side] = clock.now + rows.size * seconds
    return device, host


@pytest.mark.parametrize("host_seconds", [0.01, 0.1, 1, 7, 100])
@pytest.mark.parametrize(("least", "most"), [(1, 1), (1, 64), (8, 64), (64, 64)])
def test_each_side_takes_what_it_is_fast_for(least, most, host_seconds):
    clock = Clock()
    sharing = WorkSharing(least, most, clock)
    blocks = [Rows(0, 64), Rows(64, 64), Rows(128, 10), Rows(300, 64), Rows(364, 3)]
    for turn in range(8):
        began = clock.now
        device, host = play(sharing, clock, blocks, 0.1, host_seconds)
        assert sorted(numbers(device) + numbers(host)) == numbers(blocks)
        assert all(rows.size <= most for rows in host)
        alone = 0.1 * len(numbers(blocks))
        if turn:  # from what was measured before
            together = 1 / (1 / 0.1 + 1 / host_seconds) * len(numbers(blocks))
            assert clock.now - began <= alone + 1e-9
            # The device's last block, or the host's last part, is what one waits for.
            assert clock.now - began <= together + max(64 * 0.1, least * host_seconds) + 1e-9
    assert sharing.host.rows + sharing.device.rows == 8 * len(numbers(blocks))


def test_nothing_more_after_the_end():
    sharing = WorkSharing(8, 64)
    sharing.begin([Rows(0, 64), Rows(64, 64)])
    taking, parts = sharing.blocks(), sharing.parts()
    assert next(taking) == Rows(0, 64)
    assert next(parts) == Rows(120, 8)
    sharing.end()
    assert next(taking, None) is None
    assert next(parts, None) is None


def test_threads_take_each_row_once():
    sharing = WorkSharing(3, 7)
    blocks = [Rows(first, 10) for first in range(0, 20_000, 10)]
    sharing.begin(blocks)
    host = []
    thread = threading.Thread(target=lambda: host.extend(sharing.parts()))
    thread.start()
    device = []
    for rows in sharing.blocks():
        device.append(rows)
        sharing.stored(rows)
    thread.join()
    assert sorted(numbers(device) + numbers(host)) == list(range(20_000))
