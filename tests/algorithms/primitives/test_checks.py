"""After ``set_checks(True)`` an index out of range is an error in each primitive."""

import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from out_of_range import CALLS, LENGTH, MESSAGE


@pytest.mark.parametrize("name", few(CALLS, ["advance", "traverse", "compute"]))
def test_an_index_out_of_range_is_an_error(name):
    wp.set_checks(True)
    try:
        x = np.zeros(LENGTH, np.int64)
        with pytest.raises(IndexError, match=MESSAGE):
            CALLS[name](x)
    finally:
        wp.set_checks(False)


def test_a_fault_of_an_empty_array_writes_nothing():
    @wp.operator
    def write(v, x):
        x[0] = 7

    there = np.zeros(8, np.int64)
    wp.set_checks(True)
    try:
        with pytest.raises(IndexError):
            wp.compute(wp.generate.grid(1, 3), write, there[5:5])
    finally:
        wp.set_checks(False)
    assert not there.any()
