"""Searches from both ends on a GPU, as far as the host decides: stand-ins for the engine."""

from types import SimpleNamespace

import numpy as np
import pytest

import fake_gpu
import warpath as wp
from fake_gpu import OnDevice
from warpath import devices
from warpath.cpu.bidirectional_bfs import bidirectional_bfs


class Engine:
    """The CUDA engine's search, by the CPU; what it was called with is kept."""

    def __init__(self):
        self.calls, self.out_of_memory = [], False

    def st_search(self, graph, source, target, balance, loop, *, wants_path, **small):
        if self.out_of_memory:
            raise MemoryError("cannot allocate")
        self.small = small
        self.calls.append((str(balance), loop, wants_path))
        path, place, report = bidirectional_bfs(graph, source, target)
        n = graph.num_vertices
        queue = np.full(n, 12345, np.int32).view(OnDevice)
        meeting = None
        if path is not None:
            meeting = tuple(path[place : place + 2].tolist())
            if wants_path:
                queue[: len(path)] = path
        return SimpleNamespace(meeting=meeting, iterations=report.iterations), queue


@pytest.fixture
def engine(monkeypatch):
    fake = Engine()
    fake_gpu.there_is_one(monkeypatch, SimpleNamespace(), {"warpath.cuda.st": fake})
    return fake


GRAPH = wp.generate.grid(30)
DENSE = wp.generate.rmat(8, 16)


def test_the_answer_is_made_of_what_the_search_leaves(engine):
    found = wp.st_connected(GRAPH, 0, 899, device="cuda", schedule="virtual-warp,loop=host")
    here = wp.st_connected(GRAPH, 0, 899, device="cpu")
    assert (found.distance, found.meeting) == (here.distance, here.meeting)
    assert engine.calls == [("virtual-warp", "host", False)]
    assert (found.stats.method, found.stats.device) == ("bidirectional-bfs", "a GPU")
    path = wp.shortest_path(GRAPH, 0, 899, device="cuda")
    assert engine.calls[1] == ("two-phase-search", "device", True)
    assert path.length == found.distance
    assert (path.stats.why, path.stats.device) == ("each arc counts 1", "a GPU")
    path.verify()
    weighted = GRAPH.with_weights(np.full(GRAPH.num_arcs, 7))
    assert wp.shortest_path(weighted, 0, 899, weighted=False, device="cuda").length == path.length


def test_who_expands_small_frontiers(engine):
    for graph, schedule, small in (
        (GRAPH, None, (32768, 8)),
        (DENSE, None, (32768, 1)),
        (DENSE, "small_frontiers=cluster", (32768, 8)),
        (GRAPH, "small_frontiers=off", (0, 1)),
    ):
        wp.st_connected(graph, 0, 9, device="cuda", schedule=schedule)
        assert tuple(engine.small.values()) == small
    with pytest.raises(ValueError, match="st_connected has no small_frontiers='async'"):
        wp.st_connected(GRAPH, 0, 9, device="cuda", schedule="small_frontiers=async")


def test_no_path_is_an_answer(engine):
    graph = wp.Graph.from_edges([0, 2], [1, 3])
    found = wp.st_connected(graph, 0, 3, device="cuda")
    assert not found
    assert (found.distance, found.meeting) == (None, None)
    with pytest.raises(wp.NoPathError, match="from 0 to 3"):
        wp.shortest_path(graph, 0, 3, device="cuda")


def test_to_oneself_nothing_is_launched(engine):
    found = wp.st_connected(GRAPH, 5, 5, device="cuda")
    assert (found.distance, found.meeting, found.stats.iterations) == (0, None, 0)
    assert wp.shortest_path(GRAPH, 5, 5, device="cuda").vertices == [5]
    assert engine.calls == []


def test_auto_takes_a_gpu_where_the_graph_is_or_for_large_sparse_ones(engine, monkeypatch):
    def where(graph, **options):
        return wp.st_connected(graph, 0, 3, **options).stats.device

    assert where(GRAPH) == where(DENSE) == "cpu"
    assert where(GRAPH, schedule="virtual-warp") == where(DENSE, schedule="loop=host") == "a GPU"
    monkeypatch.setattr("warpath.planning.placement._MANY_ARCS", 100)
    assert (where(GRAPH), where(DENSE)) == ("a GPU", "cpu")
    assert where(GRAPH, device="cpu") == "cpu"
    for graph in (GRAPH, DENSE):
        monkeypatch.setitem(graph.__dict__, "device", "cuda")
    assert where(DENSE) == "a GPU"
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    assert where(DENSE) == where(GRAPH) == "cpu"


def test_too_little_memory(engine, monkeypatch):
    engine.out_of_memory = True
    monkeypatch.setattr("warpath.planning.placement._MANY_ARCS", 100)
    for call in (wp.st_connected, wp.shortest_path):
        assert call(GRAPH, 0, 3).stats.device == "cpu"
        for options in (
            {"device": "cuda"},
            {"schedule": "virtual-warp"},
            {"schedule": "loop=host"},
        ):
            with pytest.raises(MemoryError, match="the graph of 900 vertices and 3,480 arcs takes"):
                call(GRAPH, 0, 3, **options)


WEIGHTED = GRAPH.with_weights(np.ones(GRAPH.num_arcs, np.int32))
BAD = [
    (GRAPH, {"device": "cpu", "schedule": "virtual-warp"}, "balance='virtual-warp' is for device='cuda'"),
    (GRAPH, {"device": "cpu", "schedule": "loop=host"}, "loop='host' is for device='cuda', not 'cpu'"),
    (GRAPH, {"schedule": "nonsense"}, "nonsense"),
    (GRAPH, {"schedule": "loop=for"}, "unknown loop 'for'; choose one of device, host"),
    (WEIGHTED, {"method": "bidirectional", "device": "cuda"}, "method 'bidirectional' by weight is for device='cpu'"),
    (WEIGHTED, {"method": "bidirectional", "schedule": "loop=host"}, "method 'bidirectional' by weight is for device='cpu'"),
    (WEIGHTED, {"method": "dijkstra", "device": "cuda"}, "method 'dijkstra' is for device='cpu', not 'cuda'"),
]  # fmt: skip


@pytest.mark.parametrize(("graph", "options", "message"), BAD)
def test_bad_options(graph, options, message):
    with pytest.raises(ValueError, match=message):
        wp.shortest_path(graph, 0, 1, **options)
    if "method" not in options:
        with pytest.raises(ValueError, match=message):
            wp.st_connected(graph, 0, 1, **options)


def test_without_a_gpu_it_is_said_what_is_missing(monkeypatch):
    monkeypatch.setattr(devices, "missing", lambda: "there is no NVIDIA GPU")
    for call in (wp.st_connected, wp.shortest_path):
        with pytest.raises(wp.DeviceUnavailableError, match="there is no NVIDIA GPU"):
            call(GRAPH, 0, 1, device="cuda")
