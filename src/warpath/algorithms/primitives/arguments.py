"""What a call gives an operator: arrays and numbers, checked, typed, and all in one place."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np

from warpath.algorithms.primitives.checks import checking
from warpath.errors import OperatorError
from warpath.graph.arrays import as_cupy, is_on_gpu, module_of
from warpath.graph.check import as_positive
from warpath.graph.graph import Graph
from warpath.language import Operator
from warpath.language.translate import Use
from warpath.language.tree import (
    Assign,
    Atomic,
    Cast,
    Choice,
    Element,
    Evaluate,
    Expression,
    For,
    Function,
    If,
    Operation,
    Return,
    Statement,
    Store,
    Variable,
    While,
)
from warpath.language.types import DTYPES, FLOAT, INT, ArrayOf, Type

_NAMES = {np.dtype(name): name for name in DTYPES}  # a dtype's own ``name`` takes 1.5 µs
_ARRAYS = {dtype: ArrayOf(name) for dtype, name in _NAMES.items()}


@dataclass(frozen=True, eq=False)
class Arguments:
    """A typed operator and its arguments.

    Attributes
    ----------
    function : Function
    given : dict of str to array or number
        By parameter; arrays are NumPy's or CuPy's.
    device : {"cpu", "cuda"} or None
        Where the arrays lie; None where there are none.
    layers : int
        Elements per vertex.
    """

    function: Function
    given: dict[str, Any]
    device: str | None
    layers: int

    @property
    def ordered(self) -> tuple[Any, ...]:
        """Arrays, then numbers as NumPy's scalars, as `warpath.language.python` has them."""
        function = self.function
        numbers = (np.dtype(kind).type(self.given[name]) for name, kind in function.scalars.items())
        return (*(self.given[name] for name in function.arrays), *numbers)


def bind(
    operator: Any,
    values: tuple[Any, ...],
    graph: Graph,
    *,
    on_edges: bool,
    call: str,
    use: Use = "call",
    layers: int = 1,
) -> Arguments:
    """Give an operator its arguments; ``layers``: elements per vertex.

    Raises
    ------
    TypeError
        What is no operator, or the other kind; a wrong number of arguments; one that is neither array nor number,
        or another library's array that NumPy cannot read.
    ValueError
        An array that is not one-dimensional and contiguous, or of another dtype, or too short for its vertices, or
        read-only where it is written; arrays on the CPU and on a GPU. No elements, or more than 2³¹ − 1.
    OperatorError
        An operator that cannot be translated.
    """
    layers, n = as_positive(layers, "layers"), graph.num_vertices
    if layers > 1 and n * layers > np.iinfo(np.int32).max:
        raise ValueError(
            f"{n:,} vertices of {layers:,} layers are more elements than 2³¹ − 1: take fewer layers"
        )
    if not isinstance(operator, Operator):
        raise TypeError(f"{call} takes an operator: write @wp.operator above {_name(operator)}")
    source = operator.source
    if source.on_edges != on_edges:
        kinds = ("edges, it begins with u, v", "vertices, it begins with v")
        raise TypeError(f"{call} takes an operator on {kinds[not on_edges]}; {operator!r} is none")
    names = source.parameters
    if len(values) != len(names):
        wanted = f"{len(names)} arguments ({', '.join(names)})" if names else "no arguments"
        raise TypeError(f"{source.name} takes {wanted}, not {len(values)}")
    given, types = {}, {}
    places: dict[str, str] = {}
    for name, value in zip(names, values, strict=True):
        given[name], types[name] = argument(name, value)
        kind = types[name]
        if isinstance(kind, ArrayOf):
            if (
                checking() and len(given[name]) == 0
            ):  # a fault takes element 0, which is not the caller's
                given[name] = module_of(given[name]).zeros(1, kind.dtype)[:0]
            places.setdefault("cuda" if is_on_gpu(given[name]) else "cpu", name)
    if len(places) == 2:
        raise ValueError(
            f"{places['cpu']} is in the host's memory and {places['cuda']} on a GPU: move one of them "
            "(cupy.asarray, or .get())"
        )
    weight = "int32" if graph.weight_dtype is None else _NAMES[graph.weight_dtype]
    function = operator.typed(types, weight, use)
    _check_arrays(operator, function, given, n * layers)
    return Arguments(function, given, next(iter(places), None), layers)


def _name(operator: Any) -> str:
    return getattr(operator, "__name__", repr(operator))


