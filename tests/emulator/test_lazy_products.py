"""What lazy products pass over: `look_for_paths` and the chunks that a product fetches."""

import numpy as np
import pytest

from emulated_runtime import EmulatedRuntime
from planted import Fault
from warpath.cuda.minplus import look_kernel, pack_kernel, product_kernel, tiles_for, words_of
from warpath.cuda.product import PACKED_STEPS, Matrix, Products
from warpath.cuda.runtime import use

DTYPES = {"int16": 2**15 - 1, "float64": np.inf}  # two distances per word and one: "no path"
WORDS = {dtype: words_of(dtype, "shortest", negative=False) for dtype in DTYPES}
TILE = tiles_for(WORDS["float64"], True).small  # both are the same: 8 steps a chunk
CHUNKS = 72  # more than twice the 32 flags that a warp looks at, and not a multiple of them
STEPS = CHUNKS * TILE.depth
assert STEPS % PACKED_STEPS == 0


def instances():
    for words in WORDS.values():
        yield "minplus.cuh", look_kernel(words)
    words = WORDS["float64"]
    yield "minplus.cuh", pack_kernel(words)
    yield "minplus.cuh", product_kernel(words, TILE, True, lazy=True)


@pytest.fixture(scope="module")
def runtime(emulator):
    with EmulatedRuntime(emulator, instances()) as runtime:
        yield runtime


@pytest.mark.parametrize("dtype", DTYPES)
def test_one_path_anywhere_in_a_chunk_is_found(runtime, dtype):
    """In two chunks and two tiles, of which the second is not full; behind it paths that do not count."""
    width, columns, pitch, depth = 24, 36, 44, 16  # words and rows
    words, none = WORDS[dtype], np.dtype(dtype).type(DTYPES[dtype])
    each = words.distances
    with use(runtime):
        products = Products(words, predecessors=False, max_packed=0, lazy_none=none)
        rows = (0, 1, depth - 2, depth - 1, depth, 2 * depth - 1)
        places = (0, 1, width * each - 1, width * each, columns * each - 2, columns * each - 1)
        for row, column in [(None, None), *((row, column) for row in rows for column in places)]:
            operand = np.full((2 * depth, pitch * each), none)
            operand[:, columns * each :] = 0
            expected = np.zeros((2, 2), np.uint8)  # [tile, chunk]
            if row is not None:
                operand[row, column] = 1
                expected[column // (width * each), row // depth] = 1
            there = runtime.xp.asarray(operand)
            paths = products._look(
                runtime.address(there), pitch, columns, width, len(operand), depth
            )
            assert paths.get().reshape(2, 2).tolist() == expected.tolist(), (row, column)


def product(left, by, before):
    """The definition: the lowest step of those that give a distance is its predecessor."""
    sums = left[:, :, None] + by[None]
    best = sums.min(axis=1)
    tree = np.where(best < before, sums.argmin(axis=1), -1)
    return np.minimum(best, before), tree


def check_product(runtime, chunks, seed):
    """One number in each of these chunks of both operands, so each that is passed over is missed."""
    none, n = DTYPES["float64"], TILE.columns + 4
    left, by = np.full((TILE.rows + 2, STEPS), none), np.full((STEPS, n), none)
    before = np.full((len(left), n), 1000.0)
    rng = np.random.default_rng(len(chunks))
    for chunk in chunks:
        step = chunk * TILE.depth + rng.integers(TILE.depth)
        left[:, step] = rng.integers(1, 100, len(left))
        by[step] = rng.integers(1, 100, n)
    expected, tree = product(left, by, before)
    runtime.seed = seed
    with use(runtime):
        products = Products(
            WORDS["float64"], predecessors=True, max_packed=256 * STEPS, lazy_none=np.float64(none)
        )
        onward = np.repeat(np.arange(STEPS, dtype=np.int32)[:, None], n, axis=1)
        result = Matrix(
            *map(runtime.xp.asarray, (before, np.full(before.shape, -1, np.int32))),
            WORDS["float64"],
        )
        products.better(
            result,
            runtime.xp.asarray(left),
            Matrix(*map(runtime.xp.asarray, (by, onward)), WORDS["float64"]),
        )
    assert np.array_equal(result.distance.get(), expected)
    assert np.array_equal(result.predecessor.get(), tree)


@pytest.mark.parametrize(
    "chunks",
    [(), (32,), (71,), (31, 32), (0, 70), (3, 4, 5, 40, 41, 64)],
    ids=str,
)
def test_every_chunk_with_paths_is_multiplied(runtime, chunks):
    check_product(runtime, chunks, seed=0)


LOOK_MUTANTS = {
    "the last place of a chunk": Fault("minplus.cuh", "i < a.depth * a.width;", "i + 1 < a.depth * a.width;"),
    "the last column": Fault("minplus.cuh", "if (first + i % a.width < a.columns)", "if (first + i % a.width + 1 < a.columns)"),
    "the column behind it": Fault("minplus.cuh", "if (first + i % a.width < a.columns)", "if (first + i % a.width <= a.columns)"),
    "a tile that is not full": Fault("minplus.cuh", "if (first + i % a.width < a.columns)", "if (first + a.width <= a.columns)"),
    "the rows that a block comes to last": Fault("minplus.cuh", "i < a.depth * a.width;", "i < a.depth * blockDim.x;"),
    "every other round": Fault("minplus.cuh", "i < a.depth * a.width; i += blockDim.x", "i < a.depth * a.width; i += 2 * blockDim.x"),
    "what other threads found": Fault("minplus.cuh", "found = __syncthreads_or(found) != 0;", ""),
}  # fmt: skip
PRODUCT_MUTANTS = {
    "32 chunks without a path end it": Fault("minplus.cuh", "for (; left == 0 && end < count; end += warp_lanes) {", "if (left == 0 && end < count) { end += warp_lanes; const unsigned end = this->end - warp_lanes;"),
    "the last chunk": Fault("minplus.cuh", "left = lanes_where(chunk < count &&", "left = lanes_where(chunk + 1 < count &&"),
    "one chunk of 32": Fault("minplus.cuh", "left &= left - 1;", "left = 0;"),
    "a chunk too far": Fault("minplus.cuh", "fetch.pass(chunk - last - 1,", "fetch.pass(chunk - last,"),
    "the second chunk from the front": Fault("minplus.cuh", "fetch_next(chunk, chunk > 0 ? coming[chunk - 1] : ~0u);", "fetch_next(chunk, ~0u);"),
    "an operand that is overwritten": Fault("minplus.cuh", "        __syncthreads();           // all of it has", "        // all of it has"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", LOOK_MUTANTS)
def test_a_fault_of_the_look_is_found(emulator, tmp_path, name):
    looks = [("minplus.cuh", look_kernel(words)) for words in WORDS.values()]
    with emulator.faulty_runtime(tmp_path, LOOK_MUTANTS[name], looks) as mutant:
        for dtype in DTYPES:
            test_one_path_anywhere_in_a_chunk_is_found(mutant, dtype)


@pytest.mark.slow
@pytest.mark.parametrize("name", PRODUCT_MUTANTS)
def test_a_fault_of_the_product_is_found(emulator, tmp_path, name):
    with emulator.faulty_runtime(tmp_path, PRODUCT_MUTANTS[name], instances()) as mutant:
        for seed in range(4):
            for chunks in ((32,), (71,), (31, 32), (3, 4, 5, 40, 41, 64)):
                check_product(mutant, chunks, seed)
