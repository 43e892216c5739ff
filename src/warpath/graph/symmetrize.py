"""The undirected graph beneath a directed one: each arc in both directions.

The reverse has sorted rows too, so a row of the answer is two sorted rows, merged.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.build import read_only
from warpath.graph.graph import Graph
from warpath.parallel import team, thread_count
from warpath.parallel.jit import compiled
from warpath.parallel.sync import share

Array = NDArray[Any]

_EDGES_PER_THREAD = 65536  # guess: some 0.3 ms of work, against some 20 µs to start a team


def symmetrized(graph: Graph) -> Graph:
    """An undirected graph with an edge for each arc.

    Symmetric arcs are taken as they are, without a copy. Else each arc's reverse follows
    it, so an edge that had both directions has become two parallel ones, and a self-loop too:
    for shortest paths that is all the same. `Graph.from_edges` with ``symmetrize=True`` tidies
    up, and takes four times as long.
    """
    if not graph.directed:
        return graph
    back = graph.reverse
    here, there = (_arrays(side) for side in (graph, back))
    if all(np.array_equal(a, b) for a, b in zip(here, there, strict=True)):
        return Graph._from_parts(
            *graph.resident, False, graph.labels, geometry=graph.geometry
        )  # fmt: skip
    m = 2 * graph.num_arcs
    offsets = np.add(here[0], there[0], dtype=np.int32 if m < 2**31 else np.int64)
    indices, weights = np.empty(m, np.int32), np.empty(2 * len(here[2]), here[2].dtype)
    team.run(
        _merge, max(1, min(thread_count.num_threads(), m // _EDGES_PER_THREAD)),
        *here, *there, offsets, indices, weights,
    )  # fmt: skip
    return Graph._from_parts(
        offsets, indices, None if graph.weights is None else weights, False, graph.labels,
        geometry=graph.geometry,
    )  # fmt: skip


def _arrays(graph: Graph) -> tuple[Array, Array, Array]:
    weights = read_only(np.empty(0, np.int32)) if graph.weights is None else graph.weights
    return graph.row_offsets, graph.column_indices, weights


@compiled
def _merge(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, indices, weights, back_offsets, back_indices, back_weights,
    merged_offsets, merged_indices, merged_weights,
):  # fmt: skip
    """Merge the two rows of each of my vertices."""
    weighted = merged_weights.shape[0] > 0
    begin, end = share(offsets.shape[0] - 1, thread, threads)
    for u in range(begin, end):
        arc, last = offsets[u], offsets[u + 1]
        back, back_last = back_offsets[u], back_offsets[u + 1]
        for place in range(merged_offsets[u], merged_offsets[u + 1]):
            forth = back == back_last or (arc < last and indices[arc] <= back_indices[back])
            if forth:
                merged_indices[place] = indices[arc]
                if weighted:
                    merged_weights[place] = weights[arc]
                arc += 1
            else:
                merged_indices[place] = back_indices[back]
                if weighted:
                    merged_weights[place] = back_weights[back]
                back += 1
