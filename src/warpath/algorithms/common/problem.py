"""A call whose input was checked: what is to be found, and what was asked about how."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.residency import planned, refused_on_several
from warpath.algorithms.common.sources import distinct
from warpath.algorithms.common.stats import Stats
from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra, lookup
from warpath.planning.breadth_first import plan_bfs
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, plan_for
from warpath.planning.shortest_paths import Relaxation, plan_sssp, relaxation
from warpath.schedule import Schedule
from warpath.typing import DeviceName

NO_LIMIT = 2**31 - 1
"""No distance in arcs is greater."""


@dataclass(eq=False)  # to freeze one takes longer than to search a small graph
class Problem:
    """Paths from one source, from each of several, or from the nearest of them.

    Attributes
    ----------
    graph : Graph
    sources : int32 array, shape (k,)
    single : bool
        Whether one vertex was given, no sequence.
    nearest : bool
    predecessors : bool
    device : {"auto", "cpu", "cuda"}
    on_host : bool
        Whether the arrays of the answer are NumPy's, wherever it runs.
    schedule : Schedule
        What was asked about how.
    place : Placement
        Where it runs.
    cpu_is_able : bool
        Whether the CPU may do it where a GPU's memory does not suffice.
    """

    graph: Graph
    sources: NDArray[np.int32]
    single: bool
    nearest: bool
    predecessors: bool
    device: DeviceName
    on_host: bool
    schedule: Schedule
    place: Placement
    cpu_is_able: bool

    @property
    def one_answer(self) -> bool:
        """Whether the sources share it."""
        return self.single or self.nearest

    @property
    def rows(self) -> int | None:
        """Number of answers, None for a single one."""
        return None if self.one_answer else len(self.sources)

    @property
    def starts(self) -> list[NDArray[np.int32]]:
        """The sources of each run."""
        if len(self.sources) == 1:
            return [self.sources]
        if self.one_answer:
            return [distinct(self.sources, self.graph.num_vertices)]
        return [self.sources[i : i + 1] for i in range(len(self.sources))]


@dataclass(eq=False)  # to freeze one takes longer than to search a small graph
class BfsProblem(Problem):
    """A call of `warpath.bfs`.

    Attributes
    ----------
    limit : int
        The greatest distance.
    grid : pair of int, or None
        Blocks of a GPU's grid, at most, and threads of each, where the frontier is not the default one; None:
        what the engine takes.
    """

    limit: int
    grid: tuple[int, int] | None = None

    @property
    def rows_at_once(self) -> bool:
        """Whether a GPU may search the rows at once, top-down, if that is faster."""
        how = self.schedule
        free = how.alpha is None and how.beta is None and how.small_frontiers is None
        return free and how.direction in (None, "top-down")

    def one_gpu(self) -> str:
        """Why several GPUs cannot answer it, as `refused_on_several` says it."""
        return refused_on_several("bfs", {"schedule": self.schedule != Schedule()})

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        limited = self.limit < NO_LIMIT
        return planned(self.graph, place, lambda place: plan_bfs(
            self.graph, self.schedule, place, self.rows, self.predecessors, limited
        ), self.one_gpu)  # fmt: skip


@dataclass(eq=False)  # to freeze one takes longer than to search a small graph
class SsspProblem(Problem):
    """A call of `warpath.sssp`.

    Attributes
    ----------
    arcs : Graph
        Those that a path may take: the graph's, or none, where none is as good as the cutoff.
    algebra : PathAlgebra
    method : str
        As it was asked for.
    signed : bool
        Whether a weight that a source may reach is negative, and betters a path.
    cutoff : number or None
        As it was asked for; None: none was, or none is as good.
    target : int
        -1: none.
    dtype : dtype
        That of the distances that were asked for.
    """

    arcs: Graph
    algebra: PathAlgebra
    method: str
    signed: bool
    cutoff: Any
    target: int
    dtype: np.dtype[Any]

    def relaxation(self, place: Placement) -> Relaxation:
        """The method with everything that it needs."""
        how = self.schedule
        whole = self.one_answer and self.cutoff is None and self.target < 0
        with_buckets = "on" in (how.prefilter, how.path_limit)  # which only they have
        return relaxation(
            self.arcs, self.algebra, self.method, self.signed, how.delta, self.cutoff, self.dtype,
            place.device, whole and not with_buckets,
        )  # fmt: skip

    def one_gpu(self) -> str:
        """Why several GPUs cannot answer it, as `refused_on_several` says it."""
        return refused_on_several("sssp", {
            "algebra": self.algebra is not lookup("shortest"),
            "method": self.method != "auto",
            "schedule": self.schedule != Schedule(),
        })  # fmt: skip

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        return self.plan_of(self.relaxation(place), place)

    def plan_of(self, run: Relaxation, place: Placement) -> Plan:
        """How a run of this goes."""
        return planned(self.arcs, place, lambda place: plan_sssp(
            self.graph, run, self.schedule, place, self.dtype, self.rows, self.predecessors
        ), self.one_gpu)  # fmt: skip


ON_CPU = Placement("cpu", "only there is this method")


@dataclass(eq=False)
class Measure:
    """A call that is answered in one way: its input checked, with what it takes.

    Attributes
    ----------
    graph : Graph
        What is read of it.
    search, method, why : str
        See `Plan`.
    dtype : dtype
        The answer's dtype.
    answer, workspace : int
        Bytes.
    threads : int
        At most.
    place : Placement
        Where it runs.
    reads_weights : bool
        Whether it reads the graph's weights.
    """

    graph: Graph
    search: str
    method: str
    why: str
    dtype: np.dtype[Any]
    answer: int
    workspace: int
    threads: int
    place: Placement = ON_CPU
    reads_weights: bool = True

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""
        return plan_for(
            self.graph, self.search, place, self.method, self.why, self.dtype,
            answer=self.answer, workspace=self.workspace, threads=self.threads,
            reads_weights=self.reads_weights,
        )  # fmt: skip


class Found(NamedTuple):
    """What an engine gives back.

    Attributes
    ----------
    distance : array, shape (n,) or (k, n)
    predecessor : array like it, or None
    stats : Stats
    limit : number, array of shape (k,), or None
        See `warpath.algorithms.common.result.Paths`.
    """

    distance: Any
    predecessor: Any
    stats: Stats
    limit: Any = None
