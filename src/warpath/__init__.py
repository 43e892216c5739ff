"""warpath: shortest paths and graph traversal on NVIDIA GPUs and CPUs.

>>> import warpath as wp
>>> g = wp.Graph.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [5, 1, 1, 2])
>>> r = wp.sssp(g, 0)
>>> r.distance.tolist(), r.path(3)
([0, 5, 1, 3], [0, 2, 3])

Everything in ``warpath.__all__`` is loaded when it is first used, so that importing
warpath imports nothing heavy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warpath import csgraph as csgraph
    from warpath import datasets as datasets
    from warpath import distributed as distributed
    from warpath import generate as generate
    from warpath import schedule as schedule
    from warpath import verify as verify
    from warpath.algorithms.all_pairs.apsp import apsp as apsp
    from warpath.algorithms.all_pairs.distance_matrix import DistanceMatrix as DistanceMatrix
    from warpath.algorithms.all_pairs.distance_matrix import distance_matrix as distance_matrix
    from warpath.algorithms.all_pairs.matrix import AllPairs as AllPairs
    from warpath.algorithms.balance_profile import BalanceProfile as BalanceProfile
    from warpath.algorithms.balance_profile import balance_profile as balance_profile
    from warpath.algorithms.centrality.betweenness import betweenness as betweenness
    from warpath.algorithms.centrality.betweenness import edge_betweenness as edge_betweenness
    from warpath.algorithms.centrality.core_numbers import core_numbers as core_numbers
    from warpath.algorithms.centrality.eccentricity import closeness as closeness
    from warpath.algorithms.centrality.eccentricity import diameter as diameter
    from warpath.algorithms.centrality.eccentricity import eccentricity as eccentricity
    from warpath.algorithms.centrality.eccentricity import harmonic as harmonic
    from warpath.algorithms.centrality.label_propagation import (
        label_propagation as label_propagation,
    )
    from warpath.algorithms.centrality.pagerank import pagerank as pagerank
    from warpath.algorithms.centrality.triangles import clustering as clustering
    from warpath.algorithms.centrality.triangles import triangles as triangles
    from warpath.algorithms.common.result import Paths as Paths
    from warpath.algorithms.plan import plan as plan
    from warpath.algorithms.primitives.checks import set_checks as set_checks
    from warpath.algorithms.primitives.edges import advance as advance
    from warpath.algorithms.primitives.edges import aggregate as aggregate
    from warpath.algorithms.primitives.edges import traverse as traverse
    from warpath.algorithms.primitives.frontier import Frontier as Frontier
    from warpath.algorithms.primitives.vertices import compute as compute
    from warpath.algorithms.primitives.vertices import filter as filter
    from warpath.algorithms.primitives.vertices import reduce as reduce
    from warpath.algorithms.shortest_paths.isochrone import Isochrone as Isochrone
    from warpath.algorithms.shortest_paths.isochrone import isochrone as isochrone
    from warpath.algorithms.shortest_paths.k_shortest_paths import KShortestPaths as KShortestPaths
    from warpath.algorithms.shortest_paths.k_shortest_paths import (
        k_shortest_paths as k_shortest_paths,
    )
    from warpath.algorithms.shortest_paths.shortest_path import ShortestPath as ShortestPath
    from warpath.algorithms.shortest_paths.shortest_path import shortest_path as shortest_path
    from warpath.algorithms.shortest_paths.sssp import sssp as sssp
    from warpath.algorithms.shortest_paths.st_connectivity import Connection as Connection
    from warpath.algorithms.shortest_paths.st_connectivity import st_connected as st_connected
    from warpath.algorithms.statistics import statistics as statistics
    from warpath.algorithms.traversal.bfs import bfs as bfs
    from warpath.algorithms.traversal.components import connected_components as connected_components
    from warpath.algorithms.traversal.maximal_independent_set import (
        maximal_independent_set as maximal_independent_set,
    )
    from warpath.algorithms.traversal.strong_components import (
        strongly_connected_components as strongly_connected_components,
    )
    from warpath.algorithms.trees.spanning_forest import (
        minimum_spanning_forest as minimum_spanning_forest,
    )
    from warpath.bench.advise import advise as advise
    from warpath.distributed.multi_gpu import distribute as distribute
    from warpath.errors import DeviceUnavailableError as DeviceUnavailableError
    from warpath.errors import GraphFormatError as GraphFormatError
    from warpath.errors import NegativeCycleError as NegativeCycleError
    from warpath.errors import NoPathError as NoPathError
    from warpath.errors import OperatorError as OperatorError
    from warpath.errors import RankFailedError as RankFailedError
    from warpath.errors import RanksDisagreeError as RanksDisagreeError
    from warpath.errors import VerificationError as VerificationError
    from warpath.graph.graph import Graph as Graph
    from warpath.io import read as read
    from warpath.io import write as write
    from warpath.language import Operator as Operator
    from warpath.language import atomic_add as atomic_add
    from warpath.language import atomic_cas as atomic_cas
    from warpath.language import atomic_max as atomic_max
    from warpath.language import atomic_min as atomic_min
    from warpath.language import atomic_or as atomic_or
    from warpath.language import operator as operator
    from warpath.operators import Algebra as Algebra
    from warpath.parallel.thread_count import num_threads as num_threads
    from warpath.parallel.thread_count import set_num_threads as set_num_threads
    from warpath.planning.plan import Plan as Plan
    from warpath.progress import show_progress as show_progress
    from warpath.schedule import Schedule as Schedule

__version__ = "0.2.0"

_HOME = {
    "Algebra": "warpath.operators",
    "AllPairs": "warpath.algorithms.all_pairs.matrix",
    "BalanceProfile": "warpath.algorithms.balance_profile",
    "Connection": "warpath.algorithms.shortest_paths.st_connectivity",
    "DeviceUnavailableError": "warpath.errors",
    "DistanceMatrix": "warpath.algorithms.all_pairs.distance_matrix",
    "Frontier": "warpath.algorithms.primitives.frontier",
    "Graph": "warpath.graph.graph",
    "GraphFormatError": "warpath.errors",
    "Isochrone": "warpath.algorithms.shortest_paths.isochrone",
    "KShortestPaths": "warpath.algorithms.shortest_paths.k_shortest_paths",
    "NegativeCycleError": "warpath.errors",
    "NoPathError": "warpath.errors",
    "Operator": "warpath.language",
    "OperatorError": "warpath.errors",
    "Paths": "warpath.algorithms.common.result",
    "Plan": "warpath.planning.plan",
    "RankFailedError": "warpath.errors",
    "RanksDisagreeError": "warpath.errors",
    "Schedule": "warpath.schedule",
    "ShortestPath": "warpath.algorithms.shortest_paths.shortest_path",
    "VerificationError": "warpath.errors",
    "advance": "warpath.algorithms.primitives.edges",
    "advise": "warpath.bench.advise",
    "aggregate": "warpath.algorithms.primitives.edges",
    "apsp": "warpath.algorithms.all_pairs.apsp",
    "atomic_add": "warpath.language",
    "atomic_cas": "warpath.language",
    "atomic_max": "warpath.language",
    "atomic_min": "warpath.language",
    "atomic_or": "warpath.language",
    "balance_profile": "warpath.algorithms.balance_profile",
    "betweenness": "warpath.algorithms.centrality.betweenness",
    "bfs": "warpath.algorithms.traversal.bfs",
    "closeness": "warpath.algorithms.centrality.eccentricity",
    "clustering": "warpath.algorithms.centrality.triangles",
    "compute": "warpath.algorithms.primitives.vertices",
    "connected_components": "warpath.algorithms.traversal.components",
    "core_numbers": "warpath.algorithms.centrality.core_numbers",
    "diameter": "warpath.algorithms.centrality.eccentricity",
    "distance_matrix": "warpath.algorithms.all_pairs.distance_matrix",
    "distribute": "warpath.distributed.multi_gpu",
    "eccentricity": "warpath.algorithms.centrality.eccentricity",
    "edge_betweenness": "warpath.algorithms.centrality.betweenness",
    "filter": "warpath.algorithms.primitives.vertices",
    "harmonic": "warpath.algorithms.centrality.eccentricity",
    "isochrone": "warpath.algorithms.shortest_paths.isochrone",
    "k_shortest_paths": "warpath.algorithms.shortest_paths.k_shortest_paths",
    "label_propagation": "warpath.algorithms.centrality.label_propagation",
    "maximal_independent_set": "warpath.algorithms.traversal.maximal_independent_set",
    "minimum_spanning_forest": "warpath.algorithms.trees.spanning_forest",
    "num_threads": "warpath.parallel.thread_count",
    "operator": "warpath.language",
    "pagerank": "warpath.algorithms.centrality.pagerank",
    "plan": "warpath.algorithms.plan",
    "read": "warpath.io",
    "reduce": "warpath.algorithms.primitives.vertices",
    "set_checks": "warpath.algorithms.primitives.checks",
    "set_num_threads": "warpath.parallel.thread_count",
    "shortest_path": "warpath.algorithms.shortest_paths.shortest_path",
    "show_progress": "warpath.progress",
    "sssp": "warpath.algorithms.shortest_paths.sssp",
    "st_connected": "warpath.algorithms.shortest_paths.st_connectivity",
    "statistics": "warpath.algorithms.statistics",
    "strongly_connected_components": "warpath.algorithms.traversal.strong_components",
    "traverse": "warpath.algorithms.primitives.edges",
    "triangles": "warpath.algorithms.centrality.triangles",
    "write": "warpath.io",
}
_MODULES = ("csgraph", "datasets", "distributed", "generate", "schedule", "verify")

__all__ = [
    "Algebra",
    "AllPairs",
    "BalanceProfile",
    "Connection",
    "DeviceUnavailableError",
    "DistanceMatrix",
    "Frontier",
    "Graph",
    "GraphFormatError",
    "Isochrone",
    "KShortestPaths",
    "NegativeCycleError",
    "NoPathError",
    "Operator",
    "OperatorError",
    "Paths",
    "Plan",
    "RankFailedError",
    "RanksDisagreeError",
    "Schedule",
    "ShortestPath",
    "VerificationError",
    "__version__",
    "advance",
    "advise",
    "aggregate",
    "apsp",
    "atomic_add",
    "atomic_cas",
    "atomic_max",
    "atomic_min",
    "atomic_or",
    "balance_profile",
    "betweenness",
    "bfs",
    "closeness",
    "clustering",
    "compute",
    "connected_components",
    "core_numbers",
    "csgraph",
    "datasets",
    "diameter",
    "distance_matrix",
    "distribute",
    "distributed",
    "eccentricity",
    "edge_betweenness",
    "filter",
    "generate",
    "harmonic",
    "isochrone",
    "k_shortest_paths",
    "label_propagation",
    "maximal_independent_set",
    "minimum_spanning_forest",
    "num_threads",
    "operator",
    "pagerank",
    "plan",
    "read",
    "reduce",
    "schedule",
    "set_checks",
    "set_num_threads",
    "shortest_path",
    "show_progress",
    "sssp",
    "st_connected",
    "statistics",
    "strongly_connected_components",
    "traverse",
    "triangles",
    "verify",
    "write",
]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    elif name in _MODULES:
        value = import_module(f"warpath.{name}")
    else:
        raise AttributeError(f"module 'warpath' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
