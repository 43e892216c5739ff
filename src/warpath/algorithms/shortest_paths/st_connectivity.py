"""s-t connectivity: does a path lead from one vertex to another?"""

from dataclasses import dataclass, replace
from typing import Any

from warpath.algorithms.common.sources import check_call
from warpath.algorithms.common.stats import Stats, Stopwatch
from warpath.algorithms.traversal.two_ended import ConnectionProblem, join
from warpath.display import ReprMixin, Row, counted, duration
from warpath.graph.check import as_vertex
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name, called
from warpath.planning.placement import choose_place_from_both_ends, only_on_gpus
from warpath.schedule import ScheduleLike, schedule_for
from warpath.typing import DEVICES, DeviceName


@dataclass(frozen=True, eq=False, repr=False)
class Connection(ReprMixin):
    """Whether a path leads from ``source`` to ``target``; true where one does, as a bool is.

    Attributes
    ----------
    graph : Graph
    source, target : vertices
    connected : bool
    distance : int or None
        The fewest arcs of a path; None where there is none.
    meeting : pair of vertices, or None
        The arc at which the searches from both ends met: a path of the fewest arcs goes along
        it. None where they never did, and where ``source`` is ``target``.
    stats : Stats
        Its ``direction`` says which search ran in each iteration, ``"forward"`` or
        ``"backward"``. On a GPU ``edges`` counts all arcs of a frontier, also where the
        searches met before the last of them was looked at.

    See Also
    --------
    st_connected : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> found = wp.st_connected(wp.generate.grid(3), 0, 8)
    >>> bool(found), found.distance
    (True, 4)
    """

    graph: Graph
    source: Any
    target: Any
    connected: bool
    distance: int | None
    meeting: tuple[Any, Any] | None
    stats: Stats

    def _line(self) -> str:
        return f"{self.source} → {self.target}, {self._distance()}"

    def _distance(self) -> str:
        return "no path" if self.distance is None else counted(self.distance, "arc")

    def _rows(self) -> list[Row]:
        return [
            ("from", str(self.source)),
            ("to", str(self.target)),
            ("distance", self._distance()),
            ("method", self.stats.method),
            ("time", duration(self.stats.seconds)),
        ]

    def __bool__(self) -> bool:
        return self.connected

    def _called(self, graph: Graph) -> "Connection":
        return replace(
            self,
            graph=graph,
            source=called(graph, self.source),
            target=called(graph, self.target),
            meeting=None if self.meeting is None else called(graph, self.meeting),
        )

    def verify(self) -> None:
        """Check the answer, in O(V + E): see `warpath.verify`.

        Raises
        ------
        VerificationError
            If it is wrong.
        """
        from warpath import verify
        from warpath.algorithms.shortest_paths.shortest_path import shortest_path
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


@by_name("source", "target")
def st_connected(
    graph: Graph,
    source: Vertex,
    target: Vertex,
    *,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> Connection:
    """Whether a path leads from ``source`` to ``target``, and how many arcs it takes.

    Breadth-first searches from both ends, the smaller one first, until they meet: between two
    vertices of a power-law graph they look at a small part of it.

    Parameters
    ----------
    graph : Graph
        Weights are ignored. A directed graph builds `Graph.reverse` at the first call.
    source, target : vertices
    device : {"auto", "cpu", "cuda"}
        "cuda": the current CUDA device, and a call waits for its answer. The graph is copied
        to the device at the first call and kept there as long as it lives.
        "auto": a GPU if there is one and the graph was built there, or is large (2²²
        arcs) and sparse (fewer than 8 per vertex), or ``schedule`` is given. Else the CPU, one
        thread. Sparse graphs often have a large diameter: only then the searches take long enough.
    schedule : Schedule, str or Technique, optional
        How a GPU runs it: a balance, ``"virtual-warp:width=16"`` (by default "two-phase-search"), and
        a loop, ``"loop=host"``.

    Returns
    -------
    Connection
        True or false, as the answer is; its ``distance`` is that of `warpath.bfs`.

    Raises
    ------
    ValueError
        A vertex out of range or no integer, an unknown device, a schedule that is none or has
        something else, a schedule for the CPU.
    DeviceUnavailableError
        ``device="cuda"`` or a schedule where CUDA cannot be used: it says what is missing.
    MemoryError
        One of these, and a workspace beyond the GPU's memory.

    See Also
    --------
    shortest_path : The path itself.
    bfs : Distances to all vertices.

    Notes
    -----
    Complexity: O(n + m) time at worst; far less where the two searches meet soon.

    STCON of Hong et al., PPoPP 2011, section 4.3. Takes 8 bytes per vertex; on a GPU 20, 28 from
    2³² arcs.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.Graph.from_edges([0, 1], [1, 2])
    >>> wp.st_connected(g, 0, 2)
    <Connection: 0 → 2, 2 arcs>
    >>> "a path" if wp.st_connected(g, 2, 0) else "no path"
    'no path'
    """
    watch = Stopwatch()
    problem = connection_problem(graph, source, target, device=device, schedule=schedule)
    source, target = problem.source, problem.target
    found = join(problem, watch)
    return Connection(
        graph=graph,
        source=source,
        target=target,
        connected=found.distance is not None,
        distance=found.distance,
        meeting=found.meeting,
        stats=found.stats,
    )


def connection_problem(
    graph: Graph,
    source: Any,
    target: Any,
    *,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> ConnectionProblem:
    """What a call of `st_connected` asks for, checked."""
    check_call(graph, device, DEVICES)
    how = schedule_for("st_connected", schedule)
    needs = only_on_gpus(device, how)
    return ConnectionProblem(
        graph=graph,
        source=as_vertex(source, graph.num_vertices, "source"),
        target=as_vertex(target, graph.num_vertices, "target"),
        device=device,
        schedule=how,
        place=choose_place_from_both_ends(graph, device, needs),
        cpu_is_able=not needs,
        why="the fewest arcs",
    )