def argument(name: str, value: Any) -> tuple[Any, Type]:
    """One argument as operators take it, and its type; raises as `bind`."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value), "bool"
    if isinstance(value, (int, float)) and not isinstance(value, np.generic):
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ValueError(f"{name} is {value}, which does not fit in 64 bits")
        in_32_bits = isinstance(value, int) and -(2**31) <= value < 2**31
        return value, FLOAT if isinstance(value, float) else INT if in_32_bits else "int64"
    if isinstance(value, np.generic) and value.dtype in _NAMES:
        return value, _NAMES[value.dtype]
    if is_on_gpu(value):
        value = as_cupy(value)
    elif isinstance(value, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a MaskedArray, and operators do not see its mask: give {name}.filled(…)"
        )
    elif not isinstance(value, np.ndarray | np.generic):
        if not hasattr(value, "__dlpack__"):
            raise TypeError(
                f"{name} is neither an array nor a number, but {type(value).__name__}: give a NumPy or CuPy array"
            )
        try:
            value = np.from_dlpack(value)
        except (BufferError, RuntimeError) as error:  # another library's words, or NumPy's
            raise TypeError(
                f"{name} is a {type(value).__name__} that NumPy cannot read: {error}"
            ) from None
    kind = _ARRAYS.get(value.dtype)
    if kind is None:
        larger = [one for one in DTYPES if np.can_cast(value.dtype, one)]
        if value.dtype == np.uint64:
            larger = ["int64"]
        remedy = f": give {name}.astype(np.{larger[0]})" if larger else ""
        raise ValueError(
            f"{name} is of dtype {value.dtype}, and operators take {', '.join(DTYPES)}{remedy}"
        )
    if value.ndim != 1:
        remedy = f"{name}.reshape(-1)" if value.ndim else f"{name}.item()"
        raise ValueError(f"{name} must have one dimension, not shape {value.shape}: give {remedy}")
    if not value.flags.c_contiguous:
        raise ValueError(
            f"{name} must be contiguous, not of strides {value.strides}: numpy.ascontiguousarray makes a copy"
        )
    return value, kind


def _check_arrays(operator: Operator, function: Function, given: dict[str, Any], n: int) -> None:
    """Refuse arrays that the operator would write beyond, or may not write to."""
    uses = _uses_of(function)
    for name in uses.by_vertex:
        if len(given[name]) < n:
            raise ValueError(
                f"{name} has {len(given[name])} elements, and {function.name} reads it at vertices: it needs {n}"
            )
    for name in uses.written:
        flags = getattr(given[name], "flags", None)
        if flags is not None and not getattr(flags, "writeable", True):
            raise ValueError(f"{name} is read-only, and {function.name} writes to it: give a copy")
    for name, other in uses.disjoint:
        if module_of(given[name]).may_share_memory(given[name], given[other]):
            raise OperatorError(
                f"{function.name}: {name} and {other} share memory, and {name} is written: give a copy of one, or one array once"
            )


@lru_cache(maxsize=1024)
def _uses_of(function: Function) -> "_Uses":
    return _Uses(function)


class _Uses:
    """Which arrays an operator writes, which it reads at a vertex, and which pairs must be disjoint."""

    def __init__(self, function: Function) -> None:
        self.written: set[str] = set()
        self.by_vertex: set[str] = set()
        self.block(function.body)
        pairs = combinations(function.arrays, 2)
        self.disjoint = [
            pair if pair[0] in self.written else pair[::-1]
            for pair in pairs
            if not self.written.isdisjoint(pair)
        ]

    def block(self, statements: Iterable[Statement]) -> None:
        for one in statements:
            match one:
                case Assign(value=value) | Evaluate(value=value) | Return(value=value):
                    self.value(value)
                case Store(array=array, index=index, value=value):
                    self.written.add(array)
                    self.at(array, index)
                    self.value(value)
                case If(test=test, body=body, orelse=orelse):
                    self.value(test)
                    self.block((*body, *orelse))
                case While(test=test, body=body):
                    self.value(test)
                    self.block(body)
                case For(start=start, stop=stop, body=body):
                    self.value(start)
                    self.value(stop)
                    self.block(body)

    def at(self, array: str, index: Expression) -> None:
        if isinstance(index, Variable) and index.name in ("u", "v"):
            self.by_vertex.add(array)
        self.value(index)

    def value(self, value: Expression) -> None:
        match value:
            case Element(array=array, index=index):
                self.at(array, index)
            case Atomic(array=array, index=index, operands=operands):
                self.written.add(array)
                self.at(array, index)
                for one in operands:
                    self.value(one)
            case Cast(value=inner):
                self.value(inner)
            case Operation(operands=operands):
                for one in operands:
                    self.value(one)
            case Choice(test=test, first=first, second=second):
                for one in (test, first, second):
                    self.value(one)
