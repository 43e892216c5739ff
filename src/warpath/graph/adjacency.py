"""A graph's edges: those out of a vertex, along a path, and all of them."""

from itertools import pairwise
from typing import Any

import numpy as np

from warpath.graph.arcs import Arcs, Array
from warpath.graph.arrays import Csr
from warpath.graph.check import check_flags
from warpath.graph.csr import sources_of
from warpath.graph.edges import select
from warpath.graph.names import Vertex, called, number_of


class Adjacency(Arcs):
    """What `warpath.Graph` says of its edges."""

    def neighbors(self, v: Vertex) -> Array:
        """Targets of the arcs out of ``v``, ascending by number; without labels a view, O(1).

        Parameters
        ----------
        v : vertex
            Where the arcs begin.

        Returns
        -------
        array, shape (degree of v,)
            Vertices; of parallel arcs each target as often as there are arcs.

        Raises
        ------
        ValueError
            If a vertex is not in the graph.
        """
        return called(self, self._row(v))  # type: ignore[no-any-return]

    def _row(self, v: Vertex) -> Array:
        u = number_of(self, v)
        return self.column_indices[self.row_offsets[u] : self.row_offsets[u + 1]]

    def arc_weights(self, v: Vertex) -> Array:
        """Weights of the arcs out of ``v``, in `neighbors`' order; a view, O(1).

        Parameters
        ----------
        v : vertex
            Where the arcs begin.

        Returns
        -------
        array, shape (degree of v,)
            Read-only.

        Raises
        ------
        ValueError
            If the graph has no weights.
        """
        u = number_of(self, v)
        if self.weights is None:
            raise ValueError("the graph has no weights")
        return self.weights[self.row_offsets[u] : self.row_offsets[u + 1]]

    def has_edge(self, u: Vertex, v: Vertex) -> bool:
        """Whether there is an arc from ``u`` to ``v``; O(log degree(u)).

        Parameters
        ----------
        u, v : vertices
            Where the arc begins and ends.

        Returns
        -------
        bool
            True, where there are several too.

        Raises
        ------
        ValueError
            If a vertex is not in the graph.
        """
        row, target = self._row(u), number_of(self, v)
        place = int(np.searchsorted(row, target))
        return place < len(row) and int(row[place]) == target

    def path_edges(self, vertices: Any, *, heaviest: bool = False) -> list[int]:
        """The edges that a path goes along, by their `edge_ids`.

        Parameters
        ----------
        vertices : sequence of vertices
            From the first to the last.
        heaviest : bool
            Take the heaviest of parallel edges, not the lightest. Without weights the first.

        Returns
        -------
        list of int
            One less than there are vertices.

        Raises
        ------
        ValueError
            If the graph has no edge ids, or the path goes where no edge is; ``heaviest`` is neither
            True nor False.
        """
        check_flags(heaviest=heaviest)
        if self.edge_ids is None:
            raise ValueError("the graph has no edge ids: make it with edge_ids=True")
        walk = self.index(list(vertices)).tolist()
        chosen = []
        for u, v in pairwise(walk):
            begin, end = self.row_offsets[u : u + 2].tolist()
            first, last = np.searchsorted(self.column_indices[begin:end], [v, v + 1]) + begin
            if first == last:
                raise ValueError(f"no edge leads from {called(self, u)!r} to {called(self, v)!r}")
            place = 0
            if self.weights is not None:
                row = self.weights[first:last]
                place = int(row.argmax() if heaviest else row.argmin())
            chosen.append(int(self.edge_ids[first + place]))
        return chosen

    def coo(self) -> tuple[Array, Array, Array | None]:
        """(source, target, weight) of each arc, sorted; 8m bytes and the weights' (survey 1.3).

        Targets and weights are the graph's own arrays; the sources are computed.

        Returns
        -------
        source, target : int32 array, shape (m,)
            The numbers of the ends of each arc, also where the graph has `labels`.
        weight : array, shape (m,), or None
            Its weight.
        """
        csr = Csr(self.row_offsets, self.column_indices, self.weights)
        return sources_of(csr), csr.column_indices, csr.weights

    def edges(self) -> tuple[Array, Array, Array | None]:
        """Like `coo`, but of an undirected graph each edge once, with source ≤ target.

        Returns
        -------
        source, target : int32 array, shape (number of edges,)
            The numbers of the ends of each edge, also where the graph has `labels`: `to_frame` has those.
        weight : array of that shape, or None
            Its weight.
        """
        source, target, weight = self.coo()
        if self.directed:
            return source, target, weight
        return select(source <= target, source, target, weight)
