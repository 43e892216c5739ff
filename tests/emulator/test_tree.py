"""Predecessors from final distances, and cycles of predecessors, by their drivers."""

from itertools import cycle, product
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

import warpath as wp
from algebras import best_paths, probabilities
from emulated_runtime import EmulatedRuntime
from exhaustive import EXHAUSTIVE, few
from oracles import distances, levels, small_multigraph, unreachable
from planted import Fault
from warpath import Graph, verify
from warpath.cuda import tree as driver
from warpath.cuda.arguments import CSR, POINTER, Struct
from warpath.cuda.cycles import CandidateParents, find, follow, keys
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import (
    cycle_kernel,
    roots_kernel,
    stale_parents_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)
from warpath.cuda.runtime import use
from warpath.cuda.tree import fill_predecessors, tight_search
from warpath.operators import ALGEBRAS

OWN_KERNELS = Path(__file__).resolve().parent / "kernels"
CASES = {  # (weights, distances, size of an offset)
    "int32": (np.int32, np.int32, 4),
    "int64": (np.int32, np.int64, 4),
    "float32": (np.float32, np.float32, 4),
    "wide": (np.float64, np.float64, 8),
}
BY_ALGEBRA = {
    "minimax": (np.int32, np.int32, 4),
    "widest": (np.float32, np.float32, 4),
    "widest, int64": (np.int32, np.int64, 4),
    "most-reliable": (np.float64, np.float64, 8),
}
# Each is five kernels to build: by default one of each kind, but of shortest paths also floats that round.
OFTEN = ("int32", "float32", "wide")
OTHERS_OFTEN = ("minimax", "most-reliable")
SEEDS = range(3)


def instances(types, algebra="shortest"):
    """The kernels of `fill_predecessors` for some types."""
    weights, dtype, offset_bytes = types
    names = (np.dtype(weights).name, np.dtype(dtype).name)
    made = [
        tight_sweep_kernel(offset_bytes, *names, pull, algebra, ordered, threads=64)
        for pull, ordered in ((False, True), (True, True), (False, False))
    ]
    made.append(tight_search_kernel(offset_bytes, *names, algebra, threads=64))
    made.append(roots_kernel(names[1], threads=64))
    return [("tree.cuh", expression) for expression in made]


def cycle_instances(*types):
    made = [stale_parents_kernel(size, *names, threads=64) for size, *names in types]
    return [("parent_cycle.cuh", expression) for expression in (cycle_kernel(64), *made)]


@pytest.fixture(scope="module")
def runtime(emulator):
    made = cycle_instances((4, "int32", "int32"), (8, "float64", "float64"))
    for case in OFTEN:
        made += instances(CASES[case])
    with EmulatedRuntime(emulator, made, instances(CASES["int64"])) as runtime:
        yield runtime


def on_emulator(graph, weights, offset_bytes, directed):
    """The graph there, with these weights; ``directed`` decides from which end arcs are looked at."""
    return DeviceGraph.from_arrays(
        graph.row_offsets, graph.column_indices, graph.weights.astype(weights), directed=directed,
        wide=offset_bytes == 8,
    )  # fmt: skip


def tree(
    runtime, graph, sources=(0,), *,
    case="int32", distance=None, cutoff=None, pull=False, weights_are="non-negative", seed=0,
    blocks=2,
):  # fmt: skip
    """Fill predecessors and check them; ``distance`` is the CPU's by default.

    Returns the predecessors, and whether a search had to find them.
    """
    weights, dtype, offset_bytes = CASES[case]
    sources = np.unique(np.asarray(sources, np.int32))
    if distance is None:
        distance = wp.sssp(
            graph, sources.tolist(), nearest=True, dtype=dtype, device="cpu"
        ).distance
    runtime.seed, runtime.blocks = seed, blocks
    with use(runtime):
        there = on_emulator(graph, weights, offset_bytes, not pull)
        predecessor = runtime.xp.empty(graph.num_vertices, np.int32)
        final = runtime.xp.asarray(distance.astype(dtype))
        reports = []

        def watched(*arguments):
            reports.append(tight_search(*arguments))

        with patch.object(driver, "tight_search", watched):
            fill_predecessors(there, there.weights, sources, final, predecessor, weights_are)
        searched = any(report.control()["arrived"] > 0 for report in reports)
    predecessor = predecessor.get()
    verify.sssp(graph, sources.tolist(), distance, predecessor, cutoff=cutoff)
    return predecessor, searched


