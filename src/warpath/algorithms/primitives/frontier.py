"""`Frontier`: the vertices whose edges an operator follows next."""

from collections.abc import Sized
from typing import Any

import numpy as np

from warpath.algorithms.common.sources import check_call, distinct
from warpath.display import counted
from warpath.graph.arrays import is_on_gpu, module_for, to_module
from warpath.graph.check import as_sources
from warpath.graph.graph import Graph


class Frontier:
    """A set of vertices of a graph.

    ``len(f)`` is how many they are, and an empty one is false.

    Parameters
    ----------
    graph : Graph
    vertices : vertex, or sequence or array of them, optional
        Labels, if the graph has labels. Each counts once; none is a frontier as well. By default all.

    Attributes
    ----------
    graph : Graph
    vertices : int32 array, shape (k,)
        Their numbers, each once, in no order. NumPy's, or CuPy's where a GPU made it.

    Raises
    ------
    TypeError
        If ``graph`` is no Graph.
    ValueError
        A vertex that the graph does not have.

    See Also
    --------
    advance : Follow its edges.
    traverse : Do so until no frontier is left.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.Frontier(wp.generate.grid(3, 3), [0, 4, 0])
    Frontier(2 vertices)
    """

    graph: Graph
    vertices: Any

    def __init__(self, graph: Graph, vertices: Any = None) -> None:
        check_call(graph, "cpu")
        self.graph = graph
        if vertices is None:
            self.vertices = np.arange(graph.num_vertices, dtype=np.int32)
            return
        if isinstance(vertices, Sized) and len(vertices) == 0:
            self.vertices = np.empty(0, np.int32)
            return
        if graph.labels is not None:
            vertices = graph.names.numbers_like(vertices, "vertices")
        numbers, _ = as_sources(vertices, graph.num_vertices, "vertex", "vertices")
        self.vertices = distinct(numbers, graph.num_vertices)

    @classmethod
    def of(cls, graph: Graph, vertices: Any) -> "Frontier":
        """Make a frontier of numbers that are known to be right.

        Parameters
        ----------
        graph : Graph
            Whose vertices.
        vertices : int32 array, shape (k,)
            Each once.

        Returns
        -------
        Frontier
            It holds the array itself.
        """
        self = cls.__new__(cls)
        self.graph, self.vertices = graph, vertices
        return self

    def __len__(self) -> int:
        return len(self.vertices)

    def __repr__(self) -> str:
        return f"Frontier({counted(len(self), 'vertex', 'vertices')})"

    @property
    def device(self) -> str:
        """Where its vertices lie: "cpu" or "cuda"."""
        return "cuda" if is_on_gpu(self.vertices) else "cpu"

    def on(self, device: str) -> Any:
        """Copy its vertices to a device, if they are not there.

        Parameters
        ----------
        device : {"cpu", "cuda"}
            Where to.

        Returns
        -------
        int32 array, shape (k,)
            NumPy's or CuPy's.

        Raises
        ------
        ValueError, DeviceUnavailableError
            An unknown device, or a GPU where CUDA cannot be used.
        """
        if device == self.device:
            return self.vertices
        return to_module(self.vertices, module_for(device))
