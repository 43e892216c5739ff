"""Dense matrices of arcs, and what their closure must be."""

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from algebras import RULES, in_dtype

DTYPES = ("int16", "int32", "int64", "float32", "float64")
ALGEBRAS = tuple(RULES)


def limits(dtype):
    return in_dtype(-np.inf, dtype), in_dtype(np.inf, dtype)


def ends(algebra, dtype):
    """("no path", a path without arcs)."""
    _, _, start, none = RULES[algebra]
    return in_dtype(none, dtype), in_dtype(start, dtype)


def drawn(n, dtype, density, seed, *, negative=False, algebra="shortest", most=9, none=None):
    """A matrix of arcs; negative weights by potentials, so that there are no negative cycles."""
    rng = np.random.default_rng(seed)
    highest, start = ends(algebra, dtype)
    weights = rng.integers(0, most + 1, (n, n))
    if algebra == "most-reliable":
        weights = 0.5 ** (weights % 4)
    elif negative:
        potential = rng.integers(0, most + 1, n)
        weights = weights + potential[:, None] - potential
    arcs = weights.astype(dtype)
    arcs[rng.random((n, n)) >= density] = highest if none is None else none
    np.fill_diagonal(arcs, start)
    return arcs


def in_components(arcs, none, count):
    """The same without arcs between components of neighbours, and in the last one of them."""
    apart = arcs.copy()
    component = np.arange(len(arcs)) * count // len(arcs)
    apart[component[:, None] != component] = none
    apart[component == count - 1] = none
    np.fill_diagonal(apart, np.diagonal(arcs))
    return apart


def tree_of(arcs, none):
    present = arcs != arcs.dtype.type(none)
    np.fill_diagonal(present, False)
    return np.where(present, np.arange(len(arcs), dtype=np.int32)[:, None], np.int32(-1))


def closed(arcs, algebra):
    """The definition, step by step; of shortest paths by SciPy."""
    none = arcs.dtype.type(ends(algebra, arcs.dtype)[0])
    if algebra == "shortest":
        source, target = np.nonzero(arcs != none)
        exact = csr_array((arcs[source, target].astype(float), (source, target)), arcs.shape)
        found = shortest_path(exact, method="J" if (arcs < 0).any() else "D")
        distance = np.full(arcs.shape, none)
        reached = np.isfinite(found)
        distance[reached] = found[reached]
        return distance
    extend, best, _, _ = RULES[algebra]
    for k in range(len(arcs)):
        arcs = best(arcs, extend(arcs[:, k, None], arcs[k]))
    return arcs


def check_trees(arcs, distance, tree, algebra="shortest", reached=None):
    """Predecessors lead back to the row's own vertex, by arcs that make the distance."""
    if reached is None:
        reached = distance != arcs.dtype.type(ends(algebra, arcs.dtype)[0])
        np.fill_diagonal(reached, True)
    assert (tree[~reached] == -1).all()
    assert (np.diagonal(tree) == -1).all()
    source, target = np.nonzero(reached & ~np.eye(len(arcs), dtype=bool))
    before = tree[source, target]
    assert (before >= 0).all()
    made = RULES[algebra][0](distance[source, before], arcs[before, target])
    assert np.array_equal(made, distance[source, target])
    up = np.where(tree < 0, np.arange(len(arcs))[:, None], tree)
    for _ in range(len(arcs).bit_length()):
        up = np.take_along_axis(up, up, axis=1)
    assert np.array_equal(up[reached], np.nonzero(reached)[0])
