"""Communities by label propagation, by operators."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from warpath.algorithms.common.device_measure import DeviceMeasure, device_measure
from warpath.algorithms.primitives.arrays import arrays_of, simple_graph, zeros_of_arcs
from warpath.algorithms.primitives.edges import advance
from warpath.algorithms.primitives.random_order import as_seed, mixed
from warpath.algorithms.primitives.smallest_members import smallest_members
from warpath.algorithms.primitives.vertices import filter
from warpath.graph.check import as_positive
from warpath.graph.graph import Graph
from warpath.language import atomic_add, atomic_cas, atomic_max, operator
from warpath.schedule import ScheduleLike
from warpath.typing import DeviceName

# ``active[v]`` is 1 where v votes: its neighbours have changed since its last vote, or it did not take the label it chose.
#
# A vertex has a hash table of two slots for each of its edges. A slot is an iteration's number, a label and how
# many neighbours have it, from the high bits to the low ones; one of an earlier iteration is free, so tables need
# no clearing. Each count that grows makes an offer to the vertex: the count, whether the label is its own, and a random
# number that belongs to the label, likewise from the high bits to the low ones. The largest offer is the vertex's vote.


@operator
def _is_active(v, active):  # type: ignore[no-untyped-def]
    return active[v]


@operator
def _count(u, v, label, offsets, table, iteration, count_bits, salt, best):  # type: ignore[no-untyped-def]
    """u votes: count v's label. ``iteration`` has the place that it has in a slot."""
    theirs = np.int64(label[v])
    entry = iteration | (theirs << count_bits)
    first = 2 * offsets[u]
    end = 2 * offsets[u + 1]
    slot = first + ((((theirs * 0x9E3779B1) & 0x7FFFFFFF) * (end - first)) >> 31)
    count = np.int64(0)
    word = table[slot]
    while count == 0:
        if (word ^ entry) >> count_bits == 0:
            count = atomic_add(table, slot, 1) + 1 - entry
        elif word >= iteration:  # another label's
            slot += 1
            if slot == end:
                slot = first
            word = table[slot]
        elif atomic_cas(table, slot, word, entry + 1):
            count = np.int64(1)
        else:  # an edge has just taken it: a load might give what was there before
            word = atomic_add(table, slot, 0)
    mixed = ((theirs ^ salt) * 0x85EBCA6B) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    own = np.int64(label[u] == label[v])
    atomic_max(best, u, (count << 33) | (own << 32) | mixed)


@operator
def _vote(v, label, active, best, salt, coins):  # type: ignore[no-untyped-def]
    """Half of the vertices take the label of the largest offer at once; whether v is one, and that label is another."""
    offer = best[v]
    best[v] = 0
    if offer == 0 or ((offer >> 32) & 1) == 1:
        active[v] = 0
        return False
    # The numbers that undo `_count`'s.
    mixed = ((offer & 0xFFFFFFFF) * 0x7ED1B41D) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13) ^ (mixed >> 26)) * 0xA5CB9243) & 0xFFFFFFFF
    coin = ((np.int64(v) ^ coins) * 0x85EBCA6B) & 0xFFFFFFFF
    coin = ((coin ^ (coin >> 13)) * 0xC2B2AE35) & 0xFFFFFFFF
    if coin >= 0x80000000:
        active[v] = 1
        return False
    label[v] = np.int32(mixed ^ salt)
    active[v] = 0
    return True


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
    graph, balance = simple_graph(problem.graph, xp), problem.schedule
    n, offsets = graph.num_vertices, arrays_of(graph, xp).offsets
    label, active = xp.arange(n, dtype=np.int32), xp.ones(n, np.int32)
    best, table = xp.zeros(n, np.int64), zeros_of_arcs(graph, xp, 2)
    count_bits = graph.largest_degree.bit_length()
    entry_bits = count_bits + n.bit_length()  # of a slot, without the iteration's number
    numbers = 2 ** (63 - entry_bits) - 1
    for iteration in range(problem.max_iterations + 1):
        voters = filter(graph, _is_active, active)
        if not voters:
            return smallest_members(graph, label, xp)
        if iteration == problem.max_iterations:
            break
        if iteration and iteration % numbers == 0:
            table.fill(0)
        number = np.int64((iteration % numbers + 1) << entry_bits)
        salt, coins = (np.int64(mixed(problem.seed, 2 * iteration + i)) for i in range(2))
        advance(
            graph, voters, _count, label, offsets, table, number, np.int64(count_bits), salt, best,
            schedule=balance,
        )  # fmt: skip
        changed = filter(voters, _vote, label, active, best, salt, coins)
        advance(graph, changed, _wake, active, schedule=balance)
    raise RuntimeError(
        f"label propagation has not ended after {problem.max_iterations} iterations: {len(voters)} vertices have not "
        "voted since a neighbour changed, or want another label; give more max_iterations"
    )
