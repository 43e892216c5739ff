"""Predecessors from final distances, and cycles of predecessors, by the CUDA kernels."""

from pathlib import Path

import numpy as np
import pytest

import warpath as wp
from algebras import best_paths, probabilities
from oracles import distances, levels, small_multigraph, unreachable
from warpath import Graph, VerificationError, verify
from warpath.cuda.compile import KERNELS
from warpath.operators import ALGEBRAS

HERE = Path(__file__).resolve().parent
CASES = {  # of test_tree.cpp: (weights, distances, offsets)
    "tree_int32": (np.int32, np.int32, np.uint32),
    "tree_int64": (np.int32, np.int64, np.uint32),
    "tree_float32": (np.float32, np.float32, np.uint32),
    "tree_wide": (np.float64, np.float64, np.uint64),
}
SEEDS = range(3)


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(HERE / "test_tree.cpp")


def tree(
    program, case, graph, sources=(0,), *,
    distance=None, cutoff=None, pull=False, search_only=False, signed=False, seed=0, blocks=2,
    cluster=1, narrow_items=0,
):  # fmt: skip
    """Run a case of test_tree.cpp and check its tree; ``distance`` is the CPU's by default."""
    weights, dtype, offset = CASES[case]
    sources = np.unique(np.asarray(sources, np.uint32))
    if distance is None:
        distance = wp.sssp(
            graph, sources.tolist(), nearest=True, dtype=dtype, device="cpu"
        ).distance
    found = program.run(
        case,
        seed=seed,
        blocks=blocks,
        cluster=cluster,
        narrow_items=narrow_items,
        pull=int(pull),
        search_only=int(search_only),
        signed=int(signed),
        row_offsets=graph.row_offsets.astype(offset),
        column_indices=graph.column_indices.astype(np.uint32),
        weights=graph.weights.astype(weights),
        distance=distance.astype(dtype),
        sources=sources,
    )
    verify.sssp(graph, sources.tolist(), distance, found["predecessor"], cutoff=cutoff)
    return found


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


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", GRAPHS)
def test_the_sweep_finds_all_where_every_arc_lengthens(program, name, case):
    graph = positive(GRAPHS[name](), CASES[case][0])
    ways = [False] if graph.directed else [False, True]
    for seed in SEEDS:
        for pull in ways:
            found = tree(program, case, graph, pull=pull, seed=seed)
            assert found["roots"][0] == 1
            assert np.array_equal(found["swept"], found["predecessor"])
            assert found["searched"][0] == 0


@pytest.mark.parametrize("pull", [False, True])
def test_a_sweep_of_more_chunks_than_warps(program, pull):
    """100,000 arcs are 13 chunks, with one block's two warps."""
    graph = positive(wp.generate.erdos_renyi(3000, 50_000, seed=1))
    assert tree(program, "tree_int32", graph, [7], blocks=1, pull=pull)["searched"][0] == 0


@pytest.mark.parametrize("case", CASES)
def test_several_sources(program, case):
    graph = positive(GRAPHS["grid"](), CASES[case][0])
    for pull in (False, True):
        found = tree(program, case, graph, [0, 17, 400, 3], pull=pull, seed=4)
        assert found["roots"][0] == 4
        assert found["searched"][0] == 0


def test_what_a_limit_cut_off_has_no_predecessor(program):
    """Also where d(u) + w is the very value that says "unreachable"."""
    far = unreachable(np.int32)
    graph = Graph.from_edges([0, 1, 1], [1, 2, 3], np.int32([far - 5, 5, 4]))
    distance = np.int32([0, far - 5, far, far - 1])
    for search_only in (False, True):
        found = tree(
            program, "tree_int32", graph, distance=distance, cutoff=far - 1, search_only=search_only
        )
        assert found["predecessor"].tolist() == [-1, 0, -1, 1]
    floats = graph.with_weights(np.float32([3e38, 3e38, 1e30]))
    distance = np.float32([0, 3e38, np.inf, 3e38])
    found = tree(program, "tree_float32", floats, distance=distance, cutoff=3.1e38)
    assert found["predecessor"].tolist() == [-1, 0, -1, 1]


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", GRAPHS)
def test_weights_of_zero_leave_it_to_the_search(program, name, case):
    graph = GRAPHS[name]()
    graph = graph.with_weights(np.zeros(graph.num_arcs, CASES[case][0]))
    for seed in SEEDS:
        found = tree(
            program, case, graph, pull=not graph.directed, seed=seed, narrow_items=seed * 100
        )
        reached = np.count_nonzero(levels(graph.without_weights(), 0) >= 0)
        assert found["roots"][0] == reached
        assert (found["searched"][0] > 0) == (reached > 1)


@pytest.mark.parametrize("pull", [False, True])
def test_weights_that_vanish_beside_a_distance(program, pull):
    """1e8 + 1 is 1e8 in float32: no order leads round the cycle behind the heavy edge."""
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], np.float32([1e8, 1, 1, 1]), directed=False)
    found = tree(program, "tree_float32", graph, pull=pull)
    assert found["swept"].tolist() == [-1, 0, -1, -1]
    assert found["searched"][0] > 0


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("directed", [True, False])
def test_small_multigraphs(program, directed, case):
    for seed in range(6):
        graph = small_multigraph(seed, CASES[case][0], directed=directed)
        tree(program, case, graph, [seed], pull=not directed and seed % 2 == 0, seed=seed)


