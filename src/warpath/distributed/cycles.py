"""Cycles among predecessors, on all ranks.

Where a distance and its predecessor change together, each predecessor was written with a smaller distance
than before. So the weights of a cycle among predecessors have a negative sum (Cormen et al., lemma
24.16), and if a source reaches a negative cycle, there is one after finitely many rounds (B. Cherkassky,
A. Goldberg, "Negative-cycle detection algorithms", Mathematical Programming 85, 1999).
"""

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.part import values_at
from warpath.distributed.transport import Transport


def roots(
    transport: Transport, bounds: NDArray[np.int64], parent: NDArray[np.int32]
) -> NDArray[np.int32]:
    """The vertex without a predecessor that each owned vertex leads back to, or one on a cycle.

    Parameters
    ----------
    bounds : int64 array, shape (size + 1,)
        Rank q owns the vertices ``bounds[q]`` to ``bounds[q + 1]``.
    parent : int32 array
        Predecessors of owned vertices; -1 where there is none.
    """
    own = np.arange(*bounds[transport.rank : transport.rank + 2], dtype=np.int32)
    # Follow predecessors twice as far each time. A vertex without one leads to itself.
    root = np.where(parent < 0, own, parent)
    for _ in range(max(1, (int(bounds[-1]) - 1).bit_length())):
        root = values_at(transport, bounds, root, root)
    return root


def cycles(
    transport: Transport, bounds: NDArray[np.int64], parent: NDArray[np.int32]
) -> list[tuple[int, ...]]:
    """The vertices of each cycle among predecessors, in the order of its arcs; the same on all ranks.

    Parameters
    ----------
    bounds, parent
        As of `roots`.
    """
    root = roots(transport, bounds, parent)
    # More steps than there are vertices: what is on a cycle now is all of it that was come to.
    after = values_at(transport, bounds, parent, root)
    on_cycles = np.unique(root[after >= 0])
    at = values_at(transport, bounds, parent, on_cycles)
    follows = dict(
        zip(
            np.concatenate(transport.gather(on_cycles)).tolist(),
            np.concatenate(transport.gather(at)).tolist(),
            strict=True,
        )
    )
    found = []
    for first in sorted(follows):
        if first not in follows:
            continue
        cycle = [first]
        while (u := follows.pop(cycle[-1])) != first:
            cycle.append(u)
        found.append(tuple(cycle[::-1]))
    return found
