"""Shortest paths on a GPU, as far as the host decides: with NumPy for CuPy, the CPU for kernels."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import fake_gpu
import warpath as wp
from algebras import RELIABLE_FLOATS, WITHOUT_MIRROR, probabilities
from fake_gpu import OnDevice
from fake_sssp_engine import Engine, weights_as
from oracles import ONE_OF_EACH_KIND, signed, weighted
from warpath import devices, verify
from warpath.algorithms.shortest_paths.negative import check_parents
from warpath.cuda.bfs import small_frontier_options
from warpath.planning.methods import METHODS

CUDA = [name for name, one in METHODS.items() if "cuda" in one.devices and name != "auto"]


@pytest.fixture
def engine(monkeypatch):
    """A GPU of a kind."""
    fake, cupy = Engine(), ModuleType("cupy")
    cupy.empty = lambda shape, dtype: np.empty(shape, dtype).view(OnDevice)
    cupy.where = lambda *arguments: np.where(*arguments).view(OnDevice)
    cupy.copyto, cupy.minimum = np.copyto, np.minimum
    cupy.asarray = np.asarray
    modules = {
        "warpath.cuda.weights": SimpleNamespace(weights_as=weights_as),
        "warpath.cuda.sssp": fake,
        "warpath.cuda.tree": SimpleNamespace(fill_predecessors=fake.fill_predecessors, Weights=str),
        "warpath.cuda.cycles": fake,
        "warpath.cuda.batch": fake,
        "warpath.cuda.bfs": SimpleNamespace(
            bfs=fake.bfs, small_frontier_options=small_frontier_options
        ),
    }
    fake_gpu.there_is_one(monkeypatch, cupy, modules)
    return fake


def check(graph, source, **options):
    """An answer by way of the stand-in, which must be the CPU's."""
    paths = wp.sssp(graph, source, device="cuda", **options)
    paths.verify()
    options = {key: value for key, value in options.items() if key not in ("schedule",)}
    by_dijkstra = graph.weight_range[0] >= 0 and options.get("algebra") != "reachability"
    method = "dijkstra" if by_dijkstra else "auto"  # compiles soonest
    here = wp.sssp(graph, source, device="cpu", **options | {"method": method})
    assert paths.distance.dtype == here.distance.dtype
    assert np.array_equal(paths.distance, here.distance)
    assert np.array_equal(paths.limit, here.limit)
    assert isinstance(paths.distance, OnDevice)
    assert paths.stats.device == "a GPU"
    return paths


# -- which device ----------------------------------------------------------------------------


GRAPH = wp.generate.grid(30, weights=(1, 9), seed=1)


def test_auto_takes_a_gpu_for_large_graphs_or_if_asked_for_one(engine, monkeypatch):
    assert wp.sssp(GRAPH, 0).stats.device == "cpu"
    assert wp.sssp(GRAPH, 0, schedule="virtual-warp").stats.device == "a GPU"
    assert wp.sssp(GRAPH, 0, schedule="loop=host").stats.device == "a GPU"
    assert wp.sssp(GRAPH, 0, method="workfront-sweep").stats.device == "a GPU"
    monkeypatch.setattr("warpath.planning.placement._MANY_ARCS", 100)
    assert wp.sssp(GRAPH, 0).stats.device == "a GPU"
    assert wp.sssp(GRAPH, 0, method="dijkstra").stats.device == "cpu"
    assert wp.sssp(GRAPH, 0, device="cpu").stats.device == "cpu"


def test_without_a_gpu_a_method_of_gpus_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    with pytest.raises(wp.DeviceUnavailableError, match="there is no NVIDIA GPU"):
        wp.sssp(GRAPH, 0, method="workfront-sweep")


def test_too_little_memory(engine):
    engine.out_of_memory = True
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warpath.planning.placement._MANY_ARCS", 100)
        assert wp.sssp(GRAPH, 0).stats.device == "cpu"
    only_on_gpus = (
        {"method": "workfront-sweep"},
        {"schedule": "virtual-warp"},
        {"schedule": "loop=host"},
    )
    for options in ({"device": "cuda"}, *only_on_gpus):
        with pytest.raises(MemoryError, match="the graph of 900 vertices and 3,480 arcs takes"):
            wp.sssp(GRAPH, 0, **options)