def swept(runtime, graph, sources=(0,), *, case="int32", pull=False, seed=0):
    """What the sweep alone leaves."""
    weights, dtype, offset_bytes = CASES[case]
    distance = wp.sssp(graph, list(sources), nearest=True, dtype=dtype, device="cpu").distance
    runtime.seed = seed
    with use(runtime):
        there = on_emulator(graph, weights, offset_bytes, not pull)
        predecessor = runtime.xp.empty(graph.num_vertices, np.int32)
        final, starts = runtime.xp.asarray(distance), np.array(sources, np.int32)
        fill_predecessors(there, there.weights, starts, final, predecessor, "positive")
    return predecessor.get()


def search_alone(
    runtime, graph, sources=(0,), *,
    case="int32", distance=None, cutoff=None, cluster=1, small_frontier_max_edges=0, seed=0, blocks=2,
):  # fmt: skip
    """The search without a sweep before it."""
    weights, dtype, offset_bytes = CASES[case]
    n, sources = graph.num_vertices, np.unique(np.asarray(sources, np.int32))
    if distance is None:
        distance = wp.sssp(
            graph, sources.tolist(), nearest=True, dtype=dtype, device="cpu"
        ).distance
    runtime.seed, runtime.blocks = seed, blocks
    xp = runtime.xp
    with (
        use(runtime),
        patch.object(driver, "cluster_size", lambda: cluster),
        patch.object(driver, "is_sparse", lambda _: True),
    ):
        there = on_emulator(graph, weights, offset_bytes, True)
        predecessor, final = xp.full(n, -1, np.int32), xp.asarray(distance.astype(dtype))
        tight_search(
            there, there.weights, sources, final, predecessor, xp.zeros(1, np.uint32), 1,
            small_frontier_max_edges=small_frontier_max_edges,
        )  # fmt: skip
    verify.sssp(graph, sources.tolist(), distance, predecessor.get(), cutoff=cutoff)
    return predecessor.get()


def positive(graph, dtype=np.int32):
    """The graph with weights 1 … 12, or tenths of them."""
    source, target, _ = graph.coo()
    low, high = np.minimum(source, target), np.maximum(source, target)
    weights = ((low * 31 + high * 17) % 12 + 1).astype(dtype)
    return graph.with_weights(weights * dtype(0.1) if np.dtype(dtype).kind == "f" else weights)


GRAPHS = {
    "one vertex": lambda: Graph.from_edges([], [], n=1),
    "no arcs": lambda: Graph.from_edges([], [], n=100),
    "path": lambda: wp.generate.named("path", 300),
    "star": lambda: wp.generate.named("star", 3000),
    "grid": lambda: wp.generate.grid(25, 30, keep=0.8),
    "power law": lambda: wp.generate.rmat(8, 8),
    "power law, directed": lambda: wp.generate.rmat(8, 8, directed=True),
}


@pytest.mark.parametrize(
    ("name", "case"),
    few(
        product(GRAPHS, CASES),
        [*product(GRAPHS, ["int32"]), *zip([*GRAPHS][2:], cycle(OFTEN[1:]), strict=False)],
    ),
)
def test_the_sweep_finds_all_where_every_arc_lengthens(runtime, name, case):
    graph = positive(GRAPHS[name](), CASES[case][0])
    for seed in SEEDS:
        for pull in [False] if graph.directed else [False, True]:
            found, searched = tree(runtime, graph, case=case, pull=pull, seed=seed)
            assert not searched
            assert np.array_equal(
                swept(runtime, graph, case=case, pull=pull, seed=seed) < 0, found < 0
            )


@pytest.mark.parametrize("pull", [False, True])
def test_a_sweep_of_more_chunks_than_warps(runtime, pull):
    """100,000 arcs are 13 chunks, with one block's two warps."""
    graph = positive(wp.generate.erdos_renyi(3000, 50_000, seed=1))
    assert not tree(runtime, graph, [7], blocks=1, pull=pull)[1]


