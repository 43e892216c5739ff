"""Values: from a syntax tree to typed expressions."""

import ast
import math
from collections.abc import Mapping
from inspect import isfunction
from typing import Any, NoReturn

import numpy as np

from warpath.language.atomics import ATOMICS
from warpath.language.refused import FUNCTIONS, article, instead, named, refuse
from warpath.language.source import MISSING, Source
from warpath.language.tree import (
    Atomic,
    Cast,
    Choice,
    Constant,
    Element,
    Expression,
    Length,
    Operation,
    Variable,
    walk,
)
from warpath.language.types import (
    BOOL,
    DTYPES,
    FLOAT,
    INT,
    VERTEX,
    WIDE,
    ArrayOf,
    Type,
    can_hold,
    common,
    either,
    is_float,
    is_integer,
    is_weak,
    range_of,
    stored,
)

_ARITHMETIC = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**",
}  # fmt: skip
_OF_INTEGERS = ("//", "%", "&", "|", "^", "<<", ">>")
_COMPARISONS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_OF_FLOATS = {np.sqrt: "sqrt", np.floor: "floor", np.ceil: "ceil", np.exp: "exp", np.log: "log"}
_OF_PYTHON = {
    math.sqrt: "sqrt", math.floor: "floor", math.ceil: "ceil", math.exp: "exp", math.log: "log",
}  # fmt: skip


