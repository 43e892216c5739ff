"""What would run, and why, before it runs."""

from collections.abc import Callable
from inspect import signature
from typing import Any, Protocol

from warpath.algorithms.all_pairs.apsp import apsp_problem
from warpath.algorithms.all_pairs.distance_matrix import matrix_problem
from warpath.algorithms.centrality.betweenness import betweenness_problem, edge_betweenness_problem
from warpath.algorithms.centrality.core_numbers import core_numbers_problem
from warpath.algorithms.centrality.eccentricity import (
    closeness_problem,
    diameter_problem,
    eccentricity_problem,
    harmonic_problem,
)
from warpath.algorithms.centrality.label_propagation import label_propagation_problem
from warpath.algorithms.centrality.pagerank import pagerank_problem
from warpath.algorithms.centrality.triangles import clustering_problem, triangles_problem
from warpath.algorithms.shortest_paths.k_shortest_paths import k_paths_problem
from warpath.algorithms.shortest_paths.path_problem import path_problem
from warpath.algorithms.shortest_paths.sssp import sssp_problem
from warpath.algorithms.shortest_paths.st_connectivity import connection_problem
from warpath.algorithms.traversal.bfs import bfs_problem
from warpath.algorithms.traversal.components import components_problem
from warpath.algorithms.traversal.maximal_independent_set import maximal_independent_set_problem
from warpath.algorithms.traversal.strong_components import strong_components_problem
from warpath.algorithms.trees.spanning_forest import forest_problem
from warpath.distributed.multi_gpu import MultiGpuGraph
from warpath.graph.check import choose
from warpath.graph.graph import Graph
from warpath.graph.names import by_name
from warpath.planning.parts import SEARCHES
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan
from warpath.typing import PlannedName


class Planned(Protocol):
    """A call whose input was checked."""

    @property
    def place(self) -> Placement:
        """Where it runs."""

    def plan(self, place: Placement) -> Plan:
        """How it runs there."""


_PROBLEMS: dict[str, Callable[..., Planned]] = {
    "bfs": by_name("source")(bfs_problem),
    "sssp": by_name("source", "target")(sssp_problem),
    "shortest_path": by_name("source", "target")(path_problem),
    "st_connected": by_name("source", "target")(connection_problem),
    "k_shortest_paths": by_name("source", "target")(k_paths_problem),
    "distance_matrix": by_name("sources", "targets")(matrix_problem),
    "apsp": by_name()(apsp_problem),
    "eccentricity": by_name("vertices")(eccentricity_problem),
    "diameter": by_name()(diameter_problem),
    "closeness": by_name("vertices")(closeness_problem),
    "harmonic": by_name("vertices")(harmonic_problem),
    "betweenness": by_name("sources")(betweenness_problem),
    "edge_betweenness": by_name("sources")(edge_betweenness_problem),
    "pagerank": pagerank_problem,
    "triangles": triangles_problem,
    "clustering": clustering_problem,
    "label_propagation": label_propagation_problem,
    "maximal_independent_set": maximal_independent_set_problem,
    "core_numbers": core_numbers_problem,
    "connected_components": by_name()(components_problem),
    "strongly_connected_components": strong_components_problem,
    "minimum_spanning_forest": forest_problem,
}


def plan(graph: Graph | MultiGpuGraph, search: PlannedName, *vertices: Any, **options: Any) -> Plan:
    """What a search would do: where, by which method, how, in how much memory, and why.

    Nothing runs. GPUs need not be there if ``device="cuda"`` or ``devices`` names some.

    Parameters
    ----------
    graph : Graph or MultiGpuGraph
    search : str
        A function's name: one of ``warpath.typing.PLANNED``.
    *vertices, **options
        The other arguments of that function, but for ``trace`` of searches, and ``progress`` and an
        ``out`` of a distance matrix, which change nothing that is planned.

    Returns
    -------
    Plan
        ``print(plan)`` shows it; `Plan.memory` has bytes. The same call leaves it in
        `Stats.plan`, unless a GPU's memory did not suffice.

    Raises
    ------
    TypeError
        An argument that the search does not have, or one that it needs and that is missing.
    ValueError, OverflowError, NegativeCycleError, DeviceUnavailableError
        As the search, as far as they can be known before it runs.

    See Also
    --------
    Schedule : How a search runs.
    advise : Measure what is best for a graph.
    Paths : Its ``stats.plan`` is the plan that ran.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.grid(100, weights=(1, 9), seed=1)
    >>> p = wp.plan(g, "sssp", 0)
    >>> p.device, p.method, p.why
    ('cpu', 'delta-stepping', 'no weight is negative')
    >>> print(wp.plan(g, "bfs", 0, device="cuda", schedule="merge-path").schedule.balance)
    merge-path
    >>> wp.plan(g, "apsp", method="johnson").why
    'as asked; one search per source'
    """
    if isinstance(graph, MultiGpuGraph) and search in SEARCHES:
        options |= graph.arguments(options.get("devices"))
        graph = options.pop("graph")
    problem_of = _PROBLEMS[choose("search", search, _PROBLEMS)]
    try:
        signature(problem_of).bind(graph, *vertices, **options)
    except TypeError as error:
        raise TypeError(f"{search}: {error}") from None
    problem = problem_of(graph, *vertices, **options)
    return problem.plan(problem.place)
