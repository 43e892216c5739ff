"""Breadth-first search from two ends by its driver: balances, small and large frontiers."""

from itertools import product

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from exhaustive import few
from multigraphs import NAMES, multigraph
from oracles import levels
from planted import Fault
from warpath import Graph, verify
from warpath.balance import lookup
from warpath.cuda.device_graph import DeviceGraph, on_device
from warpath.cuda.instances import st_kernel
from warpath.cuda.runtime import use
from warpath.cuda.st import st_search
from warpath.generate import grid

# One of each kind.
BALANCES = (
    "thread-mapped", "two-phase-search", "merge-path", "cta-warp-scan", "block-search",
    "workload-decomposition", "node-splitting", "hierarchical",
)  # fmt: skip
OFTEN = ("thread-mapped", "two-phase-search", "cta-warp-scan", "node-splitting")
DEFAULT = "two-phase-search"


def make(name):
    source, target, n, directed = multigraph(name, path=100, star=2500, hub=5000, beside_hub=300)
    return Graph.from_edges(source, target, n=n, directed=directed)


GRAPHS = {name: make(name) for name in NAMES} | {"grid": grid(12, 40, keep=0.95)}


def ends(graph, seed):
    """Two vertices: far from each other, near, or with no path between them."""
    n, rng = graph.num_vertices, np.random.default_rng(seed)
    source, target = rng.integers(0, n, 2).tolist()
    if seed == 0:
        source, target = 0, int(levels(graph, 0).argmax())
    return source, target if target != source else (source + 1) % n


def instances(*balances, offset_bytes=4):
    return [("st.cuh", st_kernel(offset_bytes, lookup(name), threads=64)) for name in balances]


@pytest.fixture(scope="module")
def runtime(emulator):
    often = instances(*OFTEN) + instances(DEFAULT, offset_bytes=8)
    others = instances(*(name for name in BALANCES if name not in OFTEN))
    with EmulatedRuntime(emulator, often, others) as runtime:
        yield runtime


def search(
    runtime, graph, source, target, *,
    balance=DEFAULT, seed=0, blocks=2, cluster=1, small_frontier_max_edges=2048, loop="device", wide=False,
    wants_path=True,
):  # fmt: skip
    """Search by the driver and check its answer: its report, and its path's memory."""
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = on_device(graph)
        if wide:
            arrays = (graph.row_offsets, graph.column_indices)
            there = DeviceGraph.from_arrays(*arrays, directed=graph.directed, wide=True)
        report, path = st_search(
            there, source, target, lookup(balance), loop, wants_path=wants_path,
            small_frontier_max_edges=small_frontier_max_edges, cluster=cluster,
        )  # fmt: skip
    distance = int(levels(graph, source)[target])
    if distance < 0:
        assert report.meeting is None
        verify.no_path(graph, source, target)
        return report, path.get()
    assert report.iterations == distance
    tail, head = report.meeting
    depth = int(levels(graph, source)[tail])
    assert graph.has_edge(tail, head)
    assert depth + 1 + levels(graph.reverse, target)[head] == distance
    if wants_path:
        vertices = path.get()[: distance + 1].tolist()
        assert (vertices[0], vertices[-1]) == (source, target)
        assert vertices[depth : depth + 2] == [tail, head]
        verify.path(graph, vertices, distance, levels(graph, source), weighted=False)
    directions = report.direction
    assert set(directions) <= {"forward", "backward"}
    assert directions.count("forward") - depth == (directions[-1] == "forward")
    return report, path.get()


PAIRS = [name for name in GRAPHS if name != "one vertex"]


@pytest.mark.parametrize("balance", few(BALANCES, OFTEN))
def test_distances_meetings_and_paths(runtime, balance):
    for seed, name in enumerate(PAIRS):
        graph = GRAPHS[name]
        for pair in (0, seed + 1):
            report, _ = search(
                runtime, graph, *ends(graph, pair), balance=balance, seed=seed + pair,
                small_frontier_max_edges=0,
            )  # fmt: skip
            assert set(report.mode) <= {"grid"}
            assert set(report.balance) <= set(lookup(balance).taken)


@pytest.mark.parametrize("small_frontier_max_edges", [0, 100, 2048])
@pytest.mark.parametrize("name", PAIRS)
def test_small_and_large_frontiers(runtime, name, small_frontier_max_edges):
    graph = GRAPHS[name]
    for seed in range(6):
        search(
            runtime,
            graph,
            *ends(graph, seed),
            seed=seed,
            small_frontier_max_edges=small_frontier_max_edges,
        )


