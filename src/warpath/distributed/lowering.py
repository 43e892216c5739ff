"""Lowering distances on all ranks: what a rank works in, and the exchange that follows its rounds."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of, kind_of
from warpath.cpu.counters import LINE
from warpath.distributed import relaxation
from warpath.distributed.graph import DistributedGraph
from warpath.distributed.relaxation import Lowering
from warpath.graph.distance import unreachable
from warpath.parallel import team
from warpath.parallel.thread_count import num_threads

Array = NDArray[Any]

_MAX_ROUNDS = 1 << 62


class Step(NamedTuple):
    """What all ranks did before an exchange, and at it.

    Attributes
    ----------
    expanded, relaxed : int
        Vertices and arcs.
    is_done : bool
        Whether no rank has a near vertex left.
    least : number
        The least distance of a far vertex on any rank, if it is done.
    """

    expanded: int
    relaxed: int
    is_done: bool
    least: Any


class Searching:
    """The distances of this rank's part while a search lowers them.

    Parameters
    ----------
    graph : DistributedGraph
    distance : array, shape (k,)
        One for each vertex number; ``unreachable`` where there is no path.
    predecessor : int32 array, shape (k,)
        Ids; -1 where there is none.
    weights : array or None
        Those of the part's arcs; None: each counts 1.
    cutoff : number, optional
        Longer paths are not looked for.
    signed : bool
        Whether a weight is negative. Then ranks exchange after each round, and not the smallest of equally
        good predecessors is taken.
    """

    def __init__(
        self,
        graph: DistributedGraph,
        distance: Array,
        predecessor: NDArray[np.int32],
        weights: Array | None,
        *,
        cutoff: Any = None,
        signed: bool = False,
    ) -> None:
        part = graph.part
        self._graph, self._part, self._transport = graph, part, graph.transport
        self._threads = num_threads()
        self._max_rounds = 1 if signed else _MAX_ROUNDS
        dtype = distance.dtype
        none = unreachable(dtype)
        farthest = np.finfo(dtype).max if dtype.kind == "f" else none - 1
        owned = max(part.end - part.begin, 1)
        self.none = none
        self._counters = np.zeros(relaxation.COUNTERS, np.int64)
        self._ghosts = np.empty(max(len(part.ids) - owned, 1), np.int32)
        self._state = np.zeros(len(part.ids), np.int32)
        self._near = np.empty((2, owned), np.int32)
        self._this = Lowering(
            arcs_of(part.graph, weights), part.ids, part.begin, part.end, farthest,
            farthest if cutoff is None else cutoff, not signed, distance, predecessor, self._state,
            self._near, np.empty((2, owned), np.int32), self._ghosts,
            np.empty((self._threads, relaxation.BUFFERS, relaxation.BUFFER), np.int32), self._counters,
        )  # fmt: skip
        self._like = kind_of(part.graph), team.kind(self._this)

    @property
    def distance(self) -> Array:
        """One for each vertex number; a ghost's is the least that this rank knows."""
        return self._this.distance  # type: ignore[no-any-return]

    def begin(self, vertices: NDArray[np.int32]) -> None:
        """Make owned vertices, which have their distances, near."""
        self._near[0, : len(vertices)] = vertices
        self._state[vertices] = relaxation.NEAR
        self._counters[relaxation.NEAR_COUNT] = len(vertices)

    def step(self, limit: Any) -> Step:
        """Relax near vertices, those below ``limit``, and exchange what was lowered."""
        counters, this = self._counters, self._this
        counters[[relaxation.EXPANDED, relaxation.RELAXED, relaxation.GHOST_COUNT]] = 0
        self._run(relaxation.relax, limit, self._max_rounds)
        lowered = np.sort(self._ghosts[: counters[relaxation.GHOST_COUNT]])
        self._state[lowered] = relaxation.FREE
        note = np.zeros(4, np.int64)
        note[:3] = counters[[relaxation.EXPANDED, relaxation.RELAXED, relaxation.NEAR_COUNT]]
        note[2] += len(lowered)
        wide = note[3:].view(np.float64 if self.distance.dtype.kind == "f" else np.int64)
        if note[2] == 0:  # on all ranks, where the bucket is done
            wide[0] = self._least_far()
        told, (values, parents), notes = self._part.push(
            self._transport, lowered, this.distance[lowered], this.predecessor[lowered], note=note
        )
        if len(told):
            self._run(relaxation.accept, limit, told, values, parents)
        expanded, relaxed, left, _ = notes.sum(axis=0).tolist()
        least = np.ascontiguousarray(notes[:, 3]).view(wide.dtype).min()
        return Step(
            expanded, relaxed, left == 0, self.distance.dtype.type(least) if left == 0 else None
        )

    def split(self, limit: Any) -> None:
        """Make the far vertices below ``limit`` near."""
        self._run(relaxation.split, limit)

    @property
    def refused(self) -> bool:
        """Whether this rank has met a sum that fits into no distance."""
        return bool(self._counters[relaxation.REFUSED])

    @property
    def fell_short(self) -> bool:
        """Whether this rank has met a distance below its dtype."""
        lowest = self.distance.dtype.kind == "f" and bool((self.distance == -np.inf).any())
        return lowest or bool(self._counters[relaxation.FELL_SHORT])

    @property
    def has_level_arcs(self) -> bool:
        """Whether this rank has lowered a distance by an arc that does not lengthen the path."""
        return bool(self._counters[relaxation.LEVEL_ARCS])

    def _least_far(self) -> Any:
        least = np.array([self.none])
        if self._counters[relaxation.FAR_COUNT]:
            self._run(relaxation.least_far, least)
        return least[0]

    def _run(self, kernel: Any, *args: Any) -> None:
        like = self._like, tuple(map(team.kind, args))
        # A handful of vertices is less work than a team's start.
        few = self._counters[relaxation.NEAR_COUNT] + self._counters[relaxation.FAR_COUNT] < LINE
        team.run(
            kernel,
            1 if few and kernel is not relaxation.relax else self._threads,
            self._this,
            *args,
            like=like,
        )
