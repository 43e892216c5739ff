"""Sums by propagation blocking: blocks that are full, cut, empty; hubs; edges that are sorted some at a time."""

import numpy as np
import pytest

import warpath as wp
from emulated_runtime import EmulatedRuntime
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import accumulate_kernel, propagate_kernel, split_kernel, tiles_kernel
from warpath.cuda.propagation_blocking import BlockedSums, blocks_of
from warpath.cuda.runtime import use

THREADS = 64
SHARED = 2048  # bytes of a block: at most 96 rows, and 192 or 96 columns


@pytest.fixture(scope="module")
def runtime(emulator):
    made = [
        ("propagation_blocking.cuh", instance)
        for instance in (
            *(
                tiles_kernel(name, offset, columns, THREADS)
                for name in ("count_tiles", "fill_tiles")
                for offset in (4, 8)
                for columns in (96, 192)
            ),
            split_kernel(THREADS),
            propagate_kernel("float32", 192, THREADS),
            propagate_kernel("int64", 96, THREADS),
            *(accumulate_kernel(value, THREADS) for value in ("float32", "int64")),
        )
    ]
    with EmulatedRuntime(emulator, made) as runtime:
        runtime.max_shared_bytes = SHARED
        yield runtime


def star(directed=True):
    """A vertex that all others lead to, among blocks without edges."""
    return wp.Graph.from_edges(np.arange(300), np.full(300, 77), n=1000, directed=directed)


GRAPHS = {
    "karate": lambda: wp.generate.named("karate"),
    "skewed": lambda: wp.generate.rmat(9, 12, directed=True, seed=2),
    "a hub": star,
    "a hub, both ways": lambda: star(directed=False),
    "parallel edges": lambda: wp.Graph.from_edges([1] * 999 + [200] * 50, [130] * 1049, n=300),
    "last blocks are cut": lambda: wp.generate.erdos_renyi(513, 3000, directed=True, seed=1),
    "one vertex": lambda: wp.Graph.from_edges([0], [0], n=1),
    "no edges": lambda: wp.Graph.from_edges([], [], n=5),
}


def check(runtime, graph, dtype, *, seed=0, multiprocessors=2, wide=False):
    """Sums are those of NumPy, twice, and what is given in between is read again."""
    random = np.random.default_rng(3)
    runtime.seed, runtime.multiprocessors = seed, multiprocessors
    reverse = graph.reverse
    with use(runtime):
        there = DeviceGraph.from_arrays(
            reverse.row_offsets, reverse.column_indices, directed=True, wide=wide
        )
        given = runtime.xp.zeros(graph.num_vertices, dtype)
        sums = BlockedSums(there, given)
        for _ in range(2):
            # Sums are of more than 32 bits.
            values = random.integers(0, 2**24, graph.num_vertices).astype(dtype) * dtype(2**12)
            given[...] = values
            source, target, _ = graph.coo()
            wanted = np.zeros(graph.num_vertices, np.int64)
            np.add.at(wanted, target, values[source].astype(np.int64))
            assert np.array_equal(sums.run().get(), wanted)


@pytest.mark.parametrize("dtype", [np.float32, np.int64])
@pytest.mark.parametrize("name", GRAPHS)
def test_graphs(runtime, name, dtype):
    graph = GRAPHS[name]()
    for seed in range(2):
        check(runtime, graph, dtype, seed=seed, multiprocessors=1 + 2 * seed)
    check(runtime, graph, dtype, wide=True)


def test_edges_are_sorted_some_at_a_time(runtime, monkeypatch):
    """A tile's edges come from several sorts, and a hub's, too."""
    whole = blocks_of
    for at_once in (32, 96):
        monkeypatch.setattr(
            "warpath.cuda.propagation_blocking.blocks_of",
            lambda *a, size=at_once: whole(*a)._replace(at_once=size),
        )
        check(runtime, GRAPHS["skewed"](), np.float32)
        check(runtime, star(), np.float32)


def test_blocks_fit_shared_memory(runtime, monkeypatch):
    """The largest that do, on GPUs with little and much of it; beyond, a graph has none."""
    for shared, item, rows, columns in (
        (232_448, 4, 23_136, 46_272), (232_448, 8, 23_136, 23_136), (166_912, 4, 16_576, 33_152),
        (101_376, 4, 10_016, 20_064), (65_536, 8, 6_432, 6_432),
    ):  # fmt: skip
        monkeypatch.setattr(runtime, "max_shared_bytes", shared)
        runtime.multiprocessors = 132
        with use(runtime):
            found, many = blocks_of(2**20, item), blocks_of(2**27, item)
            assert found.size_of_columns == columns
            assert item * (columns + 1) <= shared - 1024
            assert 4 * 132 - 16 <= found.rows <= 4 * 132  # each multiprocessor has several
            assert rows - 1024 <= many.size_of_rows <= rows
            assert 8 * many.size_of_rows <= shared - 1024
            assert 12 * found.columns + 6 * found.at_once <= shared - 1024
            assert found.suit(2**25)
            assert not found.suit(2**14)
            assert not blocks_of(2**31 - 1, item).suit(2**40)
