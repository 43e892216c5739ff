"""From the source of a Python function to its typed tree."""

import ast
import builtins
import math
from collections.abc import Mapping
from typing import Any, Literal, NoReturn

import numpy as np

from warpath.errors import OperatorError
from warpath.language.atomics import ATOMICS
from warpath.language.source import Source
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
from warpath.language.types import (
    BOOL,
    FLOAT,
    INT,
    ArrayOf,
    Type,
    can_hold,
    common,
    is_float,
    is_integer,
    is_weak,
    range_of,
    stored,
)

Use = Literal["call", "value", "sum"]

VERTEX = "int32"
"""The type of u and v."""

_ARITHMETIC = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_OF_INTEGERS = ("//", "%", "&", "|", "^", "<<", ">>")
_COMPARISONS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip
_OF_FLOATS = {np.sqrt: "sqrt", np.floor: "floor", np.ceil: "ceil", np.exp: "exp", np.log: "log"}
_OF_PYTHON = {
    math.sqrt: "sqrt", math.floor: "floor", math.ceil: "ceil", math.exp: "exp", math.log: "log",
}  # fmt: skip
_FUNCTIONS = (
    "min, max, abs, len, int, float, bool, range, sqrt, floor, ceil, exp and log of math or NumPy, NumPy's dtypes, "
    "and wp.atomic_…"
)


def translate(
    source: Source, given: Mapping[str, Type], weight: str = "int32", use: Use = "call"
) -> Function:
    """The tree of an operator for arguments of these types.

    Parameters
    ----------
    source : Source
    given : mapping of str to Type
        The type of each parameter but u, v and w.
    weight : str
        The dtype of w.
    use : {"call", "value", "sum"}
        Whether what an operator on edges returns is a value, or one that is summed up, as int64 if it is an integer; else
        it says whether v enters the next frontier.

    Raises
    ------
    OperatorError
        If it has something that the language does not have, naming file, line and what to write.
    """
    # A local variable that begins as a number of the source takes the type of what comes later.
    kinds: dict[str, str] = {}
    result: str | None = None
    while True:
        pass_ = _Translation(source, given, weight, kinds, result)
        body = pass_.body()
        found = _result(source, pass_.returned, use)
        if (pass_.locals, found) == (kinds, result):
            break
        kinds, result = pass_.locals, found
    return Function(
        name=source.name,
        on_edges=source.on_edges,
        arrays={name: kind.dtype for name, kind in given.items() if isinstance(kind, ArrayOf)},
        scalars={name: stored(kind) for name, kind in given.items() if isinstance(kind, str)},
        takes_weight=source.takes_weight,
        weight=weight,
        body=body,
        result=found if pass_.returned else "",
        locals={name: stored(kind) for name, kind in kinds.items()},
    )


def _result(source: Source, returned: list[str], use: Use) -> str:
    """The dtype of what an operator returns."""
    if not returned or (source.on_edges and use == "call"):
        return BOOL
    kind = returned[0]
    for other in returned[1:]:
        kind = common(kind, other)
    return "int64" if use == "sum" and not is_float(kind) else stored(kind)


