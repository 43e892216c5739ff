"""Breadth-first search with the frontiers of the papers: policies × duplicates × balances."""

from itertools import product
from typing import NamedTuple
from unittest.mock import patch

import numpy as np
import pytest

import emulated_bfs
from emulated_bfs import GRAPHS, NO_LIMIT, THREADS, ChildGrids
from emulated_runtime import EmulatedRuntime
from exhaustive import EXHAUSTIVE, few, slow
from planted import Fault
from warpath import Graph
from warpath.balance import TECHNIQUES, Technique, lookup
from warpath.cuda import levels as driver
from warpath.cuda import queue_capacity
from warpath.cuda.instances import bfs_levels_kernel
from warpath.frontier import DUPLICATES, FRONTIERS, Policy, allowed


class Case(NamedTuple):
    """One instance of the kernel."""

    policy: Policy
    technique: str | Technique = "two-phase-search"
    direction: str = "top-down"
    wide: bool = False
    records: bool = True  # predecessors and trace

    def __str__(self):
        words = (
            self.policy.algorithm(self.direction),
            str(self.technique),
            "64 bits" * self.wide,
            "plain" * (not self.records),
        )
        return " ".join(filter(None, words)).replace("warpath::", "")

    @property
    def instance(self):
        kernel, balance = self.policy.algorithm(self.direction), lookup(self.technique)
        records = (self.records, self.records)
        expression = bfs_levels_kernel(4 + 4 * self.wide, kernel, balance, *records, THREADS)
        return "algorithms/bfs_levels.cuh", expression


POLICIES = [
    (Policy(frontier, duplicates), direction)
    for frontier, one in FRONTIERS.items()
    for duplicates in one.duplicates
    for direction in (one.directions if frontier == "topology-driven" else ("top-down",))
]
WRITTEN = [
    Policy(duplicates="hash", single_block=True),
    Policy(duplicates="none", enqueue="summed"),
    Policy(duplicates="lookup-compaction", enqueue="scattered", single_block=True),
    Policy(enqueue="blockwise", single_block=True),
    Policy(duplicates="atomic", enqueue="blockwise"),
    Policy(enqueue="warpwise", single_block=True),
    Policy(duplicates="atomic", enqueue="warpwise"),
    Policy(duplicates="hash", enqueue="blockwise", single_block=True),
    Policy(duplicates="none", enqueue="warpwise"),
]
BFS_4K = Case(
    Policy(duplicates="hash", enqueue="blockwise", single_block=True), ChildGrids(edge_discover=6)
)
CHILD_GRIDS = [
    BFS_4K,
    Case(Policy(duplicates="none", enqueue="summed"), ChildGrids()),
    Case(Policy(duplicates="warp-culling+history-culling"), ChildGrids(), wide=True),
    Case(Policy(duplicates="atomic", enqueue="scattered"), ChildGrids()),
    Case(Policy(duplicates="none", enqueue="warpwise"), ChildGrids(), records=False),
]
# Dropping duplicates does not depend on the queue: the edge queue has some of them, if there is no time.
SOME = {
    "edge-queue": ("none", "warp-culling+history-culling", "lookup-compaction"),
    "contract-expand": ("status-bitmap", "atomic", "warp-culling+history-culling"),
    "hybrid": ("status-bitmap", "atomic", "none"),
}
EVERY = [
    Case(policy, direction=way)
    for policy, way in POLICIES
    if EXHAUSTIVE or policy.duplicates in SOME.get(policy.frontier, (policy.duplicates,))
] + [Case(one) for one in WRITTEN]
# All balances with all of them; else a few: by vertices, by blocks, with lists, with barriers.
BALANCED = [
    Case(policy, name, way)
    for name, technique in TECHNIQUES.items()
    for policy, way in POLICIES
    if EXHAUSTIVE and allowed(policy, way, technique()) is None
] or [
    Case(Policy(duplicates="hash"), "dynamic-virtual-warp"),
    Case(Policy("edge-queue", "warp-culling+history-culling"), "cta-warp-scan"),
    Case(Policy("edge-queue", "atomic"), "edge-parallel"),
    Case(Policy(duplicates="lookup-compaction"), "hierarchical"),
    Case(Policy("topology-driven", "none"), "merge-path"),
    *(
        Case(Policy(frontier, "status-bitmap"), name)
        for frontier, name in (
            ("contract-expand", "cta-warp-scan:gather=contest"),
            ("contract-expand", "virtual-warp"),
            (
                "contract-expand",
                "direct-search",
            ),  # its loads are of global memory alone, unless it knows
            ("hybrid", "cta-warp-scan:gather=contest"),
            ("hybrid", "merge-path"),
        )
    ),
]
# Each is a kernel to build: by default each queue and each kind of duplicates once.
OFTEN = [
    *(
        Case(Policy(duplicates=name))
        for name in ("none", "hash", "warp-culling+history-culling", "lookup-compaction", "atomic")
    ),
    *(
        Case(Policy(frontier, duplicates))
        for frontier, duplicates in (
            ("vertex-queue", "status-bitmap"), ("edge-queue", "none"), ("edge-queue", "lookup-compaction"),
            ("contract-expand", "status-bitmap"), ("hybrid", "atomic"), ("bitmap", "none"),
            ("topology-driven", "none"),
        )
    ),
    Case(Policy(enqueue="blockwise", single_block=True)),
    Case(Policy(duplicates="none", enqueue="summed")),
    Case(Policy(duplicates="hash", single_block=True)),
    Case(Policy(duplicates="hash", enqueue="blockwise", single_block=True)),
]  # fmt: skip
BALANCED_OFTEN = [
    Case(Policy("edge-queue", "atomic"), "edge-parallel"),
    Case(Policy("contract-expand", "status-bitmap"), "cta-warp-scan:gather=contest"),
    Case(Policy("topology-driven", "none"), "virtual-warp"),
    # chunks of fewer vertices than lanes, and of more, with outliers
    Case(Policy("topology-driven", "none"), "virtual-warp:width=32,dynamic_distribution=8"),
    Case(
        Policy("topology-driven", "none"),
        "virtual-warp:width=4,defer_outliers=64,dynamic_distribution=32",
    ),
]
SWEPT = [
    Case(Policy("topology-driven", "none"), name) for name in ("virtual-warp", "edge-parallel")
]
WIDE = [
    Case(Policy(duplicates="hash"), wide=True),
    Case(Policy("edge-queue", "lookup-compaction"), wide=True),
]
PLAIN = [
    Case(Policy("edge-queue", "warp-culling"), records=False),
    Case(Policy("topology-driven", "none"), records=False),
]


