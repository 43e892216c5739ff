"""Breadth-first searches by the plain kernels of plain.cu and plain_children.cu: one launch per level, or a few.

A *list* is what a level has to process: vertices, nodes of a split graph, or arcs. After each
launch the host reads how long the next one is. All launches are kept, so that a search can be
repeated without: then every length is known, and the device never waits for the host.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from warpath.balance.node_splitting import split

CODE = Path(__file__).with_name("plain.cu")
CHILDREN = CODE.with_name("plain_children.cu")  # its further kernels are linked for child grids
WITH_CHILDREN = "virtual_warp_with_children"  # the only kernel of that
BLOCK, WARP, ARCS_PER_THREAD = 256, 32, 8  # as there
# Of our defaults, and of the tables in docs/performance.md.
WIDTH, LEAST_WIDTH, OUTLIER, CHUNK, MDT, T_DP = 8, 4, 64, 32, 64, 4096
F0 = 10  # items per vertex; the paper's, and ours
SWITCH_BELOW = 1024  # vertices; the paper's, and ours
WALKERS = 132 * 2048  # threads among which workload decomposition shares arcs: those of an H200
MOST_LISTS = 2**16  # of a search; each has a counter of its own, so none is cleared in between

Launch = Callable[..., None]  # (kernel's name, threads, *arguments)


@dataclass(frozen=True)
class Level:
    """Lists that a level reads and writes."""

    number: int
    now: Any
    size: int  # of it
    next: Any
    found: Any  # how long that one has become

    def of(self, now: Any, size: int) -> "Level":
        """The same, for another list to read."""
        return replace(self, now=now, size=size)


class PlainSearch:
    """Searches of a graph by one technique.

    Parameters
    ----------
    xp : module
        CuPy, or what has its functions and memory.
    launch : callable
        Queues ``launch(kernel, threads, *arguments)``.
    technique : str
        One of `TECHNIQUES`.
    offsets : uint32 array of NumPy, shape (n + 1,)
    columns : uint32 array of ``xp``, shape (m,)
    """

    def __init__(self, xp: Any, launch: Launch, technique: str, offsets: Any, columns: Any) -> None:
        n = len(offsets) - 1
        self.xp, self._launch = xp, launch
        self._expand, rows = TECHNIQUES[technique]
        # Rows that threads walk, and what of them a vertex brings into a list.
        self._first, walked = rows(offsets)
        self.offsets, self.columns = xp.asarray(walked), columns
        self.first = None if self._first is None else xp.asarray(self._first)
        places = n if self._first is None else max(1, int(self._first[-1]))
        self._lists = [xp.empty(places, xp.uint32) for _ in range(2)]
        self.rest = [xp.empty(n, xp.uint32) for _ in range(2)]
        self.distance = xp.empty(n, xp.int32)
        self._counters = xp.empty(MOST_LISTS, xp.uint32)
        self.places = xp.empty((n + len(columns)) // (BLOCK * ARCS_PER_THREAD) + 1, xp.uint32)
        self._degree, self.prefix = xp.empty(n, xp.uint32), xp.zeros(n + 1, xp.uint32)
        self.launches: list[Callable[[], object]] = []

    def run(self, sources: Any) -> None:
        """Search from all of ``sources``, a sequence, together; `distance` is the answer, −1 if unreachable."""
        begin = self.xp.asarray(self._begin(sources), self.xp.uint32)
        starts = self.xp.asarray(sources)
        now, following = self._lists
        size, number, self._counted = len(begin), 0, 0
        self.launches.clear()

        def start() -> None:
            self.distance.fill(-1)
            self.distance[starts] = 0
            self._counters.fill(0)
            self._lists[0][: len(begin)] = begin

        self._do(start)
        while size > 0:
            number += 1
            level = Level(number, now, size, following, self.counter())
            self._expand(self, level)
            size = int(level.found[0])
            now, following = following, now

    def repeat(self) -> None:
        """Queue what the last search did, once more."""
        for launch in self.launches:
            launch()

    def visit(self, kernel: str, threads: int, level: Level, *more: Any) -> None:
        """Launch a kernel that visits arcs."""
        self.launch(
            kernel, threads, level.now, np.uint32(level.size), self.offsets, self.columns,
            self.distance, np.int32(level.number), level.next, level.found, *more,
        )  # fmt: skip

    def launch(self, kernel: str, threads: int, *arguments: Any) -> None:
        """Launch ``threads`` threads or a few more; a list without arcs needs none."""
        if threads > 0:
            self._do(lambda: self._launch(kernel, threads, *arguments))

    def counter(self) -> Any:
        """The length of a list that is going to be written, still 0."""
        self._counted += 1
        return self._counters[self._counted - 1 : self._counted]

    def sum_degrees(self, vertices: Any, size: int, skip: int = 0) -> int:
        """Prefix sums of the arcs of vertices but the first ``skip`` of each; returns the sum of all."""
        degree, prefix = self._degree[:size], self.prefix[1 : size + 1]
        self.launch(
            "degrees", size, vertices, np.uint32(size), self.offsets, np.uint32(skip), degree
        )

        def scan() -> None:
            prefix[...] = self.xp.cumsum(degree, dtype=self.xp.uint32)

        self._do(scan)
        return int(prefix[-1])

    def _do(self, launch: Callable[[], object]) -> None:
        self.launches.append(launch)
        launch()

    def _begin(self, sources: Any) -> Any:
        """The first list."""
        first = self._first
        if first is None:
            return np.asarray(sources)
        return np.concatenate([np.arange(first[s], first[s + 1]) for s in sources])


def _thread_mapped(search: PlainSearch, level: Level) -> None:
    search.visit("thread_mapped", level.size, level)


def _virtual_warp(width: int) -> Callable[[PlainSearch, Level], None]:
    def expand(search: PlainSearch, level: Level) -> None:
        search.visit("virtual_warp", level.size * width, level, np.uint32(width))

    return expand


def _dynamic_width(level: Level) -> int:
    width = WARP
    while width > LEAST_WIDTH and width * level.size > WALKERS:
        width //= 2
    return width


def _dynamic_virtual_warp(search: PlainSearch, level: Level) -> None:
    _virtual_warp(_dynamic_width(level))(search, level)


def _dynamic_parallelism(search: PlainSearch, level: Level) -> None:
    width = _dynamic_width(level)
    search.visit(WITH_CHILDREN, level.size * width, level, np.uint32(width), np.uint32(T_DP))


def _defer_outliers(search: PlainSearch, level: Level) -> None:
    large, many = search.rest[0], search.counter()
    search.visit(
        "defer_outliers", level.size * WIDTH, level,
        np.uint32(WIDTH), np.uint32(OUTLIER), large, many,
    )  # fmt: skip
    if (size := int(many[0])) > 0:
        search.visit("outliers", size * BLOCK, level.of(large, size))


def _dynamic_distribution(search: PlainSearch, level: Level) -> None:
    threads = min(WALKERS, -(-level.size // CHUNK) * WIDTH)
    search.visit(
        "dynamic_distribution", threads, level, np.uint32(WIDTH), np.uint32(CHUNK), search.counter()
    )


def _partition(search: PlainSearch, level: Level, items: int, ends: int = 0) -> int:
    """Cut a level into equal parts for blocks; returns how many threads that takes.

    Parts of the items or, where each vertex ``ends`` by 1, of the merge path.
    """
    threads = -(-(items + ends * level.size) // ARCS_PER_THREAD)
    parts = -(-threads // BLOCK)
    search.launch(
        "partition", parts, search.prefix,
        np.uint32(level.size), np.uint32(parts), np.uint32(ends), search.places,
    )  # fmt: skip
    return threads


def _two_phase_search(search: PlainSearch, level: Level) -> None:
    items = search.sum_degrees(level.now, level.size)
    threads = _partition(search, level, items)
    search.visit("two_phase_search", threads, level, search.prefix, np.uint32(items), search.places)


def _merge_path(f0: float) -> Callable[[PlainSearch, Level], None]:
    """Equal parts of the path where a level has more than ``f0`` items per vertex, else of the items."""

    def expand(search: PlainSearch, level: Level) -> None:
        items = search.sum_degrees(level.now, level.size)
        ends = int(items > f0 * level.size)
        threads = _partition(search, level, items, ends)
        search.visit(
            "coalesced_expansion", threads, level,
            search.prefix, np.uint32(items), search.places, np.uint32(ends),
        )  # fmt: skip

    return expand


def _merge_path_global(search: PlainSearch, level: Level) -> None:
    items = search.sum_degrees(level.now, level.size)
    arcs = search.xp.empty(items, np.uint32)
    search.launch(
        "redistribution", _partition(search, level, items, 1), level.now, np.uint32(level.size),
        search.offsets, search.prefix, np.uint32(items), search.places, arcs,
    )  # fmt: skip
    search.visit("gathering", items, level.of(arcs, items))


def _cta_warp_scan(search: PlainSearch, level: Level) -> None:
    search.visit("cta_warp_scan", level.size, level)


def _direct_search(search: PlainSearch, level: Level) -> None:
    items = search.sum_degrees(level.now, level.size)
    search.visit("direct_search", items, level, search.prefix, np.uint32(items))


def _local_search(kernel: str) -> Callable[[PlainSearch, Level], None]:
    def expand(search: PlainSearch, level: Level) -> None:
        search.sum_degrees(level.now, level.size)
        search.visit(kernel, level.size, level, search.prefix)

    return expand


def _workload_decomposition(search: PlainSearch, level: Level, skip: int = 0) -> None:
    items = search.sum_degrees(level.now, level.size, skip)
    share = max(1, -(-items // WALKERS))
    search.visit(
        "workload_decomposition", -(-items // share), level,
        search.prefix, np.uint32(items), np.uint32(share), np.uint32(skip),
    )  # fmt: skip


def _edge_parallel(chunking: bool) -> Callable[[PlainSearch, Level], None]:
    def expand(search: PlainSearch, level: Level) -> None:
        search.visit("edge_parallel", level.size, level, np.uint32(chunking))

    return expand


def _node_splitting(search: PlainSearch, level: Level) -> None:
    search.visit("node_splitting", level.size, level, search.first)


def _hierarchical(search: PlainSearch, level: Level) -> None:
    now, size, skip, (rest, other) = level.now, level.size, 0, search.rest
    while size >= SWITCH_BELOW:
        left = search.counter()
        part = level.of(now, size)
        search.visit("hierarchical", size, part, np.uint32(skip), np.uint32(MDT), rest, left)
        now, rest, other = rest, other, rest
        size, skip = int(left[0]), skip + MDT
    if size > 0:
        _workload_decomposition(search, level.of(now, size), skip)


def _of_vertices(offsets: Any) -> tuple[Any, Any]:
    return None, offsets


def _of_arcs(offsets: Any) -> tuple[Any, Any]:
    return offsets, offsets


def _of_nodes(offsets: Any) -> tuple[Any, Any]:
    walked, first, _ = split(np, offsets, MDT)
    return first, walked


# By the names of our balances: how a level is expanded, and what lists consist of.
TECHNIQUES: dict[str, tuple[Callable[[PlainSearch, Level], None], Callable[[Any], Any]]] = {
    "thread-mapped": (_thread_mapped, _of_vertices),
    "virtual-warp": (_virtual_warp(WIDTH), _of_vertices),
    "virtual-warp:width=32": (_virtual_warp(WARP), _of_vertices),
    f"virtual-warp:defer_outliers={OUTLIER}": (_defer_outliers, _of_vertices),
    f"virtual-warp:dynamic_distribution={CHUNK}": (_dynamic_distribution, _of_vertices),
    "dynamic-virtual-warp": (_dynamic_virtual_warp, _of_vertices),
    f"dynamic-virtual-warp:dynamic_parallelism={T_DP}": (_dynamic_parallelism, _of_vertices),
    "cta-warp-scan": (_cta_warp_scan, _of_vertices),
    "direct-search": (_direct_search, _of_vertices),
    "local-warp-search": (_local_search("local_warp_search"), _of_vertices),
    "block-search": (_local_search("block_search"), _of_vertices),
    "two-phase-search": (_two_phase_search, _of_vertices),
    "multi-phase-search": (_merge_path(math.inf), _of_vertices),
    "merge-path": (_merge_path(F0), _of_vertices),
    "merge-path:coupling=balanced-redistribution": (_merge_path(0), _of_vertices),
    "merge-path:coupling=balanced-gathering": (_merge_path(math.inf), _of_vertices),
    "merge-path:coupling=global": (_merge_path_global, _of_vertices),
    "workload-decomposition": (_workload_decomposition, _of_vertices),
    "edge-parallel": (_edge_parallel(True), _of_arcs),
    "edge-parallel:chunking=off": (_edge_parallel(False), _of_arcs),
    f"node-splitting:MDT={MDT}": (_node_splitting, _of_nodes),
    f"hierarchical:MDT={MDT}": (_hierarchical, _of_vertices),
}
