"""Predecessors from final distances, on a CUDA device."""

from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpath.balance import lookup
from warpath.cuda import runtime
from warpath.cuda.arguments import CSR, POINTER, U32, Struct
from warpath.cuda.bfs import SMALL_FRONTIER_MAX_EDGES
from warpath.cuda.custom_algebra import header_for
from warpath.cuda.cycles import follow
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import cluster_size, kernel
from warpath.cuda.instances import (
    SEARCH_THREADS,
    THREADS,
    roots_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)
from warpath.cuda.memory import address_of_vertex_0
from warpath.cuda.program import ProgramReport, Search, program_arguments
from warpath.operators import PathAlgebra
from warpath.operators import lookup as lookup_algebra
from warpath.planning.degrees import is_sparse

Weights = Literal["positive", "non-negative", "any"]
_VERTICES_PER_THREAD, _EDGES_PER_THREAD = 4, 16  # per block, at least: guesses


# RootsArguments of tree.cuh.
ROOTS_ARGUMENTS = Struct(vertices=U32, distance=POINTER, predecessor=POINTER, roots=POINTER)


@cache
def tree_arguments(offset_bytes: int) -> Struct:
    """``TreeArguments`` of tree.cuh."""
    return Struct(
        graph=CSR, arcs=f"u{offset_bytes}", weights=POINTER, distance=POINTER, predecessor=POINTER
    )


@cache
def tight_search_arguments(distance: np.dtype[Any]) -> Struct:
    """``TightSearchArguments`` of tree.cuh."""
    return Struct(program=program_arguments(distance), found=POINTER, expected=U32)


def fill_predecessors(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    weights_are: Weights,
    algebra: str | PathAlgebra = "shortest",
) -> None:
    """Fill ``predecessor`` with a shortest-path tree; everything is queued, nothing waited for.

    Parameters
    ----------
    graph : DeviceGraph
        It has a vertex.
    weights : cupy array, shape (m,)
        In the dtype of ``distance``, or int32 for int64.
    sources : int32 array, shape (k,)
        Each once.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
        From the nearest source, final; what lies beyond a limit is unreachable.
    predecessor : cupy array of int32, shape (n,)
        Aligned to 16 bytes. Receives -1 for roots and where unreachable.
    weights_are : {"positive", "non-negative", "any"}
        "positive" promises that each makes a path worse: integers above 0, of sums. Floats may
        be rounded away in a sum, so theirs are "non-negative".
    algebra : str or PathAlgebra
        Distances are its keys.

    Notes
    -----
    See ``tree.cuh``. One sweep of all arcs; a search along tight arcs where that leaves
    something over, or a circle of weight 0. That takes 8 bytes per vertex (12 with 64-bit
    offsets).
    """
    here, n = runtime.current(), graph.num_vertices
    measure, ordered = lookup_algebra(algebra), weights_are != "any"
    tight_sweep(
        graph, weights, distance, predecessor, pull=not graph.directed, ordered=ordered, algebra=measure
    )  # fmt: skip
    if weights_are == "positive":
        return
    if ordered:
        found, expected = here.xp.zeros(1, np.uint32), len(sources)
        vertex_blocks = -(-n // (_VERTICES_PER_THREAD * THREADS))
        kernel("tree.cuh", roots_kernel, distance.dtype.name, blocks=vertex_blocks).launch(
            ROOTS_ARGUMENTS(
                vertices=n, roots=here.address(found), distance=here.address(distance),
                predecessor=here.address(predecessor),
            )
        )  # fmt: skip
    else:
        starts = here.xp.asarray(sources)
        predecessor[starts] = here.xp.where(distance[starts] == 0, -1, predecessor[starts])
        found, expected = follow(predecessor)[1], 0
    tight_search(graph, weights, sources, distance, predecessor, found, expected, measure)


def tight_sweep(
    graph: DeviceGraph,
    weights: Any,
    distance: Any,
    predecessor: Any,
    *,
    pull: bool,
    ordered: bool = True,
    algebra: str | PathAlgebra = "shortest",
    first: int = 0,
) -> None:
    """Queue the sweep that gives vertices a predecessor at a tight arc, any; -1 to those without.

    Parameters
    ----------
    predecessor : cupy array of int32
    pull : bool
        Whether an arc stands in the row of its end: the graph is symmetric, or the reverse of what is searched.
    ordered : bool
        Whether only arcs that lengthen a path count. Others as of `fill_predecessors`.
    first : int
        Which vertex ``predecessor`` begins with. With ``pull``, none before it has arcs, nor behind its end.
    """
    here, types = runtime.current(), (weights.dtype.name, distance.dtype.name)
    measure = lookup_algebra(algebra)
    header = header_for("tree.cuh", measure, distance.dtype, weights.dtype)
    sweep = graph.offset_bytes, *types, pull, measure.name, ordered
    blocks = -(-graph.num_arcs // (_EDGES_PER_THREAD * THREADS))
    predecessor[...] = -1
    kernel(header, tight_sweep_kernel, *sweep, blocks=blocks).launch(
        tree_arguments(graph.offset_bytes)(
            graph=graph.csr, arcs=graph.num_arcs, weights=here.address(weights),
            distance=here.address(distance), predecessor=address_of_vertex_0(predecessor, first),
        )
    )  # fmt: skip


def tight_search(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    found: Any,
    expected: int,
    algebra: str | PathAlgebra = "shortest",
    small_frontier_max_edges: int = SMALL_FRONTIER_MAX_EDGES,
) -> ProgramReport:
    """Queue the search along tight arcs, which the device leaves out if ``found[0]`` is ``expected``.

    Parameters
    ----------
    found : cupy array of uint32, shape (1,)
        Others as of `fill_predecessors`; predecessors are -1, or tight.
    """
    here = runtime.current()
    blocks = (
        graph.num_arcs // _EDGES_PER_THREAD + graph.num_vertices // _VERTICES_PER_THREAD
    ) // THREADS
    types, measure = (weights.dtype.name, distance.dtype.name), lookup_algebra(algebra)
    header = header_for("tree.cuh", measure, distance.dtype, weights.dtype)
    program = kernel(
        header, tight_search_kernel, graph.offset_bytes, *types, measure.name, blocks=blocks + 2,
        threads=SEARCH_THREADS, cluster=cluster_size() if is_sparse(graph) else 1,
    )  # fmt: skip
    search = Search(
        program, "TightSearch", graph, lookup("two-phase-search"), sources, distance, predecessor,
        graph.num_vertices, trace=False, weights=here.address(weights),
        small_frontier_max_edges=small_frontier_max_edges,
    )  # fmt: skip
    arguments = tight_search_arguments(distance.dtype)
    program.launch(arguments(program=search.packed(), found=here.address(found), expected=expected))
    return search.report
