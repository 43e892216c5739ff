"""The conformance suite of balances: what balance.cuh and queue.cuh promise.

All of this runs on each technique of `TECHNIQUES`; ``-k NAME`` chooses one.
"""

from dataclasses import fields
from functools import cached_property
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from balance_inputs import balance_inputs
from exhaustive import few, pairwise, slow
from planted import Fault
from warpath.balance import TECHNIQUES, lookup

SOURCE = Path(__file__).with_suffix(".cpp")
VARIANTS = [variant for technique in TECHNIQUES.values() for variant in technique.variants()]
SHAPES = ((1, 96), (3, 32), (2, 128))  # (blocks, threads), and the seeds of their schedules


def case(technique):
    """The technique's name in the test program."""
    knobs = [f"{field.name}_{getattr(technique, field.name)}" for field in fields(technique)]
    return "_".join((technique.name, *knobs)).replace("-", "_")


KINDS = {  # of a case: the offsets' type, and whether the body asks for owners
    "": ("unsigned", "true"),
    "_without_owners": ("unsigned", "false"),
    "_wide": ("unsigned long long", "true"),
}


def build(emulator, folder, techniques, kinds=tuple(KINDS), include=()):
    """The test program, with these cases."""
    cases = [
        f"VISITS({case(each)}{kind}, {', '.join(KINDS[kind])}, warpath::{each.kernel})"
        for each in dict.fromkeys(techniques)
        for kind in kinds
    ]
    copy = folder / SOURCE.name
    copy.write_text("\n".join([SOURCE.read_text(), *cases, ""]))
    return emulator.build(copy, include=include)


class Programs:
    """The test program in two: what runs by default is built much sooner than all of it."""

    def __init__(self, emulator, folder):
        self.emulator, self.folder, self.often = emulator, folder, set(map(case, SOME))

    @cached_property
    def some(self):
        return build(self.emulator, self.folder, SOME, ("", "_without_owners"))

    @cached_property
    def whole(self):
        return build(self.emulator, self.folder, VARIANTS)

    def run(self, test, **inputs):
        often = test.removesuffix("_without_owners") in self.often
        return (self.some if often else self.whole).run(test, **inputs)


@pytest.fixture(scope="module")
def program(emulator, tmp_path_factory):
    return Programs(emulator, tmp_path_factory.mktemp("some"))


def degrees_of(name):
    rng = np.random.default_rng(1)
    return {
        "empty frontier": [0] * 40,
        "one arc": [1],
        "a path": [1] * 600,
        "a hub of 5,000": [3, 1, 5000, 2, 0, 1],
        "hubs at both ends": [700, *[1] * 40, 900],
        "empty segments": rng.integers(0, 3, 200),
        "32 segments": [8] * 32,
        "33 segments": [8] * 33,
        "the items of one tile": [256],
        "one item more": [256, 1],
        "a tile a warp": [32] * 12 * 3,
        "a power law": (rng.pareto(1.0, 250) * 3).astype(int),
    }[name]


FRONTIERS = (
    "empty frontier", "one arc", "a path", "a hub of 5,000", "hubs at both ends", "empty segments",
    "32 segments", "33 segments", "the items of one tile", "one item more", "a tile a warp",
    "a power law",
)  # fmt: skip
# Those that by default find the planted faults below, and what has no arcs, or one more than fits.
OFTEN = {
    "empty frontier", "a path", "a hub of 5,000", "empty segments", "33 segments", "one item more",
    "a power law",
}  # fmt: skip
# By default each technique, and what the faults below are planted into; of other tests, what they ask for.
SOME = [lookup(name) for name in TECHNIQUES]
SOME += [
    lookup(name)
    for name in (
        "auto:degrees=regular", "block-search:chunk=1", "block-search:slots=contiguous",
        "cta-warp-scan:cta=128", "cta-warp-scan:cta=128,warp=16,gather=contest",
        "dynamic-virtual-warp:edge_discover=1", "hierarchical:MDT=4,switch=0",
        "merge-path:coupling=balanced-gathering", "merge-path:coupling=balanced-redistribution",
        "merge-path:coupling=global", "node-splitting:MDT=16", "two-phase-search:K=2",
        "two-phase-search:partition=array", "two-phase-search:shares=8",
        "virtual-warp:defer_outliers=64", "virtual-warp:dynamic_distribution=1",
    )
]  # fmt: skip
ROWS = list(product((one for one in FRONTIERS if one in OFTEN), VARIANTS, [0]))


