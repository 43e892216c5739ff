"""Is an answer right? Checked where the parts lie, by the properties of `warpath.verify`.

Each arc is looked at by the owner of its head, in NumPy alone, or in CuPy where the part lies on a GPU.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import values_at
from warpath.errors import VerificationError

Array = NDArray[Any]

# So that temporary arrays take some 0.2 GB on a host, 1.6 GB on a GPU, where a step takes as long to queue as to run some
# millions of arcs. Guesses.
_ARCS_AT_ONCE, _ARCS_AT_ONCE_ON_GPU = 1 << 22, 1 << 25


class Certificate:
    """The claim that these are the distances and predecessors from some sources.

    Parameters
    ----------
    graph : DistributedGraph
    sources : int32 array
        Distances are from the nearest.
    distance, predecessor : arrays
        Those of the vertices that this rank owns; the predecessor may be None on all ranks: then each distance
        needs an arc that makes it, and these lead to a source.
    none : number
        The distance of what is unreached.
    weighted : bool
        False: each arc counts 1.
    limit : int, optional
        Vertices farther than this are claimed to read as unreached.
    """

    def __init__(
        self,
        graph: DistributedGraph,
        sources: NDArray[np.int32],
        distance: Array,
        predecessor: NDArray[np.int32] | None,
        none: Any,
        *,
        weighted: bool,
        limit: int | None = None,
    ) -> None:
        part = graph.part
        self._xp = part.xp
        self._graph, self._sources, self._none = graph, sources, none
        self._weights = part.reverse.weights if weighted else None
        self._limit = limit
        self._predecessor = predecessor
        self._distance = self._xp.full(len(part.ids), none, distance.dtype)
        self._distance[part.owned] = distance
        part.pull(graph.transport, self._distance)
        self._starts = part.numbers_of(sources) - part.begin
        self._can_be_negative = graph.weight_range[0] < 0 and weighted

    def check(self) -> None:
        """Check all properties, on all ranks.

        Raises
        ------
        VerificationError
            The first rank's, on all.
        """
        self._agree("source", self._check_source())
        self._agree("unreached", self._check_unreached())
        escapes, shorter, loose, descends = self._look_at_arcs()
        self._agree("closed", escapes)
        self._agree("triangle", shorter)
        self._agree("predecessor", self._check_predecessor())
        self._agree("tight", self._check_tight(loose))
        self._agree("rooted", self._check_tree(descends))

    def _agree(self, name: str, message: str | None) -> None:
        """Go on if no rank has found that a property does not hold."""
        said = list(filter(None, self._graph.transport.gather_objects(message)))
        if said:
            raise VerificationError(name, said[0])

    @property
    def _own(self) -> Array:
        return self._distance[self._graph.part.owned]  # type: ignore[no-any-return]

    def _id(self, place: int) -> int:
        """The id of an owned vertex."""
        return self._ids(self._graph.part.begin + place)[0]

    def _needs_arc(self) -> NDArray[np.bool_]:
        """Which owned vertices owe their distance to an arc."""
        needs: NDArray[np.bool_] = self._own != self._none
        needs[self._roots()] = False
        return needs

    def _roots(self) -> Array:
        """Owned sources; without those to which negative weights lead from another source."""
        if len(self._sources) == 1 or not self._can_be_negative:
            return self._starts
        return self._starts[self._own[self._starts] >= 0]

    def _arcs(self) -> Iterator[tuple[Array, Array, Array, Array]]:
        """Source and target numbers of the arcs into owned vertices, d(u) + w, whether u is reached.

        A sum below the dtype is its smallest value.
        """
        reverse, distance, xp = self._graph.part.reverse, self._distance, self._xp
        offsets, together = reverse.row_offsets, _ARCS_AT_ONCE if xp is np else _ARCS_AT_ONCE_ON_GPU
        for first in range(0, reverse.num_arcs, together):
            last = min(first + together, reverse.num_arcs)
            source = reverse.column_indices[first:last]
            arcs = xp.arange(first, last, dtype=offsets.dtype)
            target = xp.searchsorted(offsets, arcs, "right") - 1
            reached = distance[source] != self._none
            one = distance.dtype.type(1)
            weight = (
                one if self._weights is None else self._weights[first:last].astype(distance.dtype)
            )
            with np.errstate(over="ignore"):
                total = xp.where(reached, distance[source] + weight, self._none)
                if distance.dtype.kind == "i":  # what wraps upwards is no path
                    wraps = (total < distance[source]) & (weight >= 0)
                    total = xp.where(wraps, self._none, total)
                    wraps = reached & (total > distance[source]) & (weight < 0)
                    total = xp.where(wraps, np.iinfo(distance.dtype).min, total)
            yield source, target, total, reached

    def _check_source(self) -> str | None:
        for place in self._roots().tolist():
            if self._own[place] != 0:
                return f"distance[{self._id(place)}] of a source is {self._own[place]}, not 0"
            if self._predecessor is not None and self._predecessor[place] != -1:
                parent = self._predecessor[place]
                return f"predecessor[{self._id(place)}] of a source is {parent}, not -1"
        return None

    def _check_unreached(self) -> str | None:
        own = self._own
        wrong = (own < 0) & (own != self._none) & (not self._can_be_negative)
        if self._predecessor is not None:
            wrong |= (own == self._none) & (self._predecessor != -1)
        if self._limit is not None:
            wrong |= (own > self._limit) & (own != self._none)
        if not wrong.any():
            return None
        place = int(wrong.argmax())
        its = "" if self._predecessor is None else f", its predecessor {self._predecessor[place]}"
        return f"distance[{self._id(place)}] is {own[place]}{its}"

    def _look_at_arcs(self) -> tuple[str | None, str | None, Array, bool]:
        """What arcs say.

        Returns
        -------
        tuple
            Which arc leads to an unreached vertex. Which one makes a distance shorter. Which owned vertices owe their
            distance to an arc, but none from their predecessor makes it. Whether all others are farther than
            their predecessor.
        """
        part, xp = self._graph.part, self._xp
        escape = shortcut = None
        loose = self._needs_arc()
        level = loose.copy()  # with no predecessor that is nearer
        for source, target, total, reached in self._arcs():
            head = self._distance[target]
            escapes = reached & (head == self._none)
            if self._limit is not None:
                escapes &= total <= self._limit
            if escape is None and escapes.any():
                i = int(escapes.argmax())
                u, v = self._ids(source[i], target[i])
                escape = f"{v} is unreached, but the arc {u} → {v} leads there"
            shorter = reached & (head != self._none) & (total < head) & (total != self._none)
            if shortcut is None and shorter.any():
                i = int(shorter.argmax())
                u, v = self._ids(source[i], target[i])
                shortcut = f"distance[{v}] is {head[i]}, but the arc {u} → {v} leads there, in all {total[i]}"
            at = target - part.begin
            tight = reached & (total == head)
            if self._predecessor is not None:
                tight &= part.ids[source] == self._predecessor[at]
            loose[at[tight]] = False
            tight &= self._distance[source] < head
            level[at[tight]] = False
        return escape, shortcut, loose, not bool(xp.any(level & ~loose))

    def _check_predecessor(self) -> str | None:
        n, given = self._graph.num_vertices, self._predecessor
        if given is None:
            return None
        wrong = (given < -1) | (given >= n) | (self._needs_arc() & (given == -1))
        if not wrong.any():
            return None
        place = int(wrong.argmax())
        return f"predecessor[{self._id(place)}] is {given[place]}"

    def _check_tight(self, loose: NDArray[np.bool_]) -> str | None:
        if not loose.any():
            return None
        place = int(loose.argmax())
        vertex = self._id(place)
        which = f"to {vertex}" if self._predecessor is None else f"from predecessor[{vertex}]"
        return f"no arc {which} makes distance {self._own[place]}"

    def _check_tree(self, descends: bool) -> str | None:
        """Predecessors end at a source, if each is nearer than the last; else follow them, twice as far each time."""
        graph = self._graph
        if all(graph.transport.gather_objects(descends)):
            return None
        if self._predecessor is None:
            return self._check_rooted()
        bounds, rank, xp = graph.part.bounds, graph.transport.rank, self._xp
        mine = xp.arange(int(bounds[rank]), int(bounds[rank + 1]))
        needs = self._needs_arc()
        root = xp.where(needs, self._predecessor, mine)
        for _ in range(max(1, (graph.num_vertices - 1).bit_length())):
            root = values_at(graph.transport, bounds, root, root, xp)
        lost = needs & ~xp.isin(root, xp.asarray(self._sources))
        if not lost.any():
            return None
        return f"the predecessors of {self._id(int(lost.argmax()))} do not lead to a source"

    def _check_rooted(self) -> str | None:
        """Go from sources along arcs that make a distance, one further each time: all vertices are met."""
        part, transport, xp = self._graph.part, self._graph.transport, self._xp
        rooted = xp.zeros(len(part.ids), bool)
        rooted[part.begin + self._roots()] = True
        left = self._needs_arc()
        while True:
            part.pull_flags(transport, rooted)
            found = xp.zeros(len(left), bool)
            for source, target, total, reached in self._arcs():
                at = target - part.begin
                found[
                    at[reached & rooted[source] & (total == self._distance[target]) & left[at]]
                ] = True
            rooted[part.owned] |= found
            left &= ~found
            if not any(transport.gather_objects(bool(found.any()))):
                break
        if not left.any():
            return None
        return (
            f"arcs that make distances do not lead from a source to {self._id(int(left.argmax()))}"
        )

    def _ids(self, *numbers: Any) -> tuple[int, ...]:
        ids = [int(self._graph.part.ids[int(number)]) for number in numbers]
        return tuple(self._graph.originals(np.array(ids)).tolist())
