"""A program's arrays, which Python chooses by the algorithm's name, and the flags of its struct."""

import pytest

from emulated_runtime import EmulatedRuntime
from struct_layouts import values
from warpath.cuda import program_memory
from warpath.cuda.instances import _algorithm
from warpath.cuda.program_memory import ALGORITHMS, CHANGES, ProgramMemory, memory_of
from warpath.cuda.runtime import use

PROGRAMS = (  # headers, arguments of templates, and names
    (
        "algorithms/sssp.cuh",
        ("int", "int", True),
        (
            "NearFarRelaxing", "NearFarListRelaxing", "BucketsRelaxing", "DijkstraRelaxing", "QueuelessRelaxing",
            "PackedRelaxing", "DuplicatesRelaxing", "Compacted DuplicatesRelaxing", "ThroughBitmap Relaxing",
            "Scattered ThroughEdgeQueue ClassifiedRelaxing PackedRelaxing",
        ),
    ),
    (
        "algorithms/sssp.cuh",
        ("int", "int", False),
        ("NearFarTreeRelaxing", "PrefilteredRelaxing LimitedRelaxing NearFarRelaxing"),
    ),
    (
        "algorithms/bfs_levels.cuh",
        (True,),
        (
            "LevelsWithStatusBits", "LevelsPacked", "LevelsWithDuplicates", "ThroughBitmap Levels",
            "SweptLevels:VisitSwept", "SweptLevels:VisitGathered",
            "SingleBlock Filtered:HashTable LevelsWithDuplicates", "Compacted LevelsWithDuplicates",
            "ThroughEdgeQueue LevelsWithStatusBits", "ContractExpand LevelsWithStatusBits",
            "HybridQueue LevelsPacked",
        ),
    ),
    ("algorithms/components.cuh", (True, False), ("Components",)),
    ("algorithms/cores.cuh", (), ("SmallFrontiers Peeling",)),
    ("tree.cuh", ("int", "int"), ("TightSearch",)),
)  # fmt: skip
FLAGS = (
    "has_queue", "has_one_queue", "lists_bits", "has_bits", "has_prefilter", "has_list", "has_buckets", "compacts",
    "contracts", "relaxes",
)  # fmt: skip
OF_USERS = {
    "EdgeOperator",
    "SweptEdgeOperator",
}  # whose structs are of a header that is written for each


def test_memory_goes_with_the_flags_of_structs(compiler):
    cases = [
        (header, name, _algorithm(name, *of)) for header, of, names in PROGRAMS for name in names
    ]
    asked = [(header, f"{cpp}::{flag}") for header, _, cpp in cases for flag in FLAGS]
    found = iter(values(compiler, asked))
    for _, name, _ in cases:
        has = {flag: bool(next(found)) for flag in FLAGS}
        memory = memory_of(name)
        one = has["has_one_queue"] or has["lists_bits"] or not has["has_queue"]
        assert memory.queues == 2 - one, name
        flags = memory.bits, memory.prefilter, memory.far_lists, memory.lookup_table, memory.offers
        those = ("has_bits", "has_prefilter", "has_list", "compacts", "relaxes")
        assert flags == tuple(has[flag] for flag in those), name
        assert memory.edge_queues == 1 + has["contracts"], name
        assert not has["has_buckets"] or has["has_list"]
    tested = {part.partition(":")[0] for _, name, _ in cases for part in name.split()}
    assert {*ALGORITHMS, *CHANGES} - {"Levels", "Relaxing"} - OF_USERS <= tested


@pytest.mark.parametrize(
    ("memory", "words"),
    [
        (ProgramMemory(), {"second_queue": 1300, "second_prefix": 1300}),
        (ProgramMemory(queues=1, stamps=2), {"stamp": 2000}),
        (ProgramMemory(queues=1, packed=True, offers=True), {"stamp": 2000, "offers": 1400}),
        (ProgramMemory(queues=1, bits=True, prefilter=True), {"far": 32, "prefilter": 32}),
        (
            ProgramMemory(queues=1, far_lists=True),
            {"piles": 2000 + program_memory._BUCKET_COUNTERS},
        ),
        (
            ProgramMemory(queues=1, lookup_table=True, edge_queues=2),
            {"piles": 1000, "targets": 1400, "sources": 1400},
        ),
        (ProgramMemory(queues=1, words=True), {"words": 2000}),
    ],
)
def test_only_what_is_used_takes_memory(memory, words):
    with use(EmulatedRuntime(None)):
        layout = program_memory.layout_of(memory, 1000, 1300, 700, 4, 4, True)
    found = {
        array: nbytes // 4 for array, (_, nbytes) in zip(layout.begin, layout._parts, strict=True)
    }
    always = {"queue": 1300, "prefix": 1300, "targets": 700, "sources": 700}
    assert {array: length for array, length in found.items() if length} == always | words


def test_an_unknown_algorithm_says_what_it_keeps():
    with pytest.raises(ValueError, match="nothing says what 'WidestRelaxing' keeps in memory"):
        memory_of("Compacted WidestRelaxing")
    own = ProgramMemory(stamps=1)
    assert memory_of("ThroughBitmap Widest", own) == ProgramMemory(queues=1, stamps=1, bits=True)
