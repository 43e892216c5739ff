"""The examples of docs/extending.md: an algorithm, a balance and a filter that somebody adds."""

import re
from pathlib import Path

import numpy as np
import pytest

import emulated_bfs
from emulated_bfs import GRAPHS, NO_LIMIT, THREADS
from emulated_runtime import EmulatedRuntime
from warpath.balance import DEFAULT, lookup
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import suggested_grid_size
from warpath.cuda.instances import bfs_levels_kernel, program_kernel
from warpath.cuda.program import Search
from warpath.cuda.queue_capacity import with_queue_capacity
from warpath.cuda.runtime import use

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "extending.md").read_text()
HEADERS = dict(re.findall(r"```cpp\n// (\w+\.cuh)\n(.*?)```", PAGE, re.DOTALL))
WRITTEN: dict = {}
for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
    exec(block, WRITTEN)
BALANCE = WRITTEN["WarpPerVertex"]()
LAST_SEEN = "Filtered:LastSeen LevelsWithDuplicates"
STATUS = "LevelsWithStatusBits"


@pytest.fixture(scope="module")
def runtime(emulator, tmp_path_factory):
    folder = tmp_path_factory.mktemp("headers")
    for name, text in HEADERS.items():
        (folder / name).write_text(text)
    default, options = lookup(DEFAULT), (False, False, THREADS)
    made = [
        ("origin.cuh", program_kernel(4, "ThroughBitmap Origin", (), default, *options)),
        ("warp_per_vertex.cuh", bfs_levels_kernel(4, STATUS, BALANCE, True, True, THREADS)),
        ("last_seen.cuh", bfs_levels_kernel(4, LAST_SEEN, default, True, True, THREADS)),
    ]
    with EmulatedRuntime(emulator, made, include=[folder]) as runtime:
        yield runtime


def test_the_page_has_all_examples():
    assert list(HEADERS) == ["origin.cuh", "warp_per_vertex.cuh", "last_seen.cuh"]


def origins(graph):
    """By the edges again and again, until nothing changes."""
    origin, before = np.arange(graph.num_vertices), None
    source, target = graph.coo()[:2]
    while before is None or not np.array_equal(origin, before):
        before = origin.copy()
        np.minimum.at(origin, target, origin[source])
    return origin


@pytest.mark.parametrize("name", GRAPHS)
def test_the_algorithm(runtime, name):
    graph = GRAPHS[name]
    for seed in range(3):
        runtime.seed, runtime.blocks = seed, 1 + seed
        with use(runtime):
            there = DeviceGraph.from_arrays(
                graph.row_offsets, graph.column_indices, directed=graph.directed
            )
            origin = runtime.xp.empty(graph.num_vertices, np.int32)
            WRITTEN["smallest_origins"](there, lookup(DEFAULT), origin)
        assert np.array_equal(origin.get(), origins(graph))


@pytest.mark.parametrize(
    ("header", "algorithm", "balance"),
    [("warp_per_vertex.cuh", STATUS, BALANCE), ("last_seen.cuh", LAST_SEEN, lookup(DEFAULT))],
)
def test_the_balance_and_the_filter(runtime, header, algorithm, balance):
    def search(there, sources, distance, predecessor):
        blocks, capacity = suggested_grid_size(there), there.num_vertices
        if algorithm == LAST_SEEN:
            there, capacity = with_queue_capacity(there, blocks, dedup_high_degree=True)
        name = bfs_levels_kernel(4, algorithm, balance, True, True, THREADS)
        kernel = runtime.persistent(header, name, THREADS, blocks)
        found = Search(
            kernel, algorithm, there, balance, sources, distance, predecessor, capacity, True
        )
        found.launch()
        return found.report

    for seed, name in enumerate(("components", "hub", "random, directed", "parallel edges")):
        emulated_bfs.search(
            runtime, search, GRAPHS[name], [0], seed=seed, blocks=2, depth_limit=NO_LIMIT
        )
