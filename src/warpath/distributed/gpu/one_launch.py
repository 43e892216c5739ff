"""Searches of GPUs that reach each other's memory: one launch on each (`warpath.cuda.multi_gpu`).

One thread launches on all GPUs of a process, or each rank on its own (`Together`).
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.cuda import multi_gpu, runtime
from warpath.cuda.multi_gpu import Companion, Share
from warpath.cuda.tree import tight_sweep
from warpath.cuda.weights import weights_as
from warpath.distributed.gpu.part import GpuPart
from warpath.distributed.gpu.tree import Trees
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.paths import DistributedPaths, paths_of
from warpath.distributed.sssp import (
    Found,
    as_limit,
    as_wanted,
    heads_beyond,
    limit_at,
    overflow,
)
from warpath.distributed.together import Together
from warpath.graph.distance import fits, likely_fits_32_bits, summed_in, unreachable
from warpath.planning import path_limit, prefilter
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.bucket_width import width_at_once
from warpath.planning.degrees import has_many_levels, is_sparse
from warpath.planning.predecessors import pack_with_distances

Array = Any  # of the runtime's module

_NO_LIMIT = int(unreachable(np.int32)) - 1  # levels


class OneLaunch:
    """A graph's parts, one on each of several GPUs, and their searches.

    Parameters
    ----------
    parts : sequence of DistributedGraph
        The graph as each of this process's GPUs has it: with parts of `warpath.distributed.gpu.part.rows_on_gpu`.
    group : Together
        Their GPUs.
    """

    def __init__(self, parts: Sequence[DistributedGraph], group: Together) -> None:
        self._graphs, self._whole, self._group = parts, parts[0], group
        self._gpus, self._name = group.devices, "a search"
        self._parts: list[GpuPart] = [one.part for one in parts]  # type: ignore[misc]
        bounds = self._whole.part.bounds.tolist()
        count, first = len(bounds) - 1, self._whole.transport.rank
        self._shares = [
            Share(i, count, bounds[i], bounds[i + 1]) for i in range(first, first + len(parts))
        ]

    def bfs(
        self,
        sources: NDArray[np.int32],
        *,
        single: bool,
        nearest: bool,
        predecessors: bool = True,
        depth_limit: int | None = None,
    ) -> list[DistributedPaths]:
        """What each GPU has of the answer of `warpath.bfs`."""

        def search(starts: NDArray[np.int32]) -> list[Found]:
            return self.levels_from(starts, depth_limit, with_predecessors=predecessors)

        return self._answers(search, sources, single, nearest, weighted=False)

    def levels_from(
        self, starts: NDArray[np.int32], depth_limit: int | None, *, with_predecessors: bool
    ) -> list[Found]:
        """Distances from the nearest of some sources, up to ``depth_limit``; -1 where unreached."""
        self._name = "bfs"
        if depth_limit is None and has_many_levels(self._whole):
            return self._asynchronously(starts, with_predecessors)
        limit = _NO_LIMIT if depth_limit is None else min(int(depth_limit), _NO_LIMIT)
        found = self._levels(starts, limit, depth_limit)
        return found if with_predecessors else [one._replace(predecessor=None) for one in found]

    def _asynchronously(self, sources: NDArray[np.int32], predecessors: bool) -> list[Found]:
        """Distances in arcs by delta-stepping with weights of 1; -1 where unreached."""
        found = self._by_weights(sources, None, None, predecessors)
        none = unreachable(np.int32)
        for one, device in zip(found, self._gpus, strict=True):
            with self._on(device):
                one.distance[one.distance == none] = -1
        return [one._replace(direction=["asynchronous"] * len(one.frontier)) for one in found]

    def sssp(
        self,
        sources: NDArray[np.int32],
        *,
        single: bool,
        nearest: bool,
        dtype: np.dtype[Any],
        predecessors: bool = True,
        target: int | None = None,
        cutoff: float | None = None,
    ) -> list[DistributedPaths]:
        """What each GPU has of the answer of `warpath.sssp`; no weight is negative."""
        goal = None
        if target is not None:
            goal = int(self._whole.numbered(np.array([target]))[0])

        def search(starts: NDArray[np.int32]) -> list[Found]:
            return self.shortest_from(
                starts, dtype, target=goal, cutoff=cutoff, with_predecessors=predecessors
            )

        return self._answers(search, sources, single, nearest, weighted=True)

    def shortest_from(
        self,
        starts: NDArray[np.int32],
        dtype: np.dtype[Any],
        *,
        target: int | None,
        cutoff: float | None,
        with_predecessors: bool,
    ) -> list[Found]:
        """Distances from the nearest of some sources; vertices farther than the target or the cutoff are unreached.

        Raises
        ------
        OverflowError
            If a distance does not fit into its dtype.
        """
        self._name = "sssp"
        search: Callable[..., list[Found]] = self._by_levels
        held = summed_in(self._whole, dtype)
        if self._whole.weight_dtype is not None:
            search = partial(self._by_weights, weights=held)
            self._parts = self._each(lambda part: part.with_weights_as(held), self._parts)
        if target is None and cutoff is None and likely_fits_32_bits(self._whole, held):
            with suppress(OverflowError):
                found = self._by_weights(starts, None, None, with_predecessors, np.dtype(np.int32))
                return self._as_wanted(found, dtype)
        return self._as_wanted(search(starts, target, cutoff, with_predecessors), dtype)

    def _as_wanted(self, found: list[Found], dtype: np.dtype[Any]) -> list[Found]:
        """Distances in the answer's dtype.

        Raises
        ------
        OverflowError
            Where one does not fit.
        """
        xp, lost = runtime.current().xp, list[int]()
        changed = self._each(lambda one: as_wanted(xp, one.distance, dtype), found)
        for i, (_, beyond) in enumerate(changed):
            with self._on(self._gpus[i]):
                lost += _first(self._graphs[i], beyond + self._shares[i].begin)
        self._refuse(lost, dtype)
        return [
            one._replace(distance=distance)
            for one, (distance, _) in zip(found, changed, strict=True)
        ]

    def _each(self, function: Callable[..., Any], *columns: Sequence[Any]) -> list[Any]:
        """What a function makes of each GPU's values, where that GPU is the current one."""
        made = []
        for device, *values in zip(self._gpus, *columns, strict=True):
            with self._on(device):
                made.append(function(*values))
        return made

    def _answers(
        self,
        search: Callable[[NDArray[np.int32]], list[Found]],
        sources: NDArray[np.int32],
        single: bool,
        nearest: bool,
        *,
        weighted: bool,
    ) -> list[DistributedPaths]:
        """One search from the only source, or from all of them, or one from each."""
        began, at_once = perf_counter(), self._whole.numbered(sources)
        runs = [search(starts) for starts in ([at_once] if single or nearest else at_once[:, None])]

        def answer(graph: DistributedGraph, *own: Found) -> DistributedPaths:
            return paths_of(graph, sources, single, nearest, own, weighted=weighted, began=began)

        return self._each(answer, self._graphs, *runs)

    def _levels(self, sources: NDArray[np.int32], limit: int, asked: int | None) -> list[Found]:
        """Distances from the nearest of some sources, up to a limit; -1 where unreached."""
        starts, whole = np.unique(sources), self._whole
        arrays = list[tuple[Array, Array]]()

        def search(part: GpuPart, share: Share) -> Companion:
            distance, predecessor = (
                part.xp.empty(share.end - share.begin, np.int32) for _ in range(2)
            )
            arrays.append((distance, predecessor))
            arcs, reverse = part.arcs(weighted=False)
            return multi_gpu.bfs(
                share, arcs, reverse, whole.num_arcs, not whole.directed, starts, limit, ALPHA["cuda"],
                BETA["cuda"], distance, predecessor,
            )  # fmt: skip

        report, *_ = self._run(search)
        vertices, edges = report.frontier.tolist(), report.edges.tolist()
        direction = list(report.direction)
        return [
            Found(distance, predecessor, vertices, edges, direction, asked)
            for distance, predecessor in arrays
        ]

    def _by_levels(
        self,
        sources: NDArray[np.int32],
        target: int | None,
        cutoff: float | None,
        predecessors: bool,
    ) -> list[Found]:
        """Shortest paths where each arc counts 1."""
        if has_many_levels(self._whole):
            return self._by_weights(sources, target, cutoff, predecessors)
        none = np.int32(unreachable(np.int32))
        cutoff = as_limit(cutoff, none.dtype)
        limit = _NO_LIMIT if cutoff is None else int(cutoff)
        found = self._levels(sources, limit, None)
        for one, device in zip(found, self._gpus, strict=True):
            with self._on(device):
                one.distance[one.distance < 0] = none
        if target is not None:
            goal = self._value_at(target, [one.distance for one in found], first_is_owned=True)
            cutoff = limit_at(goal, cutoff)
            for one, device in zip(found, self._gpus, strict=True):
                with self._on(device):
                    far = one.distance > cutoff
                    one.distance[far] = none
                    if one.predecessor is not None:
                        one.predecessor[far] = -1
        found = [one._replace(limit=cutoff) for one in found]
        return found if predecessors else [one._replace(predecessor=None) for one in found]

    def _by_weights(
        self,
        sources: NDArray[np.int32],
        target: int | None,
        cutoff: Any,
        predecessors: bool,
        weights: np.dtype[Any] | None = None,
    ) -> list[Found]:
        """Shortest paths by delta-stepping, with sums of ``weights``; None: each arc counts 1."""
        whole, starts, weighted = self._whole, np.unique(sources), weights is not None
        dtype = weights or np.dtype(np.int32)
        none = dtype.type(unreachable(dtype))
        cutoff = as_limit(cutoff, dtype)
        heaviest = whole.weight_range[1] if weighted else 1
        farthest = max(whole.num_vertices - 1, 1) * heaviest
        width = width_at_once(self._whole, weighted)
        narrow = weighted and dtype == np.int64 and whole.weight_dtype == np.int32
        weight_dtype = np.dtype(np.int32) if narrow else dtype
        asynchronous = is_sparse(whole)
        limits = weighted and not whole.directed and path_limit.gains(whole)
        filters = "off"
        if not limits:
            filters = prefilter.of_relaxation(
                whole, "delta-stepping", dtype, asynchronous=asynchronous
            )
        # Whether predecessors are found while it runs.
        packs = weighted and pack_with_distances(np.dtype(dtype), whole.weight_range[0])
        grows_tree = predecessors and packs and not asynchronous
        distances: list[Array] = []
        trees: list[Any] = []

        def search(part: GpuPart, share: Share) -> Companion:
            distances.append(part.xp.empty(len(part.ids), dtype))
            trees.append(part.xp.empty(len(part.ids), np.int32) if grows_tree else None)
            arcs, _ = part.arcs(weighted=weighted)
            return multi_gpu.sssp(
                share, arcs, weights_as(arcs, weight_dtype), starts, width.first, width.widest,
                width.prefilter if filters == "on" else None, width.reach if limits else None, width.horizon_buckets, whole.num_arcs,
                none if cutoff is None else min(cutoff, none), -1 if target is None else target, distances[-1],
                trees[-1], asynchronous,
            )  # fmt: skip

        reports = self._run(search)
        # Where GPUs go on alone (engine/gpu_local.cuh), each has iterations of its own.
        if asynchronous and target is None:
            rows = [
                row
                for report in reports
                for row in zip(report.frontier.tolist(), report.edges.tolist(), strict=True)
                if row[0]  # a meeting has none
            ]
            vertices, edges = ([row[i] for row in self._group.all_gather(rows)] for i in range(2))
        else:
            vertices, edges = reports[0].frontier.tolist(), reports[0].edges.tolist()
        if target is not None:
            cutoff = limit_at(self._value_at(target, distances), cutoff)
        is_limited = cutoff is not None and cutoff < none
        asks_all = not is_limited and not fits(farthest, dtype)  # else no path is too long
        if asks_all:  # and no sum was refused if one edge more fits behind the farthest vertex
            asks_all = not fits(self._farthest(distances, none) + heaviest, dtype)
        if (predecessors and not grows_tree) or asks_all:
            self._share(distances)
        if is_limited:  # farther vertices may not have been asked for
            for device, distance, tree in zip(self._gpus, distances, trees, strict=True):
                with self._on(device):
                    beyond = distance > cutoff
                    distance[beyond] = none
                    if tree is not None:
                        tree[beyond] = -1
        elif asks_all:
            self._check_fit(distances, none)
        if grows_tree:
            trees = self._owned(trees)
        elif predecessors:
            trees = self._trees(starts, distances, none, weight_dtype if weighted else None)
        return [
            Found(distance, tree, vertices, edges, [], cutoff)
            for distance, tree in zip(self._owned(distances), trees, strict=True)
        ]

    def _owned(self, arrays: Sequence[Array]) -> list[Array]:
        """What each GPU has of the vertices that it owns, in arrays of their own."""
        return self._each(lambda part, array: array[part.owned].copy(), self._parts, arrays)

    def _run(self, search: Callable[[GpuPart, Share], Companion]) -> list[Any]:
        """Make a companion on each GPU, and launch them; their reports."""
        companions = []
        for part, share, device in zip(self._parts, self._shares, self._gpus, strict=True):
            with self._on(device), self._group.peer_memory():
                companions.append(search(part, share))
        self._group.launch(companions)
        return [one.report for one in companions]

    def _share(self, arrays: Sequence[Array]) -> None:
        """Give each GPU the values that the others have of their vertices."""
        self._group.share(arrays, self._whole.part.bounds.tolist())

    def _refuse(self, vertices: list[int], dtype: np.dtype[Any]) -> None:
        """Refuse the answer if the distance of a vertex on any GPU does not fit."""
        if everywhere := self._group.all_gather(vertices):
            raise overflow(min(everywhere), dtype)

    def _value_at(
        self, vertex: int, arrays: Sequence[Array], *, first_is_owned: bool = False
    ) -> Any:
        """A vertex's value at its owner; ``first_is_owned``: arrays begin with what their GPU owns."""
        found = []
        for share, device, array in zip(self._shares, self._gpus, arrays, strict=True):
            if share.begin <= vertex < share.end:
                with self._on(device):
                    found.append(array[vertex - share.begin * first_is_owned].item())
        (value,) = self._group.all_gather(found)
        return value

    def _farthest(self, distances: Sequence[Array], none: Any) -> Any:
        """The largest distance of all that are reached; 0 where none is."""
        farthest = []
        for part, device, distance in zip(self._parts, self._gpus, distances, strict=True):
            with self._on(device):
                own = distance[part.owned]
                if len(own):
                    farthest.append(part.xp.where(own != none, own, 0).max())
        return max(self._group.all_gather([one.item() for one in farthest]))

    def _check_fit(self, distances: Sequence[Array], none: Any) -> None:
        """Refuse the answer if an arc leads from a reached vertex to an unreached one."""

        def first(graph: DistributedGraph, part: GpuPart, distance: Array) -> list[int]:
            arcs = part.graph.sources, part.graph.column_indices
            return _first(graph, heads_beyond(*arcs, distance, none))

        found = self._each(first, self._graphs, self._parts, distances)
        self._refuse([*chain.from_iterable(found)], none.dtype)

    def _trees(
        self,
        sources: NDArray[np.int32],
        distances: list[Array],
        none: Any,
        weights: np.dtype[Any] | None,
    ) -> list[Array]:
        """The predecessors of the vertices that each GPU owns, from final distances of all vertices.

        Any at an arc that makes the distance longer; where that leaves something over, the smallest.

        Parameters
        ----------
        weights : dtype, optional
            That they are added up in; None: each arc counts 1.
        """

        def sweep(part: GpuPart, share: Share, distance: Array) -> Array:
            _, reverse = part.arcs(weighted=weights is not None)
            tree = part.xp.empty(share.end - share.begin, np.int32)
            tight_sweep(
                reverse, weights_as(reverse, weights or distance.dtype), distance, tree, pull=True,
                first=share.begin,
            )  # fmt: skip
            return tree

        def count_missing(part: GpuPart, distance: Array, tree: Array) -> Any:
            return ((tree < 0) & (distance[part.owned] != none)).sum()

        trees = self._each(sweep, self._parts, self._shares, distances)
        if weights is None or (weights.kind == "i" and self._whole.weight_range[0] > 0):
            return trees
        missing = self._each(count_missing, self._parts, distances, trees)
        if sum(self._group.all_gather([int(one) for one in missing])) == len(sources):
            return trees
        return self._owned(self._smallest(sources, distances, none, weighted=weights is not None))

    def _smallest(
        self, sources: NDArray[np.int32], distances: list[Array], none: Any, *, weighted: bool
    ) -> list[Array]:
        """The smallest predecessors on each GPU, step by step away from the sources."""

        def trees_of(part: GpuPart, distance: Array) -> Trees:
            return Trees(part, part.numbers_of(sources), distance, none, weighted=weighted)

        trees = self._each(trees_of, self._parts, distances)
        strict = True
        while True:
            counts = self._each(partial(Trees.grow, strict=strict), trees)
            everywhere = self._group.all_gather([[int(one) for one in row] for row in counts])
            left, progress = np.sum(everywhere, axis=0)
            if left == 0 or (progress == 0 and not strict):
                return [tree.parent for tree in trees]
            strict = False
            self._share([tree.rooted for tree in trees])

    @contextmanager
    def _on(self, device: int) -> Iterator[None]:
        """Let a GPU be the current one; its memory may not suffice."""
        with (
            runtime.current().xp.cuda.Device(device),
            devices.memory_for(f"{self._name} on GPU {device}"),
        ):
            yield


def _first(graph: DistributedGraph, ids: Array) -> list[int]:
    """The first of some vertices, as callers name them; none of none."""
    return [int(graph.originals(ids).min())] if len(ids) else []
