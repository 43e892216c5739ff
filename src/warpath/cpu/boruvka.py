"""Minimum spanning forests: Borůvka's algorithm, by all threads.

Source: O. Borůvka, "O jistém problému minimálním", 1926; the hooking by atomic minima follows
V. Vineet, P. Harish, S. Patidar, P. J. Narayanan, "Fast minimum spanning tree for large graphs
on the GPU", HPG 2009.

In a round every tree of the forest finds its lightest edge to another tree, and all trees are
joined along these edges; there are half as many trees or fewer after each.

What is in the encoding:

- Edges are compared by (weight, place in the list): no two are equal, so the forest is the one and
  only, that which Kruskal's algorithm finds with a stable sort; nothing is sorted here.
- ``root[v]`` is the root of v's tree. Edges whose ends have one root are dropped: a thread packs the
  rest of its share of ``alive`` to the front of it.
- ``best[r]`` is the lightest edge out of the tree of r, by compare-and-swap. Two trees may choose
  the same edge: then the one with the smaller root hangs nowhere. Other cycles cannot be, as
  along one each edge would have to be lighter than the one before.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.unsigned import ONE, unsigned
from warpath.graph.build import read_only
from warpath.parallel import team, thread_count
from warpath.parallel.atomics import atomic_add, atomic_compare_and_swap, atomic_load, unowned
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier, share, stopping_at

Array = NDArray[Any]

_NONE = -1
_EDGES_PER_THREAD = 16384  # a guess


class _Edges(NamedTuple):
    """Those of the graph."""

    source: Any
    target: Any
    weight: Any


class _Forest(NamedTuple):
    """What grows: see above. ``chosen`` edges are in it, ``joined`` counts trees, three rounds in turn."""

    root: Any
    parent: Any
    best: Any
    alive: Any
    chosen: Any
    joined: Any


@inlined
def _offer(best, tree, edge, weight):  # type: ignore[no-untyped-def]
    """Make ``edge`` the best of ``tree``, unless that has a lighter one."""
    while True:
        held = atomic_load(best, tree)
        if held != _NONE:
            there, mine = weight[np.uint64(held)], weight[np.uint64(edge)]
            if there < mine or (there == mine and held <= edge):
                return
        if atomic_compare_and_swap(best, tree, held, edge) == held:
            return


@compiled
def _grow(thread, threads, sync, edges, forest):  # type: ignore[no-untyped-def]
    """Rounds, until no tree has an edge to another; shares of vertices and edges are fixed."""
    source, target, weight = unowned(edges)
    root, parent, best, alive, chosen, joined = unowned(forest)
    begin, end = share(root.shape[0], thread, threads)
    first, last = share(source.shape[0], thread, threads)
    low, high = np.uint64(begin), np.uint64(end)
    mine: Any = np.uint64(first)
    left: Any = np.uint64(last)
    for k in range(mine, left):
        alive[k] = k
    for v in range(low, high):
        root[v] = v
    turn = 0
    while True:
        for v in range(low, high):
            best[v] = _NONE
        if thread == 0:
            joined[(turn + 1) % 3] = 0  # not in use yet, and read by no thread any more
        barrier(sync, threads)  # roots of all vertices, and no bests

        kept: Any = mine
        for k in range(mine, left):
            if stopping_at(sync, k):  # the next barrier but one ends the kernel
                break
            edge = np.uint64(alive[k])
            a, b = root[source[edge]], root[target[edge]]
            if a != b:
                alive[kept] = edge
                kept += ONE
                _offer(best, a, np.int64(edge), weight)
                _offer(best, b, np.int64(edge), weight)
        left = kept
        barrier(sync, threads)  # bests of all trees

        count = 0
        for v in range(low, high):
            if root[v] != v:
                continue
            parent[v] = v
            if best[v] == _NONE:
                continue
            edge = np.uint64(best[v])
            other = root[source[edge]]
            if other == v:
                other = root[target[edge]]
            if best[other] != best[v] or v > other:
                parent[v] = other
                chosen[edge] = True
                count += 1
        if count > 0:
            atomic_add(joined, turn, count)
        if barrier(sync, threads):  # parents of all roots, and how many trees were joined
            return

        if joined[turn] == 0:
            return
        for v in range(low, high):
            up: Any = root[v]
            while parent[up] != up:
                # Path halving: where weights are equal, all trees of a path form one chain. Other
                # threads do so too: every vertex that is read or written is an ancestor.
                over = parent[np.uint64(parent[up])]
                parent[up] = over
                up = np.uint64(over)
            root[v] = up
        turn = (turn + 1) % 3


def threads_for_edges(k: int) -> int:
    """How many threads `boruvka` takes for k edges, at most."""
    return max(1, min(thread_count.num_threads(), k // _EDGES_PER_THREAD))


def boruvka(n: int, source: Array, target: Array, weight: Array) -> NDArray[np.int64]:
    """Edges of the minimum spanning forest, ascending.

    Parameters
    ----------
    n : int
        Number of vertices.
    source, target : int32 arrays, shape (k,)
        The ends of each edge; self-loops and parallel edges are welcome.
    weight : array, shape (k,)
        Without NaN. Where two are equal, the first one counts as lighter.

    Returns
    -------
    int64 array
        Places in ``source`` and ``target``.

    Notes
    -----
    O((n + k) log n) at worst; 16n + 9k bytes.
    """
    k = len(source)
    threads = threads_for_edges(k)
    edges = _Edges(unsigned(read_only(source)), unsigned(read_only(target)), read_only(weight))
    forest = _Forest(
        root=np.empty(n, np.uint32),
        parent=np.empty(n, np.uint32),
        best=np.empty(n, np.int64),
        alive=np.empty(k, np.uint64),
        chosen=np.zeros(k, bool),
        joined=np.zeros(3, np.int64),
    )
    team.run(_grow, threads, edges, forest)
    return np.flatnonzero(forest.chosen)
