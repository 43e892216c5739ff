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