def check(
    program, technique, name, *,
    kind="", seed=0, blocks=1, threads=96, offset=np.uint32, first_arc=0,
):  # fmt: skip
    """Visit a frontier of every second vertex, in an order of its own; assert what is promised."""
    degrees = np.zeros(2 * len(degrees_of(name)) + 1, int)
    degrees[::2][:-1] = degrees_of(name)
    row_offsets = (first_arc + np.r_[0, degrees.cumsum()]).astype(offset)
    frontier = np.random.default_rng(seed).permutation(len(degrees) // 2).astype(np.uint32) * 2
    found = program.run(
        case(technique) + kind, seed=seed, row_offsets=row_offsets, frontier=frontier,
        blocks=blocks, threads=threads, **balance_inputs(technique, row_offsets),
    )  # fmt: skip
    queue = found["vertices"]
    assert np.array_equal(np.sort(queue), np.flatnonzero(degrees))
    assert np.array_equal(found["prefix"], degrees[queue].cumsum() - degrees[queue])
    assert found["items"] == degrees.sum()
    assert (found["visits"] == 2).all()  # the harness asks twice
    if kind != "_without_owners":
        assert np.array_equal(found["owner"], np.repeat(np.arange(len(degrees)), degrees))
    return int(found["code"][0])


@pytest.mark.parametrize(
    ("name", "variant", "seed"),
    few(ROWS, product(FRONTIERS, SOME, [0]))
    + slow(pairwise(FRONTIERS, VARIANTS, range(len(SHAPES)), given=ROWS)),
    ids=str,
)
def test_each_arc_is_visited_once(program, name, variant, seed):
    blocks, threads = SHAPES[seed]
    code = check(program, variant, name, seed=seed, blocks=blocks, threads=threads)
    if degrees_of(name)[0] > 0:
        assert list(TECHNIQUES)[code - 1] in variant.taken


@pytest.mark.parametrize("variant", few(VARIANTS, SOME), ids=str)
def test_more_threads_than_arcs(program, variant):
    check(program, variant, "one arc", blocks=4, threads=128)


@pytest.mark.parametrize("variant", few(VARIANTS, SOME), ids=str)
@pytest.mark.parametrize("name", ["a hub of 5,000", "a power law"])
def test_owners_may_be_left_out(program, name, variant):
    check(program, variant, name, kind="_without_owners", seed=4, blocks=2)


@pytest.mark.slow
@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize(
    ("name", "first_arc"),
    [("a hub of 5,000", 2**32 - 1000), ("empty segments", 2**32 - 100), ("empty segments", 2**35)],
)
def test_offsets_of_64_bits(program, name, first_arc, variant):
    """Arcs around and beyond 2³², of which this graph has the last."""
    options = {"blocks": 2, "offset": np.uint64, "first_arc": first_arc}
    check(program, variant, name, kind="_wide", seed=5, **options)


@pytest.mark.parametrize("variant", few(VARIANTS, SOME), ids=str)
def test_offsets_just_below_32_bits(program, variant):
    check(program, variant, "a hub of 5,000", first_arc=2**32 - 6000)


@pytest.mark.parametrize(
    ("name", "regular", "skewed"),
    [
        ("a path", "thread-mapped", "merge-path"),
        ("33 segments", "virtual-warp", "two-phase-search"),
        ("a power law", "virtual-warp", "two-phase-search"),
    ],
)
def test_auto_takes_what_suits_the_frontier(program, name, regular, skewed):
    for degrees, expected in (("regular", regular), ("skewed", skewed)):
        code = check(program, lookup(f"auto:degrees={degrees}"), name)
        assert list(TECHNIQUES)[code - 1] == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a path", "dynamic-virtual-warp"), ("32 segments", "local-warp-search")]
)
def test_edges_are_discovered_where_lanes_would_have_many(program, name, expected):
    code = check(program, lookup("dynamic-virtual-warp:edge_discover=1"), name)
    assert list(TECHNIQUES)[code - 1] == expected


# ---- it can fail -------------------------------------------------------------------------------

