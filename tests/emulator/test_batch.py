"""Searches from several sources at once by their drivers, one a block."""

from itertools import product

import numpy as np
import pytest

from algebras import best_paths, probabilities
from emulated_runtime import EmulatedRuntime
from exhaustive import few, slow
from multigraphs import NAMES, multigraph
from oracles import distances, levels, unreachable
from planted import Fault
from warpath import Graph, verify
from warpath.cuda.batch import bfs_rows, fill_predecessor_rows, sssp_rows
from warpath.cuda.device_graph import on_device
from warpath.cuda.instances import batch_bfs_kernel, batch_sssp_kernel, batch_tree_kernel
from warpath.cuda.runtime import use
from warpath.cuda.weights import weights_as
from warpath.operators import ALGEBRAS

NO_LIMIT = 2**31 - 1
PADDING = 3  # elements behind each row, which no thread may write
UNTOUCHED = 77
# Algebra, dtype, and whether a tree's arcs are pulled: what is tested, so that it is built at once.
SEARCHES = (
    ("shortest", "int32"), ("shortest", "int64"), ("shortest", "float32"), ("minimax", "int32"),
    ("minimax", "float32"), ("widest", "int32"), ("most-reliable", "float32"),
)  # fmt: skip
TREES = (
    ("shortest", "int32", False), ("shortest", "int32", True), ("shortest", "float32", False),
    ("shortest", "float32", True), ("minimax", "float32", False), ("minimax", "float32", True),
    ("widest", "int32", True), ("most-reliable", "float32", False),
)  # fmt: skip
# By default.
SEARCHES_OFTEN = (
    ("shortest", "int32"), ("shortest", "float32"), ("minimax", "float32"), ("widest", "int32"),
)  # fmt: skip
TREES_OFTEN = TREES[:4]


def bfs_instance(predecessors=True):
    return "batch.cuh", batch_bfs_kernel(predecessors, True, threads=64)


def sssp_instance(algebra, dtype):
    weight = "int32" if dtype == "int64" else dtype
    return "batch.cuh", batch_sssp_kernel(weight, dtype, True, algebra, threads=64)


def tree_instance(algebra, dtype, pull):
    return "batch.cuh", batch_tree_kernel(dtype, dtype, pull, algebra, threads=64)


def make(name, dtype=None, least=0):
    source, target, n, directed = multigraph(name, path=60, star=300, hub=500, beside_hub=300)
    weight = None
    if dtype is not None:
        low, high = np.minimum(source, target), np.maximum(source, target)
        weight = ((low * 31 + high * 17) % 12 + least).astype(dtype)
        if np.dtype(dtype).kind == "f":
            weight *= weight.dtype.type(0.1)
    return Graph.from_edges(source, target, weight, n=n, directed=directed)


@pytest.fixture(scope="module")
def runtime(emulator):
    often = [bfs_instance(), bfs_instance(False)]
    often += [sssp_instance(*each) for each in SEARCHES_OFTEN]
    often += [tree_instance(*each) for each in TREES_OFTEN]
    others = [sssp_instance(*each) for each in SEARCHES if each not in SEARCHES_OFTEN]
    others += [tree_instance(*each) for each in TREES if each not in TREES_OFTEN]
    with EmulatedRuntime(emulator, often, others) as runtime:
        yield runtime


def sources_of(graph, seed):
    """More than the blocks that take them, some twice."""
    return np.random.default_rng(seed).integers(0, graph.num_vertices, 7).astype(np.int32)


def rows_for(runtime, sources, graph, dtype):
    """Rows with room behind each, all of it marked."""
    shape = len(sources), graph.num_vertices + PADDING
    return runtime.xp.full(shape, UNTOUCHED, dtype)


def inside(rows, graph):
    """What was written, once what lies between is as it was."""
    n = graph.num_vertices
    assert (rows.get()[:, n:] == UNTOUCHED).all()
    return rows.get()[:, :n]


def traced(report):
    """The report's vertices and edges, a search each."""
    assert set(report.mode) == {"block"}
    assert set(report.balance) == {"two-phase-search"}
    return np.stack([report.frontier, report.edges], axis=1)


def search(runtime, graph, *, seed=0, blocks=3, depth_limit=NO_LIMIT, predecessors=True):
    """Breadth-first searches, checked."""
    sources, n = sources_of(graph, seed), graph.num_vertices
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        distance = rows_for(runtime, sources, graph, np.int32)
        parents = rows_for(runtime, sources, graph, np.int32) if predecessors else None
        report = bfs_rows(
            on_device(graph), sources, depth_limit, distance[:, :n],
            None if parents is None else parents[:, :n],
        )  # fmt: skip
    limit = None if depth_limit == NO_LIMIT else depth_limit
    trace, found = traced(report), inside(distance, graph)
    trees = [None] * len(sources) if parents is None else inside(parents, graph)
    for i, source in enumerate(sources.tolist()):
        near = levels(graph, source)
        assert np.array_equal(found[i], np.where(near > depth_limit, -1, near))
        verify.bfs(graph, source, found[i], trees[i], depth_limit=limit)
        if limit is None:
            assert trace[i, 1] == graph.degree[near >= 0].sum()
    return report, found


