"""Predecessors from final distances, on a CUDA device."""

from functools import cache, lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from warpath.cuda import runtime
from warpath.cuda.arguments import BALANCE_MEMORY, CSR, POINTER, SOURCES, U32, Struct
from warpath.cuda.bfs import (
    SMALL_FRONTIER_MAX_EDGES,
    WORKSPACE,
    control_block,
)
from warpath.cuda.cycles import follow
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import cluster_size, sources_of
from warpath.cuda.instances import (
    SEARCH_THREADS,
    THREADS,
    roots_kernel,
    tight_search_kernel,
    tight_sweep_kernel,
)
from warpath.cuda.memory import Layout, words_of_bits
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
def tree_search_arguments(offset_bytes: int) -> Struct:
    """``TreeSearchArguments`` of tree.cuh."""
    return Struct(
        tree=tree_arguments(offset_bytes), sources=SOURCES, small_frontier_max_edges=U32, workspace=WORKSPACE,
        found=POINTER, expected=U32,
    )  # fmt: skip


def fill_predecessors(
    graph: DeviceGraph,
    weights: Any,
    sources: NDArray[np.int32],
    distance: Any,
    predecessor: Any,
    weights_are: Weights,
    algebra: str = "shortest",
) -> None:
    """Fill ``predecessor`` with a shortest-path tree; everything is queued, nothing waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Of at least one vertex.
    weights : cupy array, shape (m,)
        In the dtype of ``distance``, or int32 for int64.
    sources : int32 array, shape (k,)
        Each once.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
        From the nearest source, final; what lies beyond a limit is unreachable.
    predecessor : cupy array of int32, shape (n,)
        Aligned to 16 bytes. Receives -1 for roots and where unreachable.
    weights_are : {"positive", "non-negative", "any"}
        "positive" promises that each lengthens a path: integers above 0. Floats may
        be rounded away in a sum, so theirs are "non-negative". So are all of other algebras
        than "shortest".
    algebra : str
        Of which distances are keys: one of `warpath.cuda.instances.ALGEBRAS`.

    Notes
    -----
    See ``tree.cuh``. One sweep of all arcs; a search along tight arcs where that leaves
    something over, or a circle of weight 0. That takes 8 bytes per vertex (12 with 64-bit
    offsets).
    """
    here, n, offset_bytes = runtime.current(), graph.num_vertices, graph.offset_bytes
    types = (weights.dtype.name, distance.dtype.name)
    threads = here.threads(THREADS)
    arc_blocks = -(-graph.num_arcs // (_EDGES_PER_THREAD * THREADS))
    vertex_blocks = -(-n // (_VERTICES_PER_THREAD * THREADS))

    predecessor[...] = -1
    arrays = {"distance": here.address(distance), "predecessor": here.address(predecessor)}
    tree = tree_arguments(offset_bytes)(
        graph=graph.csr, arcs=graph.num_arcs, weights=here.address(weights), **arrays
    )
    pull, ordered = not graph.directed, weights_are != "any"
    sweep = tight_sweep_kernel(offset_bytes, *types, pull, algebra, ordered, threads)
    here.persistent("tree.cuh", sweep, threads, arc_blocks).launch(tree)
    if weights_are == "positive":
        return
    layout = _layout(n, offset_bytes)
    space = here.allocate(layout.nbytes)
    space.clear(0, layout.begin["queue"])
    at = layout.at(space.address)
    if ordered:
        found, expected = at["roots"], len(sources)
        here.persistent("tree.cuh", roots_kernel(types[1], threads), threads, vertex_blocks).launch(
            ROOTS_ARGUMENTS(vertices=n, roots=found, **arrays)
        )
    else:
        starts = here.xp.asarray(sources)
        predecessor[starts] = here.xp.where(distance[starts] == 0, -1, predecessor[starts])
        on_a_cycle = follow(predecessor)[1]
        found, expected = here.address(on_a_cycle), 0

    threads = here.threads(SEARCH_THREADS)
    first, _several = sources_of(sources)
    here.persistent(
        "tree.cuh", tight_search_kernel(offset_bytes, *types, algebra, threads), threads,
        arc_blocks + vertex_blocks, cluster_size() if is_sparse(graph) else 1,
    ).launch(
        tree_search_arguments(offset_bytes)(
            tree=tree, sources=first, small_frontier_max_edges=SMALL_FRONTIER_MAX_EDGES,
            workspace=WORKSPACE(
                vertices=at["queue"], prefix=at["prefix"], capacity=n, reached=at["reached"],
                reached_next=0, control=at["control"], balance=BALANCE_MEMORY(prepared=0, workspace=0),
            ),
            found=found, expected=expected,
        )
    )  # fmt: skip


@lru_cache(maxsize=64)
def _layout(n: int, offset_bytes: int) -> Layout:
    """What the search takes: first what must be zero."""
    return Layout(
        control=(control_block(offset_bytes).dtype, 1), roots=(U32, 1), queue=(U32, n),
        prefix=(f"u{offset_bytes}", n), reached=(U32, words_of_bits(n)),
    )  # fmt: skip
