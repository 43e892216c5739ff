"""How often a random surfer is at each vertex."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.primitives.arrays import arrays_of, out_weights
from warpath.algorithms.primitives.edges import prepare_aggregate
from warpath.algorithms.primitives.frontier import Frontier
from warpath.algorithms.primitives.host_copy import HostCopy
from warpath.algorithms.primitives.prepared import Prepared
from warpath.algorithms.primitives.vertices import prepare_compute, prepare_reduce
from warpath.graph.check import as_number, as_positive, as_vector
from warpath.graph.graph import Graph
from warpath.graph.names import called, number_of
from warpath.language import operator
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

if TYPE_CHECKING:
    from warpath.cuda.propagation_blocking import BlockedSums

# Ranks are 64-bit fixed-point numbers: this integer stands for 1. Sums of integers do not depend on their order,
# so all devices and balances give the same ranks to the bit. The last bit is about 10⁻¹⁸.
_ONE = 2**60
# Shares are rounded to 24 bits, of which caches hold twice as many, where that cannot keep ranks from converging. Two
# iterations round apart by this much at most, all ranks together; each passes on d (damping) times what it finds, which
# sums up to d / (1 − d) times as much. The tolerance is to be larger by a fourth: by default it is by a half.
_ROUNDING, _LARGER = 2.0**-23, 1.25
_ROUNDED_VERTICES = 2**16  # from which on; caches hold fewer anyway: a guess


@operator
def _give(u, v, share):  # type: ignore[no-untyped-def]
    return np.int64(share[u])


@operator
def _give_times_weight(u, v, w, share):  # type: ignore[no-untyped-def]
    return np.int64(np.float64(share[u]) * w)


@operator
def _give_by_weight(u, v, w, rank, out_weight):  # type: ignore[no-untyped-def]
    return np.int64(rank[u] * (w / out_weight[u])) if out_weight[u] > 0 else 0


@operator
def _share(v, rank, degree, share):  # type: ignore[no-untyped-def]
    share[v] = rank[v] // degree[v]  # 0 where nothing goes out


@operator
def _rounded_share(v, rank, out_weight, share):  # type: ignore[no-untyped-def]
    share[v] = np.float32(rank[v] / out_weight[v]) if out_weight[v] > 0 else np.float32(0)


@operator
def _rank(v, rank):  # type: ignore[no-untyped-def]
    return rank[v]


# ``lost`` has one element: the ranks of the vertices that nothing leaves.


@operator
def _update(v, rank, gathered, damping, lost, dangling, teleport):  # type: ignore[no-untyped-def]
    old = rank[v]
    new = np.int64(damping * (gathered[v] + lost[0] * dangling[v]) + teleport[v])
    rank[v] = new
    return abs(new - old)


@operator
def _update_evenly(v, rank, gathered, damping, lost, teleport, n):  # type: ignore[no-untyped-def]
    old = rank[v]
    new = np.int64(damping * gathered[v] + (damping * lost[0] + teleport) / n)
    rank[v] = new
    return abs(new - old)


def pagerank(
    graph: Graph,
    *,
    damping: float = 0.85,
    personalization: Any = None,
    dangling: Any = None,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> Any:
    """PageRank: how often a random surfer visits each vertex, following edges and now and then starting again.

    Parameters
    ----------
    graph : Graph
        The surfer follows an edge in proportion to its weight, which is 0 or more; without weights, with equal
        probability.
    damping : float, default 0.85
        The probability that the surfer follows an edge, 0 to 1.
    personalization : array, shape (n,), or mapping of vertices to numbers, optional
        Where the surfer starts again, in proportion to these numbers; by default, anywhere with equal probability.
    dangling : array or mapping, likewise, optional
        Where the surfer goes from a vertex that nothing leaves; by default as ``personalization``.
    tolerance : float, default 1e-6
        Stop when an iteration changes the ranks by less than this, summed over all vertices: whatever n is.
    max_iterations : int, default 100
        More are an error. The change shrinks at least by the factor ``damping``, so the defaults suffice for any graph.
    device, schedule : as of `connected_components`

    Returns
    -------
    float64 array, shape (n,)
        They sum up to 1.

    Raises
    ------
    ValueError
        A negative weight, a number out of range, or shares that are negative or all 0.
    OverflowError
        If the weights of the edges out of a vertex sum up to more than float64 holds.
    RuntimeError
        If it has not converged after ``max_iterations``.
    DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    aggregate : What an iteration is made of.

    Notes
    -----
    O(n + m) per iteration, by `warpath.aggregate`; on a GPU, for 2²⁰ vertices and more without weights or a ``schedule``,
    by propagation blocking (S. Beamer et al., IPDPS 2017), if memory holds 9 more bytes per edge. Ranks are computed in 60 bits behind the point, in integers: every
    device gives the same ones to the bit. From 2¹⁶ vertices on, what an edge carries is rounded to 24 bits where that moves
    the ranks, all together, by less than ``tolerance``, unless weights are floats: so it is by default. L. Page et al., "The PageRank citation ranking", 1999. Parameters are NetworkX's
    but for ``tolerance``: NetworkX stops at a change of n times its ``tol``, which any iteration satisfies from
    2 · 10⁶ vertices on. GAP stops at 1e-4, cuGraph at 1e-5 by default.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.pagerank(wp.Graph.from_edges([0, 1, 2], [2, 2, 0])).round(3).tolist()
    [0.464, 0.05, 0.486]
    """
    problem = pagerank_problem(
        graph, damping=damping, personalization=personalization, dangling=dangling,
        tolerance=tolerance, max_iterations=max_iterations, device=device, schedule=schedule,
    )  # fmt: skip
    return problem.run(lambda xp: ranks_and_iterations(problem, xp)[0])


@dataclass(eq=False, kw_only=True)
class PagerankProblem(DeviceMeasure):
    """A call of `pagerank`, its input checked.

    Attributes
    ----------
    damping, tolerance : float
    teleport, dangling : float64 array, shape (n,), or None
        Where the surfer starts again, and goes from a vertex without edges; they sum up to 1. None: equal shares.
    max_iterations : int
    by_blocks : bool
        Whether sums may be taken otherwise than by the schedule.
    """

    damping: float
    tolerance: float
    teleport: NDArray[np.float64] | None
    dangling: NDArray[np.float64] | None
    max_iterations: int
    by_blocks: bool


def pagerank_problem(
    graph: Graph,
    *,
    damping: float = 0.85,
    personalization: Any = None,
    dangling: Any = None,
    tolerance: float = 1e-6,
    max_iterations: int = 100,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> PagerankProblem:
    """What a call of `pagerank` asks for, checked."""
    measure = device_measure(
        graph, "pagerank", "power-iteration", "sums of 64-bit integers", np.dtype(np.float64),
        device=device, schedule=schedule, answer_per_vertex=8, per_vertex=48, gathers=True,
    )  # fmt: skip
    damping, tolerance = _fraction(damping, "damping"), float(as_number(tolerance, "tolerance"))
    if not tolerance >= 0:
        raise ValueError(f"tolerance must be 0 or more, not {tolerance!r}")
    if graph.num_arcs and graph.weight_range[0] < 0:
        raise ValueError(f"pagerank takes weights of 0 or more, and one is {graph.weight_range[0]}")
    _check_sums(graph)
    teleport = _shares(graph, personalization, "personalization")
    return PagerankProblem(
        **vars(measure), damping=damping, tolerance=tolerance, teleport=teleport,
        dangling=teleport if dangling is None else _shares(graph, dangling, "dangling"),
        max_iterations=as_positive(max_iterations, "max_iterations"), by_blocks=schedule is None,
    )  # fmt: skip


def ranks_and_iterations(problem: PagerankProblem, xp: Any) -> tuple[Any, int]:
    """The ranks in an array of ``xp``, and the number of iterations."""
    graph, balance, damping = problem.graph, problem.schedule.technique, problem.damping
    n = graph.num_vertices
    if n == 0:
        return xp.empty(0), 0
    weights = graph.weight_dtype
    out_weight = arrays_of(graph, xp).degree if weights is None else out_weights(graph, xp)
    rank = xp.full(n, _ONE // n, np.int64)
    ends = Frontier.of(graph, (out_weight == 0).nonzero()[0].astype(np.int32))
    lost = prepare_reduce(ends, _rank, rank)
    loose = problem.tolerance * (1 - damping) >= _LARGER * damping * _ROUNDING
    rounds = loose and n >= _ROUNDED_VERTICES
    if weights is None or (rounds and weights.kind == "i"):
        divide, gather = _by_shares(problem, rank, out_weight, rounds, xp)
    else:  # a rank over a small float may overflow, and over an integer an exact share is none
        divide = None
        gather = prepare_aggregate(graph, _give_by_weight, rank, out_weight, schedule=balance)
    if problem.teleport is None and problem.dangling is None:
        teleport = (1 - damping) * _ONE
        update = prepare_reduce(
            graph, _update_evenly, rank, gather.out, damping, lost.out, teleport, n
        )
    else:
        shares = problem.teleport, problem.dangling
        starts, falls = (xp.asarray(np.full(n, 1 / n) if one is None else one) for one in shares)
        starts = _ONE * (1 - damping) * starts
        update = prepare_reduce(graph, _update, rank, gather.out, damping, lost.out, falls, starts)
    change = HostCopy(update.out, xp)

    def begin_next() -> None:
        if ends:
            lost.run()
        if divide:
            divide()

    if not ends:
        lost.run()  # none ever
    begin_next()
    for iteration in range(1, problem.max_iterations + 1):
        gather.run()
        update.run()
        change.begin()
        if xp is not np:
            begin_next()  # maybe in vain, but while the host waits for the change
        if change.wait() < problem.tolerance * _ONE:
            return rank / float(rank.sum()), iteration
        if xp is np:
            begin_next()
    raise RuntimeError(
        f"PageRank has not converged after {problem.max_iterations} iterations: the ranks still change by "
        f"{change.wait() / _ONE:.3g}, not by less than {problem.tolerance:.3g}; give more max_iterations, or a larger tolerance"
    )


def _by_shares(
    problem: PagerankProblem, rank: Any, out_weight: Any, rounds: bool, xp: Any
) -> "tuple[Callable[[], None], Prepared | BlockedSums]":
    """What divides ranks among edges, and what gathers these shares, each times the edge's weight."""
    graph, balance, n = problem.graph, problem.schedule.technique, len(rank)
    share = xp.empty(n, np.float32 if rounds else np.int64)
    divide = prepare_compute(graph, _rounded_share if rounds else _share, rank, out_weight, share)
    if graph.weight_dtype is not None:
        return divide.run, prepare_aggregate(graph, _give_times_weight, share, schedule=balance)
    if problem.by_blocks and xp is not np:
        from warpath.cuda import propagation_blocking
        from warpath.cuda.device_graph import on_device

        incoming = on_device(graph.reverse)  # it is needed anyway
        if propagation_blocking.pays(incoming, share.dtype.itemsize):
            return divide.run, propagation_blocking.BlockedSums(incoming, share)
    return divide.run, prepare_aggregate(graph, _give, share, schedule=balance)