def test_options_reach_the_engine(engine):
    check(GRAPH, 0, method="workfront-sweep", schedule="virtual-warp:width=16,loop=host")
    assert engine.calls == [("workfront-sweep", None, "virtual-warp:width=16", "host", True, False)]
    stats = wp.sssp(GRAPH, 0, device="cuda", schedule="delta=7").stats
    assert engine.calls[-1][:2] == (stats.method, stats.delta) == ("delta-stepping", 7)
    floats = GRAPH.with_weights(GRAPH.weights.astype(np.float32))
    assert wp.sssp(floats, 0, device="cuda", schedule="delta=1e300").stats.delta == 1e300


def test_small_frontiers_where_each_arc_counts_1(engine):
    mesh = wp.generate.grid(70)
    for options, asynchronous in (
        ({}, True),
        ({"cutoff": 9}, False),
        ({"dtype": np.float32}, False),
    ):
        found = check(mesh, 0, **options)
        if found.stats.method == "bfs":
            assert (engine.small == small_frontier_options("async")) is asynchronous
            assert (found.stats.plan.schedule.small_frontiers == "async") is asynchronous
    plan = check(mesh, 0, schedule="merge-path,small_frontiers=off").stats.plan
    assert str(plan.schedule).startswith("merge-path,frontier=vertex-queue")
    assert engine.small == small_frontier_options("off")


def test_blocks_run_asynchronously_where_degrees_are_regular(engine):
    """And where the diameter may be large; a balance that is asked for would not run then."""
    mesh = wp.generate.grid(20, weights=(1, 9), seed=1)
    hub = wp.Graph.from_edges([0] * 50, range(1, 51), [3] * 50, directed=False)
    dense = wp.generate.named("complete", 20).with_weights(np.full(380, 3))
    skewed = wp.generate.rmat(10, 16, weights=(1, 9), seed=1)
    for graph, method, balance, asynchronous in (
        (mesh, "delta-stepping", None, True),
        (mesh, "delta-stepping", "merge-path", True),
        (mesh, "delta-stepping", "small_frontiers=off", False),
        (mesh, "delta-stepping", "loop=host", False),
        (mesh, "workfront-sweep", None, True),
        (mesh, "workfront-sweep", "merge-path", False),
        (mesh, "workfront-sweep", "merge-path,small_frontiers=async", True),
        (mesh, "near-far", None, False),
        (hub, "delta-stepping", None, True),
        (dense, "delta-stepping", None, True),
        (dense, "delta-stepping", "merge-path", False),
        (skewed, "delta-stepping", None, False),
        (skewed, "delta-stepping", "small_frontiers=async", True),
    ):
        check(graph, 0, method=method, schedule=balance)
        assert engine.asynchronous is asynchronous
    for method, schedule in (("near-far", ""), ("delta-stepping", "loop=host,")):
        with pytest.raises(
            ValueError, match="'async' is for methods delta-stepping, workfront-sweep"
        ):
            check(mesh, 0, method=method, schedule=f"{schedule}small_frontiers=async")
    with pytest.raises(
        ValueError, match="sssp has no small_frontiers='cluster'; it has off, async"
    ):
        check(mesh, 0, schedule="small_frontiers=cluster")


def test_auto_between_hubs(engine):
    """The sweep for one answer, of all that can be reached."""
    ends = np.tile(np.arange(5, 605, dtype=np.int32), 5)
    graph = wp.Graph.from_edges(np.repeat(range(5), 600), ends, ends % 99 + 1, directed=False)
    for source, options, method in (
        (0, {}, "workfront-sweep"),
        ([0, 7], {"nearest": True}, "workfront-sweep"),
        ([0, 7], {}, "delta-stepping"),
        (0, {"target": 9}, "delta-stepping"),
        (0, {"cutoff": 50}, "delta-stepping"),
    ):
        paths = check(graph, source, **options)
        assert paths.stats.method == engine.calls[-1][0] == method


