"""What a graph is made of: its arrays, wherever they are, and what they say."""

import threading
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from warpath.display import ReprMixin, Row, counted
from warpath.graph.arrays import Csr, module_of, to_host
from warpath.graph.build import read_only
from warpath.graph.check import as_ids, check_below
from warpath.graph.csr import sources_of
from warpath.graph.dense_matrix import dense_nbytes
from warpath.graph.derived import nbytes_of, owner_of
from warpath.graph.geometry import Geometry
from warpath.graph.names import Names, number_of
from warpath.typing import BuildDeviceName

Array = NDArray[Any]

_KEPT = ("directed", "labels", "edge_ids", "geometry")  # next to the arcs, in this order


class Arcs(ReprMixin):
    """The arrays of a `warpath.Graph`, which adds how to make one and what to make of it.

    Attributes
    ----------
    resident : Csr
        The CSR arrays where the graph was made: CuPy's of a graph on a GPU, else NumPy's. Not
        to be written. Numbers are computed here; of a graph on a GPU `row_offsets` and its like
        are copied when they are first looked at.
    geometry : Geometry or None
        Where the vertices and the edges lie.
    derived : dict
        What functions made of the graph and keep with it as long as it lives. A key is a tuple that
        begins with what `memory` calls it.
    directed, labels, edge_ids
        See `warpath.Graph`.
    """

    resident: Csr
    directed: bool
    labels: Array | None
    edge_ids: Array | None
    geometry: Geometry | None
    derived: dict[Any, Any]
    _lock: threading.Lock

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Graph is immutable: cannot set {name!r}")

    @classmethod
    def _from_parts(
        cls,
        row_offsets: Array,
        column_indices: Array,
        weights: Array | None,
        directed: bool,
        labels: Array | None = None,
        edge_ids: Array | None = None,
        geometry: Geometry | None = None,
    ) -> Self:
        """A graph of arrays that are known to be right, rows sorted; NumPy's or CuPy's."""
        self = cls.__new__(cls)
        self._hold(Csr(row_offsets, column_indices, weights), directed, labels, edge_ids, geometry)
        return self

    def _hold(
        self,
        csr: Csr,
        directed: bool,
        labels: Array | None,
        edge_ids: Array | None = None,
        geometry: Geometry | None = None,
    ) -> None:
        """Become the graph of arrays that are known to be right, rows sorted."""
        if module_of(csr.column_indices) is np:
            csr = Csr(*map(_kept, csr))
        self.__dict__.update(
            resident=csr,
            directed=bool(directed),
            labels=_kept(labels),
            edge_ids=_kept(edge_ids),
            geometry=geometry,
            derived={},
            _lock=threading.Lock(),
        )

    # -- its arrays ---------------------------------------------------------------------

    @cached_property
    def row_offsets(self) -> Array:
        """The arcs out of u stand at ``row_offsets[u]:row_offsets[u + 1]``."""
        return read_only(to_host(self.resident.row_offsets))

    @cached_property
    def column_indices(self) -> Array:
        """The target of each arc."""
        return read_only(to_host(self.resident.column_indices))

    @cached_property
    def weights(self) -> Array | None:
        """The weight of each arc, or None."""
        weights = self.resident.weights
        return None if weights is None else read_only(to_host(weights))

    @cached_property
    def device(self) -> BuildDeviceName:
        """Where the graph was built and its arrays are: ``"cpu"`` or ``"cuda"``."""
        return "cpu" if module_of(self.resident.column_indices) is np else "cuda"

    @cached_property
    def weight_dtype(self) -> "np.dtype[Any] | None":
        """The weights' dtype; None without weights."""
        weights = self.resident.weights
        return None if weights is None else weights.dtype

    # -- what is kept of it ---------------------------------------------------------------

    def memory(self) -> dict[str, int]:
        """Bytes of what the graph holds now, by what it is.

        ``"arcs"``: its CSR arrays, wherever they are. The others were made when they were first
        needed, and `release` frees them. ``"on the host"`` are copies of arrays that lie on a GPU;
        ``"reverse"`` and ``"names"`` are what they say. What is `derived` has names of its own:
        ``"on a GPU"`` are copies there, with what is prepared for balances. ``"out of core"`` are a
        copy of the row offsets, and what is pinned of the host's memory.
        ``"classes of vertices"`` are Bellman-Ford's.

        Returns
        -------
        dict of str to int
            What takes no bytes is left out.

        Examples
        --------
        >>> import warpath as wp
        >>> g = wp.Graph.from_edges([0, 1], [1, 2])
        >>> list(g.memory())
        ['arcs']
        >>> r = wp.bfs(g, 0)
        >>> list(g.memory()), g.release(), list(g.memory())
        (['arcs', 'reverse'], None, ['arcs'])
        """
        arrays = self._arrays()
        seen = {id(owner_of(one)) for one in arrays}
        found = {"arcs": sum(one.nbytes for one in arrays if one is not None)}
        rest: list[tuple[str, Any]] = []
        if self.device != "cpu":
            rest.append(("on the host", [self.__dict__.get(name) for name in Csr._fields]))
        if "_reverse" in self.__dict__:
            reverse = self.__dict__["_reverse"]
            rest.append(("reverse", [reverse.resident, reverse.derived]))
        if "_unlabelled" in self.__dict__:
            rest.append(("names", self.__dict__.get("names")))
            twin = self.__dict__["_unlabelled"].memory()
            found |= {what: size for what, size in twin.items() if what != "arcs"}
        rest += [(key[0], value) for key, value in self.derived.items()]
        for what, value in rest:
            found[what] = found.get(what, 0) + nbytes_of(value, seen)
        return {what: size for what, size in found.items() if size}

    def _arrays(self) -> list[Any]:
        """Those of its arcs."""
        return [*self.resident]

    def release(self) -> None:
        """Free what was made of the graph and is kept with it; it is made again when it is needed.

        Not while another thread searches the graph.
        """
        for other in ("_reverse", "_unlabelled"):
            twin = self.__dict__.pop(other, None)
            if twin is not None:
                twin.__dict__.pop("_reverse_of", None)
                twin.derived.clear()
        if self.device != "cpu":
            for name in Csr._fields:
                self.__dict__.pop(name, None)
        self.__dict__.pop("names", None)
        self.derived.clear()

    # -- what it is ---------------------------------------------------------------------

    @cached_property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.resident.row_offsets) - 1

    @cached_property
    def num_arcs(self) -> int:
        """Number of arcs, m: undirected edges count twice, undirected self-loops once."""
        return len(self.resident.column_indices)

    @property
    def num_edges(self) -> int:
        """Number of edges as a person counts them: arcs if directed, else pairs."""
        if self.directed:
            return self.num_arcs
        return (self.num_arcs + self.num_self_loops) // 2

    @cached_property
    def num_self_loops(self) -> int:
        """Number of arcs from a vertex to itself."""
        csr = self.resident
        xp = module_of(csr.column_indices)
        return int(xp.count_nonzero(sources_of(csr) == csr.column_indices))

    @property
    def degree(self) -> Array:
        """Out-degree of each vertex: integer array, shape (n,)."""
        return np.diff(self.row_offsets)

    @property
    def in_degree(self) -> Array:
        """In-degree of each vertex: integer array, shape (n,)."""
        if not self.directed:
            return self.degree
        return np.bincount(self.column_indices, minlength=self.num_vertices)

    @cached_property
    def weight_range(self) -> tuple[Any, Any]:
        """Smallest and largest weight, as Python numbers; (1, 1) without weights, (0, 0) without arcs."""
        weights = self.resident.weights
        if self.num_arcs == 0:
            return 0, 0
        if weights is None:
            return 1, 1
        return weights.min().item(), weights.max().item()

    @cached_property
    def mean_weight(self) -> float:
        """Average weight of an arc; 1 without weights, 0 without arcs."""
        weights = self.resident.weights
        if weights is None or self.num_arcs == 0:
            return float(self.num_arcs > 0)
        largest = max(map(abs, self.weight_range))
        if largest * self.num_arcs > np.finfo(np.float64).max:
            return float((weights / self.num_arcs).sum())
        return float(weights.mean(dtype=np.float64))

    @cached_property
    def largest_degree(self) -> int:
        """Largest out-degree; 0 without vertices."""
        offsets = self.resident.row_offsets
        return int((offsets[1:] - offsets[:-1]).max()) if self.num_vertices else 0

    @cached_property
    def mean_arc_degree(self) -> float:
        """Average out-degree of the vertex that an arc leaves, Σ degree² / m; 0 without arcs.

        As high as the mean degree where degrees are regular, far higher where hubs hold
        most arcs.
        """
        offsets = self.resident.row_offsets
        degree = (offsets[1:] - offsets[:-1]).astype(np.float64)
        return float((degree * degree).sum()) / max(self.num_arcs, 1)

    # -- its vertices' names ---------------------------------------------------------------

    @cached_property
    def names(self) -> Names:
        """Numbers of vertices by their `labels`; made at the first name that is looked up."""
        if self.labels is None:
            raise ValueError("the graph has no labels")
        return Names(self.labels)

    def index(self, name: Any) -> Any:
        """The number of the vertex called ``name``, or an int32 array for a sequence of names.

        ``labels[index(name)]`` is ``name``. Without `labels` a vertex is called by its number.

        Parameters
        ----------
        name : label, or sequence of labels
            What the vertices are called.

        Returns
        -------
        int, or int32 array
            0 … n − 1.

        Raises
        ------
        ValueError
            If no vertex is called so; if two vertices have one label.
        """
        if self.labels is not None:
            return self.names.numbers_like(name, "vertex")
        if np.iterable(name) and not isinstance(name, (str, bytes)):
            return check_below(as_ids(name, "vertex"), self.num_vertices, "vertex")
        return number_of(self, name)

    @property
    def nbytes(self) -> dict[str, int]:
        """Bytes of each representation (survey, table 1), whether it exists yet or not.

        Keys: ``csr``; ``reverse`` (0 for undirected graphs, which need none); ``coo``;
        ``dense`` (in the weights' dtype, float32 without weights).
        """
        n, m = self.num_vertices, self.num_arcs
        item = 0 if self.weight_dtype is None else self.weight_dtype.itemsize
        csr = (n + 1) * self.resident.row_offsets.dtype.itemsize + m * (4 + item)
        return {
            "csr": csr,
            "reverse": csr if self.directed else 0,
            "coo": m * (8 + item),
            "dense": dense_nbytes(n, item or 4),
        }

    def _line(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "no weights" if self.weight_dtype is None else f"{self.weight_dtype} weights"
        vertices = counted(self.num_vertices, "vertex", "vertices")
        return f"{vertices}, {counted(self.num_edges, 'edge')}, {kind}, {weights}"

    def _rows(self) -> list[Row]:
        rows = [
            ("kind", "directed" if self.directed else "undirected"),
            ("vertices", f"{self.num_vertices:,}"),
            ("edges", f"{self.num_edges:,}"),
            ("weights", "none" if self.weight_dtype is None else str(self.weight_dtype)),
        ]
        if self.labels is not None:
            rows.append(
                ("labels", ", ".join([*map(str, self.labels[:3]), "…"][: self.num_vertices]))
            )
        return rows if self.device == "cpu" else [*rows, ("device", self.device)]

    def __getstate__(self) -> dict[str, Any]:
        state = {name: getattr(self, name) for name in Csr._fields}
        return state | {name: getattr(self, name) for name in _KEPT}

    def __setstate__(self, state: dict[str, Any]) -> None:
        csr = Csr(*(state[name] for name in Csr._fields))
        self._hold(csr, *(state[name] for name in _KEPT))


def _kept(array: Array | None) -> Array | None:
    return None if array is None else read_only(array)
