"""Dijkstra's algorithm from many sources to some targets, each search as large as what it meets.

One kernel call makes all searches, one after the other on each thread. A search ends when its last
target is settled, and clears in its workspace the entries that it wrote. So a search of a
thousand vertices costs the same in a graph of a thousand or of a hundred million. It gives up
where it would look at more than ``budget`` arcs.

The encoding is that of `warpath.cpu.bidirectional_dijkstra`: a vertex that a search meets gets a
*label*, a number in the order of meeting, which is the index of ``vertex``, ``distance`` and ``place``
(in the heap). ``slot[v]`` is v's label plus one, 0 is none. No sum wraps:
`warpath.algorithms.all_pairs.target_rows.TargetRows` takes only graphs whose longest path fits.
Apart from `warpath.cpu.dijkstra`, whose arrays are as large as the graph and are filled before each search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.heap import Heap, drop_first, new_heap, offer, put
from warpath.cpu.relax import add
from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add, unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import stopping

_ARCS, _CLAIMED, _COUNTS = 0, 8, 16  # each on a cache line of its own


class _Targets(NamedTuple):
    """What a search looks for, how far, and at how many arcs."""

    columns: Any
    is_target: Any
    count: Any
    cutoff: Any
    budget: Any


class _Space(NamedTuple):
    """What a thread's searches work in."""

    slot: Any
    vertex: Any
    distance: Any
    heap: Any


@compiled
def _search(arcs, weights, source, targets, space):  # type: ignore[no-untyped-def]
    """Settle vertices until all targets are; whether it came to an end, labels, arcs looked at.

    ``weights`` are the arcs': Numba asks only arguments whether they are None as it compiles.
    """
    arcs, targets, space = unowned(arcs), unowned(targets), unowned(space)
    slot, vertex, distance, heap = space
    slot[source] = 1
    vertex[ZERO] = source
    distance[ZERO] = 0
    put(heap, ZERO, ZERO, distance[ZERO])
    size = labels = ONE
    inspected = ZERO
    left = targets.count
    while size > ZERO:
        d = heap.keys[ZERO]
        u = np.uint64(vertex[heap.items[ZERO]])
        if targets.is_target[u]:
            left -= 1
            if left == 0:
                break
        size = drop_first(heap, size)
        first, last = arc_range(arcs, u)
        inspected += last - first
        if inspected > targets.budget:
            return False, labels, inspected
        for arc in range(first, last):
            v = arcs.indices[arc]
            candidate = add(d, 1 if weights is None else weights[arc])
            label = np.uint64(slot[v])
            is_new = label == ZERO
            if is_new:
                if candidate > targets.cutoff:
                    continue
                label = labels
                labels += ONE
                slot[v] = labels
                vertex[label] = v
            else:
                label -= ONE
                if not candidate < distance[label]:
                    continue  # as for all that are settled
            distance[label] = candidate
            size = offer(heap, size, label, distance[label], is_new)
    return True, labels, inspected


@compiled
def _rows(  # type: ignore[no-untyped-def]
    thread, threads, sync, arcs, sources, targets, spaces, unreached, rows, ended, counts
):
    """Take one source after the other."""
    slot, vertex, heaps = spaces.slot[thread], spaces.vertex[thread], spaces.heap
    heap = Heap(heaps.items[thread], heaps.keys[thread], heaps.place[thread])
    space = _Space(slot, vertex, spaces.distance[thread], heap)
    while True:
        row = atomic_add(counts, _CLAIMED, 1)
        if row >= sources.shape[0] or stopping(sync):
            break
        done, labels, inspected = _search(
            arcs, arcs.weights, np.uint64(sources[row]), targets, space
        )
        atomic_add(counts, _ARCS, np.int64(inspected))
        ended[row] = done
        if done:
            for j in range(targets.columns.shape[0]):
                label = np.uint64(slot[targets.columns[j]])
                rows[row, j] = space.distance[label - ONE] if label > ZERO else unreached
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
    threads = min(thread_count.num_threads(), len(sources))
    is_target = np.zeros(n, bool)
    is_target[targets] = True
    ended, counts = np.zeros(len(sources), bool), np.zeros(_COUNTS, np.int64)
    aim = _Targets(
        columns=unsigned(targets),
        is_target=is_target,
        count=len(np.unique(targets)),
        cutoff=dtype(cutoff),
        budget=np.uint64(budget),
    )
    shape = threads, n
    spaces = _Space(
        slot=np.zeros(shape, np.uint32),
        vertex=np.empty(shape, np.uint32),
        distance=np.empty(shape, dtype),
        heap=new_heap(shape, dtype),
    )
    team.run(
        _rows, threads, arcs_of(graph, weights), unsigned(sources), aim, spaces, unreachable(dtype),
        distance, ended, counts,
    )  # fmt: skip
    return ended, int(counts[_ARCS])
