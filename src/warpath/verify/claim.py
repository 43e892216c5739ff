"""`Claim`: an answer that is to be checked, and the values d(u) + w that the checks compare.

By another measure than the sum, + is what extends a path and "less" what is better.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import Csr, as_cupy, is_on_gpu, module_of, to_host
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph
from warpath.verify.measure import MEASURES, Measure, as_scalar

Array = NDArray[Any]
# Few enough that temporary arrays fit a cache: with 2¹⁶ to 2¹⁸ the checks take half of the time that they take
# with 2²² (Zen 5, 2026-11). A GPU needs enough of them that its launches do not count.
ARCS_AT_ONCE = 2**17
ARCS_AT_ONCE_ON_GPU = 2**24
_INT64 = np.iinfo(np.int64)


class Arcs(NamedTuple):
    """Some arcs out of reached vertices.

    Attributes
    ----------
    source, target, weight : arrays
    total : array
        d(source), extended by the weight.
    target_distance, target_reached : arrays
        d(target), and whether the target is reached.
    """

    source: Array
    target: Array
    weight: Array
    total: Array
    target_distance: Array
    target_reached: Array


@dataclass(frozen=True)
class Claim:
    """Distances from the nearest of some sources, as an algorithm claims them.

    Attributes
    ----------
    graph : Graph
        Without weights each arc weighs 1.
    sources : int64 array, shape (k,), k ≥ 1
    distance : array, shape (n,)
    predecessor : array, shape (n,), or None
    unreachable : int or float
        The distance that says "no path".
    dtypes : tuple of dtype
        Those that the distances may have.
    limit : int, float or None
        Only vertices at most this far are claimed to be reached.
    measure : Measure
        What a path is worth.
    """

    graph: Graph
    sources: Array
    distance: Array
    predecessor: Array | None
    unreachable: Any
    dtypes: tuple[np.dtype[Any], ...]
    limit: Any = None
    measure: Measure = MEASURES["shortest"]

    @cached_property
    def xp(self) -> Any:
        """NumPy, or CuPy where the graph and the answer lie on a GPU: see `together`."""
        return module_of(self.distance)

    def on_its_device(self) -> AbstractContextManager[Any]:
        """A context in which the GPU that holds the arrays is the current one."""
        on_gpu: Any = self.distance
        return nullcontext() if self.xp is np else on_gpu.device

    @cached_property
    def source_distance(self) -> Any:
        """The distance of a source, a Python number."""
        return as_scalar(self.measure.source, self.distance.dtype)

    @cached_property
    def adds(self) -> bool:
        """Whether distances are sums."""
        return self.measure.extend is np.add

    @cached_property
    def reached(self) -> Array:
        """Whether each vertex has a distance: bool array, shape (n,)."""
        reached: Array
        if self.distance.dtype.kind == "f" and self.adds:
            reached = np.isfinite(self.distance)
        elif self.distance.dtype.kind == "f":
            reached = (self.distance != self.unreachable) & ~np.isnan(self.distance)
        elif self.adds and self.unreachable < 0:
            reached = self.distance >= 0
        else:
            reached = self.distance != self.unreachable
        return reached

    @cached_property
    def needs_arc(self) -> Array:
        """Whether a vertex must owe its distance to an arc: reached, and not a source.

        With negative weights one of several sources may lie closer than 0 to another;
        it then needs an arc as any other vertex does.
        """
        needs = self.reached.copy()
        roots = self.xp.asarray(self.sources)
        if len(roots) > 1:
            roots = roots[~self.measure.better(self.distance[roots], self.source_distance)]
        needs[roots] = False
        return needs

    @cached_property
    def has_predecessor(self) -> Array:
        """Where `predecessor` names a vertex: bool array, shape (n,)."""
        assert self.predecessor is not None
        return (self.predecessor >= 0) & (self.predecessor < self.graph.num_vertices)

    def arcs(self) -> Iterator[Arcs]:
        """All arcs out of reached vertices, at most `ARCS_AT_ONCE` (``_ON_GPU``) at a time.

        For products an arc of weight 0 is none; nor is by a user's measure one that makes no value.
        """
        csr = self._csr
        at_once = ARCS_AT_ONCE if self.xp is np else ARCS_AT_ONCE_ON_GPU
        for begin in range(0, self.graph.num_arcs, at_once):
            end = min(begin + at_once, self.graph.num_arcs)
            source, all_reached = self._sources(begin, end)
            target = csr.column_indices[begin:end]
            weight = self._weights(begin, end)
            multiplies = self.measure.extend is np.multiply
            if multiplies or not all_reached:
                keep = self.reached[source]
                if multiplies:
                    keep &= weight != 0
                source, target, weight = source[keep], target[keep], weight[keep]
            total = self._extend(self.distance[source], weight)
            if not isinstance(self.measure.extend, np.ufunc):
                keep = self.measure.better(total, self.unreachable)
                source, target, weight, total = (
                    one[keep] for one in (source, target, weight, total)
                )
            yield Arcs(source, target, weight, total, self.distance[target], self.reached[target])

    @cached_property
    def _csr(self) -> Csr:
        """The rows, where the answer lies."""
        graph = self.graph
        if self.xp is np:
            return Csr(graph.row_offsets, graph.column_indices, graph.weights)
        return graph.resident

    def _sources(self, begin: int, end: int) -> tuple[Array, bool]:
        """The sources of a range of arcs, and whether all of these are reached."""
        offsets = self._csr.row_offsets
        if self.xp is not np:
            places = self.xp.arange(begin, end, dtype=offsets.dtype)
            source = (self.xp.searchsorted(offsets, places, "right") - 1).astype(np.int32)
            return source, bool(self.reached[source].all())
        first = int(np.searchsorted(offsets, offsets.dtype.type(begin), "right")) - 1
        last = int(np.searchsorted(offsets, offsets.dtype.type(end), "left"))
        counts = np.diff(offsets[first : last + 1].clip(begin, end))
        source = np.repeat(np.arange(first, last, dtype=np.int32), counts)
        return source, bool((self.reached[first:last] | (counts == 0)).all())

    def _weights(self, begin: int, end: int) -> Array:
        """Weights as the paths take them: in the distances' dtype, integers as int64."""
        own = self.distance.dtype
        dtype = own if own.kind in "fb" else np.dtype(np.int64)
        weights = self._csr.weights
        if weights is None:
            return self.xp.ones(end - begin, dtype)  # type: ignore[no-any-return]
        with np.errstate(over="ignore"):
            return weights[begin:end].astype(dtype, copy=False)  # type: ignore[no-any-return]

    def _extend(self, tail: Array, weight: Array) -> Array:
        """Floats round as their dtype does; integers are extended in 64 bits, sums saturate."""
        if weight.dtype.kind == "i":
            tail = tail.astype(np.int64, copy=False)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            total: Array = self.measure.extend(tail, weight)
        if self.may_wrap:
            wrapped = ((tail ^ total) & (weight ^ total)) < 0
            total[wrapped] = self.xp.where(weight[wrapped] > 0, _INT64.max, _INT64.min)
        return total

    @cached_property
    def may_wrap(self) -> bool:
        """Whether some d(u) + w of integers may not fit in 64 bits."""
        if not self.adds or self.distance.dtype.kind != "i" or not self.reached.any():
            return False
        reached, (lightest, heaviest) = self.distance[self.reached], self.graph.weight_range
        low, high = int(reached.min()) + lightest, int(reached.max()) + heaviest
        return bool(low < _INT64.min or high > _INT64.max)


