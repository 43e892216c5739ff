"""Floyd-Warshall's algorithm: the plain triple loop, blocked for caches and vectors, and recursive.

Sources: R. W. Floyd, "Algorithm 97: shortest path", CACM 5 (1962); S. Warshall, J. ACM 9 (1962).
Blocked: G. Venkataraman, S. Sahni, S. Mukhopadhyaya, "A blocked all-pairs shortest-paths
algorithm", J. Exp. Algorithmics 8 (2003); the survey's section 4, figure 8. Recursive ("R-Kleene"):
A. Buluç, J. R. Gilbert, C. Budak, "Solving path problems on the GPU", Parallel Computing 36 (2010),
after P. D'Alberto, A. Nicolau, Algorithmica 47 (2007).

Step k of the plain algorithm takes all paths over vertex k: each row i is bettered by D[i, k] and
row k. Both other forms are made of two operations on whole rows:

- *close* a group of rows: the plain steps of these vertices, in these rows alone;
- better other rows by a closed group: a min-plus product (`warpath.cpu.minplus.multiply`) of their
  columns of the group and the group's rows.

Blocked: one group after the other, each improves all other rows. (The usual three phases are two
here. The tile on the diagonal and the rest of its row are closed together. The tiles of its column
need no phase, since the group's rows are complete before they are applied.) Recursive: the first
half of a range of rows is made complete and improves the second half; this is made complete and
improves the first. So the products are as large as can be, and slow memory is read less often.

No sum wraps, for the reason that `warpath.cpu.minplus` gives: both terms are entries of the matrix.

Predecessors make trees, with cycles of weight zero too, where sums do not round. Every row is
improved through one group after the other, through all vertices of a group at once in all columns;
among equals the first vertex counts. Let the last improvement of D[i, v] be through vertex k of a group, with
u before v. Row k was complete as far as v, so it was as far as u, and D[i, k] + D[k, u] is the
final D[i, u]: that was reached through k, or before. So on a cycle of predecessors in row i all
were through the same k; but then the cycle was in row k before, and there was a first one. The
usual three phases break this. A column of tiles is complete before the rest of its rows, and
there are graphs for which their predecessors go round a cycle of weight zero (a test has one).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.minplus import PANEL, Rows, factors_of, join, keys_of, multiply
from warpath.parallel import team
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share

Array = NDArray[Any]
Tick = Callable[[int, int], None]

_SEGMENT = 128  # columns of a group's rows that are closed at once: 64 KiB of float64; a guess


@compiled
def _step(keys, D, P, box, k, through):  # type: ignore[no-untyped-def]
    """Step k for a ``box``, rows i0 … i1 and columns j0 … j1; ``through[i - i0]`` is D[i, k] before it.

    Row k itself is passed over: no path from k to k betters what leads on from k. So it may be
    read by others at the same time.
    """
    algebra, none, lazy = keys
    i0, i1, j0, j1 = box
    width = np.uint64(j1 - j0)
    onward = D[k, j0:j1]
    for i in range(i0, i1):
        if i == k or (lazy and through[i - i0] == none):
            continue
        a = through[i - i0]
        row = D[i, j0:j1]
        if P is None:
            for j in range(width):
                t, x = join(algebra, a, onward[j]), row[j]
                row[j] = t if t < x else x
        else:
            parents, before = P[i, j0:j1], P[k, j0:j1]
            for j in range(width):
                t, x = join(algebra, a, onward[j]), row[j]
                p, q = parents[j], before[j]
                parents[j] = q if t < x else p
                row[j] = t if t < x else x


@compiled
def _plain(thread, threads, sync, keys, D, P, k0, k1):  # type: ignore[no-untyped-def]
    """Steps k0 … k1 for my share of the rows."""
    n = D.shape[0]
    first, last = share(n, thread, threads)
    for k in range(k0, k1):
        _step(keys, D, P, (first, last, 0, n), k, D[first:last, k].copy())
        if barrier(sync, threads):  # row k + 1 is complete
            return


@compiled
def _close(thread, threads, sync, keys, D, P, k0, k1):  # type: ignore[no-untyped-def]
    """Steps k0 … k1 in these rows alone, for my share of the columns.

    Each thread first makes the steps in a copy of the tile on the diagonal, to know D[i, k]
    before each step k without waiting for the others.
    """
    size = k1 - k0
    tile = D[k0:k1, k0:k1].copy()
    through = np.empty((size, size), D.dtype)
    for k in range(size):
        through[k] = tile[:, k]
        _step(keys, tile, None, (0, size, 0, size), k, through[k])
    barrier(sync, threads)  # all threads have read the tile
    first, last = share(D.shape[0], thread, threads)
    for j in range(first, last, _SEGMENT):
        for k in range(size):
            _step(keys, D, P, (k0, k1, j, min(j + _SEGMENT, last)), k0 + k, through[k])


def floyd_warshall(
    algebra: str, D: Array, P: Array | None, threads: int, tick: Tick, lazy: bool = False
) -> None:
    """The plain triple loop, in place.

    Parameters
    ----------
    algebra : str
        One of `warpath.cpu.relax.ALGEBRAS`. No cycle may better a path.
    D : array, shape (n, n)
        Keys of single arcs, the algebra's source value on the diagonal, `no_path` elsewhere.
    P : int32 array, shape (n, n), or None
        ``P[i, j]`` is i where there is an arc i → j, else -1; becomes predecessors.
    threads : int
    tick : callable
        Called with (done, all) from time to time; may raise to stop.
    lazy : bool
        Pass over what leads nowhere: see `warpath.cpu.minplus.Keys`.
    """
    n, keys = len(D), keys_of(algebra, D.dtype, lazy)
    for k in range(0, n, PANEL):
        team.run(_plain, threads, keys, D, P, k, min(k + PANEL, n))
        tick(min(k + PANEL, n), n)


class _Groups:
    """The two operations on rows of a matrix, and how much of the work they have done."""

    def __init__(
        self, algebra: str, D: Array, P: Array | None, threads: int, tick: Tick, lazy: bool
    ) -> None:
        self.D, self.P, self.threads, self.tick = D, P, threads, tick
        self.keys, self.factors = keys_of(algebra, D.dtype, lazy), factors_of(D, D, D, P)
        self.done = 0

    def close(self, k0: int, k1: int) -> None:
        """Make rows k0 … k1 complete as to paths over these vertices."""
        team.run(_close, self.threads, self.keys, self.D, self.P, k0, k1)
        self._count((k1 - k0) ** 2)

    def better(self, i0: int, i1: int, k0: int, k1: int) -> None:
        """Better rows i0 … i1, but not k0 … k1, by the complete rows k0 … k1."""
        for k in range(k0, k1, PANEL):
            rows = Rows(i0, i1, k0, k1, k, min(k + PANEL, k1))
            self.factors.cursor[0] = 0
            team.run(multiply, self.threads, self.keys, self.factors, rows, self.P)
            inside = max(0, min(i1, k1) - max(i0, k0))
            self._count((i1 - i0 - inside) * (rows.k1 - k))

    def _count(self, pairs: int) -> None:
        self.done += pairs
        self.tick(self.done, len(self.D) ** 2)


def blocked_floyd_warshall(
    algebra: str, D: Array, P: Array | None, threads: int, tick: Tick, lazy: bool = False
) -> None:
    """One group of `PANEL` rows after the other, in place. Parameters as of `floyd_warshall`.

    Takes 2 · `PANEL` entries per vertex in addition to the matrix.
    """
    n, groups = len(D), _Groups(algebra, D, P, threads, tick, lazy)
    for k in range(0, n, PANEL):
        groups.close(k, min(k + PANEL, n))
        groups.better(0, n, k, min(k + PANEL, n))


def r_kleene(
    algebra: str, D: Array, P: Array | None, threads: int, tick: Tick, lazy: bool = False
) -> None:
    """By recursion over halves of the rows, in place. Parameters as of `floyd_warshall`.

    Takes 2 · `PANEL` entries per vertex in addition to the matrix.
    """
    groups = _Groups(algebra, D, P, threads, tick, lazy)

    def complete(begin: int, end: int) -> None:
        if end - begin <= PANEL:
            groups.close(begin, end)
            return
        middle = begin + max(PANEL, (end - begin) // 2 // PANEL * PANEL)
        complete(begin, middle)
        groups.better(middle, end, begin, middle)
        complete(middle, end)
        groups.better(begin, middle, middle, end)

    if len(D):
        complete(0, len(D))
