"""Shortest paths by the CUDA engine."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath import devices
from warpath.algorithms.common.limits import limits
from warpath.algorithms.common.problem import Found, SsspProblem
from warpath.algorithms.common.stats import ReportedStats, Stopwatch
from warpath.algorithms.shortest_paths import cpu_sssp
from warpath.algorithms.shortest_paths.negative import check_parents
from warpath.algorithms.shortest_paths.overflow import check_reached, in_dtype, may_leave
from warpath.balance import DEFAULT, lookup
from warpath.graph.arrays import to_host
from warpath.graph.distance import unreachable
from warpath.graph.graph import Graph
from warpath.planning.breadth_first import ALPHA, BETA
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan
from warpath.planning.predecessors import METHODS as GROWING_TREES
from warpath.planning.predecessors import pack_with_distances
from warpath.planning.shortest_paths import Relaxation, narrowed
from warpath.planning.threads import threads_for
from warpath.schedule import Schedule
from warpath.schedule.optimizations import MOST_MARKED_VERTICES

if TYPE_CHECKING:
    from warpath.cuda.tree import Weights

_INT32 = np.dtype(np.int32)
# Methods that `warpath.cuda.batch` has.
_BATCHED = ("bfs", "delta-stepping", "near-far", "workfront-sweep")
_ALIGNED = 16  # bytes, at multiples of which rows of an answer start, as kernels fill them


def run(problem: SsspProblem, place: Placement, trace: bool, watch: Stopwatch) -> Found:
    """Distances, predecessors (or None) and statistics, in CuPy arrays.

    Raises
    ------
    DeviceUnavailableError
        If there is no GPU that can be used.
    MemoryError
        If the GPU's memory does not suffice.
    NegativeCycleError, OverflowError
        See `warpath.sssp`.
    """
    model = devices.require().model
    one = problem.relaxation(place)
    plan = problem.plan_of(one, place)
    whole = problem.cutoff is None and problem.target < 0
    narrow = narrowed(problem.arcs, one) if whole else None
    try:
        if narrow is not None:
            found = _answer(problem, narrow, plan, trace, watch, model)
            if found is not None:
                return found
        found = _answer(problem, one, plan, trace, watch, model)
        assert found is not None
        return found
    except MemoryError:
        with devices.memory_for(plan.needs()):
            raise


def _answer(
    problem: SsspProblem,
    one: Relaxation,
    plan: Plan,
    trace: bool,
    watch: Stopwatch,
    model: str,
) -> Found | None:
    """The answer by a run; None if that is `narrowed`, and a distance may be missing."""
    n, rows = problem.graph.num_vertices, problem.rows
    cutoff = None if problem.cutoff is None else one.cutoff
    search = _Search(problem, one, plan.schedule, trace, plan.out_of_core)
    distance = _new_rows(n, rows, one.dtype)
    predecessor = _new_rows(n, rows, _INT32) if problem.predecessors else None

    def run(i: int, start: Any) -> Any:
        if rows is None:
            return search.run(start, distance, predecessor, cutoff)
        parents = None if predecessor is None else predecessor[i]
        return search.run(start, distance[i], parents, cutoff)

    if rows is not None and search.suits_a_batch(rows):
        known = search.run(problem.sources, distance, predecessor, cutoff)
    else:
        each = [run(i, start) for i, start in enumerate(problem.starts)]
        known = each[0] if rows is None or problem.target < 0 else np.array(each, one.dtype)
    if one.is_narrowed and may_leave(problem.arcs, search.weights, distance, one.algebra):
        return None
    distance = in_dtype(distance, plan.dtype)
    return Found(
        distance=distance,
        predecessor=predecessor,
        stats=ReportedStats(
            plan.method, plan.why, watch.read(), model, search.reports, search.delta, plan,
        ),
        limit=limits(known, one.dtype, cutoff, rows),
    )  # fmt: skip


class _Search:
    """Runs of one plan, one after the other, and what each left."""

    def __init__(
        self,
        problem: SsspProblem,
        plan: Relaxation,
        schedule: Schedule,
        trace: bool,
        out_of_core: bool,
    ) -> None:
        from warpath.cuda.device_graph import on_device
        from warpath.cuda.weights import weights_as

        host, asked = problem.arcs, problem.schedule
        self.host, self.plan, self.schedule, self.trace = host, plan, schedule, trace
        self.target = problem.target
        balance, self.optimizations = schedule.technique, schedule.switches
        assert balance is not None
        self.balance, self.loop = balance, str(schedule.loop)
        self.is_batchable = (
            asked.technique in (None, lookup(DEFAULT))
            and asked.optimizations is None
            and asked.small_frontiers is None
            and asked.prefilter is None
            and asked.path_limit is None
        )
        if self.optimizations is not None and "edge-classification" in self.optimizations:
            _check_marks(host, plan)
        self.graph = on_device(host, out_of_core)
        self.weights = None if plan.method == "bfs" else weights_as(self.graph, plan.weight_dtype)
        self.far = float("inf") if plan.dtype.kind == "f" else unreachable(plan.dtype)
        self.delta = self.widest = self.prefilter = self.path_limit = None
        if plan.width is not None and plan.method == "delta-stepping":
            self.delta, self.widest = plan.width.first, plan.width.widest
            self.prefilter = plan.width.prefilter if schedule.prefilter == "on" else None
            self.path_limit = plan.width.reach if schedule.path_limit == "on" else None
        elif plan.width is not None:
            self.delta = plan.width.steady
        self.weights_are: Weights = "any" if plan.signed else "non-negative"
        if plan.dtype.kind == "i" and plan.least_step > 0:
            self.weights_are = "positive"
        self.grows_tree = (
            plan.method in GROWING_TREES
            and pack_with_distances(plan.dtype, plan.least_step)
            and schedule.small_frontiers != "async"
        )  # fmt: skip
        self.reports: list[Any] = []

    def suits_a_batch(self, rows: int) -> bool:
        """Whether all searches are better run at once (`warpath.cuda.batch`)."""
        from warpath.cuda.batch import batching_is_faster

        able = self.plan.method in _BATCHED and not self.plan.signed
        plain = self.loop == "device" and self.is_batchable
        return able and plain and batching_is_faster(self.graph, rows, lookup(DEFAULT))

    def run(self, sources: NDArray[np.int32], distance: Any, predecessor: Any, cutoff: Any) -> Any:
        """Fill a row of the answer; returns the target's distance, None without a target.

        Or all rows at once, from a source each; then the target's distance in each.
        """
        import cupy

        plan = self.plan
        grows_tree = self.grows_tree and predecessor is not None and distance.ndim == 1
        if plan.method == "bfs":
            self._visit(sources, distance, predecessor)
        elif plan.signed:
            self._relax_signed(sources, distance, predecessor)
        else:
            tree = {"parents": predecessor, "tree": True} if grows_tree else {}
            self.reports.append(self._relax(sources, distance, **tree))
        if plan.may_overflow:
            self._check_reached(distance)
        rows = None if distance.ndim == 1 else len(distance)
        known = None if self.target < 0 else to_host(distance[..., self.target])[()]
        limit = limits(known, plan.dtype, cutoff, rows)
        if limit is not None:
            here = plan.dtype.type(limit)
            beyond = distance > (here if rows is None else cupy.asarray(here)[:, None])
            cupy.copyto(distance, self.far, where=beyond)
            if grows_tree or (plan.method == "bfs" and predecessor is not None):
                cupy.copyto(predecessor, -1, where=beyond)
        if predecessor is not None and plan.method != "bfs" and not grows_tree:
            self._grow_tree(sources, distance, predecessor)
        return known

    def _visit(self, sources: Any, distance: Any, predecessor: Any) -> None:
        """Where each arc counts 1."""
        import cupy

        from warpath.cuda.bfs import bfs, small_frontier_options

        limit = min(int(self.plan.cutoff), np.iinfo(np.int32).max)
        report: Any
        if distance.ndim == 2:
            from warpath.cuda.batch import bfs_rows

            report = bfs_rows(self.graph, sources, limit, distance, predecessor, self.trace)
        else:
            report = bfs(
                self.graph, sources, "optimizing", ALPHA["cuda"], BETA["cuda"], limit,
                distance, predecessor, self.balance, self.loop, self.trace,
                **small_frontier_options(self.schedule.small_frontiers),
            )  # fmt: skip
        bits = distance.view(np.uint32)  # those of -1 are the largest number
        cupy.minimum(bits, np.uint32(self.far), out=bits)
        self.reports.append(report)

    def _relax(self, sources: Any, distance: Any, **more: Any) -> Any:
        from warpath.cuda.sssp import sssp

        plan = self.plan
        if distance.ndim == 2:
            from warpath.cuda.batch import sssp_rows

            if plan.width is not None:
                self.delta = plan.width.batch
            return sssp_rows(
                self.graph, self.weights, sources, self.delta, plan.cutoff, self.target, distance,
                self.trace, plan.algebra,
            )  # fmt: skip
        return sssp(
            self.graph, self.weights, sources, plan.method, self.delta, plan.cutoff, self.target,
            distance, self.balance, self.loop, self.trace, optimizations=self.optimizations,
            asynchronous=self.schedule.small_frontiers == "async", max_delta=self.widest, prefilter_width=self.prefilter,
            path_limit_width=self.path_limit, algebra=plan.algebra, **more,
        )  # fmt: skip

    def _relax_signed(self, sources: Any, distance: Any, predecessor: Any) -> None:
        """With negative weights: some cycle may be negative, some distance fall too low."""
        import cupy

        from warpath.cuda.cycles import CandidateParents, find, keys

        plan = self.plan
        parents = cupy.empty(len(distance), np.int32) if predecessor is None else predecessor

        def look_for_a_cycle(candidates: CandidateParents) -> bool:
            """Raise a negative one; whether there is one that is not proved to be negative."""
            found = find(parents, candidates)
            if found is not None:
                check_parents(self.host, *found)
            return found is not None

        report = self._relax(
            sources, distance, signed=True, parents=parents, check=look_for_a_cycle
        )
        self.reports.append(report)
        unsure = bool(report.endless)
        last = CandidateParents(self.graph, self.weights, keys(distance), plan.dtype)
        if plan.dtype.kind == "f":
            # What rounding makes of a cycle of weight zero may keep itself alive.
            unsure |= look_for_a_cycle(last)
        elif bool((distance == np.iinfo(plan.dtype).min).any()):
            look_for_a_cycle(last)  # it may be why
            unsure = True
        if unsure:
            self._ask_the_cpu(sources, distance)

    def _ask_the_cpu(self, sources: Any, distance: Any) -> None:
        """Let the CPU engine find the negative cycle, the overflow, or the distances."""
        plan = replace(self.plan, method="bellman-ford")
        n = self.host.num_vertices
        here, predecessor = np.empty(n, plan.dtype), np.empty(n, np.int32)
        threads = threads_for(self.host)
        weights = cpu_sssp.weights_of(self.host, plan)
        cpu_sssp.relax(self.host, plan, weights, sources, here, predecessor, threads, self.target)
        distance.set(here)

    def _check_reached(self, distance: Any) -> None:
        plan = self.plan
        if not plan.signed and not may_leave(self.host, self.weights, distance, plan.algebra):
            return
        weights = cpu_sssp.weights_of(self.host, plan)
        for row in np.atleast_2d(distance.get()):
            check_reached(self.host, weights, row, False, plan.cutoff, self.target, plan.algebra)

    def _grow_tree(self, sources: Any, distance: Any, predecessor: Any) -> None:
        from warpath.cuda.tree import fill_predecessors

        plan = self.plan
        tree = (self.graph, self.weights, sources, distance, predecessor, self.weights_are)
        if distance.ndim == 2:
            from warpath.cuda.batch import fill_predecessor_rows

            fill_predecessor_rows(*tree, plan.algebra)
        else:
            fill_predecessors(*tree, algebra=plan.algebra)


def _check_marks(graph: Graph, plan: Relaxation) -> None:
    """Whether arcs can be classified."""
    n = graph.num_vertices
    if n >= MOST_MARKED_VERTICES:
        raise ValueError(
            f"edge-classification needs two bits of a vertex's number, so fewer than 2³⁰ vertices, "
            f"not {n:,}: leave it out"
        )
    if not plan.algebra.adds:
        raise ValueError(
            f"edge-classification is for sums of weights, not for algebra {plan.algebra.name!r}"
        )


def _new_rows(n: int, rows: int | None, dtype: np.dtype[Any]) -> Any:
    """An array of shape (n,) or (rows, n) whose rows start where kernels want them to."""
    import cupy

    if rows is None:
        return cupy.empty(n, dtype)
    each = _ALIGNED // dtype.itemsize
    return cupy.empty((rows, -(-n // each) * each), dtype)[:, :n]
