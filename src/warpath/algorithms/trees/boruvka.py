"""Borůvka's algorithm by operators, for GPUs; `warpath.cpu.boruvka` is the CPU's.

What is in the encoding:

- ``tree[v]`` is the root of v's tree; ``lightest`` and ``edge`` have an element for each root.
- An edge is its smaller end, shifted by 32 bits, and its larger end. Edges are compared by weight, and those of one
  weight by that number. So no two are equal, but for parallel edges of one weight, of which any will do.
- ``over[r]`` is the root that r is hung below, or r. Two trees may have the same lightest edge: the smaller root stays.
"""

from typing import Any

import numpy as np

from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.vertices import compute, filter, prepare_reduce
from warpath.graph.arrays import to_host
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.language import atomic_min, operator
from warpath.schedule import ScheduleLike
from warpath.typing import BuildDeviceName

_NONE = 2**63 - 1  # no edge
_LARGER_END = 2**32 - 1
_STEPS = 64  # on a path before it is shortened: a guess


@operator
def _weigh(u, v, w, tree, lightest):  # type: ignore[no-untyped-def]
    """Offer the edge's weight to u's tree; whether the edge leads to another tree."""
    if tree[u] == tree[v]:
        return False
    atomic_min(lightest, tree[u], w)
    return True


@operator
def _choose(u, v, w, tree, lightest, edge):  # type: ignore[no-untyped-def]
    """Take the first of the lightest edges of u's tree."""
    if tree[u] != tree[v] and w == lightest[tree[u]]:
        atomic_min(edge, tree[u], np.int64(min(u, v)) << 32 | max(u, v))


@operator
def _hang(v, tree, edge, over):  # type: ignore[no-untyped-def]
    """Hang the tree of root v below the one that its edge leads to; whether it hangs."""
    over[v] = v
    if edge[v] == _NONE:
        return False
    other = tree[edge[v] >> 32]
    if other == v:
        other = tree[edge[v] & _LARGER_END]
    if edge[other] == edge[v] and v < other:
        return False
    over[v] = other
    return True


@operator
def _shorten(v, over):  # type: ignore[no-untyped-def]
    """Follow the path to the top, for some steps; whether it goes on. Other threads shorten it, and stay on it."""
    above = over[v]
    top = over[above]
    steps = 0
    while top != above and steps < _STEPS:
        above = top
        top = over[above]
        steps += 1
    over[v] = top
    return top != above


@operator
def _is_root(v, over):  # type: ignore[no-untyped-def]
    return over[v] == v


@operator
def _join(v, tree, over):  # type: ignore[no-untyped-def]
    tree[v] = over[tree[v]]


def forest_edges(graph: Graph, xp: Any, schedule: ScheduleLike = None) -> tuple[Any, Any, Any]:
    """Edges of the minimum spanning forest, ascending.

    Parameters
    ----------
    graph : Graph
        Undirected.
    xp : module
        NumPy or CuPy.
    schedule : Schedule, str or Technique, optional

    Returns
    -------
    source, target : int32 array
        Their ends, source < target.
    weight : array, or None
        Their weights, if the graph has weights.
    """
    n, dtype = graph.num_vertices, graph.weight_dtype or np.dtype(np.int32)
    tree, over = xp.arange(n, dtype=np.int32), xp.empty(n, np.int32)
    lightest, edge = xp.empty(n, dtype), xp.empty(n, np.int64)
    left = roots = Frontier.of(graph, xp.arange(n, dtype=np.int32))
    edges, weights = [xp.empty(0, np.int64)], [xp.empty(0, dtype)]
    while True:
        lightest.fill(unreachable(dtype))
        left = advance(graph, left, _weigh, tree, lightest, schedule=schedule)
        if not left:
            break
        edge.fill(_NONE)
        advance(graph, left, _choose, tree, lightest, edge, schedule=schedule)
        hung = filter(roots, _hang, tree, edge, over).vertices
        edges.append(edge[hung])
        weights.append(lightest[hung])
        shorten = prepare_reduce(roots, _shorten, over, by="any")
        while shorten.run().item():
            pass
        roots = filter(roots, _is_root, over)
        compute(graph, _join, tree, over)
    found, weight = xp.concatenate(edges), xp.concatenate(weights)
    order = xp.argsort(found)
    found, weight = found[order], weight[order]
    source, target = (found >> 32).astype(np.int32), (found & _LARGER_END).astype(np.int32)
    return source, target, None if graph.weight_dtype is None else weight


def lightest_edges(n: int, source: Any, target: Any, weights: Any, xp: Any) -> Any:
    """Places of the edges of a minimum spanning forest, the lightest first: among equal ones the first.

    Parameters
    ----------
    n : int
    source, target : int32 array, shape (m,)
        Ends of edges, whichever way they lead.
    weights : array, shape (m,)
        NumPy's; NaN comes last.
    xp : module
        NumPy or CuPy.

    Returns
    -------
    int64 array
        NumPy's.
    """
    order = np.argsort(weights, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    where: BuildDeviceName = "cpu" if xp is np else "cuda"
    graph = Graph.from_edges(source, target, rank, n=n, directed=False, device=where)
    ranks = forest_edges(graph, xp)[2]
    return order[np.sort(to_host(ranks))]
