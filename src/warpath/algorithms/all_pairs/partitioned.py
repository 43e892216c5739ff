"""All pairs of a graph that few vertices separate into parts.

Source: H. Djidjev, S. Thulasidasan, G. Chapuis, R. Andonov, D. Lavenier, Efficient multi-GPU
computation of all-pairs shortest paths, IPDPS 2014.

1. The graph is cut into parts (`warpath.planning.partition`).
2. Each part by itself: the paths that stay in it.
3. The boundary graph: the vertices on all boundaries, joined by the arcs between parts and, in each
   part, by its paths. Closed, it has the distances of the whole graph.
4. From u in part i to v in part j, the best of all u ⇝ b ⇝ c ⇝ v, where b is on i's boundary and
   c on j's. In the same part the path that stays there is a candidate too.

On several devices each closes its parts and makes their rows. It has copies of the rows of the others' parts that leave
their boundaries. So it closes the boundary graph itself, as all others do at the same time.

Step 4 is two products, from u to all boundary vertices, and from those of j on: with s vertices on
each part's boundary some n² · s relaxations instead of n³. All matrices but the answer are small, and
of that some rows are made at a time, each once.

Predecessors: a product keeps the one that the second part of a path has. Where that is a path of no
arcs, c = v or b = c, what stands there already is as good, so it is never replaced: the paths to
the boundary are there before the product. Predecessors so made are arcs of best paths. Where
cycles weigh zero they need not be trees; see `warpath.algorithms.all_pairs.cpu_apsp`.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol, Self

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
        """``whole[rows, order] = some``; ``whole`` may be another device's, or the host's."""

    def working(self) -> AbstractContextManager[Any]:
        """The device is the current one, for all of the above."""

    def bring(self, array: Any, of: Self) -> Any:
        """A copy on this device of an array of another's."""

    def synchronize(self) -> None:
        """Wait for all that was queued."""


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


def fill_by_parts(
    cut: Cut, arcs: Arcs, start: Any, none: Any, devices: Sequence[Any], D: Any, P: Any,
    finish: Callable[[Any, Any], None], tick: Tick,
) -> None:  # fmt: skip
    """Fill the answer's matrices, of NumPy or CuPy.

    Parameters
    ----------
    cut : Cut
    arcs : Arcs
    start, none : scalars
        What a path of no arcs is worth, and what stands where there is no path.
    devices : sequence of Blocks
        Parts go to them in turn.
    finish : callable
        Called with rows, before they are written.
    """
    count = len(devices)
    shares = [
        _Share(
            cut, arcs, start, none, P is not None, blocks, range(first, len(cut.boundary), count)
        )
        for first, blocks in enumerate(devices)
    ]
    for mine in shares:
        mine.join(arcs, [other for other in shares if other is not mine])
    done = 0
    for batches in zip_longest(*(share.batches() for share in shares)):
        # All devices have work before the first is waited for.
        made = [
            (share, batch, share.rows(batch, finish))
            for share, batch in zip(shares, batches, strict=True)
            if batch is not None
        ]
        for share, batch, rows in made:
            share.place(batch, rows, (D, P))
            done += batch[2] - batch[1]
            tick(done, len(cut.order))
    for blocks in devices:
        blocks.synchronize()


class _Share:
    """A device's matrices of steps 2 and 3, and its rows of step 4.

    Parameters
    ----------
    mine : sequence of int
        The parts that it closes; others as of `fill_by_parts`.
    """

    def __init__(
        self, cut: Cut, arcs: Arcs, start: Any, none: Any, predecessors: bool, blocks: Blocks,
        mine: Sequence[int],
    ):  # fmt: skip
        self.cut, self.blocks, self.none, self.start = cut, blocks, none, start
        self.dtype, self.predecessors = arcs.values.dtype, predecessors
        # Where each part's boundary begins among all of them, rounded up to what a left operand may have.
        self.slots = np.concatenate([[0], np.cumsum(filled(cut, blocks.depth))])
        self.mine = mine
        with blocks.working():
            self.parts = {number: self._part(number, arcs) for number in mine}

    def join(self, arcs: Arcs, others: Sequence["_Share"]) -> None:
        """Close the boundary graph, with the rows of other devices' parts that leave their boundaries."""
        with self.blocks.working():
            for other in others:
                for number in other.mine:
                    rows = int(self.slots[number + 1] - self.slots[number])
                    D, P = other.parts[number]
                    self.parts[number] = (
                        self.blocks.bring(D[:rows], other.blocks),
                        None if P is None else self.blocks.bring(P[:rows], other.blocks),
                    )
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
        for number, (count, slot) in enumerate(zip(cut.boundary, slots, strict=False)):
            D, P = self.parts[number]
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

    def rows(
        self, batch: tuple[int, int, int], finish: Callable[[Any, Any], None]
    ) -> tuple[Any, Any]:
        """Distances from some vertices of a part to all, a row each; columns in the cut's order."""
        with self.blocks.working():
            rows = self._rows(*batch)
            finish(*rows)
            return rows

    def _rows(self, number: int, begin: int, end: int) -> tuple[Any, Any]:
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
        for other in range(len(cut.boundary)):
            E, EP = self.parts[other]
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

    def place(self, batch: tuple[int, int, int], rows: Any, answer: tuple[Any, Any]) -> None:
        """Write rows to the answer's matrices."""
        number, begin, end = batch
        vertices = self.cut.parts[number][begin:end]
        with self.blocks.working():
            for whole, some in zip(answer, rows, strict=True):
                if whole is not None:
                    self.blocks.place(whole, vertices, some, self.cut.order)

    def batches(self) -> Iterator[tuple[int, int, int]]:
        """(part, its first vertex of these rows, the one after the last)."""
        most, sizes = rows_at_once(self.cut, self.dtype), self.cut.sizes.tolist()
        for number in self.mine:
            for begin in range(0, sizes[number], most):
                yield number, begin, min(begin + most, sizes[number])
