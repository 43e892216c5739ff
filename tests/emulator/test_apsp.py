"""All pairs' shortest paths by their driver, in the emulator."""

from itertools import product

import numpy as np
import pytest

import arc_matrices
from arc_matrices import check_trees, in_components, tree_of
from emulated_runtime import EmulatedRuntime
from exhaustive import few, slow
from planted import Fault
from warpath.cuda import apsp
from warpath.cuda import product as products
from warpath.cuda.apsp import close
from warpath.cuda.minplus import (
    Close,
    Relax,
    closing,
    look_kernel,
    pack_kernel,
    panel_kernel,
    pivot_kernel,
    product_kernel,
    step_kernel,
    tiles_for,
    words_of,
)
from warpath.cuda.representation import Representation
from warpath.cuda.runtime import use

CASES = {  # (dtype, "no path", smallest and largest weight)
    "float32": (np.float32, np.inf, -1, 50),
    "float32_tree": (np.float32, np.inf, -1, 50),
    "float32_positive": (np.float32, np.inf, 0, 9),
    "float32_positive_tree": (np.float32, np.inf, 0, 9),
    "float64_tree": (np.float64, np.inf, -1, 50),
    "int32": (np.int32, 2**30 - 1, -1, 50),
    "int32_tree": (np.int32, 2**30 - 1, -1, 50),
    "int64_tree": (np.int64, 2**62 - 1, -1, 50),
    "int32_positive": (np.int32, 2**31 - 1, 0, 9),
    "int32_positive_tree": (np.int32, 2**31 - 1, 0, 9),
    "int64_positive_tree": (np.int64, 2**63 - 1, 0, 9),
    "int16": (np.int16, 2**14 - 1, -1, 50),
    "int16_tree": (np.int16, 2**14 - 1, -1, 50),
    "int16_positive": (np.int16, 2**15 - 1, 0, 9),
    "int16_positive_tree": (np.int16, 2**15 - 1, 0, 9),
}
ALGEBRAS = {  # (dtype, "no path", a path without arcs, extend, better)
    "minimax_tree": (np.int32, 2**31 - 1, -(2**31), np.maximum, np.less),
    "minimax_16_tree": (np.int16, 2**15 - 1, -(2**15), np.maximum, np.less),
    "widest_tree": (np.float32, -np.inf, np.inf, np.minimum, np.greater),
    "widest_16_tree": (np.int16, -(2**15), 2**15 - 1, np.minimum, np.greater),
    "most-reliable_tree": (np.float64, 0, 1, np.multiply, np.greater),
}
# Each is some kernels to build: by default one of each kind.
OFTEN = ("float32", "int32_tree", "int16_positive_tree")
ALGEBRAS_OFTEN = ("minimax_16_tree", "widest_tree", "most-reliable_tree")
FULL_TILES = ((192, 64, 0.02), (128, 64, 0.9))
LAZY = ["float32_positive", "int32_tree", "int16_tree", "int16_positive_tree"]
LAZY_OFTEN = ["int32_tree", "int16_positive_tree"]


def has_tree(case):
    return case.endswith("tree")


def how_of(case):
    """What kernels compute a case with."""
    dtype, none, low, *_ = CASES.get(case) or ALGEBRAS[case]
    algebra = case.split("_")[0] if case in ALGEBRAS else "shortest"
    return Representation(words_of(np.dtype(dtype).name, algebra, low < 0), dtype(none))


def instances(case, lazy=False):
    words, tree = how_of(case).words, has_tree(case)
    for name in (pivot_kernel, panel_kernel):
        yield "floyd_warshall.cuh", name(words, tree)
    yield "minplus.cuh", pack_kernel(words)
    for tile in tiles_for(words, tree):
        yield "minplus.cuh", product_kernel(words, tile, tree, lazy)
    if lazy:
        yield "minplus.cuh", look_kernel(words)


