"""What operators do not have, and what to write instead."""

import ast
import builtins
import math
from typing import Any, NoReturn

import numpy as np

from warpath.errors import OperatorError
from warpath.language.source import MISSING, Source

FUNCTIONS = (
    "min, max, abs, len, int, float, bool, range, sqrt, floor, ceil, exp and log of math or NumPy, NumPy's dtypes, "
    "and wp.atomic_…"
)


def refuse(source: Source, node: ast.AST, problem: str) -> NoReturn:
    """Raise an `OperatorError` that names file, line and function."""
    raise OperatorError(f"{source.place(node)}: {problem}")


def race(place: ast.Subscript, on_edges: bool, has_swap: bool) -> str:
    """What is wrong with a store whose outcome depends on which thread comes last."""
    what = "edges" if on_edges else "vertices"
    claims = (
        " (a swap claims an element only if it surely changes it, from one number to another or from one below 0 "
        "to u or v, in an array that is written nowhere else)"
    )
    return (
        f"several {what} may write {ast.unparse(place)} at once, with different values or among atomic operations, and the last one would win: "
        "use wp.atomic_min, atomic_max, atomic_add or atomic_or, or let one of them claim it first: "
        f"`if wp.atomic_cas({ast.unparse(place.value)}, {ast.unparse(place.slice)}, expected, value): …`"
        f"{claims * has_swap}"
    )


def lost_update(place: ast.Subscript, op: ast.operator, value: ast.expr) -> str:
    """What is wrong with ``place op= value`` where several threads may do so."""
    array, index = ast.unparse(place.value), ast.unparse(place.slice)
    atomic = {ast.Add: "atomic_add", ast.BitOr: "atomic_or"}.get(type(op))
    remedy = (
        f"write wp.{atomic}({array}, {index}, {ast.unparse(value)})"
        if atomic
        else "use one of wp.atomic_…"
    )
    return f"two threads may read {array}[{index}] before either writes it: {remedy}"


_NAMES = {
    ast.ListComp: "list comprehension", ast.List: "list", ast.Dict: "dict", ast.Tuple: "tuple",
    ast.Try: "try", ast.With: "with", ast.FunctionDef: "function inside it", ast.Lambda: "lambda",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Raise: "raise", ast.Assert: "assert",
    ast.JoinedStr: "f-string", ast.In: "`in`", ast.NotIn: "`not in`", ast.Is: "`is`", ast.IsNot: "`is not`",
    ast.MatMult: "@", ast.Import: "import", ast.Delete: "del", ast.Match: "match", ast.Set: "set",
    ast.While: "while … else", ast.For: "for … else, or over several names", ast.Yield: "yield",
    ast.NamedExpr: ":=", ast.Starred: "*", ast.Await: "await", ast.AnnAssign: "variable without a value",
}  # fmt: skip


_INSTEAD = {
    "maximum fmax": "max(a, b)", "minimum fmin": "min(a, b)", "absolute fabs": "abs(x)",
    "pow power square": "x * x", "hypot": "sqrt(a * a + b * b)", "round rint": "floor(x + 0.5)",
    "where": "a if test else b", "isnan": "x != x", "isinf": "abs(x) == np.inf", "isfinite": "abs(x) < np.inf",
    "logical_and all": "a and b", "logical_or any": "a or b", "logical_not": "not a",
    "sum": "a loop, or take the sum as an argument: wp.reduce makes it",
    "print": "what is of interest into an array",
}  # fmt: skip


def instead(function: Any) -> str | None:
    """What to write instead of a function of Python, ``math`` or NumPy; None if nothing is known."""
    for names, text in _INSTEAD.items():
        for name in names.split():
            if any(function is getattr(one, name, MISSING) for one in (builtins, math, np)):
                return text
    return None


def named(node: ast.AST) -> str:
    """What a part of Python is called."""
    if isinstance(node, ast.Constant):
        return {str: "text", type(None): "None", bytes: "bytes"}.get(
            type(node.value), "such constant"
        )
    return _NAMES.get(type(node), type(node).__name__)


def article(kind: str) -> str:
    """A word behind "a" or "an"."""
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
