"""How much a traversal takes beyond the graph, its answer included."""

import tracemalloc
from itertools import product

import numpy as np
import pytest

import warpath as wp
from exhaustive import few
from oracles import DIRECTIONS

N = 2**18
SHAPES = {
    "grid": lambda weights=None: wp.generate.grid(512, 512, keep=0.9, weights=weights),
    "power law": lambda weights=None: wp.generate.rmat(18, 4, weights=weights),
    "power law, directed": lambda weights=None: wp.generate.rmat(
        18, 4, directed=True, weights=weights
    ),
}  # fmt: skip
shapes = pytest.mark.parametrize("name", SHAPES)


def bytes_a_vertex(call):
    """The peak of what a call allocates; its kernels are compiled, its graph is complete.

    What was allocated before is not counted, so nothing need be collected.
    """
    call()
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1] / N
    finally:
        tracemalloc.stop()


def test_it_counts():
    assert 8 <= bytes_a_vertex(lambda: np.zeros(N)) < 8.1


@shapes
def test_bfs(name, threads):
    graph = SHAPES[name]()
    for direction in DIRECTIONS:
        if direction == "bottom-up" and name == "grid":
            continue  # looks at all vertices a thousand times
        assert (
            bytes_a_vertex(
                lambda way=direction: wp.bfs(graph, 0, schedule=wp.Schedule(direction=way))
            )
            <= 24
        )


@pytest.mark.parametrize(
    ("name", "weights"),
    few(
        product(SHAPES, [(1, 255), (1, 2**20), (0.0, 1.0)]),
        [("grid", (1, 255)), ("power law, directed", (0.0, 1.0))],
    ),
    ids=str,
)
def test_sssp(name, weights, threads):
    graph = SHAPES[name](weights)
    assert graph.weights.dtype == (np.float64 if weights[1] == 1.0 else np.int32)
    assert bytes_a_vertex(lambda: wp.sssp(graph, 0)) <= 40
    assert bytes_a_vertex(lambda: wp.sssp(graph, [0, 1], nearest=True, cutoff=9)) <= 40


@pytest.mark.parametrize("name", few(SHAPES, ["power law, directed"]))
def test_bellman_ford(name, threads):
    graph = SHAPES[name]((1, 255))
    assert bytes_a_vertex(lambda: wp.sssp(graph, 0, method="bellman-ford")) <= 40
    if graph.directed:
        twin = wp.generate.negative_weights(graph)
        assert bytes_a_vertex(lambda: wp.sssp(twin, 0)) <= 40


@pytest.mark.parametrize("run", [wp.bfs, wp.sssp])
def test_statistics_keep_no_workspace(run):
    graph = wp.generate.grid(300, weights=(1, 9), seed=1)
    stats = run(graph, 0).stats
    for array in (stats.frontier, stats.edges):
        base = array if array.base is None else array.base
        assert len(base) == stats.iterations
