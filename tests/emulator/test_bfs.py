"""Breadth-first search by its driver: each balance in each direction and mode."""

import ctypes
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest

import emulated_bfs
from emulated_bfs import GRAPHS, NO_LIMIT, THREADS, ChildGrids
from emulated_runtime import EmulatedRuntime
from exhaustive import few, pairwise, slow
from planted import Fault
from warpath import Graph
from warpath.balance import TECHNIQUES
from warpath.balance.auto import Auto
from warpath.balance.two_phase_search import TwoPhaseSearch
from warpath.cuda import bfs as driver
from warpath.cuda.instances import bfs_async_kernel, bfs_kernel
from warpath.planning.memory import MAX_TRACE_ROWS

DIRECTIONS = ("top-down", "bottom-up", "optimizing")
BALANCES = {name: technique() for name, technique in TECHNIQUES.items()}
DEFAULT = TwoPhaseSearch()
EIGHT_SHARES, AUTO_REGULAR, CHILD_GRIDS = (
    TwoPhaseSearch(shares=8),
    Auto(degrees="regular"),
    ChildGrids(),
)
MORE = (EIGHT_SHARES, AUTO_REGULAR, CHILD_GRIDS)
# Each is a kernel to build, and test_balance.py has all: by default by thread, by item, and with a worklist.
OFTEN = ("thread-mapped", "two-phase-search", "node-splitting")
KINDS = (*OFTEN, "virtual-warp", "merge-path")
SOME = [one if one in OFTEN else pytest.param(one, marks=pytest.mark.slow) for one in BALANCES]


PLAIN_OFTEN = (DEFAULT, EIGHT_SHARES, CHILD_GRIDS)


def instances(*balances, records=True, offset_bytes=4, asynchronous=False):
    """Kernels of some balances, `records`: with predecessors and a trace."""
    options = (records, records, THREADS)
    kernels = [("bfs.cuh", bfs_kernel(offset_bytes, balance, *options)) for balance in balances]
    if asynchronous:
        expression = bfs_async_kernel(offset_bytes, records, THREADS)
        kernels.append(("algorithms/bfs_async.cuh", expression))
    return kernels


@pytest.fixture(scope="module")
def runtime(emulator):
    wide = instances(DEFAULT, offset_bytes=8, asynchronous=True)
    some = instances(*map(BALANCES.get, OFTEN), *MORE, asynchronous=True)
    with EmulatedRuntime(emulator, some + wide) as runtime:
        yield runtime


@pytest.fixture(scope="module")
def plain(emulator):
    """Without predecessors and traces."""
    some = instances(*PLAIN_OFTEN, records=False, asynchronous=True)
    others = instances(*map(BALANCES.get, OFTEN), records=False)
    with EmulatedRuntime(emulator, some, others) as runtime:
        yield runtime


@pytest.fixture
def of_balance(request, emulator, balance, records):
    """A runtime with the kernel of a balance."""
    if balance in OFTEN:
        yield request.getfixturevalue("runtime" if records else "plain")
        return
    with EmulatedRuntime(emulator, instances(BALANCES[balance], records=records)) as runtime:
        yield runtime


@pytest.fixture
def records():
    """Whether a search keeps predecessors and a trace."""
    return True


NO_SUMMARY = {"shift": 0, "max_vertices": 0}


