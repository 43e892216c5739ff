"""Lists of chunks: what goes in comes out, chunks come back, and a full pool says so."""

import numpy as np

from warpath.cpu.buckets import BUCKETS, CHUNK, USED, give_back, is_short, push, take

CHUNKS = 16


def new_lists():
    """``(tails, pool, distances, link)`` of one thread, and what all threads share."""
    tails = np.zeros(BUCKETS + 1, np.uint32)
    pool = np.zeros(CHUNKS * CHUNK, np.uint32)
    lists = tails, pool, np.zeros(CHUNKS * CHUNK, np.int32), np.zeros(CHUNKS, np.uint32)
    return lists, np.zeros(8, np.int64)


def fill(slot, entries, lists, shared):
    return [push(np.uint64(v), v + 1, slot, lists, shared) for v in range(entries)]


def test_entries_come_out_as_they_went_in():
    lists, shared = new_lists()
    tails, pool, distances, link = lists
    slot, other, entries = np.uint64(3), np.uint64(4), 2 * CHUNK + 6
    for v in range(entries):  # two lists in turns: their chunks lie among each other
        assert push(np.uint64(v), v + 1, slot, lists, shared)
        assert push(np.uint64(v + 1000), v, other, lists, shared)
    count, chunks = np.zeros(CHUNKS, np.uint32), np.zeros(CHUNKS, np.uint32)
    assert take(slot, tails, link, count, chunks) == 3
    assert tails[slot] == 0
    assert count[chunks[:3]].tolist() == [6, CHUNK, CHUNK]
    places = np.concatenate([c * CHUNK + np.arange(count[c]) for c in chunks[2::-1]])
    assert pool[places].tolist() == list(range(entries))
    assert (distances[places] == pool[places] + 1).all()
    assert take(slot, tails, link, count, chunks) == 0
    assert take(other, tails, link, count, chunks) == 3


def test_chunks_are_used_again_before_new_ones():
    lists, shared = new_lists()
    tails, _, _, link = lists
    slot, count, chunks = np.uint64(0), np.zeros(CHUNKS, np.uint32), np.zeros(CHUNKS, np.uint32)
    for _ in range(5):
        assert all(fill(slot, 3 * CHUNK, lists, shared))
        assert take(slot, tails, link, count, chunks) == 3
        for chunk in chunks[:3]:
            give_back(np.uint64(chunk), tails, link)
    assert shared[USED] == 3


def test_a_full_pool_takes_nothing_and_does_not_count_on():
    lists, shared = new_lists()
    pushed = fill(np.uint64(1), CHUNKS * CHUNK + 3, lists, shared)
    assert pushed == [True] * (CHUNKS * CHUNK) + [False] * 3
    assert shared[USED] == CHUNKS


def test_a_list_of_eight_chunks_is_not_short():
    lists, shared = new_lists()
    slot = np.uint64(2)
    assert is_short(slot, lists[0], lists[3])
    fill(slot, 7 * CHUNK, lists, shared)
    assert is_short(slot, lists[0], lists[3])
    fill(slot, 1, lists, shared)
    assert not is_short(slot, lists[0], lists[3])
