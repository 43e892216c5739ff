"""`warpath.plan`: what is said before is what runs, and enough memory."""

import tracemalloc

import numpy as np
import pytest

import warpath as wp
from exhaustive import slow
from warpath import devices
from warpath.schedule import parse
from warpath.schedule.optimizations import OPTIMIZATIONS

GRID = wp.generate.grid(40, weights=(1, 9), seed=1)
HUBS = wp.generate.rmat(12, 16, directed=True, weights=(1, 255), seed=1)
SIGNED = wp.generate.negative_weights(HUBS)
BARE = GRID.without_weights()
SMALL = wp.generate.grid(12, weights=(1, 9), seed=1)
CALLS = [
    ("bfs", GRID, 0, {}),
    ("bfs", HUBS, [0, 1, 5], {"schedule": "direction=bottom-up", "predecessors": False}),
    ("bfs", GRID, [0, 7], {"nearest": True, "depth_limit": 4, "schedule": "alpha=3"}),
    ("sssp", GRID, 0, {}),
    ("sssp", GRID, 0, {"schedule": "delta=7", "target": 9}),
    ("sssp", GRID, [0, 3], {"method": "dijkstra", "dtype": np.float64}),
    ("sssp", SIGNED, 0, {}),
    ("sssp", BARE, 0, {"dtype": "int32"}),
    ("sssp", GRID, 0, {"algebra": "widest", "cutoff": 3}),
    ("sssp", GRID, 0, {"algebra": "reachability"}),
]


@pytest.mark.parametrize(("search", "graph", "source", "options"), CALLS)
def test_a_search_does_what_its_plan_says(search, graph, source, options):
    plan = wp.plan(graph, search, source, **options)
    found = getattr(wp, search)(graph, source, **options)
    ran = found.stats.plan
    assert ran.as_dict() == plan.as_dict()
    assert (plan.device, plan.method, plan.why) == (
        found.stats.device, found.stats.method, found.stats.why,
    )  # fmt: skip
    assert found.stats.threads <= plan.threads
    run_dtype = np.dtype(np.int32) if options.get("algebra") == "reachability" else plan.dtype
    assert run_dtype == plan.dtype
    if found.stats.delta is not None:
        assert plan.schedule.delta == found.stats.delta
    answers = (found.distance, found.predecessor)
    if options.get("algebra") != "reachability":
        assert plan.memory["answer"] == sum(one.nbytes for one in answers if one is not None)
    assert parse(str(plan.schedule)) == plan.schedule
    assert "plan for" in str(plan)
    assert plan.method in repr(plan)
    assert plan.method in plan._repr_html_()


MATRICES = [
    ("apsp", GRID, (), {}),
    ("apsp", SMALL, (), {"predecessors": True, "dtype": "int64"}),
    ("apsp", SMALL, (), {"method": "repeated-squaring"}),
    ("apsp", BARE, (), {}),
    *slow([("apsp", SIGNED, (), {})]),
    ("distance_matrix", GRID, ([0, 3], [7]), {}),
    ("distance_matrix", GRID, ([0, 3, 9], [7]), {"cutoff": 30}),
    ("distance_matrix", SIGNED, ([0, 1],), {}),
    ("distance_matrix", BARE, (range(20),), {"dtype": "int64"}),
    ("st_connected", GRID, (0, 1599), {}),
]


@pytest.mark.parametrize(("search", "graph", "vertices", "options"), MATRICES)
def test_other_calls_do_what_their_plans_say(search, graph, vertices, options):
    plan = wp.plan(graph, search, *vertices, **options)
    found = getattr(wp, search)(graph, *vertices, **options)
    assert found.stats.plan.as_dict() == plan.as_dict()
    assert (plan.search, plan.method, plan.why, plan.device) == (
        search, found.stats.method, found.stats.why, found.stats.device,
    )  # fmt: skip
    assert found.stats.threads <= plan.threads
    if search != "st_connected":
        answers = (found.distance, getattr(found, "predecessor", None))
        assert plan.memory["answer"] == sum(one.nbytes for one in answers if one is not None)


