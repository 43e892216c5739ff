"""Atomic functions in plain Python."""

import numpy as np

import warpath as wp


def test_what_they_return():
    x = np.array([5, 6])
    assert [wp.atomic_min(x, 0, 4), wp.atomic_min(x, 0, 4)] == [True, False]
    assert [wp.atomic_max(x, 1, 9), wp.atomic_max(x, 1, 9)] == [True, False]
    assert [wp.atomic_add(x, 0, 2), x[0]] == [4, 6]
    assert [wp.atomic_or(x, 0, 8), wp.atomic_or(x, 0, 2)] == [True, False]
    assert [wp.atomic_cas(x, 1, 9, 0), wp.atomic_cas(x, 1, 9, 3)] == [True, False]
    assert x.tolist() == [14, 0]
