"""Breadth-first search from two ends by the CUDA kernel: balances, narrow and wide levels."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from balance_inputs import inputs_of_case
from multigraphs import NAMES, multigraph
from oracles import levels
from warpath import Graph, VerificationError, verify
from warpath.balance import TECHNIQUES
from warpath.cuda.compile import KERNELS
from warpath.generate import grid

HERE = Path(__file__).resolve().parent
# One of each kind: test_st.cpp.
BALANCES = (
    "thread_mapped", "two_phase_search", "merge_path", "cta_warp_scan", "block_search",
    "workload_decomposition", "node_splitting", "hierarchical",
)  # fmt: skip
ALL = 2**32 - 1
TRACE = ("vertices", "arcs", "way", "mode", "balance")
NARROW, GRID = 0, 2  # trace.cuh's Mode
FORWARD, BACKWARD = 2, 3  # trace.cuh's Way


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


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(HERE / "test_st.cpp")


def both_memories(test, graph, offset):
    """A balance's inputs for the graph and its reverse, with one workspace for either."""
    there = inputs_of_case(test, graph.row_offsets.astype(offset))
    back = inputs_of_case(test, graph.reverse.row_offsets.astype(offset), "reverse_prepared")
    if not there:
        return {}
    most = max(there["workspace_bytes"], back["workspace_bytes"])
    return there | back | {"workspace_bytes": most}


def search(
    program, test, graph, source, target, *,
    seed=0, blocks=2, cluster=1, narrow_items=2048, iterations=ALL, offset=np.uint32, rows=256,
    wants_path=True,
):  # fmt: skip
    """Run one case of test_st.cpp and check its answer."""
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
        source=source,
        target=target,
        wants_path=int(wants_path),
        narrow_items=narrow_items,
        iterations=iterations,
        rows=rows,
        **both_memories(test, graph, offset),
    )
    level, tail, head, tail_depth = found["answer"].tolist()
    distance = int(levels(graph, source)[target])
    if distance < 0:
        assert tail == -1
        verify.no_path(graph, source, target)
    else:
        assert level == distance
        assert graph.has_edge(tail, head)
        assert levels(graph, source)[tail] == tail_depth
        assert tail_depth + 1 + levels(graph.reverse, target)[head] == distance
    if distance >= 0 and wants_path:
        path = found["queue"][: distance + 1].tolist()
        assert (path[0], path[-1]) == (source, target)
        assert path[tail_depth : tail_depth + 2] == [tail, head]
        verify.path(graph, path, distance, levels(graph, source), weighted=False)
    columns = dict(zip(TRACE, found["trace"].reshape(-1, len(TRACE)).T, strict=True))
    ways = columns["way"].tolist()
    assert set(ways) <= {FORWARD, BACKWARD}
    if distance >= 0 and level <= rows:
        assert ways.count(FORWARD) - tail_depth == (ways[-1] == FORWARD)
    return found | {f"trace_{name}": column for name, column in columns.items()}


PAIRS = [name for name in GRAPHS if name != "one vertex"]


@pytest.mark.parametrize("balance", BALANCES)
def test_distances_meetings_and_paths(program, balance):
    for seed, name in enumerate(PAIRS):
        graph = GRAPHS[name]
        for pair in (0, seed + 1):
            found = search(
                program, balance, graph, *ends(graph, pair), seed=seed + pair, narrow_items=0
            )
            assert set(found["trace_mode"].tolist()) <= {GRID}
            for code in found["trace_balance"].tolist():
                assert list(TECHNIQUES)[code - 1] in TECHNIQUES[balance.replace("_", "-")]().taken


@pytest.mark.parametrize("narrow_items", [0, 100, 2048])
@pytest.mark.parametrize("name", PAIRS)
def test_narrow_and_wide_levels(program, name, narrow_items):
    graph = GRAPHS[name]
    for seed in range(6):
        pair = ends(graph, seed)
        search(program, "two_phase_search", graph, *pair, seed=seed, narrow_items=narrow_items)


