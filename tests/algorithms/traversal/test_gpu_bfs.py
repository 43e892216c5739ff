"""Breadth-first search on a GPU, as far as the host decides: with NumPy for CuPy, the CPU for kernels."""

from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import fake_gpu
import warpath as wp
from fake_gpu import OnDevice
from warpath.cuda.bfs import small_frontier_options
from warpath.frontier import DEFAULT

GRAPH = wp.generate.rmat(8, 4, directed=True, seed=1)


class Engine:
    """The CUDA engine's functions, by the CPU; what each was called with is kept."""

    def __init__(self):
        self.calls, self.at_once, self.out_of_memory = [], False, False

    def bfs(
        self, graph, sources, direction, alpha, beta, limit, distance, predecessor, balance, loop,
        trace, **small,
    ):  # fmt: skip
        self.small = small
        if self.out_of_memory:
            raise MemoryError("cannot allocate")
        self.calls.append(("bfs", direction, alpha, beta, limit, str(balance), loop, trace))
        return self._fill(graph, sources, limit, distance, predecessor)

    small_frontier_options = staticmethod(small_frontier_options)

    def bfs_levels(
        self,
        graph,
        sources,
        policy,
        direction,
        limit,
        distance,
        predecessor,
        balance,
        loop,
        trace,
        grid,
    ):
        assert grid is None
        self.calls.append(("levels", policy, direction, str(balance), loop, trace))
        return self._fill(graph, sources, limit, distance, predecessor)

    def batching_is_faster(self, graph, searches, balance):
        self.balance = str(balance)
        return self.at_once

    def bfs_rows(self, graph, sources, limit, distance, predecessor, trace):
        self.calls.append(("rows", limit, trace))
        for i, source in enumerate(sources):
            parents = None if predecessor is None else predecessor[i]
            report = self._fill(graph, np.array([source]), limit, distance[i], parents)
        return report

    def _fill(self, graph, sources, limit, distance, predecessor):
        found = wp.bfs(graph, sources.tolist(), nearest=True, depth_limit=limit, device="cpu")
        distance[:] = found.distance
        if predecessor is not None:
            predecessor[:] = found.predecessor
        return SimpleNamespace(iterations=3)


@pytest.fixture
def engine(monkeypatch):
    """A GPU of a kind."""
    fake, cupy = Engine(), ModuleType("cupy")
    cupy.empty = lambda shape, dtype: np.empty(shape, dtype).view(OnDevice)
    import warpath.cuda

    names = ("bfs", "levels", "batch")
    fake_gpu.there_is_one(monkeypatch, cupy, {f"warpath.cuda.{name}": fake for name in names})
    for name in names:
        monkeypatch.setattr(warpath.cuda, name, fake, raising=False)
    return fake


def check(source, **options):
    """An answer by way of the stand-in, which must be the CPU's."""
    paths = wp.bfs(GRAPH, source, device="cuda", **options)
    paths.verify()
    assert isinstance(paths.distance, OnDevice)
    options.pop("schedule", None)
    assert np.array_equal(paths.distance, wp.bfs(GRAPH, source, device="cpu", **options).distance)
    return paths


def test_defaults(engine):
    stats = check(0).stats
    balance = "two-phase-search:shares=8"
    assert engine.calls == [("bfs", "optimizing", 14.0, 24.0, 2**31 - 1, balance, "device", True)]
    assert (stats.device, stats.method, stats.why) == ("a GPU", "bfs optimizing", "the default")
    assert stats.plan.where == "as asked"
    assert stats.iterations == 3


def test_what_is_asked_for_reaches_the_engine(engine):
    check(0, schedule="virtual-warp:width=4,alpha=3,beta=5,loop=host", depth_limit=2, trace=False)
    assert engine.calls == [("bfs", "optimizing", 3, 5, 2, "virtual-warp:width=4", "host", False)]
    engine.calls.clear()
    check(0, schedule="direction=bottom-up", predecessors=False)
    assert engine.calls[0][:2] == ("bfs", "bottom-up")
    check([0, 5], nearest=True, schedule="dynamic-virtual-warp:dynamic_parallelism=4096")
    assert engine.calls[1][6] == "host"


