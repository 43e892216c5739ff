"""Graphs from and to other libraries' objects.

SciPy, NumPy, CuPy, NetworkX, igraph, python-graphblas, pandas, Polars, PyTorch and PyTorch Geometric.
None is imported: objects are known by what they can do.
"""

from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.graph.arrays import as_cupy, is_on_gpu, module_of
from warpath.graph.check import check_not_missing
from warpath.graph.graph import Graph
from warpath.graph.sparse import check_sparse

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
    for is_one, convert in _KINDS:
        if is_one(data):
            return convert(data, **options)
    raise TypeError(
        f"cannot make a Graph of {type(data).__name__}: give a SciPy sparse matrix, a dense "
        "2-d array, a NetworkX graph or an edge frame, or call Graph.from_edges or Graph.from_csr"
    )


def _is_frame(data: Any) -> bool:
    return hasattr(data, "columns") and hasattr(data, "__getitem__")


def _is_matrix(data: Any) -> bool:
    return hasattr(data, "tocoo") or (getattr(data, "ndim", 0) == 2 and not _is_frame(data))


def _is_edge_index(data: Any) -> bool:
    """Whether it is a tensor, no array, that holds the ends of edges in two rows.

    Raises
    ------
    ValueError
        Of two edges, which may be a matrix as well.
    """
    shape = tuple(getattr(data, "shape", ()))
    if len(shape) != 2 or shape[0] != 2 or not hasattr(data, "__dlpack__"):
        return False
    if type(data).__module__.partition(".")[0] in ("numpy", "cupy") or "int" not in str(data.dtype):
        return False
    if shape == (2, 2):
        raise ValueError(
            "a 2 × 2 tensor of integers is the ends of two edges, or a matrix of two vertices: call "
            "Graph.from_edge_index or Graph.from_matrix"
        )
    return True


def from_matrix(matrix: Any, *, directed: bool = True, device: str = "cpu") -> Graph:
    """A graph of an adjacency matrix: entry (u, v) is the weight of the arc u → v.

    Parameters
    ----------
    matrix : sparse matrix or array of SciPy or CuPy, or dense array-like, shape (n, n)
        Every stored entry of a sparse matrix is an arc, zeros and duplicates included; of
        PyTorch's those in CSR are taken. Of a dense one, every entry that is neither zero nor
        (for floats) infinite; of one of NumPy's masked arrays every entry that is neither masked
        nor infinite, zeros included, as of `scipy.sparse.csgraph`. Boolean matrices give a graph
        without weights. CSR arrays are shared where `Graph.from_csr` shares them.
    directed : bool
        False promises a symmetric matrix; it is checked.
    device : {"cpu", "cuda"}
        See `Graph.from_edges`.

    Raises
    ------
    ValueError
        If the matrix is not square, the arrays of a sparse one contradict each other, a weight is
        NaN, or asymmetric with ``directed=False``.
    """
    layout = str(getattr(matrix, "layout", "torch.strided"))
    mask = np.ma.getmaskarray(matrix) if np.ma.isMaskedArray(matrix) else None
    if layout == "torch.strided" and is_on_gpu(matrix):
        matrix = as_cupy(matrix)
    elif not hasattr(matrix, "tocoo") and layout == "torch.strided":
        matrix = np.asarray(matrix)
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}")
    n = matrix.shape[0]
    if getattr(matrix, "format", "csr") != "csr":  # whose arrays `Graph.from_csr` checks
        check_sparse(matrix)
    if layout == "torch.sparse_csr":
        parts = matrix.crow_indices(), matrix.col_indices(), matrix.values()
        weight = None if str(matrix.dtype) == "torch.bool" else parts[2]
        graph = Graph.from_csr(*parts[:2], weight, device=device)
    elif layout != "torch.strided":
        raise ValueError(f"a tensor of layout {layout}: call its to_sparse_csr() or to_dense()")
    elif getattr(matrix, "format", "") == "csr":
        weight = None if matrix.dtype == bool else matrix.data
        graph = Graph.from_csr(matrix.indptr, matrix.indices, weight, device=device)
    elif hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        weight = None if coo.dtype == bool else coo.data
        graph = Graph.from_edges(coo.row, coo.col, weight, n=n, device=device)
    else:
        xp = module_of(matrix)
        # A mask says which entries there are: 0 among them is a weight.
        present = matrix != 0 if mask is None or matrix.dtype == bool else ~mask
        if mask is not None:
            present &= ~mask
        if matrix.dtype.kind == "f":
            present &= ~xp.isinf(matrix)
        source, target = xp.nonzero(present)
        weight = None if matrix.dtype == bool else matrix[source, target]
        graph = Graph.from_edges(source, target, weight, n=n, device=device)
    if graph.num_vertices != n:
        raise ValueError(f"{graph.num_vertices + 1} row offsets for {n} rows: one more than rows")
    return graph if directed else _undirected(graph)


def _undirected(graph: Graph) -> Graph:
    """The same graph, if each arc's reverse is there with the same weight."""
    return Graph.from_csr(
        *graph.resident, directed=False, labels=graph.labels, device=graph.device
    )  # fmt: skip


