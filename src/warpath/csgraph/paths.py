"""SciPy's functions about shortest paths."""

import math
import operator
import warnings
from typing import Any, Literal

import numpy as np
from numpy.typing import DTypeLike

from warpath.algorithms.shortest_paths.k_shortest_paths import k_shortest_paths
from warpath.csgraph import search
from warpath.csgraph.bounded_dijkstra import bounded_dijkstra
from warpath.csgraph.call import NO_PREDECESSOR, Call, as_limit, as_sources
from warpath.csgraph.errors import raised_as_scipys
from warpath.csgraph.matrices import is_sparse
from warpath.typing import DeviceName


def shortest_path(
    csgraph: Any,
    method: Literal["auto", "FW", "D", "BF", "J"] = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """Shortest paths, from all vertices or some: SciPy's ``shortest_path``.

    Parameters
    ----------
    csgraph : sparse, dense or masked, shape (N, N)
        Entry (u, v) is the weight of the arc u → v. In a dense matrix 0, infinity and NaN are no
        arcs, in a masked one masked entries, in a sparse one what is not stored. Stored zeros are
        arcs. Duplicates are added up, as SciPy does, but for float64 in CSR, where the least counts.
        SciPy's, NumPy's, PyData's or CuPy's.
    method : {"auto", "FW", "D", "BF", "J"}
        "D": see `dijkstra`; "BF": `bellman_ford`; "J": `johnson`; "FW": `floyd_warshall`.
        "auto": as the weights' signs and the number of entries ask.
    directed : bool
        False: each entry is an edge in both directions.
    return_predecessors : bool
    unweighted : bool
        True: each arc counts 1.
    overwrite : bool
        True: "FW" may write its answer into ``csgraph``.
    indices : int, or array of ints of any shape, optional
        The sources; negative ones count from the end. By default all vertices.
    dtype : dtype, optional
        The distances' dtype: int32, int64, float32 or float64, SciPy's and the default. The
        largest integer stands for "no path".
    device : {"auto", "cpu", "cuda"}
        See `warpath.sssp`. Wherever it runs, the answer lies where ``csgraph`` lies.

    Returns
    -------
    dist_matrix : array, shape indices.shape + (N,), or (N, N)
        ``inf`` where there is no path.
    predecessors : int32 array like it
        Only with ``return_predecessors``; -9999 for sources and where there is no path.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative weight ("BF", and "D": that a source reaches).
    ValueError
        A matrix that is not square, or whose arrays contradict each other (offsets that decrease,
        a column that is not there, …); indices out of range, an unknown method or dtype; indices
        with "FW".
    TypeError
        Weights that are floats of more than 64 bits (`numpy.longdouble`); what is no dtype.
    DeviceUnavailableError
        ``device="cuda"`` where CUDA cannot be used.

    See Also
    --------
    warpath.sssp : The same of a graph, with paths and statistics.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.shortest_path(graph, indices=0)
    array([0. , 1.5, 1. ])
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"unrecognized method {method!r}; choose one of auto, FW, D, BF, J")
    if method == "FW" and indices is not None:
        raise ValueError("Cannot specify indices with method == 'FW'.")
    if method == "auto":
        # As SciPy: Floyd-Warshall adds up parts of paths, and floats round differently.
        method = "J" if indices is not None or is_sparse(csgraph) else "FW"
    if method == "FW":
        return floyd_warshall(
            csgraph, directed, return_predecessors, unweighted, overwrite,
            dtype=dtype, device=device,
        )  # fmt: skip
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device)
    if method == "D":
        return _dijkstra(call, indices)
    if method == "BF":
        return _bellman_ford(call, indices)
    return _johnson(call, indices)


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """Shortest paths where no weight is negative: SciPy's ``dijkstra``.

    Many sources are shared out among the threads; few have all threads each.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted, dtype, device
        See `shortest_path`.
    limit : float
        Vertices farther than this read as unreachable.
    min_only : bool
        True: only distances from the nearest of the sources.

    Returns
    -------
    dist_matrix, predecessors
        See `shortest_path`; with ``min_only`` of shape (N,).
    sources : int32 array, shape (N,)
        Only with ``min_only`` and ``return_predecessors``: the source whose distance it is,
        -9999 where there is no path.

    Warns
    -----
    UserWarning
        If a weight is negative. SciPy's answer is wrong then, or it does not end; this one is
        `bellman_ford`'s.

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    ValueError
        A negative limit, or NaN; and see `shortest_path`.
    TypeError
        A limit that is no real number; and see `shortest_path`.
    DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    shortest_path : By any method.
    warpath.sssp : The same of a graph.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.dijkstra(graph, indices=0, limit=1)
    array([ 0., inf,  1.])
    """
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device)
    return _dijkstra(call, indices, limit, min_only)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """Shortest paths with weights of either sign: SciPy's ``bellman_ford``.

    It ends when no distance changes any more, where SciPy's always takes N rounds.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted, dtype, device
        See `shortest_path`.

    Returns
    -------
    dist_matrix, predecessors
        See `shortest_path`.

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    ValueError, TypeError, DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    shortest_path : By any method.
    warpath.sssp : The same of a graph.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> graph[2][1] = -0.5
    >>> csgraph.bellman_ford(graph, indices=0)
    array([0. , 0.5, 1. ])
    """
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device)
    return _bellman_ford(call, indices)


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """Shortest paths with weights of either sign, from many sources: SciPy's ``johnson``.

    Parameters
    ----------
    csgraph, directed, indices, return_predecessors, unweighted, dtype, device
        See `shortest_path`.

    Returns
    -------
    dist_matrix, predecessors
        See `shortest_path`.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative weight, whether a source reaches it or not.
    ValueError, TypeError, DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    shortest_path : By any method.
    warpath.apsp : The same of a graph.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> graph[2][1] = -0.5
    >>> csgraph.johnson(graph)[0]
    array([0. , 0.5, 1. ])
    """
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device)
    return _johnson(call, indices)


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    *,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """Shortest paths between all pairs of a dense graph: SciPy's ``floyd_warshall``.

    Parameters
    ----------
    csgraph, directed, return_predecessors, unweighted, dtype, device
        See `shortest_path`.
    overwrite : bool
        True: write the distances into ``csgraph`` where that is a C-ordered array of their
        dtype, and return it.

    Returns
    -------
    dist_matrix, predecessors
        See `shortest_path`.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative weight.
    ValueError, TypeError, DeviceUnavailableError
        See `shortest_path`.

    See Also
    --------
    shortest_path : By any method.
    warpath.apsp : The same of a graph.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.floyd_warshall(graph)
    array([[0. , 1.5, 1. ],
           [inf, 0. , inf],
           [inf, 0.5, 0. ]])
    """
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device, sums=False)
    distance, predecessor = search.all_pairs(call)
    given = call.csgraph
    if (
        overwrite
        and isinstance(given, np.ndarray)
        and not np.ma.isMaskedArray(given)
        and given.dtype == call.dtype
        and given.flags.c_contiguous
    ):
        given[...] = distance
        distance = np.asarray(given)
    return call.answer((len(distance),), distance, predecessor)


def yen(
    csgraph: Any,
    source: int,
    sink: int,
    K: int,
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> Any:
    """The K shortest paths without loops: SciPy's ``yen``, by `warpath.k_shortest_paths`.

    Parameters
    ----------
    csgraph, directed, return_predecessors, unweighted, dtype
        See `shortest_path`.
    source, sink : int
    K : int
    device : {"auto", "cpu", "cuda"}
        See `warpath.k_shortest_paths`.

    Returns
    -------
    dist_array : array, shape (M,)
        Lengths, ascending; M is less than K where there are no more paths.
    predecessors : int32 array, shape (M, N)
        Only with ``return_predecessors``: on each path the vertex before, else -9999.

    Raises
    ------
    NegativeCycleError
        If there is a cycle of negative weight.
    ValueError
        ``source`` or ``sink`` out of range, a negative K; and see `shortest_path`.
    TypeError, DeviceUnavailableError
        See `shortest_path`.
    OverflowError
        If sums of weights may exceed what the distances' dtype holds.

    See Also
    --------
    warpath.k_shortest_paths : The same of a graph, with the paths.

    Examples
    --------
    >>> from warpath import csgraph
    >>> graph = [[0, 2, 1], [0, 0, 0], [0, 0.5, 0]]
    >>> csgraph.yen(graph, 0, 1, 2)
    array([1.5, 2. ])
    """
    call = Call.of(csgraph, directed, return_predecessors, unweighted, dtype, device)
    graph, n = call.graph, call.graph.num_vertices
    if not (0 <= source < n and 0 <= sink < n):
        raise ValueError(
            "For csgraph with shape (N, N), must have 0 <= source < N and 0 <= sink < N. "
            f"Got N={n}, source={source}, sink={sink}."
        )
    if operator.index(K) < 0:
        raise ValueError(f"K must not be negative, not {K}")
    search.check_cycles(call)
    if call.run_dtype is not None and graph.weight_dtype is not None:
        graph = graph.with_weights(graph.resident.weights.astype(call.run_dtype))
    with raised_as_scipys():
        found = k_shortest_paths(graph, source, sink, max(K, 1), device=call.device)
    lengths = call.where_it_came_from(np.array(found.lengths[:K], call.dtype))
    if not call.predecessors:
        return lengths
    predecessors = np.full((len(lengths), n), NO_PREDECESSOR, np.int32)
    for row, walk in zip(predecessors, found.vertices[:K], strict=True):
        row[walk[1:]] = walk[:-1]
    return lengths, call.where_it_came_from(predecessors)


def _dijkstra(call: Call, indices: Any, limit: float = np.inf, min_only: bool = False) -> Any:
    ceiling = as_limit(limit)
    sources, shape = as_sources(indices, call.num_vertices)
    found = None
    if math.isfinite(ceiling) and (min_only or len(sources) == 1):
        found = bounded_dijkstra(call, sources, ceiling)
    if found is None:
        if call.signed:
            warnings.warn(
                "the graph has negative weights (the smallest is "
                f"{call.graph.weight_range[0]}), which Dijkstra's algorithm cannot take: this "
                "answer is bellman_ford's",
                UserWarning,
                stacklevel=3,
            )
        if min_only:
            found = search.nearest(call, np.unique(sources), ceiling)
        else:
            found = search.rows(call, sources, ceiling)
    distance, predecessor = found
    if not min_only:
        return call.answer(shape, distance, predecessor)
    if not call.predecessors:
        return call.answer((), distance, None)
    origins = search.origins(distance, predecessor)
    return *call.answer((), distance, predecessor), call.where_it_came_from(origins)


def _bellman_ford(call: Call, indices: Any) -> Any:
    sources, shape = as_sources(indices, call.graph.num_vertices)
    return call.answer(shape, *search.rows(call, sources))


def _johnson(call: Call, indices: Any) -> Any:
    sources, shape = as_sources(indices, call.graph.num_vertices)
    if indices is not None:
        search.check_cycles(call)
    return call.answer(shape, *search.rows(call, sources))
