"""Edges that come in batches, until they are a graph.

Each end takes four bytes from the beginning: ids that do not fit in int32 are names and get numbers at once
(`warpath.graph.numbering`). The batches are freed one after the other as their arcs are distributed to
the buckets of `warpath.graph.build`.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.display import counted
from warpath.graph.build import Batch, csr_from_batches
from warpath.graph.check import MAX_VERTICES, as_vertex_count
from warpath.graph.compact import warn_of_gaps
from warpath.graph.numbering import IntegerNumbers, TextNumbers
from warpath.graph.scratch import Scratch

Array = NDArray[Any]

_INT32, _INT64 = np.iinfo(np.int32), np.iinfo(np.int64)
_TABLE_PER_EDGE = 2  # entries of a table of all ids, rather than one of those that occur: a guess


class EdgeBatches:
    """Edges as they come; `csr` makes the arrays of a graph of them.

    Attributes
    ----------
    text : TextNumbers
        What numbers vertices that are called by text.
    named : bool
        Whether they are.
    smallest, largest : int
        The ends of the range of the ids that are integers; 0 and -1 if there are none.
    """

    def __init__(self) -> None:
        self.text, self.named = TextNumbers(), False
        self.smallest, self.largest = 0, -1
        self._names: IntegerNumbers | None = None
        self._batches: list[Batch] = []
        self._edges = 0
        self._no_weights: Array | None = None

    def __len__(self) -> int:
        return self._edges

    def __iter__(self) -> Iterator[Batch]:
        return iter(self._batches)

    def add(
        self, source: Array, target: Array, weight: Array | None = None, *, named: bool = False
    ) -> None:
        """Take a batch of edges; the arrays may be written or freed afterwards.

        Parameters
        ----------
        source, target : integer arrays, shape (k,)
        weight : array, shape (k,), or None
            As `warpath.graph.check.as_weights` gives it; all batches have weights, or none.
        named : bool
            True: the ends are numbers that `text` gave.

        Raises
        ------
        ValueError
            If an id is beyond int64; if only some batches have weights, or text for ids.
        """
        if not len(source):
            self._no_weights = weight
            return
        if self._edges and named != self.named:
            raise ValueError("vertex ids must be all integers or all text")
        self.named = named
        if self._batches and (weight is None) != (self._batches[0].weight is None):
            raise ValueError("some edges have weights, and others none")
        ends = (source, target)
        if not named:
            low = min(int(ids.min()) for ids in ends)
            high = max(int(ids.max()) for ids in ends)
            if high > _INT64.max:
                raise ValueError(f"vertex ids must be below 2⁶³, or text, and one is {high}")
            if self._names is None and (low < _INT32.min or high > _INT32.max):
                self._names = numbers = IntegerNumbers()
                for batch in self._batches:
                    for ids in batch[:2]:
                        ids[:] = numbers.of(ids)
            if self._names is not None:
                ends = (self._names.of(source), self._names.of(target))
            self.smallest, self.largest = min(self.smallest, low), max(self.largest, high)
        self._batches.append(
            Batch(
                _copy(ends[0], np.int32),
                _copy(ends[1], np.int32),
                None if weight is None else _copy(weight, weight.dtype),
            )
        )
        self._edges += len(source)

    def number(self, *, compact: bool | None, n: int | None) -> tuple[int, Array | None]:
        """Make the ids numbers of vertices.

        Parameters
        ----------
        compact, n
            See `Graph.from_edges`.

        Returns
        -------
        n : int
            The number of vertices.
        labels : array or None
            See `Graph.from_edges`.

        Raises
        ------
        ValueError
            If an id is no number of a vertex where it must be one.
        """
        if self.named and compact is False:
            raise ValueError(
                "source and target must hold integer vertex ids, not text; compact=True numbers text"
            )
        named = bool(compact) or self.named
        if compact is None and n is None:
            named = named or self.largest >= MAX_VERTICES
        if not named:
            self._check_numbers(n)
            if n is None and compact is None:
                warn_of_gaps(self.largest + 1, self._edges)
            return as_vertex_count(self.largest + 1 if n is None else n), None
        if n is not None:
            raise ValueError(
                f"n={n} is for ids that are vertex numbers; names are numbered in their order (compact)"
            )
        labels, place = self._labels()
        if place is not None:
            for batch in self._batches:
                for ids in batch[:2]:
                    ids[:] = place[ids]
        dense = labels.dtype != object and self.smallest == 0 and len(labels) == self.largest + 1
        return as_vertex_count(len(labels)), None if dense else labels

    def csr(self, n: int, *, mirror: bool) -> tuple[Array, Array, Array | None]:
        """CSR arrays of the edges, whose ends are below ``n``; no edges are left here.

        See `csr_from_batches`.
        """
        self.unify_weights()
        batches, self._batches = self._batches, []
        if not batches:
            none = np.empty(0, np.int32)
            batches = [Batch(none, none, self._no_weights)]
        return csr_from_batches(batches, n, mirror=mirror)

    def unify_weights(self) -> None:
        """Give the weights of all batches the dtype that holds them all."""
        dtypes = {batch.weight.dtype for batch in self._batches if batch.weight is not None}
        if len(dtypes) > 1:
            common = np.result_type(*dtypes)
            for i, (source, target, weight) in enumerate(self._batches):
                if weight is not None and weight.dtype != common:
                    self._batches[i] = Batch(source, target, _copy(weight, common))

    def _check_numbers(self, n: int | None) -> None:
        """Refuse ids that are no numbers of vertices."""
        if self.smallest < 0:
            raise ValueError(f"{self._where(self.smallest)}: vertex ids are 0 or more")
        if self.largest >= MAX_VERTICES and (n is None or n > self.largest):
            raise ValueError(
                f"vertex id {self.largest} is larger than {MAX_VERTICES - 1}: compact=True numbers "
                "the ids that occur"
            )
        if n is not None and self.largest >= n:
            raise ValueError(
                f"{self._where(self.largest)}, but the graph has {counted(n, 'vertex', 'vertices')}"
            )

    def _where(self, vertex: int) -> str:
        """The first place where an id occurs, and that it does."""
        held = vertex
        if self._names is not None:
            held = int(self._names.of(np.array([vertex]))[0])
        for end, name in enumerate(("source", "target")):
            row = 0
            for batch in self._batches:
                ids = batch.target if end else batch.source
                found = np.flatnonzero(ids == held)
                if len(found):
                    return f"{name}[{row + int(found[0])}] is {vertex}"
                row += len(ids)
        raise IndexError(vertex)

    def _labels(self) -> tuple[Array, Array | None]:
        """The names in order, and the place among them of each id; None if it is the id."""
        if self.named:
            return self.text.in_order()
        if self._names is not None:
            return self._names.in_order()
        size = self.largest + 1
        if self.smallest < 0 or size > _TABLE_PER_EDGE * (self._edges + 1):
            numbers = IntegerNumbers()
            for batch in self._batches:
                for ids in batch[:2]:
                    ids[:] = numbers.of(ids)
            return numbers.in_order()
        occurs = np.zeros(size, bool)
        for batch in self._batches:
            for ids in batch[:2]:
                occurs[ids] = True
        labels = np.flatnonzero(occurs)
        if len(labels) == size:
            return labels, None
        place = np.cumsum(occurs, dtype=np.int32)
        place -= np.int32(1)
        return labels, place


def _copy(values: Array, dtype: Any) -> Array:
    array = Scratch(len(values), dtype).array
    array[:] = values
    return array
