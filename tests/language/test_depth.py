"""What is nested too deeply is refused with its line, and what is nested as deeply as may be runs."""

import linecache

import numpy as np
import pytest

import warpath as wp
from warpath.language.depth import DEEPEST


def chosen(blocks):
    tests = (f"{'el' * (i > 0)}if x[v] == {i}:\n        x[v] = {i + 1}" for i in range(blocks))
    return "\n    ".join(tests)


def deep(name, n):
    """An operator that is nested ``n`` deep, and what it makes of 1."""
    return {
        "a sum": ("x[v] = " + " + ".join(["x[v]"] * (n - 1)), n - 1),
        "quotients": ("x[v] = " + "x[v]" + " // 1" * (n - 2), 1),
        "calls": ("x[v] = " + "max(" * (n - 2) + "x[v]" + ", 3)" * (n - 2), 3),
        "arguments": ("x[v] = max(" + ", ".join(["x[v]"] * (n - 2)) + ", 3)", 3),
        "elif": (chosen(n - 1), 2),
    }[name]


def made(text):
    code = f"def f(v, x):\n    {text}\n"
    file = f"<deep {hash(code)}>"
    linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
    names = {}
    exec(compile(code, file, "exec"), names)
    return wp.operator(names["f"])


@pytest.mark.parametrize("name", ["a sum", "quotients", "calls", "arguments", "elif"])
def test_as_deep_as_may_be(name):
    graph = wp.Graph.from_edges([0], [0])
    text, right = deep(name, DEEPEST)
    x = np.ones(1, np.int64)
    wp.compute(graph, made(text), x)
    assert x.tolist() == [right]
    for deeper in (DEEPEST + 2, 190):
        with pytest.raises(wp.OperatorError, match=r">:\d+: f: .* than 90 .*: (assign|write)"):
            wp.compute(graph, made(deep(name, deeper)[0]), x)


def test_rules_too():
    text = "+".join(["w"] * 300)
    names = {}
    linecache.cache["<deep rule>"] = (1, None, [f"rule = lambda d, w: d + {text}\n"], "<deep rule>")
    exec(compile(f"rule = lambda d, w: d + {text}\n", "<deep rule>", "exec"), names)
    with pytest.raises(wp.OperatorError, match="assign parts"):
        wp.sssp(wp.Graph.from_edges([0], [1]), 0, algebra=wp.Algebra(names["rule"]))


def test_a_sum_that_no_translation_reaches_the_end_of():
    with pytest.raises(wp.OperatorError, match=">:2: f: this is nested more than 90 deep"):
        wp.compute(wp.Graph.from_edges([0], [0]), made(deep("a sum", 900)[0]), np.ones(1))
