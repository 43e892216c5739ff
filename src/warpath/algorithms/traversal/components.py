"""Which vertices are connected."""

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.common.on_parts import or_on_parts
from warpath.algorithms.traversal.bfs import bfs
from warpath.balance import Technique
from warpath.distributed import searches
from warpath.distributed.multi_gpu import parts_on
from warpath.graph import components
from warpath.graph.arrays import to_host
from warpath.graph.graph import Graph
from warpath.graph.names import by_name
from warpath.planning.degrees import HUBS, is_sparse, mean_degree
from warpath.planning.fitted_balance import fitted
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

_INT32 = np.dtype(np.int32)
_SAMPLES = 1024  # vertices that say whether there are hubs: a guess
# Of how many arcs a search pays, on which device, with or without hubs (2026-11). Two cores: R-MAT 16 takes as long either way, R-MAT 18
# 0.77 of the time, R-MAT 20 0.62. H200: R-MAT 23 1.2, R-MAT 27 0.86; without hubs 2²⁰ vertices as long, 2²² 0.79, 2²⁷ 0.74.
_MIN_ARCS = {
    ("cpu", True): 2**21,
    ("cpu", False): 2**63,  # never
    ("cuda", True): 2**31,
    ("cuda", False): 2**27,
}
_LEVELS = 16  # of a search, so that it takes little time where there are more
_GPU_BYTES = 12  # per vertex, with 64-bit offsets: `warpath.cuda.components`


@or_on_parts(searches.connected_components)
@by_name()
def connected_components(
    graph: Graph,
    *,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
) -> tuple[Any, int]:
    """Connected components; of a directed graph the weak ones, as if its arcs had no direction.

    Parameters
    ----------
    graph : Graph, DistributedGraph or MultiGpuGraph
    device : {"auto", "cpu", "cuda"}
        "cuda" computes on the current GPU and gives its array. "auto" takes a GPU, if there is one and its
        memory suffices, for graphs that are there or have at least 2²² arcs, and whenever ``schedule`` is given;
        the labels are NumPy's.
    devices : int or sequence of int, optional
        Several GPUs: how many, or CUDA's numbers of them. By default one, or as many as the graph needs, if it
        does not fit one: see docs/distributed.md. They have no ``schedule``.
    schedule : Schedule, str or Technique, optional
        How a GPU runs it: a balance without child grids, ``"virtual-warp:width=16"``.

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's component. NumPy's, or CuPy's for ``device="cuda"``. If the
        graph is distributed, those of this rank's vertices.
    count : int
        Number of components; an isolated vertex is one.

    Raises
    ------
    ValueError
        An unknown device, a schedule that is none or has something else, or one for
        ``device="cpu"``.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule, without a GPU that can be used.
    MemoryError
        ``device="cuda"``, or a schedule, and a workspace beyond the GPU's memory.

    See Also
    --------
    strongly_connected_components : Vertices that reach each other along arcs.
    minimum_spanning_forest : A tree of each component.
    statistics : How many components there are, and the largest one's size.

    Notes
    -----
    Almost O(n + m), in parallel. On the CPU 4n bytes, on a GPU 12n (16n with 64-bit offsets); the workspace of `bfs` where
    it searches first. Sutton, Ben-Nun, Barak: "Optimizing parallel graph connectivity
    computation via subgraph sampling" (Afforest), IPDPS 2018. A large undirected graph is first
    searched from a vertex of many edges: Slota, Rajamanickam, Madduri: "BFS and coloring-based parallel algorithms for strongly connected
    components and related problems", IPDPS 2014.

    Examples
    --------
    >>> import warpath as wp
    >>> labels, count = wp.connected_components(wp.Graph.from_edges([3, 2], [1, 4]))
    >>> labels.tolist(), count
    ([0, 1, 2, 1, 2], 3)
    """
    problem = components_problem(graph, device=device, devices=devices, schedule=schedule)

    def labelled(xp: Any) -> tuple[Any, int]:
        if xp is np:
            return components.connected_components(graph, reached_first(graph, "cpu"))
        return components_on_gpu(graph, problem.schedule.technique, xp)

    def in_parts(gpus: tuple[int, ...]) -> tuple[Any, int]:
        parts = parts_on(graph, gpus)
        answers = parts.run(searches.connected_components)
        return parts.gathered([to_host(own) for own, _ in answers]), answers[0][1]

    return problem.run(labelled, in_parts)


def components_problem(
    graph: Graph,
    *,
    device: DeviceName = "auto",
    devices: int | Sequence[int] | None = None,
    schedule: ScheduleLike = None,
) -> DeviceMeasure:
    """What a call of `connected_components` asks for, checked."""
    return device_measure(
        graph, "connected_components", "afforest", "the component that most vertices are in is found first", _INT32,
        device=device, devices=devices, schedule=schedule,
        answer_per_vertex=4, per_vertex=_GPU_BYTES, threads=components.threads_for_components,
        reads_weights=False,
    )  # fmt: skip


def reached_first(graph: Graph, device: Literal["cpu", "cuda"]) -> Any:
    """What a search finds from a vertex of many edges, up to some levels, if that is likely the giant component; else None.

    Parameters
    ----------
    graph : Graph
    device : {"cpu", "cuda"}
        Where to search.

    Returns
    -------
    int32 array, shape (n,), or None
        Distances, -1 where a vertex is not reached.
    """
    source = vertex_with_many_edges(graph, device)
    if source is None:
        return None
    paths = bfs(graph, source, depth_limit=_LEVELS, predecessors=False, device=device, trace=False)
    return paths.distance


def vertex_with_many_edges(graph: Graph, device: str) -> int | None:
    """One from which a search finds most vertices in few levels; None where that is unlikely, or takes longer than to join all."""
    least = min(_MIN_ARCS[device, hubs] for hubs in (False, True))
    if graph.directed or graph.num_arcs < least or is_sparse(graph):
        return None
    step, offsets = max(1, graph.num_vertices // _SAMPLES), graph.resident.row_offsets
    degree = to_host(offsets[1::step] - offsets[:-1:step]).astype(np.float64)
    met = (degree * degree).sum() / max(degree.sum(), 1.0)
    has_hubs = bool(met >= HUBS * mean_degree(graph))
    return None if graph.num_arcs < _MIN_ARCS[device, has_hubs] else int(degree.argmax()) * step


def components_on_gpu(graph: Graph, technique: Technique | None, xp: Any) -> tuple[Any, int]:
    """Labels, on the current GPU, and their number."""
    from warpath.cuda.components import connected_components as fill
    from warpath.cuda.device_graph import on_device

    if graph.num_vertices == 0:
        return xp.empty(0, np.int32), 0
    numbers = xp.arange(graph.num_vertices, dtype=np.int32)
    reached = reached_first(graph, "cuda") if technique is None else None
    if reached is None:
        labels = xp.empty_like(numbers)
    else:
        there = reached >= 0
        labels = xp.where(there, xp.int32(int(there.argmax())), numbers)
    fill(on_device(graph), fitted(technique, graph), labels, initialized=reached is not None)
    return labels, int((labels == numbers).sum())