class Expressions:
    """The values of one pass over a function, for arguments of given types."""

    def __init__(
        self, source: Source, given: Mapping[str, Type], weight: str, kinds: Mapping[str, str]
    ) -> None:
        self.source = source
        self.outside: dict[str, Any] = {}  # what names outside stand for
        self.locals = dict(kinds)
        self.arrays = {name: kind for name, kind in given.items() if isinstance(kind, ArrayOf)}
        self.scalars = {name: kind for name, kind in given.items() if isinstance(kind, str)}
        for name in source.vertices:
            self.scalars[name] = VERTEX
        if source.takes_weight:
            self.scalars["w"] = weight
        self.assigned: set[str] = set()  # locals that have a value on every path to here

    def refuse(self, node: ast.AST, problem: str) -> NoReturn:
        """Raise an `OperatorError` that names file, line and function."""
        refuse(self.source, node, problem)

    def value(self, node: ast.expr) -> Expression:
        """An expression."""
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self._constant(node, number)
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Attribute():
                return self._constant(node, self.known(node))
            case ast.Subscript():
                return self.element(node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self._arithmetic(node, _ARITHMETIC[type(op)], left, right)
            case ast.UnaryOp(op=ast.Not()):
                return self.condition(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as number)):
                return self._constant(node, -number)  # -2⁶³ fits, 2⁶³ does not
            case ast.UnaryOp(op=op, operand=operand):
                return self._unary(node, op, self.value(operand))
            case ast.BoolOp(op=op, values=values):
                return self._one_of(node, op, [self.value(one) for one in values])
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare(node, [left, *others], ops)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition = self.condition(test)
                first, second = self.value(body), self.value(orelse)
                kind = either(first.kind, second.kind)
                ends = (self.cast(node, one, kind) for one in (first, second))
                return Choice(kind, condition, *ends)
            case ast.Call():
                return self._call(node)
        self.refuse(
            node,
            f"{self.source.kind} has no {named(node)}: its values are numbers, elements of arrays, arithmetic, "
            f"comparisons, and {FUNCTIONS}",
        )

    def condition(self, node: ast.expr) -> Expression:
        """Whether an expression is true."""
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Operation(BOOL, "not", (self.condition(operand),))
            case ast.BoolOp(op=op, values=values):
                return Operation(BOOL, _name_of(op), tuple(self.condition(one) for one in values))
        return self.truth(self.value(node))

    def _one_of(self, node: ast.BoolOp, op: ast.boolop, values: list[Expression]) -> Expression:
        """``and`` or ``or``, whose value is used."""
        if any(value.kind != BOOL for value in values):
            remedy = "a if a else b" if isinstance(op, ast.Or) else "b if a else a"
            self.refuse(
                node,
                f"{ast.unparse(node)} is one of its operands in Python, and they are not all bools: "
                f"write {remedy}, or compare each with 0",
            )
        return Operation(BOOL, _name_of(op), tuple(values))

    def _constant(self, node: ast.AST, number: Any) -> Constant:
        if isinstance(number, (bool, np.bool_)):
            return Constant(BOOL, bool(number))
        if isinstance(number, np.generic) and number.dtype.name in (
            "int32",
            "int64",
            "float32",
            "float64",
        ):
            return Constant(number.dtype.name, number.item())
        if isinstance(number, int):
            for kind, dtype in ((INT, "int32"), (WIDE, "int64")):
                low, high = range_of(dtype)
                if low <= number <= high:
                    return Constant(kind, number)
            bits = f": write {number - 2**64}" if 0 < number < 2**64 else ""
            self.refuse(node, f"{ast.unparse(node)} does not fit in 64 bits with a sign{bits}")
        if isinstance(number, float):
            return Constant(FLOAT, number)
        if isinstance(number, np.number):
            self.refuse(
                node,
                f"{ast.unparse(node)} is of dtype {number.dtype}, and operators take {', '.join(DTYPES)}: give it one of these",
            )
        self.refuse(
            node,
            f"{ast.unparse(node)} is {article(type(number).__name__)}, and values are numbers: give "
            "an array as an argument",
        )

    def _name(self, node: ast.Name, name: str) -> Expression:
        if name in self.scalars:
            return Variable(self.scalars[name], name)
        if name in self.arrays:
            self.refuse(node, f"{name} is an array: write {name}[v]")
        if name in self.locals:
            if name not in self.assigned:
                self.refuse(node, f"{name} has no value yet on every way here: assign one first")
            return Variable(self.locals[name], name)
        return self._constant(node, self.known(node))

    def known(self, node: ast.expr) -> Any:
        """What a name, or an attribute of a module, stands for outside."""
        match node:
            case ast.Name(id=name):
                if name in {*self.scalars, *self.arrays, *self.locals}:
                    self.refuse(
                        node,
                        f"{name} is a variable of the function here, without calls and attributes: "
                        "give it another name",
                    )
                return self._outside(node)
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in self.arrays:
                self.refuse(
                    node, f"an array has elements, {name}[v], and len({name}), but no {attribute}"
                )
            case ast.Attribute(value=value, attr=name):
                self.known(value)
                return self._outside(node)
            case ast.Call():
                what = f"{ast.unparse(node)}, whose result has no attributes: it has {FUNCTIONS}"
                self.refuse(node, f"{self.source.kind} has no {what}")
        self.refuse(node, f"{self.source.kind} has no {named(node)}")

    def _outside(self, node: ast.expr) -> Any:
        name = ast.unparse(node)
        found = self.source.outside(name)
        if found is MISSING:
            self.refuse(node, f"{name} is not known here")
        self.outside[name] = found
        return found

    def _arithmetic(
        self, node: ast.BinOp, name: str, left: ast.expr, right: ast.expr
    ) -> Expression:
        a, b = self.value(left), self.value(right)
        if (
            isinstance(a, Constant)
            and isinstance(b, Constant)
            and is_weak(a.kind)
            and is_weak(b.kind)
        ):
            return self._folded(node, name, a, b)
        if name == "**":
            self.refuse(
                node,
                f"{self.source.kind} has ** only between numbers that are written out: write x * x",
            )
        kind = common(a.kind, b.kind)
        if kind == BOOL and name not in ("&", "|", "^"):
            kind = "int64"
        if name in _OF_INTEGERS and is_float(kind):
            remedy = {"//": ": write np.floor(a / b)", "%": ": write a - b * np.floor(a / b)"}
            self.refuse(node, f"{name} takes integers, and these are {kind}{remedy.get(name, '')}")
        if name == "/" and not is_float(kind):
            kind = FLOAT if is_weak(kind) else "float64"
        if kind == INT:
            kind = WIDE
        return Operation(kind, name, (self.cast(node, a, kind), self.cast(node, b, kind)))

    def _folded(self, node: ast.BinOp, name: str, a: Constant, b: Constant) -> Constant:
        """What Python makes of two numbers of the source."""
        are_integers = isinstance(a.value, int) and isinstance(b.value, int)
        if name in ("<<", "**") and are_integers and b.value >= 64 and abs(a.value) > 1:
            self.refuse(node, f"{ast.unparse(node)} does not fit in 64 bits with a sign")
        try:
            number = eval(f"a {name} b", {"a": a.value, "b": b.value})
        except ZeroDivisionError:
            self.refuse(node, "division by zero")
        except (OverflowError, TypeError, ValueError) as error:
            self.refuse(node, f"{ast.unparse(node)} has no value: {error}")
        return self._constant(node, number)

    def _unary(self, node: ast.expr, op: ast.unaryop, value: Expression) -> Expression:
        match op:
            case ast.UAdd():
                return value
            case ast.USub() if isinstance(value, Constant) and is_weak(value.kind):
                return self._constant(node, -value.value)
            case ast.USub():
                return self._signed(node, "negative", value)
        if not is_integer(value.kind):
            self.refuse(node, f"~ takes integers, not {article(value.kind)}")
        kind = value.kind
        return Operation(kind, "~", (self.cast(node, value, kind),))

    def _signed(self, node: ast.AST, name: str, value: Expression) -> Expression:
        """A number with another sign: a weak one stays weak."""
        kind = WIDE if value.kind in (BOOL, INT) else value.kind
        return Operation(kind, name, (self.cast(node, value, kind),))

    def _compare(self, node: ast.expr, parts: list[ast.expr], ops: list[ast.cmpop]) -> Expression:
        for op in ops:
            if type(op) not in _COMPARISONS:
                self.refuse(node, f"{self.source.kind} has no {named(op)}: it has < <= > >= == !=")
        values = [self.value(one) for one in parts]
        for part, value in zip(parts[1:-1], values[1:-1], strict=True):
            if any(isinstance(one, Atomic) for one in walk(value)):
                self.refuse(
                    node,
                    f"{ast.unparse(part)} would run twice here: assign it to a variable first",
                )
        tests = []
        for a, op, b in zip(values, ops, values[1:], strict=False):
            kind = either(a.kind, b.kind)
            pair = self.cast(node, a, kind), self.cast(node, b, kind)
            tests.append(Operation(BOOL, _COMPARISONS[type(op)], pair))
        return tests[0] if len(tests) == 1 else Operation(BOOL, "and", tuple(tests))

    def _call(self, node: ast.Call) -> Expression:
        function = self.known(node.func)
        if not callable(function):
            self.refuse(node, f"{ast.unparse(node.func)} is no function")
        if node.keywords:
            self.refuse(node, "arguments in an operator are given by position")
        if isinstance(function, type):
            dtype = _dtype_of(function)
            if dtype is not None and len(node.args) == 1:
                value = (
                    self.value(node.args[0])
                    if not _is_no_finite_number(node.args[0])
                    else Constant(FLOAT, float(ast.literal_eval(node.args[0])))
                )
                return self.truth(value) if dtype == BOOL else self.cast(node, value, dtype)
        if function in ATOMICS:
            return self._atomic(node, ATOMICS[function])
        if function is len and len(node.args) == 1:
            match node.args[0]:
                case ast.Name(id=name) if name in self.arrays:
                    return Length(WIDE, name)
        if function in (min, max) and len(node.args) >= 2:
            values = [self.value(one) for one in node.args]
            kind = values[0].kind
            for one in values[1:]:
                kind = either(kind, one.kind)
            name = "min" if function is min else "max"
            made = self.cast(node, values[0], kind)
            for one in values[1:]:
                made = Operation(kind, name, (made, self.cast(node, one, kind)))
            return made
        if function is abs and len(node.args) == 1:
            return self._signed(node, "abs", self.value(node.args[0]))
        if (function in _OF_FLOATS or function in _OF_PYTHON) and len(node.args) == 1:
            value = self.value(node.args[0])
            if function in _OF_FLOATS:
                kind = value.kind if value.kind in ("float32", "float64") else "float64"
                return Operation(kind, _OF_FLOATS[function], (self.cast(node, value, kind),))
            made = Operation(FLOAT, _OF_PYTHON[function], (self.cast(node, value, FLOAT),))
            return self.cast(node, made, WIDE) if function in (math.floor, math.ceil) else made
        what = f"{self.source.kind} cannot call {ast.unparse(node.func)}"
        other = instead(function)
        if other is not None:
            self.refuse(node, f"{what}: write {other}")
        if isfunction(function):
            self.refuse(node, f"{what}, another function: write what it does here")
        self.refuse(node, f"{what} like this; it has {FUNCTIONS}")

    def _atomic(self, node: ast.Call, name: str) -> Expression:
        wanted = 4 if name == "cas" else 3
        if len(node.args) != wanted:
            self.refuse(node, f"atomic_{name} takes {wanted} arguments")
        place = ast.copy_location(ast.Subscript(node.args[0], node.args[1], ast.Load()), node)
        at = self.element(place)
        if at.kind == BOOL:
            self.refuse(node, f"there are no atomics on bools: make {at.array} an array of int32")
        if name == "or" and not is_integer(at.kind):
            self.refuse(node, f"atomic_or takes an array of integers, not of {at.kind}")
        operands: list[Expression] = []
        for argument in node.args[2:]:
            value = self.value(argument)
            is_compared = not operands and name in ("min", "max", "cas")
            is_cut = is_compared and either(at.kind, value.kind) != common(at.kind, value.kind)
            is_held = can_hold(at.kind, value.kind) or (is_float(at.kind) and value.kind != BOOL)
            if is_cut or not is_held:
                self.refuse(
                    argument,
                    f"{at.array} holds {at.kind}, and this is {article(stored(value.kind))}: write np.{at.kind}(…)",
                )
            operands.append(self.cast(argument, value, at.kind))
        kind = at.kind if name == "add" else BOOL
        return Atomic(kind, name, at.array, at.index, tuple(operands), at.line)

    def truth(self, value: Expression) -> Expression:
        """Whether a value is not zero."""
        if value.kind == BOOL:
            return value
        if isinstance(value, Constant):
            return Constant(BOOL, bool(value.value))
        zero = Constant(value.kind, 0.0 if is_float(value.kind) else 0)
        return Operation(BOOL, "!=", (value, zero))

    def cast(self, node: ast.AST, value: Expression, kind: str) -> Expression:
        """A value as another type."""
        if value.kind == kind:
            return value
        if not isinstance(value, Constant):
            return Cast(kind, value)
        if is_float(kind):
            with np.errstate(over="ignore"):
                return Constant(kind, np.dtype(stored(kind)).type(value.value).item())
        if kind == BOOL:
            return Constant(kind, bool(value.value))
        number, dtype = value.value, stored(kind)
        if isinstance(number, float) and not math.isfinite(number):
            self.refuse(node, f"{number} is no {dtype}")
        low, high = range_of(dtype)
        if not low <= int(number) <= high:
            self.refuse(node, f"{number} does not fit in {dtype}")
        return Constant(kind, int(number))

    def element(self, node: ast.Subscript) -> Element:
        """``array[index]``."""
        if not isinstance(node.value, ast.Name) or node.value.id not in self.arrays:
            if isinstance(node.value, ast.Attribute):
                self.known(node.value)
            what = ast.unparse(node.value)
            self.refuse(node, f"{what} has no elements here: only arrays among the arguments have")
        if isinstance(node.slice, (ast.Tuple, ast.Slice)):
            self.refuse(node, "an array has one index, a vertex: write a[v]")
        index = self.value(node.slice)
        if not is_integer(index.kind):
            self.refuse(node, f"an index is an integer, not {article(index.kind)}")
        name = node.value.id
        if isinstance(index, Constant) and index.value < 0:
            self.refuse(node, f"an index counts from 0: write {name}[len({name}) - {-index.value}]")
        return Element(self.arrays[name].dtype, name, index, self.source.line(node))


def _name_of(op: ast.boolop) -> str:
    return "and" if isinstance(op, ast.And) else "or"


def _is_no_finite_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("inf", "-inf", "nan")


def _dtype_of(function: Any) -> str | None:
    if function in (int, float, bool):
        return {int: WIDE, float: FLOAT, bool: BOOL}[function]
    if isinstance(function, type) and issubclass(function, np.generic):
        name = np.dtype(function).name
        return name if name in DTYPES else None
    return None