@pytest.mark.parametrize(
    ("cluster", "narrow_items"), [(1, 0), (1, 500), (2, 500)], ids=["grid", "block", "cluster"]
)
@pytest.mark.parametrize("case", ["tree_int32", "tree_int64", "tree_wide"])
def test_negative_weights(program, case, cluster, narrow_items):
    for seed, name in enumerate(("power law, directed", "path", "grid")):
        graph = GRAPHS[name]()
        if not graph.directed:
            graph = Graph.from_csr(graph.row_offsets, graph.column_indices)
        graph = wp.generate.negative_weights(positive(graph, CASES[case][0]), 5)
        assert graph.weight_range[0] < 0
        swept = tree(program, case, graph, [3], signed=True, seed=seed)
        assert swept["searched"][0] == 0
        found = tree(
            program, case, graph, [3], search_only=True, seed=seed, cluster=cluster,
            narrow_items=narrow_items,
        )  # fmt: skip
        assert found["searched"][0] > 0


def test_a_source_below_zero_is_no_root(program):
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], np.int32([-4, 1, 1]))
    for sources in ([0, 1], [0, 1, 3]):
        for way in ({"search_only": True}, {"signed": True}):
            found = tree(program, "tree_int32", graph, sources, **way)
            assert found["predecessor"].tolist() == [-1, 0, 1, 2]


def test_a_cycle_of_weight_zero_leaves_it_to_the_search(program):
    """Also one through the source, which alone does not make a circle."""
    around = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 1], np.int32([5, -2, 1, 1]))
    through = Graph.from_edges([0, 1, 2], [1, 2, 0], np.int32([-3, 1, 2]))
    for seed in SEEDS:
        found = tree(program, "tree_int32", around, signed=True, seed=seed)
        assert found["predecessor"].tolist() == [-1, 0, 1, 2]
        found = tree(program, "tree_int32", through, signed=True, seed=seed)
        assert found["predecessor"].tolist() == [-1, 0, 1]
        assert found["searched"][0] == 0


@pytest.mark.parametrize("case", ["kept_int32", "kept_float64"])
def test_predecessors_that_offer_too_much_are_dropped(program, case):
    rng = np.random.default_rng(5)
    weights, offset = ((np.int32, np.uint32), (np.float64, np.uint64))[case == "kept_float64"]
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
        for packed in (0, 1):
            found = program.run(
                case, seed=seed, blocks=1 + seed, packed=packed,
                row_offsets=graph.row_offsets.astype(offset),
                column_indices=graph.column_indices.astype(np.uint32), weights=graph.weights,
                distance=distance, predecessor=predecessor,
            )  # fmt: skip
            assert np.array_equal(found["kept"], expected)


# ---- the sweep ---------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["visits", "visits_wide"])
@pytest.mark.parametrize(
    "degrees",
    [
        [5], [0, 0, 7], [7, 0, 0], [1] * 300, [0] * 40 + [1] + [0] * 40 + [2], [3, 9000, 0, 5],
        [8] * 32, [8] * 33, [0, 1] * 100, np.random.default_rng(1).integers(0, 3, 1000),
        (np.random.default_rng(2).pareto(1.0, 2000) * 5).astype(int),
    ],
    ids=str,
)  # fmt: skip
def test_a_sweep_visits_each_arc_once(program, degrees, case):
    offsets = np.r_[0, np.cumsum(degrees)].astype(np.uint64 if "wide" in case else np.uint32)
    for seed, blocks in ((0, 1), (1, 3)):
        found = program.run(case, seed=seed, blocks=blocks, row_offsets=offsets)
        assert (found["visits"] == 1).all()
        assert np.array_equal(found["owner"], np.repeat(np.arange(len(degrees)), degrees))


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


def on_a_cycle(program, predecessor, seed):
    found = program.run(
        "parent_cycle", predecessor=predecessor.astype(np.int32), seed=seed, blocks=1 + seed % 3
    )
    return int(found["on_a_cycle"][0]) - 1, found["pointer"]


@pytest.mark.parametrize("n", [1, 2, 33, 500])
def test_a_forest_has_no_cycle(program, n):
    for seed in range(6):
        assert on_a_cycle(program, forest(np.random.default_rng(seed), n)[0], seed)[0] == -1
        assert on_a_cycle(program, np.arange(-1, n - 1), seed)[0] == -1  # a path


@pytest.mark.parametrize("ring", [[0], [5, 9], [1, 2, 3, 40, 499], list(range(100, 400))], ids=len)
def test_a_cycle_is_found(program, ring):
    for seed in range(6):
        parent, (members,) = forest(np.random.default_rng(seed), 500, [ring])
        found, pointer = on_a_cycle(program, parent, seed)
        assert found in members
        assert set(pointer[pointer >= 0].tolist()) <= members  # all who come there, nobody else
        assert all(pointer[v] >= 0 for v in members)


