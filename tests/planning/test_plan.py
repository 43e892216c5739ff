"""What `auto` takes, as a table: each graph, call and device, with two threads. No GPU is needed."""

import functools

import pytest

import warpath as wp
from warpath.generate import erdos_renyi, grid, negative_weights, rmat
from warpath.parallel import thread_count

WEIGHTS = {"weights": (1, 255), "seed": 1}
GRAPHS = {
    "path": lambda: grid(1, 2000, **WEIGHTS),
    "grid": lambda: grid(45, **WEIGHTS),
    "grid, floats": lambda: grid(45, weights=(0.0, 1.0), seed=1),
    "grid, no weights": lambda: grid(45),
    "dense": lambda: erdos_renyi(400, 20_000, **WEIGHTS),
    "sparse": lambda: erdos_renyi(3000, 9000, directed=True, **WEIGHTS),
    "hubs": lambda: rmat(12, 16, **WEIGHTS),
    "negative": lambda: negative_weights(rmat(11, 4, directed=True, **WEIGHTS)),
}
FLOYD, DELTA = "blocked-floyd-warshall", "delta-stepping"
# sssp on a CPU, on a GPU; all pairs on a CPU, on a GPU; distances from two vertices to two on a CPU.
METHODS = {
    "path": ("dijkstra", DELTA, "partitioned", FLOYD, "sssp"),
    "grid": (DELTA, DELTA, "partitioned", FLOYD, "sssp"),
    "grid, floats": (DELTA, DELTA, "sssp", FLOYD, "sssp"),
    "grid, no weights": ("bfs", "bfs", "bfs", "bfs", "sssp"),
    "dense": (DELTA, DELTA, FLOYD, FLOYD, "sssp"),
    "sparse": (DELTA, DELTA, "sssp", FLOYD, "sssp"),
    "hubs": (DELTA, "workfront-sweep", FLOYD, FLOYD, "sssp"),
    "negative": ("bellman-ford", "workfront-sweep", "partitioned", FLOYD, "johnson"),
}
CALLS = {
    "sssp, cpu": 0, "sssp, cuda": 1, "apsp, cpu": 2, "apsp, cuda": 3, "distance_matrix, cpu": 4,
}  # fmt: skip


@functools.cache
def graph(name):
    return GRAPHS[name]()


@pytest.fixture(autouse=True)
def two_threads(monkeypatch):
    monkeypatch.setattr(thread_count, "_num_threads", 2)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("name", GRAPHS)
def test_methods(name, call):
    search, device = call.split(", ")
    expected = METHODS[name][CALLS[call]]
    if expected == "partitioned":
        pytest.importorskip("pymetis")
    vertices = {"sssp": (0,), "apsp": (), "distance_matrix": ([0, 1], [2, 3])}[search]
    plan = wp.plan(graph(name), search, *vertices, device=device)
    assert (plan.device, plan.method) == (device, expected), plan.why


@pytest.mark.parametrize(
    ("name", "bfs", "sssp"),
    [("grid", "cluster", "async"), ("hubs", "block", "off"), ("dense", "block", "async")],
)
def test_small_frontiers_on_a_gpu(name, bfs, sssp):
    for search, expected in (("bfs", bfs), ("sssp", sssp)):
        schedule = wp.plan(graph(name), search, 0, device="cuda").schedule
        assert str(schedule.small_frontiers) == expected
        assert str(schedule.balance).startswith("two-phase-search")
