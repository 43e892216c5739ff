"""What distributed searches must do, on ranks of any kind: the same body for threads and for MPI."""

from functools import partial

import numpy as np
import pytest

import real_graphs
import warpath as wp
from warpath.generate import erdos_renyi, grid, named, rmat


def _hub():
    """A vertex in the middle has a third of the arcs: no range of vertices divides it."""
    rest = rmat(11, 8, weights=(1, 99), seed=3)
    source, target, weight = rest.edges()
    n, k = rest.num_vertices, len(source) // 2
    rng = np.random.default_rng(5)
    return wp.Graph.from_edges(
        np.concatenate([source, np.full(k, n // 2)]),
        np.concatenate([target, rng.integers(0, n, k)]),
        np.concatenate([weight, rng.integers(1, 99, k)]),
        n=n, directed=False,
    )  # fmt: skip


def _interleaved_paths():
    """Paths that go from rank to rank with each arc: 8 · 300 vertices, vertex v next to v + 300."""
    v = np.arange(7 * 300)
    return wp.Graph.from_edges(v, v + 300, n=8 * 300, directed=False)


GRAPHS = {
    "one vertex": lambda: wp.Graph.from_edges([], [], n=1),
    "fewer vertices than ranks": lambda: wp.Graph.from_edges([0, 1], [1, 2], np.int32([4, 5])),
    "no arcs": lambda: wp.Graph.from_edges([], [], n=130),
    "self-loops": lambda: wp.Graph.from_edges([0, 0, 1, 2], [0, 0, 1, 1], [3, 1, 4, 0], directed=False),
    "path": lambda: named("path", 700),
    "directed cycle": lambda: named("cycle", 64, directed=True),
    "star": lambda: named("star", 3000),
    "hub": _hub,
    "karate": lambda: named("karate"),
    "grid": lambda: grid(50, 40, keep=0.9, weights=(1, 1000), seed=2),
    "weights of zero": lambda: grid(30, weights=(0, 1), seed=2),
    "only weights of zero": lambda: grid(20, weights=(0, 0)),
    "parts that alternate": _interleaved_paths,
    "floats": lambda: rmat(10, weights=(0.0, 1.0), seed=4),
    "floats that vanish": lambda: wp.Graph.from_edges(
        [0, 1, 2, 3, 4], [1, 2, 3, 4, 2], [1e20, 1e-20, 0.0, 1e-30, 0.0]
    ),
    "uniform, directed": lambda: erdos_renyi(900, 5000, directed=True, replace=True, weights=(1, 9)),
    "power law": lambda: rmat(12, weights=(1, 255), seed=1),
    "power law, directed": lambda: rmat(11, 8, directed=True, weights=(1, 255), seed=1),
    "64-bit distances": lambda: rmat(9, weights=(2**30, 2**31 - 1), seed=1),
}  # fmt: skip


def with_potentials(n, m, dtype):
    """Directed edges at random: weights as along a path between heights, so that no cycle has a negative sum."""
    rng = np.random.default_rng(n)
    source, target = rng.integers(0, n, (2, m))
    height = rng.integers(-50, 50, n)
    weight = rng.integers(0, 20, m) + height[target] - height[source]
    return wp.Graph.from_edges(source, target, weight.astype(dtype), n=n)


def _negative_cycle():
    """A path through all ranks, of which the second half is a cycle with a sum of -1."""
    v = np.arange(100)
    weight = np.ones(100, int)
    weight[-1] = -50
    return wp.Graph.from_edges(v, np.append(v[1:], 50), weight)


SIGNED = {
    "negative weights": lambda: with_potentials(400, 3000, np.int64),
    "a negative cycle": _negative_cycle,
}
REAL = {
    "rome99, negative weights": partial(real_graphs.negative_twin, "rome99"),
    **{
        name: partial(real_graphs.load, name)
        for name in ("rome99", "SiouxFalls_length", "p2p-Gnutella08", "bitcoin-otc")
    },
}
"""Where the folder of real graphs is. Ratings of bitcoin-otc have negative cycles."""


def check_any(graph, source):
    """As `check`; where a negative cycle can be reached, all ranks must name one."""
    try:
        wp.sssp(graph, source, device="cpu")
    except wp.NegativeCycleError:
        with pytest.raises(wp.NegativeCycleError) as error:
            wp.sssp(wp.distributed.distribute(graph), source)
        wp.verify.negative_cycle(graph, error.value.cycle, source)
    else:
        check(graph, source)


def check(graph, source, partition="blocks", device="auto"):
    """Search a graph that all ranks have in parts; answers are those of one process, to the bit.

    ``device`` is where the parts are searched.

    Returns
    -------
    list of arrays
        Predecessors, which must not depend on the number of ranks.
    """
    parts = wp.distributed.distribute(graph, partition)
    assert parts.num_vertices == graph.num_vertices
    assert (parts.num_arcs, parts.num_edges) == (graph.num_arcs, graph.num_edges)
    trees = []
    for search in (wp.bfs, wp.sssp):
        expected = search(graph, source, device="cpu")
        answer = search(parts, source, device=device)
        answer.verify()
        assert answer.distance.dtype == expected.distance.dtype
        np.testing.assert_array_equal(answer.distance, expected.distance)
        check_tree = wp.verify.bfs if search is wp.bfs else wp.verify.sssp
        check_tree(graph, source, answer.distance, answer.predecessor)
        trees.append(answer.predecessor)
    shallow = wp.bfs(parts, source, depth_limit=2, device=device)
    shallow.verify()
    np.testing.assert_array_equal(
        shallow.distance, wp.bfs(graph, source, depth_limit=2, device="cpu").distance
    )
    labels, count = wp.connected_components(parts, device=device)
    expected_labels, expected_count = wp.connected_components(graph, device="cpu")
    mine = np.asarray(parts.vertices, int)
    np.testing.assert_array_equal(labels, expected_labels[mine])
    assert count == expected_count
    return trees