@pytest.mark.parametrize(
    ("schedule", "options", "small"),
    [
        ("small_frontiers=off", {}, (0, 1, False)),
        ("small_frontiers=block", {}, (32768, 1, False)),
        ("small_frontiers=cluster", {}, (32768, 8, False)),
        ("small_frontiers=async", {}, (32768, 8, True)),
        (None, {}, (32768, 8, True)),
        (None, {"depth_limit": 3}, (32768, 8, False)),
        ("loop=host", {}, (32768, 8, False)),
        ("direction=top-down", {}, (32768, 8, False)),
        ("direction=bottom-up", {}, (0, 1, False)),
        ("load-balanced-bfs", {}, (0, 1, False)),
    ],
)
def test_who_expands_small_frontiers(engine, schedule, options, small):
    """By default asynchronous blocks where the diameter may be large, and levels can be left out."""
    grid = wp.generate.grid(70)
    plan = wp.bfs(grid, 0, device="cuda", schedule=schedule, **options).stats.plan
    most, cluster, goes_on = small
    assert engine.small["small_frontier_max_edges"] == most
    assert engine.small["cluster"] == cluster
    assert (engine.small["max_small_levels"] == 64) is goes_on
    assert (plan.schedule.small_frontiers == "async") is goes_on
    wp.bfs(wp.generate.rmat(12, 16), 0, device="cuda")
    assert engine.small == small_frontier_options("block")


def test_asynchronous_blocks_have_no_depth_limit(engine):
    with pytest.raises(ValueError, match="'async' has no depth_limit"):
        wp.bfs(GRAPH, 0, device="cuda", schedule="small_frontiers=async", depth_limit=3)


def test_frontiers_go_to_the_program(engine):
    stats = check(0, schedule="bfs-4k").stats
    [(_, policy, direction, balance, loop, _)] = engine.calls
    assert (policy.frontier, policy.duplicates, policy.single_block) == (
        "vertex-queue", "hash", True,
    )  # fmt: skip
    assert (direction, balance, loop) == ("top-down", "dynamic-virtual-warp", "device")
    assert stats.method == "bfs top-down, vertex-queue, hash"
    assert policy != DEFAULT


@pytest.mark.parametrize("predecessors", [True, False])
def test_rows(engine, predecessors):
    check([0, 5, 9], predecessors=predecessors)
    assert [call[0] for call in engine.calls] == ["bfs"] * 3
    engine.calls.clear()
    engine.at_once = True
    check([0, 5, 9], predecessors=predecessors, depth_limit=3)
    check([0, 5, 9], predecessors=predecessors, schedule="direction=top-down")
    assert engine.calls == [("rows", 3, True), ("rows", 2**31 - 1, True)]
    assert engine.balance == "two-phase-search:shares=8"


def test_an_asked_for_direction_is_no_batch(engine):
    engine.at_once = True
    for text in ("direction=optimizing", "direction=bottom-up", "alpha=3", "loop=host", "harish"):
        engine.calls.clear()
        check([0, 5], schedule=text)
        assert {call[0] for call in engine.calls} <= {"bfs", "levels"}


def test_too_little_memory(engine, monkeypatch):
    engine.out_of_memory = True
    with pytest.raises(MemoryError, match="the graph of 256 vertices"):
        wp.bfs(GRAPH, 0, device="cuda")
    monkeypatch.setattr("warpath.planning.placement._MANY_ARCS", 100)
    found = wp.bfs(GRAPH, 0)  # the CPU takes over
    assert found.stats.device == "cpu"
    assert found.stats.plan.where == "the GPU's memory does not suffice"
    with pytest.raises(MemoryError):
        wp.bfs(GRAPH, 0, schedule="merge-path")