@pytest.mark.parametrize("predecessors", [True, False])
@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_several_sources_at_once(engine, dtype, predecessors):
    engine.at_once = True
    graph, sources = weighted("karate", dtype), [5, 6, 5, 0]
    for options in (
        {}, {"cutoff": 9}, {"method": "workfront-sweep"}, {"target": 3},
        {"target": 3, "cutoff": 2},
        *({"algebra": "widest"} | more for more in ({}, {"target": 3}) if dtype is np.int32),
    ):  # fmt: skip
        engine.calls.clear()
        check(graph, sources, predecessors=predecessors, **options)
        assert {call[0] for call in engine.calls} == {"at once"}
        assert {call[1] is None for call in engine.calls} == {"method" in options}
    for options in ({"cutoff": 3}, {"target": 3}, {"algebra": "reachability"}):
        check(graph.without_weights(), sources, predecessors=predecessors, **options)
    engine.calls.clear()
    negative = signed("directed cycle", dtype)
    for other, options in (
        (graph, {"schedule": "loop=host"}), (graph, {"method": "h-bf"}), (graph, {"nearest": True}),
        (negative, {}),
    ):  # fmt: skip
        check(other, sources, predecessors=predecessors, **options)
    assert "at once" not in {call[0] for call in engine.calls}


@pytest.mark.slow
@pytest.mark.parametrize("dtype", RELIABLE_FLOATS)
def test_reliabilities_at_once(engine, dtype):
    engine.at_once = True
    graph = probabilities(weighted("karate", dtype))
    for options in ({}, {"target": 3}, {"cutoff": 0.25}):
        check(graph, [5, 6, 0], algebra="most-reliable", **options)
    assert {call[0] for call in engine.calls} == {"at once"}


def test_what_does_not_fit_is_found_in_every_row(engine):
    engine.at_once = True
    huge = wp.Graph.from_edges([0, 1, 3], [1, 2, 3], np.int64([2**62, 2**62, 1]))
    with pytest.raises(OverflowError, match="the distance of vertex 2 exceeds int64"):
        wp.sssp(huge, [1, 3, 0], device="cuda")
    wp.sssp(huge, [1, 3, 2], device="cuda")
    tiny = np.finfo(np.float32).tiny
    odds = wp.Graph.from_edges([0, 1], [1, 2], np.array([tiny, tiny], np.float32))
    with pytest.raises(OverflowError, match="vertex 2 is too small for float32"):
        wp.sssp(odds, [1, 0], algebra="most-reliable", device="cuda")
    assert {call[0] for call in engine.calls} == {"at once"}


def test_optimizations_reach_the_engine_or_are_its_balance(engine):
    stats = check(GRAPH, 0, method="h-bf").stats
    assert engine.optimizations == {"duplicate-removal", "coalesced-enqueue"}
    assert stats.plan.schedule.optimizations == engine.optimizations
    check(GRAPH, 0, method="h-bf", dtype=np.int64)
    assert engine.optimizations == {"stamps", "coalesced-enqueue"}
    check(GRAPH, 0, method="workfront-sweep")
    assert engine.optimizations is None
    names = ("edge-classification", "dynamic-virtual-warps")
    check(GRAPH, 0, method="h-bf", schedule=wp.Schedule(optimizations=names))
    assert engine.optimizations == set(names)
    assert engine.calls[-1][2] == "dynamic-virtual-warp"
    check(
        GRAPH,
        0,
        method="h-bf",
        schedule=wp.Schedule(optimizations=names, balance="dynamic-virtual-warp:minimum=8"),
    )
    assert engine.calls[-1][2] == "dynamic-virtual-warp:minimum=8"
    check(GRAPH, 0, method="h-bf", schedule=wp.Schedule(optimizations=()))
    assert engine.optimizations == set()
    assert engine.calls[-1][2] == "two-phase-search"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"schedule": "optimizations=edge-classes"},
            "'edge-classes'; choose of edge-classification, dup",
        ),
        ({"schedule": "optimizations=duplicates"}, "unknown optimization 'duplicates'"),
        (
            {"schedule": "optimizations=none", "method": "near-far"},
            "switches of method 'h-bf', not of 'near-fa",
        ),
        (
            {"schedule": "merge-path,optimizations=dynamic-virtual-warps"},
            "is the balance 'dynamic-virtual-warp', not 'merge-path'",
        ),
        (
            {"schedule": "optimizations=lookup-compaction+dynamic-parallelism"},
            "'lookup-compaction' waits until an iteration is complete, but child grids are so",
        ),
        (
            {"schedule": "optimizations=bitmap-frontier+lookup-compaction"},
            "bitmap-frontier and lookup-compaction both drop duplicates",
        ),
        (
            {"schedule": "optimizations=duplicate-removal+hash-duplicates"},
            "duplicate-removal and hash-duplicates both drop duplicates",
        ),
    ],
)
def test_optimizations_that_cannot_be(engine, options, message):
    with pytest.raises(ValueError, match=message):
        wp.sssp(GRAPH, 0, **{"method": "h-bf", "device": "cuda"} | options)
    assert engine.calls == []


