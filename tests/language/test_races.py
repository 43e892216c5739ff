"""Which plain stores are refused: those whose outcome depends on which thread comes last."""

import linecache
import textwrap
from itertools import count

import numpy as np
import pytest

import warpath as wp
from warpath.language.types import ArrayOf

_NUMBERS = count()


def translate(parameters, body):
    """Translate an operator of this text; all its arrays are of int32."""
    text = f"def f({parameters}):\n{textwrap.indent(body, '    ')}\n"
    name = f"<race {next(_NUMBERS)}>"
    linecache.cache[name] = len(text), None, text.splitlines(keepends=True), name
    names = {"wp": wp, "np": np}
    exec(compile(text, name, "exec"), names)
    arrays = [one for one in parameters.split(", ") if one not in "uvw"]
    wp.operator(names["f"]).typed({one: ArrayOf("int32") for one in arrays}, "int32")


RACES = {
    "u's value": ("u, v, x, y", "x[v] = y[u]"),
    "the weight": ("u, v, w, x", "x[v] = w"),
    "a sum with what is there": ("u, v, x", "x[u] = x[u] + 1"),
    "the same by a variable": ("u, v, x", "t = x[v]\nx[v] = t + 1"),
    "the same of one element": ("v, x", "x[0] = x[0] + 1"),
    "what other edges change": ("u, v, x, y", "wp.atomic_add(y, v, 1)\nx[v] = y[v]"),
    "a condition": ("u, v, w, x", "t = 0\nif w > 3:\n    t = 1\nx[v] = t"),
    "a choice": ("u, v, w, x", "x[v] = 1 if w > 3 else 2"),
    "two values": ("u, v, w, x", "if w > 3:\n    x[v] = 1\nelse:\n    x[v] = 2"),
    "two ends": ("u, v, x", "x[u] = 1\nx[v] = 2"),
    "a variable that changes": ("u, v, w, x", "t = 1\nif w > 3:\n    x[v] = t\nt = 2\nx[v] = t"),
    "how long a loop runs": ("u, v, x, y", "t = 0\nfor i in range(y[u]):\n    t += 1\nx[v] = t"),
    "where a loop ends": (
        "u, v, x, y", "t = 0\nwhile t < 9:\n    if t > y[u]:\n        break\n    t += 1\nx[v] = t",
    ),
    "a later round": ("u, v, x, y", "t = 0\nfor i in range(3):\n    x[v] = t\n    t = y[u]"),
    "another element than that claimed": (
        "u, v, x, y", "i = np.int64(v)\nif wp.atomic_cas(y, i, 0, 1):\n    i = i + 1\n    x[i] = u",
    ),
    "a claim that always succeeds": ("u, v, x, y", "if wp.atomic_cas(y, v, 1, 1):\n    x[v] = u"),
    "the same by a variable's name": (
        "u, v, x, y", "e = 0\nif wp.atomic_cas(y, v, 0, e):\n    x[v] = u",
    ),
    "a vertex may be what is expected": (
        "u, v, x, y", "if wp.atomic_cas(y, v, 0, u):\n    x[v] = u",
    ),
    "a parameter may be below 0": ("u, v, x, k", "if wp.atomic_cas(x, v, -1, k[0]):\n    x[v] = u"),
    "two ways to claim": (
        "u, v, x, y",
        "if wp.atomic_cas(y, v, 0, 1):\n    x[v] = u\nelif wp.atomic_cas(y, v, 1, 0):\n    x[v] = u",
    ),
    "a claim that is given back": (
        "u, v, x, y",
        "if wp.atomic_cas(y, v, 0, 1):\n    x[v] = u\n    wp.atomic_add(y, v, -1)",
    ),
    "a claim that is stored over": (
        "u, v, x, y", "if wp.atomic_cas(y, v, 0, 1):\n    x[v] = u\n    y[v] = 0",
    ),
    "stores by two branches of a claim": (
        "u, v, x, y", "if wp.atomic_cas(y, v, 0, 1):\n    x[v] = 5\nelse:\n    x[v] = 7",
    ),
    "claims of two arrays": (
        "u, v, w, x, y, z",
        "if w > 3:\n    if wp.atomic_cas(y, v, 0, u):\n        x[v] = 1\nelif wp.atomic_cas(z, v, 0, u):\n    x[v] = 2",
    ),
    "a store before an atomic addition": ("u, v, x", "x[v] = 0\nwp.atomic_add(x, v, 1)"),
    "no claim": ("u, v, x, y", "if not wp.atomic_cas(y, v, 0, 1):\n    x[v] = u"),
    "a claim that was not made": (
        "u, v, x, y", "won = wp.atomic_cas(y, v, 0, 1)\nif not won:\n    x[v] = u",
    ),
    "one that the others leave without": (
        "u, v, x, y", "if wp.atomic_cas(y, v, 0, 1):\n    return True\nx[v] = u",
    ),
    "one of two": (
        "u, v, x, y", "if not wp.atomic_cas(y, v, 0, 1) and u > v:\n    return False\nx[v] = u",
    ),
    "a claim in one branch": (
        "u, v, w, x, y", "won = True\nif w > 3:\n    won = wp.atomic_cas(y, v, 0, 1)\nif won:\n    x[v] = u",
    ),
    "a claim, or another value": (
        "u, v, w, x, y", "won = wp.atomic_cas(y, v, 0, 1)\nif w > 3:\n    won = True\nif won:\n    x[v] = u",
    ),
    "a claim that some leave without": (
        "u, v, w, x, y",
        "if w > 3:\n    if not wp.atomic_cas(y, v, 0, 1):\n        return False\nx[v] = u",
    ),
    "a claim that a later round does not have": (
        "u, v, x, y",
        "won = wp.atomic_cas(y, v, 0, 1)\nfor i in range(3):\n    if won:\n        x[v] = u\n    won = True",
    ),
    "a claim of the first round's element": (
        "u, v, x, y",
        "i = np.int64(v)\nif wp.atomic_cas(y, i, 0, 1):\n    while i > 0:\n        x[i] = u\n        i = i // 2",
    ),
    "a claim of an element whose index changed": (
        "u, v, x, y",
        "i = np.int64(v)\nwon = wp.atomic_cas(y, i, 0, 1)\ni = i // 2\nif won:\n    x[i] = u",
    ),
    "a claim by an index that others change": (
        "u, v, x, y, z", "wp.atomic_min(z, u, v)\nif wp.atomic_cas(y, z[v], 0, 1):\n    x[z[v]] = u",
    ),
    "a store that some leave before": ("u, v, w, x", "x[v] = 0\nif w > 3:\n    return False\nx[v] = 1"),
    "rows that overlap": ("v, x, y", "for j in range(3):\n    x[v * 2 + j] = y[v]"),
    "a counter that changes": (
        "v, x, y", "for j in range(3):\n    j = j + 1\n    x[v * 3 + j] = y[v]",
    ),
    "a counter of another loop": (
        "v, x", "j = 5\nfor j in range(3):\n    pass\nx[v * 3 + j] = v",
    ),
    "places that are rounded": ("v, x", "x[int(np.float32(v) * 3 + 1)] = v"),
    "a number that is given twice": (
        "u, v, x, y", "i = wp.atomic_add(y, 0, 1)\nwp.atomic_add(y, 0, -1)\nx[i] = u",
    ),
    "a number of one's own counter": ("u, v, x, y", "i = wp.atomic_add(y, v, 1)\nx[i] = u"),
    "a number that is given twice in an index": (
        "v, x, z", "x[wp.atomic_add(z, 0, 1)] = v\nwp.atomic_add(z, 0, -1)",
    ),
    "a counter that stands still": ("u, v, x, y", "i = wp.atomic_add(y, 0, 0)\nx[i] = u"),
    "a number that has changed": (
        "u, v, x, y", "i = wp.atomic_add(y, 0, 1)\ni = i // 2\nx[i] = u",
    ),
    "numbers and elements": ("u, v, x, y", "i = wp.atomic_add(y, 0, 1)\nx[i] = u\nx[v] = 0"),
    "rows of edges": ("u, v, x, y", "for j in range(3):\n    x[v * 3 + j] = y[u]"),
    "another vertex's row": ("v, x, y", "u = y[v]\nx[u * 3 + 1] = v"),
    "rows of two lengths": ("v, x", "x[v * 3 + 1] = v\nx[v * 2 + 1] = v + 1"),
    "rows and elements": ("v, x", "x[v] = v\nx[v * 2 + 1] = v + 1"),
    "a length that changes": ("v, x, y", "k = y[v]\nfor j in range(k):\n    x[v * k + j] = v"),
    "another vertex's": ("v, x, y", "x[v] = 1\nx[y[v]] = 2"),
    "two ends by one variable": ("u, v, x", "i = u\nx[i] = 1\ni = v\nx[i] = 2"),
    "a place in a list, and an end": (
        "u, v, x, z", "i = wp.atomic_add(z, 0, 1)\nx[i] = u\ni = np.int32(v)\nx[i] = 7",
    ),
    "a place in a list among additions": (
        "u, v, x, z", "i = wp.atomic_add(z, 0, 1)\nx[i] = u\ni = np.int32(v)\nwp.atomic_add(x, i, 1)",
    ),
    "two ends in two rounds": (
        "u, v, x", "i = np.int64(u)\nfor j in range(2):\n    x[i] = j\n    i = np.int64(v)",
    ),
    "elements that two vertices reach in other rounds": ("v, x", "for j in range(3):\n    x[v + j] = j"),
    "which rounds store": ("u, v, w, x", "for j in range(3):\n    if w > j:\n        x[v] = j"),
    "which rounds do not": (
        "u, v, w, x", "for j in range(3):\n    if w > j:\n        continue\n    x[v] = j",
    ),
    "rows of a counter's two loops": (
        "v, x",
        "for j in range(3):\n    x[v * 3 + j] = v\nfor j in range(9):\n    x[v * 3 + j] = 1",
    ),
    "additions beyond a row": (
        "v, x",
        "for j in range(3):\n    x[v * 3 + j] = v\nfor j in range(9):\n    wp.atomic_add(x, v * 3 + j, 1)",
    ),
    "its own vertex's in two rows": ("v, x", "x[v] = v\nx[v * 3 + 1] = v"),
    "a row that has another beginning": (
        "v, x, y", "first = v * 3\nfirst = y[v]\nfor j in range(3):\n    x[first + j] = v",
    ),
    "a claim before its index changed": (
        "u, v, x, y",
        "i = np.int64(v)\nif not wp.atomic_cas(y, i, 0, 1):\n    return False\nelse:\n    i = np.int64(u)\nx[i] = u",
    ),
    "an element that others move": ("u, v, x, y", "x[y[v]] = 1\nwp.atomic_min(y, v, u)\nx[y[v]] = 2"),
}  # fmt: skip


