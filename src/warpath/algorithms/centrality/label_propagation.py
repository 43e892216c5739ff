"""Communities by label propagation, by operators."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.primitives.arrays import arrays_of, simple_graph
from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.random_order import as_seed, random_priorities
from warpath.algorithms.primitives.smallest_members import smallest_members
from warpath.algorithms.primitives.vertices import compute, filter, reduce
from warpath.graph.check import as_positive
from warpath.graph.graph import Graph
from warpath.language import atomic_add, atomic_cas, operator
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

_EMPTY = -1  # of a hash table's slots


# ``active[v]`` is 1 where v's neighbours have changed since v voted, or v has not taken its label yet.


@operator
def _is_active(v, active):  # type: ignore[no-untyped-def]
    return active[v]


@operator
def _clear(v, offsets, keys, counts):  # type: ignore[no-untyped-def]
    for at in range(2 * offsets[v], 2 * offsets[v + 1]):
        keys[at] = _EMPTY
        counts[at] = 0


@operator
def _reach(u, v, active):  # type: ignore[no-untyped-def]
    """u votes, so v's label is counted."""
    return active[u]


@operator
def _count(u, v, label, active, offsets, keys, counts):  # type: ignore[no-untyped-def]
    """Count u's label in v's hash table, which has two slots for each of v's edges.

    A slot goes from empty to one label and keeps it; the atomic addition of 0 reads what another edge has just stored.
    """
    if active[v] == 0:
        return False
    mine = label[u]
    first = 2 * offsets[v]
    size = 2 * (offsets[v + 1] - offsets[v])
    slot = np.int64(mine) * 0x9E3779B1 % size
    while not (
        keys[first + slot] == mine
        or atomic_cas(keys, first + slot, _EMPTY, mine)
        or atomic_add(keys, first + slot, 0) == mine
    ):
        slot += 1
        if slot == size:
            slot = np.int64(0)
    atomic_add(counts, first + slot, 1)
    return False


@operator
def _vote(v, label, active, offsets, keys, counts, priority, salt, new):  # type: ignore[no-untyped-def]
    """Choose the most frequent label for v; whether that is another one. Half of the vertices take it at once."""
    best = label[v]
    most = 0
    lot = np.int64(-1)  # of the best label: v's own is preferred, else a random one
    for at in range(2 * offsets[v], 2 * offsets[v + 1]):
        if keys[at] == label[v]:
            most = counts[at]
    for at in range(2 * offsets[v], 2 * offsets[v + 1]):
        if counts[at] > 0 and counts[at] >= most:
            mine = (priority[keys[at]] ^ salt) * 0x85EBCA6B & 0xFFFFFFFF
            if counts[at] > most or (best != label[v] and mine < lot):
                best = keys[at]
                most = counts[at]
                lot = mine
    chance = (priority[v] ^ salt) * 0xC2B2AE35 >> 20 & 1
    new[v] = best if chance == 1 else label[v]
    active[v] = 1 if best != new[v] else 0
    return 1 if best != label[v] else 0


@operator
def _changes(v, label, new):  # type: ignore[no-untyped-def]
    return label[v] != new[v]


@operator
def _take(v, label, new):  # type: ignore[no-untyped-def]
    label[v] = new[v]


@operator
def _wake(u, v, active):  # type: ignore[no-untyped-def]
    active[v] = 1


def label_propagation(
    graph: Graph,
    *,
    seed: int = 0,
    max_iterations: int = 100,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> tuple[Any, int]:
    """Communities by label propagation: each vertex has the label that most of its neighbours have.

    Parameters
    ----------
    graph : Graph
        Weights, directions, parallel edges and self-loops do not count.
    seed : int
        Another one may give other communities. Those of a seed are the same on every device.
    max_iterations : int, default 100
        More are an error.
    device, schedule : as of `connected_components`

    Returns
    -------
    labels : int32 array, shape (n,)
        The smallest vertex of the vertex's community. NumPy's, or CuPy's for ``device="cuda"``.
    count : int
        Number of communities.

    Raises
    ------
    ValueError
        A seed that is no integer, or a number of iterations that is not positive.
    RuntimeError
        If vertices still want another label after ``max_iterations``.
    DeviceUnavailableError, MemoryError
        See `connected_components`.

    See Also
    --------
    verify.label_propagation : Check them.
    connected_components : Vertices that a path joins.

    Notes
    -----
    O(n + m) per iteration, less where few labels change. U. N. Raghavan, R. Albert, S. Kumara, "Near linear time algorithm to detect community
    structures in large-scale networks", Physical Review E 76 (2007). Labels are counted in a hash table for each
    vertex, as in S. Sahu, "GVE-LPA" (2023). In each iteration a random half of the vertices takes the label that
    most of their neighbours have; its own if that is one of them, else a random one. It ends when no vertex wants another.

    Examples
    --------
    >>> import warpath as wp
    >>> two = wp.Graph.from_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3], directed=False)
    >>> wp.label_propagation(two, seed=1)[0].tolist()
    [0, 0, 0, 3, 3, 3]
    """
    problem = label_propagation_problem(
        graph, seed=seed, max_iterations=max_iterations, device=device, schedule=schedule
    )
    return problem.run(lambda xp: _communities(problem, xp))


@dataclass(eq=False, kw_only=True)
class LabelPropagationProblem(DeviceMeasure):
    """A call of `label_propagation`, its input checked."""

    seed: int
    max_iterations: int


def label_propagation_problem(
    graph: Graph,
    *,
    seed: int = 0,
    max_iterations: int = 100,
    device: DeviceName = "auto",
    schedule: ScheduleLike = None,
) -> LabelPropagationProblem:
    """What a call of `label_propagation` asks for, checked."""
    measure = device_measure(
        graph, "label_propagation", "label-propagation", "half of the vertices vote at a time",
        np.dtype(np.int32), device=device, schedule=schedule, answer_per_vertex=4, per_vertex=56,
        per_arc=56, reads_weights=False,
    )  # fmt: skip
    return LabelPropagationProblem(
        **vars(measure),
        seed=as_seed(seed),
        max_iterations=as_positive(max_iterations, "max_iterations"),
    )


def _communities(problem: LabelPropagationProblem, xp: Any) -> tuple[Any, int]:
    """The labels, in an array of ``xp``, and the number of communities."""
    graph = simple_graph(problem.graph, xp)
    n, offsets, balance = graph.num_vertices, arrays_of(graph, xp).offsets, problem.schedule
    priority = random_priorities(graph, xp, problem.seed)
    label, new = xp.arange(n, dtype=np.int32), xp.empty(n, np.int32)
    active = xp.ones(n, np.int32)
    keys = xp.empty(2 * graph.num_arcs, np.int32)
    counts = xp.empty(2 * graph.num_arcs, np.int32)
    tables = offsets, keys, counts
    for iteration in range(problem.max_iterations):
        voters = filter(graph, _is_active, active)
        compute(voters, _clear, *tables)
        known = advance(graph, voters, _reach, active, schedule=balance)
        advance(graph, known, _count, label, active, *tables, schedule=balance)
        salt = (iteration * 0x9E3779B1) & 0xFFFFFFFF
        unsettled = reduce(voters, _vote, label, active, *tables, priority, salt, new)
        if unsettled == 0:
            return smallest_members(graph, label, xp)
        changed = filter(voters, _changes, label, new)
        compute(changed, _take, label, new)
        advance(graph, changed, _wake, active, schedule=balance)
    raise RuntimeError(
        f"label propagation has not ended after {problem.max_iterations} iterations: {unsettled} vertices want "
        "another label; give more max_iterations"
    )
