"""Functions of a path's value and a weight: how they are typed, and what is refused."""

import numpy as np
import pytest

from warpath.errors import OperatorError
from warpath.language.extension import Extension


@pytest.mark.parametrize(
    ("function", "value", "weight", "result", "fits"),
    [
        (lambda d, w: d + w, "int32", "int32", "int32", True),
        (lambda d, w: d + w, "int64", "int32", "int64", True),
        (lambda d, w: 2 * d + w, "int32", "int32", "int32", True),
        (lambda d, w: d + np.int64(w), "int32", "int32", "int64", False),
        (lambda d, w: d * 1.5, "int32", "int32", "float64", False),
        (lambda d, w: d * 1.5 + w, "float32", "float32", "float32", True),
        (lambda d, w: np.float64(d) + w, "float32", "float32", "float64", True),
        (lambda d, w: d < w, "float32", "float32", "bool", False),
    ],
)
def test_types_are_numpys(function, value, weight, result, fits):
    extension = Extension(function)
    assert extension.typed(value, weight).result == result
    assert extension.fits(value, weight) is fits


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (len, "extend is a Python function, not <built-in function len>"),
        (np.add, "extend is a Python function, not <ufunc 'add'>"),
        (lambda d: d, r"<lambda>\(d\): extend takes two numbers"),
        (lambda d, w, x: d, "extend takes two numbers"),
        (lambda d, w=1: d, "plain names, without defaults"),
        (lambda d, w: [d, w], r"test_extension.py:\d+: <lambda>: extend has no list"),
        (lambda d, w: d[w], "d has no elements here"),
        (lambda d, w: d**w, "extend has .*write x"),
        (lambda d, w: print(d), "extend cannot call print"),
    ],
)
def test_what_is_refused(function, message):
    with pytest.raises(OperatorError, match=message):
        Extension(function).typed("int32", "int32")


def test_a_function_that_returns_nothing_is_refused():
    def nothing(d, w):
        d = w  # noqa: F841

    def quiet(d, w):
        x = d + w  # noqa: F841

    with pytest.raises(OperatorError, match="d is a parameter"):
        Extension(nothing).typed("int32", "int32")
    with pytest.raises(OperatorError, match="quiet: extend returns a number"):
        Extension(quiet).typed("int32", "int32")
