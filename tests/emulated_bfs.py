"""Breadth-first searches in the emulator: their graphs, and the check of what they found."""

import numpy as np

from multigraphs import NAMES, multigraph
from oracles import levels
from warpath import Graph, verify

NO_LIMIT = 2**31 - 1
ALL = 2**32 - 1
TRACE = ("vertices", "arcs", "nanoseconds", "way", "mode", "balance")
BLOCK, GRID = 0, 2  # trace.cuh's Mode


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


def checked(found, graph, sources, depth_limit):
    """What a program found, with columns of its trace, once its answer and certificate are right."""
    near = nearest_levels(graph, sources)
    assert np.array_equal(found["distance"], np.where(near > depth_limit, -1, near))
    limit = None if depth_limit == NO_LIMIT else depth_limit
    verify.bfs(
        graph, np.array(sources, np.int32), found["distance"], found.get("predecessor"),
        depth_limit=limit,
    )  # fmt: skip
    if "trace" in found:
        trace = dict(zip(TRACE, found["trace"].reshape(-1, len(TRACE)).T, strict=True))
        found |= {
            f"trace_{name}": column[: int(found["level"][0])] for name, column in trace.items()
        }
    return found
