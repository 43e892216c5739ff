"""Functions are found in their files: decorated, nested, several lambdas on a line."""

import pytest

from warpath.errors import OperatorError
from warpath.language.source import Source

SUM, PRODUCT = lambda d, w: d + w, lambda d, w: d * w
CHOICE = (  # noqa: E731
    lambda d, w: d + w if w > 5
    else d
)  # fmt: skip
OUTER = lambda d, w: (lambda x: x + 1)(d)  # noqa: E731


def decorated(function):
    return function


@decorated
@decorated
def named(d, w):
    """Several lines."""
    return d - w


def made(bound):
    return lambda d, w: d + w if d < bound else d


@pytest.mark.parametrize(
    ("function", "part", "line"),
    [
        (SUM, "op=Add()", 8),
        (PRODUCT, "op=Mult()", 8),
        (CHOICE, "IfExp", 10),
        (OUTER, "Call(func=Lambda", 13),
        (made(3), "Lt()", 28),
    ],
)
def test_a_lambda_is_found_by_its_code(function, part, line):
    source = Source(function)
    assert part in source.text
    assert source.line(source.body[0]) == line


def test_a_lambda_in_a_lambda_is_the_inner_one():
    outer = lambda: lambda x: x * 7  # noqa: E731
    assert "value=7" in Source(outer()).text
    assert Source(outer()).text in Source(outer).text != Source(outer()).text


def test_a_decorated_function_is_found():
    source = Source(named)
    assert "op=Sub()" in source.text
    assert source.place(source.body[-1]).endswith("test_source.py:24: named")


def test_without_a_readable_source():
    names = {}
    exec("def nowhere(d, w): return d", names)
    with pytest.raises(OperatorError, match="the source of an operator must be readable"):
        _ = Source(names["nowhere"]).body
