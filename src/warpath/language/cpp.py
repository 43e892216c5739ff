"""An operator as CUDA C++: a struct that holds its arguments."""

import math

from warpath.language.staging import Staged, staged
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
from warpath.language.writes import writes_late, written

NAMES = {
    "bool": "bool", "int32": "int", "int64": "long long", "float32": "float", "float64": "double",
}  # fmt: skip
"""What a dtype is called in C++."""

_INFIX = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "==": "==", "!=": "!=", "and": "&&", "or": "||",
          "&": "&", "|": "|", "^": "^", "/": "/"}  # fmt: skip
_PREFIX = {"not": "!", "~": "~"}
_CALLS = {
    "+": "plus", "-": "minus", "*": "times", "//": "floor_divided", "%": "floor_remainder",
    "<<": "shifted_left", ">>": "shifted_right", "min": "min_of", "max": "max_of", "abs": "magnitude",
    "negative": "negative", "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "exp": "exp", "log": "log",
}  # fmt: skip


def header(base: str, function: Function, *, weighted: bool = False, checks: bool = False) -> str:
    """A header that has the operator as ``warpath::UserOperator``.

    Parameters
    ----------
    base : str
        The header that it includes, whose kernel it is for.
    function : Function
    weighted : bool
        Whether the graph has weights.
    checks : bool
        Whether each index is compared with the array's length.
    """
    writer = _Writer(function, checks)
    fields = [f"    Vector<{NAMES[kind]}> {name}_;" for name, kind in function.arrays.items()]
    fields += [f"    {NAMES[kind]} {name}_;" for name, kind in function.scalars.items()]
    parameters = "int u_, int v_" if function.on_edges else "int v_"
    if function.takes_weight:
        parameters += f", {NAMES[function.weight]} w_"
    result = NAMES[function.result or "bool"]
    lines = [
        "#pragma once",
        "",
        f'#include "{base}"',
        "",
        "namespace warpath {",
        "",
        "struct UserOperator {",
        f"    static constexpr bool takes_weight = {_cpp(function.takes_weight)};",
        f"    static constexpr bool loads_weight = {_cpp(function.takes_weight and weighted)};",
        f"    static constexpr bool writes_late = {_cpp(writes_late(function))};",
        f"    using Weight = {NAMES[function.weight]};",
        f"    using Result = {result};",
        *fields,
        "    Faults* faults;",
        "",
        "    template <bool past_l1 = false>",
        f"    __device__ Result operator()({parameters}) const {{",
        *writer.locals(),
        *writer.block(function.body, 2),
        "        return {};",
        "    }",
    ]
    first = None if checks or function.result != "bool" else staged(function)
    lines += [f"    static constexpr bool staged = {_cpp(first is not None)};"]
    if first is not None:
        lines += _stages(writer, first)
    lines += ["};", "", "}  // namespace warpath", ""]
    return "\n".join(lines)


def _stages(writer: "_Writer", stages: Staged) -> list[str]:
    """The steps of an operator that ends with an atomic minimum: see ``algorithms/edge_operator.cuh``."""
    kind = NAMES[stages.value.kind]
    fields = " ".join(f"{NAMES[dtype]} {name}_;" for name, dtype in stages.of_owner.items())
    loads = ", ".join(
        f"read_if<{'past_l1' if name == stages.array else 'false'}>({name}_.data + u_, pred)"
        for name in stages.of_owner
    )
    weight = f", {NAMES[writer.function.weight]} w_" if writer.function.takes_weight else ""
    writer.from_owner = True
    body = [
        *writer.locals(),
        *writer.block(stages.before, 2),
        f"        return {writer.value(stages.value)};",
    ]
    writer.from_owner = False
    return [
        f"    struct From {{ {fields} }};",
        f"    using Offer = {kind};",
        "    template <bool past_l1>",
        f"    __device__ From from(Vertex u_, bool pred) const {{ return {{{loads}}}; }}",
        f"    __device__ Offer offer(const From& from{weight}) const {{",
        *body,
        "    }",
        f"    __device__ {kind}* target() const {{ return {stages.array}_.data; }}",
    ]


