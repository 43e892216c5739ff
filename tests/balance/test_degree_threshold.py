"""The maximum-out-degree threshold by histogram."""

import numpy as np
import pytest

from warpath.balance.degree_threshold import histogram_threshold


def threshold(degrees, bins):
    return histogram_threshold(np, np.r_[0, np.cumsum(degrees)].astype(np.uint32), bins)


@pytest.mark.parametrize(
    ("degrees", "bins", "expected"),
    [
        ([10] * 5, 10, 10),  # all in the last range: nothing is split
        ([1, 3, 3, 4, 4, 10], 5, 4),
        ([1, 2, 2, 100], 10, 10),  # most in the first range, which ends at 10
        ([10, 10, 11, 100], 10, 10),  # a range's upper end belongs to it
        ([3, 3, 3, 1000], 100, 10),
        ([1, 1, 3], 10, 1),  # never below one arc
        ([0, 0, 7], 10, 1),
        ([0, 0], 10, 1),
        ([], 10, 1),
    ],
)
def test_it_is_the_upper_end_of_the_tallest_range(degrees, bins, expected):
    assert threshold(degrees, bins) == expected


def test_offsets_of_64_bits():
    offsets = np.array([2**35, 2**35 + 4, 2**35 + 8], np.uint64)
    assert histogram_threshold(np, offsets, 10) == 4
