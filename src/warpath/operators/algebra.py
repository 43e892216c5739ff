"""`PathAlgebra`: what a path is worth, and which of two paths is better.

A path's value is made from its source to its target: the value of the path without arcs,
extended by one weight after the other. All methods rest on two properties of every algebra
(M. Gondran, M. Minoux, "Graphs, Dioids and Semirings", 2008, chapter 4). The better one of two paths
stays at least as good whatever both are extended by. No arc makes a path better, except in sums with
negative weights. `warpath.operators.laws` checks them.

An engine does not work with values but with *keys*, turned round where the larger value is
the better one. In every algebra the least key wins, and the largest of the dtype (or inf) means
"no path". Its comparisons, buckets, heaps and atomic minima are then the same for
all; only the extension differs. Turning round is exact, so that values are the same to the
bit on every engine.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from warpath.graph.distance import distance_dtype, longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.language.extension import Extension
from warpath.language.growth import Growth, growth


class PathAlgebra:
    """How engines see an algebra.

    Parameters
    ----------
    name : str
        How a user asks for it; "custom" of a user's own.
    extend : callable
        ``extend(value, weight)``: the value of a path and one more arc. A ufunc, or a user's function of numbers.
    select : {min, max}
    start, unreached : float
        The values of the path without arcs, and of no path; of integers inf and -inf are the dtype's extremes.
    rule : warpath.Algebra, optional
        What a user said.
    extension : Extension, optional
        The user's function, for the translator.

    Attributes
    ----------
    adds : bool
        Whether values are sums: these outgrow their dtype, and a negative weight betters them.
    selects : bool
        Whether a value is one of the weights (or `source`).
    multiplies : bool
        Whether values are products: floats, in which an arc of weight 0 is no arc.
    is_boolean : bool
        Whether a value says only that there is a path, whatever the weights.
    larger_is_better : bool
        Whether keys are values turned round.
    """

    def __init__(
        self,
        name: str,
        extend: Callable[[Any, Any], Any],
        select: Callable[..., Any],
        start: float,
        unreached: float,
        rule: Any = None,
        extension: Extension | None = None,
    ) -> None:
        self.name, self.extend, self.select = name, extend, select
        self.start, self.unreached = start, unreached
        self.rule, self.extension = rule, extension
        self.adds, self.selects = extend is np.add, extend in (np.maximum, np.minimum)
        self.multiplies, self.is_boolean = extend is np.multiply, extend is np.logical_and
        self.larger_is_better = select is max

    def __str__(self) -> str:
        return self.name

    @property
    def given(self) -> Any:
        """What a call takes for it: its name, or the user's `Algebra`."""
        return self.name if self.rule is None else self.rule

    @property
    def better(self) -> np.ufunc:
        """``better(a, b)``: whether value a is better than value b; ``less`` or ``greater``."""
        return np.greater if self.larger_is_better else np.less

    def source(self, dtype: DTypeLike) -> Any:
        """The value of a source, which the path without arcs leads to, in ``dtype``."""
        return _in(self.start, np.dtype(dtype))

    def none(self, dtype: DTypeLike) -> Any:
        """The value that says "no path", in ``dtype``."""
        return _in(self.unreached, np.dtype(dtype))

    def last_key(self, dtype: np.dtype[Any]) -> Any:
        """The key of `unreached`, which keys of paths are below; None if it is the dtype's last anyway."""
        is_last = self.unreached == (-math.inf if self.larger_is_better else math.inf)
        return None if is_last else self.keys(self.none(dtype)).item()

    def has_negative_keys(self, dtype: np.dtype[Any]) -> bool:
        """Whether keys may be below 0 where no weight is negative."""
        if self.extension is None:
            return not self.adds
        return bool(self.keys(self.source(dtype)) < 0)

    # -- keys: what engines work with ---------------------------------------------------

    def keys(self, values: Any) -> Any:
        """The keys of values: an array or a scalar of NumPy's or CuPy's, of ints or floats."""
        return _turned(values) if self.larger_is_better else values

    def values(self, keys: Any) -> Any:
        """The values of keys, which may be of any path or of none."""
        if self.is_boolean:
            return keys != unreachable(keys.dtype)
        if self.select is min and self.unreached == np.inf:
            return keys
        # The key of no path is the largest whatever its value is: that of products is 0.
        dtype = _dtype_of(keys)
        values = _turned(keys) if self.larger_is_better else keys.copy()
        missing = keys == unreachable(dtype)
        if np.ndim(values) == 0:
            return self.none(dtype) if missing else values
        values[missing] = self.none(dtype)
        return values

    def start_key(self, graph: Graph, dtype: DTypeLike) -> Any:
        """The key that a search starts with, in ``dtype``: finite, and no path's is less.

        Where values are selected, the least key of a weight serves as well as that of `source`,
        which is the dtype's smallest, and buckets of keys can begin there.
        """
        if not self.selects:
            return self.keys(self.source(dtype))
        low, high = graph.weight_range
        best = np.dtype(dtype).type(high if self.larger_is_better else low)
        return self.keys(best) + 0  # of both zeros of floats always the one

    def spread(self, graph: Graph) -> int | float:
        """A bound of how much a simple path's key exceeds the start's, as a Python number.

        0 if none is known.
        """
        if self.extension is not None:
            return 0
        if self.adds:
            return longest_path(graph)
        low, high = graph.weight_range
        return high - low if self.selects else 1

    def growth(
        self, graph: Graph, dtype: np.dtype[Any], weight_dtype: np.dtype[Any]
    ) -> Growth | None:
        """What a user's function adds to integers by an edge of the graph; None if its text does not say."""
        if self.extension is None or (dtype.kind, weight_dtype.kind) != ("i", "i"):
            return None
        return growth(self.extension.typed(dtype.name, weight_dtype.name), graph.weight_range)

    def least_step(self, graph: Graph, grows: Growth | None) -> Any:
        """How much worse an edge makes a path at least, where that is known to be more than 0; else 0.

        Parameters
        ----------
        grows : Growth or None
            What `growth` says.
        """
        if self.adds:
            step = graph.weight_range[0]
        elif grows is not None:
            step = -grows.most if self.larger_is_better else grows.least
        else:
            step = 0
        return max(step, 0)

    # -- what a graph's weights must be, and what holds the values --------------------------

    def check(self, graph: Graph) -> None:
        """Refuse weights that the algebra has no meaning for.

        Raises
        ------
        ValueError
            Naming the first such arc.
        """
        if not self.multiplies:
            return
        low, high = graph.weight_range
        if (low >= 0 and high <= 1) or graph.num_arcs == 0:
            return
        sources, targets, weights = graph.coo()
        assert weights is not None
        arc = int(np.flatnonzero((weights < 0) | (weights > 1))[0])
        text = (
            f"algebra {self.name!r} takes weights from 0 to 1, but that of the arc {{}} → {{}} is "
            f"{weights[arc]}"
        )
        raise ValueError(VertexMessage(text, int(sources[arc]), int(targets[arc])))

    def dtype(self, graph: Graph) -> np.dtype[Any]:
        """The dtype of a graph's values, unless another one is asked for.

        The weights' where it holds every path's value; for integers else int64. Products of integers,
        or without weights, are float64.
        """
        if self.is_boolean:
            return np.dtype(bool)
        if self.extension is not None:
            return self._dtype_of_extension(self.extension, distance_dtype(graph))
        if self.adds:
            return distance_dtype(graph)
        own = graph.weight_dtype
        if self.multiplies:
            return own if own is not None and own.kind == "f" else np.dtype(np.float64)
        own = np.dtype(np.int32) if own is None else own
        return own if own.kind == "f" or self.tells(graph, own) else np.dtype(np.int64)

    @staticmethod
    def _dtype_of_extension(extension: Extension, own: np.dtype[Any]) -> np.dtype[Any]:
        """The first of the sums' dtype, int64 and float64 that holds what the function returns."""
        if own.kind == "f":
            return own
        for value in (own, np.dtype(np.int64)):
            if extension.fits(value.name, "int32"):
                return value
        return np.dtype(np.float64)

    def is_told(self, weight: Any, dtype: DTypeLike) -> Any:
        """Whether an integer, or each of an array, can be told from "no path" in an integer dtype."""
        ends = np.iinfo(np.dtype(dtype))
        return (weight >= ends.min) & (weight <= ends.max) & (weight != self.none(dtype))

    def is_attainable(self, limit: float, dtype: DTypeLike) -> bool:
        """Whether a path with arcs, of values of ``dtype``, can be as good as ``limit``."""
        dtype = np.dtype(dtype)
        if not self.selects or dtype.kind == "f":
            return True
        ends = np.iinfo(dtype)
        return bool(limit <= ends.max if self.larger_is_better else limit >= ends.min)

    def tells(self, graph: Graph, dtype: DTypeLike) -> bool:
        """Whether all of a graph's integer weights can be: see `is_told`."""
        return all(bool(self.is_told(weight, dtype)) for weight in graph.weight_range)


