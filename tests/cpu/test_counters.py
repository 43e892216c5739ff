import numpy as np

from warpath.cpu.counters import LINE, counters_of, new_counters


def test_three_sets_take_turns():
    counters = new_counters(2)
    for step in range(7):
        mine = counters_of(0, step, counters)
        assert mine.tolist() == [0] * 2 * LINE
        mine[0], mine[LINE] = step + 1, 10
        assert np.count_nonzero(counters) == min(4, 2 * step + 2)  # the step before still stands


def test_only_the_first_thread_clears():
    counters = new_counters(1)
    counters[:] = 7
    counters_of(1, 0, counters)
    assert (counters == 7).all()
    counters_of(0, 0, counters)
    assert counters[:, 0].tolist() == [7, 0, 7]
