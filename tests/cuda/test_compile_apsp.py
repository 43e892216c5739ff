"""Each kernel of all pairs' shortest paths compiles, without a GPU, and keeps all in registers."""

from itertools import product

import pytest

from compiled import check_kernels, used
from exhaustive import pairwise, slow
from warpath.cuda.compile import compile_kernel
from warpath.cuda.instances import fill_arcs_kernel
from warpath.cuda.minplus import (
    ALGEBRAS,
    DTYPES,
    look_kernel,
    pack_kernel,
    panel_kernel,
    pivot_kernel,
    product_kernel,
    step_kernel,
    tiles_for,
    words_of,
)

REGISTERS = 65536  # of a multiprocessor
BOTH = (False, True)
SHORTEST = [words_of(dtype, "shortest", negative) for dtype in DTYPES for negative in BOTH]
OTHERS = [
    words_of(dtype, algebra, True)
    for algebra, dtype in product(ALGEBRAS, DTYPES)
    if algebra != "shortest" and (algebra != "most-reliable" or "float" in dtype)
]
WORDS = list(dict.fromkeys(SHORTEST + OTHERS))


def products(words, sizes=("large",), lazy=(False,)):
    """(instance, the most registers it may take for as many blocks as its tile says)."""
    for one, size, predecessors, is_lazy in pairwise(words, sizes, (True, False), lazy):
        tile = getattr(tiles_for(one, predecessors), size)
        most = min(255, REGISTERS // (tile.threads * tile.blocks))
        yield product_kernel(one, tile, predecessors, is_lazy), most


@pytest.mark.parametrize("lazy", [False, *slow([True])])
def test_the_default_product_has_no_spills(lazy):
    for instance, most in products([words_of("float32", "shortest", False)], lazy=[lazy]):
        check_kernels("sm_90", "minplus.cuh", [instance], most)


def test_matrices_of_arcs_have_no_spills():
    cases = product((4, 8), ("int16", "int64", "float32"))
    check_kernels("sm_90", "dense.cuh", [fill_arcs_kernel(*case) for case in cases])


@pytest.mark.slow
def test_products_of_shortest_paths_have_no_spills():
    for instance, most in products(SHORTEST, ("large", "small"), BOTH):
        check_kernels("sm_90", "minplus.cuh", [instance], most)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arch", "words"),
    [("sm_90", OTHERS[::5]), ("sm_80", SHORTEST[::4]), ("sm_100", SHORTEST[::4])],
)
def test_other_products_compile(arch, words):
    """Tiles are cut for shortest paths on sm_90: elsewhere a few registers may be spilled."""
    for instance, most in products(words):
        assert used(compile_kernel("minplus.cuh", instance, arch, use_cache=False).log)[0] <= most


@pytest.mark.slow
def test_steps_have_no_spills():
    for kernel in (pack_kernel, look_kernel):
        check_kernels("sm_90", "minplus.cuh", [kernel(words) for words in SHORTEST])
    steps = [
        kernel(words, predecessors)
        for words, predecessors in product([*SHORTEST, *OTHERS[::5]], BOTH)
        for kernel in (pivot_kernel, panel_kernel, step_kernel)
    ]
    check_kernels("sm_90", "floyd_warshall.cuh", steps, 128)  # of 256 threads, two blocks
