"""The typed tree of an operator. Operands have the type of their operation already."""

from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Expression:
    """A value.

    Attributes
    ----------
    kind : str
        Its type: `warpath.language.types`.
    """

    kind: str


@dataclass(frozen=True)
class Constant(Expression):
    """A number."""

    value: bool | int | float


@dataclass(frozen=True)
class Variable(Expression):
    """A parameter or a local variable."""

    name: str


@dataclass(frozen=True)
class Element(Expression):
    """``array[index]``; ``line`` is where that stands."""

    array: str
    index: Expression
    line: int = field(repr=False, compare=False)


@dataclass(frozen=True)
class Length(Expression):
    """``len(array)``."""

    array: str


@dataclass(frozen=True)
class Cast(Expression):
    """A number as another type."""

    value: Expression


@dataclass(frozen=True)
class Operation(Expression):
    """An operator of Python, or a function of numbers, by its name: ``+``, ``<``, ``min``."""

    name: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True)
class Choice(Expression):
    """``a if test else b``."""

    test: Expression
    first: Expression
    second: Expression


@dataclass(frozen=True)
class Atomic(Expression):
    """``atomic_name(array, index, *operands)``."""

    name: str
    array: str
    index: Expression
    operands: tuple[Expression, ...]
    line: int


@dataclass(frozen=True)
class Statement:
    """A line of a body."""


@dataclass(frozen=True)
class Assign(Statement):
    """``name = value``."""

    name: str
    value: Expression


@dataclass(frozen=True)
class Store(Statement):
    """``array[index] = value``."""

    array: str
    index: Expression
    value: Expression
    line: int


@dataclass(frozen=True)
class Evaluate(Statement):
    """An atomic operation whose result is not looked at."""

    value: Expression


@dataclass(frozen=True)
class If(Statement):
    """``if test: body else: orelse``."""

    test: Expression
    body: tuple[Statement, ...]
    orelse: tuple[Statement, ...]


@dataclass(frozen=True)
class While(Statement):
    """``while test: body``."""

    test: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class For(Statement):
    """``for name in range(start, stop, step): body``, of int64."""

    name: str
    start: Expression
    stop: Expression
    step: int
    body: tuple[Statement, ...]


@dataclass(frozen=True)
class Jump(Statement):
    """``break`` or ``continue``."""

    name: str


@dataclass(frozen=True)
class Return(Statement):
    """``return value``."""

    value: Expression


@dataclass(frozen=True)
class Verbatim(Statement):
    """A body that is written in CUDA C++ already."""

    text: str


@dataclass(frozen=True, eq=False)
class Function:
    """An operator, for arguments of certain types; `Operator.typed` makes one of each, so it is a key by identity.

    Attributes
    ----------
    name : str
    on_edges : bool
        Whether it is called with an edge, u and v; else with a vertex v.
    arrays : dict of str to str
        Parameters that are arrays, and their dtypes, in order.
    scalars : dict of str to str
        Those that are numbers, likewise.
    locals : dict of str to str
        Local variables and their dtypes.
    takes_weight : bool
        Whether there is a parameter w.
    result : str
        The dtype of what it returns; bool where it returns nothing.
    body : tuple of Statement
    outside : dict of str to object
        What each name outside of the function stands for, where it has one.
    """

    name: str
    on_edges: bool
    arrays: dict[str, str]
    scalars: dict[str, str]
    takes_weight: bool
    weight: str
    body: tuple[Statement, ...]
    result: str
    locals: dict[str, str] = field(default_factory=dict)
    outside: dict[str, Any] = field(default_factory=dict)


def walk(part: Expression | Statement) -> Iterator[Expression | Statement]:
    """A part of a tree and all that stands in it."""
    yield part
    for one in fields(part):
        value = getattr(part, one.name)
        for inner in value if isinstance(value, tuple) else (value,):
            if isinstance(inner, Expression | Statement):
                yield from walk(inner)