def _in(value: float, dtype: np.dtype[Any]) -> Any:
    """A scalar of ``dtype``; of integers ±inf are the ends."""
    if dtype.kind in "iu" and np.isinf(value):
        return dtype.type(np.iinfo(dtype).max if value > 0 else np.iinfo(dtype).min)
    return dtype.type(value)


def _turned(numbers: Any) -> Any:
    """The same numbers in the opposite order; turned twice they are as before.

    For integers the complement, which unlike the negative also exists for the smallest. For floats
    0 − x: the negative, but 0 for both zeros.
    """
    dtype = _dtype_of(numbers)
    if dtype.kind in "iu":
        return ~numbers
    if not hasattr(numbers, "__cuda_array_interface__"):
        return 0 - numbers
    # CuPy's arithmetic takes subnormal numbers for 0, so by their bits.
    word = np.dtype(f"i{dtype.itemsize}")
    sign, bits = word.type(np.iinfo(word).min), numbers.view(word)
    turned = bits ^ sign
    turned[turned == sign] = 0  # of 0; −0 has become 0
    return turned.view(dtype)


def _dtype_of(numbers: Any) -> np.dtype[Any]:
    """The dtype of an array, or of a number, be it NumPy's or Python's."""
    dtype: np.dtype[Any] = getattr(numbers, "dtype", None) or np.dtype(type(numbers))
    return dtype
