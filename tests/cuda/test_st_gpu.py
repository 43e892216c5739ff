"""Paths between two vertices on a device, against BFS, SSSP and the certificate."""

import numpy as np
import pytest

import warpath as wp
from oracles import (
    DTYPES,
    SHAPES,
    levels,
    shape,
    signed,
    small_multigraph,
    some_vertices,
    weighted,
)
from warpath import balance, devices

pytestmark = pytest.mark.gpu
VARIANTS = [variant for each in balance.TECHNIQUES.values() for variant in each.variants()]


def check(graph, source, target, **options):
    """`warpath.st_connected` on the device, against distances by SciPy."""
    distance = int(levels(graph, source)[target])
    found = wp.st_connected(graph, source, target, device="cuda", **options)
    assert bool(found) == (distance >= 0)
    assert found.distance == (distance if distance >= 0 else None)
    if found and source != target:
        u, v = found.meeting
        assert graph.has_edge(u, v)
        assert levels(graph, source)[u] + 1 + levels(graph.reverse, target)[v] == distance
        path = wp.shortest_path(graph, source, target, weighted=False, device="cuda", **options)
        assert len(path.vertices) == distance + 1
        path.verify()
    return found


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("technique", balance.TECHNIQUES)
@pytest.mark.parametrize("name", SHAPES)
def test_every_balance(name, technique, loop):
    graph = shape(name)
    vertices = some_vertices(graph)
    for target in vertices:
        check(graph, vertices[0], target, schedule=wp.Schedule(balance=technique, loop=loop))
    check(graph, vertices[-1], vertices[0], schedule=wp.Schedule(balance=technique, loop=loop))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("name", ["grid", "power law", "power law, directed"])
def test_every_knob(name, variant):
    graph = shape(name)
    check(graph, 1, int(levels(graph, 1).argmax()), schedule=variant)


@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(directed):
    for seed in range(20):
        graph = small_multigraph(seed, None, directed=directed)
        for source in range(graph.num_vertices):
            for target in range(graph.num_vertices):
                check(graph, source, target)


@pytest.mark.slow
@pytest.mark.parametrize("scale", [18, 22])
def test_large_power_law_graphs(scale):
    graph = wp.generate.rmat(scale, 16)
    ends = np.random.default_rng(1).integers(0, graph.num_vertices, (20, 2)).tolist()
    for source, target in ends:
        here = wp.st_connected(graph, source, target, device="cpu")
        for name in balance.TECHNIQUES:
            found = wp.st_connected(graph, source, target, device="cuda", schedule=name)
            assert found.distance == here.distance


@pytest.mark.slow
def test_a_large_diameter():
    graph = wp.generate.grid(1024, keep=0.9)
    distance = wp.bfs(graph, 5, device="cpu").distance
    for target in (int(distance.argmax()), 500_000):
        for name in balance.TECHNIQUES:
            path = wp.shortest_path(graph, 5, target, device="cuda", schedule=name)
            assert path.length == distance[target]
        path.verify()


def test_stats_say_what_ran():
    graph = shape("grid")
    found = check(graph, 0, graph.num_vertices - 1)
    assert found.stats.iterations == found.distance == len(found.stats.edges)
    assert set(found.stats.direction) == {"forward", "backward"}
    assert found.stats.device == devices.devices()[0].model


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["path", "grid", "power law", "power law, directed"])
def test_by_weight(name, dtype):
    graph = weighted(name, dtype)
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, device="cpu")
        for target in some_vertices(graph):
            if not here.reached[target]:
                with pytest.raises(wp.NoPathError):
                    wp.shortest_path(graph, source, target, device="cuda")
                continue
            path = wp.shortest_path(graph, source, target, device="cuda")
            assert path.length == here.distance[target]
            path.verify()


@pytest.mark.parametrize("algebra", ["widest", "minimax", "reachability"])
def test_other_algebras(algebra):
    graph = weighted("power law, directed", np.int32)
    for source in some_vertices(graph):
        here = wp.sssp(graph, source, algebra=algebra, device="cpu")
        for target in some_vertices(graph):
            if not here.reached[target]:
                with pytest.raises(wp.NoPathError):
                    wp.shortest_path(graph, source, target, algebra=algebra, device="cuda")
                continue
            path = wp.shortest_path(graph, source, target, algebra=algebra, device="cuda")
            assert path.length == here.distance[target]
            path.verify()


def test_negative_weights():
    graph = signed("power law, directed", np.int32)
    here = wp.sssp(graph, 0, device="cpu")
    for target in np.flatnonzero(here.reached)[::400].tolist():
        path = wp.shortest_path(graph, 0, target, device="cuda", schedule="virtual-warp")
        assert path.length == here.distance[target]
        path.verify()


def test_a_graph_that_was_built_on_the_device_stays_there():
    graph = wp.generate.rmat(12, 8, weights=(1, 9), seed=1, device="cuda")
    hub = int(graph.degree.argmax())
    start = int(graph.reverse.neighbors(hub)[0])
    for weights in (True, False):
        path = wp.shortest_path(graph, start, hub, weighted=weights)
        assert path.stats.device != "cpu"
        path.verify()


def test_the_users_stream_is_used():
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        check(shape("grid"), 0, 19_000)