MEASURES = [
    ("eccentricity", GRID, (), {}, "sssp"),
    ("eccentricity", SIGNED, ([0, 3],), {}, "johnson"),
    ("eccentricity", BARE, (), {}, "bfs"),
    ("diameter", GRID, (), {"weighted": False}, "bfs"),
    ("closeness", HUBS, ([0, 1, 2],), {"by_share": False}, "sssp"),
    ("harmonic", GRID, (), {}, "sssp"),
    ("betweenness", SMALL, (), {"sources": [0, 5], "endpoints": True}, "brandes"),
    ("edge_betweenness", SMALL, (), {"weighted": False}, "brandes"),
    ("pagerank", GRID, (), {"damping": 0.5}, "power-iteration"),
    ("triangles", HUBS, (), {}, "forward"),
    ("core_numbers", HUBS, (), {}, "peeling"),
    ("maximal_independent_set", HUBS, (), {"seed": 2}, "luby"),
    ("label_propagation", HUBS, (), {"seed": 2}, "label-propagation"),
    ("clustering", GRID, (), {}, "forward"),
    ("connected_components", HUBS, (), {}, "afforest"),
    ("strongly_connected_components", HUBS, (), {}, "pearce"),
    ("strongly_connected_components", GRID, (), {}, "afforest"),
    ("minimum_spanning_forest", GRID, (), {}, "boruvka"),
    ("k_shortest_paths", GRID, (0, 99, 5), {}, "yen"),
    ("shortest_path", GRID, (0, 99), {}, "bidirectional-dijkstra"),
    ("shortest_path", GRID, (0, 99), {"weighted": False}, "bidirectional-bfs"),
    ("shortest_path", GRID, (0, 99), {"method": "dijkstra"}, "dijkstra"),
    ("shortest_path", GRID, (0, 99), {"algebra": "widest", "device": "cpu"}, "delta-stepping"),
    ("shortest_path", SIGNED, (0, 1), {}, "bellman-ford"),
]


@pytest.mark.parametrize(("search", "graph", "vertices", "options", "method"), MEASURES)
def test_what_is_made_of_many_searches_has_a_plan(search, graph, vertices, options, method):
    plan = wp.plan(graph, search, *vertices, **options)
    found = getattr(wp, search)(graph, *vertices, **options)
    assert (plan.search, plan.device) == (search, "cpu")
    assert plan.method == method
    assert plan.threads >= 1
    if isinstance(found, np.ndarray):
        assert (plan.memory["answer"], plan.dtype) == (found.nbytes, found.dtype)
    if search in ("k_shortest_paths", "shortest_path"):
        assert found.stats.plan.as_dict() == plan.as_dict()


def test_measures_refuse_in_their_plans_what_they_refuse():
    for search, said in (
        ("closeness", "non-negative weights"),
        ("betweenness", "positive weights"),
        ("diameter", "non-negative weights"),
        ("minimum_spanning_forest", "undirected"),
    ):
        with pytest.raises(ValueError, match=said):
            wp.plan(SIGNED, search)
    with pytest.raises(ValueError, match="k must be a positive integer"):
        wp.plan(GRID, "k_shortest_paths", 0, 1, 0)
    strong = wp.plan(HUBS, "strongly_connected_components", device="cuda")
    assert (strong.device, strong.method) == ("cuda", "multistep")
    components = wp.plan(GRID, "connected_components", device="cuda")
    assert (components.device, components.schedule.balance) == ("cuda", "two-phase-search")


def test_no_plan_searches_for_a_negative_cycle():
    cycle = wp.Graph.from_edges([0, 1, 2], [1, 2, 0], [1, -3, 1])
    assert wp.plan(cycle, "apsp", method="johnson").why == "as asked; one search per source"
    assert wp.plan(cycle, "distance_matrix", [0, 1], [2]).method == "johnson"
    with pytest.raises(wp.NegativeCycleError):
        wp.apsp(cycle)


