"""Weights for the papers' graphs, most of which have none of their own.

1 … 255, hashed from an edge's ends, so that both arcs of an edge weigh the same and the weights do
not depend on the order of arcs. The papers do not say what theirs are.
"""

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from warpath.bench.suite import Weights
    from warpath.graph.graph import Graph

LOW, HIGH = 1, 255
# Odd constants of a multiplicative hash: Knuth's golden ratio, and SplitMix64's finalizer's.
_MIX, _FINISH = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_TOP_BITS = np.uint64(40)


def weighted(graph: "Graph", weights: "Weights") -> "Graph":
    """The graph with ``weights``: see `warpath.bench.suite.Case`.

    "negative": each edge becomes two arcs, since an undirected edge of negative weight is a
    negative cycle, and potentials shift the weights: some are negative, no cycle is.
    """
    if weights is None:
        return graph
    source, target, _ = graph.coo()
    low = np.minimum(source, target).astype(np.uint64)
    high = np.maximum(source, target).astype(np.uint64)
    mixed = (low * _MIX + high) * _FINISH
    drawn = ((mixed >> _TOP_BITS) % np.uint64(HIGH - LOW + 1)).astype(np.int32) + LOW
    if weights == "positive":
        return graph.with_weights(drawn)
    from warpath.generate import negative_weights
    from warpath.graph.graph import Graph

    arcs = Graph.from_edges(source, target, drawn, n=graph.num_vertices)
    return negative_weights(arcs, 1)
