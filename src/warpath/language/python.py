"""An operator as Python for Numba, with all types written out."""

import math
from functools import lru_cache

import numpy as np

from warpath.errors import OperatorError
from warpath.language.tree import Expression, For, Function
from warpath.language.writer import Writer

_INFIX = ("<", "<=", ">", ">=", "==", "!=", "and", "or")
_WRAPPED = ("+", "-", "*", "&", "|", "^")  # narrower results are cut off
_IN_64_BITS = {
    "+": "plus",
    "-": "minus",
    "*": "times",
}  # of Numba's own, LLVM assumes that they do not wrap
_CALLS = {
    "/": "divided", "//": "floor_divided", "%": "floor_remainder", "<<": "shifted_left", ">>": "shifted_right",
    "min": "lesser", "max": "larger", "abs": "abs", "sqrt": "np.sqrt", "floor": "np.floor", "ceil": "np.ceil",
    "exp": "np.exp", "log": "np.log",
}  # fmt: skip
_NOT_FINITE = {"inf": "np.inf", "-inf": "-np.inf", "nan": "np.nan"}
_SIGNS = {"negative": "-", "~": "~"}


@lru_cache(maxsize=256)  # a loop over launches asks for the same each time
def source(function: Function, *, checks: bool = False) -> str:
    """The definition of ``operator(u, v, w, arguments…, faults)``, or of ``operator(v, arguments…, faults)``.

    Its parameters are the operator's, and w in any case; `warpath.cpu.arithmetic` has the names that it uses.
    """
    writer = _Writer(function, checks)
    edge = ["u_", "v_", "w_" if function.takes_weight else "_w"] if function.on_edges else ["v_"]
    parameters = [*edge, *(f"{name}_" for name in (*function.arrays, *function.scalars)), "faults"]
    return "\n".join([f"def operator({', '.join(parameters)}):", *_body(writer)])


def definition(function: Function, name: str) -> str:
    """The definition of a function of numbers, ``name(numbers…)``."""
    writer = _Writer(function)
    lines = [f"def {name}({', '.join(f'{one}_' for one in function.scalars)}):"]
    return "\n".join([*lines, *_body(writer)])


def _body(writer: "_Writer") -> list[str]:
    function = writer.function
    return [
        *(f"    {name}_ = {writer.constant(kind, 0)}" for name, kind in function.locals.items()),
        *writer.block(function.body, 1),
        f"    return {writer.constant(function.result or 'bool', 0)}",
        "",
    ]


class _Writer(Writer):
    end, close, otherwise, empty = "", (), "else:", ("pass",)

    def verbatim(self, text: str) -> list[str]:
        raise OperatorError(
            f"{self.function.name}: an operator of CUDA C++ runs on a GPU: give it CuPy's arrays, or write it in Python"
        )

    def head(self, keyword: str, test: Expression) -> str:
        return f"{keyword} {self.value(test)}:"

    def loop(self, loop: For, at: str) -> list[str]:
        first = f"{at}_first"
        return [
            f"{first} = {self.value(loop.start)}",
            f"for {at} in range(trips({first}, {self.value(loop.stop)}, {loop.step})):",
        ]

    def counter(self, loop: For, at: str) -> str:
        return f"plus({at}_first, times({at}, np.int64({loop.step})))"

    def place(self, array: str, index: Expression, line: int) -> str:
        return f"{array}_[{self.index(array, index, line)}]"

    def index(self, array: str, index: Expression, line: int) -> str:
        at = self.value(index)
        if self.checks:
            at = f"checked({at}, {array}_.shape[0], faults, {line}, {self.numbers[array]})"
        return f"np.uint64({at})"

    def length(self, array: str) -> str:
        return f"np.int64({array}_.shape[0])"

    def constant(self, kind: str, number: bool | int | float) -> str:
        if kind == "bool":
            return str(bool(number))
        if kind.startswith("int"):
            return f"np.{kind}({int(number)})"
        number = float(number)
        text = repr(number) if math.isfinite(number) else _NOT_FINITE[str(number)]
        return f"np.{kind}({text})"

    def cast(self, kind: str, text: str) -> str:
        return f"({text} != 0)" if kind == "bool" else f"np.{kind}({text})"

    def whole(self, kind: str, text: str) -> str:
        return f"np.{kind}(whole({text}, np.int64({np.iinfo(kind).min})))"

    def choice(self, test: str, first: str, second: str) -> str:
        return f"({first} if {test} else {second})"

    def operation(self, kind: str, name: str, operands: list[str]) -> str:
        if name in _INFIX:
            return f"({f' {name} '.join(operands)})"
        if name == "not":
            return f"(not {operands[0]})"
        if kind == "int64" and name in _IN_64_BITS:
            return f"{_IN_64_BITS[name]}({', '.join(operands)})"
        if name in _CALLS:
            return f"np.{kind}({_CALLS[name]}({', '.join(operands)}))"
        text = f" {name} ".join(operands) if name in _WRAPPED else f"{_SIGNS[name]}{operands[0]}"
        return f"({text})" if kind == "bool" else f"np.{kind}({text})"

    def atomic(self, name: str, array: str, index: str, operands: str) -> str:
        return f"{name}_atomic({array}_, {index}, {operands})"