def test_classes_take_two_bits_and_sums(engine, monkeypatch):
    monkeypatch.setattr("warpath.algorithms.shortest_paths.gpu_sssp.MOST_MARKED_VERTICES", 900)
    options = {"method": "h-bf", "schedule": "optimizations=edge-classification"}
    with pytest.raises(ValueError, match="fewer than 2³⁰ vertices, not 900"):
        wp.sssp(GRAPH, 0, **options)


# -- answers ---------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
@pytest.mark.parametrize("sources", [5, [5, 6], [5, 6, 5, 0]])
def test_rows_limits_and_dtypes(engine, sources, dtype):
    graph = weighted("power law, directed", dtype)
    for options in (
        {}, {"nearest": True}, {"predecessors": False}, {"cutoff": 3.5}, {"cutoff": 0},
        {"target": 1000}, {"target": 5}, {"target": 1000, "cutoff": 1.5}, {"cutoff": 2**70},
        {"dtype": np.float64}, {"target": graph.num_vertices - 1, "nearest": True},
    ):  # fmt: skip
        paths = check(graph, sources, **options)
        assert (paths.predecessor is None) == ("predecessors" in options)
        if paths.predecessor is not None:
            assert (paths.predecessor[~paths.reached] == -1).all()


def test_which_weights_need_which_tree(engine):
    twice = np.float32([2, 3])
    for weights, signs in (
        (np.int32([2, 3]), "positive"), (np.int32([0, 3]), "non-negative"),
        (twice, "non-negative"), (np.int32([2, -1]), "any"),
    ):  # fmt: skip
        check(wp.Graph.from_edges([0, 1], [1, 2], weights), 0)
        assert engine.trees.pop() == signs


@pytest.mark.parametrize("options", [{}, {"cutoff": 2.5}, {"target": 9}, {"nearest": True}])
def test_without_weights_it_is_a_bfs(engine, options):
    graph = wp.generate.grid(20, keep=0.8, seed=3)
    assert check(graph, [0, 210], **options).stats.method == "bfs"
    assert engine.calls == []
    check(graph, 0, schedule="delta=3")
    assert len(engine.calls) == 1


def test_int32_where_only_the_bound_does_not_fit(engine):
    graph = wp.Graph.from_edges([0, 0, 1], [1, 2, 2], np.int64([3, 2**40, 4]))
    assert check(graph, 0, dtype=np.int32).distance.tolist() == [0, 3, 7]
    far = wp.Graph.from_edges([0], [2], np.int64([2**40]))
    with pytest.raises(OverflowError, match="the distance of vertex 2 is 1099511627776: too large"):
        wp.sssp(far, 0, dtype=np.int32, device="cuda")


def test_a_distance_that_exceeds_64_bits(engine):
    graph = wp.Graph.from_edges([0, 1], [1, 2], np.int64([2**62, 2**62]))
    with pytest.raises(OverflowError, match="the distance of vertex 2 exceeds int64"):
        wp.sssp(graph, 0, device="cuda")


# -- negative weights ------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ONE_OF_EACH_KIND)
def test_negative_weights(engine, dtype):
    graph = signed("uniform, directed", dtype)
    for predecessors in (True, False):
        check(graph, [0, 7], predecessors=predecessors)
    assert engine.cycles == (4 if np.dtype(dtype).kind == "f" else 0)
    assert engine.calls[-1][-1]  # signed


def test_negative_edges_out_of_reach(engine):
    graph = wp.Graph.from_edges([0, 1, 3], [1, 2, 4], [1, 1, -1], directed=False)
    stats = check(graph, 0, target=1).stats
    assert (stats.method, stats.why) == ("workfront-sweep", "a weight is negative")
    with pytest.raises(wp.NegativeCycleError):
        wp.sssp(graph, 3, device="cuda")


RING = wp.Graph.from_edges([0, 1, 2], [1, 2, 1], np.int32([4, -3, 2]))


@pytest.mark.parametrize("predecessors", [True, False])
def test_a_negative_cycle_in_the_parents(engine, predecessors):
    with pytest.raises(wp.NegativeCycleError) as caught:
        wp.sssp(RING, 0, device="cuda", predecessors=predecessors)
    verify.negative_cycle(RING, caught.value.cycle, 0)
    assert engine.cycles == 1