@pytest.mark.parametrize("name", RACES)
def test_refused(name):
    with pytest.raises(
        wp.OperatorError, match=r"several (edges|vertices) may write [xy]\[.*\] at once"
    ):
        translate(*RACES[name])


SAFE = {
    "one value": ("u, v, w, x", "if w > 3:\n    x[v] = 1"),
    "its own vertex's": ("u, v, x, y", "x[u] = y[u] + 1"),
    "its own vertex decides": ("u, v, x, y", "if y[v] > 3:\n    x[v] = 1\nelse:\n    x[v] = 2"),
    "a loop of its own": ("u, v, x, y", "t = 0\nfor i in range(y[v]):\n    t += i\nx[v] = t"),
    "a counter and a flag": ("v, x", "wp.atomic_add(x, 0, 1)\nx[1] = 5"),
    "claimed": ("u, v, x, y", "if wp.atomic_cas(y, v, 0, 1):\n    x[v] = u"),
    "claimed at either end": (
        "u, v, x, y",
        "if wp.atomic_cas(y, u, 0, 1):\n    x[u] = v\nif wp.atomic_cas(y, v, 0, 1):\n    x[v] = u",
    ),
    "claimed, and more": ("u, v, x, y", "if u > v and wp.atomic_cas(y, v, -1, u):\n    x[v] = u"),
    "claimed, and kept": (
        "u, v, x, y",
        "won = u != v and wp.atomic_cas(y, v, 0, 1)\nif won:\n    x[v] = u\nreturn won",
    ),
    "claimed, or left": (
        "u, v, x, y",
        "if u == v or not wp.atomic_cas(y, v, 0, 1):\n    return False\nx[v] = u\nreturn True",
    ),
    "claimed, or lost": (
        "u, v, x, y",
        "lost = not wp.atomic_cas(y, v, 0, 1)\nif lost:\n    return False\nx[v] = u",
    ),
    "not lost": ("u, v, x, y", "if not wp.atomic_cas(y, v, 0, 1):\n    pass\nelse:\n    x[v] = u"),
    "claimed in a loop": (
        "v, x, y, z",
        "for i in range(9):\n    u = z[i]\n    if not wp.atomic_cas(y, u, 0, 1):\n        continue\n    x[u] = v",
    ),
    "claimed by an index that stays": (
        "u, v, x, y, z",
        "if wp.atomic_cas(y, z[v], 0, 1):\n    x[z[v]] = u",
    ),
    "left before": ("u, v, w, x", "if w > 3:\n    return False\nx[v] = 1\nreturn True"),
    "rows": (
        "v, x, y",
        "for j in range(3):\n    x[np.int64(v) * 3 + j] = y[v] + j\nx[2 + 3 * v] = 7\nx[v * 3 + 1] += 1",
    ),
    "a place in a list": (
        "u, v, x, y, z",
        "if y[u] < y[v]:\n    i = wp.atomic_add(z, 0, 1)\n    x[i] = u",
    ),
    "a place by itself": ("v, x, z", "x[wp.atomic_add(z, 0, 1)] = v"),
    "two flags": ("u, v, x", "x[0] = 1\nx[1] = 2"),
    "a variable with one value": ("u, v, x", "t = 5\nx[u] = t\nx[v] = t"),
    "its own vertex's by another name": ("u, v, x, y", "i = np.int64(v)\nx[i] = y[v]"),
    "rows of its own vertex": (
        "u, v, x, y",
        "for j in range(3):\n    x[v * 3 + j] = y[v]\n    x[v * 3 + j] = j",
    ),
    "rows that begin in a variable": (
        "v, x, y",
        "first = v * len(y)\nfor j in range(len(y)):\n    x[first + j] = y[j] + v\n    wp.atomic_add(x, first + j, 1)",
    ),
    "one thread": ("v, x, y", "x[v] = x[v] + y[x[v]]\nif x[v] > 3:\n    x[v] = 0"),
}


@pytest.mark.parametrize("name", SAFE)
def test_accepted(name):
    translate(*SAFE[name])


def test_what_a_claim_needs():
    with pytest.raises(wp.OperatorError, match="a swap claims an element only if it surely"):
        translate(*RACES["a parameter may be below 0"])
    with pytest.raises(wp.OperatorError) as caught:
        translate(*RACES["u's value"])
    assert "swap" not in str(caught.value)
