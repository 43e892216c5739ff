"""All pairs' shortest paths by the CUDA kernels."""

from pathlib import Path

import numpy as np
import pytest

from warpath.cuda.compile import KERNELS
from warpath.cuda.minplus import Close, Relax, closing

HERE = Path(__file__).resolve().parent
BASE = 32  # of test_apsp.cpp
CASES = {  # of test_apsp.cpp: (dtype, "no path", least and largest weight)
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
    "minimax": (np.int32, 2**31 - 1, -(2**31), np.maximum, np.less),
    "minimax_16": (np.int16, 2**15 - 1, -(2**15), np.maximum, np.less),
    "widest": (np.float32, -np.inf, np.inf, np.minimum, np.greater),
    "widest_16": (np.int16, -(2**15), 2**15 - 1, np.minimum, np.greater),
    "most_reliable": (np.float64, 0, 1, np.multiply, np.greater),
}


@pytest.fixture(scope="module")
def program(emulator):
    return emulator.build(HERE / "test_apsp.cpp")


def rows_of(steps):
    """Steps as test_apsp.cpp reads them."""
    return np.array(
        [
            (step.low, *[-1] * 5) if isinstance(step, Close) else (*step.rows, step.low, step.high)
            for step in steps
        ],
        np.int32,
    )


LAZY = ["float32_positive", "int32_tree", "int16_tree", "int16_positive_tree"]


def run(program, case, arcs, size, seed=0, lazy=False):
    """(distances, predecessors or None) of a matrix of arcs."""
    n = len(arcs)
    none = arcs.dtype.type(ALGEBRAS[case][1] if case in ALGEBRAS else CASES[case][1])
    present = arcs != none
    np.fill_diagonal(present, False)
    predecessor = np.where(present, np.arange(n, dtype=np.int32)[:, None], np.int32(-1))
    found = program.run(
        f"{case}_lazy" if lazy else case,
        seed=seed,
        n=n,
        none=np.array([none]),
        distance=arcs,
        predecessor=predecessor,
        steps=rows_of(closing(n, size, BASE)),
    )
    tree = found.get("predecessor")
    return found["distance"].reshape(n, n), None if tree is None else tree.reshape(n, n)


def drawn(n, dtype, none, low, high, density, seed):
    """A matrix of arcs without negative cycles: weights shifted by potentials."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(0, high + 1, (n, n))
    if low < 0:
        potential = rng.integers(0, high + 1, n)
        weights = weights + potential[:, None] - potential
    arcs = weights.astype(dtype)
    arcs[rng.random((n, n)) >= density] = none
    np.fill_diagonal(arcs, 0)
    return arcs


def closed(arcs, none, extend=np.add, better=np.less):
    """The definition, step by step."""
    exact = arcs.astype(float)
    if extend is np.add:
        exact[arcs == arcs.dtype.type(none)] = np.inf
    for k in range(len(arcs)):
        through = extend(exact[:, k, None], exact[k])
        exact = np.where(better(through, exact), through, exact)
    return exact


def check_trees(arcs, distance, tree, reached, extend=np.add):
    """Predecessors lead back to the row's own vertex, by arcs that make the distance."""
    n = len(arcs)
    source, target = np.nonzero(reached & ~np.eye(n, dtype=bool))
    before = tree[source, target]
    assert (before >= 0).all()
    assert (tree[~reached] == -1).all()
    assert (np.diagonal(tree) == -1).all()
    made = extend(distance[source, before], arcs[before, target])
    assert (made == distance[source, target]).all()
    up = np.where(tree < 0, np.arange(n)[:, None], tree)
    for _ in range(n.bit_length()):
        up = np.take_along_axis(up, up, axis=1)
    assert (up[reached] == np.nonzero(reached)[0]).all()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    ("n", "size", "density"), [(192, 64, 0.02), (128, 128, 0.3), (64, 32, 0.9)]
)
def test_distances_and_trees(program, case, n, size, density):
    dtype, none, low, high = CASES[case]
    arcs = drawn(n, dtype, none, low, high, density, seed=n)
    distance, tree = run(program, case, arcs, size)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    assert np.array_equal(distance[reached], expected[reached].astype(dtype))
    limit = none if low >= 0 else none // 2 if dtype not in (np.float32, np.float64) else np.inf
    assert (distance[~reached] >= limit).all()
    if tree is not None:
        tree[~reached] = -1  # paths through "no path" leave something there
        check_trees(arcs, distance, tree, reached)


@pytest.mark.parametrize("case", ["int32_tree", "int16_positive_tree", "float32_positive_tree"])
def test_zero_cycles_leave_trees(program, case):
    """Half of all weights are 0, so that most paths tie with others that have cycles."""
    dtype, none, *_ = CASES[case]
    for seed in range(4):
        rng = np.random.default_rng(seed)
        arcs = np.full((128, 128), none, dtype)
        for _ in range(300):
            arcs[rng.integers(128), rng.integers(128)] = rng.integers(2)
        np.fill_diagonal(arcs, 0)
        distance, tree = run(program, case, arcs, 64)
        expected = closed(arcs, none)
        reached = np.isfinite(expected)
        assert np.array_equal(distance[reached], expected[reached].astype(dtype))
        check_trees(arcs, distance, tree, reached)