MUTANTS = {
    "an item too few": (Fault("balance/two_phase_search.cuh", "min(stop, window.end)", "min(stop, window.end - 1)"), "two-phase-search:K=2"),
    "shares overlap": (Fault("balance/two_phase_search.cuh", "Count{frontier.items}, begin + share)", "Count{frontier.items}, begin + share + 1)"), "two-phase-search"),
    "a warp's second share": (Fault("balance/two_phase_search.cuh", "if constexpr (shares == 1) break;", "break;"), "two-phase-search:shares=8"),
    "owner of the next item": (Fault("balance/window.cuh", "(starts >> lane_id() & 1u)", "0u"), "local-warp-search"),
    "columns of the wrong lane": (Fault("core/virtual_warp.cuh", "first + lane();", "first;"), "virtual-warp"),
    "leaves a loop alone": (Fault("core/virtual_warp.cuh", "while (any_lane(next < end))", "while (next < end)"), "virtual-warp"),
    "an end too few": (Fault("balance/tile.cuh", "(by_steps ? j : 0) <= limit", "0 <= limit"), "merge-path:coupling=balanced-redistribution"),
    "a tile beyond its capacity": (Fault("balance/tile.cuh", "found == max_segments ? start[ends] : ", ""), "multi-phase-search"),
    "owners read too early": (Fault("balance/tile.cuh", "        __syncwarp();  // the owners are there\n", ""), "merge-path:coupling=balanced-gathering"),
    "a search that stops early": (Fault("balance/direct_search.cuh", "size > 1;", "size > 2;"), "direct-search"),
    "tickets that are not reset": (Fault("core/virtual_warp.cuh", "*tickets = 0;  // no virtual warp", ";  // no virtual warp"), "virtual-warp:dynamic_distribution=1"),
    "outliers that are not left out": (Fault("balance/virtual_warp.cuh", "if (is_outlier) row.end = row.begin;", ""), "virtual-warp:defer_outliers=64"),
    "a list that is not emptied": (Fault("core/worklist.cuh", "*counters = {0, 0, 0};", ";"), "hierarchical:MDT=4,switch=0"),
    "children that are not pushed": (Fault("balance/node_splitting.cuh", "lanes_where(my_nodes > 1)", "lanes_where(my_nodes > 2)"), "node-splitting:MDT=16"),
    "a list that no thread waits for": (Fault("balance/cta_warp_scan.cuh", "                __syncthreads();  // the list and the packed arcs are there\n", ""), "cta-warp-scan:cta=128"),
    "a row that the first lane has not noted": (Fault("balance/cta_warp_scan.cuh", "        __syncwarp();  // `whose` is there\n", ""), "cta-warp-scan:cta=128"),
    "a chunk that no thread waits for": (Fault("balance/block_search.cuh", "            __syncthreads();  // the chunk is there\n", ""), "block-search:chunk=1"),
    "draws that are not reset": (Fault("balance/chunks.cuh", "if (number == blocks + count - 1) *drawn = 0;", ""), "block-search:chunk=1"),
    "a search that stops too near": (Fault("balance/workload_decomposition.cuh", "reach = step;", "reach = 1;"), "workload-decomposition"),
    "arcs read before the winner has written them": (Fault("balance/cta_contest.cuh", "            __syncthreads();  // its arcs are there\n", ""), "cta-warp-scan:cta=128,warp=16,gather=contest"),
    "a partition array that no warp waits for": (Fault("balance/two_phase_search.cuh", "        GridBarrier(resources.grid).sync([] {});  // the partition array is there\n", ""), "two-phase-search:partition=array"),
    "a slot that stays in its first segment": (Fault("balance/block_search.cuh", "if (item < stop && j + 1 < size && item == start[j + 1]) ++j;", ""), "block-search:slots=contiguous"),
    "items read before they are located": (Fault("balance/merge_path.cuh", "            GridBarrier(resources.grid).sync([] {});  // all items are located\n", ""), "merge-path:coupling=global"),
    "staged vertices read too early": (Fault("frontier/queue.cuh", "    __device__ void finish() {\n        __syncwarp();", "    __device__ void finish() {\n"), "local-warp-search"),
}  # fmt: skip


def test_what_faults_are_planted_into_runs_by_default():
    assert {lookup(technique) for _, technique in MUTANTS.values()} <= set(SOME)


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    fault, technique = MUTANTS[name]
    include = [emulator.mutant(tmp_path, fault)]
    mutant = build(emulator, tmp_path, [lookup(technique)], include=include)
    with emulator.finding():
        for seed in range(24):
            for frontier in ("a path", "hubs at both ends", "a tile a warp"):
                check(mutant, lookup(technique), frontier, seed=seed, blocks=2, threads=64)
