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
from warpath.language.types import FLOAT, INT, WIDE, ArrayOf, common, either

cpp = partial(header, "vertices.cuh")
OUTSIDE = 3
TABLE = {1: 2}
HUGE = 1 << 100_000
BYTE = np.uint8(3)


def helper(a):
    return a


ARRAYS = {"x": ArrayOf("int32"), "y": ArrayOf("float64")}


def of(text, parameters="u, v, x, y"):
    """An operator on edges with a body of one or more lines."""
    body = "\n".join(f"    {line}" for line in text.splitlines())
    names = {
        "wp": wp,
        "np": np,
        "math": math,
        "OUTSIDE": OUTSIDE,
        "TABLE": TABLE,
        "HUGE": HUGE,
        "BYTE": BYTE,
        "helper": helper,
    }
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
        ("return x[v] ** 2", r"has \*\* only between numbers .*: write x \* x"),
        ("z = {1: 2}", "has no dict"),
        ("for a in x:\n    pass", "a loop goes over range"),
        ("for x in range(3):\n    pass", "x has another type already"),
        ("for i in range(0, 5, v):\n    pass", "the step of range"),
        ("for i in range(1.5):\n    pass", "range.* takes integers"),
        ("try:\n    pass\nexcept ValueError:\n    pass", "has no try"),
        ("import os", "has no import"),
        ("raise ValueError", "has no raise"),
        ("return x", "x is an array: write x"),
        ("return z[v]", "z has no elements here: only arrays among the arguments have"),
        ("return x[v, u]", "an array has one index"),
        ("return x[0.5]", "an index is an integer, not a"),
        ("return unknown", "unknown is not known here"),
        ("return TABLE", "TABLE is a dict"),
        ("return BYTE", "BYTE is of dtype uint8, and operators take bool, int32, .*: give it one"),
        ("return 'text'", "has no text"),
        ("return TABLE(0)", "TABLE is no function"),
        (
            "return bin(x[v]).count('1')",
            r"has no bin\(x\[v\]\), whose result has no attributes: it has ",
        ),
        ("return x[v] in (1, 2)", "has no `in`: it has <"),
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
        ("return print(u)", "cannot call print: write what is of interest into an array"),
        ("return np.maximum(u, v)", r"cannot call np.maximum: write max\(a, b\)"),
        ("return math.isnan(y[v])", "cannot call math.isnan: write x != x"),
        ("return sum(x)", "cannot call sum: write a loop, or take the sum as an argument"),
        ("return bin(u)", "cannot call bin like this; it has min, max"),
        ("a: int\nreturn a", "has no variable without a value: it has assignments"),
        ("return x[v] << 1.0", "<< takes integers"),
        ("return ~y[v]", "~ takes integers"),
        ("return u + 2 ** 70", r"2 \*\* 70 does not fit in 64 bits"),
        ("return u + (-8) ** 0.5", r"is a complex, and values are numbers"),
        ("return y[v] // 2", r"// takes integers, and these are float64: write np.floor\(a / b\)"),
        ("return y[v] % 2", r"write a - b \* np.floor\(a / b\)"),
        ("return x[-1]", r"an index counts from 0: write x\[len\(x\) - 1\]"),
        ("return helper(x[v])", "cannot call helper, another function: write what it does here"),
        ("return u + 99999999999", "does not fit in int32"),
        ("return u + 1 // 0", "division by zero"),
        ("return u + (1 << -1)", "1 << -1 has no value: negative shift count"),
        ("return u + (1.5 & 1)", "1.5 & 1 has no value: unsupported operand"),
        ("return u + (1 << 100000)", "1 << 100000 does not fit in 64 bits"),
        ("return u * 0x9E3779B97F4A7C15", "does not fit in 64 bits .*: write -7046029254386353131"),
        ("return u + HUGE", "HUGE does not fit in 64 bits"),
        ("return u + int(math.inf)", "inf is no int64"),
        ("return u + int(-math.nan)", "nan is no int64"),
        ("a = x[v] or 5", r"x\[v\] or 5 is one of its operands.*write a if a else b"),
        ("a = u > 0 and x[v]", "write b if a else a"),
        ("a = 1 + (not u or v)", "not u or v is one of its operands"),
        ("return 0 <= wp.atomic_add(x, v, 1) < 5", "would run twice here: assign it to a variable"),
        ("a = len(x)\nreturn wp.atomic_min(x, v, a)", r"this is an int64: write np.int32\(…\)"),
        ("a = len(x)\nreturn wp.atomic_cas(x, v, a, 0)", r"this is an int64: write np.int32\(…\)"),
        ("for i in range(x[v]):\n    pass\nreturn i", "i has no value yet on every way"),
        ("abs = 3\nreturn abs(x[v])", "abs is a variable of the function here"),
        ("a = abs(x[v])\nabs = 3\nreturn a", "abs is a variable of the function here"),
        ("np = 3\nreturn np.int32(u)", "np is a variable of the function here"),
        ("return x.shape", r"an array has elements, x\[v\], and len\(x\), but no shape"),
        ("return x.shape[0]", "but no shape"),
        ("return u is v", "has no `is`"),
        ("return min(u, key=v)", "given by position"),
        ("a, b = u, v", "an assignment has one name or element: write a line for each"),
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


