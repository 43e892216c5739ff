"""Johnson's algorithm: negative weights made non-negative, so that Dijkstra's algorithm takes them.

Source: D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24 (1977).
With h(v), the least distance of v from anywhere (0 or less), w + h(u) − h(v) is never negative,
and changes all paths between two vertices by the same amount.

Integers are added modulo 2⁶⁴, so a sum is exact if its true value fits 64 bits. A new weight is at
least 0, so a sum below 0 is one that does not fit. A distance comes back exactly, since its first
sum, d + h(target), lies between −2⁶³ and d. Floats round on the way. So the lengths of the paths
that were found are summed again, and relaxed until they are what other methods find, to the bit
(`warpath.cpu.settle`).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.stats import Stats
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.cpu.settle import settle
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.parallel import thread_count
from warpath.typing import DeviceName

Array = NDArray[Any]


def potentials(graph: Graph, dtype: np.dtype[Any]) -> Array:
    """The least distance of each vertex from any vertex, by Bellman-Ford's algorithm.

    Raises
    ------
    NegativeCycleError
        If there is a negative cycle anywhere.
    OverflowError
        If a distance does not fit in ``dtype``.
    """
    n = graph.num_vertices
    return sssp(
        graph, np.arange(n, dtype=np.int32), nearest=True, predecessors=False,
        method="bellman-ford", dtype=dtype, device="cpu",
    ).distance  # fmt: skip


@dataclass(frozen=True)
class Johnson:
    """A graph whose weights were made non-negative.

    Attributes
    ----------
    graph : Graph
        As it was.
    reweighted : Graph
    potential : array, shape (n,)
    weights : array, shape (m,)
        The graph's, in the dtype of the distances.
    """

    graph: Graph
    reweighted: Graph
    potential: Array
    weights: Array

    @classmethod
    def of(cls, graph: Graph, dtype: np.dtype[Any]) -> "Johnson":
        """Compute the potentials of a directed graph; ``dtype`` is float, or int64.

        Raises
        ------
        NegativeCycleError, OverflowError
            See `potentials`.
        """
        h = potentials(graph, dtype)
        source, target, weight = graph.coo()
        assert weight is not None
        weights = weight.astype(dtype, copy=False)
        with np.errstate(over="ignore"):
            shifted = weights + h[source] - h[target]
        beyond = shifted < 0 if dtype.kind == "i" else np.isinf(shifted)
        for arc in np.flatnonzero(beyond)[:1]:
            text = (
                f"the arc {{}} → {{}} of weight {weight[arc]}, made non-negative, exceeds {dtype}; "
                "scale the weights down"
            )
            raise OverflowError(VertexMessage(text, int(source[arc]), int(target[arc])))
        shifted = np.maximum(shifted, 0)  # only rounding makes less
        return cls(graph, graph.with_weights(shifted), h, weights)

    def rows(self, sources: Array, device: DeviceName) -> tuple[Array, Array, Stats]:
        """Distances and predecessors from each of ``sources``, NumPy arrays of shape (k, n).

        Raises
        ------
        OverflowError
            If a distance does not fit, before or after it is made one of the graph as it was.
        """
        found = sssp(self.reweighted, sources, device=device).to_numpy()
        distance, predecessor = found.distance, found.predecessor
        assert predecessor is not None
        none = unreachable(distance.dtype)
        if distance.dtype.kind == "i":
            reached, h = distance != none, self.potential
            np.add(distance, h, out=distance, where=reached)
            far = reached & (distance >= none + h[sources][:, None])
            for row, v in np.argwhere(far)[:1]:
                raise OverflowError(
                    f"the distance from {sources[row]} to {v} exceeds {none.dtype}; scale the "
                    "weights down"
                )
            np.subtract(distance, h[sources][:, None], out=distance, where=reached)
            return distance, predecessor, found.stats
        settled = settle(
            "shortest", self.graph, self.weights, sources, distance.dtype.type(0), none,
            distance, predecessor, min(thread_count.num_threads(), len(sources)),
        )  # fmt: skip
        # A sum beyond the largest float is none: the search below names the arc.
        lost = ((predecessor >= 0) & (distance == none)).any(axis=1)
        # Large floats swallow small ones, and hide a negative cycle from the potentials so.
        round_trip = distance[np.arange(len(sources)), sources] < 0
        for i in np.flatnonzero(~settled | lost | round_trip):
            again = sssp(self.graph, sources[i], dtype=distance.dtype, device="cpu")
            assert again.predecessor is not None
            distance[i], predecessor[i] = again.distance, again.predecessor
        return distance, predecessor, found.stats
