"""Breadth-first searches in the emulator: their graphs, and the check of what they found."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from multigraphs import NAMES, multigraph
from oracles import levels
from warpath import Graph, verify
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.runtime import use

NO_LIMIT = 2**31 - 1
THREADS = 64  # of a block


@dataclass(frozen=True)
class ChildGrids(DynamicVirtualWarp):
    """Rows of more than 8 arcs get a child grid each, which the knob does not offer."""

    dynamic_parallelism: Literal[8] = 8
    edge_discover: Literal[0, 6] = 0

    @property
    def kernel(self) -> str:
        return f"DynamicVirtualWarp<4, 8, {self.edge_discover}>"


class Found(NamedTuple):
    """What a driver found; `predecessor` is None, and the report has no trace, if it kept none."""

    distance: np.ndarray
    predecessor: np.ndarray | None
    report: Any
    launches: int


def make(name):
    source, target, n, directed = multigraph(name, path=100, star=2500, hub=5000, beside_hub=300)
    return Graph.from_edges(source, target, n=n, directed=directed)


GRAPHS = {name: make(name) for name in NAMES}


def nearest_levels(graph, sources):
    """Distances from the nearest source: those from a vertex with arcs to all of them, less one."""
    n = graph.num_vertices
    ends = [np.r_[graph.coo()[0], np.full(len(sources), n)], np.r_[graph.coo()[1], sources]]
    found = levels(Graph.from_edges(*ends, n=n + 1), n)[:n]
    return np.where(found > 0, found - 1, -1)


def search(
    runtime, driver, graph, sources, *, seed, blocks, depth_limit, wide=False, predecessors=True
):  # fmt: skip
    """Search by a driver, and check its answer and its certificate.

    `driver` takes the device's graph, sources, distances and predecessors, and returns a report.
    """
    n, sources = graph.num_vertices, np.array(sources, np.int32)
    runtime.seed, runtime.blocks = seed, blocks
    # One per level at most, one more behind child grids, and one of another kernel.
    runtime.max_launches = n + 3
    with use(runtime):
        # Not `on_device`, which keeps a graph for each number of blocks.
        there = DeviceGraph.from_arrays(
            graph.row_offsets, graph.column_indices, directed=graph.directed, wide=wide
        )
        distance = runtime.xp.empty(n, np.int32)
        predecessor = runtime.xp.empty(n, np.int32) if predecessors else None
        report = driver(there, sources, distance, predecessor)
    launches, distance = runtime.launches, distance.get()
    predecessor = None if predecessor is None else predecessor.get()
    near = nearest_levels(graph, sources)
    assert np.array_equal(distance, np.where(near > depth_limit, -1, near))
    limit = None if depth_limit == NO_LIMIT else depth_limit
    verify.bfs(graph, sources, distance, predecessor, depth_limit=limit)
    return Found(distance, predecessor, report, launches)
