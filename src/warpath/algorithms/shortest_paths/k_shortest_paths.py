"""The k shortest paths between two vertices."""

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.problem import Measure
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.shortest_paths.sssp import sssp
from warpath.algorithms.traversal.bfs import bfs
from warpath.cpu.spur import Spurs
from warpath.display import ReprMixin, Row, counted, number
from warpath.errors import NegativeCycleError, VerificationError
from warpath.graph.check import as_positive, as_vertex, check_flags
from warpath.graph.distance import fits, longest_path, unreachable
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.typing import DEVICES, DeviceName

_ROWS_SHOWN = 10
_SPUR_BYTES = 47  # per vertex: `warpath.cpu.spur`, `warpath.planning.plan`


@dataclass(frozen=True, eq=False, repr=False)
class KShortestPaths(ReprMixin):
    """The shortest paths between two vertices that visit no vertex twice, the shortest first.

    Attributes
    ----------
    graph : Graph
    source, target : vertices
    vertices : list of lists of vertices
        The vertices of each path, from the source to the target, both included.
    lengths : list of int or float
        Sums of the weights, from the source to the target; or the numbers of arcs. Ascending.
    weighted : bool
        Which of the two.
    stats : Stats
        They describe the searches for all paths but the one for all distances to the target, which goes
        first.

    See Also
    --------
    k_shortest_paths : Makes them.

    Examples
    --------
    >>> import warpath as wp
    >>> r = wp.k_shortest_paths(wp.generate.grid(2, weights=(1, 9), seed=1), 0, 3, 2)
    >>> r.vertices
    [[0, 2, 3], [0, 1, 3]]
    """

    graph: Graph
    source: Any
    target: Any
    vertices: list[list[Any]]
    lengths: list[Any]
    weighted: bool
    stats: Stats

    def _line(self) -> str:
        if not self.lengths:
            return f"no path from {self.source} to {self.target}"
        ends = f"{self.source} → {self.target}"
        return f"{counted(len(self), 'path')} {ends}, length {number(self.lengths[0])} to {number(self.lengths[-1])}"

    def _rows(self) -> list[Row]:
        return [
            (number(length), counted(len(walk) - 1, "arc")) for walk, length in [*self][:_ROWS_SHOWN]
        ]  # fmt: skip

    def __len__(self) -> int:
        """Number of paths."""
        return len(self.lengths)

    def __iter__(self) -> Iterator[tuple[list[Any], Any]]:
        """(vertices, length) of each path."""
        return iter(zip(self.vertices, self.lengths, strict=True))

    def _called(self, graph: Graph) -> "KShortestPaths":
        return replace(
            self,
            graph=graph,
            source=called(graph, self.source),
            target=called(graph, self.target),
            vertices=[called(graph, walk) for walk in self.vertices],
        )

    def verify(self) -> None:
        """Check that these are different paths without loops, and that none is shorter than the first.

        That none is missing between them would take as long as the search.

        Raises
        ------
        VerificationError
            If it is not so. ``broken`` is one of `warpath.verify.path`'s, ``loop``, ``distinct``
            or ``ascending``.
        NegativeCycleError
            If the source reaches a negative cycle, from which no path leads to the target: then
            there are no distances to compare with.
        """
        from warpath.algorithms.shortest_paths.shortest_path import ShortestPath

        if not self.vertices:
            from warpath import verify

            verify.no_path(self.graph, self.source, self.target)
            return
        seen = set()
        for i, walk in enumerate(self.vertices):
            if (walk[0], walk[-1]) != (self.source, self.target):
                raise VerificationError("arc", f"path {i} leads from {walk[0]} to {walk[-1]}")
            if len(set(walk)) != len(walk):
                raise VerificationError("loop", f"path {i} visits a vertex twice: {walk}")
            if tuple(walk) in seen:
                raise VerificationError("distinct", f"path {i} is there before: {walk}")
            seen.add(tuple(walk))
            if i > 0 and self.lengths[i] < self.lengths[i - 1]:
                raise VerificationError(
                    "ascending", f"path {i} is {self.lengths[i]} long, the one before it "
                    f"{self.lengths[i - 1]}",
                )  # fmt: skip
        for walk, length in self:
            path = ShortestPath(self.graph, walk, length, self.weighted, self.stats)
            try:
                path.verify()
            except VerificationError as error:
                if error.broken != "shortest" or walk is self.vertices[0]:
                    raise


class _Path(NamedTuple):
    """A path, and where it left the one that it was made of."""

    vertices: NDArray[np.int32]
    lengths: NDArray[Any]
    deviation: int
    barred: list[int]


