"""Breadth-first search by the CUDA kernels: each balance in each direction and mode."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from balance_inputs import inputs_of_case
from emulated_bfs import ALL, BLOCK, GRAPHS, GRID, NO_LIMIT, TRACE, checked
from warpath import Graph, VerificationError
from warpath.balance import TECHNIQUES
from warpath.cuda.compile import KERNELS

SOURCE = Path(__file__).with_suffix(".cpp")
DIRECTIONS = {"top-down": 0, "bottom-up": 1, "optimizing": 2}
BALANCES = [name.replace("-", "_") for name in TECHNIQUES]


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(SOURCE)


def search(
    program, test, graph, sources, direction, *,
    seed=0, blocks=2, cluster=1, block_items=2048, iterations=ALL, depth_limit=NO_LIMIT,
    alpha=14.0, beta=24.0, patience=NO_LIMIT, bucket=0, places=None, offset=np.uint32, rows=128,
):  # fmt: skip
    """Run one case of test_bfs.cpp and check its certificate."""
    reverse = graph.reverse
    found = program.run(
        test,
        seed=seed,
        blocks=blocks,
        cluster=cluster,
        row_offsets=graph.row_offsets.astype(offset),
        column_indices=graph.column_indices.astype(np.uint32),
        reverse_offsets=reverse.row_offsets.astype(offset),
        reverse_indices=reverse.column_indices.astype(np.uint32),
        symmetric=int(not graph.directed),
        sources=np.array(sources, np.uint32),
        direction=DIRECTIONS[direction],
        alpha=alpha,
        beta=beta,
        depth_limit=depth_limit,
        block_items=block_items,
        patience=patience,
        bucket=bucket,
        places=graph.num_vertices if places is None else places,
        iterations=iterations,
        rows=rows,
        **inputs_of_case(test, graph.row_offsets.astype(offset)),
    )
    return checked(found, graph, sources, depth_limit)


@pytest.mark.parametrize("block_items", [0, 2048], ids=["grid", "block"])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("balance", BALANCES)
@pytest.mark.parametrize("name", GRAPHS)
def test_levels_and_predecessors(program, name, balance, direction, block_items):
    graph = GRAPHS[name]
    for seed in (0, 1):
        found = search(
            program, balance, graph, [0], direction, seed=seed, block_items=block_items,
            alpha=1e6 if seed else 14.0, beta=1e6 if seed else 24.0,
        )  # fmt: skip
        ways = set(found["trace_way"].tolist())
        if direction == "top-down":
            assert ways <= {0}
            grid_wide = found["trace_mode"] == GRID  # narrow levels need no balance
            for code in found["trace_balance"][grid_wide].tolist():
                assert list(TECHNIQUES)[code - 1] in TECHNIQUES[balance.replace("_", "-")]().taken
            inspected = graph.degree[found["distance"] >= 0].sum()
            assert found["trace_arcs"].sum() == inspected
        if direction == "bottom-up":
            assert ways <= {1}
        if block_items == 0:
            assert set(found["trace_mode"].tolist()) <= {GRID}


@pytest.mark.parametrize("balance", BALANCES)
def test_frontiers_move_from_one_block_to_the_grid_and_back(program, balance):
    """A path of 20 that leads to a hub, whose leaves lead to another path."""
    hub, leaves = 20, range(21, 921)
    edges = [(i, i + 1) for i in range(hub)]
    edges += [(hub, leaf) for leaf in leaves] + [(leaf, 921) for leaf in leaves]
    edges += [(i, i + 1) for i in range(921, 930)]
    graph = Graph.from_edges(*np.array(edges).T, directed=True)
    for seed in range(3):
        found = search(program, balance, graph, [0], "top-down", seed=seed, block_items=100)
        modes = found["trace_mode"].tolist()
        assert modes[:20] == [BLOCK] * 20
        assert modes[20:22] == [GRID] * 2
        assert modes[-1] == BLOCK


@pytest.mark.parametrize("balance", BALANCES)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_one_launch_an_iteration(program, balance, direction):
    for name in ("components", "random, directed"):
        found = search(program, balance, GRAPHS[name], [0], direction, seed=3, iterations=1)
        assert found["launches"][0] == max(1, found["level"][0])


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("balance", BALANCES)
def test_distances_only(program, balance, direction):
    for seed, name in enumerate(("star", "components", "random, directed")):
        found = search(program, f"{balance}_distances", GRAPHS[name], [0], direction, seed=seed)
        assert "predecessor" not in found


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("block_items", [0, 1024])
def test_offsets_of_64_bits(program, direction, block_items):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        search(
            program, "wide_offsets", GRAPHS[name], [0], direction, seed=seed,
            block_items=block_items, offset=np.uint64,
        )  # fmt: skip


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("depth_limit", [0, 1, 3])
def test_a_depth_limit(program, direction, depth_limit):
    for name in ("path", "random, directed", "star"):
        found = search(
            program, "two_phase_search", GRAPHS[name], [2], direction, depth_limit=depth_limit
        )
        assert found["level"][0] <= depth_limit


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("block_items", [0, 2048])
def test_several_sources(program, direction, block_items):
    for seed, name in enumerate(("components", "random", "path")):
        sources = [1, 7, 7, 60, 2, *range(80, 99)]
        search(
            program, "two_phase_search", GRAPHS[name], sources, direction, seed=seed,
            block_items=block_items,
        )  # fmt: skip


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_more_sources_than_a_block_holds(program, direction):
    search(program, "two_phase_search", GRAPHS["hub"], range(1, 4000), direction, seed=1)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("cluster", [2, 4])
def test_a_cluster_of_blocks_runs_narrow_levels(program, cluster, direction):
    for seed, name in enumerate(("path", "components", "random, directed", "star", "hub")):
        search(
            program, "two_phase_search", GRAPHS[name], [0], direction, seed=seed, blocks=4,
            cluster=cluster, block_items=1000,
        )  # fmt: skip


@pytest.mark.parametrize("bucket", [1, 5, 1000])
@pytest.mark.parametrize("case", ["two_phase_search", "two_phase_search_distances", "wide_offsets"])
@pytest.mark.parametrize("name", GRAPHS)
def test_blocks_adrift(program, name, case, bucket):
    offset = np.uint64 if case == "wide_offsets" else np.uint32
    for seed, (blocks, patience) in enumerate(((1, 3), (2, 1), (4, 10))):
        found = search(
            program, case, GRAPHS[name], [0], "optimizing", seed=seed, blocks=blocks,
            patience=patience, bucket=bucket, offset=offset, block_items=100_000, alpha=1e-6,
        )  # fmt: skip
        if name == "path":
            assert found["handed_over"][0] == 1
            if "distances" not in case:
                assert found["level"][0] <= patience + -(-100 // bucket) + 1


def spills(middle=120, many=1030):
    """A hub, and behind it vertices that do not fit into a block's queue, each with a leaf.

    They are more than a warp's share of a queue that a block takes over at once, and of more arcs
    than `most_split` of narrow.cuh. When a block takes the second level over from the grid's queue,
    each vertex of it spills to the front of that queue, where others may not have been read yet.
    """
    vertices = np.arange(1, middle + 1)
    source = np.r_[np.zeros(many, int), np.repeat(vertices, many)]
    target = np.r_[1 + np.arange(many) % middle, np.repeat(vertices + middle, many)]
    return Graph.from_edges(source, target, n=2 * middle + 1, directed=True)


def narrow_levels(program, seed):
    graph = spills()
    search(
        program, "two_phase_search_distances", graph, [0], "top-down", seed=seed, blocks=1,
        block_items=graph.num_arcs,
    )  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1])
def test_a_queue_is_read_before_what_spills_overwrites_it(program, seed):
    narrow_levels(program, seed)


@pytest.mark.parametrize("directed", [False, True])
def test_blocks_adrift_with_hubs_and_without_room(program, directed):
    """A path to a hub of 3,000 leaves, whose ends lead to another hub, then a path."""
    near, leaves, far = 20, np.arange(21, 3021), 3021
    source = np.r_[np.arange(near), np.full(3000, near), leaves, np.arange(far, far + 50)]
    target = np.r_[np.arange(1, near + 1), leaves, np.full(3000, far), np.arange(far + 1, far + 51)]
    graph = Graph.from_edges(source, target, n=far + 60, directed=directed)
    for seed, (blocks, bucket) in enumerate(((1, 4), (2, 30), (4, 1), (3, 2**31))):
        found = search(
            program, "two_phase_search", graph, [0], "optimizing", seed=seed, blocks=blocks,
            patience=2, bucket=bucket, block_items=100_000,
        )  # fmt: skip
        assert found["handed_over"][0] > 0


@pytest.mark.parametrize("direction", ["bottom-up", "optimizing"])
@pytest.mark.parametrize("block_items", [0, 2048])
@pytest.mark.parametrize("places", [1, 30, 300])
def test_a_level_without_room_in_the_queue_is_followed_bottom_up(
    program, direction, block_items, places
):
    for seed, name in enumerate(("components", "random", "hub", "random, directed", "path")):
        graph = GRAPHS[name]
        found = search(
            program, "two_phase_search", graph, [0, 3, 40], direction, seed=seed,
            block_items=block_items, places=min(places, graph.num_vertices), alpha=1e-6, beta=1.0,
        )  # fmt: skip
        if name in ("random", "hub") and places < 300 and block_items == 0:
            assert 1 in found["trace_way"]


@pytest.mark.parametrize("places", [60, 45])
def test_the_queue_begins_anew_where_all_that_are_left_have_room(program, places):
    path = Graph.from_edges(np.arange(89), np.arange(1, 90), directed=True)
    found = search(
        program,
        "two_phase_search",
        path,
        [0],
        "optimizing",
        block_items=0,
        places=places,
        alpha=1e-6,
    )
    assert (1 in found["trace_way"]) == (places < 46)  # of 90, 45 are left when as many are behind


def test_a_search_whose_frontiers_do_not_grow_stays_top_down(program):
    """Also where few arcs are left: few of the vertices that are left have a neighbour in it."""
    near, n = 10, 900
    first = np.repeat(np.arange(n - near), near)
    band = Graph.from_edges(first, first + np.tile(np.arange(1, near + 1), n - near), n=n)
    for places in (n, n - n // 24):  # as of top-down searches, and of others
        found = search(
            program, "two_phase_search", band, [0], "optimizing", block_items=0, places=places
        )
        assert set(found["trace_way"].tolist()) == {0}


@pytest.mark.parametrize("direction", ["top-down", "optimizing"])
@pytest.mark.parametrize("name", GRAPHS)
def test_child_grids(program, name, direction):
    """Rows of more than 8 arcs get one each; a level is a launch."""
    graph = GRAPHS[name]
    for seed, case in enumerate(("child_grids", "child_grids_distances")):
        found = search(
            program, case, graph, [0], direction, seed=seed, block_items=100 * seed, iterations=1,
            alpha=1e6 if seed else 14.0, beta=1e6 if seed else 24.0,
        )  # fmt: skip
        assert found["launches"][0] >= found["level"][0]
        if direction == "top-down" and "trace_arcs" in found:
            assert found["trace_arcs"].sum() == graph.degree[found["distance"] >= 0].sum()


@pytest.mark.parametrize("depth_limit", [0, 1, 3])
def test_child_grids_and_a_depth_limit(program, depth_limit):
    for name in ("hub", "random, directed", "star"):
        found = search(
            program, "child_grids", GRAPHS[name], [2], "top-down", depth_limit=depth_limit,
            block_items=0, iterations=1,
        )  # fmt: skip
        assert found["level"][0] <= depth_limit


def test_more_hubs_than_children(program, emulator, tmp_path):
    """Those for which no child may be launched stay with their warps."""
    header = KERNELS / "core" / "child_grid.cuh"
    few = emulator.faulty(
        tmp_path, SOURCE, header, "most_pending = 2048", "most_pending = 3", case="child_grids"
    )
    for seed, name in enumerate(("random", "components", "hub")):
        search(
            few, "child_grids", GRAPHS[name], [0], "top-down", seed=seed, block_items=0,
            iterations=1,
        )  # fmt: skip


def test_rows_beyond_the_last_are_added_up(program):
    found = search(program, "two_phase_search", GRAPHS["path"], [0], "top-down", rows=10)
    rows = found["trace"].reshape(-1, len(TRACE))
    assert rows[:, 0].tolist() == [1] * 9 + [91]


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "grid barrier's first __syncthreads": (
        "core/grid_barrier.cuh",
        "sync(Tell tell, Then then) {\n        __syncthreads();\n",
        "sync(Tell tell, Then then) {\n",
    ),
    "grid barrier's last __syncthreads": (
        "core/grid_barrier.cuh",
        "            then();\n        }\n        __syncthreads();",
        "            then();\n        }",
    ),
    "the wait of the grid barrier": (
        "core/grid_barrier.cuh",
        "while (static_cast<int>(now - target) < 0)",
        "while (false)",
    ),
    "a claim that is not atomic": (
        "core/device.cuh",
        "return wanted ? atomicOr(address, bits) : ~0u;",
        "if (!wanted) return ~0u; const unsigned old = *address; __ldg(address); *address = old | bits; return old;",
    ),
}  # fmt: skip


def blind_levels(program, case):
    """Levels without a queue, which are followed bottom-up."""
    for seed, name in product(range(3), ("random", "random, directed", "hub", "components")):
        found = search(
            program, case, GRAPHS[name], [1], "optimizing", seed=seed,
            alpha=1e6, beta=1e6 if seed else 2.0, block_items=0,
        )  # fmt: skip
        if seed and "trace" in found:
            assert found["trace_way"][2:3].tolist() in ([], [1])


@pytest.mark.parametrize("case", ["eight_shares", "eight_shares_distances", "auto_alike"])
def test_blind_levels(program, case):
    blind_levels(program, case)


def test_a_level_that_reaches_all_is_the_last(program):
    graph = Graph.from_edges(np.zeros(300, int), np.arange(1, 301), directed=False)
    found = search(program, "two_phase_search", graph, [0], "bottom-up")
    assert found["trace_vertices"].tolist() == [1, 300]
    assert found["trace_arcs"].tolist() == [300, 0]


BLIND_MUTANTS = {
    "a queue that is not there": ("traverse.cuh", "if (blind) p.queued = 0;", ""),
    "nobody counts": ("frontier/queue.cuh", "size += wanted;", ""),
}


@pytest.mark.parametrize("name", BLIND_MUTANTS)
def test_a_fault_of_blind_levels_is_found(emulator, tmp_path, name):
    header, old, new = BLIND_MUTANTS[name]
    mutant = emulator.faulty(tmp_path, SOURCE, KERNELS / header, old, new, case="eight_shares")
    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        blind_levels(mutant, "eight_shares")


CHILD_MUTANTS = {
    "an end that does not wait for children": (
        "traverse.cuh",
        "if (p.queued) read_queue(control->tail[p.step % 3]);",
        "",
    ),
    "a child that is not launched": (
        "balance/dynamic_virtual_warp.cuh",
        "body.launch(u, row.begin, row.end)",
        "(u % 7 == 0 || body.launch(u, row.begin, row.end))",
    ),
    "the last arcs of a child's row": ("expansion.cuh", "mine < end) << j", "mine + 1 < end) << j"),
}


@pytest.mark.parametrize("name", CHILD_MUTANTS)
def test_a_fault_of_child_grids_is_found(emulator, tmp_path, name):
    header, old, new = CHILD_MUTANTS[name]
    mutant = emulator.faulty(tmp_path, SOURCE, KERNELS / header, old, new, case="child_grids")

    def run_all():
        for graph in ("random", "components", "hub", "star"):
            test_child_grids(mutant, graph, "top-down")

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()


DRIFT_MUTANTS = {
    "a far vertex that a block keeps for itself": (
        "far.mark(v, wanted && d >= threshold);",
        "far.mark(v, wanted && d >= threshold && v % 2 == 0);",
    ),
    "a vertex without room that is forgotten": (
        "{ again.mark(v, wanted); }",
        "{ again.mark(v, wanted && v % 2 == 0); }",
    ),
    "a hub's last arcs": (
        "mine < end ? static_cast<unsigned>(min(Offset{arcs}, end - mine)) : 0",
        "mine + arcs <= end ? arcs : 0",
    ),
    "a predecessor on the same level": ("lanes_where(tight) >> lane_id() == 1u", "inside"),
    "the barrier before a split": (
        "grid.sync([&] {  // nobody reads",
        "block_sync([&] {  // nobody reads",
    ),
}


@pytest.mark.parametrize("name", DRIFT_MUTANTS)
def test_a_fault_of_blocks_adrift_is_found(emulator, tmp_path, name):
    header, (old, new) = KERNELS / "bfs_drift.cuh", DRIFT_MUTANTS[name]
    mutant = emulator.faulty(tmp_path, SOURCE, header, old, new, case="two_phase_search")

    def run_all():
        for seed in range(12):
            for graph in ("random", "path", "hub"):
                search(
                    mutant, "two_phase_search", GRAPHS[graph], [1], "optimizing", seed=seed,
                    blocks=3, patience=1, bucket=2, block_items=100_000, alpha=1e-6,
                )  # fmt: skip
            test_blocks_adrift_with_hubs_and_without_room(mutant, directed=False)

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()


def test_a_queue_that_spills_overwrite_is_found(emulator, tmp_path):
    """In a barrier that few graphs need."""
    header = KERNELS / "narrow.cuh"
    barrier = "        meet();  // all have read the queue, so what spills may overwrite it\n"
    mutant = emulator.faulty(tmp_path, SOURCE, header, barrier, "", case="two_phase_search")
    # Threads in order: the first warp has appended before the second one reads.
    with pytest.raises(AssertionError):
        narrow_levels(mutant, seed=0)


def test_arcs_of_a_shared_chunk_that_no_thread_has_are_found(emulator, tmp_path):
    old = "lane_id() % (chunk_arcs<Offset> / arcs) * arcs;"
    mutant = emulator.faulty(
        tmp_path, SOURCE, KERNELS / "narrow.cuh", old, old.replace("* arcs", "* (arcs - 1)"),
        case="two_phase_search",
    )  # fmt: skip

    def run_all():
        for name in ("random", "components", "hub"):
            search(
                mutant,
                "two_phase_search",
                GRAPHS[name],
                [0],
                "top-down",
                blocks=1,
                block_items=1000,
            )

    with pytest.raises((AssertionError, VerificationError)):
        run_all()


@pytest.mark.parametrize("name", MUTANTS)
def test_a_missing_barrier_is_found(emulator, tmp_path, name):
    header, old, new = MUTANTS[name]
    mutant = emulator.faulty(tmp_path, SOURCE, KERNELS / header, old, new, case="two_phase_search")

    def run_all():
        for seed, graph, block_items in product(range(24), ("random", "path"), (0, 2048)):
            search(
                mutant, "two_phase_search", GRAPHS[graph], [0], "top-down", seed=seed,
                block_items=block_items, blocks=3,
            )  # fmt: skip

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()