def test_what_the_device_cannot_name_the_cpu_does(engine):
    """It ran on and on, or fell below the dtype, and no cycle was seen."""
    engine.endless = True
    engine.find = sys.modules["warpath.cuda.cycles"].find = lambda *arguments: None
    with pytest.raises(wp.NegativeCycleError):
        wp.sssp(RING, 0, device="cuda")
    check(signed("uniform, directed", np.int32), 0)  # the CPU's answer where there is none


def test_cycles_that_are_not_negative_are_no_answer():
    """As racing threads leave them: the first is of weight 0, the second negative."""
    graph = wp.Graph.from_edges([0, 1, 2, 3, 4, 5], [1, 2, 1, 4, 5, 3], [5, -3, 3, 1, 1, -3])
    parents = np.int32([-1, 2, 1, 5, 3, 4])
    check_parents(graph, parents, np.int32([1, 2]))
    with pytest.raises(wp.NegativeCycleError) as caught:
        check_parents(graph, parents, np.int32([1, 2, 3]))
    assert set(caught.value.cycle) == {3, 4, 5}


# -- other algebras than sums ----------------------------------------------------------------


@pytest.mark.parametrize("method", ["auto", "h-bf", "bellman-ford-queueless"])
@pytest.mark.parametrize(("algebra", "dtype"), WITHOUT_MIRROR)
def test_algebras(engine, algebra, dtype, method):
    graph = weighted("power law, directed", dtype)
    if algebra == "most-reliable":
        graph = probabilities(graph)
    for options in ({}, {"target": 9}, {"nearest": True}, {"predecessors": False}):
        check(graph, [5, 6, 3], algebra=algebra, method=method, **options)
    for cutoff in (0.3, 1):
        check(graph, 5, algebra=algebra, method=method, cutoff=cutoff)
    assert set(engine.trees) == {"non-negative"}  # which most arcs leave as they are


@pytest.mark.parametrize("sources", [5, [5, 3, 4]])
def test_reachability(engine, sources):
    paths = check(weighted("power law, directed", np.float64), sources, algebra="reachability")
    assert paths.distance.dtype == bool
    assert paths.stats.method == "bfs"


@pytest.mark.parametrize("dtype", RELIABLE_FLOATS)
def test_a_reliability_too_small_is_found(engine, dtype):
    tiny = np.finfo(dtype).tiny
    graph = wp.Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 4], np.array([tiny, tiny, 0.5, 0], dtype))
    with pytest.raises(OverflowError, match="vertex 2 is too small for"):
        wp.sssp(graph, 0, algebra="most-reliable", device="cuda")
    check(graph, 0, algebra="most-reliable", cutoff=float(tiny))


def test_edge_classification_is_for_sums(engine):
    with pytest.raises(ValueError, match="for sums of weights, not for algebra 'widest'"):
        wp.sssp(
            GRAPH, 0, algebra="widest", method="h-bf", schedule="optimizations=edge-classification",
            device="cuda",
        )  # fmt: skip


def long_path(weight, arcs=2**17):
    return wp.Graph.from_edges(
        np.arange(arcs), np.arange(1, arcs + 1), np.full(arcs, weight, np.int32), directed=False
    )


def test_sums_of_32_bits_are_tried(engine):
    path = long_path(2**14 + 1)  # all of it is longer than they hold, half of it is not
    assert check(path, 2**16).distance.dtype == np.int64
    assert engine.dtypes == ["int32"]
    assert check(path, 0).distance[-1] == 2**17 * (2**14 + 1)
    assert engine.dtypes == ["int32", "int32", "int64"]


@pytest.mark.parametrize(
    ("weight", "options"),
    [
        (2**15 + 1, {}),  # half of it is
        (2**14 + 1, {"cutoff": 2**40}),
        (2**14 + 1, {"target": 2**16}),
    ],
)
def test_where_they_are_not(engine, weight, options):
    check(long_path(weight), 2**16, **options)
    assert engine.dtypes == ["int64"]


def test_sums_of_32_bits_by_other_dtypes(engine):
    path = long_path(2**14 + 1)
    check(path, 2**16, dtype="float64")
    assert engine.dtypes == ["float64"]
    assert wp.sssp(path, 2**16, device="cuda", dtype="int32").distance.dtype == np.int32
    with pytest.raises(OverflowError, match="int32"):
        wp.sssp(path, 0, device="cuda", dtype="int32")
    assert engine.dtypes[1:] == ["int32", "int32", "int64"]
