"""Graphs from and to other libraries' objects.

SciPy, NumPy, CuPy, NetworkX, igraph, python-graphblas, pandas, Polars, PyTorch and PyTorch Geometric.
None is imported: objects are known by what they can do.
"""

from collections.abc import Callable, Collection
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from warpath.graph.arrays import as_cupy, is_on_gpu, module_of
from warpath.graph.edge_columns import END_NAMES, edge_columns
from warpath.graph.frames import as_column
from warpath.graph.osmnx import from_osmnx, is_osmnx
from warpath.graph.sparse import check_sparse
from warpath.typing import BuildDeviceName, MergeName

if TYPE_CHECKING:
    import polars

    from warpath.graph.graph import Graph

_DEFAULT_WEIGHT = "weight"


def graph_from(data: Any, **options: Any) -> "Graph":
    """The constructor that ``data``'s type asks for.

    Raises
    ------
    TypeError
        If no constructor takes ``data``.
    """
    from warpath.graph.graph import Graph

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


def from_matrix(matrix: Any, *, directed: bool = True, device: BuildDeviceName = "cpu") -> "Graph":
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

    Examples
    --------
    >>> import numpy as np
    >>> import warpath as wp
    >>> g = wp.Graph.from_matrix(np.array([[0, 7, 0], [0, 0, 2], [0, 0, 0]]))
    >>> wp.sssp(g, 0).distance.tolist()
    [0, 7, 9]
    """
    from warpath.graph.graph import Graph

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


def _undirected(graph: "Graph") -> "Graph":
    """The same graph, if each arc's reverse is there with the same weight."""
    from warpath.graph.graph import Graph

    return Graph.from_csr(
        *graph.resident, directed=False, labels=graph.labels, device=graph.device
    )  # fmt: skip


def from_edge_index(
    edge_index: Any,
    edge_weight: Any = None,
    *,
    n: int | None = None,
    directed: bool = True,
    device: BuildDeviceName = "cpu",
) -> "Graph":
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

    Examples
    --------
    >>> import numpy as np
    >>> import warpath as wp
    >>> wp.Graph.from_edge_index(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]), directed=False)
    <Graph: 3 vertices, 2 edges, undirected, no weights>
    """
    from warpath.graph.graph import Graph

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


def from_igraph(graph: Any, *, weight: str | None = "weight") -> "Graph":
    """A graph of an igraph one, with the same numbers of vertices.

    Parameters
    ----------
    graph : igraph.Graph
    weight : str or None
        The edge attribute that holds the weight. None: the graph has no weights, as without an
        attribute "weight".

    Returns
    -------
    Graph
        With ``labels`` where vertices have an attribute "name".

    Raises
    ------
    ValueError
        If no edge has another attribute than "weight" that was asked for.

    Examples
    --------
    >>> import igraph
    >>> import warpath as wp
    >>> roads = igraph.Graph([(0, 1), (1, 2)], edge_attrs={"km": [12, 5]})
    >>> roads.vs["name"] = ["Ulm", "Bonn", "Kiel"]
    >>> wp.sssp(wp.Graph.from_igraph(roads, weight="km"), "Ulm")["Kiel"]
    17
    """
    from warpath.graph.graph import Graph

    _check_attribute(weight, graph.es.attributes(), graph.ecount())
    ends = np.fromiter(chain.from_iterable(graph.get_edgelist()), np.int32, 2 * graph.ecount())
    names = graph.vs["name"] if "name" in graph.vs.attributes() else None
    return Graph.from_edges(
        ends[::2], ends[1::2],
        np.asarray(graph.es[weight]) if weight in graph.es.attributes() else None,
        n=graph.vcount(), directed=graph.is_directed(),
        labels=None if names is None else _objects(names),
    )  # fmt: skip


def _objects(values: list[Any]) -> Any:
    """The values as they are, tuples too."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _check_attribute(weight: str | None, attributes: Collection[str], edges: int) -> None:
    """Refuse a weight that no edge has: only the default may be absent."""
    if weight not in (None, _DEFAULT_WEIGHT, *attributes) and edges:
        those = ", ".join(sorted(map(repr, attributes))) or "none"
        raise ValueError(f"no edge has the attribute {weight!r}; there are {those}")


def from_graphblas(matrix: Any, *, directed: bool = True) -> "Graph":
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
    from warpath.graph.graph import Graph

    if matrix.nrows != matrix.ncols:
        raise ValueError(f"an adjacency matrix is square, not of shape {matrix.shape}")
    offsets, indices, values = matrix.to_csr()
    weights = None if values.dtype == bool else values
    return Graph.from_csr(offsets, indices, weights, directed=directed)


