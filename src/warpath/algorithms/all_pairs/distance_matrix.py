"""Distances from many vertices to many: origin-destination matrices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from warpath import devices
from warpath.algorithms.all_pairs.many_to_many import MatrixProblem
from warpath.algorithms.all_pairs.matrix_target import MatrixTarget
from warpath.algorithms.all_pairs.rows import no_tick
from warpath.algorithms.common.on_host import OnHostMixin
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.display import Row, counted, duration
from warpath.errors import VerificationError
from warpath.graph.arrays import to_host
from warpath.graph.check import as_sources
from warpath.graph.frames import as_column, to_pandas
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.operators import Algebra, lookup
from warpath.operators.asked import as_dtype, as_limit
from warpath.planning.placement import Placement, choose_place, run_on
from warpath.typing import DEVICES, AlgebraName, DeviceName

if TYPE_CHECKING:
    import polars

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, repr=False)
class DistanceMatrix(OnHostMixin):
    """What the best paths from some vertices to some are worth; ``np.asarray`` makes it an array.

    Attributes
    ----------
    graph : Graph
    sources : array of vertices, shape (k,)
    distance : array, shape (k, t)
        ``distance[i, j]`` is that of the best path from ``sources[i]`` to ``targets[j]``; "no
        path" is ``inf``, or the largest integer (of other algebras: see `warpath.sssp`). With
        ``device="cuda"`` a CuPy array, with ``out=`` what that says.
    stats : Stats
        ``stats.method`` is "bfs", "sssp" or "johnson".
    algebra : str or Algebra
    limit : number or None
        Vertices farther, or worth less, than this were not asked for and read as unreachable.
    columns : array of vertices, shape (t,), or None
        The `targets` that were named; None: all vertices are.

    See Also
    --------
    distance_matrix : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.distance_matrix(wp.generate.grid(3), [0, 4], [2, 8])
    >>> r.to_frame().rows()
    [(0, 2, 2), (0, 8, 4), (4, 2, 2), (4, 8, 2)]
    """

    graph: Graph
    sources: NDArray[Any]
    distance: Array
    stats: Stats
    algebra: AlgebraName | Algebra = "shortest"
    limit: float | None = None
    columns: NDArray[Any] | None = None

    @cached_property
    def targets(self) -> NDArray[Any]:
        """The vertex of each column: array of shape (t,)."""
        if self.columns is not None:
            return self.columns
        everyone: NDArray[Any] = called(
            self.graph, np.arange(self.graph.num_vertices, dtype=np.int32)
        )
        return everyone

    def _line(self) -> str:
        ends = (
            f"{counted(len(self.sources), 'source')} to {counted(self.distance.shape[1], 'target')}"
        )
        return f"{self.algebra} paths from {ends}, {self.distance.dtype}, by {self.stats.method}"

    def _rows(self) -> list[Row]:
        rows = [
            ("sources", f"{len(self.sources):,}"),
            ("targets", f"{self.distance.shape[1]:,}"),
            ("algebra", str(self.algebra)),
            ("distances", str(self.distance.dtype)),
        ]
        return [*rows, ("method", self.stats.method), ("time", duration(self.stats.seconds))]

    def __len__(self) -> int:
        """Number of sources."""
        return len(self.sources)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(to_host(self.distance), dtype=dtype, copy=copy)

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether there is a path: boolean array like ``distance``."""
        there: NDArray[np.bool_] = self.distance != lookup(self.algebra).none(self.distance.dtype)
        return there

    def to_frame(self) -> "polars.DataFrame":
        """A row for each pair: a Polars frame of source, target and distance; no path is null.

        Returns
        -------
        polars.DataFrame
            k · t rows.
        """
        import polars as pl

        here, (k, t) = self._on_host, self.distance.shape
        labels = self.graph.labels
        frame = pl.DataFrame({
            "source": as_column(here.sources, labels).gather(np.repeat(np.arange(k), t)),
            "target": as_column(here.targets, labels).gather(np.tile(np.arange(t), k)),
            "distance": np.ravel(here.distance),
            "reached": np.ravel(here.reached),
        })  # fmt: skip
        distance = pl.when("reached").then("distance").alias("distance")
        return frame.select("source", "target", distance)

    def to_pandas(self) -> Any:
        """`to_frame` for pandas: no path is ``NA``, or NaN among floats.

        Returns
        -------
        pandas.DataFrame
            k · t rows.
        """
        return to_pandas(self.to_frame())

    def _called(self, graph: Graph) -> "DistanceMatrix":
        return replace(
            self,
            graph=graph,
            sources=called(graph, self.sources),
            columns=None if self.columns is None else called(graph, self.columns),
        )

    def verify(self) -> None:
        """Check all of it against rows that are certified: see `warpath.verify.sssp`.

        All distances from each source are computed once more, on the CPU, and held to their
        certificate, O(V + E) for each of the sources.

        Raises
        ------
        VerificationError
            If a row breaks a property of best paths, or differs from the matrix (``broken`` is
            "entry").
        """
        from warpath import verify

        here = to_host(self.distance)
        wanted = None if lookup(self.algebra).is_boolean else here.dtype
        columns = self.graph.index(self.targets)
        for i, source in enumerate(self.sources.tolist()):
            row = sssp(
                self.graph, source, algebra=self.algebra, cutoff=self.limit, dtype=wanted,
                device="cpu",
            )  # fmt: skip
            verify.sssp(
                self.graph, source, row.distance, row.predecessor, cutoff=self.limit,
                algebra=self.algebra,
            )  # fmt: skip
            right = row.distance[columns]
            for j in np.flatnonzero(here[i] != right)[:1]:
                raise VerificationError(
                    "entry",
                    f"distance[{i}, {j}], from {source} to {self.targets[j]}, is {here[i, j]}, "
                    f"not {right[j]}",
                )


