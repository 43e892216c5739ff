"""Lists of chunks: what goes in comes out, chunks come back, and a full pool says so."""

import numpy as np

from warpath.cpu.buckets import BUCKETS, CHUNK, USED, Lists, give_back, is_short, push, take

CHUNKS = 16


def new_lists():
    """One thread's."""
    return Lists(
        tails=np.zeros(BUCKETS + 1, np.uint32),
        pool=np.zeros(CHUNKS * CHUNK, np.uint32),
        distances=np.zeros(CHUNKS * CHUNK, np.int32),
        link=np.zeros(CHUNKS, np.uint32),
        count=np.zeros(CHUNKS, np.uint32),
        shared=np.zeros(8, np.int64),
    )


def fill(lists, slot, entries):
    return [push(lists, np.uint64(v), v + 1, slot) for v in range(entries)]


def test_entries_come_out_as_they_went_in():
    lists = new_lists()
    slot, other, entries = np.uint64(3), np.uint64(4), 2 * CHUNK + 6
    for v in range(entries):  # two lists alternately: their chunks lie among each other
        assert push(lists, np.uint64(v), v + 1, slot)
        assert push(lists, np.uint64(v + 1000), v, other)
    chunks = np.zeros(CHUNKS, np.uint32)
    assert take(lists, slot, chunks) == 3
    assert lists.tails[slot] == 0
    assert lists.count[chunks[:3]].tolist() == [6, CHUNK, CHUNK]
    places = np.concatenate([c * CHUNK + np.arange(lists.count[c]) for c in chunks[2::-1]])
    assert lists.pool[places].tolist() == list(range(entries))
    assert (lists.distances[places] == lists.pool[places] + 1).all()
    assert take(lists, slot, chunks) == 0
    assert take(lists, other, chunks) == 3


def test_chunks_are_used_again_before_new_ones():
    lists, slot, chunks = new_lists(), np.uint64(0), np.zeros(CHUNKS, np.uint32)
    for _ in range(5):
        assert all(fill(lists, slot, 3 * CHUNK))
        assert take(lists, slot, chunks) == 3
        for chunk in chunks[:3]:
            give_back(lists, np.uint64(chunk))
    assert lists.shared[USED] == 3


def test_a_full_pool_takes_nothing_and_does_not_count_on():
    lists = new_lists()
    pushed = fill(lists, np.uint64(1), CHUNKS * CHUNK + 3)
    assert pushed == [True] * (CHUNKS * CHUNK) + [False] * 3
    assert lists.shared[USED] == CHUNKS


def test_a_list_of_eight_chunks_is_not_short():
    lists, slot = new_lists(), np.uint64(2)
    assert is_short(lists, slot)
    fill(lists, slot, 7 * CHUNK)
    assert is_short(lists, slot)
    fill(lists, slot, 1)
    assert not is_short(lists, slot)