def search(
    runtime, graph, sources, direction, *,
    balance=DEFAULT, records=True, seed=0, blocks=2, depth_limit=NO_LIMIT, wide=False,
    alpha=14.0, beta=24.0, capacity=None, bucket=driver.BUCKET, rows=MAX_TRACE_ROWS,
    ordered_min_edges=2**32 - 1, summary=NO_SUMMARY, **options,
):  # fmt: skip
    """Search by the driver, and check its answer and its certificate.

    `handed_over` of the report: the size of the frontier that blocks went on with asynchronously.
    """
    handed_over = 0

    def async_arguments(whole=driver.ASYNC_ARGUMENTS, **fields):
        # Launches have ended when they return, so the traversal's control block is as it left it.
        nonlocal handed_over
        at = fields["control"] + driver.control_block(4).offset("progress", "size")
        handed_over = ctypes.c_uint32.from_address(at).value
        return whole(**fields)

    def run(there, sources, distance, predecessor):
        return driver.bfs(
            there, sources, direction, alpha, beta, depth_limit, distance, predecessor, balance,
            trace=records, **{"small_frontier_max_edges": 2048, "cluster": 1, "max_small_levels": NO_LIMIT} | options,
        )  # fmt: skip

    changes = {
        "BUCKET": bucket, "trace_rows": lambda n: min(n + 1, rows), "ASYNC_ARGUMENTS": async_arguments,
        "ordered_min_edges": lambda n: ordered_min_edges, "summary_of": lambda n: summary,
    }  # fmt: skip
    if capacity is not None:
        changes["_queue_capacity"] = lambda n, direction: min(capacity, n)
    with patch.multiple(driver, **changes):
        found = emulated_bfs.search(
            runtime, run, graph, sources, seed=seed, blocks=blocks, depth_limit=depth_limit,
            wide=wide, predecessors=records,
        )  # fmt: skip
    found.report.handed_over = handed_over
    return found


# The balances, which only top-down levels have, and every direction with one of them.
ROWS = [
    row
    for row in product(GRAPHS, KINDS, DIRECTIONS, (0, 2048))
    if row[2] == "top-down" or row[1] == DEFAULT.name
]
# By default every graph with one balance, and every balance where rows differ.
OFTEN_ROWS = [
    row
    for row in ROWS
    if row[1] == DEFAULT.name or (row[1] in OFTEN and row[0] in ("hub", "random, directed"))
]
MORE_ROWS = pairwise(
    GRAPHS, BALANCES, DIRECTIONS, (0, 2048), given=ROWS, allowed=lambda *row: row[2] != "bottom-up"
)


@pytest.mark.parametrize(
    ("name", "balance", "direction", "small_frontier_max_edges"),
    few(ROWS, OFTEN_ROWS) + slow(MORE_ROWS),
)
def test_levels_and_predecessors(of_balance, name, balance, direction, small_frontier_max_edges):
    graph = GRAPHS[name]
    for seed in (0, 1):
        found = search(
            of_balance, graph, [0], direction, balance=BALANCES[balance], seed=seed,
            small_frontier_max_edges=small_frontier_max_edges, alpha=1e6 if seed else 14.0, beta=1e6 if seed else 24.0,
        )  # fmt: skip
        report = found.report
        if direction != "optimizing":
            assert set(report.direction) <= {direction}
        if direction == "top-down":
            for taken, mode in zip(report.balance, report.mode, strict=True):
                assert taken in BALANCES[balance].taken if mode == "grid" else taken == ""
            assert report.edges.sum() == graph.degree[found.distance >= 0].sum()
        if small_frontier_max_edges == 0:
            assert set(report.mode) <= {"grid"}


@pytest.mark.parametrize("balance", SOME)
def test_frontiers_move_from_one_block_to_the_grid_and_back(of_balance, balance):
    """A path of 20 that leads to a hub, whose leaves lead to another path."""
    hub, leaves = 20, range(21, 921)
    edges = [(i, i + 1) for i in range(hub)]
    edges += [(hub, leaf) for leaf in leaves] + [(leaf, 921) for leaf in leaves]
    edges += [(i, i + 1) for i in range(921, 930)]
    graph = Graph.from_edges(*np.array(edges).T, directed=True)
    for seed in range(3):
        found = search(
            of_balance,
            graph,
            [0],
            "top-down",
            balance=BALANCES[balance],
            seed=seed,
            small_frontier_max_edges=100,
        )
        modes = found.report.mode
        assert modes[:20] == ("block",) * 20
        assert modes[20:22] == ("grid",) * 2
        assert modes[-1] == "block"


@pytest.mark.parametrize(
    ("balance", "direction"),
    few(product(KINDS, DIRECTIONS), product(OFTEN, DIRECTIONS))
    + slow((one, "top-down") for one in BALANCES if one not in KINDS),
)
def test_one_launch_an_iteration(of_balance, balance, direction):
    for name in ("components", "random, directed"):
        found = search(
            of_balance, GRAPHS[name], [0], direction, balance=BALANCES[balance], seed=3, loop="host"
        )
        assert found.launches == max(1, found.report.iterations)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("balance", few(KINDS, [DEFAULT.name]))
