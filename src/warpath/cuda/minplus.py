"""How a matrix is closed by products over a path algebra: kernels' names, tiles, order.

``kernels/minplus.cuh`` has the product, ``kernels/floyd_warshall.cuh`` the steps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

DTYPES = ("int16", "int32", "int64", "float32", "float64")
ALGEBRAS = {
    "shortest": "Shortest",
    "minimax": "Minimax",
    "widest": "Widest",
    "most-reliable": "MostReliable",
}
# Vertices whose rows are closed step by step; a block of threads has 64² distances in registers.
BASE = 64
_WORDS = {
    "int16": ("warpath::Pair<warpath::Signed16>", 4, 2),
    "int32": ("int", 4, 1),
    "int64": ("long long", 8, 1),
    "float32": ("float", 4, 1),
    "float64": ("double", 8, 1),
}
_UNSIGNED = {
    "int16": "warpath::Pair<warpath::Unsigned16>",
    "int32": "unsigned",
    "int64": "unsigned long long",
}


@dataclass(frozen=True)
class Tile:
    """How a product is cut; ``minplus.cuh`` says what its numbers are.

    Attributes
    ----------
    rows, columns : int
        Words of the result that a block has.
    depth, stages : int
        Steps of a chunk in shared memory, and chunks.
    thread_rows, thread_columns : int
        Words that a thread has.
    together : int
        Steps whose operands a thread has in registers.
    blocks : int
        How many a multiprocessor runs at once: bounds a thread's registers.
    """

    rows: int
    columns: int
    depth: int
    stages: int
    thread_rows: int
    thread_columns: int
    together: int
    blocks: int

    @property
    def threads(self) -> int:
        """Threads per block."""
        return self.rows // self.thread_rows * (self.columns // self.thread_columns)

    @property
    def kernel(self) -> str:
        """As C++ names it."""
        numbers = (
            self.rows, self.columns, self.depth, self.stages,
            self.thread_rows, self.thread_columns,
            self.together, self.blocks,
        )  # fmt: skip
        return f"warpath::ProductTile<{', '.join(map(str, numbers))}>"


class Tiles(NamedTuple):
    """The tiles of products in general, and of those with fewer such tiles than multiprocessors."""

    large: Tile
    small: Tile


# By bytes of a word, its distances, and whether there are predecessors, which take a register a
# word. Without them measured on an H200, 2026-11, of 4 bytes; else by counting instructions.
TILES = {
    (4, 1, False): Tiles(Tile(128, 128, 16, 3, 8, 8, 2, 2), Tile(64, 64, 16, 3, 4, 4, 2, 3)),
    (4, 2, False): Tiles(Tile(128, 128, 16, 3, 8, 8, 2, 2), Tile(64, 64, 16, 3, 4, 4, 2, 3)),
    (8, 1, False): Tiles(Tile(64, 64, 8, 3, 4, 4, 2, 2), Tile(64, 64, 8, 3, 4, 4, 2, 2)),
    (4, 1, True): Tiles(Tile(128, 128, 16, 3, 8, 8, 4, 1), Tile(64, 64, 16, 3, 4, 4, 4, 2)),
    (4, 2, True): Tiles(Tile(128, 64, 16, 3, 8, 4, 8, 1), Tile(64, 64, 16, 3, 4, 4, 8, 2)),
    (8, 1, True): Tiles(Tile(64, 32, 8, 3, 4, 4, 2, 3), Tile(64, 32, 8, 3, 4, 4, 2, 3)),
}


class Words(NamedTuple):
    """What a kernel computes with; see ``core/path_algebra.cuh``.

    Attributes
    ----------
    algebra, word : str
        As C++ names them.
    bytes : int
        The size of a word.
    distances : int
        That a word holds.
    """

    algebra: str
    word: str
    bytes: int
    distances: int = 1


def words_of(dtype: str, algebra: str, negative: bool) -> Words:
    """What kernels compute with.

    Parameters
    ----------
    dtype : str
        One of `DTYPES`.
    algebra : {"shortest", "minimax", "widest", "most-reliable"}
    negative : bool
        Whether a distance may be negative.
    """
    word, size, distances = _WORDS[dtype]
    tag = ALGEBRAS[algebra]
    if algebra == "shortest" and not negative:
        word = _UNSIGNED.get(dtype, word)
        if dtype == "float32":
            tag = "ShortestNonNegative"
    return Words(tag, word, size, distances)


def tiles_for(words: Words, predecessors: bool) -> Tiles:
    """How products are cut that no tile is asked for."""
    return TILES[words.bytes, words.distances, predecessors]


def product_kernel(words: Words, tile: Tile, predecessors: bool, lazy: bool = False) -> str:
    """The product of ``minplus.cuh``, as C++ names it."""
    return (
        f"warpath::minplus<warpath::{words.algebra}, {words.word}, {tile.kernel}, "
        f"{str(predecessors).lower()}, {str(lazy).lower()}>"
    )


def look_kernel(words: Words) -> str:
    """The kernel that says which chunks of an operand have paths, as C++ names it."""
    return f"warpath::look_for_paths<{words.word}>"


def pack_kernel(words: Words) -> str:
    """The kernel that turns a product's left operand, as C++ names it."""
    return f"warpath::pack<{words.word}>"


