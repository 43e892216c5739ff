"""Each kernel of shortest paths compiles, without a GPU, and keeps all in registers."""

from itertools import cycle

import pytest

from compiled import ARCHITECTURES, MOST_REGISTERS, ONE_BLOCK, TYPES, check_kernels
from exhaustive import pairwise
from warpath import balance
from warpath.cuda.instances import edge_class_kernel, sssp_kernel
from warpath.cuda.sssp import variant

ASYNC_REGISTERS = 80  # registers of 384 threads, of which two blocks are resident
OFFSET_BYTES = (4, 8)
SHORT = (TYPES[0], TYPES[3])
LONG = (TYPES[2], TYPES[4])
BYTES = {"int32": 4, "float32": 4, "int64": 8, "float64": 8}
TECHNIQUES = [technique() for technique in balance.TECHNIQUES.values()]
DEFAULT = balance.lookup(balance.DEFAULT)
REGULAR = balance.lookup("auto").fitted(4, 4, relaxes="workfront-sweep")
BOTH = (True, False)
TREE = variant("NearFarRelaxing", tree=True)
VARIANTS = {"prefiltered": True}, {"limited": True}, {"limited": True, "prefiltered": True}
METHODS = (
    "NearFarRelaxing", "PackedRelaxing", "QueuelessRelaxing",
    *(variant("NearFarRelaxing", **one) for one in VARIANTS), TREE, *(variant(TREE, **one) for one in VARIANTS),
    "NearFarListRelaxing", "BucketsRelaxing", "DijkstraRelaxing",
)  # fmt: skip


def is_built(method, size, types, parents):
    if method == "PackedRelaxing":
        return types in SHORT
    if TREE in method and types != ("int32", "int32"):
        return False
    # Those with a prefilter, a limit of paths, a tree or a list take no negative weights, so they write no parents.
    return not (parents and method in METHODS[3:])


def limit(method, size, types, _):
    """Registers of a thread."""
    one_block = {
        "QueuelessRelaxing": True,
        "NearFarListRelaxing": size > 4,
        "BucketsRelaxing": size > 4 or BYTES[types[1]] > 4,
        "DijkstraRelaxing": True,
    }
    return ONE_BLOCK if one_block.get(method) else MOST_REGISTERS


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_kind_of_instance_compiles_without_spills(arch):
    kinds = pairwise(METHODS, OFFSET_BYTES, TYPES, BOTH, allowed=is_built)
    for most in (MOST_REGISTERS, ONE_BLOCK):
        kernels = [
            sssp_kernel(size, method, *types, DEFAULT, parents, False, True)
            for method, size, types, parents in kinds
            if limit(method, size, types, parents) == most
        ]
        check_kernels(arch, "algorithms/sssp.cuh", kernels, most)
    asynchronous = [
        sssp_kernel(size, "NearFarRelaxing", *types, technique, parents, True, True)
        for technique, size, types, parents in pairwise(
            (DEFAULT, REGULAR), OFFSET_BYTES, TYPES, BOTH
        )
    ]
    check_kernels(arch, "algorithms/sssp.cuh", asynchronous, ASYNC_REGISTERS)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_optimization_compiles_without_spills(arch):
    """What h-bf may be: words of 128 bits, or stamps where the device has no atomics of them."""
    kernels, large = [], []
    for classified, scattered, base, size, types, parents in pairwise(
        ("ClassifiedRelaxing ", ""), ("Scattered ", ""), ("PackedRelaxing", "DuplicatesRelaxing"),
        OFFSET_BYTES, (*LONG, TYPES[0]), BOTH, allowed=lambda *row: row[3] == 4 or not row[5],
    ):  # fmt: skip
        if base == "PackedRelaxing" and types in LONG and arch == "sm_80":
            base = "NearFarRelaxing"
        method = f"{classified}{scattered}{base}"
        # Classes with the longest words take more registers.
        of_its_size = large if size == 8 and classified and types in LONG else kernels
        of_its_size.append(sssp_kernel(size, method, *types, DEFAULT, parents, False, True))
    check_kernels(arch, "algorithms/sssp.cuh", kernels)
    check_kernels(arch, "algorithms/sssp.cuh", large, ONE_BLOCK)
    check_kernels(arch, "algorithms/sssp_cache_modifiers.cuh", kernels[:2])


@pytest.mark.slow
def test_filtered_duplicates_compile_without_spills():
    """Each way, the types in turn."""
    kernels = [
        sssp_kernel(4, f"{way}DuplicatesRelaxing", *types, DEFAULT, False, False, True)
        for way, types in zip(
            (
                "Filtered:HashTable ",
                "Filtered:WarpCulling Scattered ",
                "Filtered:HashTable ClassifiedRelaxing ",
                "Compacted ",
                "ClassifiedRelaxing Compacted Scattered ",
            ),
            cycle((TYPES[2], TYPES[0])),
            strict=False,
        )
    ]
    kernels += [
        sssp_kernel(4, f"ThroughEdgeQueue {way}", *types, DEFAULT, parents, False, True)
        for way, types, parents in pairwise(
            ("PackedRelaxing", "Filtered:WarpCulling DuplicatesRelaxing"),
            (TYPES[4], TYPES[0]),
            BOTH,
        )
    ]
    kernels += [
        sssp_kernel(size, f"{way}ThroughBitmap Relaxing", *types, DEFAULT, parents, False, True)
        for way, size, types, parents in (
            ("", 4, TYPES[0], True),
            ("", 8, TYPES[4], True),
            ("ClassifiedRelaxing Scattered ", 4, TYPES[0], False),
        )
    ]
    check_kernels("sm_90", "algorithms/sssp.cuh", kernels)


@pytest.mark.parametrize("arch", ["sm_90", pytest.param("sm_80", marks=pytest.mark.slow)])
def test_marking_compiles_without_spills(arch):
    kernels = [
        edge_class_kernel(name, size, weight)
        for name in ("count_in_degrees", "classify_edges")
        for size, weight in ((4, "int32"), (8, "float64"))
    ]
    kernels += [
        edge_class_kernel("relax_deferred_edges", size, *types)
        for size, types in zip((4, 8), TYPES[1:3], strict=True)
    ]
    check_kernels(arch, "edge_classes.cuh", kernels)


@pytest.mark.slow
@pytest.mark.parametrize("technique", TECHNIQUES, ids=str)
def test_every_balance_compiles_without_spills(technique):
    for asynchronous, types, most in (
        (False, TYPES[2], MOST_REGISTERS),
        (True, TYPES[0], ASYNC_REGISTERS),
    ):
        kernel = sssp_kernel(4, "NearFarRelaxing", *types, technique, False, asynchronous, True)
        check_kernels("sm_90", "algorithms/sssp.cuh", [kernel], most)
