"""H-BF's optimisations and bucketing by their driver: each gives the same distances."""

from itertools import product

import numpy as np
import pytest

from emulated_sssp import (
    DTYPES,
    GRAPHS,
    SWEEP,
    Case,
    Children,
    cases_runtime,
    dense,
    in_dtype,
    run,
    search,
)  # fmt: skip
from exhaustive import few, slow
from multigraphs import NAMES
from planted import Fault
from warpath import Graph
from warpath.generate import negative_weights


def hbf(*optimizations, dtype="int32", offset_bytes=4, parents=False, **options):
    return Case(
        "h-bf",
        dtype,
        dtype,
        offset_bytes,
        parents,
        optimizations=frozenset(optimizations),
        **options,
    )


COALESCED = "coalesced-enqueue"
OPTIMIZED = {
    "packed": hbf("duplicate-removal", COALESCED, parents=True),
    "packed, int64": hbf("duplicate-removal", COALESCED, dtype="int64", parents=True),
    "duplicates": hbf(COALESCED, parents=True),
    "duplicates, float64": hbf(COALESCED, dtype="float64", offset_bytes=8),
    "scattered duplicates": hbf(),
    "hashed duplicates": hbf(COALESCED, "hash-duplicates", parents=True),
    "culled duplicates": hbf("warp-culling", parents=True),
    "compacted duplicates": hbf(COALESCED, "lookup-compaction", parents=True),
    "compacted, float64": hbf(
        "lookup-compaction", "edge-classification", dtype="float64", offset_bytes=8
    ),
    "bitmap": hbf(COALESCED, "bitmap-frontier", parents=True),
    "bitmap, int64": hbf("bitmap-frontier", dtype="int64", offset_bytes=8),
    "classified": hbf("edge-classification", "duplicate-removal", COALESCED, parents=True),
    "classified, int64": hbf(
        "edge-classification", "duplicate-removal", COALESCED, dtype="int64", offset_bytes=8
    ),
    "classified, float64": hbf(
        "edge-classification", "stamps", COALESCED, dtype="float64", parents=True,
    ),
    "classified scattered duplicates": hbf("edge-classification"),
    "edge queue": hbf("duplicate-removal", COALESCED, "edge-queue", parents=True),
    "edge queue, int64": hbf("duplicate-removal", "edge-queue", dtype="int64", offset_bytes=8),
    "edge queue, duplicates": hbf("warp-culling", "edge-queue", parents=True),
    "edge queue, bitmap, classified": hbf(
        "bitmap-frontier", "edge-classification", COALESCED, "edge-queue", dtype="float64",
    ),
}  # fmt: skip
BUCKETS = {
    "int32": Case("bucketing"),
    "int64": Case("bucketing", "int32", "int64", 8),
    "float64": Case("bucketing", "float64", "float64"),
}
CHILDREN = {
    "packed": hbf(
        "duplicate-removal", COALESCED, parents=True, balance=Children(dynamic_parallelism=1024)
    ),
    "near-far": Case(parents=True, balance=Children(dynamic_parallelism=1024)),
    "queueless": Case("bellman-ford-queueless", balance=Children(dynamic_parallelism=1024)),
    "duplicates": hbf("edge-classification", COALESCED, balance=Children(dynamic_parallelism=1024)),
}
CLASSIFIED = OPTIMIZED["classified"]
# Each is a kernel to build: by default each optimisation once, and what the faults below are planted into.
OFTEN = (
    "packed", "packed, int64", "duplicates", "scattered duplicates", "hashed duplicates", "culled duplicates",
    "compacted duplicates", "bitmap", "classified", "edge queue, int64",
)  # fmt: skip
PLAIN, ALONE, SKIPPED = 0, 1, 2  # operators/classified.cuh's Mark


@pytest.fixture(scope="module")
def runtime(emulator):
    often = [*map(OPTIMIZED.get, OFTEN), BUCKETS["int32"]]
    every = [*OPTIMIZED.values(), *BUCKETS.values()]
    with cases_runtime(emulator, often, [case for case in every if case not in often]) as runtime:
        yield runtime


