"""What would run, and why, before it runs."""

from collections.abc import Callable
from typing import Any

from warpath.algorithms.common.problem import BfsProblem, SsspProblem
from warpath.algorithms.shortest_paths.sssp import sssp_problem
from warpath.algorithms.traversal.bfs import bfs_problem
from warpath.graph.check import choose
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.planning.plan import Plan
from warpath.typing import SearchName

_PROBLEMS: dict[str, Callable[..., BfsProblem | SsspProblem]] = {
    "bfs": bfs_problem,
    "sssp": sssp_problem,
}


@by_name("source", "target")
def plan(
    graph: Graph, search: SearchName, source: Any, *, target: Vertex | None = None, **options: Any
) -> Plan:
    """What a search would do: where, by which method, how, in how much memory, and why.

    Nothing runs. A GPU need not be there if ``device="cuda"`` names one.

    Parameters
    ----------
    graph : Graph
    search : {"bfs", "sssp"}
    source : vertex, or sequence of k vertices
    target : vertex, optional
        Of `warpath.sssp`.
    **options
        The other arguments of `warpath.bfs` or `warpath.sssp`, but for ``trace``.

    Returns
    -------
    Plan
        ``print(plan)`` shows it; `Plan.memory` has bytes. The same call leaves it in
        `Stats.plan`, unless a GPU's memory did not suffice.

    Raises
    ------
    ValueError, OverflowError, NegativeCycleError, DeviceUnavailableError
        As the search, as far as they can be known before it runs.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(100, weights=(1, 9), seed=1)
    >>> p = wp.plan(g, "sssp", 0)
    >>> p.device, p.method, p.why
    ('cpu', 'delta-stepping', 'no weight is negative')
    >>> print(wp.plan(g, "bfs", 0, device="cuda", schedule="merge-path").schedule.balance)
    merge-path
    """
    problem_of = _PROBLEMS[choose("search", search, _PROBLEMS)]
    if target is not None:
        options["target"] = target
    problem = problem_of(graph, source, **options)
    return problem.plan(problem.place)
