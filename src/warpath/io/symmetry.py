"""Whether arcs are symmetric, seen in one pass and without memory.

`Graph.from_csr(..., directed=False)` proves it by building the reverse. For a file that was
written from an undirected graph that is a lot of work to find what is expected. Equal sums of 64-bit
hashes of all (u, v, weight) and all (v, u, weight) find it as well, and miss a damaged file with
probability 2⁻⁶⁴.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.graph.batches import EdgeBatches
from warpath.graph.build import read_only
from warpath.graph.csr import row_blocks
from warpath.graph.graph import Graph
from warpath.graph.mixing import GOLDEN, mixed
from warpath.parallel.jit import compiled
from warpath.progress import Progress

Array = NDArray[Any]

_AT_ONCE = 1 << 26  # arcs between two looks at Ctrl-C, some 0.5 s: a guess
_32 = np.uint64(32)


@compiled
def _fingerprints(first, last, offsets, indices, bits, weighted):  # type: ignore[no-untyped-def]
    forth, back = np.uint64(0), np.uint64(0)
    for u in range(first, last):
        for arc in range(offsets[u], offsets[u + 1]):
            a, b = np.uint64(u), np.uint64(indices[arc])
            w = np.uint64(bits[arc]) * GOLDEN if weighted else np.uint64(0)
            forth += mixed(mixed((a << _32) | b) + w)
            back += mixed(mixed((b << _32) | a) + w)
    return forth, back


def fingerprints(graph: Graph) -> tuple[int, int]:
    """Hashes of the multiset of a graph's arcs, and of that of its reverse's."""
    offsets = graph.row_offsets
    arrays = map(read_only, (offsets, graph.column_indices, _bits(graph.weights)))
    given = (*arrays, graph.weights is not None)
    forth = back = 0
    with Progress("Checking", graph.num_arcs, "steps") as progress:
        for first, last in row_blocks(offsets, _AT_ONCE):
            some = _fingerprints(first, last, *given)
            forth, back = (forth + int(some[0])) % 2**64, (back + int(some[1])) % 2**64
            progress.advance(int(offsets[last] - offsets[first]))
    return forth, back


def edges_are_symmetric(edges: EdgeBatches) -> bool:
    """Whether each edge's reverse is among the edges as often, with the same weights."""
    edges.unify_weights()
    forth = back = 0
    for source, target, weight in edges:
        bits = _bits(weight)
        some = _edge_fingerprints(*map(read_only, (source, target, bits)), weight is not None)
        forth, back = (forth + int(some[0])) % 2**64, (back + int(some[1])) % 2**64
    return forth == back


@compiled
def _edge_fingerprints(source, target, bits, weighted):  # type: ignore[no-untyped-def]
    forth, back = np.uint64(0), np.uint64(0)
    for edge in range(source.shape[0]):
        a, b = np.uint64(source[edge]), np.uint64(target[edge])
        w = np.uint64(bits[edge]) * GOLDEN if weighted else np.uint64(0)
        forth += mixed(mixed((a << _32) | b) + w)
        back += mixed(mixed((b << _32) | a) + w)
    return forth, back


def _bits(weights: Array | None) -> Array:
    """Weights as integers of their size."""
    if weights is None:
        return np.empty(0, np.int64)
    return weights.view(np.int32 if weights.itemsize == 4 else np.int64)


def as_undirected(graph: Graph) -> Graph:
    """A graph whose arcs are symmetric, as undirected; shares its arrays.

    Raises
    ------
    ValueError
        If they are not.
    """
    forth, back = fingerprints(graph)
    arrays = graph.row_offsets, graph.column_indices, graph.weights
    if forth != back:  # zeros of both signs are equal, but not their bits: prove it
        other = Graph.from_csr(*arrays, directed=False, labels=graph.labels)
        return other._lying(graph.geometry)
    return Graph._from_parts(*arrays, False, graph.labels, geometry=graph.geometry)