@pytest.fixture(scope="module")
def runtime(emulator):
    # The next wider than int16 is int32.
    often = [one for case in (*OFTEN, "int32", *ALGEBRAS_OFTEN) for one in instances(case)]
    often += [one for case in LAZY_OFTEN for one in instances(case, lazy=True)]
    often.append(("floyd_warshall.cuh", step_kernel(how_of("int32_tree").words, True)))
    every = [one for case in (*CASES, *ALGEBRAS) for one in instances(case)]
    every += [one for case in LAZY for one in instances(case, lazy=True)]
    with EmulatedRuntime(emulator, often, [one for one in every if one not in often]) as runtime:
        yield runtime


def run(runtime, case, arcs, size, seed=0, lazy=False, variant="blocked"):
    """(distances, predecessors or None) of a matrix of arcs."""
    how = how_of(case)
    runtime.seed = seed
    with use(runtime):
        distance, tree = runtime.xp.asarray(arcs), None
        if has_tree(case):
            tree = runtime.xp.asarray(tree_of(arcs, how.none))
        close(distance, tree, how, variant, size, lazy=lazy)
    return distance.get(), None if tree is None else tree.get()


@pytest.fixture(autouse=True)
def spoiled_chunks(monkeypatch):
    """What a lazy product must not use: paths that are shorter than all others."""
    look = products.Products._look

    def spoil(self, operand, pitch, columns, width, depth, chunk):
        paths = look(self, operand, pitch, columns, width, depth, chunk)
        if operand == self.here.address(self.packed):
            nbytes = self.words.bytes
            rows = np.asarray(self.packed)[: pitch * depth * nbytes].reshape(depth, -1)
            for number in np.flatnonzero(paths.get() == 0):
                tile, at = divmod(int(number), depth // chunk)
                first = tile * width * nbytes
                rows[at * chunk : (at + 1) * chunk, first : first + width * nbytes] = 0
        return paths

    monkeypatch.setattr(products.Products, "_look", spoil)


def drawn(n, case, density, seed):
    dtype, none, low, high = CASES[case]
    return arc_matrices.drawn(n, dtype, density, seed, negative=low < 0, most=high, none=none)


def closed(arcs, none, extend=np.add, better=np.less):
    """The definition, step by step."""
    exact = arcs.astype(float)
    if extend is np.add:
        exact[arcs == arcs.dtype.type(none)] = np.inf
    for k in range(len(arcs)):
        through = extend(exact[:, k, None], exact[k])
        exact = np.where(better(through, exact), through, exact)
    return exact


@pytest.mark.parametrize(
    ("case", "n", "size", "density"),
    [
        # Each case on a matrix that fills no tile, and on one of the others or both.
        *((case, 150, 128, 0.3) for case in OFTEN),
        *(("int32_tree", *one) for one in FULL_TILES),
        *slow((case, 150, 128, 0.3) for case in CASES if case not in OFTEN),
        *slow((case, *one) for case in OFTEN if case != "int32_tree" for one in FULL_TILES),
        *slow(
            (case, *FULL_TILES[k % 2])
            for k, case in enumerate(one for one in CASES if one not in OFTEN)
        ),
    ],
)
def test_distances_and_trees(runtime, case, n, size, density):
    dtype, none, low, _ = CASES[case]
    arcs = drawn(n, case, density, seed=n)
    distance, tree = run(runtime, case, arcs, size)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    assert np.array_equal(distance[reached], expected[reached].astype(dtype))
    limit = none if low >= 0 else none // 2 if dtype not in (np.float32, np.float64) else np.inf
    assert (distance[~reached] >= limit).all()
    if tree is not None:
        tree[~reached] = -1  # paths through "no path" leave something there
        check_trees(arcs, distance, tree, reached=reached)


@pytest.mark.parametrize(
    "case", ["int32_tree", "int16_positive_tree", *slow(["float32_positive_tree"])]
)
def test_zero_cycles_leave_trees(runtime, case):
    """Half of all weights are 0, so that most paths tie with others that have cycles."""
    dtype, none, *_ = CASES[case]
    for seed in range(4):
        rng = np.random.default_rng(seed)
        arcs = np.full((128, 128), none, dtype)
        for _ in range(300):
            arcs[rng.integers(128), rng.integers(128)] = rng.integers(2)
        np.fill_diagonal(arcs, 0)
        distance, tree = run(runtime, case, arcs, 64)
        expected = closed(arcs, none)
        reached = np.isfinite(expected)
        assert np.array_equal(distance[reached], expected[reached].astype(dtype))
        check_trees(arcs, distance, tree, reached=reached)


@pytest.mark.parametrize("case", few(ALGEBRAS, ALGEBRAS_OFTEN))
def test_algebras(runtime, case):
    dtype, none, start, extend, better = ALGEBRAS[case]
    rng = np.random.default_rng(7)
    n = 96
    # Halves: their products do not round.
    weights = (
        0.5 ** rng.integers(0, 4, (n, n))
        if case == "most-reliable_tree"
        else rng.integers(-9, 9, (n, n))
    )
    arcs = weights.astype(dtype)
    arcs[rng.random((n, n)) >= 0.05] = none
    np.fill_diagonal(arcs, start)
    distance, tree = run(runtime, case, arcs, 64)
    expected = closed(arcs, none, extend, better)
    assert np.array_equal(distance, expected.astype(dtype))
    check_trees(arcs, distance, tree, case.split("_")[0], distance != dtype(none))


LAZY_MATRICES = ((192, 192, 6, 0.2), (192, 64, 3, 0.03), (128, 128, 1, 0.01), (128, 64, 2, 1.0))


@pytest.mark.parametrize(
    ("case", "n", "size", "components", "density"),
    few(
        [(case, *one) for case in LAZY for one in LAZY_MATRICES],
        [("int32_tree", *one) for one in LAZY_MATRICES]
        + [("int16_positive_tree", *LAZY_MATRICES[3])],
    ),
)
def test_lazy_products_give_the_same(runtime, case, n, size, components, density):
    arcs = in_components(drawn(n, case, density, seed=n + size), CASES[case][1], components)
    expected, tree = run(runtime, case, arcs, size)
    distance, lazy_tree = run(runtime, case, arcs, size, lazy=True)
    if CASES[case][2] < 0:  # one number for "no path" may be lowered to another
        lost = expected >= CASES[case][1] // 2
        assert np.array_equal(lost, distance >= CASES[case][1] // 2)
        for one in (expected, distance, tree, lazy_tree):
            one[lost] = -1
    assert np.array_equal(distance, expected)
    assert np.array_equal(lazy_tree, tree)


@pytest.mark.parametrize("seed", [1, *(pytest.param(i, marks=pytest.mark.slow) for i in (2, 3))])
def test_every_schedule_of_lazy_products(runtime, seed):
    case = "int16_positive_tree"
    arcs = in_components(drawn(192, case, 0.05, seed), CASES[case][1], 3)
    expected, tree = run(runtime, case, arcs, 192)
    distance, lazy_tree = run(runtime, case, arcs, 192, seed, lazy=True)
    assert np.array_equal(distance, expected)
    assert np.array_equal(lazy_tree, tree)


@pytest.mark.parametrize(
    ("case", "seed"),
    few(
        product(["float32_tree", "int16_positive_tree"], range(1, 7)),
        product(["int16_positive_tree"], [1, 2, 3]),
    ),
)
def test_every_schedule(runtime, case, seed):
    dtype, none, *_ = CASES[case]
    arcs = drawn(128, case, 0.05, seed)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    distance, tree = run(runtime, case, arcs, 64, seed)
    assert np.array_equal(distance[reached], expected[reached].astype(dtype))
    check_trees(arcs, distance, tree, reached=reached)


@pytest.mark.parametrize("case", ["int32_tree", "float32", *slow(["int16"])])
def test_a_negative_cycle_shows_on_the_diagonal(runtime, case):
    arcs = drawn(96, case, 0.05, 3)
    cycle = [5, 40, 77, 90]
    for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        arcs[u, v] = -1
    distance, _ = run(runtime, case, arcs, 64)
    assert (np.diagonal(distance)[cycle] < 0).all()


@pytest.mark.parametrize("variant", ["plain", "r-kleene", "repeated-squaring"])
def test_variants(runtime, variant, monkeypatch):
    monkeypatch.setattr(apsp, "_STEP_ROWS", 3)
    dtype, none, *_ = CASES["int32_tree"]
    arcs = drawn(140, "int32_tree", 0.05, 1)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    distance, tree = run(runtime, "int32_tree", arcs, 64, variant=variant)
    assert np.array_equal(distance[reached], expected[reached].astype(dtype))
    tree[~reached] = -1
    check_trees(arcs, distance, tree, reached=reached)


def test_each_row_meets_each_vertex_once_and_lower_ones_first():
    for n, size in ((8, 8), (8, 1), (13, 4), (7, 3)):
        met = [[] for _ in range(n)]
        for step in closing(n, size, 1):
            if isinstance(step, Close):
                met[step.low].append(step.low)
                continue
            assert isinstance(step, Relax)
            (first, count, gap_at, gap), low, high = step
            for i in range(count):
                row = first + i + (gap if i >= gap_at else 0)
                assert not low <= row < high
                met[row] += range(low, high)
        assert met == [list(range(n))] * n


MUTANTS = {
    "an operand that is overwritten": Fault("minplus.cuh", "        __syncthreads();           // all of it has", "        // all of it has"),
    "a row and a column read too early": Fault("floyd_warshall.cuh", "            __syncthreads();  // the row and the column are there", ""),
    "a row read too early": Fault("floyd_warshall.cuh", "            __syncthreads();  // the row is there, and", "            // and"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", MUTANTS)
def test_a_fault_is_found(emulator, tmp_path, name):
    case = "int16_positive_tree"
    with emulator.faulty_runtime(tmp_path, MUTANTS[name], instances(case)) as mutant:
        test_zero_cycles_leave_trees(mutant, case)
        for seed in range(6):
            test_every_schedule(mutant, case, seed)


def test_sums_beyond_a_dtype_take_the_next_wider(runtime):
    """int16 weights whose paths might be longer than an eighth of what int16 holds."""
    arcs = np.full((3, 3), 2**15 - 1, np.int16)
    arcs[0, 1], arcs[1, 2], arcs[2, 0] = 5000, -4000, 3000
    np.fill_diagonal(arcs, 0)
    with use(runtime):
        distance = runtime.xp.asarray(arcs)
        apsp.floyd_warshall(distance)
        wide = runtime.xp.asarray(arcs.astype(np.int64) * 2**48)
        with pytest.raises(OverflowError, match="use dtype=float64"):
            apsp.floyd_warshall(wide)
        apsp.floyd_warshall(runtime.xp.empty((0, 0), np.int16))
    assert distance.get().tolist() == [[0, 5000, 1000], [-1000, 0, -4000], [3000, 8000, 0]]


def test_what_cannot_be_closed_is_named(runtime):
    square = np.zeros((4, 4), np.float32)
    for change, message in (
        ({"variant": "other"}, "blocked, r-kleene"),
        ({"block": 0}, "block=0"),
        ({"algebra": "longest"}, "shortest, minimax"),
        ({"distance": np.zeros((4, 4), np.uint8)}, "distances of uint8"),
        ({"distance": square.astype(int), "algebra": "most-reliable"}, "takes float32, float64"),
        ({"distance": square[:3]}, "not a square"),
        ({"predecessor": square}, "int32 of shape"),
        ({"distance": square.T[::-1].T}, "not C-contiguous"),
    ):
        with use(runtime), pytest.raises(ValueError, match=message):
            apsp.floyd_warshall(**{"distance": square, **change})


def test_the_plain_variant_takes_no_memory():
    assert apsp.workspace_nbytes(500, np.dtype(np.int16), True, "plain") == 0
    whole = 512**2 * 6
    more = [
        apsp.workspace_nbytes(500, np.dtype(np.int16), True, variant)
        for variant in ("blocked", "r-kleene", "repeated-squaring")
    ]
    assert whole < more[0] <= more[1] < more[2]
    assert apsp.workspace_nbytes(500, np.dtype(np.int16), True, lazy=True) > more[0]
