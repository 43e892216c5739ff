"""What the text of an algebra's function says of how much it adds to the value of a path."""

import numpy as np
import pytest

from warpath.language.extension import Extension
from warpath.language.growth import Growth, growth

TOLL, WEIGHTS = 3, (1, 255)


def in_steps(d, w):
    fee = w // 8
    if w > 100:
        if d > 50:
            return d + w + fee
        fee = -1
    else:
        fee = fee + 1
    x = d + abs(-fee)
    return x + w


KNOWN = {
    "sum": (lambda d, w: d + w, (1, 255)),
    "the weight first": (lambda d, w: w * w + d, (1, 255 * 255)),
    "a toll": (lambda d, w: d + w + (TOLL if w > 128 else 0), (1, 258)),
    "the better of two": (lambda d, w: min(d + w, d + 7), (1, 7)),
    "wait for the hour": (lambda d, w: d + 60 - d % 60 + w, (2, 315)),
    "downwards": (lambda d, w: d - w, (-255, -1)),
    "a bool counts": (lambda d, w: d + (w > 7), (0, 1)),
    "wider in between": (lambda d, w: np.int32(np.int64(d) + w), (1, 255)),
    "less and more": (lambda d, w: d - 3 + w, (-2, 252)),
    "in steps": (in_steps, (1, 287)),
}
UNKNOWN = {
    "max": lambda d, w: max(d, w),
    "twice": lambda d, w: 2 * d + w,
    "the value twice": lambda d, w: d + d,
    "without the value": lambda d, w: w,
    "from the other side": lambda d, w: w - d,
    "floats": lambda d, w: np.int32(d + w * 0.5),
    "a weight that leaves its dtype": lambda d, w: d + w * w * w * w,
    "one of two": lambda d, w: d + w if w > 3 else w,
    "mirrored": lambda d, w: abs(d) + w,
}


@pytest.mark.parametrize("name", KNOWN)
def test_known_ranges_hold(name):
    function, ends = KNOWN[name]
    found = growth(Extension(function).typed("int32", "int32"), WEIGHTS)
    assert (found.least, found.most) == ends
    for value in (0, 1, 59, 1000, 12345):
        for weight in (*range(1, 256, 5), 128, 129, 255):
            assert found.least <= function(value, weight) - value <= found.most
    assert found.below <= found.least
    assert found.above >= found.most


@pytest.mark.parametrize("name", UNKNOWN)
def test_what_is_no_sum_is_not_known(name):
    assert growth(Extension(UNKNOWN[name]).typed("int32", "int32"), WEIGHTS) is None


def test_a_value_that_is_cut_off_on_the_way_is_not_known():
    cut = Extension(lambda d, w: np.int64(np.int32(d)) + w)
    assert growth(cut.typed("int64", "int32"), WEIGHTS) is None
    assert growth(cut.typed("int32", "int32"), WEIGHTS) == Growth(1, 255, 0, 255)


def test_a_part_of_32_bits_that_is_cut_off_is_not_known():
    """In a path's value of 64 bits, too: 65536² is 0."""
    for rule in (lambda d, w: d + w * w, lambda d, w: d + abs(-w - 1), lambda d, w: d - (-w)):
        function = Extension(rule).typed("int64", "int32")
        assert growth(function, (-(2**31), 2**31 - 1)) is None
        assert growth(function, (1, 9)) is not None


def test_loops_are_not_known():
    def again(d, w):
        x = d
        while x < 100:
            x = x + w
        return x

    assert growth(Extension(again).typed("int32", "int32"), WEIGHTS) is None


def test_how_far_a_path_may_be():
    one = Growth(least=-2, most=5, below=-3, above=9)
    assert one.stays_within(100, 10, (77, 159))
    assert not one.stays_within(100, 10, (78, 159))
    assert not one.stays_within(100, 10, (77, 158))
