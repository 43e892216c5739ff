"""The laws of an algebra of a user's own, on a sample: of weights of the graph, and of values that they make.

Values are Python's integers, which do not wrap, or NumPy's floats of the distances' dtype.
"""

import math
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.graph import Graph
from warpath.operators.algebra import PathAlgebra

_WEIGHTS, _LAW_WEIGHTS = 256, 16
"""How many there are, for the mean step and for the laws: guesses."""


class Sample(NamedTuple):
    """Weights of a graph, the smallest and the largest first, and values of some paths, the best first."""

    weights: list[Any]
    values: list[Any]


def sample(
    algebra: PathAlgebra, graph: Graph, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]
) -> Sample:
    """Weights of a graph, and what paths of them are worth.

    Raises
    ------
    ValueError
        If ``start`` or ``unreached`` is no number of the dtype.
    """
    start = _as_value(algebra, algebra.start, dtype)
    if start is None or start != algebra.start:
        raise ValueError(f"start={algebra.start!r} is no {dtype}: ask for another dtype=")
    if dtype.kind == "i" and math.isfinite(algebra.unreached):
        ends = np.iinfo(dtype)
        if int(algebra.unreached) != algebra.unreached or not (
            ends.min <= algebra.unreached <= ends.max
        ):
            raise ValueError(
                f"unreached={algebra.unreached!r} is no {dtype}: ask for another dtype="
            )
    weights = some_weights(graph, weight_dtype)
    values = [start]
    for weight in weights[:_LAW_WEIGHTS]:
        value = extended(algebra, values[-1], weight, dtype)
        if value is None:
            break
        values.append(value)
    steps = [extended(algebra, start, weight, dtype) for weight in weights[:_LAW_WEIGHTS]]
    values += [one for one in steps if one is not None]
    return Sample(weights, sorted(set(values), reverse=algebra.larger_is_better))


def check_laws(algebra: PathAlgebra, some: Sample, dtype: np.dtype[Any]) -> None:
    """Check that no edge makes a path better, and that extending keeps the order.

    Raises
    ------
    ValueError
        Naming the law, the values and what to write.
    """
    smaller = "larger" if algebra.larger_is_better else "smaller"
    other = "min" if algebra.larger_is_better else "max"
    for weight in some.weights[:_LAW_WEIGHTS]:
        for value in some.values:
            made = _extend(algebra, value, weight, dtype)
            if made is not None and made != made:
                raise ValueError(
                    f"extend({value}, {weight}) is nan: a value is a number; return a constant that is not "
                    "better than unreached where the edge cannot be taken"
                )
            if made is not None and algebra.better(made, value):
                raise ValueError(
                    f"an edge must not make a path better, but extend({value}, {weight}) is {made}, {smaller} than "
                    f"{value}, and select={algebra.select.__name__}: return {other}(d, …), let select be {other}, "
                    "or give weights of one sign (algebra='shortest' adds negative ones, too)"
                )
        for good, bad in pairwise(some.values):
            first, second = (extended(algebra, one, weight, dtype) for one in (good, bad))
            if second is not None and (first is None or algebra.better(second, first)):
                raise ValueError(
                    f"extending must keep the order, but extend({good}, {weight}) is {first}, worse than "
                    f"extend({bad}, {weight}), which is {second}. {good} is better than {bad}, and only the best path "
                    "to a vertex is extended: what extend returns must not fall as d rises"
                )


def mean_step(algebra: PathAlgebra, some: Sample, dtype: np.dtype[Any]) -> float:
    """How much worse one more edge makes a path, on average; 0 if it is not known."""
    steps = []
    for i, weight in enumerate(some.weights):
        value = some.values[i % len(some.values)]
        made = extended(algebra, value, weight, dtype)
        if made is not None:
            steps.append(abs(float(made) - float(value)))
    return math.fsum(steps) / len(steps) if steps else 0.0


def extended(algebra: PathAlgebra, value: Any, weight: Any, dtype: np.dtype[Any]) -> Any:
    """``extend(value, weight)`` in a dtype; None where that is no path, or does not fit."""
    made = _extend(algebra, value, weight, dtype)
    return made if made is not None and algebra.better(made, algebra.unreached) else None


def leaves(algebra: PathAlgebra, graph: Graph, value: Any, dtype: np.dtype[Any]) -> bool:
    """Whether a value, extended by one of some weights, is an integer that the dtype does not hold."""
    ends = np.iinfo(dtype)
    weights = some_weights(graph, np.dtype(np.int64))[:_LAW_WEIGHTS]
    return any(is_outside(algebra, value, weight, ends, True) for weight in weights)


def is_outside(
    algebra: PathAlgebra, value: Any, weight: Any, ends: Any, unknown: bool = False
) -> bool:
    """Whether ``extend(value, weight)`` is an integer beyond these ends; ``unknown``: what is said where Python has no value."""
    try:
        made = algebra.extend(int(value), int(weight))
    except ArithmeticError:
        return unknown
    is_number = isinstance(made, int) or math.isfinite(made)
    return is_number and not ends.min <= int(made) <= ends.max


def _extend(algebra: PathAlgebra, value: Any, weight: Any, dtype: np.dtype[Any]) -> Any:
    try:
        with np.errstate(all="ignore"):
            return _as_value(algebra, algebra.extend(value, weight), dtype)
    except ArithmeticError:
        return None  # in plain Python, where kernels have numbers: 1 // 0


def _as_value(algebra: PathAlgebra, number: Any, dtype: np.dtype[Any]) -> Any:
    """A number as a value; None where the dtype does not hold it, or keeps it for "no path"."""
    if dtype.kind == "f":
        return dtype.type(number)
    if not math.isfinite(number):
        return None
    ends, value = np.iinfo(dtype), int(number)
    return value if ends.min <= value <= ends.max and value != algebra.none(dtype) else None


def some_weights(graph: Graph, dtype: np.dtype[Any]) -> list[Any]:
    """The smallest and the largest weight, and some others, from all over the graph."""
    if graph.weights is None:
        every: NDArray[Any] = np.ones(min(graph.num_arcs, 1), dtype)
    else:
        step = max(graph.num_arcs // _WEIGHTS, 1)
        some = graph.weights[::step]
        ends = np.array(graph.weight_range, some.dtype) if len(some) else some
        every = np.concatenate([ends, some]).astype(dtype)
    return every.tolist() if dtype.kind == "i" else list(every)
