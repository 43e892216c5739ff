"""Vertices without edges between them, as many as can be added: Luby's algorithm, by operators."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.primitives.arrays import simple_graph
from warpath.algorithms.primitives.edges import advance, aggregate
from warpath.algorithms.primitives.random_order import as_seed, random_priorities
from warpath.algorithms.primitives.vertices import compute, filter
from warpath.graph.graph import Graph
from warpath.language import atomic_add, atomic_cas, operator
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

_CHOSEN, _EXCLUDED = 1, 2  # values of ``state``; 0: undecided


@operator
def _is_earlier(u, v, priority):  # type: ignore[no-untyped-def]
    return 1 if priority[u] < priority[v] else 0


@operator
def _is_first(v, waiting):  # type: ignore[no-untyped-def]
    return waiting[v] == 0


@operator
def _choose(v, state):  # type: ignore[no-untyped-def]
    state[v] = _CHOSEN


@operator
def _exclude(u, v, state):  # type: ignore[no-untyped-def]
    return atomic_cas(state, v, 0, _EXCLUDED)


@operator
def _release(u, v, priority, waiting, state):  # type: ignore[no-untyped-def]
    """u is excluded: v waits for one vertex less, and is chosen if that was the last."""
    if priority[u] < priority[v] and atomic_add(waiting, v, -1) == 1:
        return atomic_cas(state, v, 0, _CHOSEN)
    return False


def maximal_independent_set(
    graph: Graph, *, seed: int = 0, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> Any:
    """A maximal independent set: no two of its vertices are neighbours, and no vertex can be added.

    Parameters
    ----------
    graph : Graph
        Directions, parallel edges and self-loops do not count.
    seed : int
        Another one gives another set. The set of a seed is the same on every device.
    device, schedule : as of `connected_components`

    Returns
    -------
    bool array, shape (n,)
        Whether each vertex is in the set.

    Raises
    ------
    ValueError
        A seed that is no integer; a schedule that is none, or has something other than a balance.
    DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    verify.maximal_independent_set : Check one.

    Notes
    -----
    O(n + m). The set is the one that takes vertices one by one, in a random order, unless they have a neighbour in it.
    A vertex is decided as soon as all its neighbours that come earlier are, in O(log² n) iterations with high
    probability. M. Luby, "A simple parallel algorithm for the maximal independent set problem", 1986; G. E. Blelloch,
    J. T. Fineman, J. Shun, "Greedy sequential maximal independent set and matching are parallel on average", SPAA 2012,
    section 4.

    Examples
    --------
    >>> import warpath as wp
    >>> wp.maximal_independent_set(wp.generate.named("star", 4)).tolist()
    [False, True, True, True]
    """
    problem = maximal_independent_set_problem(graph, seed=seed, device=device, schedule=schedule)
    return problem.run(lambda xp: random_set(problem.graph, xp, problem.seed, problem.schedule))


@dataclass(eq=False, kw_only=True)
class IndependentSetProblem(DeviceMeasure):
    """A call of `maximal_independent_set`, its input checked."""

    seed: int


def maximal_independent_set_problem(
    graph: Graph, *, seed: int = 0, device: DeviceName = "auto", schedule: ScheduleLike = None
) -> IndependentSetProblem:
    """What a call of `maximal_independent_set` asks for, checked."""
    measure = device_measure(
        graph, "maximal_independent_set", "luby", "a random order of the vertices",
        np.dtype(bool), device=device, schedule=schedule, answer_per_vertex=1, per_vertex=56,
        per_arc=24, reads_weights=False,
    )  # fmt: skip
    return IndependentSetProblem(**vars(measure), seed=as_seed(seed))


def random_set(
    graph: Graph, xp: Any, seed: int, balance: ScheduleLike = None, members: Any = None
) -> Any:
    """Whether each vertex is in the set, in an array of ``xp``.

    Parameters
    ----------
    graph : Graph
    xp : module
        NumPy or CuPy.
    seed : int
    balance : schedule, optional
    members : int array, optional
        Vertices that are in the set: no two of them neighbours.
    """
    if graph.directed:
        graph = simple_graph(graph, xp)
    priority = random_priorities(graph, xp, seed)
    if members is not None:
        priority[xp.asarray(members)] = -1  # before all others
    waiting = aggregate(graph, _is_earlier, priority, schedule=balance)
    state = xp.zeros(graph.num_vertices, np.int32)
    chosen = filter(graph, _is_first, waiting)
    compute(chosen, _choose, state)
    while chosen:
        excluded = advance(graph, chosen, _exclude, state, schedule=balance)
        chosen = advance(graph, excluded, _release, priority, waiting, state, schedule=balance)
    return state == _CHOSEN