@by_name("source", "target")
def k_shortest_paths(
    graph: Graph,
    source: Vertex,
    target: Vertex,
    k: int,
    *,
    weighted: bool = True,
    device: DeviceName = "auto",
) -> KShortestPaths:
    """The k shortest paths from ``source`` to ``target`` that visit no vertex twice.

    Parameters
    ----------
    graph : Graph
        Weights may be 0 or negative. A directed graph builds `Graph.reverse` at the
        first call. A path is its vertices: of parallel arcs the lightest counts.
    source, target : vertices
    k : int
    weighted : bool
        False: the fewest arcs, whatever they weigh.
    device : {"auto", "cpu", "cuda"}
        Where the search through the whole graph runs: see `warpath.sssp`. All others run on the
        CPU.

    Returns
    -------
    KShortestPaths
        Fewer than k where there are no more; none where there is no path. Paths of one
        length come in any order.

    Raises
    ------
    NegativeCycleError
        If the target can be reached from a cycle of negative weight.
    ValueError
        A vertex out of range or no integer, k below 1, an unknown device, ``weighted`` that is
        neither True nor False.
    OverflowError
        If sums of weights may not fit in 64 bits.
    DeviceUnavailableError, MemoryError
        See `sssp`.

    See Also
    --------
    shortest_path : The best path alone.
    sssp : The best path to each vertex.

    Notes
    -----
    Complexity: O(k n (m + n log n)) time at worst, O(k n) memory.

    J. Y. Yen, Management Science 17 (1971), in the form of E. L. Lawler, Management Science 18
    (1972): each path that is found stands for all that leave it at a vertex where its own kind
    has not looked yet, so that no path is found twice. Each search is A* with the exact
    distances to the target in the whole graph. Lengths of floats are
    sums from the source to the target; with negative ones the order holds but for rounding.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 0, 1, 1, 2], [1, 2, 2, 3, 3], [1, 2, 0, 4, 1])
    >>> for vertices, length in wp.k_shortest_paths(g, 0, 3, 3):
    ...     print(length, vertices)
    2 [0, 1, 2, 3]
    3 [0, 2, 3]
    5 [0, 1, 3]
    """
    watch = Stopwatch()
    problem = k_paths_problem(graph, source, target, k, weighted=weighted, device=device)
    source, target = problem.source, problem.target
    left = _distances_to(problem.graph, target, device)
    spurs = Spurs(problem.graph, target, left)
    if source == target:
        found = [_Path(np.array([source], np.int32), np.zeros(1, left.dtype), 0, [])]
    else:
        found = list(_ranked(spurs, source, problem.k, unreachable(left.dtype)))
    settled, inspected, improved = (int(count) for count in spurs.counts)
    return KShortestPaths(
        graph=graph,
        source=source,
        target=target,
        vertices=[path.vertices.tolist() for path in found],
        lengths=[path.lengths[-1].item() for path in found],
        weighted=weighted and graph.weight_dtype is not None,
        stats=Stats(
            method=problem.method,
            why=problem.why,
            **watch.read(),
            threads=problem.threads,
            iterations=1,
            frontier=np.array([settled]),
            edges=np.array([inspected]),
            improvements=improved,
            plan=problem.plan(problem.place),
        ),
    )


@dataclass(eq=False, kw_only=True)
class KPathsProblem(Measure):
    """A call of `k_shortest_paths`, its input checked."""

    source: int
    target: int
    k: int


def k_paths_problem(
    graph: Graph,
    source: Any,
    target: Any,
    k: Any,
    *,
    weighted: bool = True,
    device: DeviceName = "auto",
) -> KPathsProblem:
    """What a call of `k_shortest_paths` asks for, checked."""
    check_call(graph, device, DEVICES)
    check_flags(weighted=weighted)
    n = graph.num_vertices
    source, target = as_vertex(source, n, "source"), as_vertex(target, n, "target")
    arcs = graph if weighted else graph.without_weights()
    own = arcs.weight_dtype
    dtype: np.dtype[Any] = own if own is not None and own.kind == "f" else np.dtype(np.int64)
    return KPathsProblem(
        graph=arcs,
        search="k_shortest_paths",
        method="yen",
        why="the k shortest paths",
        dtype=dtype,
        answer=0,  # as long as the paths are
        # The search through the whole graph, then those of `warpath.cpu.spur`.
        workspace=n * (_SPUR_BYTES + 3 * dtype.itemsize),
        threads=1,
        source=source,
        target=target,
        k=as_positive(k, "k"),
    )


def _distances_to(graph: Graph, target: int, device: DeviceName) -> NDArray[Any]:
    """Each vertex's distance to the target: int64, or the weights' float dtype.

    Raises
    ------
    NegativeCycleError, OverflowError
        See `k_shortest_paths`.
    """
    if graph.weight_dtype is None:
        steps = bfs(graph.reverse, target, predecessors=False, device=device).to_numpy()
        return np.where(steps.reached, steps.distance, unreachable(np.int64))
    widest = graph.weight_dtype if graph.weight_dtype.kind == "f" else np.dtype(np.int64)
    if not fits(2 * longest_path(graph), widest):
        raise OverflowError(f"sums of weights may exceed {widest}; scale the weights down")
    try:
        paths = sssp(
            graph.reverse, target, dtype=widest, predecessors=False, device=device
        ).to_numpy()
    except NegativeCycleError as error:
        raise NegativeCycleError(error.cycle[::-1]) from None  # the arcs were turned round
    return paths.distance


def _ranked(spurs: Spurs, source: int, k: int, none: Any) -> Iterator[_Path]:
    """Paths in the order of their lengths, k of them at most."""
    candidates: list[tuple[Any, int, _Path]] = []
    made = 0

    def look(
        root: NDArray[np.int32], lengths: NDArray[Any], barred: list[int], wanted: int
    ) -> None:
        """Add the shortest path with this root to the candidates, of which ``wanted`` count."""
        nonlocal made
        bound = candidates[-1][0] if len(candidates) >= wanted else none
        way = spurs.search(root, lengths[-1], barred, bound)
        if way is None:
            return
        vertices = np.concatenate([root, way[0]])
        path = _Path(vertices, np.concatenate([lengths, way[1]]), len(root) - 1, barred)
        made += 1
        insort(candidates, (path.lengths[-1], made, path))
        del candidates[wanted:]

    look(np.array([source], np.int32), np.zeros(1, spurs.dtype), [], k)
    for wanted in range(k - 1, -1, -1):
        if not candidates:
            return
        _, _, path = candidates.pop(0)
        yield path
        if wanted == 0:
            return
        for i in range(path.deviation, len(path.vertices) - 1):
            # All other paths with this root: at its deviation those that left it are known.
            known = path.barred if i == path.deviation else []
            barred = [*known, int(path.vertices[i + 1])]
            look(path.vertices[: i + 1], path.lengths[: i + 1], barred, wanted)
