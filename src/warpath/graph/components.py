"""Connected components: weak ones by concurrent union-find, strong ones by SciPy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arcs import Arcs
from warpath.graph.build import merge_parallel
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap, unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier, share, stopping

Array = NDArray[Any]

# Arrays are indexed by unsigned integers: Numba would check signed ones for negative ones.
_ONE, _ZERO = np.uint64(1), np.uint64(0)
_SAMPLED_ARCS = np.uint64(2)  # of each vertex; Afforest's choice (section V)
_SAMPLED_VERTICES = 1024  # to find the component that most are in; Afforest's choice
_CHUNK = 1024  # vertices claimed at a time: degrees differ too much for equal shares
_EDGES_PER_THREAD = 65536  # guess: some 0.2 ms of work, against some 20 µs to start a team


def connected_components(graph: Arcs, reached: Array | None = None) -> tuple[Array, int]:
    """Weakly connected components.

    Parameters
    ----------
    graph : Graph
    reached : int32 array, shape (n,), optional
        Only for an undirected graph. Vertices that are known to be connected have a number from 0 on, others -1. It
        becomes the labels.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component.
    count : int
        Number of components; an isolated vertex is one.

    Notes
    -----
    Almost O(n + m) time, 4n bytes. Sutton, Ben-Nun, Barak: Optimizing parallel graph
    connectivity computation via subgraph sampling (Afforest), IPDPS 2018.
    Each vertex is joined with its first two neighbours; the component that most vertices are in then
    is the giant one. In an undirected graph the arcs out of it need no further look, since each arc
    that leads on stands at its other end as well. With ``reached`` the giant one is known, as in Slota, Rajamanickam, Madduri:
    BFS and coloring-based parallel algorithms for strongly connected components and related problems (Multistep),
    IPDPS 2014; and only its other vertices are joined.
    """
    n, threads = graph.num_vertices, threads_for_components(graph)
    parent, root = np.empty(n, np.int32), np.int32(-1)
    if reached is not None and n:
        parent, root = reached, np.int32(np.argmax(reached >= 0))  # the smallest
    claimed = np.zeros(1, np.int64)
    offsets, indices = (
        array.view(f"u{array.itemsize}") for array in (graph.row_offsets, graph.column_indices)
    )
    team.run(_join, threads, offsets, indices, graph.directed, claimed, parent, root)
    return parent, int(np.count_nonzero(parent == np.arange(n, dtype=np.int32)))


def threads_for_components(graph: Arcs) -> int:
    """How many threads `connected_components` takes, at most."""
    return max(1, min(thread_count.num_threads(), graph.num_arcs // _EDGES_PER_THREAD))


def strongly_connected_components(graph: Arcs) -> tuple[Array, int]:
    """Strongly connected components, by SciPy; results as of `connected_components`."""
    if not graph.directed:
        return connected_components(graph)
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components as by_scipy

    n = graph.num_vertices
    # On parallel arcs SciPy's function does not end.
    offsets, indices, _ = merge_parallel(graph.row_offsets, graph.column_indices, None, "min")
    arcs = csr_array((np.ones(len(indices), np.int8), indices, offsets), shape=(n, n))
    count, number = by_scipy(arcs, connection="strong")
    smallest = np.empty(count, np.int32)
    smallest[number[::-1]] = np.arange(n, dtype=np.int32)[::-1]  # the last to write is the smallest
    return smallest[number], int(count)


def largest_component(graph: Arcs, *, strong: bool = False) -> Array:
    """Vertices of the largest (weakly) connected component, ascending: int32 array.

    If several are as large, the one with the smallest vertex; empty for a graph without any.
    """
    labels, _ = (strongly_connected_components if strong else connected_components)(graph)
    if not len(labels):
        return labels
    largest = np.bincount(labels).argmax()
    return np.flatnonzero(labels == largest).astype(np.int32)


@compiled
def _join(thread, threads, sync, offsets, indices, directed, claimed, parent, root):  # type: ignore[no-untyped-def]
    """Join the ends of my share of the arcs: of the sampled ones first, then of the rest.

    ``parent`` is a forest whose links lead to smaller vertices. Only a root is ever given
    a link, by compare-and-swap, so a tree never loses a vertex and its root is its
    smallest one; which thread links first does not matter for the end. If ``root`` is a vertex, ``parent`` is not negative where
    it is known to be the root.
    """
    (offsets, indices, parent, claimed) = unowned((offsets, indices, parent, claimed))
    n = np.uint64(parent.shape[0])
    first, last = share(parent.shape[0], thread, threads)
    begin, end = np.uint64(first), np.uint64(last)
    giant, sampled = root, _ZERO
    if root >= 0:
        for v in range(begin, end):
            parent[v] = root if parent[v] >= 0 else np.int32(v)
    else:
        sampled = _SAMPLED_ARCS
        for v in range(begin, end):
            parent[v] = _hung(offsets, indices, parent, begin, v)
        barrier(sync, threads)  # every vertex hangs below its first neighbour, if that is smaller

        for v in range(begin, end):
            arc, stop = np.uint64(offsets[v]), np.uint64(offsets[v + _ONE])
            if arc + _ONE < stop:
                _link(parent, v, np.uint64(indices[arc + _ONE]))
        barrier(sync, threads)  # the sample is joined
        for v in range(begin, end):
            _compress(parent, v)
        barrier(sync, threads)  # every parent is a root
        if not directed and n > _ZERO:
            giant = _frequent(parent)
    if barrier(sync, threads):  # all have looked before any of them links again
        return
    chunk = np.uint64(atomic_add(claimed, _ZERO, _CHUNK))
    while chunk < n and not stopping(sync):
        for v in range(chunk, np.minimum(chunk + np.uint64(_CHUNK), n)):
            if parent[v] != giant:
                arc, stop = np.uint64(offsets[v]), np.uint64(offsets[v + _ONE])
                if sampled and arc < stop and np.uint64(indices[arc]) > v:
                    _link(parent, v, np.uint64(indices[arc]))
                for later in range(arc + sampled, stop):
                    _link(parent, v, np.uint64(indices[later]))
        chunk = np.uint64(atomic_add(claimed, _ZERO, _CHUNK))
    barrier(sync, threads)  # all is joined
    if root >= 0 and parent[np.uint64(root)] != root:
        root = np.int32(-1)  # it hangs below a smaller vertex
    for v in range(begin, end):
        if parent[v] != root:
            _compress(parent, v)


@inlined
def _hung(offsets, indices, parent, begin, v):  # type: ignore[no-untyped-def]
    """v's first parent: its first neighbour, which is its smallest, or that one's parent if it has one already."""
    arc, stop = np.uint64(offsets[v]), np.uint64(offsets[v + _ONE])
    if arc == stop:
        return np.int32(v)
    above = np.uint64(indices[arc])
    if above >= v:
        return np.int32(v)
    return parent[above] if above >= begin else np.int32(above)


@inlined
def _link(parent, u, v):  # type: ignore[no-untyped-def]
    """Put u and v into one tree: hang the larger of their roots below the smaller."""
    a, b = np.uint64(parent[u]), np.uint64(parent[v])
    while a != b:
        high, low = np.maximum(a, b), np.minimum(a, b)
        above = np.uint64(parent[high])
        if above == low:
            return
        if above == high:
            found = atomic_compare_and_swap(parent, high, np.int32(high), np.int32(low))
            if np.uint64(found) == high:
                return
        a, b = np.uint64(parent[np.uint64(parent[high])]), np.uint64(parent[low])


@inlined
def _compress(parent, v):  # type: ignore[no-untyped-def]
    """Make v's root its parent. Others may shorten the same path: each step stays on it."""
    above = np.uint64(parent[v])
    while True:
        next_ = np.uint64(parent[above])
        if next_ == above:
            return
        parent[v] = np.int32(next_)
        above = next_


@compiled
def _frequent(parent):  # type: ignore[no-untyped-def]
    """The root that more than half of some evenly spread vertices have; if none has, any root."""
    n = parent.shape[0]
    samples = min(n, _SAMPLED_VERTICES)
    best, lead = parent[0], 0  # Boyer and Moore's vote: the others cannot outvote a majority
    for i in range(samples):
        root = parent[i * n // samples]
        if lead == 0:
            best = root
        lead += 1 if root == best else -1
    return best