@by_name("sources", "targets")
def distance_matrix(
    graph: Graph,
    sources: Vertex | Sequence[Vertex] | NDArray[Any],
    targets: Vertex | Sequence[Vertex] | NDArray[Any] | None = None,
    *,
    algebra: AlgebraName | Algebra = "shortest",
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
    out: Any = None,
    progress: Callable[[int, int], None] | None = None,
) -> DistanceMatrix:
    """Distances from each of ``sources`` to each of ``targets``: an origin-destination matrix.

    Holds sources × targets distances, and whole rows only of one batch of searches.

    Parameters
    ----------
    graph : Graph
        Weights may be negative. Without weights, each arc counts 1.
    sources : sequence of k vertices
    targets : sequence of t vertices, optional
        By default all vertices.
    algebra : {"shortest", "widest", "most-reliable", "minimax", "reachability"} or Algebra
        What a path is worth: see `warpath.sssp`.
    cutoff : number, optional
        Vertices farther than this, or whose best path is worth less, read as unreachable;
        searches end there.
    dtype : dtype, optional
        The distances' dtype, as for `warpath.sssp`.
    device : {"auto", "cpu", "cuda"}
        "cuda": the current CUDA device; the matrix is CuPy's where it fits there, else NumPy's.
        "auto": a GPU if there is one and the graph was built there or is large (2²²
        arcs); the matrix is NumPy's.
    out : path, or array of shape (k, t) and of the distances' dtype, optional
        A ``.npy`` file to write to instead of to memory, memory-mapped, as of `warpath.apsp`; until
        it is complete its name ends in ``.unfinished``. Or an array of NumPy or CuPy to fill.
    progress : callable, optional
        Called with (searches done, all searches) from time to time; may raise to stop.

    Returns
    -------
    DistanceMatrix

    Raises
    ------
    NegativeCycleError
        If a source reaches a cycle of negative weight.
    ValueError
        A vertex out of range or no integer, no vertex at all. An unknown algebra or device. A
        dtype or cutoff that the weights do not allow. An ``out`` that cannot be made or does not
        fit.
    OSError
        A file that cannot be made, that another run is writing, or for which the disk has too
        little space: before work begins.
    OverflowError
        If a distance does not fit in its dtype.
    MemoryError
        If there is not enough memory, before any is taken.
    DeviceUnavailableError
        ``device="cuda"`` where CUDA cannot be used.

    See Also
    --------
    sssp : Distances to all vertices, with paths.
    apsp : Distances between all pairs.

    Notes
    -----
    Complexity: one search for each source, or for each target where these are fewer.

    Distances are those of `warpath.sssp`, to the bit. Without weights, 512 breadth-first searches
    run at once, a bit each, on graphs of small diameter. With weights each thread runs a search, on
    a GPU each block. On the CPU these end about where the farthest target was. Negative weights are
    made non-negative first (Johnson). Where targets are
    fewer than sources and nothing is rounded, the searches go backwards, from the targets.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 1], [5, 1, 1, 2])
    >>> wp.distance_matrix(g, [0, 2], [1, 3]).distance
    array([[3, 4],
           [2, 3]])
    """
    watch = Stopwatch()
    problem = matrix_problem(
        graph, sources, targets, algebra=algebra, cutoff=cutoff, dtype=dtype, device=device
    )
    target, tick = MatrixTarget.of(out, problem.shape, problem.dtype), progress or no_tick

    def answer(place: Placement) -> DistanceMatrix:
        model = devices.require().model if place.device == "cuda" else "cpu"
        search = problem.search(place)
        plan = search.plan(place)
        distance = target.fill(search, plan, place.device == device == "cuda", tick)
        return DistanceMatrix(
            graph=graph,
            sources=problem.sources,
            distance=distance,
            stats=search.stats(plan, model, watch),
            algebra=problem.algebra.given,
            limit=problem.cutoff,
            columns=problem.targets,
        )

    return run_on(device, problem.place, answer)


def matrix_problem(
    graph: Graph,
    sources: Any,
    targets: Any = None,
    *,
    algebra: AlgebraName | Algebra = "shortest",
    cutoff: float | None = None,
    dtype: DTypeLike | None = None,
    device: DeviceName = "auto",
) -> MatrixProblem:
    """What a call of `distance_matrix` asks for, checked."""
    check_call(graph, device, DEVICES)
    measure, n = lookup(algebra), graph.num_vertices
    measure.check(graph)
    return MatrixProblem(
        graph=graph,
        algebra=measure,
        sources=as_sources(sources, n)[0],
        targets=None if targets is None else as_sources(targets, n, "target")[0],
        cutoff=as_limit(graph, measure, cutoff),
        dtype=as_dtype(graph, measure, dtype),
        place=choose_place(graph, device),
    )
