"""Weights for the papers' graphs, most of which have none of their own.

1 … 255, hashed from an edge's ends, so that both arcs of an edge weigh the same and the weights do
not depend on the order of arcs. The papers do not say what theirs are.
"""

from warpath.bench.suite import Weights
from warpath.generate import negative_weights
from warpath.generate.weights import hashed_weights
from warpath.graph.arrays import module_of
from warpath.graph.csr import sources_of
from warpath.graph.graph import Graph

LOW, HIGH = 1, 255


def weighted(graph: Graph, weights: Weights) -> Graph:
    """The graph with ``weights``, where it is: see `warpath.bench.suite.Case`.

    "negative": each edge becomes two arcs, since an undirected edge of negative weight is a
    negative cycle, and potentials shift the weights: some are negative, no cycle is.
    """
    if weights is None:
        return graph
    csr = graph.resident
    source, target = sources_of(csr), csr.column_indices
    drawn = hashed_weights(source, target, LOW, HIGH, module_of(target))
    if weights == "positive":
        return graph.with_weights(drawn)
    arcs = Graph.from_csr(*csr[:2], drawn, device=graph.device)
    return negative_weights(arcs, 1)