class _Writer:
    """Writes statements and expressions."""

    def __init__(self, function: Function, checks: bool) -> None:
        self.function = function
        self.checks = checks
        self.from_owner = False  # whether elements of u stand in `from`
        self._numbers = {name: i for i, name in enumerate(function.arrays)}
        self._written = written(function)

    def locals(self) -> list[str]:
        """Declarations."""
        return [
            f"        {NAMES[kind]} {name}_{{}};" for name, kind in self.function.locals.items()
        ]

    def block(self, statements: tuple[Statement, ...], depth: int) -> list[str]:
        """Lines, indented."""
        return [line for one in statements for line in self.statement(one, depth)]

    def statement(self, statement: Statement, depth: int) -> list[str]:
        space = "    " * depth
        match statement:
            case Assign(name=name, value=value):
                return [f"{space}{name}_ = {self.value(value)};"]
            case Store(array=array, index=index, value=value, line=line):
                return [f"{space}{self.place(array, index, line)} = {self.value(value)};"]
            case Evaluate(value=value):
                return [f"{space}{self.value(value)};"]
            case If(test=test, body=body, orelse=orelse):
                lines = [f"{space}if ({self.value(test)}) {{", *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{space}}} else {{", *self.block(orelse, depth + 1)]
                return [*lines, f"{space}}}"]
            case While(test=test, body=body):
                return [
                    f"{space}while ({self.value(test)}) {{",
                    *self.block(body, depth + 1),
                    f"{space}}}",
                ]
            case For(name=name, start=start, stop=stop, step=step, body=body):
                compare = "<" if step > 0 else ">"
                at, end = f"{name}_{depth}", f"{name}_end_{depth}"
                return [
                    f"{space}for (long long {at} = {self.value(start)}, {end} = {self.value(stop)}; "
                    f"{at} {compare} {end}; {at} += {step}) {{",
                    f"{space}    {name}_ = {at};",
                    *self.block(body, depth + 1),
                    f"{space}}}",
                ]
            case Jump(name=name):
                return [f"{space}{name};"]
            case Return(value=value):
                return [f"{space}return {self.value(value)};"]
        raise AssertionError(statement)

    def place(self, array: str, index: Expression, line: int) -> str:
        return f"{array}_.data[{self.index(array, index, line)}]"

    def index(self, array: str, index: Expression, line: int) -> str:
        at = self.value(index)
        if not self.checks:
            return at
        return f"checked({at}, {array}_.length, faults, {line}, {self._numbers[array]})"

    def value(self, value: Expression) -> str:
        match value:
            case Constant(kind=kind, value=number):
                return _constant(kind, number)
            case Variable(name=name):
                return f"{name}_"
            case Element(array=array, index=Variable(name="u")) if self.from_owner:
                return f"from.{array}_"
            case Element(array=array, index=index, line=line):
                place = self.place(array, index, line)
                return f"read<past_l1>({place})" if array in self._written else place
            case Length(array=array):
                return f"static_cast<long long>({array}_.length)"
            case Cast(kind=kind, value=inner):
                return f"static_cast<{NAMES[stored(kind)]}>({self.value(inner)})"
            case Choice(test=test, first=first, second=second):
                return f"({self.value(test)} ? {self.value(first)} : {self.value(second)})"
            case Operation(name=name, operands=operands):
                return self.operation(name, [self.value(one) for one in operands])
            case Atomic(name=name, array=array, index=index, operands=operands, line=line):
                given = ", ".join(self.value(one) for one in operands)
                return f"atomic_{name}({array}_.data + {self.index(array, index, line)}, {given})"
        raise AssertionError(value)

    def operation(self, name: str, operands: list[str]) -> str:
        if name in _INFIX:
            return f"({f' {_INFIX[name]} '.join(operands)})"
        if name in _PREFIX:
            return f"({_PREFIX[name]}{operands[0]})"
        return f"{_CALLS[name]}({', '.join(operands)})"


def _constant(kind: str, number: bool | int | float) -> str:
    if kind == "bool":
        return _cpp(bool(number))
    if kind in ("int32", "int64", "weak int"):
        suffix = "" if kind == "int32" else "ll"
        low = -(2 ** (31 if kind == "int32" else 63))
        return f"({number + 1}{suffix} - 1)" if number == low else f"{number}{suffix}"
    name = NAMES[stored(kind)]
    if math.isfinite(number):
        return f"static_cast<{name}>({float(number).hex()})"
    sign = "-" if number < 0 else ""
    return (
        f"{sign}infinity<{name}>()"
        if number == number
        else f"(infinity<{name}>() - infinity<{name}>())"
    )


def _cpp(value: bool) -> str:
    return "true" if value else "false"
