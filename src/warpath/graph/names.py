"""Vertices by name: the one place where names become numbers, and numbers names.

If a graph has `labels`, a vertex that the caller gives is a label, and vertices of results are
labels; else they are numbers. Arrays with an entry for each vertex (distances, predecessors) are in
the order of the numbers, and hold numbers. What a function computes, it computes on
`Graph.without_labels`: `by_name` translates what it is given and what it answers.
"""

from collections.abc import Callable, Hashable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray

from warpath.errors import NegativeCycleError, NoPathError
from warpath.graph.check import as_vector, as_vertex

Array = NDArray[Any]
P = ParamSpec("P")
R = TypeVar("R")

Vertex = Hashable
"""A vertex as the caller knows it: its label if the graph has `labels`, else its number."""

_SHOWN = 3  # labels that a message gives as examples
_TRUTHS = frozenset([bool, np.bool_])


class Names:
    """Numbers of vertices by their names.

    Integers and fixed-width text are searched for in order, other names by a dictionary.

    Parameters
    ----------
    labels : array, shape (n,)

    Raises
    ------
    ValueError
        If two vertices have one name.
    """

    def __init__(self, labels: Array) -> None:
        self.labels = labels
        self._order: Array | None = None
        self._number: dict[Any, int] = {}
        if labels.dtype.kind in "iU":
            ordered = labels
            if not (labels[1:] >= labels[:-1]).all():
                self._order = np.argsort(labels, kind="stable")
                ordered = labels[self._order]
            twice = np.flatnonzero(ordered[1:] == ordered[:-1])
            pairs = [twice[:1], twice[:1] + 1]
            twins = [p if self._order is None else self._order[p] for p in pairs]
            self._ordered = ordered
        else:
            self._number = {name: i for i, name in enumerate(labels.tolist())}
            self._has_truths = bool in map(type, self._number)
            twins = [np.empty(0)] * 2
            if len(self._number) < len(labels):
                first: dict[Any, int] = {}
                for i, name in enumerate(labels.tolist()):
                    if name in first:
                        twins = [np.array([first[name]]), np.array([i])]
                        break
                    first[name] = i
        for a, b in zip(*twins, strict=True):
            raise ValueError(
                f"vertices {a} and {b} are both called {_plain(labels[a])!r}: give vertices "
                "different labels, or use numbers (Graph.without_labels)"
            )

    def number(self, name: Any, what: str = "vertex") -> int:
        """The number of the vertex called ``name``.

        Raises
        ------
        ValueError
            If there is none.
        """
        return int(self._find([name], what)[0])

    def numbers(self, names: Any, what: str = "vertex") -> NDArray[np.int32]:
        """The numbers of several vertices: int32 array."""
        if self.labels.dtype.kind == "i" and hasattr(names, "__array__"):
            values = as_vector(names, what)
            if values.dtype.kind in "iu":
                return self._places(values, what + "[{}]")
        return self._find(list(names), what + "[{}]")

    def numbers_like(self, given: Any, what: str) -> Any:
        """The number of one vertex, or the numbers of several: whichever ``given`` is."""
        if self._is_one(given):
            return self.number(given, what)
        return self.numbers(given, what)

    def _is_one(self, given: Any) -> bool:
        """Whether ``given`` is a name, or else a sequence of names."""
        if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
            return True
        if getattr(given, "ndim", None) == 0:
            return True
        try:
            return given in self._number  # a tuple may be a name
        except TypeError:
            return False

    def _find(self, names: list[Any], what: str) -> NDArray[np.int32]:
        """The numbers of names. A message calls them ``what``, where ``{}`` is the place of one."""
        kind = self.labels.dtype.kind
        if kind not in "iU":
            if not (self._has_truths or _TRUTHS.isdisjoint(map(type, names))):
                # True is no name of the vertex 1, though they are equal.
                place = next(i for i, one in enumerate(names) if type(one) in _TRUTHS)
                raise self._unknown(names[place], what.format(place))
            try:
                return np.array([self._number[_plain(name)] for name in names], np.int32)
            except (KeyError, TypeError):
                for i, name in enumerate(names):
                    if not isinstance(name, Hashable) or _plain(name) not in self._number:
                        raise self._unknown(name, what.format(i)) from None
        for i, name in enumerate(names):
            fits = isinstance(name, str)
            if kind == "i":
                whole = hasattr(name, "__index__") and not isinstance(name, (bool, np.bool_))
                fits = whole and -(2**63) <= name.__index__() < 2**63
            if not fits:
                raise self._unknown(name, what.format(i))
        return self._places(np.array(names, "i8" if kind == "i" else "U"), what)

    def _places(self, values: Array, what: str) -> NDArray[np.int32]:
        places = np.searchsorted(self._ordered, values)
        known = np.zeros(len(values), bool)
        inside = places < len(self._ordered)
        known[inside] = self._ordered[places[inside]] == values[inside]
        for i in np.flatnonzero(~known)[:1]:
            raise self._unknown(values[i], what.format(i))
        found = places if self._order is None else self._order[places]
        return found.astype(np.int32)

    def _unknown(self, name: Any, what: str) -> ValueError:
        name, labels = _plain(name), self.labels
        some = ", ".join(repr(_plain(label)) for label in labels[:_SHOWN])
        more = ", …" if len(labels) > _SHOWN else ""
        hint = f"its vertices are called {some}{more}"
        if type(name) is int and 0 <= name < len(labels):
            hint += f", and vertex number {name} {_plain(labels[name])!r}"
        return ValueError(f"{what} {name!r} is not in the graph: {hint}")


