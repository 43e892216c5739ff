"""Searches from several sources at once by the CUDA kernels, one a block."""

from pathlib import Path

import numpy as np
import pytest

from algebras import best_paths, probabilities
from multigraphs import NAMES, multigraph
from oracles import distances, levels, unreachable
from warpath import Graph, VerificationError, verify
from warpath.balance import TECHNIQUES
from warpath.cuda.compile import KERNELS
from warpath.operators import ALGEBRAS

HERE = Path(__file__).resolve().parent
NO_LIMIT = 2**31 - 1
NOBODY = 2**32 - 1
PADDING = 3  # elements behind each row, which nobody may write
BLOCK = 0  # trace.cuh's Mode


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
def program(emulator):
    return emulator.build(HERE / "test_batch.cpp")


def sources_of(graph, seed):
    """More than the blocks that take them, some twice."""
    return np.random.default_rng(seed).integers(0, graph.num_vertices, 7)


def run(program, test, graph, sources, **options):
    n = graph.num_vertices
    found = program.run(
        test,
        row_offsets=graph.row_offsets.astype(np.uint32),
        column_indices=graph.column_indices.astype(np.uint32),
        sources=sources.astype(np.uint32),
        stride=n + PADDING,
        **options,
    )
    for name in {"distance", "predecessor"} & found.keys():
        rows = found[name].reshape(len(sources), n + PADDING)
        assert (rows[:, n:] == 77).all()
        found[name] = rows[:, :n]
    if "trace" in found:
        found["trace"] = found["trace"].reshape(len(sources), 4)
        assert set(found["trace"][:, 2].tolist()) == {BLOCK}
        assert {list(TECHNIQUES)[code - 1] for code in found["trace"][:, 3]} == {"two-phase-search"}
    return found


def search(program, graph, *, seed=0, blocks=3, depth_limit=NO_LIMIT, test="bfs"):
    """Breadth-first searches, checked."""
    sources = sources_of(graph, seed)
    found = run(program, test, graph, sources, seed=seed, blocks=blocks, depth_limit=depth_limit)
    limit = None if depth_limit == NO_LIMIT else depth_limit
    for i, source in enumerate(sources.tolist()):
        near = levels(graph, source)
        distance = found["distance"][i]
        assert np.array_equal(distance, np.where(near > depth_limit, -1, near))
        parents = found["predecessor"][i] if test == "bfs" else None
        verify.bfs(graph, source, distance, parents, depth_limit=limit)
        if limit is None:
            assert found["trace"][i, 1] == graph.degree[near >= 0].sum()
    return found


@pytest.mark.parametrize("name", NAMES)
def test_breadth_first(program, name):
    graph = make(name)
    for seed, blocks in ((0, 1), (1, 3), (2, 10)):
        found = search(program, graph, seed=seed, blocks=blocks)
        assert found["iterations"][0] >= found["distance"].max(axis=1).sum()


def test_a_depth_limit_and_distances_alone(program):
    for name in ("path", "random, directed", "star"):
        for limit in (0, 1, 3):
            search(program, make(name), seed=limit, depth_limit=limit)
        found = search(program, make(name), test="bfs_distances")
        assert (found["predecessor"] == 77).all()


def relaxed(
    program, test, dtype, graph, sources, *, seed=0, blocks=3, delta=None, cutoff=None, target=NOBODY
):  # fmt: skip
    """Keys of the best paths, as the kernel leaves them."""
    dtype = np.dtype(dtype)
    none = unreachable(dtype)
    return run(
        program, test, graph, sources, seed=seed, blocks=blocks, target=target,
        weights=graph.weights, delta=np.array([none if delta is None else delta], dtype),
        cutoff=np.array([none if cutoff is None else cutoff], dtype),
    )  # fmt: skip


def relax(program, dtype, graph, *, seed=0, cutoff=None, **options):
    """Shortest paths, checked."""
    dtype = np.dtype(dtype)
    sources = sources_of(graph, seed)
    found = relaxed(
        program, f"sssp_{dtype.name}", dtype, graph, sources, seed=seed, cutoff=cutoff, **options
    )
    for i, source in enumerate(sources.tolist()):
        distance = found["distance"][i]
        if cutoff is not None:
            right = distances(graph, source, dtype.type)
            assert np.array_equal(distance[right <= cutoff], right[right <= cutoff])
            assert (distance >= right).all()
        else:
            verify.sssp(graph, source, distance)
            if dtype.kind == "i":
                assert np.array_equal(distance, distances(graph, source, dtype.type))
    return found, sources


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32])
@pytest.mark.parametrize("name", NAMES)
def test_shortest_paths(program, name, dtype):
    graph = make(name, np.float32 if dtype == np.float32 else np.int32)
    for seed, (blocks, delta) in enumerate([(3, 4), (10, None)]):
        relax(program, dtype, graph, seed=seed, blocks=blocks, delta=delta)


def test_a_cutoff(program):
    graph = make("random, directed", np.int32)
    for seed, cutoff in enumerate((0, 7, 20)):
        relax(program, np.int32, graph, seed=seed, delta=3, cutoff=cutoff)


@pytest.mark.parametrize("name", ["path", "random, directed"])
def test_a_target(program, name):
    """Every search ends with its bucket; what is as near is right, and nothing is too near."""
    graph = make(name, np.int32, least=1)
    target = graph.num_vertices // 2
    sources = sources_of(graph, 1)
    found = relaxed(program, "sssp_int32", np.int32, graph, sources, delta=3, target=target)
    whole = relaxed(program, "sssp_int32", np.int32, graph, sources, delta=3)
    for source, near, all_ in zip(sources, found["distance"], whole["distance"], strict=True):
        right = distances(graph, int(source), np.int32)
        assert np.array_equal(all_, right)
        within = right <= right[target]
        assert np.array_equal(near[within], right[within])
        assert (near >= right).all()
    assert found["trace"][:, 1].sum() < whole["trace"][:, 1].sum()