@pytest.mark.parametrize("case", ALGEBRAS)
def test_algebras(program, case):
    dtype, none, start, extend, better = ALGEBRAS[case]
    rng = np.random.default_rng(7)
    n = 96
    # Halves: their products do not round.
    weights = (
        0.5 ** rng.integers(0, 4, (n, n))
        if case == "most_reliable"
        else rng.integers(-9, 9, (n, n))
    )
    arcs = weights.astype(dtype)
    arcs[rng.random((n, n)) >= 0.05] = none
    np.fill_diagonal(arcs, start)
    distance, tree = run(program, case, arcs, 64)
    expected = closed(arcs, none, extend, better)
    assert np.array_equal(distance, expected.astype(dtype))
    check_trees(arcs, distance, tree, distance != dtype(none), extend)


def in_components(n, count, case, density, seed):
    """Arcs only inside components of neighbouring vertices; the last one has none at all."""
    dtype, none, low, high = CASES[case]
    arcs = drawn(n, dtype, none, low, high, density, seed)
    component = np.arange(n) * count // n
    apart = component[:, None] != component
    apart[component == count - 1] = True
    arcs[apart] = none
    np.fill_diagonal(arcs, 0)
    return arcs


@pytest.mark.parametrize("case", LAZY)
@pytest.mark.parametrize(
    ("n", "size", "components", "density"),
    [(192, 192, 6, 0.2), (192, 64, 3, 0.03), (128, 128, 1, 0.01), (128, 64, 2, 1.0)],
)
def test_lazy_products_give_the_same(program, case, n, size, components, density):
    arcs = in_components(n, components, case, density, seed=n + size)
    expected, tree = run(program, case, arcs, size)
    distance, lazy_tree = run(program, case, arcs, size, lazy=True)
    if CASES[case][2] < 0:  # one number for "no path" may be lowered to another
        lost = expected >= CASES[case][1] // 2
        assert np.array_equal(lost, distance >= CASES[case][1] // 2)
        for one in (expected, distance, tree, lazy_tree):
            one[lost] = -1
    assert np.array_equal(distance, expected)
    assert np.array_equal(lazy_tree, tree)


@pytest.mark.parametrize("seed", range(1, 4))
def test_every_schedule_of_lazy_products(program, seed):
    arcs = in_components(192, 3, "int16_positive_tree", 0.05, seed)
    expected, tree = run(program, "int16_positive_tree", arcs, 192)
    distance, lazy_tree = run(program, "int16_positive_tree", arcs, 192, seed, lazy=True)
    assert np.array_equal(distance, expected)
    assert np.array_equal(lazy_tree, tree)


@pytest.mark.parametrize("seed", range(1, 7))
@pytest.mark.parametrize("case", ["float32_tree", "int16_positive_tree"])
def test_every_schedule(program, case, seed):
    dtype, none, low, high = CASES[case]
    arcs = drawn(64, dtype, none, low, high, 0.1, seed)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    distance, tree = run(program, case, arcs, 32, seed)
    assert np.array_equal(distance[reached], expected[reached].astype(dtype))
    check_trees(arcs, distance, tree, reached)


@pytest.mark.parametrize("case", ["int32_tree", "int16", "float32"])
def test_a_negative_cycle_shows_on_the_diagonal(program, case):
    dtype, none, low, high = CASES[case]
    arcs = drawn(96, dtype, none, low, high, 0.05, 3)
    cycle = [5, 40, 77, 90]
    for u, v in zip(cycle, [*cycle[1:], cycle[0]], strict=True):
        arcs[u, v] = -1
    distance, _ = run(program, case, arcs, 64)
    assert (np.diagonal(distance)[cycle] < 0).all()


def test_the_plain_algorithm(program):
    none = 2**30 - 1
    arcs = drawn(70, np.int32, 2**30 - 1, -1, 50, 0.1, 1)
    expected = closed(arcs, none)
    reached = np.isfinite(expected)
    predecessor = np.where(arcs < none, np.arange(70, dtype=np.int32)[:, None], np.int32(-1))
    np.fill_diagonal(predecessor, -1)
    found = program.run("plain_int32", n=70, distance=arcs, predecessor=predecessor)
    distance, tree = (found[name].reshape(70, 70) for name in ("distance", "predecessor"))
    assert np.array_equal(distance[reached], expected[reached].astype(np.int32))
    check_trees(arcs, distance, tree, reached)


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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "old", "new"),
    [
        ("minplus.cuh", "        __syncthreads();           // all of it has", "        // all of it has"),
        ("floyd_warshall.cuh", "            __syncthreads();  // the row and the column are there", ""),
        ("floyd_warshall.cuh", "            __syncthreads();  // the row is there, and", "            // and"),
    ],
)  # fmt: skip
def test_faults_are_seen(emulator, program, tmp_path, header, old, new):
    source = HERE / "test_apsp.cpp"
    mutant = emulator.faulty(
        tmp_path, source, KERNELS / header, old, new, case="int16_positive_tree"
    )

    def all_of_it():
        test_zero_cycles_leave_trees(mutant, "int16_positive_tree")
        for seed in range(6):
            test_every_schedule(mutant, "int16_positive_tree", seed)

    with pytest.raises((AssertionError, emulator.Error)):
        all_of_it()