def test_the_smaller_frontier_goes_on(runtime):
    """From a path into a hub: the hub's arcs are left for the last."""
    edges = [(i, i + 1) for i in range(20)] + [(20, leaf) for leaf in range(21, 400)]
    graph = Graph.from_edges(*np.array(edges).T, directed=False)
    for small_frontier_max_edges in (0, 2048):
        report, _ = search(runtime, graph, 0, 20, small_frontier_max_edges=small_frontier_max_edges)
        assert report.direction == ("forward",) * 20
        assert report.edges.sum() < 50


def test_an_end_without_arcs_ends_the_search_at_once(runtime):
    graph = Graph.from_edges([0, 0], [1, 2], n=5)
    for source, target in ((0, 3), (1, 2), (4, 0)):
        assert search(runtime, graph, source, target)[0].iterations == 0


@pytest.mark.parametrize("balance", few(BALANCES, OFTEN))
def test_frontiers_move_from_one_block_to_the_grid_and_back(runtime, balance):
    """Between two paths, a layer of many leaves that both searches reach through hubs."""
    first, leaves, last = 20, range(21, 621), 621
    edges = [(i, i + 1) for i in range(first)]
    edges += [(first, leaf) for leaf in leaves] + [(leaf, leaf + 700) for leaf in leaves]
    edges += [(leaf + 700, last) for leaf in leaves] + [(i, i + 1) for i in range(last, last + 20)]
    graph = Graph.from_edges(*np.array(edges).T, directed=False)
    for seed in range(3):
        report, _ = search(
            runtime, graph, 0, last + 20, balance=balance, seed=seed, small_frontier_max_edges=100
        )
        assert report.mode[:39] == ("block",) * 39
        assert set(report.mode[41:]) == {"grid"}


@pytest.mark.parametrize("balance", few(BALANCES, OFTEN))
def test_frontiers_of_the_grid_one_launch_an_iteration(runtime, balance):
    one_launch_an_iteration(runtime, balance, 0)


def test_small_frontiers_one_launch_an_iteration(runtime):
    one_launch_an_iteration(runtime, DEFAULT, 2048)


def one_launch_an_iteration(runtime, balance, small_frontier_max_edges):
    for seed, name in enumerate(("components", "random, directed", "path")):
        graph = GRAPHS[name]
        report, _ = search(
            runtime, graph, *ends(graph, 0), balance=balance, seed=seed, loop="host",
            small_frontier_max_edges=small_frontier_max_edges,
        )  # fmt: skip
        assert runtime.launches == max(1, report.iterations)


@pytest.mark.parametrize("small_frontier_max_edges", [0, 1024])
def test_offsets_of_64_bits(runtime, small_frontier_max_edges):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        graph = GRAPHS[name]
        search(
            runtime,
            graph,
            *ends(graph, seed),
            seed=seed,
            small_frontier_max_edges=small_frontier_max_edges,
            wide=True,
        )


@pytest.mark.parametrize("cluster", [2, 4])
def test_a_cluster_of_blocks_runs_small_frontiers(runtime, cluster):
    for seed, name in enumerate(("path", "components", "random, directed", "star", "hub", "grid")):
        graph = GRAPHS[name]
        for pair in range(2):
            search(
                runtime, graph, *ends(graph, pair), seed=seed, blocks=4, cluster=cluster,
                small_frontier_max_edges=1000,
            )  # fmt: skip


def test_without_a_path_the_queue_stays_as_it_is(runtime):
    report, queue = search(runtime, GRAPHS["path"], 0, 99, wants_path=False)
    (untouched,) = np.full(4, runtime.garbage, np.uint8).view(np.int32)
    assert (queue == untouched).any()
    assert len(report.direction) == 99


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "one word for all meetings": Fault(
        "algorithms/two_ended.cuh",
        "return control->counters[this->set_of_step()];",
        "return control->counters[0];",
    ),
    "a meeting that takes the vertex": Fault(
        "operators/visit_two_ended.cuh",
        "__threadfence();\n        return false;",
        "__threadfence();\n        return true;",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], instances(DEFAULT)) as runtime:
        for seed, graph, small_frontier_max_edges in product(
            range(16), ("random", "grid"), (0, 2048)
        ):
            pair = ends(GRAPHS[graph], seed % 3)
            search(
                runtime,
                GRAPHS[graph],
                *pair,
                seed=seed,
                small_frontier_max_edges=small_frontier_max_edges,
                blocks=3,
            )
