"""The same on the emulator's GPU, where AddressSanitizer sees what is read nevertheless."""

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from exhaustive import few
from out_of_range import CALLS, LENGTH, MESSAGE

OFTEN = "traverse", "compute"  # each is a kernel to build


@pytest.mark.parametrize("name", few(CALLS, OFTEN))
def test_an_index_out_of_range_is_an_error(runtime, name):
    wp.set_checks(True)
    try:
        with emulated_device(runtime):
            x = runtime.xp.zeros(LENGTH, np.int64)
            with pytest.raises(IndexError, match=MESSAGE):
                CALLS[name](x)
    finally:
        wp.set_checks(False)