@pytest.mark.parametrize("case", few(CASES, ["int32", "wide"]))
def test_several_sources(runtime, case):
    graph = positive(GRAPHS["grid"](), CASES[case][0])
    for pull in (False, True):
        found, searched = tree(runtime, graph, [0, 17, 400, 3], case=case, pull=pull, seed=4)
        assert (found[[0, 17, 400, 3]] == -1).all()
        assert not searched


def test_what_a_limit_cut_off_has_no_predecessor(runtime):
    """Also where d(u) + w is the very value that says "unreachable"."""
    far = unreachable(np.int32)
    graph = Graph.from_edges([0, 1, 1], [1, 2, 3], np.int32([far - 5, 5, 4]))
    distance = np.int32([0, far - 5, far, far - 1])
    found, _ = tree(runtime, graph, distance=distance, cutoff=far - 1)
    assert found.tolist() == [-1, 0, -1, 1]
    found = search_alone(runtime, graph, distance=distance, cutoff=far - 1)
    assert found.tolist() == [-1, 0, -1, 1]
    floats = graph.with_weights(np.float32([3e38, 3e38, 1e30]))
    distance = np.float32([0, 3e38, np.inf, 3e38])
    found, _ = tree(runtime, floats, case="float32", distance=distance, cutoff=3.1e38)
    assert found.tolist() == [-1, 0, -1, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "case"),
    [
        (name, case)
        for i, name in enumerate(GRAPHS)
        for j, case in enumerate(CASES)
        if (i + j) % 2 == 0 or EXHAUSTIVE
    ],
)
def test_weights_of_zero_leave_it_to_the_search(runtime, name, case):
    graph = GRAPHS[name]()
    graph = graph.with_weights(np.zeros(graph.num_arcs, CASES[case][0]))
    reached = np.count_nonzero(levels(graph.without_weights(), 0) >= 0)
    for seed in SEEDS:
        assert (swept(runtime, graph, case=case, pull=not graph.directed, seed=seed) < 0).all()
        found, searched = tree(runtime, graph, case=case, pull=not graph.directed, seed=seed)
        assert np.count_nonzero(found >= 0) == reached - 1
        assert searched == (reached > 1)