def pivot_kernel(words: Words, predecessors: bool, base: int = BASE) -> str:
    """The kernel of ``floyd_warshall.cuh`` that closes a diagonal tile, as C++ names it."""
    return f"warpath::close_pivot<{_instance(words)}, {base}, {str(predecessors).lower()}>"


def panel_kernel(words: Words, predecessors: bool, base: int = BASE) -> str:
    """The one that closes the other tiles of its rows."""
    return f"warpath::close_panel<{_instance(words)}, {base}, {str(predecessors).lower()}>"


def step_kernel(words: Words, predecessors: bool) -> str:
    """The one that does one step of the plain algorithm."""
    return f"warpath::relax_through<{_instance(words)}, {str(predecessors).lower()}>"


def _instance(words: Words) -> str:
    return f"warpath::{words.algebra}, {words.word}"


class Rows(NamedTuple):
    """Rows ``first`` … ``first + size + gap − 1`` of a matrix without ``gap`` of them.

    Those that are left out come after ``gap_at`` others.
    """

    first: int
    size: int
    gap_at: int = 0
    gap: int = 0


class Close(NamedTuple):
    """Relax the rows ``low`` … ``low + base − 1`` through these vertices, step by step."""

    low: int


class Relax(NamedTuple):
    """Relax ``rows`` through the vertices ``low`` … ``high − 1``, whose rows are closed."""

    rows: Rows
    low: int
    high: int


def closing(n: int, size: int, base: int = BASE) -> Iterator[Close | Relax]:
    """The order in which a matrix is closed.

    Groups of ``size`` vertices in turn: their own rows are closed by halves, then all other rows
    are relaxed through them. Each row so goes through all vertices once, lower ones first.

    Parameters
    ----------
    n, size : int
        Multiples of ``base``.
    """
    for low in range(0, n, size):
        high = min(low + size, n)
        yield from closing_group(low, high, base)
        if high - low < n:
            yield Relax(Rows(0, n - (high - low), low, high - low), low, high)


def closing_group(low: int, high: int, base: int = BASE) -> Iterator[Close | Relax]:
    """The order in which rows ``low`` … ``high − 1`` are closed, by halves, of multiples of ``base``."""
    if high - low == base:
        yield Close(low)
        return
    middle = low + (high - low) // base // 2 * base
    yield from closing_group(low, middle, base)
    yield Relax(Rows(middle, high - middle), low, middle)
    yield from closing_group(middle, high, base)
    yield Relax(Rows(low, middle - low), middle, high)
