"""The source of an operator: its syntax tree, and what the names in it stand for."""

import ast
import inspect
import textwrap
from collections.abc import Callable
from functools import cached_property
from typing import Any

from warpath.errors import OperatorError


class Source:
    """A Python function as it is written.

    Parameters
    ----------
    function : callable
        A plain function whose source can be read: of a file, a notebook or a doctest.

    Attributes
    ----------
    name : str
    vertices : tuple of str
        ``("u", "v")`` of an operator on edges, ``("v",)`` of one on vertices.
    on_edges, takes_weight : bool
    parameters : tuple of str
        Those behind u, v and w.

    Raises
    ------
    OperatorError
        If its source cannot be read, or its parameters are none of an operator.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        if not inspect.isfunction(function):
            raise OperatorError(f"an operator is a Python function, not {function!r}")
        self.function = function
        self.name = function.__name__
        self._file = function.__code__.co_filename
        self._first = function.__code__.co_firstlineno
        signature = inspect.signature(function)
        for one in signature.parameters.values():
            if one.kind is not one.POSITIONAL_OR_KEYWORD or one.default is not one.empty:
                raise OperatorError(
                    f"{self._file}:{self._first}: {self.name}: the parameters of an operator are plain names, "
                    f"without defaults or *; {one} is not"
                )
        names = list(signature.parameters)
        self.on_edges = names[:2] == ["u", "v"]
        self.vertices = ("u", "v") if self.on_edges else ("v",)
        if not self.on_edges and names[:1] != ["v"]:
            raise OperatorError(
                f"{self._file}:{self._first}: {self.name}({', '.join(names)}): an operator on edges begins with "
                "u, v or u, v, w (from, to, weight), one on vertices with v"
            )
        self.takes_weight = self.on_edges and names[2:3] == ["w"]
        self.parameters = tuple(names[len(self.vertices) + self.takes_weight :])

    @cached_property
    def names(self) -> dict[str, Any]:
        """What names outside of the function stand for, now."""
        closure = inspect.getclosurevars(self.function)
        return {**self.function.__globals__, **closure.nonlocals}

    @cached_property
    def _tree(self) -> ast.FunctionDef | ast.Lambda:
        try:
            text = textwrap.dedent(inspect.getsource(self.function))
        except (OSError, TypeError) as error:
            raise OperatorError(
                f"{self.name}: the source of an operator must be readable, and this function's is not ({error}): "
                "write it in a file or a notebook, or call wp.operator(source=…)"
            ) from None
        tree = ast.parse(text).body[0]
        if not isinstance(tree, ast.FunctionDef):
            raise OperatorError(f"{self._file}:{self._first}: an operator is written with def")
        return tree

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the function."""
        tree = self._tree
        assert isinstance(tree, ast.FunctionDef)
        return tree.body

    @cached_property
    def text(self) -> str:
        """What it does, without its comments and its docstring's layout."""
        return ast.dump(self._tree)

    def line(self, node: ast.AST) -> int:
        """The line of the file that a part of the function stands on."""
        return self._first + int(getattr(node, "lineno", 1)) - 1

    def place(self, node: ast.AST) -> str:
        """The same, as a message names it."""
        return f"{self._file}:{self.line(node)}: {self.name}"

    def place_of_line(self, line: int) -> str:
        """Likewise, of a line."""
        return f"{self._file}:{line}: {self.name}"