def from_networkx(graph: Any, *, weight: str | None = "weight") -> "Graph":
    """A graph of a NetworkX (multi)graph; its nodes become 0 … n − 1 in its own order.

    Parameters
    ----------
    graph : networkx.Graph, DiGraph, MultiGraph or MultiDiGraph
    weight : str or None
        The edge attribute that holds the weight; edges without it weigh 1. None: the graph has
        no weights, as where no edge has the attribute "weight".

    Returns
    -------
    Graph
        With ``labels`` when the nodes are not 0 … n − 1 in order.

    Raises
    ------
    ValueError
        If no edge has another attribute than "weight" that was asked for.

    Examples
    --------
    >>> import networkx as nx
    >>> import warpath as wp
    >>> roads = nx.Graph()
    >>> roads.add_edge("Ulm", "Bonn", km=12)
    >>> roads.add_edge("Bonn", "Kiel", km=5)
    >>> wp.sssp(wp.Graph.from_networkx(roads, weight="km"), "Ulm").path("Kiel")
    ['Ulm', 'Bonn', 'Kiel']
    """
    from warpath.graph.graph import Graph

    nodes = list(graph)
    index = {node: i for i, node in enumerate(nodes)}
    edges = list(graph.edges(data=weight) if weight else graph.edges(data="", default=None))
    source = np.fromiter((index[u] for u, _, _ in edges), np.int32, len(edges))
    target = np.fromiter((index[v] for _, v, _ in edges), np.int32, len(edges))
    weights = None
    if any(w is not None for _, _, w in edges):
        weights = np.asarray([1 if w is None else w for _, _, w in edges])
    elif weight not in (None, _DEFAULT_WEIGHT):
        attributes = {name for _, _, data in graph.edges(data=True) for name in data}
        _check_attribute(weight, attributes, len(edges))
    labels: Any = None
    if any(node is not i and node != i for i, node in enumerate(nodes)):
        labels = _objects(nodes)
    return Graph.from_edges(
        source, target, weights, n=len(nodes), directed=graph.is_directed(), labels=labels
    )


def from_frame(
    frame: Any,
    source: str | None = None,
    target: str | None = None,
    weight: str | None = None,
    *,
    n: int | None = None,
    directed: bool = True,
    symmetrize: bool = False,
    drop_self_loops: bool = False,
    merge: MergeName = "keep",
    compact: bool | None = None,
    labels: Any = None,
    edge_ids: bool = False,
    device: BuildDeviceName = "cpu",
) -> "Graph":
    """A graph of a pandas or Polars frame with one edge a row.

    Parameters
    ----------
    frame : pandas.DataFrame or polars.DataFrame
    source, target : str, optional
        Columns of the ends, both or neither. By default the two that are called source and
        target, src and dst, from and to, tail and head, or u and v; else the first two of two or
        three columns.
    weight : str, optional
        Column of the weights. By default, if the ends are not named here, the one that is called
        weight, w, cost, length or distance, else the third of exactly three.
    n, directed, symmetrize, drop_self_loops, merge, compact, labels, edge_ids, device
        See `Graph.from_edges`.

    Raises
    ------
    ValueError
        If a column is missing, only one end is named, or the names of more than three columns do
        not say which are the ends or the weight; an id is missing (null, NA, NaN) or neither an
        integer nor text; and see `Graph.from_edges`.

    Examples
    --------
    >>> import pandas as pd
    >>> import warpath as wp
    >>> roads = pd.DataFrame({"a": ["Ulm", "Bonn"], "b": ["Bonn", "Kiel"], "lanes": 2, "km": [12, 5]})
    >>> g = wp.Graph.from_frame(roads, "a", "b", "km", directed=False)
    >>> wp.sssp(g, "Kiel")["Ulm"]
    17
    """
    from warpath.graph.graph import Graph

    indexed = getattr(getattr(frame, "index", None), "names", ())
    if source is None and any(set(pair) <= {*indexed} for pair in END_NAMES):
        raise ValueError(
            f"the ends of the edges stand in the index {[*indexed]}: call reset_index(), or, of the "
            "frames of OSMnx, Graph.from_osmnx(nodes, edges)"
        )
    source, target, weight = edge_columns(list(frame.columns), source, target, weight)
    values = [None if name is None else frame[name].to_numpy() for name in (source, target, weight)]
    return Graph.from_edges(
        *values,
        n=n,
        directed=directed,
        symmetrize=symmetrize,
        drop_self_loops=drop_self_loops,
        merge=merge,
        compact=compact,
        labels=labels,
        edge_ids=edge_ids,
        device=device,
    )


_KINDS: tuple[tuple[Callable[[Any], bool], Callable[..., "Graph"]], ...] = (
    (lambda data: hasattr(data, "edge_index") and not _is_frame(data), from_edge_index),
    (lambda data: hasattr(data, "to_csr"), from_graphblas),
    (lambda data: hasattr(data, "get_edgelist"), from_igraph),
    (_is_edge_index, from_edge_index),
    (_is_matrix, from_matrix),
    (is_osmnx, from_osmnx),
    (lambda data: hasattr(data, "is_multigraph"), from_networkx),
    (_is_frame, from_frame),
)
"""How an object is known, and what makes a graph of it."""


def to_networkx(graph: "Graph") -> Any:
    """A NetworkX graph with the same vertices and edges, weights under ``"weight"``.

    Returns
    -------
    networkx.Graph or DiGraph, or if there are parallel edges MultiGraph or MultiDiGraph
        Its nodes are the graph's `labels` where there are any, else 0 … n − 1.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).to_networkx().edges(data="weight")
    OutEdgeDataView([(0, 1, 7), (1, 2, 2)])
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


def to_frame(graph: "Graph") -> "polars.DataFrame":
    """A Polars frame with one edge a row: columns source, target and, if any, weight.

    An undirected edge is one row, the end of the smaller number first. Vertices are their
    `labels`, where there are any. ``to_pandas()`` of the frame is the same for pandas.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.Graph.from_edges([0, 1], [1, 2], [7, 2]).to_frame().rows()
    [(0, 1, 7), (1, 2, 2)]
    """
    import polars as pl

    source, target, weight = graph.edges()
    columns: dict[str, Any] = {"source": source, "target": target}
    if graph.labels is not None:
        names = as_column(graph.labels)
        columns = {end: names.gather(places) for end, places in columns.items()}
    return pl.DataFrame(columns if weight is None else columns | {"weight": weight})
