"""All pairs' shortest paths on a GPU: how many relaxations a second?

    python benchmarks/gpu_apsp.py                                   the table of the defaults
    python benchmarks/gpu_apsp.py --sizes 16384 --dtypes float32,int16 --variants blocked,r-kleene
    python benchmarks/gpu_apsp.py --blocks 256,512,1024,2048        vertices whose rows are closed first
    python benchmarks/gpu_apsp.py --tiles 128x128x16x3x8x8x4x1,64x64x16x3x4x4x8x2
    python benchmarks/gpu_apsp.py --products                        products alone, with each of --tiles
    python benchmarks/gpu_apsp.py --gpus 1,2 --sizes 32768          rows spread over these numbers of GPUs, and on one
    python benchmarks/gpu_apsp.py --lazy --sizes 8192 --dtypes float32    products that pass over what leads nowhere

A row: the median of 3 runs (of 1 that takes long), by CUDA events, on a full matrix of random weights that is on the
device, everything warm; relaxations are n³ (a product's: rows · columns · steps). Answers are
checked before: no pair of a sample is improved by any vertex of a sample. ``float32-`` and the
like have some negative weights. A tile is rows x columns x depth x stages x rows and columns of
a thread x steps together x blocks of a multiprocessor. One JSON line a row, then the table as Markdown.
Matrices that are on the host: gpu_apsp_host.py.
"""

import argparse
import json
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import Any

import cupy as cp
import numpy as np
from gpu_timing import device_ms

from warpath.cuda.apsp import BLOCK, VARIANTS, floyd_warshall
from warpath.cuda.minplus import Relax, Rows, Tile, words_of
from warpath.cuda.product import Matrix, Products, packed_words
from warpath.cuda.representation import no_path
from warpath.cuda.several import BLOCK as SEVERAL_BLOCK
from warpath.cuda.several import Shares
from warpath.cuda.transport import TRANSPORTS

REPEATS, MAX_MILLISECONDS = 3, 500.0  # runs of a row, and after which time there are no more
SAMPLE = 64
DTYPES = ["float32", "float32-", "float64", "int32", "int32-", "int16"]
# What a product is measured with by default, without predecessors and with them.
TILES = {
    False: [
        "128x128x16x3x8x8x2x2", "128x128x8x4x8x8x2x2", "128x128x8x3x8x8x2x2", "128x256x8x3x8x16x2x1",
        "256x128x8x3x16x8x2x1", "128x128x16x3x16x8x2x2", "128x128x16x3x8x16x2x2",
        "128x64x16x3x8x4x2x2", "128x128x16x3x8x8x2x1", "64x64x16x3x4x4x2x3", "64x64x16x3x4x4x2x2",
        "128x64x8x3x8x4x2x2", "64x64x8x3x4x4x2x2", "128x128x8x3x8x8x2x1",
    ],
    True: [
        "128x128x16x3x8x8x2x1", "128x128x16x3x8x8x4x1", "128x64x16x3x8x4x4x1", "128x64x16x3x8x4x8x1",
        "64x64x16x3x4x4x4x2", "64x64x16x3x4x4x8x2", "64x64x16x3x4x4x2x3", "64x64x8x3x4x4x2x1",
        "64x32x8x3x4x4x2x3",
    ],
}  # fmt: skip


def arcs(n: int, dtype: str, predecessors: bool) -> tuple[Any, Any]:
    """(weights, predecessors or None); of some negative weights where the dtype ends in "-"."""
    rng = cp.random.default_rng(1)
    name = dtype.rstrip("-")
    if name.startswith("float"):
        weights = rng.random((n, n), dtype=cp.float32).astype(name, copy=False)
    else:
        weights = rng.integers(1, 1000, (n, n), dtype=cp.int32).astype(name)
    if dtype.endswith("-"):  # by potentials, small enough for most weights to stay positive
        shift = (
            rng.random(n, dtype=cp.float32) * (0.1 if name.startswith("float") else 100)
        ).astype(name)
        weights += shift[:, None]
        weights -= shift
    cp.fill_diagonal(weights, 0)
    if not predecessors:
        return weights, None
    tree = cp.broadcast_to(cp.arange(n, dtype=cp.int32)[:, None], (n, n)).copy()
    cp.fill_diagonal(tree, -1)
    return weights, tree


def sample(n: int) -> Any:
    """Some vertices."""
    return np.random.default_rng(2).integers(0, n, SAMPLE)


