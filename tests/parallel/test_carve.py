import numpy as np
import pytest
from numba.core.errors import TypingError

from warpath.parallel.carve import carve
from warpath.parallel.jit import compiled


@compiled
def fill(words, begin, shape, like):
    """Write 1, 2, … in C order into a part of the words, as an array of another dtype."""
    part = carve(words, begin, like.dtype, shape)
    value = 0
    for i in range(part.shape[0]):
        for j in range(part.shape[1]):
            value += 1
            part[i, j] = value
    return part.size


@compiled
def of_class(words, size):
    carve(words, 1, np.uint32, (size,))[0] = 7
    return carve(words, 0, np.float64, (size, size, size)).strides


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("shape", [(0, 4), (1, 1), (3, 5), (np.uint64(3), 5)])
def test_a_part_is_the_view_that_numpy_makes(dtype, shape):
    words, same = np.zeros(20, np.int64), np.zeros(20, np.int64)
    size = int(shape[0]) * int(shape[1])
    assert fill(words, 2, shape, np.empty(0, dtype)) == size
    same[2:].view(dtype)[:size] = np.arange(1, size + 1)
    assert np.array_equal(words, same)


def test_dtypes_by_class_and_shapes_of_any_length():
    words = np.zeros(3, np.int64)
    assert of_class(words, 4) == (128, 32, 8)
    assert words.view(np.uint32).tolist() == [0, 0, 7, 0, 0, 0]


@pytest.mark.parametrize("words", [np.zeros(8, np.int64)[::2], np.zeros((2, 2), np.int64)])
def test_what_is_not_contiguous_is_refused(words):
    with pytest.raises(TypingError, match="contiguous 1-d array"):
        of_class(words, 1)


def test_a_shape_is_of_integers():
    with pytest.raises(TypingError, match="tuple of integers"):
        of_class(np.zeros(8, np.int64), 1.5)