@pytest.mark.parametrize("pull", [False, True])
def test_weights_that_vanish_beside_a_distance(runtime, pull):
    """1e8 + 1 is 1e8 in float32: no order leads round the cycle behind the heavy edge."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], np.float32([1e8, 1, 1, 1]), directed=False)
    assert swept(runtime, graph, case="float32", pull=pull).tolist() == [-1, 0, -1, -1]
    assert tree(runtime, graph, case="float32", pull=pull)[1]


@pytest.mark.parametrize("case", few(CASES, OFTEN))
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(runtime, directed, case):
    for seed in range(6):
        graph = small_multigraph(seed, CASES[case][0], directed=directed)
        pull = not directed and seed % 2 == 0
        tree(runtime, graph, [seed], case=case, pull=pull, seed=seed)


@pytest.mark.parametrize(
    ("cluster", "small_frontier_max_edges"),
    [(1, 0), (1, 500), (2, 500)],
    ids=["grid", "block", "cluster"],
)
@pytest.mark.parametrize("case", few(["int32", "int64", "wide"], OFTEN))
def test_negative_weights(runtime, case, cluster, small_frontier_max_edges):
    for seed, name in enumerate(("power law, directed", "path", "grid")):
        graph = GRAPHS[name]()
        if not graph.directed:
            graph = Graph.from_csr(graph.row_offsets, graph.column_indices)
        graph = wp.generate.negative_weights(positive(graph, CASES[case][0]), 5)
        assert graph.weight_range[0] < 0
        assert not tree(runtime, graph, [3], case=case, weights_are="any", seed=seed)[1]
        search_alone(
            runtime,
            graph,
            [3],
            case=case,
            seed=seed,
            cluster=cluster,
            small_frontier_max_edges=small_frontier_max_edges,
        )


def test_a_source_below_zero_is_no_root(runtime):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], np.int32([-4, 1, 1]))
    for sources in ([0, 1], [0, 1, 3]):
        found = search_alone(runtime, graph, sources)
        assert found.tolist() == [-1, 0, 1, 2]
        assert tree(runtime, graph, sources, weights_are="any")[0].tolist() == [-1, 0, 1, 2]


def test_a_cycle_of_weight_zero_leaves_it_to_the_search(runtime):
    """Also one through the source, which alone does not make a circle."""
    around = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], np.int32([5, -2, 1, 1]))
    through = Graph.from_edges([0, 1, 2], [1, 2, 0], np.int32([-3, 1, 2]))
    for seed in SEEDS:
        found, _ = tree(runtime, around, weights_are="any", seed=seed)
        assert found.tolist() == [-1, 0, 1, 2]
        found, searched = tree(runtime, through, weights_are="any", seed=seed)
        assert found.tolist() == [-1, 0, 1]
        assert not searched


@pytest.mark.parametrize("case", ["int32", "wide"])
def test_predecessors_that_offer_too_much_are_dropped(runtime, case):
    rng = np.random.default_rng(5)
    weights, _, offset_bytes = CASES[case]
    for seed in SEEDS:
        graph = small_multigraph(seed, weights, directed=True)
        graph = graph.with_weights(graph.weights - weights(3))
        n = graph.num_vertices
        source, target, weight = graph.coo()
        distance = rng.integers(-20, 20, n).astype(weights)
        predecessor = rng.integers(-1, n, n).astype(np.int32)
        some = rng.integers(0, len(source), n)
        predecessor[target[some]] = source[some]
        holds = (predecessor[target] == source) & (distance[source] + weight <= distance[target])
        expected = np.full(n, -1)
        expected[target[holds]] = source[holds]
        assert 0 < np.count_nonzero(expected >= 0) < np.count_nonzero(predecessor >= 0)
        runtime.seed, runtime.blocks = seed, 1 + seed
        with use(runtime):
            there = on_emulator(graph, weights, offset_bytes, True)
            plain = keys(runtime.xp.asarray(distance))
            packed = runtime.xp.full((n, 2), 7, plain.dtype)  # of two words the first
            packed[:, 0] = plain
            for words in (plain, packed[:, 0]):
                candidates = CandidateParents(there, there.weights, words, np.dtype(weights))
                current = candidates.current(runtime.xp.asarray(predecessor))
                assert np.array_equal(current.get(), expected)


# ---- the sweep ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def visits(emulator):
    made = [("sweep_visits.cuh", f"warpath::count_visits<{of}>") for of in OFFSETS.values()]
    with EmulatedRuntime(emulator, made, include=[OWN_KERNELS]) as runtime:
        yield runtime


OFFSETS = {4: "unsigned", 8: "unsigned long long"}


@pytest.mark.parametrize("offset_bytes", OFFSETS)
@pytest.mark.parametrize(
    "degrees",
    [
        [5], [0, 0, 7], [7, 0, 0], [1] * 300, [0] * 40 + [1] + [0] * 40 + [2], [3, 9000, 0, 5],
        [8] * 32, [8] * 33, [0, 1] * 100, np.random.default_rng(1).integers(0, 3, 1000),
        (np.random.default_rng(2).pareto(1.0, 2000) * 5).astype(int),
    ],
    ids=str,
)  # fmt: skip
def test_a_sweep_visits_each_arc_once(visits, degrees, offset_bytes):
    offset = f"u{offset_bytes}"
    arguments = Struct(graph=CSR, arcs=offset, visits=POINTER, owner=POINTER)
    offsets = visits.xp.asarray(np.r_[0, np.cumsum(degrees)].astype(offset))
    m, at = int(np.sum(degrees)), visits.address
    for seed, blocks in ((0, 1), (1, 3)):
        visits.seed, visits.blocks = seed, blocks
        times, owner = visits.xp.zeros(m, np.uint32), visits.xp.empty(m, np.uint32)
        expression = f"warpath::count_visits<{OFFSETS[offset_bytes]}>"
        visits.persistent("sweep_visits.cuh", expression, 64, blocks).launch(
            arguments(
                graph=CSR(vertices=len(degrees), row_offsets=at(offsets), column_indices=0),
                arcs=m, visits=at(times), owner=at(owner),
            )
        )  # fmt: skip
        assert (times.get() == 1).all()
        assert np.array_equal(owner.get(), np.repeat(np.arange(len(degrees)), degrees))


# ---- cycles ------------------------------------------------------------------------------------


def forest(rng, n, cycles=()):
    """Predecessors of a random forest of n vertices, its ids shuffled, with cycles put in."""
    parent = np.array(
        [-1 if v == 0 or rng.random() < 0.02 else rng.integers(0, v) for v in range(n)]
    )
    for ring in cycles:
        parent[ring] = np.roll(ring, 1)
    name = rng.permutation(n)
    shuffled = np.empty(n, np.int32)
    shuffled[name] = np.where(parent < 0, -1, name[parent])
    return shuffled, [{int(name[v]) for v in ring} for ring in cycles]


def on_a_cycle(runtime, predecessor, seed):
    """A vertex on a cycle, -1 if there is none, and the pointers."""
    runtime.seed, runtime.blocks = seed, 1 + seed % 3
    with use(runtime):
        pointer, found = follow(runtime.xp.asarray(predecessor.astype(np.int32)))
    return int(found.get()[0]) - 1, pointer.get()


@pytest.mark.parametrize("n", [1, 2, 33, 500])
def test_a_forest_has_no_cycle(runtime, n):
    for seed in range(6):
        assert on_a_cycle(runtime, forest(np.random.default_rng(seed), n)[0], seed)[0] == -1
        assert on_a_cycle(runtime, np.arange(-1, n - 1), seed)[0] == -1  # a path


@pytest.mark.parametrize("ring", [[0], [5, 9], [1, 2, 3, 40, 499], list(range(100, 400))], ids=len)
def test_a_cycle_is_found(runtime, ring):
    for seed in range(6):
        parent, (members,) = forest(np.random.default_rng(seed), 500, [ring])
        found, pointer = on_a_cycle(runtime, parent, seed)
        assert found in members
        assert set(pointer[pointer >= 0].tolist()) <= members  # those that come there
        assert all(pointer[v] >= 0 for v in members)


def test_a_cycle_of_all_vertices(runtime):
    for seed in range(6):
        assert on_a_cycle(runtime, np.roll(np.arange(257), 1), seed)[0] >= 0
    assert on_a_cycle(runtime, np.zeros(1), 0)[0] == 0


def test_each_of_several_cycles_is_pointed_at(runtime):
    for seed in range(6):
        rings = [[0], [7, 30, 200], [8, 9]]
        parent, members = forest(np.random.default_rng(seed), 300, rings)
        pointer = on_a_cycle(runtime, parent, seed)[1]
        found = set(pointer[pointer >= 0].tolist())
        assert all(found & ring for ring in members)


def test_a_cycle_that_weighs_more_than_0_is_none(runtime):
    """Its predecessors offer more than their vertices have, as stale ones do."""
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], np.int32([1, 1, 1]))
    stale, negative = np.array([0, 1, 2]), np.array([0, -5, -9])
    with use(runtime):
        there = on_emulator(graph, np.int32, 4, True)
        around = runtime.xp.asarray(np.int32([2, 0, 1]))
        for distance, is_one in ((stale, False), (negative, False), (np.int32([7, 8, 9]), False)):
            words = runtime.xp.asarray(distance.astype(np.int32))
            candidates = CandidateParents(there, there.weights, words, np.dtype(np.int32))
            assert (find(around, candidates) is not None) == is_one
        lower = on_emulator(graph.with_weights(np.int32([-1, -1, -1])), np.int32, 4, True)
        words = runtime.xp.asarray(np.int32([0, 0, 0]))
        parents, vertices = find(
            around, CandidateParents(lower, lower.weights, words, np.dtype(np.int32))
        )
    assert parents.tolist() == [2, 0, 1]
    assert set(vertices.tolist()) <= {0, 1, 2}
    assert len(vertices) > 0


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "distances as an order": Fault("tree.cuh", "ordered ? from < to", "ordered ? from <= to"),
    "an offer that is not asked for": Fault(
        "parent_cycle.cuh", "<= to) current", "<= to || true) current"
    ),
    "a claim that does not ask": Fault(
        "operators/visit_tight.cuh",
        "return reached.insert(v, pred && is_tight(offer, load_if(distance + v, pred)));",
        "return reached.insert(v, pred);",
    ),
    "empty rows": Fault(
        "sweep.cuh",
        "const unsigned lane = nth_bit(filled, lane_id());",
        "const unsigned lane = lane_id();",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_tree_is_found(emulator, tmp_path, name):
    made = instances(CASES["int32"]) + cycle_instances((4, "int32", "int32"))
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], made) as runtime:
        zero = GRAPHS["grid"]()
        zero = zero.with_weights(np.zeros(zero.num_arcs, np.int32))
        sparse = positive(wp.generate.rmat(9, 2, directed=True))
        for seed in range(4):
            tree(runtime, zero, seed=seed)
            assert not tree(runtime, sparse, [int(sparse.degree.argmax())], seed=seed)[1]
            search_alone(runtime, sparse, [5], seed=seed, small_frontier_max_edges=99)
        test_predecessors_that_offer_too_much_are_dropped(runtime, "int32")


NO_BARRIER = Fault("parent_cycle.cuh", "grid.sync([] {});  // all pointers are there", "")


@pytest.mark.slow
def test_a_missing_barrier_is_found(emulator, tmp_path):
    with emulator.faulty_runtime(tmp_path, NO_BARRIER, cycle_instances()) as runtime:
        for seed in range(24):
            parent, (members,) = forest(np.random.default_rng(seed), 500, [[3, 77, 200]])
            assert on_a_cycle(runtime, parent, seed)[0] in members
            assert on_a_cycle(runtime, np.arange(-1, 499), seed)[0] == -1


def test_the_oracle_is_independent():
    """The distances that the trees are checked with are SciPy's too."""
    graph = positive(GRAPHS["grid"](), np.float64)
    ours = wp.sssp(graph, 0, device="cpu").distance
    assert np.array_equal(ours, distances(graph, 0, np.float64))


