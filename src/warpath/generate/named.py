"""Small graphs that have a name: families by number of vertices, and famous ones."""

from collections.abc import Callable
from typing import Any

import numpy as np

from warpath.generate.weights import Range, uniform_weights
from warpath.graph.check import as_vertex_count, check_flags, choose
from warpath.graph.graph import Graph
from warpath.typing import GraphName

Pairs = list[tuple[int, int]]


def named(
    name: GraphName,
    n: int | None = None,
    *,
    directed: bool = False,
    weights: Range | None = None,
    seed: int = 0,
) -> Graph:
    """A small known graph.

    Parameters
    ----------
    name : str
        A family with ``n`` vertices. ``"path"`` is 0 – 1 – … – (n − 1). ``"cycle"`` is a path
        and an edge from its end to its start. ``"star"`` joins vertex 0 to all others.
        ``"complete"`` has all edges. ``"binary-tree"`` has vertex v above 2v + 1 and 2v + 2.
        Or one graph: ``"petersen"`` (10 vertices, 15 edges), ``"karate"`` (Zachary's
        karate club: 34 vertices, 78 edges).
    n : int, optional
        For a family, and only for one.
    directed : bool
        True: each edge is one arc, in the direction said above, from the smaller id to the
        larger where nothing is said; of a complete graph it is both arcs.
    weights : (low, high), optional
    seed : int
        See `warpath.generate`.

    Returns
    -------
    Graph
        The graph of that name.

    Raises
    ------
    ValueError
        If the name is unknown, or ``n`` is missing, too small or not wanted.

    See Also
    --------
    grid : Rows and columns.

    Notes
    -----
    Zachary: An information flow model for conflict and fission in small groups, 1977.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.named("karate")
    >>> g.num_vertices, g.num_edges
    (34, 78)
    """
    check_flags(directed=directed)
    choose("graph", name, sorted([*FAMILIES, *GRAPHS]))
    if name in FAMILIES:
        if n is None:
            raise ValueError(f"{name!r} is a family of graphs: give n, the number of vertices")
        n = as_vertex_count(n)
        least, pairs_of = FAMILIES[name]
        if n < least:
            raise ValueError(f"{name!r} has at least {least} vertices, not {n}")
        pairs = pairs_of(n)
    else:
        own_n, pairs = GRAPHS[name]
        if n is not None:
            raise ValueError(f"{name!r} has {own_n} vertices: it takes no n")
        n = own_n
    if directed and name == "complete":
        pairs = pairs + [(v, u) for u, v in pairs]
    source, target = np.array(pairs, np.int32).reshape(-1, 2).T
    drawn: Any = uniform_weights(len(pairs), weights, seed)
    return Graph.from_edges(source, target, drawn, n=n, directed=directed)


def _path(n: int) -> Pairs:
    return [(v - 1, v) for v in range(1, n)]


def _cycle(n: int) -> Pairs:
    return [*_path(n), (n - 1, 0)]


def _star(n: int) -> Pairs:
    return [(0, v) for v in range(1, n)]


def _complete(n: int) -> Pairs:
    return [(u, v) for v in range(n) for u in range(v)]


def _binary_tree(n: int) -> Pairs:
    return [((v - 1) // 2, v) for v in range(1, n)]


# The least number of vertices and the edges of a family's graph.
FAMILIES: dict[str, tuple[int, Callable[[int], Pairs]]] = {
    "binary-tree": (0, _binary_tree),
    "complete": (0, _complete),
    "cycle": (3, _cycle),
    "path": (0, _path),
    "star": (0, _star),
}

# Two cycles of five, the inner one drawn as a star, and spokes between them.
_PETERSEN: Pairs = [
    *((v, (v + 1) % 5) for v in range(5)),
    *((5 + v, 5 + (v + 2) % 5) for v in range(5)),
    *((v, v + 5) for v in range(5)),
]

# The friends of each member that come after it.
_KARATE_FRIENDS: dict[int, tuple[int, ...]] = {
    0: (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31),
    1: (2, 3, 7, 13, 17, 19, 21, 30),
    2: (3, 7, 8, 9, 13, 27, 28, 32),
    3: (7, 12, 13),
    4: (6, 10),
    5: (6, 10, 16),
    6: (16,),
    8: (30, 32, 33),
    9: (33,),
    13: (33,),
    14: (32, 33),
    15: (32, 33),
    18: (32, 33),
    19: (33,),
    20: (32, 33),
    22: (32, 33),
    23: (25, 27, 29, 32, 33),
    24: (25, 27, 31),
    25: (31,),
    26: (29, 33),
    27: (33,),
    28: (31, 33),
    29: (32, 33),
    30: (32, 33),
    31: (32, 33),
    32: (33,),
}

GRAPHS: dict[str, tuple[int, Pairs]] = {
    "karate": (34, [(u, v) for u, friends in _KARATE_FRIENDS.items() for v in friends]),
    "petersen": (10, [(min(pair), max(pair)) for pair in _PETERSEN]),
}
