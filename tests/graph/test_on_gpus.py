"""Graphs that lie on several GPUs, here on none: their rows are NumPy's."""

import numpy as np
import pytest

import warpath as wp
from warpath.graph.on_gpus import GraphOnGpus, Numbers, Rows


@pytest.mark.parametrize(
    "made",
    [
        lambda graph: graph.by_degree(),
        lambda graph: graph.subgraph([0, 1, 2]),
        lambda graph: graph.with_weights(np.ones(graph.num_arcs)),
        lambda graph: graph.reverse,
    ],
    ids=["by_degree", "subgraph", "with_weights", "reverse"],
)
def test_what_is_made_of_one_lies_on_the_host(made):
    whole = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 3], n=5)
    rows = Rows(whole.resident, whole.reverse.resident)
    graph = GraphOnGpus.of((0,), (0, 5), (rows,), (Numbers.of(rows.forward, 1),), directed=True)
    found, expected = made(graph), made(whole)
    assert type(found) is wp.Graph
    assert found.memory() == expected.memory()
    assert found.to_frame().equals(expected.to_frame())
