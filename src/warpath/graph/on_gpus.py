"""`GraphOnGpus`: a graph that was made on several GPUs, and lies there."""

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.arrays import Csr, module_of, to_host
from warpath.graph.graph import Graph


class Rows(NamedTuple):
    """The rows of consecutive vertices, on a GPU, and those of the reverse. One pair if the graph is undirected.

    Row offsets begin with 0. The columns are padded as kernels read them.
    """

    forward: Csr
    backward: Csr


class Numbers(NamedTuple):
    """What some rows say of a graph.

    Attributes
    ----------
    self_loops, largest_degree, vertices_with_arcs : int
    squares : float
        The sum of all squares of degrees.
    weight_range : tuple of two numbers, or None
        None without weights, and without arcs.
    weight_sum : float
    """

    self_loops: int
    largest_degree: int
    vertices_with_arcs: int
    squares: float
    weight_range: tuple[Any, Any] | None
    weight_sum: float

    @classmethod
    def of(cls, rows: Csr, self_loops: int) -> "Numbers":
        """Those of rows on the current GPU."""
        xp = module_of(rows.row_offsets)
        degree = (rows.row_offsets[1:] - rows.row_offsets[:-1]).astype(np.float64)
        weights = rows.weights if rows.weights is not None and len(rows.weights) else None
        return cls(
            self_loops,
            int(degree.max()) if len(degree) else 0,
            int(xp.count_nonzero(degree)),
            float((degree * degree).sum()),
            None if weights is None else (weights.min().item(), weights.max().item()),
            0.0 if weights is None else float(weights.sum(dtype=np.float64)),
        )


class GraphOnGpus(Graph):
    """A graph whose rows lie on several GPUs.

    Searches on these GPUs use the rows where they lie, if the GPUs reach each other's memory. All else looks at arrays
    of the host, which are copied together when they are first needed, if its memory suffices; so `device` is ``"cpu"``.
    What its methods make of it is a plain `Graph` of these.

    Attributes
    ----------
    devices : tuple of int
        CUDA's number of each GPU.
    bounds : tuple of int
        GPU number i of them has the rows of the vertices ``bounds[i]`` to ``bounds[i + 1]``.
    rows : tuple of Rows
    vertices_with_arcs : int
        How many rows are not empty.
    """

    devices: tuple[int, ...]
    bounds: tuple[int, ...]
    rows: tuple[Rows, ...]
    vertices_with_arcs: int

    @classmethod
    def of(
        cls,
        devices: Sequence[int],
        bounds: Sequence[int],
        rows: Sequence[Rows],
        numbers: Sequence[Numbers],
        *,
        directed: bool,
    ) -> "GraphOnGpus":
        """A graph of the rows that GPUs have, and of what these say."""
        self = cls.__new__(cls)
        arcs = sum(len(one.forward.column_indices) for one in rows)
        weights = rows[0].forward.weights
        ranges = [one.weight_range for one in numbers if one.weight_range is not None]
        self.__dict__.update(
            devices=tuple(devices),
            bounds=tuple(bounds),
            rows=tuple(rows),
            directed=directed,
            labels=None,
            edge_ids=None,
            geometry=None,
            derived={},
            device="cpu",
            num_vertices=bounds[-1],
            num_arcs=arcs,
            num_self_loops=sum(one.self_loops for one in numbers),
            vertices_with_arcs=sum(one.vertices_with_arcs for one in numbers),
            largest_degree=max(one.largest_degree for one in numbers),
            mean_arc_degree=sum(one.squares for one in numbers) / max(arcs, 1),
            weight_dtype=None if weights is None else weights.dtype,
            _lock=threading.Lock(),
        )
        if ranges:
            lightest, heaviest = zip(*ranges, strict=True)
            self.__dict__["weight_range"] = min(lightest), max(heaviest)
            self.__dict__["mean_weight"] = sum(one.weight_sum for one in numbers) / arcs
        else:
            self.__dict__["weight_range"] = (1, 1) if arcs else (0, 0)
            self.__dict__["mean_weight"] = float(arcs > 0)
        return self

    @classmethod
    def _from_parts(cls, *parts: Any, **options: Any) -> Graph:  # type: ignore[override]
        """A graph that a method makes of it: it has no rows on these GPUs."""
        return Graph._from_parts(*parts, **options)

    @cached_property
    def resident(self) -> Csr:  # type: ignore[override]
        """Copies on the host."""
        ends = np.cumsum([0, *(len(one.forward.column_indices) for one in self.rows)])
        dtype = np.int32 if self.num_arcs < 2**31 else np.int64
        offsets: NDArray[Any] = np.empty(self.num_vertices + 1, dtype)
        for one, first, begin, end in zip(
            self.rows, ends[:-1], self.bounds, self.bounds[1:], strict=False
        ):
            offsets[begin:end] = to_host(one.forward.row_offsets)[:-1] + first
        offsets[-1] = self.num_arcs
        columns = np.concatenate([to_host(one.forward.column_indices) for one in self.rows])
        weights = None
        if self.weight_dtype is not None:
            weights = np.concatenate([to_host(one.forward.weights) for one in self.rows])
        return Csr(offsets, columns, weights)

    def _arrays(self) -> list[Any]:
        pairs = {id(csr): csr for one in self.rows for csr in one}
        return [array for csr in pairs.values() for array in csr]

    def memory(self) -> dict[str, int]:
        """As `Graph.memory`; ``"on the host"`` are copies of the arcs."""
        found = super().memory()
        if "resident" in self.__dict__:
            found["on the host"] = sum(one.nbytes for one in self.resident if one is not None)
        return found

    def release(self) -> None:
        """As `Graph.release`; the host's copies go, too."""
        super().release()
        for name in ("resident", *Csr._fields):
            self.__dict__.pop(name, None)

    def __reduce__(self) -> Any:
        return Graph._from_parts, (*self.resident, self.directed)
