"""Copies to the host, of arrays that are there: those of a GPU are in tests/emulator/test_prepared.py."""

import numpy as np

from warpath.algorithms.primitives.host_copy import HostCopy


def test_the_element_at_the_last_begin():
    x = np.array([1.5])
    copy = HostCopy(x, np)
    copy.begin()
    x[0] = 2.5
    assert copy.wait() == 1.5
    copy.begin()
    assert copy.wait() == 2.5