def check(given: Any, distance: Any, tree: Any, dtype: str) -> None:
    """Distances of a sample are what `check_rows` asks for; predecessors are tight."""
    some = cp.asarray(sample(len(given)))
    rows = distance[some]
    check_rows(some, given[some], rows, dtype)
    if tree is not None:
        before = cp.maximum(tree[some], 0)
        made = cp.take_along_axis(rows, before, 1).astype(float)
        made += given[before, cp.arange(len(given))]
        if not bool(((abs(made - rows) <= slack(dtype)) | (tree[some] < 0)).all()):
            raise SystemExit(f"{dtype}, n = {len(given)}: a predecessor does not make its distance")


def check_rows(some: Any, given: Any, rows: Any, dtype: str) -> None:
    """These vertices' distances: no larger than arcs, not improved through each other."""
    if not bool((rows <= given).all()):
        raise SystemExit(f"{dtype}: a distance is larger than an arc")
    rows = rows.astype(cp.float64)
    for i, k in enumerate(some.tolist()):
        if not bool((rows <= rows[:, k, None] + rows[i] + slack(dtype)).all()):
            raise SystemExit(f"{dtype}: vertex {k} improves a distance")


def slack(dtype: str) -> float:
    """What sums of a few roundings may differ by."""
    return 1e-5 if "float32" in dtype else 1e-12 if "float" in dtype else 0


def median_ms(call: Callable[[], object], before: Callable[[], object]) -> float:
    """Of up to `REPEATS` runs, as time allows; each after ``before``, which is not timed."""
    times: list[float] = []
    while len(times) < REPEATS and sum(times) < MAX_MILLISECONDS:
        before()
        times.append(device_ms(call))
    return float(np.median(times))


def restoring(*pairs: tuple[Any, Any]) -> Callable[[], None]:
    """Copies to the first array of each pair from the second; None has nothing."""

    def again() -> None:
        for into, given in pairs:
            if into is not None:
                cp.copyto(into, given)

    return again