def test_the_smaller_frontier_goes_on(program):
    """From a path into a hub: the hub's arcs are left for the last."""
    edges = [(i, i + 1) for i in range(20)] + [(20, leaf) for leaf in range(21, 400)]
    graph = Graph.from_edges(*np.array(edges).T, directed=False)
    for narrow_items in (0, 2048):
        found = search(program, "two_phase_search", graph, 0, 20, narrow_items=narrow_items)
        assert found["trace_way"].tolist() == [FORWARD] * 20
        assert found["trace_arcs"].sum() < 50


def test_an_end_without_arcs_ends_the_search_at_once(program):
    graph = Graph.from_edges([0, 0], [1, 2], n=5)
    for source, target in ((0, 3), (1, 2), (4, 0)):
        found = search(program, "two_phase_search", graph, source, target)
        assert found["answer"][0] == 0


@pytest.mark.parametrize("balance", BALANCES)
def test_frontiers_move_from_one_block_to_the_grid_and_back(program, balance):
    """Between two paths, a layer of many leaves that both searches reach through hubs."""
    first, leaves, last = 20, range(21, 621), 621
    edges = [(i, i + 1) for i in range(first)]
    edges += [(first, leaf) for leaf in leaves] + [(leaf, leaf + 700) for leaf in leaves]
    edges += [(leaf + 700, last) for leaf in leaves] + [(i, i + 1) for i in range(last, last + 20)]
    graph = Graph.from_edges(*np.array(edges).T, directed=False)
    for seed in range(3):
        found = search(program, balance, graph, 0, last + 20, seed=seed, narrow_items=100)
        modes = found["trace_mode"].tolist()
        assert modes[:39] == [NARROW] * 39
        assert set(modes[41:]) == {GRID}


@pytest.mark.parametrize("balance", BALANCES)
def test_frontiers_of_the_grid_one_launch_an_iteration(program, balance):
    one_launch_an_iteration(program, balance, 0)


def test_narrow_frontiers_one_launch_an_iteration(program):
    one_launch_an_iteration(program, "two_phase_search", 2048)


def one_launch_an_iteration(program, balance, narrow_items):
    for seed, name in enumerate(("components", "random, directed", "path")):
        graph = GRAPHS[name]
        found = search(
            program, balance, graph, *ends(graph, 0), seed=seed, iterations=1,
            narrow_items=narrow_items,
        )  # fmt: skip
        assert found["launches"][0] == max(1, found["answer"][0])


@pytest.mark.parametrize("narrow_items", [0, 1024])
def test_offsets_of_64_bits(program, narrow_items):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        graph = GRAPHS[name]
        search(
            program, "wide_offsets", graph, *ends(graph, seed), seed=seed,
            narrow_items=narrow_items, offset=np.uint64,
        )  # fmt: skip


@pytest.mark.parametrize("cluster", [2, 4])
def test_a_cluster_of_blocks_runs_narrow_levels(program, cluster):
    for seed, name in enumerate(("path", "components", "random, directed", "star", "hub", "grid")):
        graph = GRAPHS[name]
        for pair in range(2):
            search(
                program, "two_phase_search", graph, *ends(graph, pair), seed=seed, blocks=4,
                cluster=cluster, narrow_items=1000,
            )  # fmt: skip


def test_without_a_path_the_queue_stays_as_it_is(program):
    found = search(program, "two_phase_search", GRAPHS["path"], 0, 99, wants_path=False)
    assert (found["queue"] == 12345).any()
    assert len(found["trace_way"]) == 99


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "one word for all meetings": (
        "two_ended.cuh",
        "return control->ends[p.step % 2];",
        "return control->ends[0];",
    ),
    "a meeting that takes the vertex": (
        "operators/visit_two_ended.cuh",
        "__threadfence();\n        return false;",
        "__threadfence();\n        return true;",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    header, old, new = MUTANTS[name]
    source = HERE / "test_st.cpp"
    mutant = emulator.faulty(tmp_path, source, KERNELS / header, old, new, case="two_phase_search")

    def run_all():
        for seed, graph, narrow_items in product(range(16), ("random", "grid"), (0, 2048)):
            search(
                mutant, "two_phase_search", GRAPHS[graph], *ends(GRAPHS[graph], seed % 3),
                seed=seed, narrow_items=narrow_items, blocks=3,
            )  # fmt: skip

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()