@pytest.mark.parametrize("delta", [1, 1000])
def test_buckets_narrow_and_wide(program, delta):
    for seed, name in enumerate(("path", "random", "parallel edges")):
        relax(program, np.int32, make(name, np.int32), seed=seed, blocks=2, delta=delta)


@pytest.mark.parametrize("dtype", [np.int32, np.float32])
@pytest.mark.parametrize("least", [0, 1])
@pytest.mark.parametrize("name", ["self-loops", "parallel edges", "random", "random, directed"])
def test_trees(program, name, least, dtype):
    """With weights of 0, tight arcs make circles, and the search must find the tree."""
    graph = make(name, dtype, least)
    pull = "" if graph.directed else "_pull"
    positive = least > 0 and dtype == np.int32
    for seed, blocks in ((0, 2), (1, 3)):
        answer, sources = relax(program, dtype, graph, seed=seed, delta=4)
        found = run(
            program, f"tree_{np.dtype(dtype).name}{pull}", graph, sources, seed=seed, blocks=blocks,
            weights=graph.weights, distance=answer["distance"].ravel(), any_weights=int(not positive),
        )  # fmt: skip
        for i, source in enumerate(sources.tolist()):
            verify.sssp(graph, source, answer["distance"][i], found["predecessor"][i])


# ---- by other algebras -------------------------------------------------------------------------

# Of test_batch.cpp: the searches, and the trees that go with them.
OTHERS = {
    "minimax_int32": ("minimax", np.int32, ()),
    "minimax_float32": ("minimax", np.float32, ("tree", "tree_pull")),
    "widest_int32": ("widest", np.int32, ("tree_pull",)),
    "most_reliable_float32": ("most-reliable", np.float32, ("tree",)),
}


def graph_for(name, algebra, dtype):
    """With weights of both signs, zeros among them; or from 0 to 1."""
    graph = make(name, dtype)
    if algebra == "most-reliable":
        return probabilities(graph)
    return graph.with_weights(graph.weights - dtype(0.5 if dtype == np.float32 else 5))


@pytest.mark.parametrize("test", OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_other_algebras(program, name, test):
    algebra, dtype, trees = OTHERS[test]
    graph = graph_for(name, algebra, dtype)
    bucket = 0.05 if dtype == np.float32 else 2
    for seed, (blocks, delta) in enumerate([(3, bucket), (10, None)]):
        sources = sources_of(graph, seed)
        keys = relaxed(
            program, test, dtype, graph, sources, seed=seed, blocks=blocks, delta=delta
        )["distance"]  # fmt: skip
        values = ALGEBRAS[algebra].values(keys)
        for source, distance in zip(sources.tolist(), values, strict=True):
            assert np.array_equal(distance, best_paths(graph, source, algebra, dtype) + dtype(0))
            assert not (np.signbit(distance) & (distance == 0)).any()
        for tree in trees:
            if "pull" in tree and graph.directed:
                continue
            found = run(
                program, f"{test}_{tree}", graph, sources, seed=seed, blocks=blocks,
                weights=graph.weights, distance=keys.ravel(), any_weights=1,
            )  # fmt: skip
            for i, source in enumerate(sources.tolist()):
                verify.sssp(graph, source, values[i], found["predecessor"][i], algebra=algebra)


def check_target(program, test, seed):
    """Searches that end where they have found a target."""
    algebra, dtype, _ = OTHERS[test]
    graph = graph_for("random, directed", algebra, dtype)
    target, sources = graph.num_vertices // 2, sources_of(graph, seed)
    delta = 0.05 if dtype == np.float32 else 1
    keys = relaxed(
        program, test, dtype, graph, sources, seed=seed, delta=delta, target=target
    )["distance"]  # fmt: skip
    for source, near in zip(sources.tolist(), keys, strict=True):
        right = ALGEBRAS[algebra].keys(best_paths(graph, source, algebra, dtype) + dtype(0))
        right[ALGEBRAS[algebra].values(right) == ALGEBRAS[algebra].none(dtype)] = unreachable(dtype)
        within = right <= right[target]
        assert np.array_equal(near[within], right[within])
        assert (near >= right).all()


@pytest.mark.parametrize("test", OTHERS)
def test_targets_of_other_algebras(program, test):
    check_target(program, test, seed=1)


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "the barrier around the next source": (
        "bfs",
        "batch.cuh",
        "block_sync([&] { shared = atomicAdd(&control->taken, 1u); });",
        "if (threadIdx.x == 0) shared = atomicAdd(&control->taken, 1u);",
    ),
    "far vertices that nobody looks for": (
        "minimax_float32",
        "batch.cuh",
        "if (state.any_far) base = before;",
        "",
    ),
    "the barrier before distances are turned": (
        "minimax_float32",
        "batch.cuh",
        "__syncthreads();  // all have seen the target's distance",
        "",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    test, header, old, new = MUTANTS[name]
    source = HERE / "test_batch.cpp"
    mutant = emulator.faulty(tmp_path, source, KERNELS / header, old, new, case=test)

    def run_all():
        for seed in range(16):
            if test == "bfs":
                search(mutant, make("random"), seed=seed)
            else:
                check_target(mutant, test, seed)

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()