@pytest.fixture(scope="module")
def with_children(emulator):
    often = [CHILDREN["packed"], CHILDREN["near-far"]]
    with cases_runtime(emulator, often, CHILDREN.values()) as runtime:
        yield runtime


def in_case(case, graph):
    """The graph with weights as the case has them."""
    return in_dtype(graph, DTYPES[case.weights])


@pytest.mark.parametrize("name", few(OPTIMIZED, OFTEN))
def test_every_optimization(runtime, name):
    case = OPTIMIZED[name]
    for seed, graph in enumerate(GRAPHS.values()):
        search(runtime, case, in_case(case, graph), [0], seed=seed)
    for seed, sources in enumerate(([1], [3, 4, 5], [7])):
        graph = in_case(case, dense())
        search(runtime, case, graph, sources, seed=seed, blocks=3, iterations=1 + seed)


@pytest.mark.parametrize("optimized", few(OPTIMIZED, OFTEN))
def test_negative_weights(runtime, optimized):
    case = OPTIMIZED[optimized]
    for seed, name in product(range(3), ("parallel edges", "random, directed")):
        graph = in_case(case, negative_weights(GRAPHS[name], seed))
        if "float" in case.weights:
            graph = graph.with_weights(
                negative_weights(GRAPHS[name], seed).weights.astype(graph.weights.dtype)
            )
        assert search(runtime, case, graph, [0, 5], seed=seed).distance.min() < 0


@pytest.mark.parametrize(
    ("dtype", "delta"),
    few(product(BUCKETS, [1, 4, 50, 10**6]), [("int32", 4), ("int32", 50), ("int32", 10**6)]),
)
def test_buckets(runtime, dtype, delta):
    case = BUCKETS[dtype]
    for seed, name in enumerate(NAMES):
        graph = in_case(case, GRAPHS[name])
        width = delta * 0.1 if "float" in dtype else delta
        search(runtime, case, graph, [0], width, seed=seed)
    for seed in range(3):
        graph = in_case(case, dense())
        width = delta * (1.0 if "float" in dtype else 10)
        search(runtime, case, graph, [1], width, seed=seed, blocks=3, iterations=1)


def test_buckets_beyond_a_gap(runtime):
    """A weight of a million where Δ is 1: farther than all buckets, twice."""
    weights = np.array([1, 10**6, 1, 10**6, 5], np.int32)
    graph = Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], weights, n=6, directed=True)
    for seed in range(3):
        assert search(runtime, BUCKETS["int32"], graph, [0], 1, seed=seed).level == 5


def test_a_cutoff_or_a_target_ends_bucketing(runtime):
    graph = GRAPHS["path"]
    whole = search(runtime, BUCKETS["int32"], graph, [2], 2)
    for options in ({"cutoff": 9}, {"target": 5}):
        found = run(runtime, BUCKETS["int32"], graph, [2], 2, **options)
        until = 9 if "cutoff" in options else whole.distance[5]
        known = whole.distance <= until
        assert np.array_equal(found.distance[known], whole.distance[known])
        assert found.level < whole.level


# -- child grids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", few(CHILDREN, ["packed", "near-far"]))
def test_child_grids(with_children, method):
    """Rows of more than 8 arcs get one each; an iteration is a launch."""
    case, delta = CHILDREN[method], 7 if method == "near-far" else SWEEP
    marking = 3 * ("edge-classification" in (case.optimizations or ()))
    for seed, name in enumerate(NAMES):
        found = search(with_children, case, GRAPHS[name], [0], delta, seed=seed)
        assert found.launches - marking == found.level + 1
    found = search(with_children, case, dense(), [3], delta, blocks=3)
    changed = np.count_nonzero(found.distance < np.iinfo(np.int32).max) - 1
    assert found.report.improvements >= changed  # children count, too: all rows are theirs


