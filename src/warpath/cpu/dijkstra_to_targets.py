"""Dijkstra's algorithm from many sources to some targets, each search as large as what it meets.

One kernel call makes all searches, one after the other on each thread. A search ends when its last
target is settled, and what it leaves in its workspace is cleared vertex by vertex: so a search of a
thousand vertices costs the same in a graph of a thousand or of a hundred million. It gives up
where it would look at more than ``budget`` arcs.

The encoding is that of `warpath.cpu.bidirectional_dijkstra`: a vertex that a search meets gets a
*label*, a number in the order of meeting, under which ``vertex``, ``distance`` and ``place`` (in the
heap) stand; ``slot[v]`` is v's label plus one, 0 is none. No sum wraps:
`warpath.algorithms.all_pairs.target_rows.TargetRows` takes only graphs whose longest path fits.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.heap import sift_down, sift_up
from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE, ZERO, arcs_of, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.team import stopping

_ARCS, _CLAIMED, _COUNTS = 0, 8, 16  # each on a cache line of its own


@compiled
def _search(  # type: ignore[no-untyped-def]
    offsets, indices, weights, source, is_target, targets, cutoff, budget, space
):
    """Settle vertices until all targets are; whether it came to an end, labels, arcs."""
    slot, vertex, distance, heap, keys, place = unowned(space)
    slot[source] = 1
    vertex[ZERO] = source
    distance[ZERO] = 0
    sift_up(ZERO, ZERO, distance[ZERO], heap, keys, place)
    size = labels = ONE
    arcs = ZERO
    left = targets
    while size > ZERO:
        d = keys[ZERO]
        u = np.uint64(vertex[heap[ZERO]])
        if is_target[u]:
            left -= 1
            if left == 0:
                break
        size -= ONE
        if size > ZERO:
            sift_down(size, heap[size], keys[size], heap, keys, place)
        first, last = np.uint64(offsets[u]), np.uint64(offsets[u + ONE])
        arcs += last - first
        if arcs > budget:
            return False, labels, arcs
        for arc in range(first, last):
            v = indices[arc]
            candidate = add(d, 1 if weights is None else weights[arc])
            label = np.uint64(slot[v])
            hole = size
            if label == ZERO:
                if candidate > cutoff:
                    continue
                label = labels
                labels += ONE
                slot[v] = labels
                vertex[label] = v
                size += ONE
            else:
                label -= ONE
                if not candidate < distance[label]:
                    continue  # as for all that are settled
                hole = np.uint64(place[label])
            distance[label] = candidate
            sift_up(hole, label, distance[label], heap, keys, place)
    return True, labels, arcs


@compiled
def _rows(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, weights, sources, columns, is_target, targets, cutoff,
    unreached, budget, slots, rows, ended, counts,
):  # fmt: skip
    """Take one source after the other."""
    n = slots.shape[1]
    slot, vertex = slots[thread], np.empty(n, np.uint32)
    distance, keys = np.empty(n, rows.dtype), np.empty(n, rows.dtype)
    heap, place = np.empty(n, np.uint32), np.empty(n, np.uint32)
    space = slot, vertex, distance, heap, keys, place
    while True:
        row = atomic_add(counts, _CLAIMED, 1)
        if row >= sources.shape[0] or stopping(sync):
            break
        done, labels, arcs = _search(
            offsets, indices, weights, np.uint64(sources[row]), is_target, targets, cutoff,
            budget, space,
        )  # fmt: skip
        atomic_add(counts, _ARCS, np.int64(arcs))
        ended[row] = done
        if done:
            for j in range(columns.shape[0]):
                label = np.uint64(slot[columns[j]])
                rows[row, j] = distance[label - ONE] if label > ZERO else unreached
        for k in range(labels):
            slot[vertex[k]] = 0


def dijkstra_to_targets(
    graph: Graph,
    weights: NDArray[Any] | None,
    sources: NDArray[np.int32],
    targets: NDArray[np.int32],
    cutoff: Any,
    budget: int,
    distance: NDArray[Any],
) -> tuple[NDArray[np.bool_], int]:
    """Fill ``distance``, shape (k, t), from each source to each target; no weight is negative.

    Parameters
    ----------
    weights : array, shape (m,), or None
        As of `warpath.cpu.delta_stepping.delta_stepping`; None: each arc counts 1.
    sources : int32 array, shape (k,)
    targets : int32 array, shape (t,)
    cutoff : number
        The greatest distance.
    budget : int
        A search gives up where it would look at more arcs.

    Returns
    -------
    ended : bool array, shape (k,)
        False: the search gave up, and its row of ``distance`` is not filled.
    arcs : int
        How many arcs all searches looked at.

    Notes
    -----
    Asks for 16 bytes per vertex and two distances for each thread, and one byte per vertex, and touches
    those of vertices that it meets.
    """
    n, dtype = graph.num_vertices, distance.dtype.type
    threads = min(team.num_threads(), len(sources))
    is_target = np.zeros(n, bool)
    is_target[targets] = True
    ended, counts = np.zeros(len(sources), bool), np.zeros(_COUNTS, np.int64)
    team.run(
        _rows, threads, *arcs_of(graph), weights,
        unsigned(sources), unsigned(targets), is_target, len(np.unique(targets)), dtype(cutoff),
        unreachable(distance.dtype), np.uint64(budget), np.zeros((threads, n), np.uint32), distance,
        ended, counts,
    )  # fmt: skip
    return ended, int(counts[_ARCS])
