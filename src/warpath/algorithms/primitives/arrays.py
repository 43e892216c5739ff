"""A graph's arrays as operators take them, and the simple graph beneath a graph: made once and kept."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from warpath.algorithms.primitives.vertices import compute
from warpath.graph.graph import Graph
from warpath.language import operator
from warpath.typing import BuildDeviceName


@dataclass(frozen=True, eq=False)
class GraphArrays:
    """The edges of a graph, in arrays of one module.

    Attributes
    ----------
    offsets : int64 array, shape (n + 1,)
    columns : int32 array, shape (m,)
    """

    offsets: Any
    columns: Any

    @cached_property
    def degree(self) -> Any:
        """The number of edges out of each vertex: int64 array, shape (n,)."""
        return self.offsets[1:] - self.offsets[:-1]


def arrays_of(graph: Graph, xp: Any) -> GraphArrays:
    """The arrays of a graph on the CPU or the current GPU; kept with the graph there.

    Parameters
    ----------
    graph : Graph
    xp : module
        NumPy or CuPy.
    """
    there = _there(graph, xp)
    key = ("arrays of operators",)
    if key not in there.derived:
        there.derived[key] = GraphArrays(
            there.row_offsets.astype(np.int64, copy=False), there.column_indices
        )
    return there.derived[key]  # type: ignore[no-any-return]


def ends_of(graph: Graph, xp: Any) -> tuple[Any, Any]:
    """Source and target of each edge: int32 arrays, shape (m,)."""
    if xp is np:
        return graph.coo()[:2]
    there = _there(graph, xp)
    return there.sources, there.column_indices


def edge_weights(graph: Graph, xp: Any) -> Any:
    """The weight of each edge, shape (m,); int32 ones where there are none."""
    weights = _there(graph, xp).weights
    return xp.ones(graph.num_arcs, np.int32) if weights is None else weights


def with_edge_numbers(graph: Graph, xp: Any) -> Graph:
    """The same graph, its arrays ``xp``'s, and each edge's weight its number in CSR order."""
    arrays = arrays_of(graph, xp)
    numbers = xp.arange(graph.num_arcs, dtype=np.int64)
    return Graph._from_parts(arrays.offsets, arrays.columns, numbers, graph.directed)


def out_weights(graph: Graph, xp: Any) -> Any:
    """The sum of the weights of the edges out of each vertex; kept likewise.

    Parameters
    ----------
    graph : Graph
        With weights.
    xp : module
        NumPy or CuPy.

    Returns
    -------
    float64 array, shape (n,)
        Added in the order of the edges.
    """
    there = _there(graph, xp)
    key = ("weights out of vertices",)
    if key not in there.derived:
        sums = xp.empty(graph.num_vertices)
        compute(graph, _add_weights, arrays_of(graph, xp).offsets, there.weights, sums)
        there.derived[key] = sums
    return there.derived[key]


@operator
def _add_weights(v, offsets, weights, sums):  # type: ignore[no-untyped-def]
    found = np.float64(0)
    for at in range(offsets[v], offsets[v + 1]):
        found += np.float64(weights[at])
    sums[v] = found


def _there(graph: Graph, xp: Any) -> Any:
    """The graph where ``xp`` has its arrays."""
    if xp is np:
        return graph
    from warpath.cuda.device_graph import on_device

    return on_device(graph)


def module_of_arcs(graph: Graph, xp: Any) -> Any:
    """The module that makes what has an element for each arc: NumPy where a GPU's memory does not hold the arcs."""
    return np if xp is np or _there(graph, xp).out_of_core else xp


def zeros_of_arcs(graph: Graph, xp: Any, per_arc: int) -> Any:
    """Zeros in an int64 array of ``xp``, some for each arc, where the graph's arcs lie."""
    size = per_arc * graph.num_arcs
    if module_of_arcs(graph, xp) is xp:
        return xp.zeros(size, np.int64)
    from warpath.cuda import runtime

    zeros = runtime.current().empty_pinned(size, np.int64)
    zeros.fill(0)
    return zeros


def simple_graph(graph: Graph, xp: Any) -> Graph:
    """The simple undirected graph: an edge where there is one in either direction; kept with the graph.

    Parameters
    ----------
    graph : Graph
    xp : module
        NumPy or CuPy: where it is made, if the arcs are there.

    Returns
    -------
    Graph
        ``graph`` itself if it has neither directions nor parallel edges nor self-loops.
    """
    xp = module_of_arcs(graph, xp)
    where: BuildDeviceName = "cpu" if xp is np else "cuda"
    key = "simple graph", where
    if key not in graph.derived:
        graph.derived[key] = _simple(graph, xp, where)
    return graph if graph.derived[key] is None else graph.derived[key]


def _simple(graph: Graph, xp: Any, where: BuildDeviceName) -> Graph | None:
    """None: it is one."""
    source, target = ends_of(graph, xp)
    if not graph.directed:
        parallel = (source[1:] == source[:-1]) & (target[1:] == target[:-1])
        if not bool(parallel.any()) and not bool((source == target).any()):
            return None
        once = source < target
        source, target = source[once], target[once]
    return Graph.from_edges(
        source, target, n=graph.num_vertices, symmetrize=True, merge="min", drop_self_loops=True,
        device=where,
    )  # fmt: skip
