"""A stand-in for the CUDA engine of shortest paths, for tests of what calls it."""

from types import SimpleNamespace

import numpy as np

import warpath as wp
from relaxations import relaxation_by
from warpath.cpu.dijkstra import dijkstra
from warpath.cpu.parents import find_cycle
from warpath.cpu.sequential_bellman_ford import sequential_bellman_ford
from warpath.operators import lookup


class Engine:
    """The CUDA engine's functions, by the CPU; what each was called with is kept."""

    def __init__(self):
        self.calls, self.dtypes, self.trees, self.cycles = [], [], [], 0
        self.endless = self.out_of_memory = self.at_once = False

    def sssp(
        self, graph, weights, sources, method, delta, cutoff, target, distance, balance, loop,
        trace, signed=False, parents=None, check=None, optimizations=None, algebra="shortest",
        asynchronous=None, **options,
    ):  # fmt: skip
        if self.out_of_memory:
            raise MemoryError("cannot allocate")
        self.calls.append((method, delta, str(balance), loop, trace, signed))
        self.dtypes.append(distance.dtype.name)
        self.optimizations, self.asynchronous = optimizations, asynchronous
        assert weights.dtype in (distance.dtype, np.int32)
        predecessor = np.empty(len(distance), np.int32) if parents is None else parents
        found = np.empty(len(distance), distance.dtype)
        algebra = lookup(algebra)
        start = algebra.keys(algebra.source(distance.dtype))
        weights = np.asarray(weights)
        plan = relaxation_by(weights, found.dtype, algebra=algebra, start=start, signed=signed)
        # The methods that compile soonest.
        method = sequential_bellman_ford if signed else dijkstra
        report = method.run(graph, plan, weights, sources, found, predecessor)
        distance[:] = found
        if check is not None and report.cycle >= 0:
            check(self.CandidateParents(graph, weights, distance, distance.dtype))
        return SimpleNamespace(endless=self.endless)

    def fill_predecessors(
        self, graph, weights, sources, distance, predecessor, weights_are, algebra="shortest"
    ):
        self.trees.append(weights_are)
        algebra = lookup(algebra)
        source, target, _ = graph.coo()
        here = algebra.values(np.array(distance))
        reached = here != algebra.none(here.dtype)
        tight = reached[source] & reached[target]
        with np.errstate(under="ignore"):
            tight &= algebra.extend(here[source], weights) == here[target]
        arcs = wp.Graph.from_edges(source[tight], target[tight], n=len(here))
        roots = sources[here[sources] == algebra.source(here.dtype)].tolist()
        predecessor[:] = wp.bfs(arcs, roots, nearest=True, device="cpu").predecessor

    # Searches from several sources at once.

    def batching_is_faster(self, graph, searches, balance):
        return self.at_once

    def sssp_rows(self, graph, weights, sources, delta, cutoff, target, distance, trace, algebra):
        for row, source in zip(distance, sources, strict=True):
            self.sssp(
                graph, weights, np.array([source]), "at once", delta, cutoff, target, row, "",
                "device", trace, algebra=algebra,
            )  # fmt: skip

    def bfs_rows(self, graph, sources, limit, distance, predecessor, trace):
        found = wp.bfs(graph, sources, depth_limit=limit, device="cpu")
        distance[:] = found.distance
        if predecessor is not None:
            predecessor[:] = found.predecessor

    def fill_predecessor_rows(
        self, graph, weights, sources, distance, predecessor, weights_are, algebra
    ):
        for source, *row in zip(sources, distance, predecessor, strict=True):
            self.fill_predecessors(graph, weights, np.array([source]), *row, weights_are, algebra)

    CandidateParents = staticmethod(lambda graph, weights, distance, dtype: (distance, dtype))
    keys = staticmethod(lambda distance: distance)

    def find(self, predecessor, offers):
        self.cycles += 1
        assert len(offers[0]) == len(predecessor)
        parents = np.array(predecessor)
        v = find_cycle(parents, np.empty(len(parents), np.int32))
        return None if v < 0 else (parents, np.array([v]))

    def bfs(
        self, graph, sources, direction, alpha, beta, limit, distance, predecessor, *options, **small
    ):  # fmt: skip
        self.small = small
        found = wp.bfs(graph, sources.tolist(), nearest=True, depth_limit=limit, device="cpu")
        distance[:] = found.distance
        if predecessor is not None:
            predecessor[:] = found.predecessor


def weights_as(graph, dtype):
    if graph.weights is None:
        return np.ones(graph.num_arcs, dtype)
    return graph.weights.astype(dtype)
