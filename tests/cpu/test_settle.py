import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from oracles import SHAPES, signed, weighted
from warpath.cpu.settle import settle
from warpath.graph.distance import unreachable
from warpath.parallel import team
from warpath.parallel.interruption import new_sync
from warpath.parallel.sync import STOP


@pytest.mark.parametrize("dtype", [np.float64, *slow([np.float32])])
def test_any_tree_leads_to_the_distances_of_one_source(dtype, threads):
    for name in SHAPES:
        for make in (weighted, signed):
            if make is signed and name not in ("uniform, directed", "directed cycle"):
                continue
            graph = make(name, dtype)
            sources = np.array([0, graph.num_vertices - 1], np.int32)
            # Trees of shortest paths by other weights: right but for rounding, or quite wrong.
            for weights in (graph, graph.without_weights()):
                if make is signed and weights is not graph:
                    continue  # far off, with negative weights, takes as many sweeps as arcs in a row
                trees = wp.sssp(weights, sources).predecessor.copy()
                expected = wp.sssp(graph, sources).distance
                distance = np.empty_like(expected)
                done = settle(
                    "shortest", graph, graph.weights, sources, dtype(0),
                    unreachable(dtype), distance, trees, threads,
                )  # fmt: skip
                assert done.all()
                assert np.array_equal(distance, expected)
                for i, source in enumerate(sources):
                    wp.verify.sssp(graph, source, distance[i], trees[i])


def test_a_cycle_below_zero_is_given_up():
    graph = wp.Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], [1.0, 0.3, -0.2, -0.2])
    tree = np.array([[-1, 0, 1, 2]], np.int32)
    distance = np.empty((1, 4))
    done = settle(
        "shortest", graph, graph.weights, np.zeros(1, np.int32), 0.0, np.inf, distance, tree, 1
    )
    assert not done.any()


def test_it_stops(monkeypatch):
    def run(kernel, threads, *args):
        sync = new_sync()
        sync[STOP] = 1
        kernel(0, 1, sync, *args)

    graph = wp.generate.grid(100, weights=(0.5, 1.5))
    tree = wp.sssp(graph.without_weights(), 0).predecessor.copy()[None]
    monkeypatch.setattr(team, "run", run)
    distance = np.zeros((1, graph.num_vertices))
    settle("shortest", graph, graph.weights, np.zeros(1, np.int32), 0.0, np.inf, distance, tree, 1)
    assert not distance.any()
