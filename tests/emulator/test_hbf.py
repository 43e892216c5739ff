"""H-BF's optimisations and bucketing by the CUDA kernels: each gives the same distances."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from emulated_sssp import DTYPES, GRAPHS, SWEEP, dense, in_dtype, run, search
from multigraphs import NAMES
from warpath import Graph, VerificationError
from warpath.cuda.compile import KERNELS
from warpath.generate import negative_weights

SOURCE = Path(__file__).with_name("test_hbf.cpp")
CASES = [
    "packed", "packed_int64", "duplicates", "duplicates_float64", "scattered_duplicates",
    "hashed_duplicates", "culled_duplicates", "compacted_duplicates", "compacted_float64", "bitmap",
    "bitmap_int64",
    "classified", "classified_int64", "classified_float64", "classified_scattered_duplicates",
]  # fmt: skip
BUCKETS = ["buckets", "buckets_int64", "buckets_float64"]
WIDE = (
    "duplicates_float64", "compacted_float64", "bitmap_int64", "classified_int64", "buckets_int64",
)  # fmt: skip
PLAIN, ALONE, SKIPPED = 0, 1, 2  # operators/classified.cuh's Mark


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(SOURCE)


def options_of(case, graph, seed):
    dtype = DTYPES.get(case.rpartition("_")[2], np.int32)
    offset = np.uint64 if case in WIDE else np.uint32
    return {"seed": seed, "dtype": dtype, "offset": offset}


def in_case(case, graph):
    """The graph with weights as the case has them."""
    return in_dtype(
        graph, np.int32 if case == "buckets_int64" else options_of(case, graph, 0)["dtype"]
    )


@pytest.mark.parametrize("case", CASES)
def test_every_optimization(program, case):
    for seed, name in enumerate(NAMES):
        graph = in_case(case, GRAPHS[name])
        search(program, case, graph, [0], **options_of(case, graph, seed))
    for seed, sources in enumerate(([1], [3, 4, 5], [7])):
        graph = in_case(case, dense())
        options = options_of(case, graph, seed)
        search(program, case, graph, sources, blocks=3, iterations=1 + seed, **options)


@pytest.mark.parametrize("case", CASES)
def test_negative_weights(program, case):
    for seed, name in product(range(3), ("parallel edges", "random, directed")):
        graph = in_case(case, negative_weights(GRAPHS[name], seed))
        if "float" in case:
            graph = graph.with_weights(
                negative_weights(GRAPHS[name], seed).weights.astype(graph.weights.dtype)
            )
        found = search(program, case, graph, [0, 5], **options_of(case, graph, seed))
        assert found["distance"].min() < 0


@pytest.mark.parametrize("delta", [1, 4, 50, 10**6])
@pytest.mark.parametrize("case", BUCKETS)
def test_buckets(program, case, delta):
    for seed, name in enumerate(NAMES):
        graph = in_case(case, GRAPHS[name])
        width = delta * 0.1 if "float" in case else delta
        search(program, case, graph, [0], width, **options_of(case, graph, seed))
    for seed in range(3):
        graph = in_case(case, dense())
        width = delta * (1.0 if "float" in case else 10)
        options = options_of(case, graph, seed)
        search(program, case, graph, [1], width, blocks=3, iterations=1, **options)


def test_buckets_beyond_a_gap(program):
    """A weight of a million where Δ is 1: farther than all buckets, twice."""
    weights = np.array([1, 10**6, 1, 10**6, 5], np.int32)
    graph = Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], weights, n=6, directed=True)
    for seed in range(3):
        found = search(program, "buckets", graph, [0], 1, seed=seed)
        assert found["level"][0] == 5


def test_a_cutoff_or_a_target_ends_bucketing(program):
    graph = GRAPHS["path"]
    whole = search(program, "buckets", graph, [2], 2)
    for options in ({"cutoff": 9}, {"target": 5}):
        found = run(program, "buckets", graph, [2], 2, **options)
        until = 9 if "cutoff" in options else whole["distance"][5]
        known = whole["distance"] <= until
        assert np.array_equal(found["distance"][known], whole["distance"][known])
        assert found["level"][0] < whole["level"][0]


# -- child grids ----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["packed", "near_far", "queueless", "duplicates"])
def test_child_grids(program, method):
    """Rows of more than 8 arcs get one each; an iteration is a launch."""
    delta = 7 if method == "near_far" else SWEEP
    for seed, name in enumerate(NAMES):
        found = search(program, f"child_grids_{method}", GRAPHS[name], [0], delta, seed=seed)
        assert found["launches"][0] == found["level"][0] + 1
    graph = dense()
    found = search(program, f"child_grids_{method}", graph, [3], delta, blocks=3)
    changed = np.count_nonzero(found["distance"] < np.iinfo(np.int32).max) - 1
    assert found["lowered"][0] >= changed  # children count, too: all rows are theirs


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


def signed_loops():
    """Self-loops of either sign, which no path from 0 reaches; leaves; a vertex of two arcs in."""
    edges = [
        (0, 1, 3), (1, 1, 2), (1, 2, 4), (0, 2, 9), (2, 3, 1), (3, 3, 0), (2, 4, 5),
        (6, 6, -1), (7, 6, 1), (7, 8, -2), (1, 5, 2), (2, 5, 2),
    ]  # fmt: skip
    source, target, weight = np.array(edges, np.int32).T
    return Graph.from_edges(source, target, weight, n=9, directed=True)


@pytest.mark.parametrize("name", [*NAMES, "signed loops"])
def test_marks(program, name):
    graph = signed_loops() if name == "signed loops" else GRAPHS[name]
    for seed in (0, 1, 2):
        found = run(program, "classified", graph, [0], seed=seed, blocks=1 + seed)
        marks, columns = found["marked"] >> 30, found["marked"] & (2**30 - 1)
        assert np.array_equal(columns, graph.column_indices)
        assert np.array_equal(marks, classes(graph))
        source, target, _ = graph.coo()
        parallel = len(np.unique(np.stack([source, target]), axis=1).T) < len(source)
        assert found["may_be_parallel"][0] >= parallel
    if name == "signed loops":
        assert set(classes(graph)) == {PLAIN, ALONE, SKIPPED}
        search(program, "classified", graph, [0])


def test_leaves_are_settled_at_the_end(program):
    """A star with leaves only; a source that is a leaf; two vertices, each the other's leaf."""
    for seed, source in enumerate((0, 5, 1499)):
        for case in ("classified", "classified_float64", "classified_scattered_duplicates"):
            graph = in_case(case, GRAPHS["star"])
            found = search(program, case, graph, [source], **options_of(case, graph, seed))
            assert found["level"][0] <= 2
    pair = Graph.from_edges([0], [1], np.int32([7]), directed=False)
    found = search(program, "classified", pair, [1])
    assert found["skipped"][0] == 1


