"""Single-source shortest paths by the CUDA kernels: each method, balance, dtype and mode."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from emulated_sssp import (
    DTYPES,
    GRAPHS,
    SWEEP,
    TRACE,
    dense,
    in_dtype,
    run,
    search,
)  # fmt: skip
from multigraphs import NAMES
from oracles import unreachable
from warpath import Graph, VerificationError
from warpath.balance import TECHNIQUES
from warpath.cuda.compile import KERNELS
from warpath.generate import negative_weights

HERE = Path(__file__).resolve().parent
BLOCK, GRID = 0, 2  # of trace.cuh's Mode
BALANCES = {name.replace("-", "_"): technique() for name, technique in TECHNIQUES.items()}


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(HERE / "test_sssp.cpp")


@pytest.fixture(scope="module")
def balanced(emulator, tmp_path_factory):
    """A program that has a case for each technique, with its default knobs."""
    source = tmp_path_factory.mktemp("balances") / "test_sssp_balances.cpp"
    cases = [
        f"EMULATOR_TEST({name}) {{ search<unsigned, NearFarRelaxing<int, int, false>, {technique.kernel}>(in, out); }}"
        for name, technique in BALANCES.items()
    ]
    source.write_text("\n".join(['#include "sssp_case.h"', *cases, ""]))
    return emulator.build(source, include=[HERE])


@pytest.mark.parametrize("delta", [SWEEP, 1, 7], ids=["sweep", "1", "7"])
@pytest.mark.parametrize("balance", BALANCES)
@pytest.mark.parametrize("name", GRAPHS)
def test_distances(balanced, name, balance, delta):
    for seed in (0, 1, 2):
        found = search(balanced, balance, GRAPHS[name], [0], delta, seed=seed)
        for code in found["trace_balance"].tolist():
            assert [*TECHNIQUES][code - 1] in BALANCES[balance].taken


@pytest.mark.parametrize("delta", [SWEEP, 2], ids=["sweep", "2"])
@pytest.mark.parametrize("dtype", DTYPES)
def test_dtypes(program, dtype, delta):
    type_ = DTYPES[dtype]
    case = "two_phase_search" if dtype == "int32" else dtype
    for seed, name in enumerate(NAMES):
        graph = in_dtype(GRAPHS[name], type_)
        width = delta and (delta * 0.1 if "float" in dtype else delta)
        search(program, case, graph, [0], width, seed=seed, dtype=type_)


@pytest.mark.parametrize("delta", [1, 4, 50, SWEEP], ids=str)
@pytest.mark.parametrize("case", ["list", "list_float64"])
def test_a_far_pile_as_a_list(program, case, delta):
    type_ = DTYPES[case.partition("_")[2] or "int32"]
    for seed, name in product((0, 1, 2), NAMES):
        graph = in_dtype(GRAPHS[name], type_)
        width = delta and (delta * 0.1 if "float" in case else delta)
        search(program, case, graph, [0], width, seed=seed, dtype=type_)
    for seed in range(3):
        graph = in_dtype(dense(), type_)
        search(
            program, case, graph, [1], delta and delta * 10, seed=seed, dtype=type_, blocks=3,
            iterations=1,
        )  # fmt: skip


@pytest.mark.parametrize("case", ["packed", "packed_float32", "queueless", "queueless_float64"])
def test_methods_without_a_far_pile(program, case):
    type_ = DTYPES[case.partition("_")[2] or "int32"]
    for seed, name in product((0, 1, 2), NAMES):
        search(program, case, in_dtype(GRAPHS[name], type_), [0], seed=seed, dtype=type_)
    for seed, name in product(range(3), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        graph = graph.with_weights(graph.weights.astype(type_))
        found = search(program, case, graph, [0, 5], seed=seed, dtype=type_)
        assert found["distance"].min() < 0
        if "queueless" in case:
            assert set(found["trace_arcs"].tolist()) == {graph.num_arcs}
    for seed in range(3):
        found = search(
            program,
            case,
            in_dtype(dense(), type_),
            [1],
            seed=seed,
            dtype=type_,
            blocks=3,
            iterations=2,
        )
        assert found["trace_vertices"].max() <= 40


@pytest.mark.parametrize("delta", [SWEEP, 5], ids=["sweep", "5"])
def test_int32_weights_and_int64_distances(program, delta):
    graph = GRAPHS["path"]
    far = graph.with_weights(graph.weights * np.int32(2**27))
    for seed in range(3):
        found = search(
            program, "int32_to_int64", far, [0], delta and delta * 2**27, seed=seed, dtype=np.int64
        )
        assert found["distance"][found["distance"] < np.iinfo(np.int64).max].max() > 2**31


@pytest.mark.parametrize("dtype", DTYPES)
def test_negative_weights(program, dtype):
    case = "two_phase_search" if dtype == "int32" else dtype
    for seed, name in product(range(4), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        weights = graph.weights.astype(DTYPES[dtype])
        if "float" in dtype:
            weights *= DTYPES[dtype](0.25)  # exact: rounded sums could make a negative cycle
        graph = graph.with_weights(weights)
        found = search(program, case, graph, [0], seed=seed, dtype=DTYPES[dtype])
        assert found["distance"].min() < 0


@pytest.mark.parametrize("delta", [SWEEP, 1, 7], ids=["sweep", "1", "7"])
@pytest.mark.parametrize("blocks", [1, 2, 4])
@pytest.mark.parametrize("name", GRAPHS)
def test_blocks_adrift(program, name, blocks, delta):
    for seed in (0, 1, 2, 3):
        case = ("drift", "drift_merge_path")[seed % 2]
        found = search(program, case, GRAPHS[name], [0], delta, seed=seed, blocks=blocks)
        if name == "path":
            assert set(found["trace_mode"].tolist()) == {BLOCK}


def test_buckets_grow_where_frontiers_stay_narrow(program):
    for seed, name in enumerate(("path", "random", "components")):
        levels = [
            len(search(program, "drift", GRAPHS[name], [0], 1, seed=seed, wider=by)["trace_mode"])
            for by in (1, 50)
        ]
        assert levels[1] <= levels[0]
        if name == "path":
            assert levels[1] < levels[0] / 2


def test_blocks_adrift_with_every_kind_of_distance(program):
    for seed, name in product((0, 5), NAMES):
        graph = GRAPHS[name]
        search(
            program, "drift_wide", graph, [0], 3, seed=seed, blocks=4, dtype=np.int64,
            offset=np.uint64,
        )  # fmt: skip
        floats = in_dtype(graph, np.float64)
        search(program, "drift_float64", floats, [0], 0.4, seed=seed, blocks=4, dtype=np.float64)


def test_a_drift_is_one_iteration(program):
    for seed, name in enumerate(("path", "components", "random, directed", "star")):
        for delta in (SWEEP, 3):
            found = search(program, "drift", GRAPHS[name], [0], delta, seed=seed, iterations=1)
            assert found["launches"][0] == max(1, found["level"][0])


@pytest.mark.parametrize("blocks", [1, 3])
def test_what_has_no_room_in_a_block_is_left_to_the_grid(program, blocks):
    """A vertex of many arcs, whose ends each have some."""
    many = 1000
    leaves = np.arange(1, many + 1)
    source = np.r_[np.zeros(many, int), leaves, leaves]
    target = np.r_[leaves, leaves % many + 1, np.full(many, many + 1)]
    weights = (np.arange(len(source)) % 7).astype(np.int32)
    graph = Graph.from_edges(source, target, weights, n=many + 2, directed=True)
    for seed in range(3):
        for delta in (SWEEP, 4):
            found = search(program, "drift", graph, [0], delta, seed=seed, blocks=blocks)
            assert {BLOCK, GRID} == set(found["trace_mode"].tolist())


@pytest.mark.parametrize("blocks", [1, 3])
def test_negative_weights_adrift(program, blocks):
    for seed, name in product(range(4), ("parallel edges", "random, directed")):
        graph = negative_weights(GRAPHS[name], seed)
        found = search(program, "drift_parents", graph, [0], seed=seed, blocks=blocks, iterations=2)
        assert found["distance"].min() < 0
        assert BLOCK in found["trace_mode"]


@pytest.mark.parametrize("case", ["parents", "drift_parents"])
def test_a_negative_cycle_never_ends_and_shows_in_the_parents(program, case):
    edges = [(0, 1, 2), (1, 2, -3), (2, 3, 1), (3, 1, 1), (3, 4, 5)]
    source, target, weight = np.array(edges, np.int32).T
    graph = Graph.from_edges(source, target, weight, n=6, directed=True)
    for seed in range(4):
        found = run(program, case, graph, [0], seed=seed, iterations=20, launches=1)
        assert found["size"][0] > 0
        assert found["level"][0] == 20
        parents = found["parents"]
        assert [parents[1], parents[2], parents[3]] == [3, 1, 2]


def test_parents_are_candidates(program):
    for seed, name in product(range(3), ("random", "components")):
        graph = GRAPHS[name]
        found = search(program, "parents", graph, [0], 4, seed=seed)
        reached = found["distance"] != unreachable(np.dtype(np.int32))
        assert (found["parents"][~reached] == -1).all()
        source, target, _ = graph.coo()
        arcs = set(zip(source.tolist(), target.tolist(), strict=True))
        for v in np.flatnonzero(reached)[1:]:
            assert (found["parents"][v], v) in arcs
        assert found["parents"][0] == -1


@pytest.mark.parametrize("delta", [SWEEP, 3], ids=["sweep", "3"])
@pytest.mark.parametrize("balance", BALANCES)
def test_one_launch_an_iteration(balanced, balance, delta):
    for name in ("components", "random, directed"):
        found = search(balanced, balance, GRAPHS[name], [0], delta, seed=3, iterations=1)
        assert found["launches"][0] == max(1, found["level"][0])


@pytest.mark.parametrize("delta", [SWEEP, 6], ids=["sweep", "6"])
def test_offsets_of_64_bits(program, delta):
    for seed, name in enumerate(("hub", "components", "random, directed")):
        search(program, "wide_offsets", GRAPHS[name], [0], delta, seed=seed, offset=np.uint64)


@pytest.mark.parametrize("delta", [SWEEP, 4], ids=["sweep", "4"])
def test_several_sources(program, delta):
    for seed, name in enumerate(("components", "random", "path")):
        sources = [1, 7, 7, 60, 2, *range(50, 69)]
        search(program, "two_phase_search", GRAPHS[name], sources, delta, seed=seed)
    search(program, "two_phase_search", GRAPHS["hub"], range(1, 1900), delta, seed=1)


def test_a_source_without_arcs(program):
    found = search(program, "two_phase_search", GRAPHS["random"], [330], 4)
    assert found["level"][0] == 0


@pytest.mark.parametrize("limit", [0, 1, 9, 30])
def test_a_cutoff_or_a_target_ends_the_search(program, limit):
    for seed, name in enumerate(("path", "random, directed", "random")):
        graph = GRAPHS[name]
        whole = search(program, "two_phase_search", graph, [2], 2, seed=seed)
        expected = whole["distance"]
        target = int(np.argmin(np.abs(expected.astype(np.int64) - limit)))
        for options in ({"cutoff": limit}, {"target": target}):
            found = run(program, "two_phase_search", graph, [2], 2, seed=seed, **options)
            until = limit if "cutoff" in options else expected[target]
            known = expected <= until
            assert np.array_equal(found["distance"][known], expected[known])
            assert (found["distance"][~known] > until).all()
            assert found["size"][0] == 0
            assert found["level"][0] <= whole["level"][0]
        if expected[expected < unreachable(np.dtype(np.int32))].max() > limit + 10:
            assert found["level"][0] < whole["level"][0]


def test_a_gap_between_distances_costs_two_splits(program):
    """A weight of a million where Δ is 1."""
    graph = Graph.from_edges(
        [0, 1, 2], [1, 2, 3], np.array([1, 10**6, 1], np.int32), n=4, directed=True
    )
    found = search(program, "two_phase_search", graph, [0], 1)
    assert found["level"][0] == 3  # the last vertex has no arcs
    # One for each of the last three vertices, and one that finds the gap.
    assert found["splits"][0] == 4


@pytest.mark.parametrize("case", ["two_phase_search", "list"])
def test_nothing_is_split_where_nothing_is_far(program, case):
    for seed, name in enumerate(NAMES):
        wide = search(program, case, GRAPHS[name], [0], 10**6, seed=seed)
        assert wide["splits"][0] == 0
        by_launch = search(program, case, GRAPHS[name], [0], 10**6, seed=seed, iterations=1)
        assert by_launch["splits"][0] == 0
    assert search(program, case, GRAPHS["random"], [0], 3)["splits"][0] > 0


@pytest.mark.parametrize("delta", [SWEEP, 1.0, 1e-30], ids=["sweep", "1", "tiny"])
def test_deltas_that_floats_swallow(program, delta):
    """Δ below the distance between neighbouring floats."""
    weights = np.array([1e8, 1, 3e8, 0.25], np.float32)
    graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 4], weights, n=6)
    search(program, "float32", graph, [0], delta, dtype=np.float32)


@pytest.mark.parametrize("delta", [SWEEP, 2**30], ids=["sweep", "huge"])
def test_sums_stop_at_the_largest_integer(program, delta):
    most = 2**31 - 1
    weights = np.array([most - 1, 1, most, 5], np.int32)
    graph = Graph.from_edges([0, 1, 2, 0], [1, 2, 3, 3], weights, n=5, directed=True)
    found = run(program, "two_phase_search", graph, [0], delta)
    assert found["distance"].tolist() == [0, most - 1, most, 5, most]
    weights = np.array([-most, -most, 0], np.int32)
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], weights, n=5, directed=True)
    found = run(program, "two_phase_search", graph, [0])
    assert found["distance"].tolist() == [0, -most, -most - 1, -most - 1, most]


def test_rows_beyond_the_last_are_added_up(program):
    graph = GRAPHS["path"].with_weights(np.ones(138, np.int32))
    found = search(program, "two_phase_search", graph, [0], rows=10)
    rows = found["trace"].reshape(-1, len(TRACE))
    assert rows[:, 0].tolist() == [1] * 9 + [61]


def test_no_vertex_is_twice_in_a_queue(program):
    graph = dense()
    for seed in range(6):
        found = search(program, "two_phase_search", graph, [0], seed=seed, blocks=3)
        assert found["trace_vertices"].max() <= graph.num_vertices


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "a minimum that is not atomic": (
        "operators/relax.cuh",
        "return fetch_min_if(distance + v, offer, wanted);",
        "const auto old = distance[v]; if (wanted && offer < old) distance[v] = offer; return wanted ? old : offer;",
    ),
    "offers that are too large": (
        "operators/relax.cuh",
        "return extend<Distance>(from, read_only_if(weights + arc, wanted));",
        "return extend<Distance>(from + 1, read_only_if(weights + arc, wanted));",
    ),
    "stamps of the queue before": (
        "frontier/near_far.cuh",
        "unsigned before) const { return before != queue; }",
        "unsigned before) const { return before + 1 < queue; }",
    ),
    "a far vertex that is forgotten": (
        "frontier/near_far.cuh",
        "d[j] >= before && d[j] < threshold",
        "d[j] > before && d[j] < threshold",
    ),
    "blocks that do not say that a vertex is far": (
        "relaxation.cuh",
        "if (shared.any) tell<Method>(control, p, next);",
        "if (false) tell<Method>(control, p, next);",
    ),
    "a far vertex that a block adrift keeps for itself": (
        "frontier/drift.cuh",
        "wide.far.mark(v, wanted && !near);",
        "wide.far.mark(v, wanted && !near && v % 2 == 0);",
    ),
    "the barrier between rounds": (
        "narrow.cuh",
        "if constexpr (lone) __syncthreads();\n        else cluster_sync_shared();",
        "if constexpr (!lone) cluster_sync_shared();",
    ),
    "the barrier after an iteration": (
        "core/grid_barrier.cuh",
        "while (static_cast<int>(now - target) < 0)",
        "while (false)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    header, old, new = MUTANTS[name]
    source = HERE / "test_sssp_faults.cpp"
    mutant = emulator.faulty(tmp_path, source, KERNELS / header, old, new)

    def run_all():
        for seed, graph in product(range(24), (dense(), GRAPHS["random"])):
            for delta in (SWEEP, int(graph.weights.max()) // 5):
                search(mutant, "two_phase_search", graph, [0], delta, seed=seed, blocks=3)
                search(mutant, "drift", graph, [0], delta, seed=seed, blocks=4)

    with pytest.raises((AssertionError, VerificationError, emulator.Error)):
        run_all()
