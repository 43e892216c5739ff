"""Connected components: weak ones by concurrent union-find, strong ones by SciPy."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arcs import Arcs
from warpath.graph.build import merge_parallel
from warpath.parallel import team
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap
from warpath.parallel.jit import compiled
from warpath.parallel.team import barrier, share, stopping

Array = NDArray[Any]

_SAMPLED_ARCS = 2  # a vertex; Afforest's choice (section V)
_SAMPLED_VERTICES = 1024  # to find the component that most are in; Afforest's choice
_CHUNK = 1024  # vertices claimed at a time: degrees differ too much for equal shares
_EDGES_PER_THREAD = 65536  # guess: some 0.2 ms of work, against some 20 µs to start a team


def connected_components(graph: Arcs) -> tuple[Array, int]:
    """Weakly connected components.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component.
    count : int
        Number of components; an isolated vertex is one.

    Notes
    -----
    Almost O(n + m) time, 4n bytes. Sutton, Ben-Nun, Barak: Optimizing parallel graph
    connectivity computation via subgraph sampling (Afforest), IPDPS 2018: join each
    vertex with its first two neighbours; the component that most vertices are in then is
    the giant one, and of an undirected graph the arcs out of it need no further look,
    since each arc that leads on stands at its other end as well.
    """
    n, m = graph.num_vertices, graph.num_arcs
    parent = np.empty(n, np.int32)
    threads = max(1, min(team.num_threads(), m // _EDGES_PER_THREAD))
    claimed = np.zeros(1, np.int64)
    team.run(
        _join, threads,
        graph.row_offsets, graph.column_indices, graph.directed, claimed, parent,
    )  # fmt: skip
    return parent, int(np.count_nonzero(parent == np.arange(n, dtype=np.int32)))


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

    Of several as large, the one with the smallest vertex; empty for a graph without any.
    """
    labels, _ = (strongly_connected_components if strong else connected_components)(graph)
    if not len(labels):
        return labels
    largest = np.bincount(labels).argmax()
    return np.flatnonzero(labels == largest).astype(np.int32)


@compiled
def _join(thread, threads, sync, offsets, indices, directed, claimed, parent):  # type: ignore[no-untyped-def]
    """Join the ends of my share of the arcs: of the sampled ones first, then of the rest.

    ``parent`` is a forest whose links lead to smaller vertices. Only a root is ever given
    a link, by compare-and-swap, so a tree never loses a vertex and its root is its
    smallest one; who links first does not matter for the end.
    """
    n = parent.shape[0]
    begin, end = share(n, thread, threads)
    for v in range(begin, end):
        parent[v] = v
    barrier(sync, threads)  # every vertex is a root

    for v in range(begin, end):
        for arc in range(offsets[v], np.minimum(offsets[v] + _SAMPLED_ARCS, offsets[v + 1])):
            _link(parent, v, indices[arc])
    barrier(sync, threads)  # the sample is joined
    for v in range(begin, end):
        _compress(parent, v)
    barrier(sync, threads)  # every parent is a root

    giant = -1 if directed or n == 0 else _frequent(parent)
    if barrier(sync, threads):  # all have looked before anybody links again
        return
    chunk = atomic_add(claimed, 0, _CHUNK)
    while chunk < n and not stopping(sync):
        for v in range(chunk, np.minimum(chunk + _CHUNK, n)):
            if parent[v] != giant:
                for arc in range(offsets[v] + _SAMPLED_ARCS, offsets[v + 1]):
                    _link(parent, v, indices[arc])
        chunk = atomic_add(claimed, 0, _CHUNK)
    barrier(sync, threads)  # all is joined
    for v in range(begin, end):
        _compress(parent, v)


@compiled
def _link(parent, u, v):  # type: ignore[no-untyped-def]
    """Put u and v into one tree: hang the larger of their roots below the smaller."""
    a, b = parent[u], parent[v]
    while a != b:
        high, low = np.maximum(a, b), np.minimum(a, b)
        above = parent[high]
        if above == low:
            return
        if above == high and atomic_compare_and_swap(parent, high, high, low) == high:
            return
        a, b = parent[parent[high]], parent[low]


@compiled
def _compress(parent, v):  # type: ignore[no-untyped-def]
    """Make v's root its parent. Others may shorten the same path: each step stays on it."""
    while parent[v] != parent[parent[v]]:
        parent[v] = parent[parent[v]]


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
