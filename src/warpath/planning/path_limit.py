"""Whether a search on a GPU leaves out edges that offer much (``engine/path_limit.cuh``)."""

from warpath.graph.graph import Graph
from warpath.operators import PathAlgebra
from warpath.planning.bucket_width import BucketWidth
from warpath.planning.degrees import Sized, is_sparse
from warpath.typing import SwitchName

METHODS = ("delta-stepping",)

# All measured on an H200, weights 1 … 255, 2026-11. Times with a limit over those without one, but with a prefilter where that
# gains: R-MAT 18 1.1, 20 1.1, 21 0.84, 22 0.75, 23 0.71, 24 0.88, 27 0.60; with 64 edges per vertex R-MAT 22 0.65, with 8 R-MAT
# 24 1.01; degrees of a power law, 48 M arcs, 0.87; G(2²⁰, 2²⁴) 0.91, G(2¹⁸, 2²⁴) 0.81, G(2²², 2²⁶) 0.83, G(2²², 2²⁸) 0.59,
# G(2²³, 2²⁵) 0.95, G(2²⁴, 2²⁸) 0.65, G(2²⁷, 2³¹) 0.54. Sparse ones gain nothing: R-MAT 24 with 4 edges 1.00, G(2²⁴, 2²⁵) 1.01.
# Algebras of users' own on R-MAT 23 and 21: d + w 0.78, 0.88, d + w² 0.81, 0.82, max 0.92, 0.94, min 0.92, 0.94 (2026-12).
_MANY_ARCS = 2**25


def of_relaxation(graph: Sized, why_not: str | None) -> SwitchName:
    """Whether a search for shortest paths does.

    Parameters
    ----------
    why_not : str or None
        What `refused` says.

    Returns
    -------
    {"on", "off"}
    """
    return "on" if why_not is None and gains(graph) else "off"


def gains(graph: Sized) -> bool:
    """Whether an undirected graph is large and dense enough."""
    return graph.num_arcs >= _MANY_ARCS and not is_sparse(graph)


def refused(
    graph: Graph, method: str, algebra: PathAlgebra, width: BucketWidth | None
) -> str | None:
    """Why it cannot; None if it can."""
    if method not in METHODS:
        return f"is for method {', '.join(METHODS)}, not for {method!r}"
    if not algebra.adds and algebra.extension is None:
        return f"is for sums of weights, and for algebras of one's own, not for algebra {algebra.name!r}"
    if graph.directed:
        return "is for undirected graphs, where each edge has its reverse"
    if width is None or not width.reach > 0:
        return "is for algebras in which most edges make a path worse"
    return None