@pytest.mark.parametrize("records", [False])
def test_distances_only(of_balance, balance, direction, records):
    for seed, name in enumerate(("star", "components", "random, directed")):
        search(
            of_balance,
            GRAPHS[name],
            [0],
            direction,
            balance=BALANCES[balance],
            records=records,
            seed=seed,
        )


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("small_frontier_max_edges", [0, 1024])
def test_offsets_of_64_bits(runtime, direction, small_frontier_max_edges):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        search(
            runtime,
            GRAPHS[name],
            [0],
            direction,
            seed=seed,
            small_frontier_max_edges=small_frontier_max_edges,
            wide=True,
        )


FEW_ARCS = Fault("engine/pull.cuh", "pull_arcs = ~0u - 4 * warp_lanes;", "pull_arcs = 700;")


def test_words_of_too_many_arcs_are_searched_row_by_row(emulator, tmp_path):
    """As if 700 arcs were more than 32 bits can name: all words of these graphs, or some."""
    include = [emulator.mutant(tmp_path, FEW_ARCS)]
    with EmulatedRuntime(emulator, instances(DEFAULT, offset_bytes=8), include=include) as few:
        names = ("hub", "components", "random, directed", "star", "path")
        for seed, name in enumerate(names * 4):
            graph = GRAPHS[name]
            first = search(few, graph, [0], "bottom-up", seed=seed, wide=True)
            listed = search(
                few, graph, [0], "optimizing", seed=seed, wide=True, small_frontier_max_edges=0
            )
            assert np.array_equal(first.distance, listed.distance)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("depth_limit", [0, 1, 3])
def test_a_depth_limit(runtime, direction, depth_limit):
    for name in ("path", "random, directed", "star"):
        found = search(runtime, GRAPHS[name], [2], direction, depth_limit=depth_limit)
        assert found.report.iterations <= depth_limit


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("small_frontier_max_edges", [0, 2048])
def test_several_sources(runtime, direction, small_frontier_max_edges):
    for seed, name in enumerate(("components", "random", "path")):
        sources = [1, 7, 7, 60, 2, *range(80, 99)]
        search(
            runtime,
            GRAPHS[name],
            sources,
            direction,
            seed=seed,
            small_frontier_max_edges=small_frontier_max_edges,
        )


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_more_sources_than_a_block_holds(runtime, direction):
    search(runtime, GRAPHS["hub"], range(1, 4000), direction, seed=1)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("cluster", [2, 4])
def test_a_cluster_of_blocks_runs_small_frontiers(runtime, cluster, direction):
    for seed, name in enumerate(("path", "components", "random, directed", "star", "hub")):
        search(
            runtime, GRAPHS[name], [0], direction, seed=seed, blocks=4, cluster=cluster,
            small_frontier_max_edges=1000,
        )  # fmt: skip


ASYNC_CASES, BUCKETS = ("predecessors", "distances only", "offsets of 64 bits"), (1, 5, 1000)
# By default each of both once.
ASYNC_ROWS = [(name, *both) for name in GRAPHS for both in zip(ASYNC_CASES, BUCKETS, strict=True)]