# -- classes of arcs ------------------------------------------------------------------------------


def classes(graph):
    """The mark of each arc, by its definition."""
    source, target, weight = graph.coo()
    idle = (source == target) & (weight >= 0)
    n = graph.num_vertices
    out_degree = np.bincount(source[~idle], minlength=n)
    in_degree = np.bincount(target[~idle], minlength=n)
    leads_nowhere = out_degree[target] == (0 if graph.directed else 1)
    alone = in_degree[target] == 1
    return np.where(idle | leads_nowhere, SKIPPED, np.where(alone, ALONE, PLAIN))


def marked(found):
    """The marks and the columns that the driver kept."""
    columns = found.marks.column_indices.get().view(np.uint32)
    return columns >> 30, columns & (2**30 - 1)


def signed_loops():
    """Self-loops of either sign, which no path from 0 reaches; leaves; a vertex of two arcs in."""
    edges = [
        (0, 1, 3), (1, 1, 2), (1, 2, 4), (0, 2, 9), (2, 3, 1), (3, 3, 0), (2, 4, 5),
        (6, 6, -1), (7, 6, 1), (7, 8, -2), (1, 5, 2), (2, 5, 2),
    ]  # fmt: skip
    source, target, weight = np.array(edges, np.int32).T
    return Graph.from_edges(source, target, weight, n=9, directed=True)


@pytest.mark.parametrize("name", [*NAMES, "signed loops"])
def test_marks(runtime, name):
    graph = signed_loops() if name == "signed loops" else GRAPHS[name]
    for seed in (0, 1, 2):
        found = run(runtime, CLASSIFIED, graph, [0], seed=seed, blocks=1 + seed)
        marks, columns = marked(found)
        assert np.array_equal(columns, graph.column_indices)
        assert np.array_equal(marks, classes(graph))
        source, target, _ = graph.coo()
        parallel = len(np.unique(np.stack([source, target]), axis=1).T) < len(source)
        assert found.marks.may_be_parallel >= parallel
    if name == "signed loops":
        assert set(classes(graph)) == {PLAIN, ALONE, SKIPPED}
        search(runtime, CLASSIFIED, graph, [0])


@pytest.mark.parametrize(
    "name", ["classified", *slow(["classified, float64", "classified scattered duplicates"])]
)
def test_leaves_are_settled_at_the_end(runtime, name):
    """A star with leaves only, and a source that is a leaf."""
    for seed, source in enumerate((0, 5, 1499)):
        case = OPTIMIZED[name]
        found = search(runtime, case, in_case(case, GRAPHS["star"]), [source], seed=seed)
        assert found.level <= 2


def test_of_two_vertices_each_is_the_others_leaf(runtime):
    pair = Graph.from_edges([0], [1], np.int32([7]), directed=False)
    assert search(runtime, CLASSIFIED, pair, [1]).report.skipped == 1


def test_wide_words_need_atomics_that_are_wide_enough(runtime):
    old = hbf("duplicate-removal", dtype="int64", compute_capability=(8, 6))
    with pytest.raises(ValueError, match=r"from compute capability 9.0 on: take 'stamps'"):
        search(runtime, old, in_case(old, GRAPHS["path"]), [0])


def test_what_is_counted(runtime):
    """0 → 1 → 2 → 3, a loop at each but the last, which leads nowhere."""
    source, target = np.array([0, 1, 2, 0, 1, 2]), np.array([1, 2, 3, 0, 1, 2])
    graph = Graph.from_edges(source, target, (source < target).astype(np.int32), directed=True)
    report = search(runtime, OPTIMIZED["packed"], graph, [0]).report
    assert (report.improvements, report.skipped, report.edges.sum()) == (3, 0, 6)
    assert report.direct_updates == 0
    # The source's edge, and that to a vertex of one edge, take no atomic.
    report = search(runtime, CLASSIFIED, graph, [0], iterations=1).report
    assert (report.improvements, report.skipped, report.edges.sum()) == (2, 4, 6)
    assert report.direct_updates == 2


