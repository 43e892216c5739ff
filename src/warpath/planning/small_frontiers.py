"""Where frontiers of few edges are expanded on a GPU: by all blocks and the balance, or by fewer without one.

"off": by the whole grid, through the balance. "block", "cluster": by one block, or one cluster of them, a
level after the other without a barrier of the grid. "async": by all blocks, each by itself.
"""

from warpath.balance import Technique
from warpath.balance.auto import Auto, is_regular
from warpath.graph.graph import Graph
from warpath.planning.degrees import is_sparse, mean_degree
from warpath.planning.meshes import is_mesh
from warpath.schedule import Schedule
from warpath.typing import SmallFrontiersName

ASYNCHRONOUS_METHODS = ("delta-stepping", "workfront-sweep")
_LARGE = 4096  # vertices that are worth the launch of another kernel: a guess
# Arcs from which on a sweep for predecessors costs more than asynchronous blocks gain, but on meshes. With blocks and
# without them, milliseconds on an H200, 2026-11: G(2¹⁸, 2²²) 0.38, 0.39, G(2²⁰, 2²³) 0.66, 0.73, G(2²⁰, 2²⁴) 0.75, 0.64, G(2²², 2²⁵)
# 2.08, 1.86, G(2²², 2²⁶) 2.49, 2.02, G(2²⁴, 2²⁸) 13.9, 8.25; of meshes cage15 4.2, 5.4, audikw1 1.96, 1.93.
_MANY_ARCS = 2**25


def of_levels(graph: Graph) -> SmallFrontiersName:
    """What expands small frontiers in searches level by level.

    A grid in clusters takes longer to start: R-MAT 20, 31 arcs per vertex: 0.11 ms against 0.08 (H200).
    """
    return "cluster" if is_sparse(graph) else "block"


def of_bfs(graph: Graph, how: Schedule, *, limited: bool) -> SmallFrontiersName:
    """What expands small frontiers in a breadth-first search with the default frontier and no other field open.

    Parameters
    ----------
    limited : bool
        Whether there is a depth limit.
    """
    if how.direction == "bottom-up":
        return "off"
    free = how.direction == "optimizing" and how.loop == "device" and not limited
    if free and graph.num_vertices >= _LARGE and is_sparse(graph):
        return "async"
    return of_levels(graph)


def of_relaxation(
    graph: Graph, method: str, loop: str | None, named: Technique | None, *, packs_tree: bool
) -> SmallFrontiersName:
    """What expands small frontiers in a search for shortest paths.

    Where degrees are regular delta-stepping gains up to half of the time by asynchronous blocks, however many
    arcs there are. Else, and without a large diameter, it loses: coPapersCiteseer, whose largest degree is 16
    times the mean, takes 7 % longer (H200, 2026-11).

    Parameters
    ----------
    named : Technique or None
        The balance that was asked for, through which a workfront sweep then sends all edges.
    packs_tree : bool
        Whether predecessors are found with the distances unless blocks are asynchronous; then a sweep finds them.
    """
    if loop != "device" or method not in ASYNCHRONOUS_METHODS:
        return "off"
    is_named = named is not None and not isinstance(named, Auto)
    if method == "workfront-sweep" and is_named:
        return "off"
    if is_sparse(graph):
        return "async"
    gains = method == "delta-stepping" and is_regular(graph.largest_degree, mean_degree(graph))
    if gains and packs_tree and graph.num_arcs >= _MANY_ARCS:
        gains = is_mesh(graph) is not False
    return "async" if gains and not is_named else "off"


def of_operator(
    graph: Graph, how: Schedule, *, has_steps: bool, limited: bool, translated: bool = True
) -> SmallFrontiersName:
    """What expands small frontiers in a traversal with a user's operator.

    A cluster where the graph is sparse and the schedule names no balance. A breadth-first search of a grid of 2048²
    takes 14.1 ms then instead of 23.9; one of R-MAT 23 would take 4.34 instead of 4.08 (H200, 2026-11). Not "async" by
    itself, which counts other iterations.

    Parameters
    ----------
    has_steps : bool
        Whether the operator lowers values and so may follow edges in any order (`warpath.language.staging`).
    limited : bool
        Whether there is a limit of iterations.
    translated : bool
        Whether the operator was written in Python: what it writes is then read past L1.

    Raises
    ------
    ValueError
        If the schedule asks for what this traversal cannot have.
    """
    fits = translated and how.direction != "bottom-up" and how.balance is None and is_sparse(graph)
    asked = how.small_frontiers or ("cluster" if fits else "off")
    if how.direction == "bottom-up" and asked != "off":
        raise ValueError(f"small_frontiers={asked!r} is not for direction='bottom-up'")
    if asked == "async" and how.technique is not None and how.technique.launches_children:
        raise ValueError(
            f"small_frontiers='async' is not for balance={how.balance!r}, which launches child grids"
        )
    if asked in ("block", "cluster") and not translated:
        raise ValueError(f"small_frontiers={asked!r} is for operators in Python, not in CUDA C++")
    if asked == "async" and (limited or not has_steps):
        raise ValueError(
            "small_frontiers='async' is for an operator that ends with `return wp.atomic_min(array, v, …)` of a value "
            "of u and w alone, of int32 or int64; without max_iterations and wp.set_checks(True)"
        )
    return asked
