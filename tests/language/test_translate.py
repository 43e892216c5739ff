"""What operators may have, and what is refused with a line and what to write instead."""

import math
import re
from functools import partial

import numpy as np
import pytest

import warpath as wp
from warpath.language.cpp import header
from warpath.language.operator import Operator
from warpath.language.python import source
from warpath.language.types import FLOAT, INT, ArrayOf, common

cpp = partial(header, "vertices.cuh")
OUTSIDE = 3
TABLE = {1: 2}
ARRAYS = {"x": ArrayOf("int32"), "y": ArrayOf("float64")}


def of(text, parameters="u, v, x, y"):
    """An operator on edges with a body of one or more lines."""
    body = "\n".join(f"    {line}" for line in text.splitlines())
    names = {"wp": wp, "np": np, "math": math, "OUTSIDE": OUTSIDE, "TABLE": TABLE}
    code = f"def f({parameters}):\n{body}\n"
    import linecache

    name = f"<operator {abs(hash(code))}>"
    linecache.cache[name] = (len(code), None, code.splitlines(keepends=True), name)
    exec(compile(code, name, "exec"), names)
    return Operator(names["f"])


def typed(text, parameters="u, v, x, y", **more):
    return of(text, parameters).typed(ARRAYS | more)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("return [1, 2]", "has no list"),
        ("return x[v] ** 2", r"no \*\*: write x \* x"),
        ("z = {1: 2}", "has no dict"),
        ("for a in x:\n    pass", "a loop goes over range"),
        ("for i in range(0, 5, v):\n    pass", "the step of range"),
        ("for i in range(1.5):\n    pass", "range.* takes integers"),
        ("try:\n    pass\nexcept ValueError:\n    pass", "has no try"),
        ("import os", "has no import"),
        ("raise ValueError", "has no raise"),
        ("return x", "x is an array: write x"),
        ("return z[v]", "only arrays that an operator takes"),
        ("return x[v, u]", "an array has one index"),
        ("return x[0.5]", "an index is an integer, not a"),
        ("return unknown", "unknown is not known here"),
        ("return TABLE", "TABLE is a dict"),
        ("return 'text'", "has no text"),
        ("return x[v] in (1, 2)", "has no tuple|has no `in`"),
        ("x[v] += 1", r"wp.atomic_add\(x, v, 1\)"),
        ("x[u] |= 1", r"wp.atomic_or\(x, u, 1\)"),
        ("x[v] = x[u]", r"several edges may write x\[v\] at once"),
        ("y[v] = 1.5 * u", r"atomic_cas\(y, v, expected, value\)"),
        ("if wp.atomic_cas(x, u, 0, 1):\n    x[v] = u", "several edges may write"),
        ("x[v] = 1.5", "x holds int32, and this is a float64"),
        ("return wp.atomic_min(x, v, 2.5)", "x holds int32, and this is a float64"),
        ("return wp.atomic_or(y, v, 1)", "takes an array of integers"),
        ("return wp.atomic_min(x, v)", "atomic_min takes 3 arguments"),
        ("a = np.int32(1)\na = 2.5", "a is an int32 since it was first assigned"),
        ("if u > v:\n    a = 1\nreturn a > 0", "a has no value yet on every way"),
        ("u = 3", "u is a parameter"),
        ("x[v]", "computes something and does nothing with it"),
        ("return print(u)", "cannot call print"),
        ("return x[v] << 1.0", "<< takes integers"),
        ("return ~y[v]", "~ takes integers"),
        ("return u + 2 ** 70", r"no \*\*"),
        ("return u + 99999999999", "does not fit in int32"),
        ("return u + 1 // 0", "division by zero"),
        ("return u is v", "has no `is`"),
        ("return min(u, key=v)", "given by position"),
        ("a, b = u, v", "has no assignment to several names"),
    ],
)
def test_refused(text, message):
    with pytest.raises(wp.OperatorError, match=message) as caught:
        typed(text)
    assert re.match(r"<operator \d+>:\d+: f: ", str(caught.value))


def test_the_line_is_that_of_the_mistake():
    with pytest.raises(wp.OperatorError, match=">:4: f: "):
        typed("a = 1\nb = 2\nreturn [a, b]")


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda a, b: a, r"an operator on edges begins with\s+u, v"),
        (lambda v, x=1: x, "plain names"),
        (lambda v, *x: x, "plain names"),
        (len, "an operator is a Python function"),
        (3, "an operator is a Python function"),
    ],
)
def test_what_is_no_operator(function, message):
    with pytest.raises(wp.OperatorError, match=message):
        wp.operator(function)


def test_a_function_without_source():
    names = {}
    exec("def f(v):\n    return 1", names)
    with pytest.raises(wp.OperatorError, match="source of an operator must be readable"):
        wp.operator(names["f"]).typed({})


@pytest.mark.parametrize(
    "text",
    [
        "x[v] = 1",  # all edges write the same
        "x[v] = v",
        "if wp.atomic_cas(x, v, -1, u):\n    y[v] = u + 0.5",
        "if u != v and wp.atomic_cas(x, v, -1, u) and True:\n    y[v] = u",
    ],
)
def test_stores_that_do_not_race(text):
    typed(text)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("int32", INT, "int32"),
        ("int32", FLOAT, "float64"),
        ("float32", FLOAT, "float32"),
        ("float32", "int32", "float64"),
        (INT, FLOAT, FLOAT),
        ("bool", INT, "int64"),
        ("int32", "int64", "int64"),
    ],
)
def test_promotion(a, b, kind):
    assert common(a, b) == common(b, a) == kind


def test_variables_take_the_type_of_what_comes_later():
    function = typed("best = 0\nfor i in range(4):\n    best = max(best, y[i])\nreturn best > 1")
    assert function.locals == {"best": "float64", "i": "int64"}
    assert typed("a = 0\nreturn a + x[v] > 1").locals == {"a": "int64"}


def test_numbers_from_outside_are_constants():
    tree = typed("return x[v] + OUTSIDE + math.inf > y[v]")
    assert "inf" in source(tree)
    assert "infinity<double>()" in cpp(tree)


def test_texts_depend_on_what_an_operator_is_not_on_its_name():
    one = typed("return x[v] > 1  # a comment")
    assert cpp(one) == cpp(typed("return x[v] > 1"))
    assert cpp(one) != cpp(typed("return x[v] > 2"))
    assert source(one) != source(one, checks=True)


def test_plain_python():
    f = of("return wp.atomic_min(x, v, x[u] + 1)")
    x = np.array([3, 9])
    assert f(0, 1, x, None) is True
    assert x.tolist() == [3, 4]
    assert repr(f) == "wp.operator f(u, v, x, y)"
