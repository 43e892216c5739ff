"""An operator as CUDA C++: a struct that holds its arguments."""

import math
import re
from functools import cached_property, lru_cache
from itertools import permutations

from warpath.language.staging import Staged, staged
from warpath.language.tree import (
    Atomic,
    Element,
    Expression,
    For,
    Function,
    Operation,
    Variable,
    walk,
)
from warpath.language.types import VERTEX, stored
from warpath.language.writer import Writer
from warpath.language.writes import is_translated, writes_late, written

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


@lru_cache(maxsize=1024)
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
    text = "\n".join(lines)
    return _in_ascii(text) if is_translated(function) else text


def rule_header(
    base: str,
    function: Function,
    value: str,
    start: float,
    last: float | None,
    larger_is_better: bool,
) -> str:
    """A header that has a user's algebra as ``warpath::UserRule``: see ``core/weight.cuh``.

    Parameters
    ----------
    base : str
        The header that it includes, whose kernels it is for.
    function : Function
        It takes a value and a weight.
    value : str
        The dtype of values.
    start, last : number
        Keys of a source, and of `unreached` unless it is the dtype's last.
    larger_is_better : bool
    """
    writer, kind = _Writer(function), NAMES[value]
    numbers = ", ".join(f"{NAMES[dtype]} {name}_" for name, dtype in function.scalars.items())
    unlimited = last is None
    return _in_ascii("\n".join([
        "#pragma once",
        "",
        f'#include "{base}"',
        '#include "core/weight.cuh"',
        '#include "operators/arithmetic.cuh"',
        "",
        "namespace warpath {",
        "",
        "struct UserRule {",
        f"    static constexpr bool larger_is_better = {_cpp(larger_is_better)};",
        f"    static constexpr bool is_limited = {_cpp(not unlimited)};",
        f"    static __device__ {kind} start() {{ return {writer.constant(value, start)}; }}",
        f"    static __device__ {kind} last() {{ return {writer.constant(value, last or 0)}; }}",
        f"    static __device__ __forceinline__ {NAMES[function.result]} extend({numbers}) {{",
        *writer.locals(),
        *writer.block(function.body, 2),
        "        return {};",
        "    }",
        "};",
        "",
        "}  // namespace warpath",
        "",
    ]))  # fmt: skip


def _in_ascii(text: str) -> str:
    """A text with names that NVRTC takes, which has no letters but these."""
    return re.sub(r"[^\x00-\x7f]", lambda found: f"_u{ord(found[0]):x}_", text)


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


def _has_an_order(value: Operation | Atomic) -> bool:
    """Whether an operand has an atomic operation, and another one too, or it reads what that changes."""
    if value.name in ("and", "or"):  # C++ has their order
        return False
    operands = (value.index, *value.operands) if isinstance(value, Atomic) else value.operands
    parts = [list(walk(one)) for one in operands]
    changed = [{one.array for one in each if isinstance(one, Atomic)} for each in parts]
    read = [{one.array for one in each if isinstance(one, Element)} for each in parts]
    return any(
        (changed[i] and changed[j]) or changed[i] & read[j]
        for i, j in permutations(range(len(parts)), 2)
    )


