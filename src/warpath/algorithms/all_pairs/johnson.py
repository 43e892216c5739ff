"""Johnson's algorithm: negative weights made non-negative, so that Dijkstra's algorithm takes them.

Source: D. B. Johnson, "Efficient algorithms for shortest paths in sparse networks", J. ACM 24 (1977).
With h(v), the least distance of v from anywhere (0 or less), w + h(u) − h(v) is never negative,
and changes all paths between two vertices by the same amount.

Integers are added modulo 2⁶⁴, so a sum is exact if its true value fits 64 bits. A new weight is at
least 0, so a sum below 0 is one that does not fit. A distance comes back exactly, since its first
sum, d + h(target), lies between −2⁶³ and d. Floats round on the way. So the lengths of the paths
that were found are summed again, and relaxed until they are what other methods find, to the bit
(`warpath.cpu.settle`).

On a GPU the potentials, the new weights and rows of integers stay there. Rows of floats are summed again on the CPU.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.stats import Stats
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.cpu.settle import settle
from warpath.graph.arrays import Csr, module_of, padded, to_host
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import VertexMessage
from warpath.parallel import thread_count
from warpath.typing import BuildDeviceName

Array = NDArray[Any]

# Bellman-Ford's algorithm with a frontier, on each device.
_BELLMAN_FORD: dict[BuildDeviceName, Any] = {"cpu": "bellman-ford", "cuda": "workfront-sweep"}


def potentials(graph: Graph, dtype: np.dtype[Any], device: BuildDeviceName = "cpu") -> Any:
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
        method=_BELLMAN_FORD[device], dtype=dtype, device=device,
    ).distance  # fmt: skip


@dataclass(frozen=True)
class Johnson:
    """A graph whose weights were made non-negative, on a device.

    Attributes
    ----------
    graph : Graph
        As it was.
    device : {"cpu", "cuda"}
    reweighted : Graph
    potential : array of NumPy or CuPy, shape (n,)
    """

    graph: Graph
    device: BuildDeviceName
    reweighted: Graph
    potential: Any

    @classmethod
    def of(cls, graph: Graph, dtype: np.dtype[Any], device: BuildDeviceName) -> "Johnson":
        """Compute the potentials of a directed graph; ``dtype`` is float, or int64.

        Raises
        ------
        NegativeCycleError, OverflowError
            See `potentials`.
        """
        h = potentials(graph, dtype, device)
        csr, source = _arcs(graph, device)
        xp, target = module_of(h), csr.column_indices
        with np.errstate(over="ignore"):
            shifted = csr.weights.astype(dtype, copy=False) + h[source] - h[target]
        beyond = shifted < 0 if dtype.kind == "i" else xp.isinf(shifted)
        for arc in to_host(xp.flatnonzero(beyond)[:1]):
            text = (
                f"the arc {{}} → {{}} of weight {csr.weights[arc].item()}, made non-negative, exceeds {dtype}; "
                "scale the weights down"
            )
            raise OverflowError(VertexMessage(text, int(source[arc]), int(target[arc])))
        shifted = xp.maximum(shifted, 0)  # only rounding makes less
        if xp is not np:
            shifted = padded(xp, [shifted])
        there = Graph._from_parts(csr.row_offsets, target, shifted, graph.directed, graph.labels)
        return cls(graph, device, there, h)

    def rows(self, sources: Array) -> tuple[Any, Any, Stats]:
        """Distances and predecessors from each of ``sources``, shape (k, n): of the device, floats of NumPy.

        Raises
        ------
        OverflowError
            If a distance does not fit, before or after it is made one of the graph as it was.
        """
        found = sssp(self.reweighted, sources, device=self.device)
        distance, predecessor = found.distance, found.predecessor
        assert predecessor is not None
        none = unreachable(distance.dtype)
        if distance.dtype.kind == "i":
            return self._as_before(sources, distance), predecessor, found.stats
        distance, predecessor = to_host(distance), to_host(predecessor)
        assert self.graph.weights is not None
        settled = settle(
            "shortest", self.graph, self.graph.weights.astype(distance.dtype, copy=False), sources,
            distance.dtype.type(0), none, distance, predecessor, min(thread_count.num_threads(), len(sources)),
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

    def _as_before(self, sources: Array, distance: Any) -> Any:
        """Distances of integers as those of the graph as it was."""
        xp, none = module_of(distance), unreachable(distance.dtype)
        reached, start = distance != none, self.potential[xp.asarray(sources)][:, None]
        distance += xp.where(reached, self.potential, 0)
        far = reached & (distance >= none + start)
        for row, v in to_host(xp.argwhere(far)[:1]):
            text = (
                f"the distance from {{}} to {{}} exceeds {distance.dtype}; scale the weights down"
            )
            raise OverflowError(VertexMessage(text, int(sources[row]), int(v)))
        distance -= xp.where(reached, start, 0)
        return distance


def _arcs(graph: Graph, device: BuildDeviceName) -> tuple[Csr, Any]:
    """The graph's arrays on a device, and the source of each arc."""
    if device == "cpu":
        source, _, _ = graph.coo()
        return Csr(graph.row_offsets, graph.column_indices, graph.weights), source
    from warpath.cuda.device_graph import on_device

    there = on_device(graph)
    offsets = there.row_offsets  # unsigned there
    offsets = offsets.view(np.int32) if graph.num_arcs < 2**31 else offsets.astype(np.int64)
    return Csr(offsets, there.column_indices, there.weights), there.sources
