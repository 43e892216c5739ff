"""Betweenness centrality: how many shortest paths pass a vertex, or an edge."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.centrality import brandes
from warpath.algorithms.centrality.brandes import countless, vanished
from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.common.sources import check_call
from warpath.cpu.brandes import Sums
from warpath.graph.build import read_only
from warpath.graph.check import as_sources, check_flags
from warpath.graph.distance import distance_dtype
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, VertexMessage, by_name
from warpath.parallel import thread_count
from warpath.planning.degrees import has_many_levels
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, graph_nbytes
from warpath.schedule import ScheduleLike
from warpath.typing import DEVICES, DeviceName

Array = NDArray[Any]
Progress = Callable[[int, int], None] | None

_MANY_SOURCES = 16  # that are worth the reverse of a directed graph: a guess
# Between two looks at `progress` and at Ctrl-C: some 0.2 s of arcs. A guess.
_ARCS = 2**26
_SEARCH_BYTES = 56  # per vertex of a search: of `warpath.cpu.brandes`, a heap included


@by_name("sources")
def betweenness(
    graph: Graph,
    *,
    weighted: bool = True,
    sources: Sequence[Vertex] | Array | None = None,
    normalized: bool = True,
    endpoints: bool = False,
    progress: Progress = None,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> Any:
    """Betweenness centrality: the part of all shortest paths that pass each vertex.

    It is the share of the shortest paths from s to t that pass v, summed over all pairs (s, t).

    Parameters
    ----------
    graph : Graph
        Weights must be positive. Parallel arcs make different paths.
    weighted : bool
        False: shortest paths in arcs.
    sources : sequence of k vertices, optional
        Estimate it from the paths that begin at these vertices, no vertex twice: the sums are
        scaled as if all had been searched from. By default all, and nothing is estimated.
    normalized : bool
        True: divide by the number of pairs that there are. False: of an undirected graph each pair
        {s, t} counts once.
    endpoints : bool
        True: a path passes its ends too.
    progress : callable, optional
        Called with (sources done, all of them) from time to time; may raise to stop.
    device : {"auto", "cpu", "cuda"}
        As of `connected_components`.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance.

    Returns
    -------
    float64 array, shape (n,)
        NaN at the source if there is only one, ends do not count, and others are to be estimated.

    Raises
    ------
    ValueError
        A weight of 0 or below, where the number of shortest paths has no limit; one that is lost
        next to a distance when floats are added; a source out of range, or twice. A schedule that is none, or
        has something other than a balance. ``weighted``, ``normalized`` or ``endpoints`` that is neither
        True nor False.
    DeviceUnavailableError
        ``device="cuda"``, or a schedule, without a GPU that can be used.
    MemoryError
        ``device="cuda"``, and an answer and a workspace beyond the GPU's memory.
    OverflowError
        A distance that does not fit in int64, or float64; more shortest paths between two vertices
        than a float64 can say, as across a grid of 520 by 520 vertices.

    See Also
    --------
    edge_betweenness : The same of edges.

    Notes
    -----
    Brandes' algorithm (2001): O(n m), with weights O(n m + n² log n), sources in parallel. Takes
    8 bytes per vertex and thread, and some 40 more per thread that searches. Without weights most edges leave one large
    level, unless degrees are low and regular. So vertices on the next level look back, and the reverse of a directed graph
    is made for it if there are 16 sources or more. Two paths are equally long if their sums from left to right are, in
    int64 or float64. Each thread adds up what its sources give, and then the threads' sums are added. So the last bits
    depend on how many threads ran: the call takes those that no other call uses. A GPU searches from 4 to 256 sources at
    once, level by level, in up to 40 bytes per vertex and source. By weight or in sparse graphs, where they would be
    fewer than 16, it takes one at a time. There the last bits differ from run to run.

    References
    ----------
    U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25
    (2001).

    Examples
    --------
    >>> import warpath as wp
    >>> wp.betweenness(wp.generate.named("path", 4)).round(3).tolist()
    [0.0, 0.667, 0.667, 0.0]
    """
    problem = betweenness_problem(
        graph, weighted=weighted, sources=sources, normalized=normalized, endpoints=endpoints,
        device=device, schedule=schedule,
    )  # fmt: skip

    def found(xp: Any) -> Any:
        scale = scales(
            graph.num_vertices, problem.starts, xp, directed=graph.directed, normalized=normalized,
            endpoints=endpoints,
        )  # fmt: skip
        return problem.sums(xp, progress).passing * scale

    return problem.run(found)


@by_name("sources")
def edge_betweenness(
    graph: Graph,
    *,
    weighted: bool = True,
    sources: Sequence[Vertex] | Array | None = None,
    normalized: bool = True,
    progress: Progress = None,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> Any:
    """Betweenness centrality of edges: the part of all shortest paths that pass each one.

    Parameters
    ----------
    graph : Graph
        Weights must be positive.
    weighted : bool
        False: shortest paths in edges.
    sources : sequence of k vertices, optional
        Estimate it from the paths that begin at these vertices: see `betweenness`.
    normalized : bool
        True: divide by the number of pairs that there are.
    progress : callable, optional
        Called with (sources done, all of them) from time to time; may raise to stop.
    device : {"auto", "cpu", "cuda"}
        As of `connected_components`.
    schedule : Schedule, str or Technique, optional
        On a GPU, the balance.

    Returns
    -------
    float64 array, shape (m,)
        One for each arc, in CSR order; of an undirected graph both arcs of an edge have what the
        edge has.

    Raises
    ------
    ValueError, OverflowError, DeviceUnavailableError, MemoryError
        As of `betweenness`.

    See Also
    --------
    betweenness : The same of vertices.

    Notes
    -----
    Complexity: O(n m) time, with weights O(n m + n² log n).

    Takes 8 bytes per arc and thread in addition to what `betweenness` takes, on a GPU 20 bytes per arc.

    References
    ----------
    U. Brandes, "A faster algorithm for betweenness centrality", Journal of Mathematical Sociology 25
    (2001).

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.named("path", 4)
    >>> wp.edge_betweenness(g, normalized=False).tolist()
    [3.0, 3.0, 4.0, 4.0, 3.0, 3.0]
    """
    problem = edge_betweenness_problem(
        graph, weighted=weighted, sources=sources, normalized=normalized, device=device,
        schedule=schedule,
    )  # fmt: skip

    def found(xp: Any) -> Any:
        scale = scales(  # paths count at the edges at their ends
            graph.num_vertices, problem.starts, xp, directed=graph.directed, normalized=normalized,
            endpoints=True,
        )  # fmt: skip
        return problem.sums(xp, progress).on_arcs * scale

    return problem.run(found)


def scales(
    n: int, starts: NDArray[np.int32], xp: Any, *, directed: bool, normalized: bool, endpoints: bool
) -> Any:
    """The factor of each vertex that turns a sum of dependencies into what is asked for, shape (n,) or ().

    Parameters
    ----------
    n : int
    starts : int32 array, shape (k,)
        The vertices searched from; fewer than n: a sample.
    xp : module
        NumPy or CuPy, whose array it is.
    directed, normalized, endpoints : bool
        See `betweenness`.
    """
    ends = n if endpoints else n - 1  # that a path may have, as far as one vertex is concerned

    def scale(sources: int) -> float:
        if ends < 2:
            return 1.0  # no paths that count
        if normalized:
            return 1 / (sources * (ends - 1))
        return ends / (sources * (1 if directed else 2))

    if endpoints or len(starts) == n:
        return xp.asarray(scale(min(len(starts), ends)))
    each = xp.full(n, scale(len(starts)))
    # The paths from a vertex do not count for it, and with one source there are no others.
    each[xp.asarray(starts)] = scale(len(starts) - 1) if len(starts) > 1 or ends < 2 else math.nan
    return each


@dataclass(eq=False, kw_only=True)
class PathCount(DeviceMeasure):
    """A call that counts shortest paths.

    Attributes
    ----------
    starts : int32 array
        The vertices to search from.
    weights : array, shape (m,), or None
        Positive, as they are added.
    endpoints, arcs : bool
        See `warpath.cpu.brandes.Sums`.
    """

    starts: NDArray[np.int32]
    weights: Array | None
    endpoints: bool
    arcs: bool

    def sums(self, xp: Any, progress: Progress = None) -> brandes.Dependencies:
        """Run, in arrays of ``xp``: NumPy on the CPU, CuPy on a GPU."""
        if xp is np:
            return dependencies(
                self.graph, self.starts, self.weights, endpoints=self.endpoints, arcs=self.arcs,
                progress=progress,
            )  # fmt: skip
        return brandes.dependencies(
            self.graph, self.starts, self.weights, xp, endpoints=self.endpoints, arcs=self.arcs,
            schedule=self.schedule, progress=progress,
        )  # fmt: skip

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        plan = super().plan(place)
        if place.device == "cpu":
            read = graph_nbytes(
                self.graph, "cpu", reads_weights=self.reads_weights,
                reads_reverse=_looks_back(self.graph, self.starts, self.weights),
            )  # fmt: skip
            return replace(plan, memory={**plan.memory, "graph": read})
        n = self.graph.num_vertices
        batch = brandes.batch_of(n, len(self.starts))
        workspace = brandes.BYTES * n * batch + 20 * self.graph.num_arcs * self.arcs
        return replace(plan, memory={**plan.memory, "workspace": workspace})


def betweenness_problem(
    graph: Graph,
    *,
    weighted: bool = True,
    sources: Any = None,
    normalized: bool = True,
    endpoints: bool = False,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> PathCount:
    """What a call of `betweenness` asks for, checked."""
    check_flags(normalized=normalized, endpoints=endpoints)
    return _path_count(
        "betweenness", graph, weighted, sources, endpoints=endpoints, device=device,
        schedule=schedule,
    )  # fmt: skip


def edge_betweenness_problem(
    graph: Graph,
    *,
    weighted: bool = True,
    sources: Any = None,
    normalized: bool = True,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> PathCount:
    """What a call of `edge_betweenness` asks for, checked."""
    check_flags(normalized=normalized)
    return _path_count(
        "edge_betweenness", graph, weighted, sources, arcs=True, device=device, schedule=schedule
    )


def _path_count(
    search: str,
    graph: Graph,
    weighted: bool,
    sources: Any,
    *,
    endpoints: bool = False,
    arcs: bool = False,
    device: DeviceName,
    schedule: ScheduleLike,
) -> PathCount:
    check_call(graph, device, DEVICES)
    check_flags(weighted=weighted)
    starts = _starts(graph.num_vertices, sources)
    weights = positive_weights(graph) if weighted else None
    threads = thread_count.num_threads()
    measure = device_measure(
        graph, search, "brandes", "each arc counts 1" if weights is None else "weights are positive",
        np.dtype(np.float64), device=device, schedule=schedule,
        answer_per_vertex=8 * (not arcs), answer_per_arc=8 * arcs,
        per_vertex=threads * (8 + _SEARCH_BYTES), per_arc=8 * threads * arcs,
        threads=lambda graph: threads, reads_weights=weighted,
    )  # fmt: skip
    return PathCount(
        **vars(measure), starts=starts, weights=weights, endpoints=endpoints, arcs=arcs
    )


def _starts(n: int, sources: Any) -> NDArray[np.int32]:
    """The vertices to search from."""
    if sources is None:
        return np.arange(n, dtype=np.int32)
    starts = as_sources(sources, n)[0]
    ordered = np.sort(starts)
    for twice in ordered[1:][ordered[1:] == ordered[:-1]][:1]:
        text = "sources has {} twice: draw them without replacement"
        raise ValueError(VertexMessage(text, int(twice)))
    return starts


def dependencies(
    graph: Graph,
    starts: NDArray[np.int32],
    weights: Array | None,
    *,
    endpoints: bool,
    arcs: bool,
    progress: Progress = None,
) -> brandes.Dependencies:
    """Brandes' sums over all paths from ``starts``; raises as `betweenness` does."""
    looks_back = _looks_back(graph, starts, weights)
    sums = Sums(graph, weights, endpoints=endpoints, arcs=arcs, looks_back=looks_back)
    batch = max(1, _ARCS // max(graph.num_arcs, 1))
    for begin in range(0, len(starts), batch):
        sums.add(starts[begin : begin + batch])
        if sums.too_far >= 0:
            raise OverflowError(_too_far(graph, sums.too_far))
        if sums.vanished >= 0:
            raise ValueError(vanished(sums.vanished))
        if sums.countless >= 0:
            raise OverflowError(countless(sums.countless))
        if progress is not None:
            progress(min(begin + batch, len(starts)), len(starts))
    on_arcs = sums.on_arcs if arcs else None
    if on_arcs is not None and not graph.directed:
        on_arcs = on_arcs + on_arcs[other_arc(graph)]
    return brandes.Dependencies(sums.passing, on_arcs)


def _looks_back(graph: Graph, starts: NDArray[np.int32], weights: Array | None) -> bool:
    """Whether vertices look along the arcs into them on a CPU: where a level may have most arcs."""
    has_reverse = not graph.directed or len(starts) >= _MANY_SOURCES
    return weights is None and has_reverse and not has_many_levels(graph)


def _too_far(graph: Graph, arc: int) -> str:
    """The message of an arc that no distance of float64, or int64, is long enough for."""
    sources, targets, weights = graph.coo()
    assert weights is not None
    u, v = int(sources[arc]), int(targets[arc])
    dtype = "float64" if weights.dtype.kind == "f" else "int64"
    text = (
        f"the distance of vertex {{1}} exceeds {dtype}: the arc {{0}} → {{1}} of weight "
        f"{weights[arc]} leads there from farther than the dtype allows; scale the weights down"
    )
    return VertexMessage(text, u, v)


def other_arc(graph: Graph) -> NDArray[np.int64]:
    """The index of each arc's opposite, in a graph that has all arcs in both directions."""
    source, target, weight = graph.coo()
    keys = () if weight is None else (weight,)
    other = np.empty(len(source), np.int64)
    # Parallel edges in one order from both ends.
    other[np.lexsort((*keys, target, source))] = np.lexsort((*keys, source, target))
    return other


def positive_weights(graph: Graph) -> Array | None:
    """The weights as distances are added, int64 or float64, once it is known that they are positive."""
    if graph.weights is None:
        return None
    if graph.num_arcs and graph.weight_range[0] <= 0:
        arc = int(np.flatnonzero(graph.weights <= 0)[0])
        raise ValueError(
            f"betweenness needs positive weights, and weights[{arc}] is {graph.weights[arc]}: "
            "arcs of weight 0 may be walked any number of times"
        )
    kind = np.float64 if graph.weights.dtype.kind == "f" else distance_dtype(graph)
    return read_only(graph.weights.astype(kind, copy=False))
