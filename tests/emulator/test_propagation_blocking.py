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
SHARED = 2048  # bytes of a block: 128 rows and 128 or 64 columns


@pytest.fixture(scope="module")
def runtime(emulator):
    made = [
        ("propagation_blocking.cuh", instance)
        for instance in (
            *(
                tiles_kernel(name, offset, 7, columns, THREADS)
                for name in ("count_tiles", "fill_tiles")
                for offset in (4, 8)
                for columns in (6, 7)
            ),
            split_kernel(THREADS),
            propagate_kernel("float32", 7, THREADS),
            propagate_kernel("int64", 6, THREADS),
            *(accumulate_kernel(value, 7, THREADS) for value in ("float32", "int64")),
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
    for shared, item, logs in (
        (232_448, 4, (14, 15)), (232_448, 8, (14, 14)), (166_912, 4, (14, 15)),
        (101_376, 4, (13, 14)), (65_536, 8, (12, 12)),
    ):  # fmt: skip
        monkeypatch.setattr(runtime, "max_shared_bytes", shared)
        with use(runtime):
            found = blocks_of(2**20, item)
            assert (found.log_rows, found.log_columns) == logs
            assert item * (2**found.log_columns + 1) <= shared - 1024
            assert 16 * found.columns + 6 * found.at_once <= shared - 1024
            assert found.suit(2**25)
            assert not found.suit(2**14)
            assert not blocks_of(2**31 - 1, item).suit(2**40)