@pytest.mark.parametrize(
    ("a", "b", "arithmetic", "choice"),
    [
        ("int32", WIDE, "int32", "int64"),
        ("int32", INT, "int32", "int32"),
        ("float32", WIDE, "float32", "float32"),
        ("int64", WIDE, "int64", "int64"),
        (INT, WIDE, WIDE, WIDE),
        (WIDE, FLOAT, FLOAT, FLOAT),
    ],
)
def test_ints_that_may_not_fit(a, b, arithmetic, choice):
    assert common(a, b) == common(b, a) == arithmetic
    assert either(a, b) == either(b, a) == choice


def test_a_condition_takes_numbers():
    one = typed("return 1 if (x[v] or u) and not (u and y[v]) else 2")
    assert "&&" in cpp(one)
    typed("return x[v] and wp.atomic_cas(x, v, 5, 6)")  # whether v enters


def test_variables_keep_32_bits_where_these_are_enough():
    assert typed("best = 0\nfor i in range(3):\n    best = max(best, x[i])\nx[0] = 1").locals == {
        "best": "int32",
        "i": "int64",
    }
    assert typed("a = x[v]\nfor i in range(3):\n    a = i").locals["a"] == "int64"


def test_wide_ints_are_not_cut_off():
    lines = [
        "lim = 3_000_000_000",
        "product = 0",
        "for i in range(4):",
        "    product = max(product, i * 1_000_000_000)",
        "whole = int(x[v] * 1e9)",
        "later = x[v]",
        "if v > 1:",
        "    later = lim",
        "bits = 0",
        *(
            f"if {test}:\n    bits += {1 << i}"
            for i, test in enumerate([
                "x[v] < lim", "x[v] < 3_000_000_000", "product > x[v]", "whole > x[v]", "k + 1 > x[v]",
                "-k - 2 < x[v]", "int(2.7) == x[v]", "-2147483648 < x[v]",
            ])
        ),
        "a[v] = bits",
        "b[v] = min(x[v], lim)",
        "c[v] = max(x[v], lim)",
        "d[v] = x[v] if v > 1 else lim",
        "e[v] = later",
    ]  # fmt: skip
    f = of("\n".join(lines), "v, x, a, b, c, d, e, k")
    x = np.array([-7, 5, 2, 3], np.int32)
    given, found = np.zeros((2, 5, 4), np.int64)
    for v in range(4):
        f(v, x, *given, 2**31 - 1)
    wp.compute(wp.Graph.from_edges([0, 1, 2], [1, 2, 3]), f, x, *found, 2**31 - 1)
    assert found.tolist() == given.tolist()


def test_variables_take_the_type_of_what_comes_later():
    function = typed("best = 0\nfor i in range(4):\n    best = max(best, y[i])\nreturn best > 1")
    assert function.locals == {"best": "float64", "i": "int64"}
    assert typed("a = 0\nreturn a + x[v] > 1").locals == {"a": "int64"}


