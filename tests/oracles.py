"""What the tests of every traversal share: the methods, the graphs, and trusted answers."""

import functools

import numpy as np
import pytest
from scipy.sparse import csgraph, csr_array

from warpath import Graph
from warpath.generate import erdos_renyi, grid, named, negative_weights, rmat

DIRECTIONS = ("optimizing", "top-down", "bottom-up")
NON_NEGATIVE = ("delta-stepping", "dijkstra")
SIGNED = ("bellman-ford", "bellman-ford-queueless", "sequential-bellman-ford")
METHODS = (*NON_NEGATIVE, *SIGNED)
DTYPES = (np.int32, np.int64, np.float32, np.float64)
# Where each dtype is a set of kernels to compile, or many examples: one of each kind by default.
ONE_OF_EACH_KIND = [
    np.int32, np.float64, *(pytest.param(one, marks=pytest.mark.slow) for one in (np.int64, np.float32)),
]  # fmt: skip

_SHAPES = {
    "one vertex": lambda: Graph.from_edges([], [], n=1),
    "no arcs": lambda: Graph.from_edges([], [], n=130),
    "self-loop": lambda: Graph.from_edges([0, 0, 1], [0, 0, 1]),
    "path": lambda: named("path", 1500),
    "directed cycle": lambda: named("cycle", 64, directed=True),
    "star": lambda: named("star", 70_000),
    "complete": lambda: named("complete", 65),
    "tree": lambda: named("binary-tree", 8191),
    "karate": lambda: named("karate"),
    "grid": lambda: grid(130, 150, keep=0.9),
    "uniform, directed": lambda: erdos_renyi(6000, 40_000, directed=True, replace=True),
    "power law": lambda: rmat(13, 24),
    "power law, directed": lambda: rmat(12, 8, directed=True),
}  # fmt: skip
SHAPES = tuple(_SHAPES)


@functools.cache
def shape(name: str) -> Graph:
    """One of `SHAPES`, without weights."""
    return _SHAPES[name]()


@functools.cache
def weighted(name: str, dtype: type) -> Graph:
    """One of `SHAPES`, with small weights (zeros and ties among them), floats that round."""
    graph = shape(name)
    source, target, _ = graph.coo()
    low, high = np.minimum(source, target), np.maximum(source, target)
    weights = ((low * 31 + high * 17) % 12).astype(dtype)
    if weights.dtype.kind == "f":
        weights *= weights.dtype.type(0.1)
    return graph.with_weights(weights)


def weighted_for(name: str, algebra: str, dtype: type) -> Graph:
    """One of `SHAPES`, with weights for a path algebra other than sums."""
    graph = weighted(name, dtype)
    assert graph.weights is not None
    if algebra == "most-reliable":
        # So near to 1 that the longest path's product stays far above the least float32.
        return graph.with_weights(dtype(1) - graph.weights.astype(dtype) / dtype(2**20))
    return graph.with_weights(graph.weights - dtype(1))  # zeros and negative ones


@functools.cache
def signed(name: str, dtype: type) -> Graph:
    """A directed one of `SHAPES` with negative weights, but no negative cycle."""
    return negative_weights(weighted(name, dtype), 5)


def some_vertices(graph: Graph) -> list[int]:
    """Sources to start from: the ends, the middle, one of largest degree."""
    n = graph.num_vertices
    return sorted({0, n // 2, n - 1, int(graph.degree.argmax())})


def lightest(graph: Graph) -> csr_array:
    """SciPy's matrix in float64, of parallel arcs the lightest."""
    source, target, weight = graph.coo()
    weight = np.ones(len(source)) if weight is None else weight.astype(np.float64)
    n = graph.num_vertices
    return Graph.from_edges(source, target, weight, n=n, merge="min").to_scipy()


@functools.lru_cache(1000)
def levels(graph: Graph, source: int) -> np.ndarray:
    """Distances in arcs by SciPy: int32, -1 where unreachable."""
    found = csgraph.dijkstra(lightest(graph.without_weights()), indices=source)
    return np.where(np.isinf(found), -1, found).astype(np.int32)


@functools.lru_cache(1000)
def distances(graph: Graph, source: int, dtype: type) -> np.ndarray:
    """Distances by SciPy, in ``dtype``; exact for float64, and for integers below 2⁵³.

    Raises SciPy's NegativeCycleError when the source reaches one.
    """
    solve = csgraph.bellman_ford if graph.weight_range[0] < 0 else csgraph.dijkstra
    return in_dtype(solve(lightest(graph), indices=source), dtype)


def in_dtype(found: np.ndarray, dtype: type) -> np.ndarray:
    """SciPy's distances with our sign for "no path"."""
    if np.dtype(dtype).kind == "f":
        return found.astype(dtype)
    answer = np.full(found.shape, np.iinfo(dtype).max, dtype)
    reached = np.isfinite(found)
    answer[reached] = found[reached].astype(dtype)
    return answer


def unreachable(dtype: np.dtype) -> float | int:
    """The distance that says "no path" in a shortest-path answer."""
    return np.inf if np.dtype(dtype).kind == "f" else np.iinfo(dtype).max


def small_multigraph(seed: int, dtype: type | None, *, directed: bool = True) -> Graph:
    """14 vertices, two of them isolated, 40 arcs with self-loops and parallel ones."""
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, 12, (2, 40))
    weight = None if dtype is None else rng.integers(0, 5, 40).astype(dtype)
    if weight is not None and weight.dtype.kind == "f":
        weight *= weight.dtype.type(0.1)
    return Graph.from_edges(source, target, weight, n=14, directed=directed)
