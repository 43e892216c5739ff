"""Each kernel of shortest paths compiles, without a GPU, and keeps all in registers."""

from itertools import product

import pytest

from compiled import ARCHITECTURES, check_kernels
from warpath import balance
from warpath.cuda.instances import edge_class_kernel, sssp_kernel

pytest.importorskip("cuda.core", reason="NVRTC compiles the kernels: pip install .[test]")

DRIFTING = 80  # registers of 384 threads, of which two blocks are resident
ONE_BLOCK = 128  # registers, where one block of 512 threads is enough
OFFSET_BYTES = (4, 8)
TYPES = (
    ("int32", "int32"), ("int32", "int64"), ("int64", "int64"),
    ("float32", "float32"), ("float64", "float64"),
)  # fmt: skip
SHORT = (TYPES[0], TYPES[3])
BYTES = {"int32": 4, "float32": 4, "int64": 8, "float64": 8}
TECHNIQUES = [technique() for technique in balance.TECHNIQUES.values()]
DEFAULT = balance.lookup(balance.DEFAULT)
ALIKE = balance.lookup("auto").fitted(4, 4, relaxes="workfront-sweep")
BOTH = (False, True)


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
def test_every_kind_of_instance_compiles_without_spills(arch):
    wide = [
        sssp_kernel(size, method, *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
        for method in ("NearFarRelaxing", "NearFarListRelaxing")
        # Which takes no negative weights, and with long offsets more registers.
        if not (method == "NearFarListRelaxing" and (parents or size > 4))
    ]
    wide += [
        sssp_kernel(size, "PackedRelaxing", *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, SHORT, BOTH)
    ]
    check_kernels(arch, "algorithms/sssp.cuh", wide)
    drifting = [
        sssp_kernel(size, "NearFarRelaxing", *types, technique, parents, True, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
        for technique in ((DEFAULT, ALIKE) if parents else (DEFAULT,))
    ]
    check_kernels(arch, "algorithms/sssp.cuh", drifting, DRIFTING)
    queueless = [
        sssp_kernel(size, "QueuelessRelaxing", *types, DEFAULT, parents, False, True)
        for size, types, parents in product(OFFSET_BYTES, TYPES, BOTH)
    ]
    lists = [
        sssp_kernel(size, method, *types, DEFAULT, False, False, True)
        for size, types in product(OFFSET_BYTES, TYPES)
        for method in ("NearFarListRelaxing", "BucketsRelaxing", "DijkstraRelaxing")
        if size > 4 or (method == "BucketsRelaxing" and BYTES[types[1]] > 4)
    ]
    check_kernels(arch, "algorithms/sssp.cuh", queueless + lists, ONE_BLOCK)


def put_together(arch, distance):
    """What h-bf may be: words of 128 bits, or stamps where the device has no atomics of them."""
    removing = "NearFarRelaxing" if arch == "sm_80" and BYTES[distance] == 8 else "PackedRelaxing"
    for *changes, base in product(
        ("", "ClassifiedRelaxing "), ("", "Scattered "), (removing, "DuplicatesRelaxing")
    ):
        yield "".join(changes) + base


@pytest.mark.slow
@pytest.mark.parametrize("arch", ARCHITECTURES)
@pytest.mark.parametrize("size", OFFSET_BYTES)
def test_every_optimization_compiles_without_spills(arch, size):
    kernels = [
        sssp_kernel(size, method, *types, DEFAULT, parents, False, True)
        for types, parents in product((TYPES[0], TYPES[2], TYPES[4]), BOTH)
        for method in put_together(arch, types[1])
        if size == 4 or not parents
    ]
    # Classes with the longest words take more registers.
    large = [
        name for name in kernels if size == 8 and "Classified" in name and "int, int" not in name
    ]
    check_kernels(arch, "algorithms/sssp.cuh", [name for name in kernels if name not in large])
    check_kernels(arch, "algorithms/sssp.cuh", large, ONE_BLOCK)
    check_kernels(arch, "algorithms/sssp_cache_modifiers.cuh", kernels[:2])
    buckets = [
        sssp_kernel(4, "BucketsRelaxing", *types, DEFAULT, False, False, True) for types in SHORT
    ]
    check_kernels(arch, "algorithms/sssp.cuh", buckets)


@pytest.mark.slow
def test_filtered_duplicates_compile_without_spills():
    kernels = [
        sssp_kernel(4, f"{way} {more}DuplicatesRelaxing", *types, DEFAULT, False, False, True)
        for way, more in (
            ("Filtered:HashTable", ""),
            ("Filtered:WarpCulling", "Scattered "),
            ("Filtered:HashTable", "ClassifiedRelaxing "),
            ("Compacted", ""),
            ("ClassifiedRelaxing Compacted", "Scattered "),
        )
        for types in (TYPES[0], TYPES[2])
    ]
    kernels += [
        sssp_kernel(4, f"ThroughEdgeQueue {way}", *types, DEFAULT, parents, False, True)
        for way in ("PackedRelaxing", "Filtered:WarpCulling DuplicatesRelaxing")
        for types in (TYPES[0], TYPES[4])
        for parents in BOTH
    ]
    kernels += [
        sssp_kernel(size, f"{way}ThroughBitmap Relaxing", *types, DEFAULT, parents, False, True)
        for way, size, types in (
            ("", 4, TYPES[0]),
            ("", 8, TYPES[4]),
            ("ClassifiedRelaxing Scattered ", 4, TYPES[0]),
        )
        for parents in BOTH
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
    for asynchronous, most in ((False, None), (True, DRIFTING)):
        kernels = [
            sssp_kernel(4, "NearFarRelaxing", *types, technique, False, asynchronous, True)
            for types in (TYPES[0], TYPES[2])
        ]
        check_kernels("sm_90", "algorithms/sssp.cuh", kernels, *([most] if most else []))