def layers(count, width):
    """Each vertex of a layer has arcs to all of the next: each is found `width` times."""
    first, second = np.divmod(np.arange(width * width), width)
    source = np.concatenate([first + i * width for i in range(count - 1)])
    target = np.concatenate([second + (i + 1) * width for i in range(count - 1)])
    source, target = np.r_[np.full(width, count * width), source], np.r_[np.arange(width), target]
    return Graph.from_edges(source, target, n=count * width + 1, directed=True)


@pytest.fixture(scope="module")
def runtime(emulator):
    often = (*OFTEN, *BALANCED_OFTEN, WIDE[0], PLAIN[0], BFS_4K)
    every = (*EVERY, *BALANCED, *SWEPT, *WIDE, *PLAIN, *CHILD_GRIDS)
    every = [case for case in every if case not in often]
    programs = ([case.instance for case in cases] for cases in (often, every))
    with EmulatedRuntime(emulator, *programs) as runtime:
        yield runtime


def search(
    runtime, case, graph, sources, *,
    seed=0, blocks=2, loop="device", depth_limit=NO_LIMIT, edge_capacity=None, small_frontier_max_edges=300,
):  # fmt: skip
    """Search by the driver, and check its answer and its certificate."""

    def run(there, sources, distance, predecessor):
        return driver.bfs_levels(
            there, np.unique(sources), case.policy, case.direction, depth_limit, distance,
            predecessor, lookup(case.technique), loop, trace=case.records,
        )  # fmt: skip

    changes = {"SMALL_FRONTIER_MAX_EDGES": small_frontier_max_edges}
    if edge_capacity is not None:
        changes["_edge_capacity"] = lambda policy, graph: edge_capacity
    # Queues hold what the warps of this grid may add after an overflow, no more.
    with (
        patch.multiple(driver, **changes),
        patch.object(queue_capacity, "THREADS", THREADS * blocks),
    ):
        return emulated_bfs.search(
            runtime, run, graph, sources, seed=seed, blocks=blocks, depth_limit=depth_limit,
            wide=case.wide, predecessors=case.records,
        )  # fmt: skip


