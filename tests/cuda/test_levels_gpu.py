"""The papers' frontiers on a device, against the certificate and the CPU's answer."""

from dataclasses import replace

import numpy as np
import pytest

import warpath as wp
from oracles import SHAPES, levels, shape, small_multigraph, some_vertices
from warpath import balance
from warpath.frontier import DEFAULT, DUPLICATES, FRONTIERS, Policy, allowed
from warpath.schedule import PRESETS

pytestmark = pytest.mark.gpu
POLICIES = [
    (frontier, duplicates, direction)
    for frontier, one in FRONTIERS.items()
    for duplicates in one.duplicates
    for direction in (one.directions if frontier == "topology-driven" else ("top-down",))
]
# Every balance with every policy that it goes with.
RUNS = [
    (*policy, name)
    for policy in POLICIES
    for name, technique in balance.TECHNIQUES.items()
    if allowed(Policy(*policy[:2]), policy[2], technique()) is None
]
SWITCHES = [
    f"{preset}:{name}={'off' if one.default else 'on'}"
    for preset, own in PRESETS.items()
    for name, one in own.switches.items()
] + [
    "bfs-4k:edge-discover=on,dynamic-parallelism=on",
    "duplicates=none,enqueue=blockwise",
    "dynamic-virtual-warp:dynamic_parallelism=1024,duplicates=atomic,enqueue=summed",
]


def check(graph, source, schedule):
    paths = wp.bfs(graph, source, device="cuda", schedule=schedule)
    paths.verify()
    assert np.array_equal(paths.to_numpy().distance, levels(graph, source))
    return paths


@pytest.mark.parametrize(("frontier", "duplicates", "direction", "technique"), RUNS)
def test_every_policy_and_balance(frontier, duplicates, direction, technique):
    how = wp.Schedule(frontier=frontier, duplicates=duplicates, direction=direction)
    for name in ("star", "grid", "power law, directed"):
        for source in some_vertices(shape(name)):
            check(shape(name), source, schedule=replace(how, balance=technique))


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(("frontier", "duplicates", "direction"), POLICIES)
def test_every_policy_and_graph(frontier, duplicates, direction, name, loop):
    how = wp.Schedule(frontier=frontier, duplicates=duplicates, direction=direction)
    for source in some_vertices(shape(name)):
        check(shape(name), source, schedule=replace(how, loop=loop))


@pytest.mark.parametrize(("frontier", "duplicates", "direction"), POLICIES)
def test_small_multigraphs(frontier, duplicates, direction):
    how = wp.Schedule(frontier=frontier, duplicates=duplicates, direction=direction)
    for seed in range(6):
        graph = small_multigraph(seed, None, directed=seed % 2 == 0)
        for source in range(graph.num_vertices):
            check(graph, source, schedule=how)


@pytest.mark.parametrize("preset", [*PRESETS, *SWITCHES])
@pytest.mark.parametrize("name", SHAPES)
def test_every_preset(name, preset):
    for source in some_vertices(shape(name)):
        check(shape(name), source, schedule=preset)


@pytest.mark.parametrize(("frontier", "duplicates", "direction"), POLICIES)
def test_several_sources_a_depth_limit_and_no_predecessors(frontier, duplicates, direction):
    how = wp.Schedule(frontier=frontier, duplicates=duplicates, direction=direction)
    graph = shape("power law, directed")
    for nearest in (True, False):
        paths = wp.bfs(graph, [3, 5, 3, *range(9)], nearest=nearest, device="cuda", schedule=how)
        paths.verify()
    paths = wp.bfs(graph, 3, depth_limit=2, device="cuda", predecessors=False, schedule=how)
    paths.verify()
    assert paths.distance.max() <= 2
    assert paths.predecessor is None


@pytest.mark.slow
@pytest.mark.parametrize("preset", [*PRESETS, *SWITCHES])
def test_large_graphs(preset):
    for graph in (wp.generate.rmat(20, 16), wp.generate.grid(512, keep=0.9)):
        source = int(graph.degree.argmax())
        paths = wp.bfs(graph, source, schedule=preset, device="cuda")
        paths.verify()


def test_stats_count_what_the_table_of_complexities_says():
    graph = shape("power law")
    source = int(graph.degree.argmax())
    reached = graph.degree[levels(graph, source) >= 0]
    once = (np.count_nonzero(reached), reached.sum())
    not_alone = np.count_nonzero(graph.degree)
    for preset in PRESETS:
        stats = check(graph, source, schedule=preset).stats
        looked = (stats.frontier.sum(), stats.relaxations)
        if preset in ("harish", "hong"):
            assert looked == (stats.iterations * not_alone, once[1])
        elif preset in ("jia", "algebraic"):
            assert looked == (stats.iterations * not_alone, stats.iterations * graph.num_arcs)
        elif preset == "load-balanced-bfs":
            assert looked == once
        else:
            assert looked >= once
        assert stats.memory["answer"] == 8 * graph.num_vertices
        assert stats.memory["graph"] == 4 * (graph.num_vertices + 1 + graph.num_arcs)
        assert stats.memory["workspace"] >= 8 * graph.num_vertices
        assert stats.as_dict()["memory"] == stats.memory
    merrill = check(graph, source, schedule="merrill").stats
    assert merrill.memory["workspace"] > 8 * graph.num_arcs
    assert "edge-queue" in merrill.method


def test_duplicates_are_dropped():
    graph = wp.generate.rmat(14, 32)
    source = int(graph.degree.argmax())
    least = check(graph, source, schedule="direction=top-down").stats.frontier.sum()
    for frontier in ("vertex-queue", "edge-queue"):
        for name, one in DUPLICATES.items():
            queued = check(
                graph, source, schedule=wp.Schedule(frontier=frontier, duplicates=name)
            ).stats.frontier.sum()
            assert queued == least if one.exact else queued >= least


def test_a_policy_that_is_the_default_is_the_default():
    stats = check(
        shape("power law"), 1, schedule="frontier=vertex-queue,direction=optimizing"
    ).stats
    assert stats.method == "bfs optimizing"
    assert Policy() == DEFAULT