def whole(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of whole runs."""
    for n, dtype, predecessors in product(
        arguments.sizes, arguments.dtypes, arguments.predecessors
    ):
        given, given_tree = arcs(n, dtype, predecessors)
        distance = cp.empty_like(given)
        tree = None if given_tree is None else cp.empty_like(given_tree)

        again = restoring((distance, given), (tree, given_tree))

        for variant, block, tile in product(
            arguments.variants, arguments.blocks, arguments.tiles or [None]
        ):
            if variant != "blocked" and block != arguments.blocks[0]:
                continue
            if variant == "plain" and n > arguments.most_plain:
                continue
            call = partial(
                floyd_warshall, distance, tree, "shortest", variant, block=block, tile=tile
            )
            again()
            call()
            check(given, distance, tree, dtype)
            ms = median_ms(call, again)
            yield {
                "what": variant, "n": n, "dtype": dtype, "predecessors": predecessors,
                "block": block if variant == "blocked" else None, "tile": name_of(tile),
                "ms": round(ms, 3), "Trelax/s": round(n**3 / ms / 1e9, 2),
            }  # fmt: skip
        del given, given_tree, distance, tree, again, call
        cp.get_default_memory_pool().free_all_blocks()


def products(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of a product of n rows, n columns and a block's steps."""
    for n, dtype, predecessors in product(
        arguments.sizes, arguments.dtypes, arguments.predecessors
    ):
        given, tree = arcs(n, dtype, predecessors)
        words = words_of(dtype.rstrip("-"), "shortest", dtype.endswith("-"))
        tiles = arguments.tiles or [tile_of(name) for name in TILES[predecessors]]
        for tile, depth in product(tiles, arguments.blocks):
            step = Relax(Rows(0, n), 0, depth)
            matrix = Matrix(given.copy(), None if tree is None else tree.copy(), words)
            other = Matrix(given, tree, words)
            try:
                multiply = Products(words, predecessors, packed_words(step), tile)
                multiply.relax(matrix, step, other)
            except Exception as error:  # a tile that does not suit the words
                print(f"{dtype} {name_of(tile)}: {str(error).splitlines()[-1]}", flush=True)
                continue

            again = restoring((matrix.distance, given))
            ms = median_ms(partial(multiply.relax, matrix, step, other), again)
            yield {
                "what": "product", "n": n, "dtype": dtype, "predecessors": predecessors,
                "block": depth, "tile": name_of(tile),
                "ms": round(ms, 3), "Trelax/s": round(n * n * depth / ms / 1e9, 2),
            }  # fmt: skip


COMPONENTS = (1, 4, 16, 64)
DEGREES = (0.5, 2, 8)  # arcs per vertex; from about 1 on most of a random graph is one component


def matrices_of_few_arcs(n: int, dtype: str) -> Iterator[tuple[str, Any]]:
    """(what it is, arcs): components of neighbouring vertices that are complete; random graphs."""
    given, _ = arcs(n, dtype, False)
    none = no_path(given.dtype, "shortest")
    for count in COMPONENTS:
        component = cp.arange(n) * count // n
        apart = component[:, None] != component
        yield f"{count} diagonal blocks", cp.where(apart, none, given)
    for degree in DEGREES:
        there = cp.random.default_rng(3).random((n, n), dtype=cp.float32) < degree / n
        cp.fill_diagonal(there, True)
        yield f"random, {degree:g} arcs per vertex", cp.where(there, given, none)


def lazily(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of whole runs with products that look for paths first, compared with the others.

    Distances and predecessors are the same to the bit, or the run ends.
    """
    for n, dtype, predecessors, variant in product(
        arguments.sizes, arguments.dtypes, arguments.predecessors, arguments.variants
    ):
        for what, given in matrices_of_few_arcs(n, dtype):
            distance = cp.empty_like(given)
            present = given != no_path(given.dtype, "shortest")
            given_tree = cp.where(present, cp.arange(n, dtype=cp.int32)[:, None], cp.int32(-1))
            cp.fill_diagonal(given_tree, -1)
            tree = cp.empty_like(given_tree) if predecessors else None

            again = restoring((distance, given), (tree, given_tree))

            ms, answers = {}, {}
            for lazy in (False, True):
                call = partial(floyd_warshall, distance, tree, "shortest", variant, lazy=lazy)
                again()
                call()
                answers[lazy] = [a.copy() for a in (distance, tree) if a is not None]
                ms[lazy] = median_ms(call, again)
            for one, other in zip(answers[False], answers[True], strict=True):
                if not bool((one == other).all()):
                    raise SystemExit(f"{dtype}, n = {n}, {what}: the lazy answer differs")
            yield {
                "what": what, "variant": variant, "n": n, "dtype": dtype,
                "predecessors": predecessors, "ms": round(ms[False], 3),
                "lazy ms": round(ms[True], 3), "times": round(ms[False] / ms[True], 2),
            }  # fmt: skip
            del distance, given_tree, tree, again, call, answers, present, given
            cp.get_default_memory_pool().free_all_blocks()


def on_several(arguments: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Rows of matrices on the first device whose rows are spread over several; by the host's clock.

    ``ms`` is of the steps alone, rows being where they belong; ``all ms`` with their copies from
    the first device and back.
    """
    for n, dtype, predecessors in product(
        arguments.sizes, arguments.dtypes, arguments.predecessors
    ):
        given, given_tree = arcs(n, dtype, predecessors)
        distance, tree = given.copy(), None if given_tree is None else given_tree.copy()

        again = restoring((distance, given), (tree, given_tree))

        def row(
            ms: list[float], with_copies: list[float], dtype: str = dtype,
            predecessors: bool = predecessors, n: int = n, **what: Any,
        ) -> dict[str, Any]:  # fmt: skip
            median = float(np.median(ms))
            return {
                **what, "n": n, "dtype": dtype, "predecessors": predecessors,
                "ms": round(median, 2), "Trelax/s": round(n**3 / median / 1e9, 2),
                "all ms": round(float(np.median(with_copies)), 2),
            }  # fmt: skip

        def timed(call: Callable[[], object]) -> float:
            for device in range(max(arguments.gpus)):
                cp.cuda.Device(device).synchronize()
            began = time.perf_counter()
            call()
            cp.cuda.Device().synchronize()
            return (time.perf_counter() - began) * 1e3

        alone = []
        for _ in range(REPEATS):
            again()
            alone.append(timed(lambda distance=distance, tree=tree: floyd_warshall(distance, tree)))
        # The first run compiles.
        yield row(alone[1:], alone[1:], gpus=1, block=BLOCK, transport="alone")
        for gpus, block, transport in product(
            arguments.gpus, arguments.spread_blocks, arguments.transports
        ):
            if gpus == 1 and transport != arguments.transports[0]:
                continue
            steps, everything = [], []
            for _ in range(REPEATS):
                again()
                shares = Shares(n, given.dtype, predecessors, tuple(range(gpus)), block=block)
                none = np.inf if given.dtype.kind == "f" else np.iinfo(given.dtype).max

                def close(shares: Shares = shares, transport: str = transport) -> None:
                    steps.append(timed(lambda: shares.close(transport=transport)))  # noqa: B023

                def whole_run(
                    shares: Shares = shares, close: Callable[[], None] = close, none: Any = none,
                    distance: Any = distance, tree: Any = tree,
                ) -> None:  # fmt: skip
                    shares.load(distance, tree, none)
                    close()
                    shares.store(distance, tree)

                everything.append(timed(whole_run))
                del shares, close, whole_run
            check(given, distance, tree, dtype)
            sent = "none" if gpus == 1 else transport
            yield row(steps[1:], everything[1:], gpus=gpus, block=block, transport=sent)
        del given, given_tree, distance, tree, again
        cp.get_default_memory_pool().free_all_blocks()


def tile_of(text: str) -> Tile:
    """By its numbers."""
    return Tile(*map(int, text.split("x")))


def name_of(tile: Tile | None) -> str:
    """Its numbers."""
    if tile is None:
        return "default"
    numbers = (
        tile.rows, tile.columns, tile.depth, tile.stages,
        tile.thread_rows, tile.thread_columns, tile.together, tile.blocks,
    )  # fmt: skip
    return "x".join(map(str, numbers))


def clocks() -> str:
    """What the device runs at while it is busy."""
    busy, _ = arcs(8192, "float32", False)
    floyd_warshall(busy)  # compiles
    query = ["nvidia-smi", "--query-gpu=name,clocks.sm,power.draw", "--format=csv,noheader"]
    with subprocess.Popen(query, stdout=subprocess.PIPE, text=True) as asking:
        while asking.poll() is None:
            floyd_warshall(busy)
        return asking.stdout.read().strip() if asking.stdout else ""


def numbers(text: str) -> list[int]:
    """Of an option: with commas between."""
    return [int(word) for word in text.split(",")]


def listed(text: str) -> list[str]:
    """Likewise."""
    return text.split(",")


def parser_of(about: str) -> argparse.ArgumentParser:
    """With the options that say what a matrix has."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--dtypes", type=listed, default=DTYPES, help='"int32-": some negative')
    parser.add_argument(
        "--predecessors", choices=["no", "yes", "both"], default="both", help="keep them or not"
    )
    return parser


def parsed(parser: argparse.ArgumentParser) -> argparse.Namespace:
    """The options of the command line."""
    arguments = parser.parse_args()
    both = {"no": [False], "yes": [True], "both": [False, True]}
    arguments.predecessors = both[arguments.predecessors]
    return arguments


def show(found: Iterable[dict[str, Any]]) -> None:
    """A line of JSON a row as they come, then all as a table."""
    print(f"while busy: {clocks()}", flush=True)
    rows = []
    for row in found:
        print(json.dumps(row), flush=True)
        rows.append(row)
    titles = list(rows[0])
    print("| " + " | ".join(titles) + " |")
    print("| --- " * len(titles) + "|")
    for row in rows:
        print("| " + " | ".join(str(row[title]) for title in titles) + " |")


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__ or "")
    parser.add_argument("--sizes", type=numbers, default=[4096, 8192, 16384])
    parser.add_argument("--variants", type=listed, default=["blocked"], help=", ".join(VARIANTS))
    parser.add_argument("--blocks", type=numbers, default=[BLOCK])
    parser.add_argument("--tiles", type=listed, default=None)
    parser.add_argument("--products", action="store_true", help="products alone")
    parser.add_argument(
        "--gpus", type=numbers, metavar="COUNT,...", help="rows spread over these numbers of GPUs"
    )
    parser.add_argument("--lazy", action="store_true", help="lazy products next to the others")
    parser.add_argument("--spread-blocks", type=numbers, default=[SEVERAL_BLOCK])
    parser.add_argument("--transports", type=listed, default=list(TRANSPORTS))
    parser.add_argument("--most-plain", type=int, default=4096, help='largest n of "plain"')
    arguments = parsed(parser)
    arguments.tiles = [tile_of(name) for name in arguments.tiles] if arguments.tiles else None
    mode = whole
    for wanted, other in (
        (arguments.products, products),
        (arguments.gpus, on_several),
        (arguments.lazy, lazily),
    ):
        mode = other if wanted else mode
    show(mode(arguments))


if __name__ == "__main__":
    main()