@pytest.mark.parametrize("name", NAMES)
def test_breadth_first(runtime, name):
    graph = make(name)
    for seed, blocks in ((0, 1), (1, 3), (2, 10)):
        report, found = search(runtime, graph, seed=seed, blocks=blocks)
        assert report.iterations >= found.max(axis=1).sum()


def test_a_depth_limit_and_distances_alone(runtime):
    for name in ("path", "random, directed", "star"):
        for limit in (0, 1, 3):
            search(runtime, make(name), seed=limit, depth_limit=limit)
        search(runtime, make(name), predecessors=False)


def relaxed(
    runtime, dtype, graph, sources, *,
    algebra="shortest", seed=0, blocks=3, delta=None, cutoff=None, target=-1,
):  # fmt: skip
    """Keys of the best paths, as the kernel leaves them, and the counts of each search."""
    dtype, n = np.dtype(dtype), graph.num_vertices
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = on_device(graph)
        weights = weights_as(there, np.dtype(np.int32) if dtype == np.int64 else dtype)
        distance = rows_for(runtime, sources, graph, dtype)
        report = sssp_rows(
            there, weights, sources, delta, unreachable(dtype) if cutoff is None else cutoff,
            target, distance[:, :n], algebra=algebra,
        )  # fmt: skip
    return inside(distance, graph), traced(report)


def tree(runtime, graph, sources, keys, *, algebra="shortest", positive, seed=0, blocks=3):
    """Predecessors of rows of keys."""
    n = graph.num_vertices
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there, distance = on_device(graph), rows_for(runtime, sources, graph, keys.dtype)
        distance[:, :n] = keys
        parents = rows_for(runtime, sources, graph, np.int32)
        fill_predecessor_rows(
            there, weights_as(there, keys.dtype), sources, distance[:, :n], parents[:, :n],
            "positive" if positive else "non-negative", algebra,
        )  # fmt: skip
    return inside(parents, graph)


def relax(runtime, dtype, graph, *, seed=0, cutoff=None, **options):
    """Shortest paths, checked."""
    dtype = np.dtype(dtype)
    sources = sources_of(graph, seed)
    found, _ = relaxed(runtime, dtype, graph, sources, seed=seed, cutoff=cutoff, **options)
    for i, source in enumerate(sources.tolist()):
        distance = found[i]
        if cutoff is not None:
            right = distances(graph, source, dtype.type)
            assert np.array_equal(distance[right <= cutoff], right[right <= cutoff])
            assert (distance >= right).all()
        else:
            verify.sssp(graph, source, distance)
            if dtype.kind == "i":
                assert np.array_equal(distance, distances(graph, source, dtype.type))
    return found, sources


@pytest.mark.parametrize("dtype", [np.int32, np.float32, *slow([np.int64])])
@pytest.mark.parametrize("name", NAMES)
def test_shortest_paths(runtime, name, dtype):
    graph = make(name, np.float32 if dtype == np.float32 else np.int32)
    for seed, (blocks, delta) in enumerate([(3, 4), (10, None)]):
        relax(runtime, dtype, graph, seed=seed, blocks=blocks, delta=delta)


def test_a_cutoff(runtime):
    graph = make("random, directed", np.int32)
    for seed, cutoff in enumerate((0, 7, 20)):
        relax(runtime, np.int32, graph, seed=seed, delta=3, cutoff=cutoff)


@pytest.mark.parametrize("name", ["path", "random, directed"])
def test_a_target(runtime, name):
    """Every search ends with its bucket; what is as near is right, and nothing is too near."""
    graph = make(name, np.int32, least=1)
    target = graph.num_vertices // 2
    sources = sources_of(graph, 1)
    found, trace = relaxed(runtime, np.int32, graph, sources, delta=3, target=target)
    whole, whole_trace = relaxed(runtime, np.int32, graph, sources, delta=3)
    for source, near, all_ in zip(sources, found, whole, strict=True):
        right = distances(graph, int(source), np.int32)
        assert np.array_equal(all_, right)
        within = right <= right[target]
        assert np.array_equal(near[within], right[within])
        assert (near >= right).all()
    assert trace[:, 1].sum() < whole_trace[:, 1].sum()


@pytest.mark.parametrize("delta", [1, 1000])
def test_buckets_narrow_and_wide(runtime, delta):
    for seed, name in enumerate(("path", "random", "parallel edges")):
        relax(runtime, np.int32, make(name, np.int32), seed=seed, blocks=2, delta=delta)