@pytest.mark.parametrize("search", ["bfs", "sssp"])
@pytest.mark.parametrize("name", ["grid", "hubs", "signed"])
def test_what_runs_takes_no_more_memory(search, name, threads):
    graph = {
        "grid": lambda: wp.generate.grid(400, weights=(1, 255)),
        "hubs": lambda: wp.generate.rmat(16, 8, weights=(0.0, 1.0), seed=1),
        "signed": lambda: wp.generate.negative_weights(
            wp.generate.rmat(16, 8, directed=True, weights=(1, 255), seed=1)
        ),
    }[name]()
    run = getattr(wp, search)
    run(graph, 0)
    plan = wp.plan(graph, search, 0)
    tracemalloc.start()
    try:
        run(graph, 0)
        taken = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert taken <= plan.memory["answer"] + plan.memory["workspace"]
    assert taken >= plan.memory["answer"]


def test_a_gpu_need_not_be_there():
    assert devices.missing() is not None or wp.plan(GRID, "bfs", 0, device="cuda")
    plan = wp.plan(GRID, "sssp", 0, device="cuda")
    assert (plan.device, plan.where, plan.threads) == ("cuda", "as asked", 0)
    assert plan.schedule.balance == "two-phase-search"
    assert plan.schedule.loop == "device"
    plan = wp.plan(GRID, "bfs", 0, device="cuda", schedule="harish")
    assert plan.schedule.frontier == "topology-driven"
    assert plan.method == "bfs top-down, topology-driven"
    fitted = wp.plan(GRID, "bfs", 0, device="cuda", schedule="auto").schedule.balance
    assert fitted == "auto:degrees=regular"


def test_child_grids_have_the_loop_on_the_host():
    every = wp.Schedule(optimizations=OPTIMIZATIONS)
    assert (
        wp.plan(GRID, "sssp", 0, device="cuda", method="h-bf", schedule=every).schedule.loop
        == "host"
    )
    assert wp.plan(GRID, "bfs", 0, device="cuda", schedule=every.balance).schedule.loop == "host"


def test_why_a_device(monkeypatch):
    assert wp.plan(GRID, "bfs", 0).where == "fewer than 4,194,304 arcs"
    assert wp.plan(GRID, "bfs", 0, device="cpu").where == "as asked"
    assert wp.plan(GRID, "sssp", 0, method="dijkstra").where == "only there is method 'dijkstra'"
    monkeypatch.setattr(devices, "missing", lambda: None)
    plan = wp.plan(GRID, "bfs", 0, schedule="merge-path")
    assert (plan.device, plan.where) == ("cuda", "only a GPU has balance='merge-path'")


def test_vertices_by_name():
    graph = wp.Graph.from_edges(["a", "b"], ["b", "c"], [1, 2])
    assert wp.plan(graph, "sssp", "a", target="c").method == "dijkstra"
    assert wp.plan(graph, "distance_matrix", ["a"], targets=["c"]).memory["answer"] == 8
    with pytest.raises(ValueError, match="'d'"):
        wp.plan(graph, "bfs", "d")


def test_what_a_search_refuses_its_plan_refuses():
    with pytest.raises(
        ValueError, match="unknown search 'dfs'; choose one of bfs, sssp, shortest_path"
    ):
        wp.plan(GRID, "dfs", 0)
    with pytest.raises(ValueError, match="cannot take negative weights"):
        wp.plan(SIGNED, "sssp", 0, method="dijkstra")
    with pytest.raises(ValueError, match="bfs has no delta"):
        wp.plan(GRID, "bfs", 0, schedule="delta=3")
    with pytest.raises(ValueError, match="out of range"):
        wp.plan(GRID, "bfs", 1600)
    with pytest.raises(TypeError, match="trace"):
        wp.plan(GRID, "bfs", 0, trace=False)


@pytest.mark.parametrize(
    ("search", "options", "message"),
    [
        ("bfs", {}, "^bfs: missing a required argument: 'source'"),
        ("sssp", {"source": 0, "radius": 1}, "^sssp: got an unexpected keyword argument 'radius'"),
    ],
)
def test_arguments_that_a_search_does_not_have(search, options, message):
    with pytest.raises(TypeError, match=message):
        wp.plan(wp.generate.grid(3), search, **options)