class _Writer(Writer):
    end, close, otherwise, empty = ";", ("}",), "} else {", ()
    from_owner = False  # whether elements of u stand in `from`

    @cached_property
    def _written(self) -> frozenset[str]:
        return written(self.function)

    def value(self, value: Expression) -> str:
        if isinstance(value, Operation | Atomic) and _has_an_order(value):
            return self._in_order(value)
        text = super().value(value)
        if isinstance(value, Element) and value.array in self._written and not self.from_owner:
            return f"read<past_l1>({text})"
        return text

    def _in_order(self, value: Operation | Atomic) -> str:
        """An operation whose operands are computed from left to right, as in Python: in C++ they come in any order."""
        texts = [self.value(one) for one in value.operands]
        if isinstance(value, Atomic):
            texts.insert(0, self.index(value.array, value.index, value.line))
        names = [f"operand_{i}" for i in range(len(texts))]
        lines = "".join(
            f"const auto {name} = {text}; " for name, text in zip(names, texts, strict=True)
        )
        if isinstance(value, Atomic):
            made = self.atomic(value.name, value.array, names[0], ", ".join(names[1:]))
        else:
            made = self.operation(stored(value.kind), value.name, names)
        return f"[&] {{ {lines}return {made}; }}()"

    def locals(self) -> list[str]:
        """Declarations."""
        return [
            f"        {NAMES[kind]} {name}_{{}};" for name, kind in self.function.locals.items()
        ]

    def verbatim(self, text: str) -> list[str]:
        function = self.function
        names = [
            *(("u",) if function.on_edges else ()),
            "v",
            *(["w"] if function.takes_weight else []),
        ]
        return [
            *(
                f"        [[maybe_unused]] const auto {name} = {name}_;"
                for name in (*names, *function.scalars)
            ),
            *(
                f"        [[maybe_unused]] {NAMES[kind]}* const {name} = {name}_.data;"
                for name, kind in function.arrays.items()
            ),
            f'#line 1 "{function.name}"',  # the compiler's messages name the user's lines
            *text.splitlines(),
        ]

    def head(self, keyword: str, test: Expression) -> str:
        return f"{keyword} ({self.value(test)}) {{"

    def loop(self, loop: For, at: str) -> list[str]:
        start, stop = self.value(loop.start), self.value(loop.stop)
        end, compare = f"{at}_end", "<" if loop.step > 0 else ">"
        is_one = abs(loop.step) == 1  # it ends before it wraps
        by = self.constant("int64", loop.step)
        step = f"{at} += {by}" if is_one else f"{at} = stepped({at}, {end}, {by})"
        # Unrolled loops spill registers: a lane has several edges inlined, and a vertex has 32 registers.
        return [
            f'_Pragma("unroll 1") for (long long {at} = {start}, {end} = {stop}; {at} {compare} {end}; {step}) {{'
        ]

    def counter(self, loop: For, at: str) -> str:
        return f"{at};"

    def place(self, array: str, index: Expression, line: int) -> str:
        if self.from_owner and index == Variable(VERTEX, "u"):
            return f"from.{array}_"
        return f"{array}_.data[{self.index(array, index, line)}]"

    def index(self, array: str, index: Expression, line: int) -> str:
        at = self.value(index)
        if not self.checks:
            return at
        return f"checked({at}, {array}_.length, faults, {line}, {self.numbers[array]})"

    def length(self, array: str) -> str:
        return f"static_cast<long long>({array}_.length)"

    def constant(self, kind: str, number: bool | int | float) -> str:
        if kind == "bool":
            return _cpp(bool(number))
        if kind in ("int32", "int64"):
            suffix, low = ("", -(2**31)) if kind == "int32" else ("ll", -(2**63))
            return f"({number + 1}{suffix} - 1)" if number == low else f"{number}{suffix}"
        name = NAMES[kind]
        if math.isfinite(number):
            return f"static_cast<{name}>({float(number).hex()})"
        if math.isnan(number):
            return f"(infinity<{name}>() - infinity<{name}>())"
        return f"{'-' * (number < 0)}infinity<{name}>()"

    def cast(self, kind: str, text: str) -> str:
        return f"static_cast<{NAMES[kind]}>({text})"

    def whole(self, kind: str, text: str) -> str:
        return f"whole<{NAMES[kind]}>({text})"

    def choice(self, test: str, first: str, second: str) -> str:
        return f"({test} ? {first} : {second})"

    def operation(self, kind: str, name: str, operands: list[str]) -> str:
        if name in _INFIX:
            return f"({f' {_INFIX[name]} '.join(operands)})"
        if name in _PREFIX:
            return f"({_PREFIX[name]}{operands[0]})"
        return f"{_CALLS[name]}({', '.join(operands)})"

    def atomic(self, name: str, array: str, index: str, operands: str) -> str:
        from_l2 = "" if name == "add" else "<past_l1>"  # it is read before
        return f"atomic_{name}{from_l2}({array}_.data + {index}, {operands})"


def _cpp(value: bool) -> str:
    return "true" if value else "false"