# -- other algebras than sums ----------------------------------------------------------------


@pytest.fixture(scope="module")
def others(emulator):
    often, others = [], []
    for case, types in BY_ALGEBRA.items():
        made = often if case in OTHERS_OFTEN else others
        made += instances(types, case.partition(",")[0])
    with EmulatedRuntime(emulator, often, others) as runtime:
        yield runtime


@pytest.mark.parametrize(
    ("name", "case"),
    few(
        product([*GRAPHS][2:], BY_ALGEBRA),
        [*zip([*GRAPHS][2:], cycle(OTHERS_OFTEN), strict=False), ("grid", "most-reliable")],
    ),
)
def test_trees_of_the_best_paths(others, name, case):
    """Most arcs leave a value as it is, so circles of tight arcs are everywhere."""
    weights, dtype, offset_bytes = BY_ALGEBRA[case]
    algebra = ALGEBRAS[case.partition(",")[0]]
    graph = positive(GRAPHS[name](), weights)
    if algebra.multiplies:
        graph = probabilities(graph)
    else:
        graph = graph.with_weights(graph.weights - np.median(graph.weights).astype(weights))
    for seed, sources in ((0, [0]), (1, [0]), (2, [0, 3, 200])):
        distance = best_paths(graph, sources, algebra.name, dtype)
        none = distance == algebra.none(dtype)
        final = np.where(none, unreachable(np.dtype(dtype)), algebra.keys(distance)).astype(dtype)
        others.seed = seed
        with use(others):
            there = on_emulator(graph, weights, offset_bytes, graph.directed)
            predecessor = others.xp.empty(graph.num_vertices, np.int32)
            fill_predecessors(
                there, there.weights, np.array(sources, np.int32), others.xp.asarray(final),
                predecessor, "non-negative", algebra.name,
            )  # fmt: skip
        verify.sssp(graph, sources, distance, predecessor.get(), algebra=algebra.name)
