"""All pairs of a graph that few vertices separate into parts.

Source: H. Djidjev, S. Thulasidasan, G. Chapuis, R. Andonov, D. Lavenier, Efficient multi-GPU
computation of all-pairs shortest paths, IPDPS 2014.

1. The graph is cut into parts (`warpath.planning.partition`).
2. Each part by itself: the paths that stay in it.
3. The boundary graph: the vertices on all boundaries, joined by the arcs between parts and, in each
   part, by its paths. Closed, it has the distances of the whole graph.
4. From u in part i to v in part j, the best of all u ⇝ b ⇝ c ⇝ v, where b is on i's boundary and
   c on j's. In the same part the path that stays there is a candidate too.

Step 4 is two products, from u to all boundary vertices, and from those of j on: with s vertices on
each part's boundary some n² · s relaxations instead of n³. All matrices but the answer are small, and
of that some rows are made at a time, each once.

Predecessors: a product keeps the one that the second part of a path has. Where that is a path of no
arcs, c = v or b = c, what stands there already is as good, so it is never replaced: the paths to
the boundary are there before the product. Predecessors so made are arcs of best paths. Where
cycles weigh zero they need not be trees; see `warpath.algorithms.all_pairs.cpu_apsp`.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.all_pairs.rows import Tick
from warpath.planning.partition import Cut, filled, multiple_of, rows_at_once

Array = NDArray[Any]


class Blocks(Protocol):
    """What an engine does with matrices on its device.

    Attributes
    ----------
    xp : module
        NumPy or CuPy.
    unit, depth : int
        A matrix has a multiple of ``unit`` rows and columns, a left operand a multiple of ``depth`` columns.
    """

    @property
    def xp(self) -> Any:
        """See above."""

    @property
    def unit(self) -> int:
        """See above."""

    @property
    def depth(self) -> int:
        """See above."""

    def close(self, D: Any, P: Any) -> None:
        """Make distances of arcs, in place."""

    def better(self, C: Any, CP: Any, A: Any, B: Any, BP: Any) -> None:
        """``C = best(C, A ⊗ B)``, in place; A has as many columns as B has rows."""

    def place(self, whole: Any, rows: Array, some: Any, order: Array) -> None:
        """``whole[rows, order] = some``."""


class Arcs(NamedTuple):
    """The best arc of each pair of vertices, in the order of a `Cut`.

    Self-loops stay only if they are negative cycles, which better a path of no arcs.

    Attributes
    ----------
    source, target : int64 arrays, shape (m,)
        Places in the cut's order; sorted by source.
    values : array, shape (m,)
    """

    source: Array
    target: Array
    values: Array

    @classmethod
    def of(
        cls, cut: Cut, arcs: tuple[Array, Array, Array], keys: Array, start: Any, none: Any
    ) -> "Arcs":
        """From arcs between vertices, with the least key.

        Parameters
        ----------
        keys : array, shape (m,)
        start, none : scalars
            The keys of a path of no arcs, and of no path: what is no better is left out.
        """
        source, target, values = arcs
        place = np.empty(len(cut.order), np.int64)
        place[cut.order] = np.arange(len(cut.order))
        some = keys < np.where(source == target, start, none)
        u, v, values, keys = place[source[some]], place[target[some]], values[some], keys[some]
        by_key = np.lexsort((keys, v, u))
        u, v, values = u[by_key], v[by_key], values[by_key]
        first = np.ones(len(u), bool)
        first[1:] = (u[1:] != u[:-1]) | (v[1:] != v[:-1])
        return cls(u[first], v[first], values[first])


class Partitioned:
    """The matrices of steps 2 and 3, and the rows of step 4.

    Parameters
    ----------
    cut : Cut
    arcs : Arcs
    start, none : scalars
        What a path of no arcs is worth, and what stands where there is no path.
    predecessors : bool
    blocks : Blocks
    """

    def __init__(
        self, cut: Cut, arcs: Arcs, start: Any, none: Any, predecessors: bool, blocks: Blocks
    ):
        self.cut, self.blocks, self.none, self.start = cut, blocks, none, start
        self.dtype, self.predecessors = arcs.values.dtype, predecessors
        # Where each part's boundary begins among all of them, rounded up to what a left operand may have.
        self.slots = np.concatenate([[0], np.cumsum(filled(cut, blocks.depth))])
        self.parts = [self._part(number, arcs) for number in range(len(cut.boundary))]
        self.boundary = self._boundary(arcs)

    def _empty(self, rows: int, columns: int) -> tuple[Any, Any]:
        """No path anywhere."""
        xp = self.blocks.xp
        parents = xp.full((rows, columns), -1, np.int32) if self.predecessors else None
        return xp.full((rows, columns), self.none, self.dtype), parents

    def _put(self, D: Any, P: Any, arcs: Arcs, u: Array, v: Array) -> None:
        """Write arcs at (u, v)."""
        asarray = self.blocks.xp.asarray
        at = asarray(u), asarray(v)
        D[at] = asarray(arcs.values)
        if P is not None:
            P[at] = asarray(self.cut.order[arcs.source])

    def _part(self, number: int, arcs: Arcs) -> tuple[Any, Any]:
        """A part by itself, closed."""
        begin, end = self.cut.starts[number : number + 2]
        mine = slice(*np.searchsorted(arcs.source, (begin, end)))
        inside = (arcs.target[mine] >= begin) & (arcs.target[mine] < end)
        inner = Arcs(*(array[mine][inside] for array in arcs))
        size = int(multiple_of(end - begin, self.blocks.unit))
        D, P = self._empty(size, size)
        diagonal = self.blocks.xp.arange(int(end - begin))
        D[diagonal, diagonal] = self.start
        self._put(D, P, inner, inner.source - begin, inner.target - begin)
        if size:
            self.blocks.close(D, P)
        return D, P

    def _boundary(self, arcs: Arcs) -> tuple[Any, Any]:
        """The boundary graph, closed."""
        cut, slots = self.cut, self.slots
        size = int(multiple_of(slots[-1], self.blocks.unit))
        H, HP = self._empty(size, size)
        for count, slot, (D, P) in zip(cut.boundary, slots, self.parts, strict=False):
            here = slice(slot, slot + count)
            H[here, here] = D[:count, :count]
            if HP is not None:
                HP[here, here] = P[:count, :count]
        parts = np.repeat(np.arange(len(cut.boundary)), cut.sizes)
        across = parts[arcs.source] != parts[arcs.target]
        outer = Arcs(*(array[across] for array in arcs))
        shift = (slots[:-1] - cut.starts[:-1])[parts]
        u, v = (ends + shift[ends] for ends in (outer.source, outer.target))
        self._put(H, HP, outer, u, v)
        if size:
            self.blocks.close(H, HP)
        return H, HP

    def rows(self, number: int, begin: int, end: int) -> tuple[Any, Any]:
        """Distances from some vertices of a part to all: shape (end − begin, n), columns in the cut's order."""
        cut, blocks, (D, P), (H, HP) = self.cut, self.blocks, self.parts[number], self.boundary
        mine, count, slot = slice(begin, end), int(cut.boundary[number]), int(self.slots[number])
        to_boundary, XP = self._empty(end - begin, H.shape[1])
        to_boundary[:, slot : slot + count] = D[mine, :count]
        if XP is not None:
            XP[:, slot : slot + count] = P[mine, :count]
        if count:
            here = slice(slot, int(self.slots[number + 1]))
            onward = H[here], None if HP is None else HP[here]
            blocks.better(to_boundary, XP, D[mine, : len(onward[0])], *onward)
        n = len(cut.order)
        R = blocks.xp.empty((end - begin, n), self.dtype)
        RP: Any = None
        if self.predecessors:
            RP = blocks.xp.empty((end - begin, n), np.int32)
        for other, (E, EP) in enumerate(self.parts):
            C, CP = self._empty(end - begin, E.shape[1])
            if other == number:
                C[:] = D[mine]
                if CP is not None:
                    CP[:] = P[mine]
            count, slot = int(cut.boundary[other]), int(self.slots[other])
            if count:
                C[:, :count] = to_boundary[:, slot : slot + count]
                if CP is not None:
                    CP[:, :count] = XP[:, slot : slot + count]
                depth = int(self.slots[other + 1]) - slot
                from_boundary = E[:depth], None if EP is None else EP[:depth]
                blocks.better(C, CP, to_boundary[:, slot : slot + depth], *from_boundary)
            there = slice(int(cut.starts[other]), int(cut.starts[other + 1]))
            size = there.stop - there.start
            R[:, there] = C[:, :size]
            if RP is not None:
                RP[:, there] = CP[:, :size]
        return R, RP

    def fill(self, D: Any, P: Any, finish: Callable[[Any, Any], None], tick: Tick) -> None:
        """Fill the answer's matrices, of NumPy or CuPy.

        Parameters
        ----------
        finish : callable
            Called with rows, before they are written.
        """
        done = 0
        for number, begin, end in self._batches():
            R, RP = self.rows(number, begin, end)
            finish(R, RP)
            vertices = self.cut.parts[number][begin:end]
            self.blocks.place(D, vertices, R, self.cut.order)
            if P is not None:
                self.blocks.place(P, vertices, RP, self.cut.order)
            done += end - begin
            tick(done, len(self.cut.order))

    def _batches(self) -> Iterator[tuple[int, int, int]]:
        most = rows_at_once(self.cut, self.dtype)
        for number, size in enumerate(self.cut.sizes.tolist()):
            for begin in range(0, size, most):
                yield number, begin, min(begin + most, size)
