"""An operator as Python for Numba, with all types written out."""

import math

from warpath.language.tree import (
    Assign,
    Atomic,
    Cast,
    Choice,
    Constant,
    Element,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Jump,
    Length,
    Operation,
    Return,
    Statement,
    Store,
    Variable,
    While,
)
from warpath.language.types import stored

_INFIX = ("<", "<=", ">", ">=", "==", "!=", "and", "or")
_WRAPPED = ("+", "-", "*", "&", "|", "^")
_CALLS = {
    "/": "divided", "//": "floor_divided", "%": "floor_remainder", "<<": "shifted_left", ">>": "shifted_right",
    "min": "lesser", "max": "larger", "abs": "abs", "sqrt": "np.sqrt", "floor": "np.floor", "ceil": "np.ceil",
    "exp": "np.exp", "log": "np.log",
}  # fmt: skip


def source(function: Function, *, checks: bool = False) -> str:
    """The definition of ``operator(u, v, w, arguments…, faults)``, or of ``operator(v, arguments…, faults)``.

    Its parameters are the operator's, and w in any case; `warpath.cpu.arithmetic` has the names that it uses.
    """
    writer = _Writer(function, checks)
    edge = ["u_", "v_", "w_"] if function.on_edges else ["v_"]
    parameters = [*edge, *(f"{name}_" for name in (*function.arrays, *function.scalars)), "faults"]
    zero = _constant(function.result or "bool", 0)
    lines = [f"def operator({', '.join(parameters)}):"]
    lines += [f"    {name}_ = {_constant(kind, 0)}" for name, kind in function.locals.items()]
    lines += [*writer.block(function.body, 1), f"    return {zero}", ""]
    return "\n".join(lines)


class _Writer:
    """Writes statements and expressions."""

    def __init__(self, function: Function, checks: bool) -> None:
        self.function = function
        self.checks = checks
        self._numbers = {name: i for i, name in enumerate(function.arrays)}

    def block(self, statements: tuple[Statement, ...], depth: int) -> list[str]:
        """Lines, indented."""
        lines = [line for one in statements for line in self.statement(one, depth)]
        return lines or ["    " * depth + "pass"]

    def statement(self, statement: Statement, depth: int) -> list[str]:
        space = "    " * depth
        match statement:
            case Assign(name=name, value=value):
                return [f"{space}{name}_ = {self.value(value)}"]
            case Store(array=array, index=index, value=value, line=line):
                return [f"{space}{self.place(array, index, line)} = {self.value(value)}"]
            case Evaluate(value=value):
                return [f"{space}{self.value(value)}"]
            case If(test=test, body=body, orelse=orelse):
                lines = [f"{space}if {self.value(test)}:", *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{space}else:", *self.block(orelse, depth + 1)]
                return lines
            case While(test=test, body=body):
                return [f"{space}while {self.value(test)}:", *self.block(body, depth + 1)]
            case For(name=name, start=start, stop=stop, step=step, body=body):
                ends = f"{self.value(start)}, {self.value(stop)}, {step}"
                at = f"{name}_{depth}"
                head = f"{space}for {at} in range({ends}):"
                return [head, f"{space}    {name}_ = np.int64({at})", *self.block(body, depth + 1)]
            case Jump(name=name):
                return [f"{space}{name}"]
            case Return(value=value):
                return [f"{space}return {self.value(value)}"]
        raise AssertionError(statement)

    def place(self, array: str, index: Expression, line: int) -> str:
        return f"{array}_[{self.index(array, index, line)}]"

    def index(self, array: str, index: Expression, line: int) -> str:
        at = self.value(index)
        if self.checks:
            at = f"checked({at}, {array}_.shape[0], faults, {line}, {self._numbers[array]})"
        return f"np.uint64({at})"

    def value(self, value: Expression) -> str:
        kind = stored(value.kind)
        match value:
            case Constant(value=number):
                return _constant(kind, number)
            case Variable(name=name):
                return f"{name}_"
            case Element(array=array, index=index, line=line):
                return self.place(array, index, line)
            case Length(array=array):
                return f"np.int64({array}_.shape[0])"
            case Cast(value=inner):
                text = self.value(inner)
                return f"({text} != 0)" if kind == "bool" else f"np.{kind}({text})"
            case Choice(test=test, first=first, second=second):
                return f"({self.value(first)} if {self.value(test)} else {self.value(second)})"
            case Operation(name=name, operands=operands):
                return self.operation(kind, name, [self.value(one) for one in operands])
            case Atomic(name=name, array=array, index=index, operands=operands, line=line):
                at = self.index(array, index, line)
                given = ", ".join(self.value(one) for one in operands)
                return f"{name}_atomic({array}_, {at}, {given})"
        raise AssertionError(value)

    def operation(self, kind: str, name: str, operands: list[str]) -> str:
        if name in _INFIX:
            return f"({f' {name} '.join(operands)})"
        if name == "not":
            return f"(not {operands[0]})"
        if name in _CALLS:
            return f"np.{kind}({_CALLS[name]}({', '.join(operands)}))"
        text = f" {name} ".join(operands) if name in _WRAPPED else f"{_SIGNS[name]}{operands[0]}"
        return f"({text})" if kind == "bool" else f"np.{kind}({text})"


_SIGNS = {"negative": "-", "~": "~"}


def _constant(kind: str, number: bool | int | float) -> str:
    if kind == "bool":
        return str(bool(number))
    kind = stored(kind)
    if kind.startswith("int"):
        return f"np.{kind}({int(number)})"
    number = float(number)
    text = (
        repr(number)
        if math.isfinite(number)
        else {"inf": "np.inf", "-inf": "-np.inf"}.get(str(number), "np.nan")
    )
    return f"np.{kind}({text})"
