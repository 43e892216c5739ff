"""What `warpath.bfs`, `warpath.sssp` and `warpath.connected_components` do with a `DistributedGraph`."""

from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath.distributed import bfs as breadth_first
from warpath.distributed import components
from warpath.distributed import sssp as shortest_paths
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import Part
from warpath.distributed.paths import DistributedPaths, paths_of
from warpath.distributed.sssp import Found
from warpath.errors import NegativeCycleError
from warpath.graph.arrays import is_on_gpu, to_host
from warpath.graph.check import (
    as_positive,
    as_sources,
    as_vertex,
    check_flags,
    choose,
)
from warpath.graph.components import connected_components as components_of
from warpath.operators import lookup
from warpath.operators.asked import as_dtype, as_limit
from warpath.typing import DEVICES, DeviceName

Array = NDArray[Any]

_SHORTEST = lookup("shortest")


def bfs(
    graph: DistributedGraph,
    source: Any,
    *,
    depth_limit: int | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
) -> DistributedPaths:
    """See `warpath.bfs`."""
    began = perf_counter()
    with graph.transport.together(
        "bfs", graph=graph.number, source=_told(source), depth_limit=depth_limit, without_predecessors=not predecessors,
        nearest=nearest, device=_asked(device),
    ):  # fmt: skip
        check_flags(predecessors=predecessors, nearest=nearest)
        graph, engine = _engine(graph, device)
        sources, single = as_sources(source, graph.num_vertices)
        limit = breadth_first.NO_LIMIT
        if depth_limit is not None:
            limit = min(as_positive(depth_limit, "depth_limit", or_zero=True), limit)

        def search(starts: NDArray[np.int32]) -> Found:
            found = engine.levels_from(graph, starts, limit, with_predecessors=predecessors)
            return found._replace(limit=depth_limit)

        return _paths(graph, sources, single, nearest, search, weighted=False, began=began)


def sssp(
    graph: DistributedGraph,
    source: Any,
    *,
    target: Any = None,
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    predecessors: bool = True,
    nearest: bool = False,
    device: DeviceName = "auto",
) -> DistributedPaths:
    """See `warpath.sssp`."""
    began = perf_counter()
    with graph.transport.together(
        "sssp", graph=graph.number, source=_told(source), target=target, cutoff=cutoff,
        dtype=dtype and str(dtype), without_predecessors=not predecessors, nearest=nearest, device=_asked(device),
    ):  # fmt: skip
        check_flags(predecessors=predecessors, nearest=nearest)
        graph, engine = _engine(graph, device)
        sources, single = as_sources(source, graph.num_vertices)
        goal = None
        if target is not None:
            goal = as_vertex(target, graph.num_vertices, "target")
            goal = int(graph.numbered(np.array([goal]))[0])
        limit = as_limit(graph, _SHORTEST, cutoff)
        wanted = as_dtype(graph, _SHORTEST, dtype)

        def search(starts: NDArray[np.int32]) -> Found:
            return engine.shortest_from(
                graph, starts, wanted, target=goal, cutoff=limit, with_predecessors=predecessors
            )

        return _paths(graph, sources, single, nearest, search, weighted=True, began=began)


def connected_components(
    graph: DistributedGraph, *, device: DeviceName = "auto"
) -> tuple[NDArray[np.int32], int]:
    """See `warpath.connected_components`: the labels of the vertices that this rank owns."""
    with graph.transport.together(
        "connected_components", graph=graph.number, device=_asked(device)
    ):
        graph, engine = _engine(graph, device)
        return components.labels(graph, engine.components_of)


def _told(source: Any) -> Any:
    """What ranks compare of their sources."""
    return np.asarray(to_host(source) if is_on_gpu(source) else source).tolist()


def _asked(device: str) -> str | None:
    """Likewise of a device: None where it is left to the search."""
    return None if device == "auto" else device


class _LevelsFrom(Protocol):
    """As `warpath.distributed.bfs.levels_from`."""

    def __call__(
        self,
        graph: DistributedGraph,
        sources: NDArray[np.int32],
        depth_limit: int,
        *,
        with_predecessors: bool = True,
    ) -> Found: ...


class _ShortestFrom(Protocol):
    """As `warpath.distributed.sssp.shortest_from`."""

    def __call__(
        self,
        graph: DistributedGraph,
        sources: NDArray[np.int32],
        dtype: np.dtype[Any],
        *,
        target: int | None = None,
        cutoff: Any = None,
        with_predecessors: bool = True,
    ) -> Found: ...


class _Engine(NamedTuple):
    """What searches a part."""

    levels_from: _LevelsFrom
    shortest_from: _ShortestFrom
    components_of: Callable[[Part], Array]


_CPU = _Engine(
    breadth_first.levels_from,
    shortest_paths.shortest_from,
    lambda part: components_of(part.graph)[0],
)


def _engine(graph: DistributedGraph, device: str) -> tuple[DistributedGraph, _Engine]:
    """What searches the parts, and the graph where it does.

    Raises
    ------
    ValueError
        An unknown device; the CPU where parts lie on GPUs alone.
    DeviceUnavailableError
        GPUs, and a rank has none of its own.
    """
    choose("device", device, DEVICES)
    if graph.part.xp is np:
        if device != "cuda":
            return graph, _CPU
    elif device == "cpu":
        raise ValueError("device='cpu': the parts of this graph lie on GPUs")
    from warpath.distributed.gpu import bfs as gpu_bfs
    from warpath.distributed.gpu import part as gpu_part
    from warpath.distributed.gpu import sssp as gpu_sssp

    moved = gpu_part.on_gpu(graph)
    levels, paths = gpu_bfs.levels_from, gpu_sssp.shortest_from
    if gpu_part.runs_together(moved):
        levels, paths = _at_once(moved, paths)
    return moved, _Engine(levels, paths, gpu_part.components_of)


def _at_once(graph: DistributedGraph, signed: _ShortestFrom) -> tuple[_LevelsFrom, _ShortestFrom]:
    """Searches by one launch on each rank's GPU; with negative weights ``signed``."""
    from warpath.distributed.gpu.one_launch import OneLaunch

    gpu = graph.transport.gpu
    assert gpu is not None
    assert gpu.together is not None
    searches = OneLaunch([graph], gpu.together)

    def levels(
        graph: DistributedGraph, sources: NDArray[np.int32], depth_limit: int, **options: Any
    ) -> Found:
        limit = None if depth_limit == breadth_first.NO_LIMIT else depth_limit
        return searches.levels_from(sources, limit, **options)[0]

    def paths(
        graph: DistributedGraph, sources: NDArray[np.int32], dtype: np.dtype[Any], **options: Any
    ) -> Found:
        if graph.weight_range[0] < 0:
            return signed(graph, sources, dtype, **options)
        return searches.shortest_from(sources, dtype, **options)[0]

    return levels, paths


def _paths(
    graph: DistributedGraph,
    sources: NDArray[np.int32],
    single: bool,
    nearest: bool,
    search: Callable[[NDArray[np.int32]], Found],
    *,
    weighted: bool,
    began: float,
) -> DistributedPaths:
    """One search from the only source, or from all of them, or one from each."""
    at_once = graph.numbered(sources)
    try:
        runs = [search(starts) for starts in ([at_once] if single or nearest else at_once[:, None])]
    except NegativeCycleError as error:
        raise NegativeCycleError(graph.originals(np.array(error.cycle)).tolist()) from None
    return paths_of(graph, sources, single, nearest, runs, weighted=weighted, began=began)