def check_amounts(found, case, graph):
    """What a search looked at, by its trace."""
    reached, report = graph.degree[found.distance >= 0], found.report
    once = (int(np.count_nonzero(reached)), int(reached.sum()))
    looked = (int(report.frontier.sum()), int(report.edges.sum()))
    all_levels = len(report.edges)
    if case.policy.sweeps:
        pulls = case.direction == "bottom-up"
        degree = graph.reverse.degree if pulls else graph.degree
        assert looked[0] == all_levels * np.count_nonzero(degree)
        by_vertices = case.technique in (
            "thread-mapped", "virtual-warp", "dynamic-virtual-warp", "cta-warp-scan",
        )  # fmt: skip
        assert looked[1] == (once[1] if by_vertices and not pulls else all_levels * graph.num_arcs)
    elif case.policy.may_repeat or case.policy.single_block:
        assert looked >= once
    else:
        assert looked == once
    taken = {"grid": lookup(case.technique).taken, "block": ("",)}
    if case.policy.frontier in ("contract-expand", "hybrid"):  # the first block may find nothing
        taken["grid"] = (*taken["grid"], "")
    for balance, mode in zip(report.balance, report.mode, strict=True):
        assert balance in taken[mode]


@pytest.mark.parametrize(
    ("case", "name"), few(product(EVERY, GRAPHS), product(OFTEN, GRAPHS)), ids=str
)
def test_every_policy(runtime, case, name):
    found = search(runtime, case, GRAPHS[name], [0], seed=len(name))
    check_amounts(found, case, GRAPHS[name])


@pytest.mark.parametrize("case", few([*BALANCED, *SWEPT], BALANCED_OFTEN), ids=str)
def test_every_balance(runtime, case):
    for seed, name in enumerate(("star", "hub", "components", "random, directed")):
        found = search(runtime, case, GRAPHS[name], [0], seed=seed, blocks=1 + seed % 3)
        check_amounts(found, case, GRAPHS[name])


@pytest.mark.parametrize("case", few([*WIDE, *PLAIN], [WIDE[0], PLAIN[0]]), ids=str)
def test_offsets_of_64_bits_and_distances_alone(runtime, case):
    for seed, name in enumerate(("hub", "parallel edges", "random, directed")):
        found = search(runtime, case, GRAPHS[name], [0], seed=seed)
        assert (found.predecessor is not None) == case.records


@pytest.mark.parametrize("case", few(CHILD_GRIDS, [BFS_4K]), ids=str)
def test_child_grids(runtime, case):
    """A level of the grid is a launch, if rows of more than 8 arcs are left to child grids."""
    for seed, graph in enumerate(GRAPHS.values()):
        for edges in (0, 40):
            found = search(runtime, case, graph, [0], seed=seed, small_frontier_max_edges=edges)
            if case.records:
                assert 0 <= found.launches - found.report.mode.count("grid") <= 1
                check_amounts(found, case, graph)
        last = graph.num_vertices - 1
        search(runtime, case, graph, [0, last], seed=seed, blocks=3, depth_limit=1 + seed % 3)
    test_queues_are_never_too_small(runtime, case)


@pytest.mark.parametrize("case", few(EVERY, OFTEN), ids=str)
def test_one_launch_a_level_several_sources_and_a_depth_limit(runtime, case):
    for seed, name in enumerate(("components", "random, directed", "parallel edges")):
        graph = GRAPHS[name]
        found = search(runtime, case, graph, [0], seed=seed, loop="host")
        assert found.launches == max(1, found.report.iterations)
        search(runtime, case, graph, [1, 7, 7, 3, *range(8, 11)], seed=seed, blocks=3)
        found = search(runtime, case, graph, [2], seed=seed, depth_limit=seed + 1)
        assert found.report.iterations <= seed + 1


@pytest.mark.parametrize("case", few(EVERY, OFTEN), ids=str)
def test_queues_are_never_too_small(runtime, case):
    """Where each vertex is found by 40 arcs in a level, and by those of a hub of 2,000."""
    hubs = np.r_[np.full(40, 0), np.repeat(np.arange(1, 41), 2)]
    middle = np.r_[np.arange(1, 41), np.tile([41, 42], 40)]
    ends = np.arange(43, 2043)
    source = np.r_[hubs, np.full(2000, 41), np.full(2000, 42)]
    target = np.r_[middle, ends, ends]
    beside_hubs = Graph.from_edges(source, target, n=2043, directed=True)
    for seed, blocks in enumerate((1, 2, 4)):
        for graph, first in ((layers(4, 40), 160), (beside_hubs, 0)):
            may_overflow = case.policy.may_repeat and case.policy.frontier == "edge-queue"
            for edge_capacity in (None, 0)[: 1 + may_overflow]:
                found = search(
                    runtime, case, graph, [first], seed=seed, blocks=blocks, small_frontier_max_edges=0,
                    edge_capacity=edge_capacity,
                )  # fmt: skip
                if not case.records:
                    continue
                check_amounts(found, case, graph)
                if graph is beside_hubs and not case.policy.sweeps:
                    assert found.report.edges[2] == 4000  # this number of arcs, each once


