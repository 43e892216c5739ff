"""A sweep over each representation of a graph, on a CUDA device: for every vertex a sum over its arcs.

What is summed is weight · target. Each function queues one kernel on the current stream, and nothing is waited
for. Arrays lie on the device: vertices and weights of int32, row offsets and sums of int64.
"""

from typing import Any

import numpy as np

from warpath.balance.technique import WARP_LANES
from warpath.cuda import runtime
from warpath.cuda.arguments import I32, POINTER, U32, U64, Struct
from warpath.cuda.instances import THREADS, graph_sweep_kernel
from warpath.graph.distance import unreachable

_LANES_PER_LIST = 8  # of graph_sweeps.cuh
_HEADER = "graph_sweeps.cuh"

# Structs of graph_sweeps.cuh, by their names.
SWEEP_MATRIX_ARGUMENTS = Struct(
    matrix=POINTER, vertices=U32, none=I32, pitch=U64, sums=POINTER
)  # fmt: skip
_TWO_ARRAYS = Struct(column_indices=POINTER, weights=POINTER)
_INTERLEAVED = Struct(arcs=POINTER)
SWEEP_EDGES_ARGUMENTS = Struct(
    sources=POINTER, targets=POINTER, weights=POINTER, edges=U64, sums=POINTER
)


def sweep_lists_arguments(arcs: Struct) -> Struct:
    """``SweepListsArguments`` of how arcs lie in memory."""
    return Struct(arcs=arcs, row_offsets=POINTER, vertices=U32, sums=POINTER)


ARRAYS_ARGUMENTS = sweep_lists_arguments(_TWO_ARRAYS)
INTERLEAVED_ARGUMENTS = sweep_lists_arguments(_INTERLEAVED)


def sweep_matrix(matrix: Any, sums: Any) -> None:
    """Sum over an adjacency matrix.

    Parameters
    ----------
    matrix : cupy array, shape (n, n or more)
        Weights; where there is no arc, the largest integer. Columns from n on are padding.
    sums : cupy array, shape (n,)
    """
    n, pitch = matrix.shape
    here = runtime.current()
    arguments = SWEEP_MATRIX_ARGUMENTS(
        matrix=here.address(matrix), vertices=n, none=int(unreachable(np.int32)), pitch=pitch,
        sums=here.address(sums),
    )  # fmt: skip
    _launch(arguments, n * WARP_LANES, "sweep_matrix")


def sweep_lists(row_offsets: Any, column_indices: Any, weights: Any, sums: Any) -> None:
    """Sum over adjacency lists whose arcs lie in two arrays."""
    here = runtime.current()
    arcs = _TWO_ARRAYS(column_indices=here.address(column_indices), weights=here.address(weights))
    arguments = ARRAYS_ARGUMENTS(
        arcs=arcs, row_offsets=here.address(row_offsets), vertices=len(sums), sums=here.address(sums)
    )  # fmt: skip
    _launch(arguments, len(sums) * _LANES_PER_LIST, "sweep_lists", "warpath::TwoArrays")


def sweep_interleaved_lists(row_offsets: Any, arcs: Any, sums: Any) -> None:
    """Sum over adjacency lists whose arcs are an array of structures.

    Parameters
    ----------
    arcs : cupy array, shape (m, 2)
        The target and the weight of each arc.
    """
    here = runtime.current()
    arguments = INTERLEAVED_ARGUMENTS(
        arcs=_INTERLEAVED(arcs=here.address(arcs)), row_offsets=here.address(row_offsets),
        vertices=len(sums), sums=here.address(sums),
    )  # fmt: skip
    _launch(arguments, len(sums) * _LANES_PER_LIST, "sweep_lists", "warpath::Interleaved")


def sweep_edges(sources: Any, targets: Any, weights: Any, sums: Any) -> None:
    """Add to ``sums`` those over a list of arcs."""
    _sweep_edges(sources, targets, weights, sums, each_once=False)


def sweep_edges_once(sources: Any, targets: Any, weights: Any, sums: Any) -> None:
    """Add to ``sums`` those over a list of undirected edges, where each stands once."""
    _sweep_edges(sources, targets, weights, sums, each_once=True)


def _sweep_edges(sources: Any, targets: Any, weights: Any, sums: Any, *, each_once: bool) -> None:
    here = runtime.current()
    arguments = SWEEP_EDGES_ARGUMENTS(
        sources=here.address(sources), targets=here.address(targets), weights=here.address(weights),
        edges=len(sources), sums=here.address(sums),
    )  # fmt: skip
    _launch(arguments, len(sources), "sweep_edges", each_once)


def _launch(arguments: bytes, threads: int, name: str, *parts: object) -> None:
    """Queue a grid of at least this number of threads; without any, nothing."""
    if threads == 0:
        return
    here = runtime.current()
    block = here.threads(THREADS)
    kernel = here.grid(_HEADER, graph_sweep_kernel(name, *parts, threads=block), block)
    kernel.launch(arguments, -(-threads // block))
