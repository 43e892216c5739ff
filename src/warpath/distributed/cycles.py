"""Cycles among predecessors, on all ranks: each is a cycle of negative weight.

A distance and its predecessor change together, and each predecessor was written with a smaller distance
than before. So the weights of a cycle among predecessors have a negative sum (Cormen et al., lemma
24.16), and if a source reaches a negative cycle, there is one after finitely many rounds (B. Cherkassky,
A. Goldberg, "Negative-cycle detection algorithms", Mathematical Programming 85, 1999).
"""

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import values_at


def negative_cycle(
    graph: DistributedGraph, predecessor: NDArray[np.int32]
) -> tuple[int, ...] | None:
    """The vertices of a cycle among predecessors, in the order of its arcs; the same on all ranks.

    Parameters
    ----------
    predecessor : int32 array, shape (k,)
        Ids, of the part's vertices; -1 where there is none.
    """
    part, transport, bounds = graph.part, graph.transport, graph.part.bounds
    ids, parent = part.ids[part.owned], predecessor[part.owned]
    # Follow predecessors twice as far each time. A vertex without one leads to itself.
    root = np.where(parent < 0, ids, parent)
    for _ in range(max(1, (graph.num_vertices - 1).bit_length())):
        root = values_at(transport, bounds, root, root)
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
    if not follows:
        return None
    cycle = [min(follows)]
    while (u := follows[cycle[-1]]) != cycle[0]:
        cycle.append(u)
    return tuple(cycle[::-1])