def test_what_is_counted(program):
    """0 → 1 → 2 → 3, a loop at each but the last, which leads nowhere."""
    source, target = np.array([0, 1, 2, 0, 1, 2]), np.array([1, 2, 3, 0, 1, 2])
    graph = Graph.from_edges(source, target, (source < target).astype(np.int32), directed=True)
    found = search(program, "packed", graph, [0])
    assert (found["lowered"][0], found["skipped"][0], found["trace_arcs"].sum()) == (3, 0, 6)
    found = search(program, "classified", graph, [0], iterations=1)
    assert (found["lowered"][0], found["skipped"][0], found["trace_arcs"].sum()) == (2, 4, 6)


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


def test_duplicates_are_kept_or_removed(program):
    most = 0
    for seed in range(6):
        removed = search(program, "packed", wheel(), [0], seed=seed)
        kept = search(program, "duplicates", wheel(), [0], seed=seed)
        assert removed["trace_vertices"][2] == 1
        most = max(most, kept["trace_vertices"][2])
        for case in ("hashed_duplicates", "culled_duplicates"):
            some = search(program, case, wheel(), [0], seed=seed)
            assert some["trace_vertices"][2] >= 1
        for case in ("compacted_duplicates", "bitmap"):
            assert search(program, case, wheel(), [0], seed=seed)["trace_vertices"][2] == 1
    assert most > 1


def test_a_queue_that_is_crowded_takes_each_vertex_once_more(program):
    """Complete, and the longer a path the shorter: the lowerings outnumber the vertices."""
    n = 24
    source, target = np.divmod(np.arange(n * n), n)
    weights = np.where(target > source, (target - source) ** 2, 500).astype(np.int32)
    graph = Graph.from_edges(source, target, weights, n=n, directed=True)
    crowded = False
    for seed, case in product(
        range(6),
        ("duplicates", "scattered_duplicates", "hashed_duplicates", "compacted_duplicates"),
    ):
        found = search(program, case, graph, [0], seed=seed, blocks=4)
        crowded |= bool(found["trace_vertices"].max() >= n)
        if case == "compacted_duplicates":
            assert found["trace_vertices"].max() <= n
    assert crowded


# -- it can fail ----------------------------------------------------------------------------------

MUTANTS = {
    "bits that are listed too soon": (
        "relaxation.cuh", "grid.sync([] {});  // all bits are set", "",
    ),
    "a table that is read too soon": (
        "relaxation.cuh", "grid.sync([] {});  // the table is complete", "",
    ),
    "a self-loop of negative weight": (
        "marking.cuh", "read_only(weights + arc) < 0);", "false);",
    ),
    "a swap that is not tried again": (
        "core/packed.cuh", "before = found;\n        }", "break;\n        }",
    ),
    "a bucket's limit": (
        "relaxation.cuh",
        "p.threshold = block.limits[block.first];",
        "p.threshold = block.limits[min(block.first + 1, last_bucket - 1)];",
    ),
}  # fmt: skip


FAULTY = {  # cases, where not "classified"
    "bits that are listed too soon": "bitmap",
    "a table that is read too soon": "compacted_duplicates",
    "a swap that is not tried again": "packed_int64",
    "a bucket's limit": "buckets",
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    header, old, new = MUTANTS[name]
    case = FAULTY.get(name, "classified")
    mutant = emulator.faulty(
        tmp_path, SOURCE, KERNELS / header, old, new, case=case, include=[SOURCE.parent]
    )

    def run_all():
        for seed, graph in product(range(8), (signed_loops(), dense(), wheel(), far_apart())):
            graph = in_case(case, graph)
            for delta in (3, 40) if case == "buckets" else (None,):
                options = options_of(case, graph, seed) | {"blocks": 3}
                found = search(mutant, case, graph, [0], delta, **options)
                if case == "classified":
                    assert np.array_equal(found["marked"] >> 30, classes(graph))
                if case != "buckets":
                    assert found["trace_vertices"].max() <= graph.num_vertices

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()
