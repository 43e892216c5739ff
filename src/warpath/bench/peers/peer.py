"""What a peer is: somebody else's graph library or program, measured next to warpath."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib.metadata import version
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from warpath.graph.graph import Graph
from warpath.typing import BuildDeviceName

Array = NDArray[Any]
Answer = tuple[Array | None, float]


class Peer(ABC):
    """A graph library. Its modules are imported where they are used, and not before.

    Attributes
    ----------
    name : str
    module : str
        What is imported.
    package : str
        What pip installs.
    device : {"cpu", "cuda"}
    rules : str
        What its seconds contain, and what its answer lacks.
    """

    name: ClassVar[str]
    module: ClassVar[str]
    package: ClassVar[str]
    device: ClassVar[BuildDeviceName] = "cpu"
    rules: ClassVar[str]

    @property
    def version(self) -> str:
        """The version of the installed package."""
        return version(self.package)

    def missing(self) -> str | None:
        """Why it cannot be used here; None if it can."""
        if importlib.util.find_spec(self.module) is None:
            return f"not installed: pip install {self.package}"
        return None

    @abstractmethod
    def prepare(self, graph: Graph) -> Any:
        """The graph as the peer wants it; a ValueError says why it cannot take it."""

    @abstractmethod
    def run(self, handle: Any, algorithm: str, source: int) -> Answer:
        """(distances in a host array, seconds); None for distances where it gives none.

        Levels are −1 where the source does not reach, distances infinite or the largest
        number of their type.
        """

    def measure(self, handle: Any, algorithm: str, sources: Sequence[int]) -> tuple[Any, float]:
        """(values of the vertices, or one number; seconds) of one of `warpath.bench.measures.MEASURES`.

        The graph has no weights. A ValueError says that it has no such kernel.
        """
        raise ValueError(f"it is measured in searches alone, not in {algorithm}")


def distances(n: int, algorithm: str, vertices: Any, values: Any) -> Array:
    """The distances of all vertices, given those that a source reaches."""
    found = np.full(n, -1, np.int32) if algorithm == "bfs" else np.full(n, np.inf)
    found[vertices] = values
    return found


def has_negative(graph: Graph) -> bool:
    """Whether a weight is negative."""
    return graph.weights is not None and graph.num_arcs > 0 and graph.weight_range[0] < 0


def refuse_negative(graph: Graph, name: str) -> None:
    """A ValueError if a weight is negative."""
    if has_negative(graph):
        raise ValueError(f"{name} takes no negative weights: {graph.weight_range[0]} is one")


def has_parallel_arcs(graph: Graph) -> bool:
    """Whether some arc leads from where another leads to where that leads."""
    same = np.flatnonzero(graph.column_indices[1:] == graph.column_indices[:-1]) + 1
    # Rows are sorted: of two equal neighbours in one row neither begins it.
    return not bool(np.isin(same, graph.row_offsets).all())
