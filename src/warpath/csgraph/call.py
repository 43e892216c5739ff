"""The arguments that SciPy's functions have in common, and what they return."""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.csgraph.matrices import is_cupys, like, to_graph
from warpath.graph.arrays import module_of
from warpath.graph.check import WEIGHT_DTYPES, choose
from warpath.graph.distance import longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.planning.placement import choose_place
from warpath.typing import DEVICES, DeviceName

NO_PREDECESSOR = -9999
_TOO_LARGE = 2.0**63  # for int64
_EXACT = 2**53  # integers up to this are float64's, and so are their sums


@dataclass(frozen=True, eq=False)
class Call:
    """A call whose common arguments were checked.

    Attributes
    ----------
    csgraph : matrix
        As it was given.
    directed, unweighted : bool
    predecessors : bool
        Whether they are wanted.
    dtype : dtype
        That of the distances.
    device : {"auto", "cpu", "cuda"}
    """

    csgraph: Any
    directed: bool
    predecessors: bool
    unweighted: bool
    dtype: np.dtype[Any]
    device: DeviceName
    sums: bool

    @classmethod
    def of(
        cls,
        csgraph: Any,
        directed: bool,
        predecessors: bool,
        unweighted: bool,
        dtype: Any,
        device: DeviceName,
        *,
        sums: bool = True,
    ) -> "Call":
        """See `warpath.csgraph.shortest_path`, and for ``sums`` `matrices.to_csr`."""
        wanted = np.dtype(np.float64 if dtype is None else dtype)
        if wanted not in WEIGHT_DTYPES:
            names = ", ".join(str(known) for known in WEIGHT_DTYPES)
            raise ValueError(f"dtype must be one of {names}, not {dtype!r}")
        choose("device", device, DEVICES)
        if device == "auto" and is_cupys(csgraph):
            device = "cuda"
        return cls(csgraph, directed, predecessors, unweighted, wanted, device, sums)

    @cached_property
    def graph(self) -> Graph:
        """The matrix as a graph, without weights where each arc counts 1.

        Raises
        ------
        ValueError
            See `to_graph`; a weight that is no integer where distances shall be.
        """
        graph = to_graph(self.csgraph, self.directed, unweighted=self.unweighted, sums=self.sums)
        floats = graph.weight_dtype is not None and graph.weight_dtype.kind == "f"
        return _whole(graph, self.dtype) if floats and self.dtype.kind == "i" else graph

    @property
    def num_vertices(self) -> int:
        """How many there are; of a square matrix without making a graph."""
        shape: Any = getattr(self.csgraph, "shape", ())
        square = len(shape) == 2 and shape[0] == shape[1]
        return int(shape[0]) if square else self.graph.num_vertices

    @property
    def signed(self) -> bool:
        """Whether a weight is negative."""
        return bool(self.graph.weight_range[0] < 0)

    @property
    def engine(self) -> str:
        """``"cpu"`` or ``"cuda"``: what "auto" means is decided by the size of the graph."""
        return choose_place(self.graph, self.device).device

    @property
    def run_dtype(self) -> "np.dtype[Any] | None":
        """That of a search; None, its own, where that is as exact: narrow ones are faster."""
        integers = self.graph.weight_dtype is None or self.graph.weight_dtype.kind == "i"
        exact = integers and longest_path(self.graph) <= _EXACT
        return None if self.dtype == np.float64 and exact else self.dtype

    def as_asked(self, distance: Any, none: Any) -> Any:
        """Distances in the dtype that was asked for; ``none`` has said "no path" in theirs."""
        wanted = unreachable(self.dtype)
        if distance.dtype == self.dtype and none == wanted:
            return distance
        lost = distance == none
        distance = distance.astype(self.dtype, copy=False)
        distance[lost] = wanted
        return distance

    def answer(self, shape: tuple[int, ...], distance: Any, predecessor: Any) -> Any:
        """What SciPy returns: arrays of its shapes, where the matrix lies.

        ``predecessor`` has -1 where SciPy has -9999, and is written to.
        """
        shape = (*shape, distance.shape[-1])
        distance = self.where_it_came_from(distance.reshape(shape))
        if not self.predecessors:
            return distance
        predecessor[predecessor == -1] = NO_PREDECESSOR
        return distance, self.where_it_came_from(predecessor.reshape(shape))

    def where_it_came_from(self, array: Any) -> Any:
        """An array in the memory where the matrix lies: CuPy's or NumPy's."""
        return like(self.csgraph, array)


def _whole(graph: Graph, dtype: np.dtype[Any]) -> Graph:
    """The graph with its weights as integers: SciPy's matrices hold them as floats.

    Raises
    ------
    ValueError
        If one is no integer.
    """
    weights = graph.resident.weights
    bad = (weights != module_of(weights).rint(weights)) | (abs(weights) >= _TOO_LARGE)
    if bool(bad.any()):
        first = weights[int(bad.argmax())].item()
        raise ValueError(f"dtype={dtype} needs integer weights, but one is {first}")
    return graph.with_weights(weights.astype(np.int64))


def as_sources(indices: Any, n: int) -> tuple[NDArray[np.int32], tuple[int, ...]]:
    """The sources in one row, and the shape of their array; None: all vertices.

    Raises
    ------
    ValueError
        If one is out of range or no whole number.
    """
    if indices is None:
        return np.arange(n, dtype=np.int32), (n,)
    given = np.asarray(indices.get() if is_cupys(indices) else indices)
    if given.size == 0:
        return np.empty(0, np.int32), given.shape
    if given.dtype.kind not in "iufb":
        raise ValueError(f"indices must be vertex numbers, not of dtype {given.dtype}")
    flat = given.ravel()
    sources = flat.astype(np.int64)
    if given.dtype.kind == "f" and not np.array_equal(sources, flat):
        raise ValueError(f"indices must be whole numbers, not {flat[sources != flat][0]}")
    sources = np.where(sources < 0, sources + n, sources)
    bad = np.flatnonzero((sources < 0) | (sources >= n))
    if len(bad):
        raise ValueError(f"indices out of range 0...N: {flat[bad[0]]}, but N is {n}")
    return sources.astype(np.int32), given.shape


def as_limit(limit: Any) -> int | float:
    """A limit of distances, of any type that SciPy takes.

    Raises
    ------
    TypeError
        If it is no real number.
    ValueError
        If it is negative or NaN.
    """
    # `ldexp` takes what is a float or can be one, and no text, as SciPy does.
    number = int(limit) if isinstance(limit, (int, np.integer)) else math.ldexp(limit, 0)
    if not number >= 0:
        raise ValueError(f"limit must be >= 0, not {limit!r}")
    return number
