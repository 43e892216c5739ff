"""Graphs from and to other libraries' objects: SciPy, NumPy, NetworkX, pandas, Polars."""

from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.graph.graph import Graph

if TYPE_CHECKING:
    import polars


def graph_from(data: Any, **options: Any) -> Graph:
    """The constructor that ``data``'s type asks for.

    Raises
    ------
    TypeError
        If no constructor takes ``data``.
    """
    if isinstance(data, Graph):
        if options:
            raise TypeError(f"Graph(graph) takes no options, got {', '.join(options)}")
        return data
    if hasattr(data, "tocoo") or (hasattr(data, "ndim") and data.ndim == 2 and not _is_frame(data)):
        return from_matrix(data, **options)
    if hasattr(data, "is_multigraph"):
        return from_networkx(data, **options)
    if _is_frame(data):
        return from_frame(data, **options)
    raise TypeError(
        f"cannot make a Graph of {type(data).__name__}: give a SciPy sparse matrix, a dense "
        "2-d array, a NetworkX graph or an edge frame, or call Graph.from_edges or Graph.from_csr"
    )


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__")


def from_matrix(matrix: Any, *, directed: bool = True) -> Graph:
    """A graph of an adjacency matrix: entry (u, v) is the weight of the arc u → v.

    Parameters
    ----------
    matrix : SciPy sparse matrix or array, or dense array-like, shape (n, n)
        Every stored entry of a sparse matrix is an arc, zeros and duplicates included.
        Of a dense one, every entry that is neither zero nor (for floats) infinite.
        Boolean matrices give a graph without weights.
    directed : bool
        False promises a symmetric matrix; it is checked.

    Raises
    ------
    ValueError
        If the matrix is not square, a weight is NaN, or asymmetric with ``directed=False``.
    """
    if not hasattr(matrix, "tocoo"):
        matrix = np.asarray(matrix)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}")
    n = matrix.shape[0]
    if isinstance(matrix, np.ndarray):
        present = matrix != 0
        if matrix.dtype.kind == "f":
            present &= ~np.isinf(matrix)
        source, target = np.nonzero(present)
        weight = None if matrix.dtype == bool else matrix[source, target]
        graph = Graph.from_edges(source, target, weight, n=n)
    elif getattr(matrix, "format", "") == "csr":
        weight = None if matrix.dtype == bool else matrix.data
        graph = Graph.from_csr(matrix.indptr, matrix.indices, weight)
    else:
        coo = matrix.tocoo()
        weight = None if coo.dtype == bool else coo.data
        graph = Graph.from_edges(coo.row, coo.col, weight, n=n)
    if directed:
        return graph
    return Graph.from_csr(graph.row_offsets, graph.column_indices, graph.weights, directed=False)


def from_networkx(graph: Any, *, weight: str | None = "weight") -> Graph:
    """A graph of a NetworkX (multi)graph; its nodes become 0 … n − 1 in its own order.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    weight : str or None
        The edge attribute that holds the weight; edges without it weigh 1, and if none
        has it, or it is None, the graph has no weights.

    Returns
    -------
    Graph
        With ``labels`` when the nodes are not 0 … n − 1 in order.
    """
    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight) if weight else graph.edges(data="", default=None))
    source = np.fromiter((index[u] for u, _, _ in edges), np.int32, len(edges))
    target = np.fromiter((index[v] for _, v, _ in edges), np.int32, len(edges))
    weights = None
    if any(w is not None for _, _, w in edges):
        weights = np.asarray([1 if w is None else w for _, _, w in edges])
    labels: Any = None
    if any(node is not i and node != i for i, node in enumerate(nodes)):
        labels = np.empty(len(nodes), object)
        labels[:] = nodes
    return Graph.from_edges(
        source, target, weights, n=len(nodes), directed=graph.is_directed(), labels=labels
    )


def from_frame(
    frame: Any,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    **options: Any,
) -> Graph:
    """A graph of a pandas or Polars frame with one edge a row.

    Parameters
    ----------
    frame : pandas.DataFrame or polars.DataFrame
    source, target : str, optional
        Columns of the ends, both or neither; by default the first two.
    weight : str, optional
        Column of the weights; by default, if the ends are not named, the third where
        there is one.
    **options
        See `Graph.from_edges`.

    Raises
    ------
    ValueError
        If a column is missing or only one end is named; and see `Graph.from_edges`.
    """
    columns = list(frame.columns)
    if len(columns) < 2:
        raise ValueError(f"an edge frame has at least two columns, not {columns}")
    if (source is None) != (target is None):
        raise ValueError(f"name both source and target, or neither, not only {source or target!r}")
    if source is None:
        source, target = columns[:2]
        if weight is None and len(columns) > 2:
            weight = columns[2]
    for name in (source, target, weight):
        if name is not None and name not in columns:
            raise ValueError(f"no column {name!r}: the frame has {columns}")
    values = [None if name is None else frame[name].to_numpy() for name in (source, target, weight)]
    return Graph.from_edges(*values, **options)


def to_networkx(graph: Graph) -> Any:
    """A NetworkX graph with the same vertices and edges, weights under ``"weight"``.

    Returns
    -------
    networkx.Graph or DiGraph, or if there are parallel edges MultiGraph or MultiDiGraph
        Its nodes are the graph's `labels` where there are any, else 0 … n − 1.
    """
    import networkx as nx

    source, target, weight = graph.edges()
    parallel = bool(np.any((source[1:] == source[:-1]) & (target[1:] == target[:-1])))
    kinds = {
        (True, False): nx.DiGraph,
        (True, True): nx.MultiDiGraph,
        (False, False): nx.Graph,
        (False, True): nx.MultiGraph,
    }
    other = kinds[graph.directed, parallel]()
    names = range(graph.num_vertices) if graph.labels is None else graph.labels.tolist()
    other.add_nodes_from(names)
    ends = [names[u] for u in source.tolist()], [names[v] for v in target.tolist()]
    if weight is None:
        other.add_edges_from(zip(*ends, strict=True))
    else:
        other.add_weighted_edges_from(zip(*ends, weight.tolist(), strict=True))
    return other


def to_frame(graph: Graph) -> "polars.DataFrame":
    """A Polars frame with one edge a row: columns source, target and, if any, weight.

    An undirected edge is one row, with source ≤ target. ``to_frame(g).to_pandas()`` is
    the same for pandas.
    """
    import polars as pl

    columns = dict(zip(("source", "target", "weight"), graph.edges(), strict=True))
    return pl.DataFrame({name: values for name, values in columns.items() if values is not None})