def together(
    graph: Graph, distance: Any, predecessor: Any, *, on_gpu: bool = True
) -> tuple[Any, Any]:
    """An answer's arrays where the graph lies, if they lie on its GPU, too; else NumPy's.

    Raises
    ------
    TypeError
        If there are no distances.
    ValueError
        Rows that differ in length.
    """
    if distance is None:
        raise TypeError("distance is None: give the distances that a search has found")
    columns = graph.resident.column_indices
    xp = module_of(columns)
    if on_gpu and xp is not np:
        given = [one for one in (distance, predecessor) if one is not None]
        if all(isinstance(one, xp.ndarray) and one.device == columns.device for one in given):
            return distance, predecessor
    return _on_host(distance, "distance"), _on_host(predecessor, "predecessor")


def _on_host(given: Any, name: str) -> Any:
    if given is None:
        return None
    if is_on_gpu(given):
        return to_host(as_cupy(given))
    try:
        return np.asarray(given)
    except ValueError:
        raise ValueError(
            f"{name} has an element for each vertex, or a row of them for each source: these rows differ in length"
        ) from None


def as_sources(source: Any, n: int) -> Array:
    """One source or several as an array.

    Raises
    ------
    ValueError
        If there is none, or one is no vertex.
    """
    several = list(source) if np.iterable(source) else [source]
    if not several:
        raise ValueError("source is empty: give at least one vertex")
    return np.array([as_vertex(s, n, "source") for s in several], np.int64)