def _check_sums(graph: Graph) -> None:
    """Refuse weights whose sum over the edges out of a vertex exceeds float64."""
    largest = float(np.finfo(np.float64).max)
    if graph.largest_degree * float(graph.weight_range[1]) <= largest:
        return  # which is no matter but of weights near the largest float64
    source, _, weight = graph.coo()
    for v in np.flatnonzero(np.isinf(np.bincount(source, weight)))[:1]:
        raise OverflowError(
            f"the weights of the edges out of vertex {called(graph, int(v))!r} sum up to more than float64 "
            "holds: scale the weights down"
        )


def _fraction(value: Any, name: str) -> float:
    number = as_number(value, name)
    if not 0 <= number <= 1:
        raise ValueError(f"{name} must be from 0 to 1, not {value!r}")
    return float(number)


def _shares(graph: Graph, given: Any, name: str) -> NDArray[np.float64] | None:
    """Numbers of all vertices that sum up to 1."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        values = np.zeros(graph.num_vertices)
        for vertex, share in given.items():
            values[number_of(graph, vertex)] = as_number(share, f"{name}[{vertex!r}]")
    else:
        values = np.asarray(as_vector(given, name), np.float64)
    if values.shape != (graph.num_vertices,):
        raise ValueError(
            f"{name} has shape {values.shape}, and the graph {graph.num_vertices} vertices"
        )
    for v in np.flatnonzero(~(values >= 0) | np.isinf(values))[:1]:
        raise ValueError(
            f"{name} must be finite and not negative; that of vertex number {v} is {values[v]}"
        )
    if not values.any() and len(values):
        raise ValueError(f"{name} is 0 everywhere: give one vertex a share")
    if len(values):
        values = values / values.max()  # their sum may be no float64
    shares: NDArray[np.float64] = values / values.sum()
    return shares
