"""s-t connectivity: does a path lead from one vertex to another?"""

import time
from dataclasses import dataclass, field

from warpath.algorithms.sources import check_call
from warpath.algorithms.stats import Stats
from warpath.cpu.bidirectional_bfs import FORWARD, bidirectional_bfs
from warpath.cpu.report import Report
from warpath.cpu.trace import DIRECTION, EDGES, VERTICES
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph


@dataclass(frozen=True, eq=False)
class Connection:
    """Whether a path leads from ``source`` to ``target``; true where one does, as a bool is.

    Attributes
    ----------
    graph : Graph
    source, target : int
    connected : bool
    distance : int or None
        The fewest arcs of a path; None where there is none.
    meeting : (int, int) or None
        The arc at which the searches from both ends met: a path of the fewest arcs goes along
        it. None where they never did, and where ``source`` is ``target``.
    stats : Stats
        Its ``direction`` says which search went on in each iteration, ``"forward"`` or
        ``"backward"``.
    """

    graph: Graph = field(repr=False)
    source: int
    target: int
    connected: bool
    distance: int | None
    meeting: tuple[int, int] | None
    stats: Stats = field(repr=False)

    def __bool__(self) -> bool:
        return self.connected

    def verify(self) -> None:
        """Check the answer, in O(V + E): see `warpath.verify`.

        Raises
        ------
        VerificationError
            If it is wrong.
        """
        from warpath import verify
        from warpath.algorithms.shortest_path import shortest_path
        from warpath.errors import NoPathError, VerificationError

        if not self.connected:
            verify.no_path(self.graph, self.source, self.target)
            return
        try:
            path = shortest_path(self.graph, self.source, self.target, weighted=False)
        except NoPathError as error:
            raise VerificationError("path", str(error)) from None
        path.verify()
        if self.distance != path.length:
            raise VerificationError(
                "shortest", f"the distance is {path.length}, not {self.distance}"
            )


def st_connected(graph: Graph, source: int, target: int, *, device: str = "auto") -> Connection:
    """Whether a path leads from ``source`` to ``target``, and how many arcs it takes.

    Breadth-first searches from both ends, the smaller one first, until they meet: between two
    vertices of a power-law graph they look at a small part of it.

    Parameters
    ----------
    graph : Graph
        Weights are ignored. Of a directed graph `Graph.reverse` is built at the first call.
    source, target : int
    device : {"auto", "cpu"}

    Returns
    -------
    Connection
        True or false, as the answer is; its ``distance`` is that of `warpath.bfs`.

    Raises
    ------
    ValueError
        A vertex out of range or no integer, an unknown device.

    Notes
    -----
    STCON of Hong et al., PPoPP 2011, section 4.3. Takes 8 bytes a vertex.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 1], [1, 2])
    >>> wp.st_connected(g, 0, 2)
    Connection(source=0, target=2, connected=True, distance=2, meeting=(1, 2))
    >>> "a path" if wp.st_connected(g, 2, 0) else "no path"
    'no path'
    """
    began = time.perf_counter()
    check_call(graph, device)
    source = as_vertex(source, graph.num_vertices, "source")
    target = as_vertex(target, graph.num_vertices, "target")
    path, place, report = bidirectional_bfs(graph, source, target)
    return Connection(
        graph=graph,
        source=source,
        target=target,
        connected=path is not None,
        distance=None if path is None else len(path) - 1,
        meeting=None if path is None or place < 0 else (int(path[place]), int(path[place + 1])),
        stats=stats_of(report, "bidirectional-bfs", "the fewest arcs", began),
    )


def stats_of(report: Report, method: str, why: str, began: float) -> Stats:
    """Statistics of a search from both ends."""
    ways = report.trace[:, DIRECTION].tolist() if method == "bidirectional-bfs" else []
    return Stats(
        method=method,
        why=why,
        seconds=time.perf_counter() - began,
        threads=report.threads,
        iterations=report.iterations,
        frontier=report.trace[:, VERTICES],
        edges=report.trace[:, EDGES],
        direction=tuple("forward" if way == FORWARD else "backward" for way in ways),
        improvements=report.improvements,
    )
