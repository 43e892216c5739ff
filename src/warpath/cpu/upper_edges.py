"""The edges of an undirected graph, each once, listed by all threads."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.unsigned import ZERO
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import unowned
from warpath.parallel.jit import compiled
from warpath.parallel.sync import barrier, share

Array = NDArray[Any]
_ARCS_PER_THREAD = 65536  # a guess


@compiled
def _list(thread, threads, sync, arcs, counts, source, target, weight):  # type: ignore[no-untyped-def]
    """A thread has a share of the vertices, and counts their edges before it writes them."""
    arcs = unowned(arcs)
    source, target, weight = unowned((source, target, weight))
    first, last = share(arcs.offsets.shape[0] - 1, thread, threads)
    count = ZERO
    for u in range(np.uint64(first), np.uint64(last)):
        begin, end = arc_range(arcs, u)
        for arc in range(begin, end):
            count += np.uint64(np.uint64(arcs.indices[arc]) >= u)
    counts[thread] = count
    if barrier(sync, threads):  # all counts are there
        return
    place = ZERO
    for t in range(thread):
        place += np.uint64(counts[t])
    for u in range(np.uint64(first), np.uint64(last)):
        begin, end = arc_range(arcs, u)
        for arc in range(begin, end):
            v = arcs.indices[arc]
            if np.uint64(v) >= u:
                source[place] = u
                target[place] = v
                if weight.shape[0] > 0:
                    weight[place] = arcs.weights[arc]
                place += np.uint64(1)


def upper_edges(graph: Graph) -> tuple[Array, Array, Array | None]:
    """What `Graph.edges` gives of an undirected graph on the host."""
    k, weights = graph.num_edges, graph.weights
    source, target = np.empty(k, np.int32), np.empty(k, np.int32)
    weight = np.empty(0 if weights is None else k, graph.weight_dtype or np.int32)
    # Without weights an empty array of theirs: kernels are compiled for nothing else.
    arcs = arcs_of(graph, weight if weights is None else weights)
    threads = max(1, min(thread_count.num_threads(), graph.num_arcs // _ARCS_PER_THREAD))
    team.run(_list, threads, arcs, np.zeros(threads, np.uint64), source, target, weight)
    return source, target, None if weights is None else weight
