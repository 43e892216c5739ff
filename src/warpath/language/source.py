"""The source of a function: its syntax tree, and what the names in it stand for."""

import ast
import builtins
import inspect
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import chain
from types import CellType, CodeType, FunctionType
from typing import Any

from warpath.errors import OperatorError
from warpath.language.tree import Function

MISSING = object()
"""What a name stands for that stands for nothing."""


class Source:
    """A Python function as it is written.

    Parameters
    ----------
    function : callable
        A plain function, or a lambda, whose source can be read: of a file, a notebook or a doctest.

    Attributes
    ----------
    name : str
    parameters : tuple of str
        Those that a call gives the types of.
    vertices : tuple of str
        Parameters that are vertices.
    on_edges, takes_weight : bool

    Raises
    ------
    OperatorError
        If it is no function, or its parameters are not plain names.
    """

    kind = "an operator"
    """What messages call it."""
    vertices: tuple[str, ...] = ()
    on_edges = takes_weight = False

    def __init__(self, function: Callable[..., Any]) -> None:
        if not inspect.isfunction(function):
            raise OperatorError(f"{self.kind} is a Python function, not {function!r}")
        self.function = function
        self.name = function.__name__
        self._file = function.__code__.co_filename
        self._first = function.__code__.co_firstlineno
        signature = inspect.signature(function)
        for one in signature.parameters.values():
            if one.kind is not one.POSITIONAL_OR_KEYWORD or one.default is not one.empty:
                raise OperatorError(
                    f"{self.place_of_line(self._first)}: the parameters of {self.kind} are plain names, "
                    f"without defaults or *; {one} is not"
                )
        self.parameters = tuple(signature.parameters)

    def outside(self, name: str) -> Any:
        """What a name outside of the function, with dots or without, stands for now; `MISSING` if for nothing."""
        first, *attributes = name.split(".")
        found = self._variable(first)
        for attribute in attributes:
            found = getattr(found, attribute, MISSING)
        return found

    def _variable(self, name: str) -> Any:
        if name in self._cells:
            with suppress(ValueError):  # it has no value yet
                return self._cells[name].cell_contents
        found = self.function.__globals__.get(name, MISSING)
        return getattr(builtins, name, MISSING) if found is MISSING else found

    @cached_property
    def _cells(self) -> dict[str, CellType]:
        """The variables of the functions around it, by name."""
        function = self.function
        return dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))

    def still_says(self, tree: Function) -> bool:
        """Whether all names outside of the function stand for what they did when the tree was made of it."""
        return all(_is_same(self.outside(name), value) for name, value in tree.outside.items())

    @cached_property
    def tree(self) -> ast.FunctionDef | ast.Lambda:
        """The function in its file's syntax tree."""
        try:
            lines, _ = inspect.findsource(self.function)
            functions = _functions("".join(lines))
        except (OSError, SyntaxError) as error:
            raise OperatorError(
                f"{self.name}: the source of {self.kind} must be readable, and this function's is not ({error}): "
                "write it in a file or a notebook"
            ) from None
        code = self.function.__code__
        found = [one for one in functions if _may_be_code_of(one, code)]
        if not found:
            raise OperatorError(
                f"{self.place_of_line(self._first)}: no def and no lambda of this file is this function: has the "
                "file changed since it was read?"
            )
        return found[-1]  # the innermost

    @cached_property
    def body(self) -> list[ast.stmt]:
        """The statements of the function."""
        if isinstance(self.tree, ast.FunctionDef):
            return self.tree.body
        return [ast.copy_location(ast.Return(self.tree.body), self.tree.body)]

    @cached_property
    def assigned(self) -> frozenset[str]:
        """All names that it assigns to."""
        return assigned_in(self.tree)

    @cached_property
    def always_returns(self) -> bool:
        """Whether every way through it ends with a value."""
        nodes = ast.walk(self.tree)
        bare = any(isinstance(one, ast.Return) and one.value is None for one in nodes)
        return not bare and _always_returns(self.body)

    @cached_property
    def text(self) -> str:
        """What it does, without its comments and its docstring's layout."""
        return ast.dump(self.tree)

    def line(self, node: ast.AST) -> int:
        """The line of the file that a part of the function stands on."""
        return int(getattr(node, "lineno", self._first))

    def place(self, node: ast.AST) -> str:
        """The same, as a message names it."""
        return self.place_of_line(self.line(node))

    def place_of_line(self, line: int) -> str:
        """Likewise, of a line."""
        return f"{self._file}:{line}: {self.name}"


def frozen(function: FunctionType) -> FunctionType:
    """The same function, but names outside of it stand for what they do now, for good."""
    return FunctionType(
        function.__code__, dict(function.__globals__), function.__name__, None,
        tuple(map(_copied, function.__closure__ or ())),
    )  # fmt: skip


def _copied(cell: CellType) -> CellType:
    try:
        return CellType(cell.cell_contents)
    except ValueError:  # it has no value yet
        return CellType()


def _is_same(found: Any, value: Any) -> bool:
    """The same object, or the same number: the sign of a zero counts, and a NaN is one."""
    return found is value or repr(found) == repr(value)


def assigned_in(*parts: ast.AST) -> frozenset[str]:
    """All names that parts of a function assign to."""
    nodes = chain.from_iterable(map(ast.walk, parts))
    return frozenset(
        one.id for one in nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )


def _always_returns(body: list[ast.stmt]) -> bool:
    return any(map(_returns, body))


def _returns(statement: ast.stmt) -> bool:
    match statement:
        case ast.Return():
            return True
        case ast.If(body=first, orelse=other):
            return _always_returns(first) and _always_returns(other)
        case ast.While(test=ast.Constant(value=True)):
            return not any(isinstance(one, ast.Break) for one in ast.walk(statement))
    return False


class OperatorSource(Source):
    """An operator as it is written.

    Parameters
    ----------
    function : callable

    Attributes
    ----------
    vertices : tuple of str
        ``("u", "v")`` of an operator on edges, ``("v",)`` of one on vertices.
    parameters : tuple of str
        Those behind u, v and w.

    Raises
    ------
    OperatorError
        If its parameters are none of an operator.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        names = list(self.parameters)
        self.on_edges = names[:2] == ["u", "v"]
        self.vertices = ("u", "v") if self.on_edges else ("v",)
        if not self.on_edges and names[:1] != ["v"]:
            raise OperatorError(
                f"{self.place_of_line(self._first)}({', '.join(names)}): an operator on edges begins with "
                "u, v or u, v, w (from, to, weight), one on vertices with v"
            )
        self.takes_weight = self.on_edges and names[2:3] == ["w"]
        self.parameters = tuple(names[len(self.vertices) + self.takes_weight :])


@lru_cache(maxsize=16)
def _functions(text: str) -> tuple[ast.FunctionDef | ast.Lambda, ...]:
    """All functions of a file."""
    nodes = ast.walk(ast.parse(text))  # the outer before the inner
    return tuple(one for one in nodes if isinstance(one, (ast.FunctionDef, ast.Lambda)))


def _may_be_code_of(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    """Whether a function of a file was compiled to this code, or has it inside."""
    if isinstance(node, ast.FunctionDef):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        return node.name == code.co_name and first == code.co_firstlineno
    body = node.body
    begin, end = (body.lineno, body.col_offset), (body.end_lineno, body.end_col_offset)
    places = [one for one in code.co_positions() if one[3]]  # what stands nowhere has no column
    return (
        code.co_name == "<lambda>"
        and bool(places)
        and all(
            begin <= (line, column) and (end_line, end_column) <= end
            for line, end_line, column, end_column in places
        )
    )
