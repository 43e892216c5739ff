"""H-BF with its optimisations on a device: the same distances whatever is on."""

from itertools import combinations

import numpy as np
import pytest

import warpath as wp
from oracles import DTYPES, SHAPES, distances, shape, signed, small_multigraph, weighted
from warpath import balance, verify
from warpath.schedule.optimizations import OPTIMIZATIONS

pytestmark = pytest.mark.gpu
ALL = tuple(OPTIMIZATIONS)
# Those that name no balance, nor a knob of one.
OF_KERNELS = set(ALL) - {"dynamic-virtual-warps", "warp-workload", "dynamic-parallelism"}
# None, each alone, all but one, all.
SETS = [(), *combinations(ALL, 1), *combinations(ALL, len(ALL) - 1), ALL]
SETS += [("hash-duplicates",), ("warp-culling", "coalesced-enqueue", "edge-classification")]
SETS += [
    (name, *more)
    for name in ("lookup-compaction", "bitmap-frontier", "edge-queue")
    for more in ((), ("coalesced-enqueue", "edge-classification"))
]
TECHNIQUES = [technique() for technique in balance.TECHNIQUES.values()]
DIRECTED = ("uniform, directed", "power law, directed")


def found(graph, source, **options):
    """Distances of h-bf on the device, verified."""
    paths = wp.sssp(graph, source, device="cuda", method="h-bf", **options)
    paths.verify()
    return paths.to_numpy().distance


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("optimizations", SETS, ids=lambda chosen: "+".join(chosen) or "none")
def test_every_shape(optimizations, dtype):
    for name in SHAPES:
        graph = weighted(name, dtype)
        source = int(graph.degree.argmax())
        here = wp.sssp(graph, source, method="dijkstra", device="cpu").distance
        assert np.array_equal(
            found(graph, source, schedule=wp.Schedule(optimizations=optimizations)), here
        )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("optimizations", [(), ALL], ids=["none", "all"])
@pytest.mark.parametrize("loop", ["device", "host"])
def test_negative_weights(optimizations, dtype, loop):
    if "dynamic-parallelism" in optimizations:
        loop = None
    for name in DIRECTED:
        graph = signed(name, dtype)
        here = wp.sssp(graph, 3, device="cpu").distance
        answer = found(graph, 3, schedule=wp.Schedule(optimizations=optimizations, loop=loop))
        assert answer.min() < 0
        assert np.array_equal(answer, here)


@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_every_balance(technique):
    """Those that list vertices want each once."""
    graph = signed("power law, directed", np.int32)
    for optimizations in (
        {"duplicate-removal"},
        {"duplicate-removal", "edge-classification"},
        OF_KERNELS,
    ):
        answer = found(
            graph, 3, schedule=wp.Schedule(optimizations=optimizations, balance=technique)
        )
        assert np.array_equal(answer, distances(graph, 3, np.int32))
    if not technique.lists:
        answer = found(graph, 3, schedule=wp.Schedule(optimizations=(), balance=technique))
        assert np.array_equal(answer, distances(graph, 3, np.int32))


@pytest.mark.parametrize("dtype", [np.int32, np.float64])
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(directed, dtype):
    """Self-loops, parallel arcs, leaves, from every vertex and from several."""
    for seed in range(10):
        graph = small_multigraph(seed, dtype, directed=directed)
        for source in range(graph.num_vertices):
            here = wp.sssp(graph, source, device="cpu").distance
            assert np.array_equal(
                found(graph, source, schedule=wp.Schedule(optimizations=ALL)), here
            )
        here = wp.sssp(graph, [3, 5, 7], nearest=True, device="cpu").distance
        assert np.array_equal(
            found(graph, [3, 5, 7], nearest=True, schedule=wp.Schedule(optimizations=ALL)), here
        )


def test_limits():
    graph = weighted("tree", np.int32)
    leaf = graph.num_vertices - 1
    for options in ({"target": leaf}, {"cutoff": 9}, {"target": leaf, "cutoff": 20}):
        here = wp.sssp(graph, 0, device="cpu", method="dijkstra", **options).distance
        assert np.array_equal(
            found(graph, 0, schedule=wp.Schedule(optimizations=ALL), **options), here
        )


@pytest.mark.parametrize("optimizations", [(), ALL], ids=["none", "all"])
def test_negative_cycles_are_found(optimizations):
    loop = wp.Graph.from_edges([0, 1, 1, 2], [1, 2, 1, 0], [1, 1, -1, 1])
    ring = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], [4, -3, 2])
    for graph, cycle in ((loop, {1}), (ring, {1, 2})):
        with pytest.raises(wp.NegativeCycleError) as caught:
            wp.sssp(
                graph,
                0,
                device="cuda",
                method="h-bf",
                schedule=wp.Schedule(optimizations=optimizations),
            )
        verify.negative_cycle(graph, caught.value.cycle, 0)
        assert set(caught.value.cycle) == cycle


def test_what_the_statistics_count():
    graph = weighted("power law, directed", np.int32)
    plain = wp.sssp(graph, 3, device="cuda", method="h-bf").stats
    sparing = wp.sssp(
        graph, 3, device="cuda", method="h-bf", schedule=wp.Schedule(optimizations=ALL)
    ).stats
    assert plain.relaxations == plain.edges.sum()
    assert 0 < plain.improvements <= plain.relaxations
    assert sparing.relaxations < sparing.edges.sum()
    quiet = wp.sssp(graph, 3, device="cuda", method="h-bf", trace=False).stats
    assert quiet.improvements == 0
    path = shape("path").with_weights(np.ones(shape("path").num_arcs, np.int32))
    for method in (
        "h-bf",
        "near-far",
        "bucketing",
        "parallel-dijkstra",
        "workfront-sweep",
        "delta-stepping",
    ):
        assert wp.sssp(path, 0, device="cuda", method=method).stats.improvements == 1499