@pytest.mark.parametrize(
    ("name", "least", "dtype"),
    few(
        product(
            ["self-loops", "parallel edges", "random", "random, directed"], [0, 1], [np.int32, np.float32]
        ),
        [
            ("self-loops", 0, np.int32), ("parallel edges", 0, np.int32), ("random", 0, np.float32),
            ("random", 1, np.int32), ("random, directed", 0, np.int32), ("random, directed", 1, np.float32),
        ],
    ),
)  # fmt: skip
def test_trees(runtime, name, least, dtype):
    """With weights of 0, tight arcs make circles, and the search must find the tree."""
    graph = make(name, dtype, least)
    positive = least > 0 and dtype == np.int32
    for seed, blocks in ((0, 2), (1, 3)):
        answer, sources = relax(runtime, dtype, graph, seed=seed, delta=4)
        parents = tree(runtime, graph, sources, answer, positive=positive, seed=seed, blocks=blocks)
        for i, source in enumerate(sources.tolist()):
            verify.sssp(graph, source, answer[i], parents[i])


# ---- by other algebras -------------------------------------------------------------------------

OTHERS = [(algebra, np.dtype(dtype).type) for algebra, dtype in SEARCHES if algebra != "shortest"]


def graph_for(name, algebra, dtype):
    """With weights of both signs, zeros among them; or from 0 to 1."""
    graph = make(name, dtype)
    if algebra == "most-reliable":
        return probabilities(graph)
    return graph.with_weights(graph.weights - dtype(0.5 if dtype == np.float32 else 5))


@pytest.mark.slow
@pytest.mark.parametrize(("algebra", "dtype"), OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_other_algebras(runtime, name, algebra, dtype):
    """In buckets and as a sweep alternately, so that each algebra and each graph has both."""
    graph = graph_for(name, algebra, dtype)
    seed = (OTHERS.index((algebra, dtype)) + NAMES.index(name)) % 2
    blocks, delta = [(3, 0.05 if dtype == np.float32 else 2), (10, None)][seed]
    sources = sources_of(graph, seed)
    keys, _ = relaxed(
        runtime, dtype, graph, sources, algebra=algebra, seed=seed, blocks=blocks, delta=delta
    )
    values = ALGEBRAS[algebra].values(keys)
    for source, distance in zip(sources.tolist(), values, strict=True):
        assert np.array_equal(distance, best_paths(graph, source, algebra, dtype) + dtype(0))
        assert not (np.signbit(distance) & (distance == 0)).any()
    if (algebra, np.dtype(dtype).name, not graph.directed) in TREES:
        parents = tree(
            runtime, graph, sources, keys, algebra=algebra, positive=False, seed=seed,
            blocks=blocks,
        )  # fmt: skip
        for i, source in enumerate(sources.tolist()):
            verify.sssp(graph, source, values[i], parents[i], algebra=algebra)


def check_target(runtime, algebra, dtype, seed):
    """Searches that end where they have found a target."""
    graph = graph_for("random, directed", algebra, dtype)
    target, sources = graph.num_vertices // 2, sources_of(graph, seed)
    delta = 0.05 if dtype == np.float32 else 1
    keys, _ = relaxed(
        runtime, dtype, graph, sources, algebra=algebra, seed=seed, delta=delta, target=target
    )
    for source, near in zip(sources.tolist(), keys, strict=True):
        right = ALGEBRAS[algebra].keys(best_paths(graph, source, algebra, dtype) + dtype(0))
        right[ALGEBRAS[algebra].values(right) == ALGEBRAS[algebra].none(dtype)] = unreachable(dtype)
        within = right <= right[target]
        assert np.array_equal(near[within], right[within])
        assert (near >= right).all()


@pytest.mark.parametrize(
    ("algebra", "dtype"), few(OTHERS, [("minimax", np.float32), ("widest", np.int32)])
)
def test_targets_of_other_algebras(runtime, algebra, dtype):
    check_target(runtime, algebra, dtype, seed=1)


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "the barrier around the next source": (
        bfs_instance(),
        Fault(
            "batch.cuh",
            "block_sync([&] { shared = atomicAdd(&control->taken, 1u); });",
            "if (threadIdx.x == 0) shared = atomicAdd(&control->taken, 1u);",
        ),
    ),
    "far vertices that no thread looks for": (
        sssp_instance("minimax", "float32"),
        Fault(
            "engine/program.cuh",
            "if (Algorithm::starts_far || control->flag == p.splits + 1) p.base = p.threshold;",
            "",
        ),
    ),
    "a block's barrier that is none": (
        sssp_instance("minimax", "float32"),
        Fault(
            "engine/scope.cuh",
            "void sync(Then then) { block_sync(then); }",
            "void sync(Then then) { if (threadIdx.x == 0) then(); }",
        ),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    instance, fault = MUTANTS[name]
    with emulator.faulty_runtime(tmp_path, fault, [instance]) as runtime:
        for seed in range(16):
            if instance == bfs_instance():
                search(runtime, make("random"), seed=seed)
            else:
                check_target(runtime, "minimax", np.float32, seed)