def test_numbers_from_outside_are_constants():
    tree = typed("return x[v] + OUTSIDE + math.inf > y[v]")
    assert "inf" in source(tree)
    assert "infinity<double>()" in cpp(tree)
    assert "4611686018427387904ll" in cpp(typed("return x[v] < 2**62"))
    assert "00p+64" in cpp(typed("return y[v] < 2**64.0"))


def test_numbers_that_are_written_out_are_rounded_as_their_dtype():
    lines = [
        "x[0] = np.float32(0.1)",
        "x[1] = y[0] * np.float32(0.1)",
        "x[2] = int(np.float32(16777217))",
        "x[3] = np.float32(1e300)",
        "x[4] = np.float32(0.1) == 0.1",
    ]
    f, (x, found) = of("\n".join(lines), "v, x, y"), np.ones((2, 5))
    with np.errstate(over="ignore"):
        f(0, x, np.ones(1))
    wp.compute(wp.Graph.from_edges([0], [0]), f, found, np.ones(1))
    assert found.tolist() == x.tolist()


def test_the_smallest_number():
    """It is what messages say to write for -2**63, and for the bits of 2**63."""
    for text in ("a = 2**63", "a = -2**63"):
        with pytest.raises(wp.OperatorError, match="write -9223372036854775808"):
            typed(text)
    assert "(-9223372036854775807ll - 1)" in cpp(typed("return u > -9223372036854775808"))


def test_the_absolute_value_of_a_weak_number_is_weak():
    one = of("return x[v] * abs(k) * abs(-3)", "v, x, k")
    assert one.typed({"x": ArrayOf("float32"), "k": FLOAT}, use="value").result == "float32"
    assert one.typed({"x": ArrayOf("int32"), "k": INT}, use="value").result == "int32"
    assert one.typed({"x": ArrayOf("int32"), "k": "int64"}, use="value").result == "int64"
    typed("x[0] = abs(-3) + abs(True)")


def test_bools_count():
    f, x = of("return (x[v] > 0) + (x[v] > 1) - (x[v] > 5)", "v, x"), np.array([0, 1, 2, 9])
    found = [wp.reduce(wp.Graph.from_edges([0], [0]), f, one) for one in x.reshape(-1, 1)]
    assert found == [0, 1, 2, 1]


def test_names_in_any_letters():
    """NVRTC takes ASCII alone; on the CPU they stay."""
    lines = "größe = α[v] * 2\nfor é in range(3):\n    größe += é\nα[v] = größe"
    operator, x = of(lines, "v, α"), np.arange(3)
    text = cpp(operator.typed({"α": ArrayOf("int32")}))
    assert text.isascii()
    assert "Vector<int> _u3b1__;" in text
    wp.compute(wp.generate.grid(1, 3), operator, x)
    assert x.tolist() == [3, 5, 7]


def test_texts_depend_on_what_an_operator_is_not_on_its_name():
    one = typed("return x[v] > 1  # a comment")
    assert cpp(one) == cpp(typed("return x[v] > 1"))
    assert cpp(one) != cpp(typed("return x[v] > 2"))
    assert source(one) != source(one, checks=True)

    @wp.operator
    def marked(v, x):
        x[v] = 1

    @wp.operator
    def also_marked(v, x):  # another name
        x[v] = 1

    given = {"x": ArrayOf("int32")}
    assert cpp(marked.typed(given)) == cpp(also_marked.typed(given))
    assert source(marked.typed(given)) == source(also_marked.typed(given))


def test_plain_python():
    f = of("return wp.atomic_min(x, v, x[u] + 1)")
    x = np.array([3, 9])
    assert f(0, 1, x, None) is True
    assert x.tolist() == [3, 4]
    assert repr(f) == "wp.operator f(u, v, x, y)"


@pytest.mark.parametrize(
    "text",
    [
        "if u > 3:\n    return False\nelse:\n    a = 1\nx[u] = a",
        "for i in range(3):\n    if u > 3:\n        break\n    else:\n        a = 1\n    x[u] = a",
    ],
)
def test_a_value_is_there_on_each_way_that_goes_on(text):
    typed(text)


def test_a_number_may_be_named_w():
    operator = of("if level > w:\n    return True", "u, v, level, w")
    function = operator.typed({"level": "int32", "w": "int32"})
    compile(source(function), "operator", "exec")