def test_a_cycle_of_all_vertices(program):
    for seed in range(6):
        assert on_a_cycle(program, np.roll(np.arange(257), 1), seed)[0] >= 0
    assert on_a_cycle(program, np.zeros(1), 0)[0] == 0


def test_each_of_several_cycles_is_pointed_at(program):
    for seed in range(6):
        rings = [[0], [7, 30, 200], [8, 9]]
        parent, members = forest(np.random.default_rng(seed), 300, rings)
        pointer = on_a_cycle(program, parent, seed)[1]
        found = set(pointer[pointer >= 0].tolist())
        assert all(found & ring for ring in members)


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "distances as an order": ("tree.cuh", "ordered ? from < to", "ordered ? from <= to"),
    "an offer that is not asked for": (
        "parent_cycle.cuh",
        "<= to) kept",
        "<= to || true) kept",
    ),
    "a claim that does not ask": (
        "operators/visit_tight.cuh",
        "return reached.insert(v, leads_to(v, offer, wanted));",
        "return reached.insert(v, wanted);",
    ),
    "empty rows": (
        "sweep.cuh",
        "const unsigned lane = select_bit(filled, lane_id());",
        "const unsigned lane = lane_id();",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_tree_is_found(emulator, tmp_path, name):
    header, old, new = MUTANTS[name]
    source, cases = HERE / "test_tree.cpp", ("tree_int32", "kept_int32")
    mutant = emulator.faulty(tmp_path, source, KERNELS / header, old, new, case=cases)

    def run_all():
        zero = GRAPHS["grid"]()
        zero = zero.with_weights(np.zeros(zero.num_arcs, np.int32))
        sparse = positive(wp.generate.rmat(9, 2, directed=True))
        for seed in range(4):
            tree(mutant, "tree_int32", zero, seed=seed)
            found = tree(mutant, "tree_int32", sparse, [int(sparse.degree.argmax())], seed=seed)
            assert found["searched"][0] == 0
            tree(mutant, "tree_int32", sparse, [5], seed=seed, search_only=True, narrow_items=99)
        test_predecessors_that_offer_too_much_are_dropped(mutant, "kept_int32")

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()


def test_a_missing_barrier_is_found(emulator, tmp_path):
    header, barrier = KERNELS / "parent_cycle.cuh", "grid.sync([] {});  // all pointers are there"
    source = HERE / "test_tree.cpp"
    mutant = emulator.faulty(tmp_path, source, header, barrier, "", case="parent_cycle")

    def run_all():
        for seed in range(24):
            parent, (members,) = forest(np.random.default_rng(seed), 500, [[3, 77, 200]])
            assert on_a_cycle(mutant, parent, seed)[0] in members
            assert on_a_cycle(mutant, np.arange(-1, 499), seed)[0] == -1

    with pytest.raises((AssertionError, emulator.Error)):
        run_all()


def test_the_oracle_is_independent():
    """The distances that the trees are checked with are SciPy's too."""
    graph = positive(GRAPHS["grid"](), np.float64)
    ours = wp.sssp(graph, 0, device="cpu").distance
    assert np.array_equal(ours, distances(graph, 0, np.float64))


# -- other algebras than sums ----------------------------------------------------------------

BY_ALGEBRA = {  # of test_tree.cpp: (weights, distances, offsets)
    "minimax_int32": (np.int32, np.int32, np.uint32),
    "widest_int64": (np.int32, np.int64, np.uint32),
    "widest_float32": (np.float32, np.float32, np.uint32),
    "most_reliable_float64": (np.float64, np.float64, np.uint64),
}


@pytest.mark.parametrize("case", BY_ALGEBRA)
@pytest.mark.parametrize("name", [*GRAPHS][2:])
def test_trees_of_the_best_paths(program, name, case):
    """Most arcs leave a value as it is, so circles of tight arcs are everywhere."""
    weights, dtype, offset = BY_ALGEBRA[case]
    algebra = ALGEBRAS[case.rpartition("_")[0].replace("_", "-")]
    graph = positive(GRAPHS[name](), weights)
    if algebra.multiplies:
        graph = probabilities(graph)
    else:
        graph = graph.with_weights(graph.weights - np.median(graph.weights).astype(weights))
    for seed, sources in ((0, [0]), (1, [0]), (2, [0, 3, 200])):
        distance = best_paths(graph, sources, algebra.name, dtype)
        found = program.run(
            case, seed=seed, blocks=2, cluster=1, narrow_items=seed * 100,
            pull=int(not graph.directed), search_only=0, signed=0,
            row_offsets=graph.row_offsets.astype(offset),
            column_indices=graph.column_indices.astype(np.uint32), weights=graph.weights,
            distance=np.where(
                distance == algebra.none(dtype), unreachable(np.dtype(dtype)), algebra.keys(distance)
            ).astype(dtype),
            sources=np.array(sources, np.uint32),
        )  # fmt: skip
        verify.sssp(graph, sources, distance, found["predecessor"], algebra=algebra.name)