def _plain(value: Any) -> Any:
    """A scalar of NumPy's as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def number_of(graph: Any, v: Any, what: str = "vertex") -> int:
    """The number of a vertex that the caller gave.

    Raises
    ------
    ValueError
        If the graph has no such vertex.
    """
    if graph.labels is None:
        return as_vertex(v, graph.num_vertices, what)
    return graph.names.number(v, what)  # type: ignore[no-any-return]


def called(graph: Any, numbers: Any) -> Any:
    """What the caller calls one vertex, or several: a scalar, a list or an array, as given."""
    if graph.labels is None:
        return numbers
    if isinstance(numbers, np.ndarray):
        return graph.labels[numbers]
    if isinstance(numbers, (list, tuple)):
        return type(numbers)(graph.labels[np.array(numbers, np.int64)].tolist())
    return _plain(graph.labels[numbers])


class VertexMessage(str):
    """A message of an exception that speaks of vertices by their numbers; `by_name` names them.

    Parameters
    ----------
    text : str
        With ``{0}``, ``{1}``, … for the vertices.
    *vertices : int
    """

    _text: str
    _vertices: tuple[int, ...]

    def __new__(cls, text: str, *vertices: int) -> "VertexMessage":
        """Format the text with the vertices' numbers."""
        self = super().__new__(cls, text.format(*vertices))
        self._text, self._vertices = text, vertices
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return VertexMessage, (self._text, *self._vertices)

    def called(self, graph: Any) -> str:
        """The message with the vertices' names."""
        return self._text.format(*called(graph, list(self._vertices)))


def by_name(*parameters: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function of a graph that knows numbers only take and answer names.

    Parameters
    ----------
    *parameters : str
        Which of the function's parameters are vertices, one or several.

    Notes
    -----
    The function's first parameter is the graph. An answer that speaks of vertices has a method
    ``_called(graph)``, which gives the same answer in that graph's names.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        form = signature(function)

        @wraps(function)
        def call(*args: P.args, **options: P.kwargs) -> R:
            graph: Any = args[0] if args else options.get("graph")
            if getattr(graph, "labels", None) is None:
                return function(*args, **options)
            bound = form.bind(*args, **options)
            given = bound.arguments
            for name in parameters:
                if given.get(name) is not None:
                    given[name] = graph.names.numbers_like(given[name], name)
            given["graph"] = graph.without_labels()
            try:
                answer = function(*bound.args, **bound.kwargs)
            except NoPathError as error:
                source, target = called(graph, [error.source, error.target])
                raise NoPathError(source, target, error.limit) from None
            except NegativeCycleError as error:
                raise NegativeCycleError(called(graph, error.cycle)) from None
            except (ValueError, OverflowError, AssertionError) as error:
                if not any(isinstance(part, VertexMessage) for part in error.args):
                    raise
                named = [
                    part.called(graph) if isinstance(part, VertexMessage) else part
                    for part in error.args
                ]
                raise type(error)(*named) from None
            return answer._called(graph) if hasattr(answer, "_called") else answer

        return call

    return decorate