# -- duplicates -----------------------------------------------------------------------------------


def wheel(n=200, steps=8):
    """Vertices that all lower one, again and again, which leads on."""
    ring = np.arange(1, n + 1)
    source = np.r_[np.zeros(n, int), ring, np.full(steps, n + 1)]
    target = np.r_[ring, np.full(n, n + 1), n + 2 + np.arange(steps)]
    weights = np.r_[np.ones(n, int), 1000 - ring, np.ones(steps, int)].astype(np.int32)
    return Graph.from_edges(source, target, weights, n=n + 2 + steps, directed=True)


def far_apart(steps=20):
    """A path whose vertices are by turns in the words of two warps."""
    path = np.arange(steps) + np.arange(steps) % 2 * 1500
    return Graph.from_edges(path[:-1], path[1:], np.ones(steps - 1, np.int32), n=1600)


REMOVING = ("hashed duplicates", "culled duplicates", "compacted duplicates", "bitmap")


def test_duplicates_are_kept_or_removed(runtime):
    most = 0
    for seed in range(6):
        third = {
            name: search(runtime, OPTIMIZED[name], wheel(), [0], seed=seed).report.frontier[2]
            for name in ("packed", "duplicates", *REMOVING)
        }
        most = max(most, third["duplicates"])
        assert third["packed"] == third["compacted duplicates"] == third["bitmap"] == 1
        assert min(third.values()) >= 1
    assert most > 1


def test_a_queue_that_overflows_takes_each_vertex_once_more(runtime):
    """Complete, and the longer a path the shorter: the lowerings outnumber the vertices."""
    n = 24
    source, target = np.divmod(np.arange(n * n), n)
    weights = np.where(target > source, (target - source) ** 2, 500).astype(np.int32)
    graph = Graph.from_edges(source, target, weights, n=n, directed=True)
    overflowed = False
    names = ("duplicates", "scattered duplicates", "hashed duplicates", "compacted duplicates")
    for seed, name in product(range(6), names):
        frontier = search(runtime, OPTIMIZED[name], graph, [0], seed=seed, blocks=4).report.frontier
        overflowed |= bool(frontier.max() >= n)
        if name == "compacted duplicates":
            assert frontier.max() <= n
    assert overflowed


# -- it can fail ----------------------------------------------------------------------------------

MUTANTS = {
    "bits that are listed too soon": Fault("engine/program.cuh", "grid.sync([] {});  // all bits are set", ""),
    "a table that is read too soon": Fault("engine/program.cuh", "grid.sync([] {});  // the table is complete", ""),
    "a self-loop of negative weight": Fault("edge_classes.cuh", "read_only(weights + arc) < 0);", "false);"),
    "a swap that is not tried again": Fault("core/packed.cuh", "before = found;\n        }", "break;\n        }"),
    "a bucket's limit": Fault("engine/refill.cuh", "p.threshold = block.limits[block.first];", "p.threshold = block.limits[min(block.first + 1, last_bucket - 1)];"),
}  # fmt: skip


FAULTY = {  # where not in "classified"
    "bits that are listed too soon": OPTIMIZED["bitmap"],
    "a table that is read too soon": OPTIMIZED["compacted duplicates"],
    "a swap that is not tried again": OPTIMIZED["packed, int64"],
    "a bucket's limit": BUCKETS["int32"],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    case = FAULTY.get(name, CLASSIFIED)
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], [case], make=cases_runtime) as runtime:
        for seed, graph in product(range(40), (signed_loops(), dense(), wheel(), far_apart())):
            graph = in_case(case, graph)
            for delta in (3, 40) if case.method == "bucketing" else (None,):
                found = search(runtime, case, graph, [0], delta, seed=seed, blocks=3)
                if case is CLASSIFIED:
                    assert np.array_equal(marked(found)[0], classes(graph))
                if case.method != "bucketing":
                    assert found.report.frontier.max() <= graph.num_vertices
