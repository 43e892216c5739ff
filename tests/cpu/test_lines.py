import numpy as np
from numba import njit

from warpath.cpu.lines import pull, push


@njit
def _push(front, seen, found, here, there):
    return push(front, np.uint64(here), seen, found, np.uint64(there))


@njit
def _pull(front, seen, found, full, here, there):
    return pull(front, np.uint64(here), seen, found, np.uint64(there), full, np.uint64(0))


def test_lines_at_any_word():
    rng = np.random.default_rng(0)
    for here, there in ((0, 0), (8, 3), (1, 12), (5, 5)):
        front, seen, found = rng.integers(0, 2**63, (3, 20)).astype(np.uint64)
        full = rng.integers(0, 2**63, 8).astype(np.uint64)
        f, s, g = front[here : here + 8], seen[there : there + 8], found[there : there + 8]
        expected = found.copy()
        expected[there : there + 8] = g | (f & ~s)
        after = found.copy()
        assert _push(front, seen, after, here, there) == np.bitwise_or.reduce(f & ~s)
        assert np.array_equal(after, expected)
        expected[there : there + 8] = g | f
        after = found.copy()
        missing = np.bitwise_or.reduce(full & ~(s | g | f))
        assert _pull(front, seen, after, full, here, there) == missing
        assert np.array_equal(after, expected)
    none = np.zeros(8, np.uint64)
    assert _push(none, none, none.copy(), 0, 0) == 0
    assert _pull(none, none, none.copy(), none, 0, 0) == 0