def vertices_queued(runtime, policy):
    """In all schedules, and how many there are."""
    graph, seeds = layers(5, 30), range(1, 9)  # in some, warps and lanes overtake each other
    graph = Graph.from_edges(*np.repeat(graph.coo()[:2], 2, axis=1), directed=True)  # side by side
    case = Case(policy)
    queued = [
        int(search(runtime, case, graph, [150], seed=seed, blocks=4).report.frontier.sum())
        for seed in seeds
    ]
    return sum(queued), len(seeds) * 121  # those with edges


@pytest.mark.parametrize("cases", [OFTEN, *slow([[*EVERY]])], ids=["often", "every"])
@pytest.mark.parametrize("frontier", ["vertex-queue", "edge-queue"])
def test_duplicates_are_dropped(runtime, frontier, cases):
    """Where that is certain; what filters drop in any schedule, test_filters.py shows."""
    for case in cases:
        name = case.policy.duplicates
        if case.policy != Policy(frontier, name):
            continue
        queued, each_once = vertices_queued(runtime, case.policy)
        if DUPLICATES[name].exact:
            assert queued == each_once, name
        else:
            assert queued >= each_once, name
        if name == "none":  # there are some to drop
            assert queued > each_once


WRITTEN_SOME = few(WRITTEN, [case.policy for case in OFTEN])


@pytest.mark.parametrize("policy", WRITTEN_SOME, ids=lambda policy: str(Case(policy)))
def test_one_block_runs_small_frontiers(runtime, policy):
    """A path of 20 that leads to a hub, whose leaves lead to another path."""
    hub, leaves = 20, range(21, 921)
    edges = [(i, i + 1) for i in range(hub)]
    edges += [(hub, leaf) for leaf in leaves] + [(leaf, 921) for leaf in leaves]
    edges += [(i, i + 1) for i in range(921, 930)]
    graph = Graph.from_edges(*np.array(edges).T, directed=True)
    for seed in range(3):
        found = search(runtime, Case(policy), graph, [0], seed=seed, small_frontier_max_edges=100)
        modes = found.report.mode
        if policy.single_block:
            assert modes[:20] == ("block",) * 20
            assert modes[20:22] == ("grid",) * 2
            assert modes[-1] == "block"
        else:
            assert set(modes) == {"grid"}