@pytest.mark.parametrize(
    ("name", "case", "bucket"),
    ASYNC_ROWS + slow(pairwise(GRAPHS, ASYNC_CASES, BUCKETS, given=ASYNC_ROWS)),
)
def test_asynchronous_blocks(runtime, plain, name, case, bucket):
    records = case != "distances only"
    for seed, (blocks, max_small_levels) in enumerate(((1, 3), (2, 1), (4, 10))):
        found = search(
            runtime if records else plain, GRAPHS[name], [0], "optimizing", records=records, seed=seed,
            blocks=blocks, max_small_levels=max_small_levels, bucket=bucket, wide=case == "offsets of 64 bits",
            small_frontier_max_edges=100_000, alpha=1e-6,
        )  # fmt: skip
        if name == "path":
            assert found.report.handed_over == 1
            if records:
                assert found.report.iterations <= max_small_levels + -(-100 // bucket) + 1


def test_asynchronous_blocks_go_on_behind_a_cluster(runtime):
    path = Graph.from_edges(np.arange(4999), np.arange(1, 5000), directed=False)
    options = driver.small_frontier_options("async")
    found = search(runtime, path, [0], "optimizing", blocks=8, **options)
    assert found.report.mode[:64] == ("cluster",) * 64
    assert set(found.report.mode[64:]) == {"block"}
    assert found.report.handed_over == 1
    assert found.report.memory["answer"] == 8 * 5000


def spills(middle=120, many=1030):
    """A hub, and behind it vertices that do not fit into a block's queue, each with a leaf.

    They are more than a warp's share of a queue that a block takes over at once, and of more arcs
    than `max_split` of engine/small_frontier.cuh. When a block takes the second level over from the grid's queue,
    each vertex of it spills to the front of that queue, where others may not have been read yet.
    """
    vertices = np.arange(1, middle + 1)
    source = np.r_[np.zeros(many, int), np.repeat(vertices, many)]
    target = np.r_[1 + np.arange(many) % middle, np.repeat(vertices + middle, many)]
    return Graph.from_edges(source, target, n=2 * middle + 1, directed=True)


def iterate_small(plain, seed):
    graph = spills()
    search(
        plain,
        graph,
        [0],
        "top-down",
        records=False,
        seed=seed,
        blocks=1,
        small_frontier_max_edges=graph.num_arcs,
    )


@pytest.mark.parametrize("seed", [0, 1])
def test_a_queue_is_read_before_what_spills_overwrites_it(plain, seed):
    iterate_small(plain, seed)


@pytest.mark.parametrize("directed", [False, True])
def test_asynchronous_blocks_with_hubs_and_without_room(runtime, directed):
    """A path to a hub of 3,000 leaves, whose ends lead to another hub, then a path."""
    near, leaves, far = 20, np.arange(21, 3021), 3021
    source = np.r_[np.arange(near), np.full(3000, near), leaves, np.arange(far, far + 50)]
    target = np.r_[np.arange(1, near + 1), leaves, np.full(3000, far), np.arange(far + 1, far + 51)]
    graph = Graph.from_edges(source, target, n=far + 60, directed=directed)
    for seed, (blocks, bucket) in enumerate(((1, 4), (2, 30), (4, 1), (3, 2**31))):
        found = search(
            runtime, graph, [0], "optimizing", seed=seed, blocks=blocks, max_small_levels=2, bucket=bucket,
            small_frontier_max_edges=100_000,
        )  # fmt: skip
        assert found.report.handed_over > 0


ROOM = [1, 30, 300], [0, 2048], ["bottom-up", "optimizing"]


@pytest.mark.parametrize(
    ("capacity", "small_frontier_max_edges", "direction"), few(product(*ROOM), pairwise(*ROOM))
)
def test_a_level_without_room_in_the_queue_is_followed_bottom_up(
    runtime, direction, small_frontier_max_edges, capacity
):
    for seed, name in enumerate(("components", "random", "hub", "random, directed", "path")):
        graph = GRAPHS[name]
        found = search(
            runtime, graph, [0, 3, 40], direction, seed=seed, small_frontier_max_edges=small_frontier_max_edges,
            capacity=capacity, alpha=1e-6, beta=1.0,
        )  # fmt: skip
        if name in ("random", "hub") and capacity < 300 and small_frontier_max_edges == 0:
            assert "bottom-up" in found.report.direction


@pytest.mark.parametrize("capacity", [60, 45])
def test_the_queue_wraps_where_all_vertices_that_are_left_fit(runtime, capacity):
    path = Graph.from_edges(np.arange(89), np.arange(1, 90), directed=True)
    found = search(
        runtime, path, [0], "optimizing", small_frontier_max_edges=0, capacity=capacity, alpha=1e-6
    )
    # Of 90, 45 are left when as many are behind.
    assert ("bottom-up" in found.report.direction) == (capacity < 46)


def test_a_search_whose_frontiers_do_not_grow_stays_top_down(runtime):
    """Also where few arcs are left: few of the vertices that are left have a neighbour in it."""
    near, n = 10, 900
    first = np.repeat(np.arange(n - near), near)
    band = Graph.from_edges(first, first + np.tile(np.arange(1, near + 1), n - near), n=n)
    for capacity in (n, n - n // 24):  # as of top-down searches, and of others
        found = search(
            runtime, band, [0], "optimizing", small_frontier_max_edges=0, capacity=capacity
        )
        assert set(found.report.direction) == {"top-down"}


@pytest.mark.parametrize("direction", ["top-down", "optimizing"])
@pytest.mark.parametrize("name", GRAPHS)
def test_child_grids(runtime, plain, name, direction):
    """Rows of more than 8 arcs get one each; a level of the grid is a launch."""
    found = child_grids(runtime, GRAPHS[name], direction, seed=0, small_frontier_max_edges=0)
    if direction == "top-down":
        assert found.report.edges.sum() == GRAPHS[name].degree[found.distance >= 0].sum()
    child_grids(
        plain,
        GRAPHS[name],
        direction,
        records=False,
        seed=1,
        small_frontier_max_edges=100,
        alpha=1e6,
        beta=1e6,
    )


def child_grids(runtime, graph, direction="top-down", *, source=0, **options):
    found = search(runtime, graph, [source], direction, balance=CHILD_GRIDS, **options)
    if direction == "top-down" and options["small_frontier_max_edges"] == 0:
        assert found.launches >= found.report.iterations
    return found


@pytest.mark.parametrize("depth_limit", [0, 1, 3])
def test_child_grids_and_a_depth_limit(runtime, depth_limit):
    for name in ("hub", "random, directed", "star"):
        found = child_grids(
            runtime, GRAPHS[name], source=2, depth_limit=depth_limit, small_frontier_max_edges=0
        )
        assert found.report.iterations <= depth_limit


FEW_CHILDREN = Fault("core/child_grid.cuh", "max_pending = 2048", "max_pending = 3")


@pytest.mark.slow
def test_more_hubs_than_children(emulator, tmp_path):
    """Those for which no child may be launched stay with their warps."""
    include = [emulator.mutant(tmp_path, FEW_CHILDREN)]
    with EmulatedRuntime(emulator, instances(CHILD_GRIDS), include=include) as few:
        for seed, name in enumerate(("random", "components", "hub")):
            child_grids(few, GRAPHS[name], seed=seed, small_frontier_max_edges=0)


def test_rows_beyond_the_last_are_added_up(runtime):
    found = search(runtime, GRAPHS["path"], [0], "top-down", rows=10)
    assert found.report.frontier.tolist() == [1] * 9 + [91]


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "grid barrier's first __syncthreads": Fault("core/grid_barrier.cuh", "sync(Before before, Then then) {\n        __syncthreads();\n", "sync(Before before, Then then) {\n"),
    "grid barrier's last __syncthreads": Fault("core/grid_barrier.cuh", "            then();\n        }\n        __syncthreads();", "            then();\n        }"),
    "the wait of the grid barrier": Fault("core/grid_barrier.cuh", "while (static_cast<int>(now - target) < 0)", "while (false)"),
    "a claim that is not atomic": Fault("core/device.cuh", "return pred ? atomicOr(address, bits) : ~0u;", "if (!pred) return ~0u; const unsigned old = *address; __ldg(address); *address = old | bits; return old;"),
}  # fmt: skip


def count_only_levels(runtime, balance=EIGHT_SHARES, records=True, wide=False):
    """Levels without a queue, which are followed bottom-up."""
    for seed, name in product(range(3), ("random", "random, directed", "hub", "components")):
        found = search(
            runtime, GRAPHS[name], [1], "optimizing", balance=balance, records=records, seed=seed,
            alpha=1e6, beta=1e6 if seed else 2.0, small_frontier_max_edges=0, wide=wide,
        )  # fmt: skip
        if seed:
            assert found.report.direction[2:3] in ((), ("bottom-up",))


def test_count_only_levels(runtime, plain):
    count_only_levels(runtime)
    count_only_levels(runtime, AUTO_REGULAR)
    count_only_levels(plain, records=False)
    count_only_levels(runtime, DEFAULT, wide=True)


def levels_in_order(runtime, balance=DEFAULT, records=True, seeds=16):
    """Distances that are written after the levels that found them: of all levels, or of large ones."""
    names = ("random", "random, directed", "hub", "components")
    for seed, (name, direction) in enumerate(product(names, ("top-down", "optimizing"))):
        search(
            runtime, GRAPHS[name], [1], direction, balance=balance, records=records, seed=seed,
            ordered_min_edges=1 if seed % 3 else 100, small_frontier_max_edges=50 * (seed % 2),
            beta=2.0, wide=seed % 2 == 0 and balance == DEFAULT and records,
            loop="host" if seed == 5 else "device",
        )  # fmt: skip
    tails = [0] * 150 + list(range(1, 61))  # a large level, and one that is not
    graph = Graph.from_edges(tails, range(1, 211), directed=True)
    for seed in range(seeds):
        search(
            runtime, graph, [0], "top-down", balance=balance, records=records, seed=seed,
            ordered_min_edges=100, small_frontier_max_edges=0, blocks=3,
        )  # fmt: skip


def test_levels_in_order(runtime, plain):
    levels_in_order(runtime)
    levels_in_order(runtime, EIGHT_SHARES)
    levels_in_order(plain, records=False)


def test_a_summary_of_what_is_reached(runtime, plain):
    """With groups of one vertex, of some, and of more than there are; asked in some bottom-up levels, and in all."""
    names = ("random", "random, directed", "hub", "components")
    for seed, (name, direction, shift) in enumerate(product(names, DIRECTIONS[1:], (0, 3, 12))):
        records = seed % 2 == 1
        search(
            runtime if records else plain, GRAPHS[name], [1], direction, records=records, seed=seed,
            summary={"shift": shift, "max_vertices": 20 if seed % 3 else 2**32 - 1}, beta=2.0,
            wide=seed % 4 == 1, loop="host" if seed % 5 == 0 else "device",
        )  # fmt: skip


@pytest.mark.parametrize("n", [2**28, 2**28 + 1, 2**29, 2**31 - 1])
def test_a_summary_has_a_bit_for_each_group(n):
    """Also for those of the bitmap's last word beyond the last vertex, which are marked, too."""
    summary = driver.summary_of(n)
    assert (((n - 1) | 31) >> summary["shift"]) < driver._SUMMARY_BITS
    assert summary["max_vertices"] > 0


def test_no_summary_where_l2_holds_the_bitmap():
    assert driver.summary_of(2**28 - 1) == NO_SUMMARY


def test_a_level_that_reaches_all_is_the_last(runtime):
    graph = Graph.from_edges(np.zeros(300, int), np.arange(1, 301), directed=False)
    found = search(runtime, graph, [0], "bottom-up")
    assert found.report.frontier.tolist() == [1, 300]
    assert found.report.edges.tolist() == [300, 0]


COUNT_ONLY_MUTANTS = {
    "a queue that is not there": Fault("traverse.cuh", "if (left_out) p.queued = 0;", ""),
    "vertices that are not counted": Fault("frontier/queue.cuh", "size += pred;", ""),
}
ORDER_MUTANTS = {
    "distances that are left out": Fault(
        "traverse.cuh", "if (shared.owes_distances) write_distances();", ""
    ),
    "bits set while they are copied": Fault(
        "traverse.cuh", "grid.sync([] {});  // the copy is there, so that bits may be set", ""
    ),
    "bits set before they are read": Fault(
        "traverse.cuh", "grid.sync([] {});  // both bitmaps were read", ""
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNT_ONLY_MUTANTS)
def test_a_fault_of_count_only_levels_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(
        tmp_path, COUNT_ONLY_MUTANTS[name], instances(EIGHT_SHARES)
    ) as faulty:
        count_only_levels(faulty)


@pytest.mark.slow
@pytest.mark.parametrize("name", ORDER_MUTANTS)
def test_a_fault_of_levels_in_order_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(
        tmp_path, ORDER_MUTANTS[name], instances(DEFAULT) + instances(DEFAULT, offset_bytes=8)
    ) as faulty:
        levels_in_order(faulty, seeds=48)


CHILD_MUTANTS = {
    "an end that does not wait for children": Fault(
        "traverse.cuh", "if (p.queued) read_queue(control->counters[p.step % 3].tail);", ""
    ),
    "a child that is not launched": Fault(
        "balance/dynamic_virtual_warp.cuh",
        "body.launch(u, row.begin, row.end)",
        "(u % 7 == 0 || body.launch(u, row.begin, row.end))",
    ),
    "the last arcs of a child's row": Fault(
        "balance/row.cuh", "mine < end) << j", "mine + 1 < end) << j"
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CHILD_MUTANTS)
def test_a_fault_of_child_grids_is_found(emulator, tmp_path, name):
    both = instances(CHILD_GRIDS) + instances(CHILD_GRIDS, records=False)
    with emulator.faulty_runtime(tmp_path, CHILD_MUTANTS[name], both) as faulty:
        for graph in ("random", "components", "hub", "star"):
            test_child_grids(faulty, faulty, graph, "top-down")


ASYNC = "algorithms/bfs_async.cuh"
ASYNC_MUTANTS = {
    "a far vertex that a block keeps for itself": Fault(
        ASYNC,
        "far.mark(v, pred && d >= threshold);",
        "far.mark(v, pred && d >= threshold && v % 2 == 0);",
    ),
    "a vertex beyond the capacity that is forgotten": Fault(
        ASYNC, "{ far.mark(v, pred); }", "{ far.mark(v, pred && v % 2 == 0); }"
    ),
    "a hub's last arcs": Fault(
        ASYNC,
        "mine < end ? static_cast<unsigned>(min(Offset{arcs}, end - mine)) : 0",
        "mine + arcs <= end ? arcs : 0",
    ),
    "a predecessor on the same level": Fault(
        ASYNC, "lanes_where(tight) >> lane_id() == 1u", "inside"
    ),
    "the barrier before a split": Fault(
        ASYNC,
        "grid.sync([&] {  // the queue is no longer read",
        "block_sync([&] {  // the queue is no longer read",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ASYNC_MUTANTS)
def test_a_fault_of_asynchronous_blocks_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(
        tmp_path, ASYNC_MUTANTS[name], instances(DEFAULT, asynchronous=True)
    ) as faulty:
        for seed in range(12):
            for graph in ("random", "path", "hub"):
                search(
                    faulty, GRAPHS[graph], [1], "optimizing", seed=seed, blocks=3, max_small_levels=1,
                    bucket=2, small_frontier_max_edges=100_000, alpha=1e-6,
                )  # fmt: skip
            test_asynchronous_blocks_with_hubs_and_without_room(faulty, directed=False)


SPILLS = Fault(
    "engine/small_frontier.cuh",
    "        meet();  // all have read the queue, so what spills may overwrite it\n",
    "",
)


@pytest.mark.slow
def test_a_queue_that_spills_overwrite_is_found(emulator, tmp_path):
    """In a barrier that few graphs need."""
    # Threads in order: the first warp has appended before the second one reads.
    with emulator.faulty_runtime(tmp_path, SPILLS, instances(DEFAULT, records=False)) as faulty:
        iterate_small(faulty, seed=0)


CHUNKS = Fault(
    "engine/small_frontier.cuh",
    "lane_id() % (chunk_arcs<Offset> / arcs) * arcs;",
    "lane_id() % (chunk_arcs<Offset> / arcs) * (arcs - 1);",
)


@pytest.mark.slow
def test_arcs_of_a_shared_chunk_that_no_thread_has_are_found(emulator, tmp_path):
    with emulator.faulty_runtime(tmp_path, CHUNKS, instances(DEFAULT)) as faulty:
        for name in ("random", "components", "hub"):
            search(faulty, GRAPHS[name], [0], "top-down", blocks=1, small_frontier_max_edges=1000)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_barrier_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], instances(DEFAULT)) as faulty:
        for seed, graph, small_frontier_max_edges in product(
            range(24), ("random", "path"), (0, 2048)
        ):
            search(
                faulty, GRAPHS[graph], [0], "top-down", seed=seed, blocks=3,
                small_frontier_max_edges=small_frontier_max_edges,
            )  # fmt: skip
