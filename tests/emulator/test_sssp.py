"""Single-source shortest paths by their driver: each method, balance, dtype and mode."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from emulated_sssp import (
    DTYPES,
    GRAPHS,
    SWEEP,
    Case,
    cases_runtime,
    dense,
    in_dtype,
    run,
    same_types,
    search,
)  # fmt: skip
from exhaustive import few, pairwise, slow
from multigraphs import NAMES
from oracles import unreachable
from planted import Fault
from warpath import Graph
from warpath.balance import DEFAULT, TECHNIQUES, VirtualWarp
from warpath.cuda import sssp as driver
from warpath.generate import negative_weights, rmat
from warpath.planning import memory

BALANCES = {name: Case(balance=technique()) for name, technique in TECHNIQUES.items()}
# Each is a kernel to build, and test_balance.py has all: by default by warp, by item, and with barriers of the grid.
OFTEN = ("virtual-warp", "two-phase-search", "merge-path")
KINDS = (*OFTEN, "thread-mapped", "node-splitting")
SOME = [one if one in OFTEN else pytest.param(one, marks=pytest.mark.slow) for one in BALANCES]
PLAIN, NEAR_FAR = Case(), same_types()
WIDE_OFFSETS = Case(offset_bytes=8)
PARENTS = Case(parents=True)
INT32_TO_INT64 = Case(dtype="int64")
LISTS = {
    "int32": Case("near-far"),
    "float64": Case("near-far", "float64", "float64", parents=True),
}
DIJKSTRA = {
    "int32": Case("parallel-dijkstra"),
    "int32, int64": Case("parallel-dijkstra", "int32", "int64", 8),
    "float64": Case("parallel-dijkstra", "float64", "float64"),
}
WITHOUT_FAR_PILE = {
    "packed": Case("h-bf", parents=True),
    "packed, float32": Case("h-bf", "float32", "float32"),
    "queueless": Case("bellman-ford-queueless", parents=True),
    "queueless, virtual warps": Case(
        "bellman-ford-queueless", balance=VirtualWarp(width=32, dynamic_distribution=8)
    ),
    "queueless, float64": Case("bellman-ford-queueless", "float64", "float64"),
}
FILTERED = {
    "int32": Case(prefilter=True),
    "float64": Case(weights="float64", dtype="float64", prefilter=True),
}
LIMITED = {
    "int32": Case(path_limit=True),
    "int32, prefilter": Case(path_limit=True, prefilter=True),
    "float64": Case(weights="float64", dtype="float64", path_limit=True),
}
TREES = {
    "int32": Case(tree=True),
    "int32, limit": Case(tree=True, path_limit=True),
    "int32, limit, prefilter": Case(tree=True, path_limit=True, prefilter=True),
    "wide offsets": Case(offset_bytes=8, tree=True, path_limit=True),
}
ASYNC = Case(asynchronous=True)
ASYNC_BALANCES = (ASYNC, replace(BALANCES["merge-path"], asynchronous=True))
ASYNC_WIDE = Case(dtype="int64", offset_bytes=8, asynchronous=True)
ASYNC_FLOAT64 = Case(weights="float64", dtype="float64", asynchronous=True)
ASYNC_PARENTS = Case(asynchronous=True, parents=True)
# By default the dtypes that these have are those of other cases.
RARE = (
    NEAR_FAR["int64"], NEAR_FAR["float64"], DIJKSTRA["int32, int64"], WITHOUT_FAR_PILE["packed, float32"],
    WITHOUT_FAR_PILE["queueless, float64"], ASYNC_WIDE, ASYNC_FLOAT64,
)  # fmt: skip
OTHERS = (
    *NEAR_FAR.values(), WIDE_OFFSETS, PARENTS, INT32_TO_INT64, *LISTS.values(), *DIJKSTRA.values(),
    *WITHOUT_FAR_PILE.values(), *FILTERED.values(), *LIMITED.values(), *TREES.values(), *ASYNC_BALANCES, ASYNC_WIDE, ASYNC_FLOAT64, ASYNC_PARENTS,
)  # fmt: skip


@pytest.fixture(scope="module")
def runtime(emulator):
    often = [case for case in OTHERS if case not in RARE]
    with cases_runtime(emulator, often, RARE) as runtime:
        yield runtime


@pytest.fixture(scope="module")
def often(emulator):
    with cases_runtime(emulator, [BALANCES[one] for one in OFTEN]) as runtime:
        yield runtime


@pytest.fixture
def balanced(request, emulator, balance):
    """With the kernel of a technique, with its default knobs."""
    if balance in OFTEN:
        yield request.getfixturevalue("often")
        return
    with cases_runtime(emulator, [BALANCES[balance]]) as runtime:
        yield runtime


ROWS = list(product(GRAPHS, KINDS, (SWEEP, 1)))
# By default every graph with the default, and every balance where rows differ.
OFTEN_ROWS = [
    row
    for row in ROWS
    if row[1] == DEFAULT or (row[1] in OFTEN and row[0] in ("hub", "random, directed"))
]


@pytest.mark.parametrize(
    ("name", "balance", "delta"),
    few(ROWS, OFTEN_ROWS) + slow(pairwise(GRAPHS, BALANCES, (SWEEP, 1, 7), given=ROWS)),
)
def test_distances(balanced, name, balance, delta):
    for seed in (0, 1, 2):
        case = BALANCES[balance]
        found = search(balanced, case, GRAPHS[name], [0], delta, seed=seed)
        assert set(found.report.balance) <= set(case.balance.taken)


@pytest.mark.parametrize(
    ("dtype", "delta"),
    few(product(DTYPES, [SWEEP, 2]), [("int32", 2), ("float32", SWEEP), ("float32", 2)]),
)
def test_dtypes(runtime, dtype, delta):
    for seed, name in enumerate(NAMES):
        graph = in_dtype(GRAPHS[name], DTYPES[dtype])
        width = delta and (delta * 0.1 if "float" in dtype else delta)
        search(runtime, NEAR_FAR[dtype], graph, [0], width, seed=seed)


@pytest.mark.parametrize(
    ("dtype", "delta"),
    few(product(LISTS, [1, 4, 50, SWEEP]), [("int32", 4), ("int32", SWEEP), ("float64", 4)]),
)
def test_a_far_pile_as_a_list(runtime, dtype, delta):
    case = LISTS[dtype]
    for seed, name in product((0, 1, 2), NAMES):
        graph = in_dtype(GRAPHS[name], DTYPES[dtype])
        width = delta and (delta * 0.1 if "float" in dtype else delta)
        search(runtime, case, graph, [0], width, seed=seed)
    for seed in range(3):
        graph = in_dtype(dense(), DTYPES[dtype])
        width = delta and delta * 10
        search(runtime, case, graph, [1], width, seed=seed, blocks=3, iterations=1)


@pytest.mark.parametrize("dtype", few(DIJKSTRA, ["int32", "float64"]))
def test_dijkstra_settles_many_vertices_at_once_and_relaxes_each_edge_once(runtime, dtype):
    case = DIJKSTRA[dtype]
    for seed, name in product((0, 1), NAMES):
        graph = in_dtype(GRAPHS[name], DTYPES[case.dtype])
        found = search(runtime, case, graph, [0], seed=seed)
        reached = found.distance < unreachable(found.distance.dtype)
        assert found.report.edges.sum() == graph.degree[reached].sum()
    # Weights of 1 and above settle a level of a star at once; Dijkstra's own rule takes the nearest alone.
    spokes = np.arange(1, 200, dtype=np.int32)
    star = Graph.from_edges(
        np.zeros(199, np.int32), spokes, np.int32(1000) + spokes, directed=False
    )
    star = in_dtype(star, DTYPES[case.dtype])
    for launched in (1, 2**32 - 1):
        found = search(runtime, case, star, [0], blocks=3, iterations=launched)
        assert found.report.frontier.tolist() == [1, 199]


def test_dijkstra_stops_at_a_cutoff_or_a_target(runtime):
    case, graph = DIJKSTRA["int32"], GRAPHS["path"]
    whole = search(runtime, case, graph, [0])
    for stop in ({"cutoff": 20}, {"target": 5}):
        found = run(runtime, case, graph, [0], **stop)
        assert found.level < whole.level
        assert found.distance[5] == whole.distance[5]


@pytest.mark.parametrize(
    "method", few(WITHOUT_FAR_PILE, ["packed", "queueless", "queueless, virtual warps"])
)
def test_methods_without_a_far_pile(runtime, method):
    case = WITHOUT_FAR_PILE[method]
    type_ = DTYPES[case.dtype]
    for seed, name in product((0, 1, 2), NAMES):
        search(runtime, case, in_dtype(GRAPHS[name], type_), [0], seed=seed)
    for seed, name in product(range(3), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        graph = graph.with_weights(graph.weights.astype(type_))
        found = search(runtime, case, graph, [0, 5], seed=seed)
        assert found.distance.min() < 0
        if "queueless" in method:
            looks_at_vertices = "virtual warps" in method
            assert (set(found.report.edges.tolist()) == {graph.num_arcs}) != looks_at_vertices
    for seed in range(3):
        graph = in_dtype(dense(), type_)
        found = search(runtime, case, graph, [1], seed=seed, blocks=3, iterations=2)
        assert found.report.frontier.max() <= 40


@pytest.mark.parametrize("delta", [SWEEP, 5], ids=["sweep", "5"])
def test_int32_weights_and_int64_distances(runtime, delta):
    graph = GRAPHS["path"]
    far = graph.with_weights(graph.weights * np.int32(2**27))
    for seed in range(3):
        found = search(runtime, INT32_TO_INT64, far, [0], delta and delta * 2**27, seed=seed)
        assert found.distance[found.distance < np.iinfo(np.int64).max].max() > 2**31


@pytest.mark.parametrize("dtype", few(DTYPES, ["int32", "float32"]))
def test_negative_weights(runtime, dtype):
    for seed, name in product(range(4), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        weights = graph.weights.astype(DTYPES[dtype])
        if "float" in dtype:
            weights *= DTYPES[dtype](0.25)  # exact: rounded sums could make a negative cycle
        graph = graph.with_weights(weights)
        found = search(runtime, NEAR_FAR[dtype], graph, [0], seed=seed)
        assert found.distance.min() < 0


@pytest.mark.parametrize(
    ("name", "blocks", "delta"),
    few(product(GRAPHS, [1, 2, 4], [SWEEP, 1, 7]), pairwise(GRAPHS, [4, 2, 1], [1, SWEEP, 7])),
)
def test_asynchronous_blocks(runtime, name, blocks, delta):
    for seed in (0, 1, 2, 3):
        case = ASYNC_BALANCES[seed % 2]
        found = search(runtime, case, GRAPHS[name], [0], delta, seed=seed, blocks=blocks)
        if name == "path":
            assert set(found.report.mode) == {"block"}


def test_buckets_grow_where_frontiers_stay_small(runtime):
    for seed, name in enumerate(("path", "random", "components")):
        levels = [
            search(runtime, ASYNC, GRAPHS[name], [0], 1, seed=seed, wider=by).level
            for by in (1, 50)
        ]
        assert levels[1] <= levels[0]
        if name == "path":
            assert levels[1] < levels[0] / 2


@pytest.mark.parametrize("dtype", FILTERED)
def test_a_prefilter(runtime, monkeypatch, dtype):
    """Its bits are those of the vertices below its limit, after any number of iterations."""
    case, runs = FILTERED[dtype], []
    unit = 0.1 if dtype == "float64" else 1

    class Kept(driver.Search):
        def __init__(self, *arguments, **options):
            super().__init__(*arguments, **options)
            runs.append(self)

    monkeypatch.setattr(driver, "Search", Kept)
    for seed, name in product((0, 1), NAMES):
        graph = in_dtype(GRAPHS[name], DTYPES[dtype])
        for delta, beyond in ((2, 3), (1, 30), (50, 1)):
            found = search(
                runtime, case, graph, [0], delta * unit, beyond=beyond * unit, seed=seed, blocks=3
            )
            begin = runs[-1].layout.begin["prefilter"]
            words = runs[-1].space[begin:][: -(-graph.num_vertices // 32) * 4].get()
            bits = np.unpackbits(words, bitorder="little")[: graph.num_vertices]
            limit = found.progress["prefilter_limit"]
            keys = found.distance.view(f"i{found.distance.itemsize}")
            assert np.array_equal(bits, keys < limit)


@pytest.mark.parametrize("kind", LIMITED)
def test_a_limit_of_paths(runtime, kind):
    """Vertices beyond it look back where they are few; where they are not, there is another, or none."""
    case, unit = LIMITED[kind], 0.1 if "float" in kind else 1
    undirected = [GRAPHS[name] for name in NAMES if not GRAPHS[name].directed]
    looked_back = again = gave_up = 0
    for seed, graph in enumerate([*undirected, rmat(8, 16, weights=(1, 255), seed=3)]):
        graph = in_dtype(graph, DTYPES[case.weights])
        for delta, ahead, wider in ((1, 1, 1), (2, 20, 1), (1, 40, 5), (8, 300, 1)):
            found = search(
                runtime, case, graph, [0], delta * unit, ahead=ahead * unit, wider=wider,
                seed=seed, blocks=3,
            )  # fmt: skip
            times = found.report.direction.count("bottom-up")
            assert times <= 1
            looked_back += times
            again += found.progress["path_limits"] > 2
            gave_up += found.progress["path_limits"] > 1 and times == 0
    assert looked_back > 0
    assert again > 0
    assert gave_up > 0


@pytest.mark.parametrize("kind", TREES)
def test_a_tree_that_grows_with_the_search(runtime, kind):
    case, looked_back = TREES[kind], 0
    graphs = [GRAPHS[name] for name in NAMES if not (case.path_limit and GRAPHS[name].directed)]
    for seed, graph in enumerate([*graphs, rmat(8, 16, weights=(1, 255), seed=3)]):
        graph = graph.with_weights(np.maximum(graph.weights, 1))
        last = graph.num_vertices - 1
        for sources, delta, ahead in (([0], 2, 20), ([0, last], 1, 1), ([last], 8, 300)):
            found = search(runtime, case, graph, sources, delta, ahead=ahead, seed=seed, blocks=3)
            looked_back += found.report.direction.count("bottom-up")
    assert case.path_limit == (looked_back > 0)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_a_limit_of_paths_and_where_a_search_ends(runtime, dtype):
    """At a target or a cutoff before it, or beyond."""
    case, unit = LIMITED[dtype], 0.1 if "float" in dtype else 1
    graph = in_dtype(rmat(8, 16, weights=(1, 255), seed=3), DTYPES[dtype])
    right = search(runtime, case, graph, [0], 2 * unit, ahead=20 * unit).distance
    reached = np.sort(right[right < unreachable(np.dtype(dtype))])
    for limit in reached[[1, len(reached) // 2, -2]]:
        found = run(runtime, case, graph, [0], 2 * unit, ahead=20 * unit, cutoff=limit, blocks=3)
        assert np.array_equal(found.distance[right <= limit], right[right <= limit])
        target = int(np.flatnonzero(right == limit)[0])
        found = run(runtime, case, graph, [0], 2 * unit, ahead=20 * unit, target=target, blocks=3)
        assert np.array_equal(found.distance[right <= limit], right[right <= limit])


@pytest.mark.parametrize(
    ("case", "delta"),
    [(PLAIN, 2), (NEAR_FAR["float32"], 0.2)],
    ids=["int32", "float32"],
)
def test_buckets_grow_behind_the_hubs(runtime, case, delta):
    """Where they may: then there are fewer, and hardly more edges are inspected."""
    graph = in_dtype(rmat(9, 16, weights=(1, 255), seed=1), DTYPES[case.weights])
    for source in (0, 7):
        narrow, growing = (
            search(runtime, case, graph, [source], delta, wider=by, blocks=3) for by in (1, 2)
        )
        assert narrow.progress["growths"] == 0 < growing.progress["growths"]
        assert growing.progress["splits"] < narrow.progress["splits"] / 3
        assert growing.level < narrow.level / 2
        assert growing.report.edges.sum() < 1.1 * narrow.report.edges.sum()


@pytest.mark.slow
def test_asynchronous_blocks_with_every_kind_of_distance(runtime):
    for seed, name in product((0, 5), NAMES):
        graph = GRAPHS[name]
        search(runtime, ASYNC_WIDE, graph, [0], 3, seed=seed, blocks=4)
        floats = in_dtype(graph, np.float64)
        search(runtime, ASYNC_FLOAT64, floats, [0], 0.4, seed=seed, blocks=4)


def test_an_asynchronous_iteration_is_one_iteration(runtime):
    for seed, name in enumerate(("path", "components", "random, directed", "star")):
        for delta in (SWEEP, 3):
            found = search(runtime, ASYNC, GRAPHS[name], [0], delta, seed=seed, iterations=1)
            assert found.launches == max(1, found.level)


@pytest.mark.parametrize("blocks", [1, 3])
def test_what_has_no_room_in_a_block_is_left_to_the_grid(runtime, blocks):
    """A vertex of many arcs, whose ends each have some."""
    many = 1000
    leaves = np.arange(1, many + 1)
    source = np.r_[np.zeros(many, int), leaves, leaves]
    target = np.r_[leaves, leaves % many + 1, np.full(many, many + 1)]
    weights = (np.arange(len(source)) % 7).astype(np.int32)
    graph = Graph.from_edges(source, target, weights, n=many + 2, directed=True)
    for seed in range(3):
        for delta in (SWEEP, 4):
            found = search(runtime, ASYNC, graph, [0], delta, seed=seed, blocks=blocks)
            assert set(found.report.mode) == {"block", "grid"}


@pytest.mark.parametrize("blocks", [1, 3])
def test_negative_weights_asynchronously(runtime, blocks):
    for seed, name in product(range(4), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        found = search(runtime, ASYNC_PARENTS, graph, [0], seed=seed, blocks=blocks, iterations=2)
        assert found.distance.min() < 0
        assert "block" in found.report.mode


@pytest.mark.parametrize("case", [PARENTS, ASYNC_PARENTS], ids=["grid", "asynchronous"])
def test_a_negative_cycle_never_ends_and_shows_in_the_parents(runtime, case):
    edges = [(0, 1, 2), (1, 2, -3), (2, 3, 1), (3, 1, 1), (3, 4, 5)]
    source, target, weight = np.array(edges, np.int32).T
    graph = Graph.from_edges(source, target, weight, n=6, directed=True)
    for seed in range(4):
        found = run(runtime, case, graph, [0], seed=seed, iterations=20, launches=1)
        assert found.progress["size"] > 0
        assert found.level == 20
        parents = found.parents
        assert [parents[1], parents[2], parents[3]] == [3, 1, 2]


def test_parents_are_candidates(runtime):
    for seed, name in product(range(3), ("random", "components")):
        graph = GRAPHS[name]
        found = search(runtime, PARENTS, graph, [0], 4, seed=seed)
        reached = found.distance != unreachable(np.dtype(np.int32))
        assert (found.parents[~reached] == -1).all()
        source, target, _ = graph.coo()
        arcs = set(zip(source.tolist(), target.tolist(), strict=True))
        for v in np.flatnonzero(reached)[1:]:
            assert (found.parents[v], v) in arcs
        assert found.parents[0] == -1


def test_a_negative_cycle_is_looked_for(runtime):
    """After the iterations that it says, then twice as many; what the look raises ends the run."""
    edges = [(0, 1, 2), (1, 2, -3), (2, 3, 1), (3, 1, 1), (3, 4, 5)]
    source, target, weight = np.array(edges, np.int32).T
    graph = Graph.from_edges(source, target, weight, n=300, directed=True)
    found = run(runtime, PARENTS, graph, [0], signed=True)
    assert found.report.endless
    assert found.level > graph.num_vertices
    assert found.launches == 3  # 64, 128 and 256 iterations

    seen = []

    def look(candidates):
        current = candidates.current(runtime.xp.asarray(np.int32([-1, 3, 1, 2] + [-1] * 296)))
        seen.append(current.get()[:4].tolist())
        raise StopIteration

    with pytest.raises(StopIteration):
        run(runtime, PARENTS, graph, [0], check=look)
    assert seen == [[-1, 3, 1, 2]]


@pytest.mark.parametrize("delta", [SWEEP, 3], ids=["sweep", "3"])
@pytest.mark.parametrize("balance", SOME)
def test_one_launch_an_iteration(balanced, balance, delta):
    for name in ("components", "random, directed"):
        case = BALANCES[balance]
        found = search(balanced, case, GRAPHS[name], [0], delta, seed=3, loop="host")
        assert found.launches == max(1, found.level)


@pytest.mark.parametrize("delta", [SWEEP, 6], ids=["sweep", "6"])
def test_offsets_of_64_bits(runtime, delta):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        search(runtime, WIDE_OFFSETS, GRAPHS[name], [0], delta, seed=seed)


@pytest.mark.parametrize("delta", [SWEEP, 4], ids=["sweep", "4"])
def test_several_sources(runtime, delta):
    for seed, name in enumerate(("components", "random", "path")):
        sources = [1, 7, 7, 60, 2, *range(50, 69)]
        search(runtime, PLAIN, GRAPHS[name], sources, delta, seed=seed)
    search(runtime, PLAIN, GRAPHS["hub"], range(1, 1900), delta, seed=1)


def test_a_source_without_arcs(runtime):
    assert search(runtime, PLAIN, GRAPHS["random"], [330], 4).level == 0


@pytest.mark.parametrize("limit", [0, 1, 9, 30])
def test_a_cutoff_or_a_target_ends_the_search(runtime, limit):
    for seed, name in enumerate(("path", "random, directed", "random")):
        graph = GRAPHS[name]
        whole = search(runtime, PLAIN, graph, [2], 2, seed=seed)
        expected = whole.distance
        target = int(np.argmin(np.abs(expected.astype(np.int64) - limit)))
        for options in ({"cutoff": limit}, {"target": target}):
            found = run(runtime, PLAIN, graph, [2], 2, seed=seed, **options)
            until = limit if "cutoff" in options else expected[target]
            known = expected <= until
            assert np.array_equal(found.distance[known], expected[known])
            assert (found.distance[~known] > until).all()
            assert found.progress["size"] == 0
            assert found.level <= whole.level
        if expected[expected < unreachable(np.dtype(np.int32))].max() > limit + 10:
            assert found.level < whole.level


def test_a_gap_between_distances_costs_two_splits(runtime):
    """A weight of a million where Δ is 1."""
    graph = Graph.from_edges(
        [0, 1, 2], [1, 2, 3], np.array([1, 10**6, 1], np.int32), n=4, directed=True
    )
    found = search(runtime, PLAIN, graph, [0], 1)
    assert found.level == 3  # the last vertex has no arcs
    # One for each of the last three vertices, and one that finds the gap.
    assert found.progress["splits"] == 4


@pytest.mark.parametrize("case", [PLAIN, LISTS["int32"]], ids=["bits", "list"])
def test_nothing_is_split_where_nothing_is_far(runtime, case):
    for seed, name in enumerate(NAMES):
        for loop in ("device", "host"):
            wide = search(runtime, case, GRAPHS[name], [0], 10**6, seed=seed, loop=loop)
            assert wide.progress["splits"] == 0
    assert search(runtime, case, GRAPHS["random"], [0], 3).progress["splits"] > 0


@pytest.mark.parametrize("delta", [SWEEP, 1.0, 1e-30], ids=["sweep", "1", "tiny"])
def test_deltas_that_floats_swallow(runtime, delta):
    """Δ below the distance between neighbouring floats."""
    weights = np.array([1e8, 1, 3e8, 0.25], np.float32)
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], weights, n=6)
    search(runtime, NEAR_FAR["float32"], graph, [0], delta)


@pytest.mark.parametrize("delta", [SWEEP, 2**30], ids=["sweep", "huge"])
def test_sums_stop_at_the_largest_integer(runtime, delta):
    most = 2**31 - 1
    weights = np.array([most - 1, 1, most, 5], np.int32)
    graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], weights, n=5, directed=True)
    found = run(runtime, PLAIN, graph, [0], delta)
    assert found.distance.tolist() == [0, most - 1, most, 5, most]
    weights = np.array([-most, -most, 0], np.int32)
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights, n=5, directed=True)
    found = run(runtime, PLAIN, graph, [0])
    assert found.distance.tolist() == [0, -most, -most - 1, -most - 1, most]


def test_rows_beyond_the_last_are_added_up(runtime, monkeypatch):
    monkeypatch.setattr(memory, "MAX_TRACE_ROWS", 10)
    graph = GRAPHS["path"].with_weights(np.ones(138, np.int32))
    found = search(runtime, PLAIN, graph, [0])
    assert found.report.frontier.tolist() == [1] * 9 + [61]


def test_no_vertex_is_twice_in_a_queue(runtime):
    graph = dense()
    for seed in range(6):
        found = search(runtime, PLAIN, graph, [0], seed=seed, blocks=3)
        assert found.report.frontier.max() <= graph.num_vertices


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "a minimum that is not atomic": Fault("operators/relax.cuh", "return fetch_min_if(distance + v, offer, pred);", "const auto old = distance[v]; if (pred && offer < old) distance[v] = offer; return pred ? old : offer;"),
    "offers that are too large": Fault("operators/relax.cuh", "return extend<Distance>(from, read_only_if(weights + arc, pred));", "return extend<Distance>(from + 1, read_only_if(weights + arc, pred));"),
    "stamps of the queue before": Fault("frontier/near_far.cuh", "unsigned before) const { return before != queue; }", "unsigned before) const { return before + 1 < queue; }"),
    "a far vertex that is forgotten": Fault("frontier/near_far.cuh", "d[j] >= before && d[j] < threshold", "d[j] > before && d[j] < threshold"),
    "an edge that offers less than a bit says": Fault("operators/prefiltered.cuh", "below.word(v, pred && offer >= limit)", "below.word(v, pred)"),
    "bits of vertices beyond the limit": Fault("operators/prefiltered.cuh", "below.mark(v, pred && d < limit)", "below.mark(v, pred)"),
    "the best of the lanes' offers": Fault("operators/limited.cuh", "its == v && other < offer", "other < offer"),
    "survivors that are forgotten": Fault("engine/expansion.cuh", "while (surviving > 0) follow_survivors();", ""),
    "a limit that is never lifted": Fault("engine/refill.cuh", "else if (reaches_path_limit(run)) lift_path_limit(run);", ""),
    "blocks that do not say that a vertex is far": Fault("engine/program.cuh", "if (signals && shared.filter.any) signal_any<Algorithm>(control, p, next); }, [&] {\n            trace", "}, [&] {\n            trace"),
    "a far vertex that an asynchronous block keeps for itself": Fault("frontier/near_far_async.cuh", "wide.far.mark(v, pred && !near);", "wide.far.mark(v, pred && !near && v % 2 == 0);"),
    "an owner that is the end": Fault("operators/relax_tree.cuh", "pack(offer), pred)", "pack({offer.distance, v}), pred)"),
    "an owner that is another lane's": Fault("operators/relax_tree.cuh", "from_lane_below(offer.owner, distance)", "offer.owner"),
    "the barrier between rounds": Fault("engine/small_frontier.cuh", "if constexpr (single_block) __syncthreads();\n        else cluster_sync_shared();", "if constexpr (!single_block) cluster_sync_shared();"),
    "the barrier after an iteration": Fault("core/grid_barrier.cuh", "while (static_cast<int>(now - target) < 0)", "while (false)"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    trees = TREES["int32"], TREES["int32, limit"]
    cases = PLAIN, FILTERED["int32"], LIMITED["int32"], *trees, ASYNC
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], cases, make=cases_runtime) as runtime:
        for seed, graph in product(range(24), (dense(), GRAPHS["random"])):
            for delta in (SWEEP, int(graph.weights.max()) // 5):
                search(runtime, PLAIN, graph, [0], delta, seed=seed, blocks=3)
                search(runtime, FILTERED["int32"], graph, [0], delta, seed=seed, blocks=3)
                search(runtime, ASYNC, graph, [0], delta, seed=seed, blocks=4)
        graph = rmat(8, 16, weights=(1, 255), seed=3)
        for case in (LIMITED["int32"], TREES["int32, limit"]):
            search(runtime, case, graph, [0], 2, ahead=20, blocks=3)
