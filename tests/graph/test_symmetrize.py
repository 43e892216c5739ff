"""Each arc in both directions."""

import numpy as np
import pytest

from oracles import DTYPES, SHAPES, small_multigraph, weighted
from warpath.graph.symmetrize import symmetrized


def both_ways(graph):
    source, target, weight = graph.coo()
    weight = np.ones(len(source)) if weight is None else weight
    arcs = list(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
    return sorted(arcs + [(v, u, w) for u, v, w in arcs])


@pytest.mark.parametrize("dtype", [None, *DTYPES], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_every_arc_and_its_reverse(seed, dtype, threads, monkeypatch):
    monkeypatch.setattr("warpath.graph.symmetrize._EDGES_PER_THREAD", 1)
    graph = small_multigraph(seed, dtype)
    other = symmetrized(graph)
    source, target, weight = other.coo()
    weight = np.ones(len(source)) if weight is None else weight
    assert not other.directed
    assert (other.weights is None) == (dtype is None)
    arcs = list(zip(source.tolist(), target.tolist(), weight.tolist(), strict=True))
    assert sorted(arcs) == both_ways(graph)
    assert [arc[:2] for arc in arcs] == sorted(arc[:2] for arc in arcs)  # rows are sorted


@pytest.mark.parametrize("name", SHAPES)
def test_symmetric_arcs_are_taken_as_they_are(name):
    graph = weighted(name, np.int32)
    if graph.directed:
        return
    from warpath import Graph

    as_directed = Graph.from_csr(graph.row_offsets, graph.column_indices, graph.weights)
    other = symmetrized(as_directed)
    assert not other.directed
    assert np.shares_memory(other.column_indices, as_directed.column_indices)
    assert symmetrized(graph) is graph
