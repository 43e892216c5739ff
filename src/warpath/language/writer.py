"""What the writers of C++ and of Python have in common: the order in which a tree is written down."""

from abc import ABC, abstractmethod
from typing import ClassVar

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
    Verbatim,
    While,
)
from warpath.language.types import is_float, is_integer, stored


class Writer(ABC):
    """Writes a function's statements and expressions in one language.

    Parameters
    ----------
    function : Function
    checks : bool
        Whether each index is compared with the array's length.
    """

    end: ClassVar[str]  # of a statement
    close: ClassVar[tuple[str, ...]]  # of a block
    otherwise: ClassVar[str]
    empty: ClassVar[tuple[str, ...]]  # what stands in a block without statements

    def __init__(self, function: Function, checks: bool = False) -> None:
        self.function = function
        self.checks = checks
        self.numbers = {name: i for i, name in enumerate(function.arrays)}

    def block(self, statements: tuple[Statement, ...], depth: int) -> list[str]:
        """Lines, indented."""
        lines = [line for one in statements for line in self._statement(one, depth)]
        return lines or ["    " * depth + one for one in self.empty]

    def _statement(self, statement: Statement, depth: int) -> list[str]:
        space = "    " * depth
        match statement:
            case Assign(name=name, value=value):
                line = f"{name}_ = {self.value(value)}"
            case Store(array=array, index=index, value=value, line=at):
                line = f"{self.place(array, index, at)} = {self.value(value)}"
            case Evaluate(value=value):
                line = self.value(value)
            case Jump(name=name):
                line = name
            case Return(value=value):
                line = f"return {self.value(value)}"
            case If(test=test, body=body, orelse=orelse):
                lines = [self.head("if", test), *self.block(body, depth + 1)]
                if orelse:
                    lines += [f"{space}{self.otherwise}", *self.block(orelse, depth + 1)]
                return self._closed(lines, space)
            case While(test=test, body=body):
                return self._closed([self.head("while", test), *self.block(body, depth + 1)], space)
            case For(name=name, body=body):
                own = f"{name}_{depth}"  # what the body assigns to `name` does not change the loop
                *before, head = self.loop(statement, own)
                lines = [head, f"{space}    {name}_ = {self.counter(statement, own)}"]
                made = self._closed([*lines, *self.block(body, depth + 1)], space)
                return [*(space + one for one in before), *made]
            case Verbatim(text=text):
                return self.verbatim(text)
            case _:
                raise AssertionError(statement)
        return [f"{space}{line}{self.end}"]

    def _closed(self, lines: list[str], space: str) -> list[str]:
        return [space + lines[0], *lines[1:], *(space + one for one in self.close)]

    def value(self, value: Expression) -> str:
        """An expression."""
        match value:
            case Constant(kind=kind, value=number):
                return self.constant(stored(kind), number)
            case Variable(name=name):
                return f"{name}_"
            case Element(array=array, index=index, line=line):
                return self.place(array, index, line)
            case Length(array=array):
                return self.length(array)
            case Cast(kind=kind, value=inner):
                if is_integer(kind) and is_float(inner.kind):
                    return self.whole(stored(kind), self.value(inner))
                return self.cast(stored(kind), self.value(inner))
            case Choice(test=test, first=first, second=second):
                return self.choice(*map(self.value, (test, first, second)))
            case Operation(kind=kind, name=name, operands=operands):
                return self.operation(stored(kind), name, [self.value(one) for one in operands])
            case Atomic(name=name, array=array, index=index, operands=operands, line=line):
                given = ", ".join(self.value(one) for one in operands)
                return self.atomic(name, array, self.index(array, index, line), given)
        raise AssertionError(value)

    @abstractmethod
    def verbatim(self, text: str) -> list[str]:
        """The lines of a body in CUDA C++."""

    @abstractmethod
    def head(self, keyword: str, test: Expression) -> str:
        """The first line of ``if`` or ``while``."""

    @abstractmethod
    def loop(self, loop: For, at: str) -> list[str]:
        """The first line of a loop that counts in ``at``, and what stands before it."""

    @abstractmethod
    def counter(self, loop: For, at: str) -> str:
        """The counter of a loop as an int64, with a statement's end."""

    @abstractmethod
    def place(self, array: str, index: Expression, line: int) -> str:
        """``array[index]``."""

    @abstractmethod
    def index(self, array: str, index: Expression, line: int) -> str:
        """An index, checked if that is asked for."""

    @abstractmethod
    def length(self, array: str) -> str:
        """``len(array)``, an int64."""

    @abstractmethod
    def constant(self, kind: str, number: bool | int | float) -> str:
        """A number of a dtype."""

    @abstractmethod
    def cast(self, kind: str, text: str) -> str:
        """A value as another dtype."""

    @abstractmethod
    def whole(self, kind: str, text: str) -> str:
        """A float as an integer of a dtype: the nearest that there is, and 0 for NaN."""

    @abstractmethod
    def choice(self, test: str, first: str, second: str) -> str:
        """``first if test else second``."""

    @abstractmethod
    def operation(self, kind: str, name: str, operands: list[str]) -> str:
        """An operation of that dtype."""

    @abstractmethod
    def atomic(self, name: str, array: str, index: str, operands: str) -> str:
        """An atomic operation."""