@pytest.mark.parametrize("policy", WRITTEN_SOME, ids=lambda policy: str(Case(policy)))
def test_a_small_frontier_that_comes_back_needs_no_more_places(runtime, policy):
    """A path, each of whose vertices has too many edges for one block: it comes back to the queue that it was in."""
    first = np.repeat(np.arange(10), 1100)
    graph = Graph.from_edges(first, first + 1, n=11, directed=True)
    found = search(runtime, Case(policy), graph, [0], small_frontier_max_edges=2000)
    assert found.report.iterations == 10


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "a hash table that drops whose word is gone": (
        Fault("frontier/hash_table.cuh", "static_cast<Vertex>(found >> 32) != v || ", ""),
        Policy(duplicates="hash"),
    ),
    "a warp that culls all but none": (
        Fault(
            "frontier/culling.cuh",
            "return ticket != 0 && !is_other;",
            "return ticket != 0 && !vies;",
        ),
        Policy(duplicates="warp-culling"),
    ),
    "a history that was never cleared": (
        Fault("frontier/culling.cuh", "vertices[i] = invalid_vertex;", "vertices[i] = i;"),
        Policy(duplicates="history-culling"),
    ),
    "a compaction that keeps the first place": (
        Fault("frontier/lookup_compaction.cuh", "table[v] == i)", "table[v] == i && i % 2 == 0)"),
        Policy(duplicates="lookup-compaction"),
    ),
    "the barrier before a compaction": (
        Fault(
            "engine/program.cuh", "grid.sync([] {});  // the table is complete", "__syncthreads();"
        ),
        Policy(duplicates="lookup-compaction"),
    ),
    "the barrier behind an edge queue": (
        Fault(
            "engine/edge_phases.cuh",
            "run.grid.sync([&] {  // the edge queue is complete",
            "block_sync([&] {",
        ),
        Policy("edge-queue", "status-bitmap"),
    ),
    "a queue that is filled over its frontier": (
        Fault("engine/program_state.cuh", "p.current + p.size : 1", "p.current : 1"),
        Policy(),
    ),
    "a block's segments that are read too early": (
        Fault(
            "frontier/edge_queue.cuh", "        __syncthreads();  // the segments are there\n", ""
        ),
        Policy("contract-expand", "status-bitmap"),
    ),
    "edges in the half that is read": (
        Fault(
            "engine/edge_phases.cuh",
            "others = edges_of(run, 1 - p.current);",
            "others = edges_of(run, p.current);",
        ),
        Policy("contract-expand", "atomic"),
    ),
    "a hybrid that gathers nothing": (
        Fault("engine/edge_phases.cuh", "    gather_frontier(run);\n}", "}"),
        Policy("hybrid", "atomic"),
    ),
    "a block's queue that not all have filled": (
        Fault(
            "frontier/queue.cuh",
            "        __syncthreads();  // the vertices are there\n        unsigned begin, end;",
            "        unsigned begin, end;",
        ),
        Policy(enqueue="blockwise"),
    ),
    "a block's queue that keeps no vertex out": (
        Fault(
            "frontier/queue.cuh",
            "        if constexpr (Limit::limits) apply_limit(begin, end);\n",
            "",
        ),
        Policy(duplicates="none", enqueue="blockwise"),
    ),
    "a bitmap's last bits": (
        Fault(
            "frontier/bitmap_queue.cuh",
            "from_lane(word, whose) >> lane_id() & 1u",
            "lane_id() < 31 && (from_lane(word, whose) >> lane_id() & 1u)",
        ),
        Policy("bitmap", "none"),
    ),
    "a sweep that no thread ends": (
        Fault(
            "frontier/topology_driven.cuh",
            "if (pred) any = true;",
            "if (pred && threadIdx.x == 0) any = true;",
        ),
        Policy("topology-driven", "none"),
    ),
    "vertices of many arcs queued as often as they come": (
        Fault(
            "frontier/queue.cuh",
            "return degree > high_degree_edges;",
            "return false && degree > high_degree_edges;",
        ),
        Policy(duplicates="none"),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    fault, policy = MUTANTS[name]
    case = Case(policy)

    # Scattered numbers, since neighbouring ones have no hash in common.
    leaves, ends = np.random.default_rng(1).permutation(np.arange(1, 8001))[:3000].reshape(2, -1)
    comb = Graph.from_edges(np.r_[0 * leaves, leaves], np.r_[leaves, ends], n=8001, directed=True)

    with emulator.faulty_runtime(tmp_path, fault, [case.instance]) as mutant:
        for seed, graph in product(range(8), (comb, *map(GRAPHS.get, ("random", "hub", "path")))):
            check_amounts(search(mutant, case, graph, [0], seed=seed, blocks=3), case, graph)
        test_queues_are_never_too_small(mutant, case)
        vertices_queued(mutant, policy)


CHILDS_QUEUE = Fault("engine/program_child.cuh", "next_queue<Algorithm>(p)", "p.current")


@pytest.mark.slow
def test_a_child_that_fills_the_frontier_is_found(emulator, tmp_path):
    with emulator.faulty_runtime(tmp_path, CHILDS_QUEUE, [BFS_4K.instance]) as mutant:
        test_child_grids(mutant, BFS_4K)


FULL = Fault(
    "engine/edge_phases.cuh",
    "return run.shared.gathered <= run",
    "return false && run.shared.gathered <= run",
)


@pytest.mark.parametrize("frontier", ["contract-expand", *slow(["hybrid"])])
def test_once_an_edge_queue_is_full_each_vertex_comes_once(emulator, tmp_path, frontier):
    """As if it were so from the start: in the emulator few vertices come several times."""
    include = [emulator.mutant(tmp_path, FULL)]
    case = Case(Policy(frontier, "none"))
    with EmulatedRuntime(emulator, [case.instance], include=include) as runtime:
        for seed, name in product((0, 1, 2), GRAPHS):
            graph = GRAPHS[name]
            found = search(runtime, case, graph, [0], seed=seed, blocks=3)
            check_amounts(found, case, graph)
            if frontier == "contract-expand":
                reached = graph.degree[found.distance >= 0]
                assert found.report.edges.sum() == reached.sum()
