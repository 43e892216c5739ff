"""Searches of graphs beyond the device's memory: a limit of the pool excludes the arcs, on the emulator.

What is pinned does not count against the limit, so a copy of the arcs on the device is a `MemoryError`.
"""

import numpy as np
import pytest

import warpath as wp
from emulated_device import emulated_device
from emulated_runtime import EmulatedRuntime
from warpath.cuda.device_graph import on_device
from warpath.cuda.weights import weights_as
from warpath.planning import memory

ROOM = (
    160_000  # bytes: for offsets, answers and workspaces of 512 vertices, not for 4 bytes per arc
)


@pytest.fixture(scope="module")
def programs(emulator):
    with EmulatedRuntime(emulator) as runtime:
        yield runtime


@pytest.fixture
def runtime(programs, monkeypatch):
    """With room for searches."""
    monkeypatch.setattr(memory, "SMALL", 0)
    pool = programs.xp.get_default_memory_pool()
    with emulated_device(programs):
        pool.set_limit(pool.used_bytes() + ROOM)
        yield programs
        pool.set_limit(0)


def a_graph(directed=False, weights=None):
    graph = wp.generate.erdos_renyi(
        512, 60_000 // (1 + (not directed)), directed=directed, weights=weights, seed=3
    )
    assert graph.column_indices.nbytes > ROOM
    return graph


@pytest.mark.parametrize("directed", [False, True])
def test_bfs(runtime, directed):
    graph = a_graph(directed)
    planned = wp.plan(graph, "bfs", 5, device="cuda")
    assert planned.out_of_core
    found = wp.bfs(graph, 5, device="cuda")
    found.verify()
    assert "out of core: graph and search take " in found.stats.plan.where
    assert found.stats.plan.memory == planned.memory
    arcs = (1 + directed) * 4 * graph.num_arcs
    assert planned.memory["pinned"] == found.stats.memory["pinned"] == arcs
    assert planned.memory["graph"] == found.stats.memory["graph"] == (1 + directed) * 4 * 513


def test_sssp(runtime):
    graph = a_graph(weights=(1, 9))
    found = wp.sssp(graph, 5, method="delta-stepping", device="cuda")
    found.verify()
    assert found.stats.plan.memory["pinned"] == graph.column_indices.nbytes + graph.weights.nbytes


# Each with its other arguments; and how the answer is compared.
MEASURES = {
    "connected_components": ({}, np.testing.assert_array_equal),
    "strongly_connected_components": ({}, np.testing.assert_array_equal),
    "pagerank": ({}, np.testing.assert_array_equal),
    "betweenness": ({"sources": [1, 2]}, np.testing.assert_allclose),
    "core_numbers": ({}, np.testing.assert_array_equal),
    "triangles": ({}, np.testing.assert_array_equal),
    "label_propagation": ({}, np.testing.assert_array_equal),
    "maximal_independent_set": ({}, np.testing.assert_array_equal),
}


OFTEN = "pagerank", "core_numbers", "triangles"


@pytest.mark.parametrize(
    "name", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.slow) for one in MEASURES]
)
def test_measures(runtime, name):
    """Also those that make the simple graph, or have a workspace with an element for each arc."""
    directed = name.startswith("strong")
    graph = wp.generate.erdos_renyi(
        160, 6000 * (1 + directed), directed=directed, replace=True, weights=(1, 9), seed=3
    )
    options, compare = MEASURES[name]
    expected = getattr(wp, name)(graph, **options, device="cpu")
    pool = runtime.xp.get_default_memory_pool()
    room = 36_000
    pool.set_limit(pool.used_bytes() + room)
    assert graph.column_indices.nbytes > room
    plan = wp.plan(graph, name, **options, device="cuda")
    assert plan.out_of_core
    assert sum(plan.memory.values()) - plan.memory["pinned"] < room
    found = getattr(wp, name)(graph, **options, device="cuda")
    several = isinstance(found, tuple)
    for one, other in zip(
        found if several else [found], expected if several else [expected], strict=True
    ):
        compare(one.get() if hasattr(one, "get") else one, other)
    assert on_device(graph).out_of_core


def test_an_answer_of_arcs_must_fit(runtime):
    with pytest.raises(MemoryError, match="edge_betweenness of 512 vertices"):
        wp.edge_betweenness(a_graph(), sources=[1], device="cuda")


def test_what_is_pinned_is_listed_kept_and_freed(runtime):
    graph = a_graph()
    wp.bfs(graph, 0, device="cuda")
    pinned = on_device(graph)
    assert graph.memory()["out of core"] >= graph.column_indices.nbytes
    assert "on a GPU" not in graph.memory()
    runtime.xp.get_default_memory_pool().set_limit(0)
    assert on_device(graph, out_of_core=False) is pinned
    assert wp.plan(graph, "bfs", 0, device="cuda").where.endswith("its edges are pinned already")
    graph.release()
    assert "out of core" not in graph.memory()
    assert not wp.plan(graph, "bfs", 0, device="cuda").out_of_core
    assert not on_device(graph).out_of_core


def test_a_copy_on_the_device_makes_way(runtime):
    """Breadth-first search fits, shortest paths do not: then the copy's memory is free for them."""
    pool = runtime.xp.get_default_memory_pool()
    graph = a_graph(weights=(1, 9))
    room = 2**21 + graph.column_indices.nbytes + graph.weights.nbytes
    pool.set_limit(pool.used_bytes() + room)
    assert not wp.bfs(graph, 0, device="cuda").stats.plan.out_of_core
    assert "on a GPU" in graph.memory()
    assert not wp.bfs(graph, 1, device="cuda").stats.plan.out_of_core
    pool.set_limit(pool.used_bytes() + 2**16)
    found = wp.sssp(graph, 0, method="delta-stepping", device="cuda")
    found.verify()
    assert found.stats.plan.out_of_core
    assert "on a GPU" not in graph.memory()
    assert wp.bfs(graph, 0, device="cuda").stats.plan.out_of_core


def test_another_allocator_is_trusted(runtime, monkeypatch):
    """What RMM's has left is not known."""
    monkeypatch.setattr(runtime.xp.cuda, "get_allocator", lambda: None)
    assert not wp.plan(a_graph(), "bfs", 0, device="cuda").out_of_core


def test_a_copy_exceeds_the_limit(runtime):
    """What the tests above rely on."""
    with pytest.raises(MemoryError, match="exceed the pool's limit"):
        on_device(a_graph(), out_of_core=False)


def test_auto_reads_consecutive_columns(runtime):
    """Thread-mapped, which degrees would suggest here, reads one column per lane and request."""
    graph = a_graph()
    plan = wp.plan(graph, "bfs", 0, device="cuda", schedule="auto")
    assert str(plan.schedule.balance) == "two-phase-search"
    named = wp.plan(graph, "bfs", 0, device="cuda", schedule="thread-mapped")
    assert str(named.schedule.balance) == "thread-mapped"


def test_what_is_made_of_arcs_lies_where_they_do(runtime):
    graph = a_graph(weights=(0.5, 2.0))
    there = on_device(graph, out_of_core=True)
    pool = runtime.xp.get_default_memory_pool()
    pool.set_limit(pool.used_bytes() + 2**13)
    assert np.array_equal(there.sources.get(), graph.coo()[0])
    assert np.array_equal(weights_as(there, np.dtype(np.float64)).get(), graph.weights)
    halves = weights_as(there, np.dtype(np.float32))
    assert np.array_equal(halves.get(), graph.weights.astype(np.float32))
