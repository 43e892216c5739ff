import mmap
from pathlib import Path

import numpy as np
import pytest

from warpath.graph.scratch import Scratch


@pytest.mark.parametrize("size", [0, 1, 1 << 20])
@pytest.mark.parametrize("piecewise", [False, True])
def test_an_array_of_a_size(size, piecewise):
    array = Scratch(size, np.float64, piecewise=piecewise).array
    array[:] = 7
    assert (array.shape, array.dtype, array.sum()) == ((size,), np.float64, 7 * size)


def test_the_rest_stays_when_a_piece_is_released():
    scratch = Scratch(1 << 20, np.int32)
    scratch.array[:] = np.arange(1 << 20)
    scratch.release(1000)  # no whole page
    assert scratch.array[:2].tolist() == [0, 1]
    end = 3 * mmap.PAGESIZE // 4 + 5
    scratch.release(end)
    np.testing.assert_array_equal(scratch.array[end:], np.arange(end, 1 << 20))


def test_what_is_released_takes_no_memory():
    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE

    scratch = Scratch(1 << 25, np.int32)
    before = resident()
    scratch.array[:] = 1
    filled = resident()
    scratch.release(1 << 25)
    assert filled - before > 100 << 20
    assert resident() - before < 30 << 20


def test_the_array_outlives_its_scratch():
    array = Scratch(1 << 20, np.int32).array
    array[:] = 3
    assert (array == 3).all()


def test_more_than_the_memory():
    with pytest.raises(MemoryError, match="cannot allocate"):
        Scratch(1 << 60, np.int8)
