"""How much a function of a path's value and a weight adds to the value, as far as its text says.

By interval arithmetic: a part of the text is an integer between two others, or that much more than the path's value. What
is neither, such as twice the value, is not known.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from warpath.language.tree import (
    Assign,
    Cast,
    Choice,
    Constant,
    Expression,
    Function,
    If,
    Operation,
    Return,
    Statement,
    Variable,
)
from warpath.language.types import BOOL, can_hold, is_integer, range_of, stored


@dataclass(frozen=True)
class Growth:
    """What is known of ``extend(value, weight)`` for integers, if nothing that it computes leaves its dtype.

    Attributes
    ----------
    least, most : int
        The result is the value and at least, at most, this.
    below, above : int
        So is every part of the text that has the value in it.
    """

    least: int
    most: int
    below: int
    above: int

    def stays_within(self, start: int, edges: int, ends: tuple[int, int]) -> bool:
        """Whether all that is computed where paths are extended lies between two ends.

        Parameters
        ----------
        start : int
            The value of the path without edges.
        edges : int
            The most that such a path has.
        """
        low = start + edges * min(self.least, 0) + self.below
        high = start + edges * max(self.most, 0) + self.above
        return ends[0] <= low and high <= ends[1]


def growth(function: Function, weights: tuple[int, int]) -> Growth | None:
    """The growth by weights from the first to the last of these; None if it is not known.

    Parameters
    ----------
    function : Function
        It takes a value and a weight.
    """
    return _Reader(function).read(weights)


class _UnknownError(Exception):
    """A part of the text is no sum."""


@dataclass(frozen=True)
class _Range:
    """Integers from ``low`` to ``high``, or that much more than the path's value."""

    low: int
    high: int
    has_value: bool = False


Known = dict[str, _Range]


class _Reader:
    """The text of one function, which keeps the ranges of its parts."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.value_kind, _ = function.scalars.values()
        self.with_value: list[_Range] = []
        self.returned: list[_Range] = []

    def read(self, weights: tuple[int, int]) -> Growth | None:
        value, weight = self.function.scalars
        given = {value: _Range(0, 0, has_value=True), weight: _Range(*weights)}
        try:
            left = self.run(self.function.body, given)
            result = _either(self.returned)
        except _UnknownError:
            return None
        if left is not None or not result.has_value:
            return None
        parts = _either([result, *self.with_value])
        return Growth(result.low, result.high, parts.low, parts.high)

    def run(self, statements: Iterable[Statement], known: Known) -> Known | None:
        """What variables are after some statements; None if these return on every way."""
        for statement in statements:
            match statement:
                case Assign(name=name, value=value):
                    known = known | {name: self.part(self.function.locals[name], value, known)}
                case Return(value=value):
                    self.returned.append(self.part(self.function.result, value, known))
                    return None
                case If(body=body, orelse=orelse):
                    ways = [self.run(body, known), self.run(orelse, known)]
                    left = [way for way in ways if way is not None]
                    if not left:
                        return None
                    common = set.intersection(*map(set, left))
                    known = {name: _either([way[name] for way in left]) for name in common}
                case _:
                    raise _UnknownError
        return known

    def part(self, kind: str, value: Expression, known: Known) -> _Range:
        """A number as one of type ``kind``, which must hold it."""
        if kind != BOOL and not is_integer(kind):
            raise _UnknownError
        made = self.of(value, known)
        if made.has_value:
            if not can_hold(stored(kind), self.value_kind):
                raise _UnknownError
            self.with_value.append(made)
        elif kind != BOOL:
            low, high = range_of(stored(kind))
            if not low <= made.low <= made.high <= high:
                raise _UnknownError
        return made

    def of(self, value: Expression, known: Known) -> _Range:
        match value:
            case Constant(value=bool() | int() as number):
                return _Range(int(number), int(number))
            case Variable(name=name) if name in known:
                return known[name]
            case Cast(kind=kind, value=inner) if kind != BOOL:
                return self.part(inner.kind, inner, known)
            case Choice(kind=kind, first=first, second=second):
                return _either([self.part(kind, one, known) for one in (first, second)])
            case Operation(kind="bool"):
                return _Range(0, 1)
            case Operation(name="%", operands=(_, Constant(value=int() as by))) if by > 0:
                return _Range(0, by - 1)
            case Operation(kind=kind, name=name, operands=operands):
                return self.combined(name, [self.part(kind, one, known) for one in operands])
        raise _UnknownError

    @staticmethod
    def combined(name: str, operands: list[_Range]) -> _Range:
        """The range of an operation on numbers."""
        match name, operands:
            case "+", (a, b) if not (a.has_value and b.has_value):
                return _Range(a.low + b.low, a.high + b.high, a.has_value or b.has_value)
            case "-", (a, b) if a.has_value >= b.has_value:
                return _Range(a.low - b.high, a.high - b.low, a.has_value and not b.has_value)
            case (("min" | "max"), (a, b)) if a.has_value == b.has_value:
                best = min if name == "min" else max
                return _Range(best(a.low, b.low), best(a.high, b.high), a.has_value)
            case "*", (a, b) if not (a.has_value or b.has_value):
                ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
                return _Range(min(ends), max(ends))
            case "//", (a, b) if not (a.has_value or b.has_value) and b.low > 0:
                ends = [x // y for x in (a.low, a.high) for y in (b.low, b.high)]
                return _Range(min(ends), max(ends))
            case "negative", (a,) if not a.has_value:
                return _Range(-a.high, -a.low)
            case "abs", (a,) if not a.has_value:
                least = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
                return _Range(least, max(abs(a.low), abs(a.high)))
        raise _UnknownError


def _either(ranges: list[_Range]) -> _Range:
    """What may be any of these."""
    if len({one.has_value for one in ranges}) != 1:
        raise _UnknownError
    return _Range(
        min(one.low for one in ranges), max(one.high for one in ranges), ranges[0].has_value
    )
