"""Breadth-first search on a device, against the certificate and the CPU's answer."""

import numpy as np
import pytest

import warpath as wp
from oracles import DIRECTIONS, SHAPES, levels, shape, small_multigraph, some_vertices
from warpath import balance, devices

pytestmark = pytest.mark.gpu
VARIANTS = [variant for each in balance.TECHNIQUES.values() for variant in each.variants()]
# Each technique on every graph, with every setting of its knobs on some.
RUNS = [
    (name, variant)
    for name in SHAPES
    for variant in VARIANTS
    if variant == type(variant)() or name in ("grid", "power law, directed")
]


def check(graph, source, **options):
    paths = wp.bfs(graph, source, device="cuda", **options)
    paths.verify()
    return paths


@pytest.mark.parametrize("loop", ["device", "host"])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize(("name", "variant"), RUNS, ids=str)
def test_every_balance_and_direction(name, variant, direction, loop):
    graph = shape(name)
    if variant.launches_children:
        loop = None
    for source in some_vertices(graph):
        paths = check(
            graph, source, schedule=wp.Schedule(balance=variant, direction=direction, loop=loop)
        )
        assert np.array_equal(paths.to_numpy().distance, levels(graph, source))


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(directed, variant, direction):
    for seed in range(5):
        graph = small_multigraph(seed, None, directed=directed)
        for source in range(graph.num_vertices):
            paths = check(graph, source, schedule=wp.Schedule(balance=variant, direction=direction))
            assert np.array_equal(paths.to_numpy().distance, levels(graph, source))


@pytest.mark.slow
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("scale", [18, 22])
def test_large_power_law_graphs(scale, direction):
    graph = wp.generate.rmat(scale, 16)
    for name in balance.TECHNIQUES:
        source = int(graph.degree.argmax())
        check(graph, source, schedule=wp.Schedule(balance=name, direction=direction))


@pytest.mark.slow
def test_a_large_diameter():
    graph = wp.generate.grid(1024, keep=0.9)
    for name in balance.TECHNIQUES:
        check(graph, 5, schedule=name)


def test_answers_are_of_the_device_that_was_asked_for():
    import cupy

    graph = shape("power law")
    paths = wp.bfs(graph, 1, device="cuda")
    assert isinstance(paths.distance, cupy.ndarray)
    assert isinstance(paths.predecessor, cupy.ndarray)
    assert isinstance(paths.reached, cupy.ndarray)
    assert isinstance(paths.to_numpy().distance, np.ndarray)
    last = int(np.argmax(levels(graph, 1)))
    assert len(paths.path(last)) == levels(graph, 1).max() + 1
    auto = wp.bfs(graph, 1, schedule="thread-mapped")
    assert isinstance(auto.distance, np.ndarray)
    assert auto.stats.device != "cpu"


@pytest.mark.parametrize("predecessors", [True, False])
@pytest.mark.parametrize("nearest", [True, False])
def test_several_sources(nearest, predecessors):
    graph = shape("power law, directed")
    sources = [3, 5, 3, *range(40)]
    paths = check(graph, sources, nearest=nearest, predecessors=predecessors)
    here = wp.bfs(graph, sources, nearest=nearest, device="cpu")
    assert np.array_equal(paths.to_numpy().distance, here.distance)
    assert (paths.predecessor is not None) == predecessors


@pytest.mark.parametrize("depth_limit", [0, 1, 3])
def test_a_depth_limit(depth_limit):
    for name in ("grid", "star", "power law, directed"):
        paths = check(shape(name), 3, depth_limit=depth_limit)
        here = wp.bfs(shape(name), 3, depth_limit=depth_limit, device="cpu")
        assert np.array_equal(paths.to_numpy().distance, here.distance)


@pytest.mark.parametrize("alpha", [1e-300, 1.0, 1e300, np.inf])
def test_alpha_and_beta_change_the_way_and_not_the_answer(alpha):
    check(shape("power law"), 1, schedule=wp.Schedule(alpha=alpha, beta=alpha))


