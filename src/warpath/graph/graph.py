"""`Graph`: an immutable graph in compressed sparse rows."""

import os
from collections.abc import Callable
from typing import Any

from warpath.graph.adjacency_matrices import Matrices
from warpath.graph.check import wrong_kind
from warpath.graph.edge_frames import EdgeFrames
from warpath.graph.networks import Networks
from warpath.graph.osmnx import StreetNetworks, is_osmnx
from warpath.graph.variants import Variants


class Graph(Variants, Matrices, Networks, StreetNetworks, EdgeFrames):
    """An immutable graph: compressed sparse rows (CSR), rows sorted by target.

    ``Graph(data)`` takes what `Graph.from_matrix`, `Graph.from_networkx` and their like take. That
    is a matrix: SciPy's, CuPy's, PyTorch's, python-graphblas's or a dense array. Or a graph:
    NetworkX's, igraph's, OSMnx's, PyTorch Geometric's or a `Graph`. Or a frame of edges, from
    pandas or Polars. `Graph.from_edges` takes arrays of ends,
    `Graph.from_csr` CSR arrays; `warpath.read` reads files.

    Parameters
    ----------
    data : object
        See above.
    **options
        Handed to the constructor that ``data`` asks for.

    Attributes
    ----------
    row_offsets : int32 or int64 array, shape (n + 1,)
        The arcs out of u stand at ``row_offsets[u]:row_offsets[u + 1]``. int64 from 2³¹ arcs.
    column_indices : int32 array, shape (m,)
        The target of each arc, ascending within a row.
    weights : int32, int64, float32 or float64 array, shape (m,), or None
    directed : bool
        False: each edge {u, v} is stored as the arcs (u, v) and (v, u), a self-loop once.
    labels : array, shape (n,), or None
        What the vertices are called, where that is not 0 … n − 1. If a graph has labels, vertices
        that you give are labels, and vertices of results are labels; else they are numbers. Arrays
        with an entry for each vertex are in the order of the numbers: ``labels[i]`` is what vertex
        number i is called, ``index(name)`` the number.
    edge_ids : int32 or int64 array, shape (m,), or None
        If it was asked for, the place of each arc's edge in the frame or the arrays that made the
        graph, from 0. Among files only ``.npz`` keeps it.
    coordinates : float64 array, shape (n, 2), or None
        x and y of each vertex, from `with_coordinates`, `from_osmnx` or a file.
    crs : str or None
        Their coordinate reference system: ``"EPSG:4326"`` is longitude and latitude.
    device : {"cpu", "cuda"}
        Where the graph was built.

    See Also
    --------
    warpath.read : Reads a graph from a file.
    warpath.generate : Makes graphs by rule.
    warpath.statistics : A graph in numbers.

    Notes
    -----
    All arrays are NumPy's and read-only. If a graph was built on a GPU
    (``device="cuda"``) they are copied from there on first access, and kept.
    Parallel edges, self-loops and weights of zero are legal and kept. With n vertices and m
    arcs, CSR takes 4(n + 1) + 4m bytes and the weights' (survey, section 1.2 and table 1).

    Examples
    --------
    >>> import warpath as wp
    >>> import numpy as np
    >>> g = wp.Graph(np.array([[0, 7, 0], [0, 0, 2], [0, 0, 0]]))
    >>> g.num_vertices, g.num_arcs, g.weights.tolist()
    (3, 2, [7, 2])
    >>> g = wp.Graph.from_edges(["Ulm", "Bonn"], ["Bonn", "Kiel"], [12, 5], directed=False)
    >>> g.labels.tolist(), g.num_edges, g.num_arcs
    (['Bonn', 'Kiel', 'Ulm'], 2, 4)
    """

    def __init__(self, data: Any, **options: Any) -> None:
        other = _graph_of(data, **options)
        _ = other.resident  # of arcs on several GPUs copies
        self.__dict__.update(other.__dict__)


def check_graph(graph: Any) -> None:
    """Refuse what is no `Graph`.

    Raises
    ------
    TypeError
        The message says how to make one, or what an attribute ``not_one_graph`` says.
    """
    if not isinstance(graph, Graph):
        a_file = isinstance(graph, (str, os.PathLike))
        advice = "wp.read reads a file" if a_file else "wp.Graph(...) makes one"
        raise wrong_kind("a warpath.Graph", graph, getattr(graph, "not_one_graph", advice))


def _graph_of(data: Any, **options: Any) -> Graph:
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
    raise TypeError(f"cannot make a Graph of {type(data).__name__}: {_advice(data)}")


def _advice(data: Any) -> str:
    if hasattr(data, "not_one_graph"):
        return str(data.not_one_graph)
    if isinstance(data, (str, os.PathLike)):
        return "wp.read reads a file"
    if _is_lazy(data):
        return "give data.collect()"
    if isinstance(data, (list, set)):
        return (
            "for pairs (source, target) call Graph.from_edges(*zip(*pairs)), for the rows of a matrix "
            "Graph(numpy.array(rows))"
        )
    return (
        "give a SciPy sparse matrix, a dense 2-d array, a NetworkX graph or an edge frame, "
        "or call Graph.from_edges or Graph.from_csr"
    )


def _is_lazy(data: Any) -> bool:
    return hasattr(data, "collect")


def _is_frame(data: Any) -> bool:
    return not _is_lazy(data) and hasattr(data, "columns") and hasattr(data, "__getitem__")


def _is_matrix(data: Any) -> bool:
    return hasattr(data, "tocoo") or (getattr(data, "ndim", 0) == 2 and not _is_frame(data))


def _is_edge_index(data: Any) -> bool:
    """Whether it is a tensor, no array, that holds the ends of edges in two rows.

    Raises
    ------
    ValueError
        Raised for two edges, which may be a matrix as well.
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


_KINDS: tuple[tuple[Callable[[Any], bool], Callable[..., Graph]], ...] = (
    (lambda data: hasattr(data, "edge_index") and not _is_frame(data), Graph.from_edge_index),
    (lambda data: hasattr(data, "to_csr"), Graph.from_graphblas),
    (lambda data: hasattr(data, "get_edgelist"), Graph.from_igraph),
    (_is_edge_index, Graph.from_edge_index),
    (_is_matrix, Graph.from_matrix),
    (is_osmnx, Graph.from_osmnx),
    (lambda data: hasattr(data, "is_multigraph"), Graph.from_networkx),
    (_is_frame, Graph.from_frame),
)
"""How an object is known, and what makes a graph of it."""