class _Translation:
    """One pass over a function, for arguments of given types."""

    def __init__(
        self,
        source: Source,
        given: Mapping[str, Type],
        weight: str,
        kinds: Mapping[str, str],
        result: str | None,
    ) -> None:
        self.source = source
        self.result = result
        self.returned: list[str] = []
        self.locals = dict(kinds)
        self.arrays = {name: kind for name, kind in given.items() if isinstance(kind, ArrayOf)}
        self.scalars = {name: kind for name, kind in given.items() if isinstance(kind, str)}
        for name in source.vertices:
            self.scalars[name] = VERTEX
        if source.takes_weight:
            self.scalars["w"] = weight
        # What a value depends on, of u, v, w and the edge itself.
        own = {*source.vertices, *(["w"] if source.takes_weight else [])}
        self.depends: dict[str, frozenset[str]] = {name: frozenset([name]) for name in own}
        self.assigned: set[str] = set()
        self.claimed: list[str] = []  # indices that this edge alone got by a compare and swap
        self.loops = 0

    def body(self) -> tuple[Statement, ...]:
        """The statements of the function."""
        return self.block(self.source.body)

    def refuse(self, node: ast.AST, problem: str) -> NoReturn:
        raise OperatorError(f"{self.source.place(node)}: {problem}")

    # -- statements ------------------------------------------------------------------------------

    def block(self, nodes: list[ast.stmt]) -> tuple[Statement, ...]:
        made: list[Statement] = []
        for node in nodes:
            if isinstance(node, ast.Pass) or _is_docstring(node):
                continue
            made.append(self.statement(node))
        return tuple(made)

    def statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Return(value=value):
                if value is None:
                    return self.returns(node, Constant(BOOL, False), is_value=False)
                return self.returns(node, self.value(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self.assign(node, name, self.value(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                return self.assign(node, name, self.value(value))
            case ast.Assign(targets=[ast.Subscript() as target], value=value):
                return self.store(target, self.value(value))
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                read = ast.copy_location(ast.Name(name, ast.Load()), target)
                sum_ = ast.copy_location(ast.BinOp(read, op, value), node)
                return self.assign(node, name, self.value(sum_))
            case ast.AugAssign(target=ast.Subscript() as target, op=op, value=value):
                return self.update(node, target, op, value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self.branch(test, body, orelse)
            case ast.While(test=test, body=body, orelse=[]):
                condition = self.truth(self.value(test))
                return While(condition, self.loop(body))
            case ast.For(target=ast.Name(id=name), iter=steps, body=body, orelse=[]):
                return self.counted(node, name, steps, body)
            case ast.Break() | ast.Continue():
                return Jump("break" if isinstance(node, ast.Break) else "continue")
            case ast.Expr(value=value):
                made = self.value(value)
                if not isinstance(made, Atomic):
                    self.refuse(node, "this line computes something and does nothing with it")
                return Evaluate(made)
        self.refuse(
            node,
            f"an operator has no {_named(node)}: it has assignments, if, while, for … in range(…) and return",
        )

    def returns(self, node: ast.AST, value: Expression, is_value: bool = True) -> Statement:
        if is_value:
            self.returned.append(value.kind)
        self.assigned = {*self.assigned, *self.locals}  # what follows is not reached
        if self.result is None:
            return Return(value)
        return Return(
            self.truth(value) if self.result == BOOL else self.cast(node, value, self.result)
        )

    def assign(self, node: ast.AST, name: str, value: Expression) -> Statement:
        if name in self.scalars or name in self.arrays:
            self.refuse(node, f"{name} is a parameter: give the new value another name")
        kind = self.locals.setdefault(name, value.kind)
        if is_weak(kind):
            kind = self.locals[name] = common(kind, value.kind)
        elif not can_hold(kind, value.kind):
            self.refuse(
                node,
                f"{name} is {_article(kind)} since it was first assigned, and this is {_article(stored(value.kind))}: "
                f"begin with np.{stored(value.kind)}(…), or write np.{kind}(…) here",
            )
        self.assigned.add(name)
        before = self.depends.get(name, frozenset())
        self.depends[name] = before | self.dependencies(value)
        return Assign(name, self.cast(node, value, kind))

    def branch(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt]) -> Statement:
        condition = self.truth(self.value(test))
        before = set(self.assigned)
        claims = _claims(condition)
        self.claimed += claims
        first = self.block(body)
        del self.claimed[len(self.claimed) - len(claims) :]
        after_first, self.assigned = self.assigned, before
        second = self.block(orelse)
        self.assigned = after_first & self.assigned
        return If(condition, first, second)

    def loop(self, body: list[ast.stmt]) -> tuple[Statement, ...]:
        before = set(self.assigned)
        made = self.block(body)
        self.assigned = before  # it may not run at all
        return made

    def counted(self, node: ast.For, name: str, steps: ast.expr, body: list[ast.stmt]) -> Statement:
        if not (
            isinstance(steps, ast.Call)
            and self.known(steps.func) is range
            and 1 <= len(steps.args) <= 3
            and not steps.keywords
        ):
            self.refuse(node, "a loop goes over range(…): write `for i in range(n):`")
        ends = [self.value(arg) for arg in steps.args]
        for arg, end in zip(steps.args, ends, strict=True):
            if not is_integer(end.kind):
                self.refuse(arg, f"range(…) takes integers, not {_article(end.kind)}")
        step = 1
        if len(ends) == 3:
            last = ends.pop()
            if not isinstance(last, Constant) or last.value == 0:
                self.refuse(node, "the step of range(…) is a number, and not 0: write it out")
            step = int(last.value)
        start, stop = ends if len(ends) == 2 else (Constant(INT, 0), ends[0])
        whole = [self.cast(node, end, "int64") for end in (start, stop)]
        depends = self.dependencies(start) | self.dependencies(stop)
        if self.locals.setdefault(name, INT) != INT or name in self.scalars:
            self.refuse(node, f"{name} has another type already: give the loop a name of its own")
        self.depends[name] = self.depends.get(name, frozenset()) | depends
        self.assigned.add(name)
        return For(name, whole[0], whole[1], step, self.loop(body))

    # -- arrays ----------------------------------------------------------------------------------

    def element(self, node: ast.Subscript) -> Element:
        if not isinstance(node.value, ast.Name) or node.value.id not in self.arrays:
            self.refuse(node, "only arrays that the operator takes have elements")
        if isinstance(node.slice, (ast.Tuple, ast.Slice)):
            self.refuse(node, "an array has one index, a vertex: write a[v]")
        index = self.value(node.slice)
        if not is_integer(index.kind):
            self.refuse(node, f"an index is an integer, not {_article(index.kind)}")
        name = node.value.id
        return Element(self.arrays[name].dtype, name, index, self.source.line(node))

    def store(self, node: ast.Subscript, value: Expression) -> Statement:
        at = self.element(node)
        if not can_hold(at.kind, value.kind) and not (is_float(at.kind) and is_float(value.kind)):
            self.refuse(
                node,
                f"{at.array} holds {at.kind}, and this is {_article(stored(value.kind))}: write np.{at.kind}(…)",
            )
        self.check_race(node, at, value)
        return Store(at.array, at.index, self.cast(node, value, at.kind), at.line)

    def check_race(self, node: ast.Subscript, at: Element, value: Expression) -> None:
        """Refuse a store whose outcome depends on which thread comes last."""
        own = at.index.name if isinstance(at.index, Variable) else ""
        if not self.source.on_edges and own == "v":
            return  # each vertex has one thread
        if _key(at.index) in self.claimed:
            return
        others = self.dependencies(value) - ({own} if own in ("u", "v") else set())
        if others:
            name = ast.unparse(node)
            what = "edges" if self.source.on_edges else "vertices"
            self.refuse(
                node,
                f"several {what} may write {name} at once, with different values, and the last one would win: use "
                f"wp.atomic_min, atomic_max, atomic_add or atomic_or, or let one of them claim it first: "
                f"`if wp.atomic_cas({ast.unparse(node.value)}, {ast.unparse(node.slice)}, expected, value): …`",
            )

    def update(
        self, node: ast.AugAssign, target: ast.Subscript, op: ast.operator, value: ast.expr
    ) -> Statement:
        at = self.element(target)
        is_own = isinstance(at.index, Variable) and at.index.name == "v"
        if self.source.on_edges or not is_own:
            name = {ast.Add: "atomic_add", ast.BitOr: "atomic_or"}.get(
                type(op), "an atomic function"
            )
            array, index = ast.unparse(target.value), ast.unparse(target.slice)
            self.refuse(
                node,
                f"two threads may read {array}[{index}] before either writes it: write "
                f"wp.{name}({array}, {index}, {ast.unparse(value)})"
                if name != "an atomic function"
                else f"two threads may read {array}[{index}] before either writes it: use one of wp.atomic_…",
            )
        read = ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
        return self.store(target, self.value(ast.copy_location(ast.BinOp(read, op, value), node)))

    # -- values ----------------------------------------------------------------------------------

    def value(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=bool() | int() | float() as number):
                return self.constant(node, number)
            case ast.Name(id=name):
                return self.named(node, name)
            case ast.Attribute():
                return self.constant(node, self.known(node))
            case ast.Subscript():
                return self.element(node)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                return self.arithmetic(node, _ARITHMETIC[type(op)], left, right)
            case ast.BinOp(op=ast.Pow()):
                self.refuse(node, "an operator has no **: write x * x")
            case ast.UnaryOp(op=op, operand=operand):
                return self.unary(node, op, self.value(operand))
            case ast.BoolOp(op=op, values=values):
                name = "and" if isinstance(op, ast.And) else "or"
                return Operation(BOOL, name, tuple(self.truth(self.value(one)) for one in values))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self.compare(node, [left, *others], ops)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                condition, first, second = (self.value(one) for one in (test, body, orelse))
                kind = common(first.kind, second.kind)
                ends = (self.cast(node, one, kind) for one in (first, second))
                return Choice(kind, self.truth(condition), *ends)
            case ast.Call():
                return self.call(node)
        self.refuse(
            node,
            f"an operator has no {_named(node)}: its values are numbers, elements of arrays, arithmetic, "
            f"comparisons, and {_FUNCTIONS}",
        )

    def constant(self, node: ast.AST, number: Any) -> Constant:
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
            low, high = range_of("int64")
            if not low <= number <= high:
                self.refuse(node, f"{number} does not fit in 64 bits")
            return Constant(INT, number)
        if isinstance(number, float):
            return Constant(FLOAT, number)
        self.refuse(
            node,
            f"{ast.unparse(node)} is {_article(type(number).__name__)}, and an operator's values are numbers: give "
            "an array as an argument",
        )

    def named(self, node: ast.Name, name: str) -> Expression:
        if name in self.scalars:
            return Variable(self.scalars[name], name)
        if name in self.arrays:
            self.refuse(node, f"{name} is an array: write {name}[v]")
        if name in self.locals:
            if name not in self.assigned:
                self.refuse(node, f"{name} has no value yet on every way here: assign one first")
            return Variable(self.locals[name], name)
        return self.constant(node, self.known(node))

    def known(self, node: ast.expr) -> Any:
        """What a name, or an attribute of a module, stands for outside."""
        match node:
            case ast.Name(id=name):
                for names in (self.source.names, vars(builtins)):
                    if name in names:
                        return names[name]
                self.refuse(node, f"{name} is not known here")
            case ast.Attribute(value=value, attr=name):
                owner = self.known(value)
                if hasattr(owner, name):
                    return getattr(owner, name)
                self.refuse(node, f"{ast.unparse(node)} is not known here")
        self.refuse(node, f"an operator has no {_named(node)}")

    def arithmetic(self, node: ast.BinOp, name: str, left: ast.expr, right: ast.expr) -> Expression:
        a, b = self.value(left), self.value(right)
        if (
            isinstance(a, Constant)
            and isinstance(b, Constant)
            and is_weak(a.kind)
            and is_weak(b.kind)
        ):
            return self.folded(node, name, a, b)
        kind = common(a.kind, b.kind)
        if kind == BOOL and name not in ("&", "|", "^"):
            kind = "int64"
        if name in _OF_INTEGERS and is_float(kind):
            self.refuse(node, f"{name} takes integers, and these are {kind}")
        if name == "/" and not is_float(kind):
            kind = FLOAT if kind == INT else "float64"
        return Operation(kind, name, (self.cast(node, a, kind), self.cast(node, b, kind)))

    def folded(self, node: ast.BinOp, name: str, a: Constant, b: Constant) -> Constant:
        """What Python makes of two numbers of the source."""
        try:
            number = eval(f"a {name} b", {"a": a.value, "b": b.value})
        except ZeroDivisionError:
            self.refuse(node, "division by zero")
        return self.constant(node, number)

    def unary(self, node: ast.expr, op: ast.unaryop, value: Expression) -> Expression:
        match op:
            case ast.Not():
                return Operation(BOOL, "not", (self.truth(value),))
            case ast.UAdd():
                return value
            case ast.USub() if isinstance(value, Constant) and value.kind != BOOL:
                return Constant(value.kind, -value.value)
            case ast.USub():
                kind = INT if value.kind == BOOL else value.kind
                return Operation(kind, "negative", (self.cast(node, value, kind),))
        if not is_integer(value.kind):
            self.refuse(node, f"~ takes integers, not {_article(value.kind)}")
        kind = value.kind
        return Operation(kind, "~", (self.cast(node, value, kind),))

    def compare(self, node: ast.expr, parts: list[ast.expr], ops: list[ast.cmpop]) -> Expression:
        values = [self.value(one) for one in parts]
        tests = []
        for a, op, b in zip(values, ops, values[1:], strict=False):
            if type(op) not in _COMPARISONS:
                self.refuse(node, f"an operator has no {_named(op)}: it has < <= > >= == !=")
            kind = common(a.kind, b.kind)
            pair = self.cast(node, a, kind), self.cast(node, b, kind)
            tests.append(Operation(BOOL, _COMPARISONS[type(op)], pair))
        return tests[0] if len(tests) == 1 else Operation(BOOL, "and", tuple(tests))

    def call(self, node: ast.Call) -> Expression:
        function = self.known(node.func)
        if node.keywords:
            self.refuse(node, "arguments in an operator are given by position")
        if isinstance(function, type) or not callable(function):
            dtype = _dtype_of(function)
            if dtype is not None and len(node.args) == 1:
                value = (
                    self.value(node.args[0])
                    if not _is_infinite(node.args[0])
                    else Constant(FLOAT, float(ast.literal_eval(node.args[0])))
                )
                return self.truth(value) if dtype == BOOL else self.cast(node, value, dtype)
        if function in ATOMICS:
            return self.atomic(node, ATOMICS[function])
        if function is len and len(node.args) == 1:
            match node.args[0]:
                case ast.Name(id=name) if name in self.arrays:
                    return Length(INT, name)
        if function in (min, max) and len(node.args) >= 2:
            values = [self.value(one) for one in node.args]
            kind = values[0].kind
            for one in values[1:]:
                kind = common(kind, one.kind)
            name = "min" if function is min else "max"
            made = self.cast(node, values[0], kind)
            for one in values[1:]:
                made = Operation(kind, name, (made, self.cast(node, one, kind)))
            return made
        if function is abs and len(node.args) == 1:
            value = self.value(node.args[0])
            return Operation(
                stored(value.kind), "abs", (self.cast(node, value, stored(value.kind)),)
            )
        if (function in _OF_FLOATS or function in _OF_PYTHON) and len(node.args) == 1:
            value = self.value(node.args[0])
            if function in _OF_FLOATS:
                kind = value.kind if value.kind in ("float32", "float64") else "float64"
                return Operation(kind, _OF_FLOATS[function], (self.cast(node, value, kind),))
            made = Operation(FLOAT, _OF_PYTHON[function], (self.cast(node, value, FLOAT),))
            return self.cast(node, made, INT) if function in (math.floor, math.ceil) else made
        self.refuse(
            node, f"an operator cannot call {ast.unparse(node.func)} like this; it has {_FUNCTIONS}"
        )

    def atomic(self, node: ast.Call, name: str) -> Expression:
        wanted = 4 if name == "cas" else 3
        if len(node.args) != wanted:
            self.refuse(node, f"atomic_{name} takes {wanted} arguments")
        place = ast.copy_location(ast.Subscript(node.args[0], node.args[1], ast.Load()), node)
        at = self.element(place)
        if at.kind == BOOL:
            self.refuse(node, f"there are no atomics on bools: make {at.array} an array of int32")
        if name == "or" and not is_integer(at.kind):
            self.refuse(node, f"atomic_or takes an array of integers, not of {at.kind}")
        operands = []
        for argument in node.args[2:]:
            value = self.value(argument)
            if not can_hold(at.kind, value.kind) and not (is_float(at.kind) and value.kind != BOOL):
                self.refuse(
                    argument,
                    f"{at.array} holds {at.kind}, and this is {_article(stored(value.kind))}: write np.{at.kind}(…)",
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
            return Constant(kind, float(value.value))
        if kind == BOOL:
            return Constant(kind, bool(value.value))
        if kind != INT and is_integer(kind):
            number = value.value
            if isinstance(number, float) and not math.isfinite(number):
                self.refuse(node, f"{number} is no {kind}")
            low, high = range_of(kind)
            if not low <= int(number) <= high:
                self.refuse(node, f"{number} does not fit in {kind}")
            return Constant(kind, int(number))
        return Constant(kind, value.value)

    def dependencies(self, value: Expression) -> frozenset[str]:
        """Which of u, v, w and the edge a value is a function of."""
        match value:
            case Variable(name=name):
                return self.depends.get(name, frozenset())
            case Element(index=index):
                return self.dependencies(index)
            case Atomic():
                return frozenset(["edge"])
            case Cast(value=inner):
                return self.dependencies(inner)
            case Operation(operands=operands):
                return frozenset().union(*map(self.dependencies, operands))
            case Choice(test=test, first=first, second=second):
                return frozenset().union(*map(self.dependencies, (test, first, second)))
        return frozenset()


def _claims(condition: Expression) -> list[str]:
    """Indices that a condition has claimed by a compare and swap, if it is true."""
    match condition:
        case Atomic(name="cas", index=index):
            return [_key(index)]
        case Operation(name="and", operands=operands):
            return [claim for one in operands for claim in _claims(one)]
    return []


def _key(index: Expression) -> str:
    while isinstance(index, Cast):
        index = index.value
    return repr(index)


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_infinite(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in ("inf", "-inf")


def _dtype_of(function: Any) -> str | None:
    if function in (int, float, bool):
        return {int: INT, float: FLOAT, bool: BOOL}[function]
    if isinstance(function, type) and issubclass(function, np.generic):
        name = np.dtype(function).name
        return name if name in ("bool", "int32", "int64", "float32", "float64") else None
    return None


_NAMES = {
    ast.ListComp: "list comprehension", ast.List: "list", ast.Dict: "dict", ast.Tuple: "tuple",
    ast.Try: "try", ast.With: "with", ast.FunctionDef: "function inside it", ast.Lambda: "lambda",
    ast.Global: "global", ast.Nonlocal: "nonlocal", ast.Raise: "raise", ast.Assert: "assert",
    ast.JoinedStr: "f-string", ast.In: "`in`", ast.NotIn: "`not in`", ast.Is: "`is`", ast.IsNot: "`is not`",
    ast.MatMult: "@", ast.Import: "import", ast.Delete: "del", ast.Match: "match", ast.Set: "set",
    ast.While: "while … else", ast.For: "for … else, or over several names", ast.Yield: "yield",
    ast.Assign: "assignment to several names", ast.NamedExpr: ":=", ast.Starred: "*", ast.Await: "await",
}  # fmt: skip


def _named(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return {str: "text", type(None): "None", bytes: "bytes"}.get(
            type(node.value), "such constant"
        )
    return _NAMES.get(type(node), type(node).__name__)


def _article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