def from_edge_index(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    n: int | None = None,
    directed: bool = True,
    device: str = "cpu",
) -> Graph:
    """A graph of PyTorch Geometric's tensors, or of its ``Data`` object.

    Parameters
    ----------
    edge_index : integer tensor or array, shape (2, m), or Data
        Sources in the first row, targets in the second. Of a ``Data`` object its ``edge_index``,
        ``edge_weight`` (else an ``edge_attr`` of one dimension) and ``num_nodes``.
    edge_weight : tensor or array, shape (m,), optional
    n : int, optional
        Number of vertices; by default one more than the largest id.
    directed : bool
        False promises that each arc's reverse is there with the same weight, as PyTorch Geometric
        stores undirected graphs; it is checked.
    device : {"cpu", "cuda"}
        See `Graph.from_edges`.

    Raises
    ------
    ValueError
        If ``edge_index`` is not of two rows, or asymmetric with ``directed=False``; and see
        `Graph.from_edges`.
    """
    if hasattr(edge_index, "edge_index"):
        data, edge_index = edge_index, edge_index.edge_index
        attribute = getattr(data, "edge_attr", None)
        if edge_weight is None:
            edge_weight = getattr(data, "edge_weight", None)
        if edge_weight is None and getattr(attribute, "ndim", 0) == 1:
            edge_weight = attribute
        n = data.num_nodes if n is None else n
    shape = tuple(edge_index.shape)
    if len(shape) != 2 or shape[0] != 2:
        raise ValueError(f"edge_index has two rows, sources and targets, not shape {shape}")
    graph = Graph.from_edges(edge_index[0], edge_index[1], edge_weight, n=n, device=device)
    return graph if directed else _undirected(graph)


def from_igraph(graph: Any, *, weight: str | None = "weight") -> Graph:
    """A graph of an igraph one, with the same numbers of vertices.

    Parameters
    ----------
    graph : igraph.Graph
    weight : str or None
        The edge attribute that holds the weight; without it, or if it is None, the graph has no
        weights.

    Returns
    -------
    Graph
        With ``labels`` where vertices have an attribute "name".
    """
    ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int32, 2 * graph.ecount())
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return Graph.from_edges(
        ends[::2], ends[1::2],
        np.asarray(graph.es[weight]) if weight in graph.es.attributes() else None,
        n=graph.vcount(), directed=graph.is_directed(),
        labels=None if names is None else np.array(names),
    )  # fmt: skip


def from_graphblas(matrix: Any, *, directed: bool = True) -> Graph:
    """A graph of a python-graphblas matrix: entry (u, v) is the weight of the arc u → v.

    Parameters
    ----------
    matrix : graphblas.Matrix, shape (n, n)
        Every stored entry is an arc, zeros included. Boolean ones give a graph without weights.
    directed : bool
        False promises a symmetric matrix; it is checked.

    Raises
    ------
    ValueError
        If the matrix is not square, a weight is NaN, or asymmetric with ``directed=False``.
    """
    if matrix.nrows != matrix.ncols:
        raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}")
    offsets, indices, values = matrix.to_csr()
    weights = None if values.dtype == bool else values
    return Graph.from_csr(offsets, indices, weights, directed=directed)


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
    *,
    compact: bool = False,
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
    compact : bool
        True: ids may be sparse, or text. Vertices are numbered 0, 1, … in the order of their ids,
        which become the graph's ``labels``.
    **options
        See `Graph.from_edges`.

    Raises
    ------
    ValueError
        If a column is missing or only one end is named, an id is missing (null, NA, NaN) or
        neither an integer nor text; and see `Graph.from_edges`.
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
    if compact:
        numbers, labels = _numbered(values[:2])
        values[:2] = numbers
        options |= {"n": len(labels), "labels": labels}
    return Graph.from_edges(*values, **options)


def _numbered(ends: list[Any]) -> tuple[list[Any], Any]:
    """Both ends by the places of their ids among all ids in order, and these."""
    expected = "vertex ids must be integers or text"
    for values, name in zip(ends, ("source", "target"), strict=True):
        check_not_missing(values, name, expected)
    ids = np.concatenate(ends)
    if ids.dtype.kind not in "iuUOT":
        raise ValueError(f"{expected}, not {ids.dtype}")
    try:
        labels, numbers = np.unique(ids, return_inverse=True)
    except TypeError:  # what cannot be ordered
        raise ValueError("vertex ids must be all integers or all text, and none missing") from None
    return np.split(numbers, 2), labels


_KINDS: tuple[tuple[Callable[[Any], bool], Callable[..., Graph]], ...] = (
    (lambda data: hasattr(data, "edge_index") and not _is_frame(data), from_edge_index),
    (lambda data: hasattr(data, "to_csr"), from_graphblas),
    (lambda data: hasattr(data, "get_edgelist"), from_igraph),
    (_is_edge_index, from_edge_index),
    (_is_matrix, from_matrix),
    (lambda data: hasattr(data, "is_multigraph"), from_networkx),
    (_is_frame, from_frame),
)
"""How an object is known, and what makes a graph of it."""


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