def test_stats_say_what_ran():
    graph = shape("power law")
    stats = check(graph, 1, schedule="local-warp-search,direction=top-down").stats
    here = wp.bfs(graph, 1, schedule="direction=top-down", device="cpu").stats
    assert stats.edges.sum() == here.edges.sum()
    assert stats.iterations == len(stats.nanoseconds) == len(stats.mode) == len(stats.direction)
    assert set(stats.balance) <= {"", "local-warp-search"}
    assert (stats.nanoseconds > 0).all()
    assert "local-warp-search" in str(stats) or "grid" not in stats.mode
    assert stats.as_dict()["device"] == devices.devices()[0].model
    assert len(wp.bfs(graph, 1, device="cuda", trace=False).stats.edges) == 0


def test_the_users_stream_is_used():
    import cupy

    with cupy.cuda.Stream(non_blocking=True):
        check(shape("grid"), 0)


def test_a_device_keeps_a_graph_as_long_as_it_lives():
    import gc
    from weakref import ref

    graph = wp.generate.rmat(8, 4, directed=True)
    check(graph, 0, schedule="direction=bottom-up")
    alive = ref(graph)
    del graph
    gc.collect()
    assert alive() is None


@pytest.mark.parametrize("predecessors", [False, True])
@pytest.mark.parametrize("trace", [False, True])
def test_hubs_get_child_grids(trace, predecessors):
    """Five thousand hubs of 1,100 leaves and more: more than children may wait."""
    hubs, leaves = 5000, 1100
    source = np.r_[np.zeros(hubs, int), np.repeat(np.arange(1, hubs + 1), leaves)]
    target = np.r_[np.arange(1, hubs + 1), hubs + 1 + np.arange(hubs * leaves)]
    target = np.where(target % 7 == 0, target // 7, target)  # some meet
    graph = wp.Graph.from_edges(source, target, n=int(target.max()) + 1, directed=True)
    balance = "dynamic-virtual-warp:dynamic_parallelism=1024"
    here = wp.bfs(graph, 0, device="cpu").distance
    for direction in ("top-down", "optimizing"):
        paths = check(
            graph,
            0,
            schedule=wp.Schedule(balance=balance, direction=direction),
            trace=trace,
            predecessors=predecessors,
        )
        assert np.array_equal(paths.to_numpy().distance, here)


def test_child_grids_want_a_launch_a_level():
    graph = shape("grid")
    with pytest.raises(ValueError, match="loop='host'"):
        wp.bfs(
            graph, 0, device="cuda", schedule="dynamic-virtual-warp:dynamic_parallelism=4096,loop=device",
        )  # fmt: skip


@pytest.mark.parametrize("technique", balance.TECHNIQUES)
def test_what_warps_do_is_counted(technique):
    graph = shape("power law")
    source = int(graph.degree.argmax())
    profile = wp.balance_profile(graph, source, technique)
    reached = levels(graph, source) >= 0
    assert profile.arcs == graph.degree[reached].sum()
    assert -(-profile.arcs // 32) <= profile.rows <= profile.arcs
    assert profile.efficiency == pytest.approx(profile.arcs / profile.rows / 32)
    assert 1 <= profile.block_imbalance <= profile.warp_imbalance


@pytest.mark.parametrize("small_frontiers", ["off", "block", "cluster", "async"])
@pytest.mark.parametrize("name", ["grid", "rmat"])
def test_who_expands_small_frontiers(name, small_frontiers):
    graph = (
        wp.generate.grid(90) if name == "grid" else wp.generate.rmat(12, 8, directed=True, seed=1)
    )
    how = wp.Schedule(small_frontiers=small_frontiers)
    found = wp.bfs(graph, 0, device="cuda", schedule=how)
    found.verify()
    modes = set(found.stats.mode)
    assert modes <= {"off": {"grid"}, "block": {"block", "grid"}}.get(
        small_frontiers, {"cluster", "block", "grid"}
    )
    assert found.stats.plan.schedule.small_frontiers == small_frontiers
    if small_frontiers != "async":
        met = wp.st_connected(graph, 0, 77, device="cuda", schedule=how)
        met.verify()
        assert small_frontiers != "off" or set(met.stats.mode) <= {"grid"}
    if small_frontiers in ("off", "async"):
        weighted = graph.with_weights(np.ones(graph.num_arcs, np.int32))
        wp.sssp(weighted, 0, device="cuda", method="delta-stepping", schedule=how).verify()
