"""Columns that tell the class of their arc, for H-BF's edge classification."""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import cupy
import numpy as np

from warpath.cuda.bfs import blocks_for
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.instances import THREADS, marking_kernel
from warpath.cuda.launch import persistent, run
from warpath.graph.arrays import empty_padded


@dataclass(frozen=True, eq=False)
class Marks:
    """What `marking.cuh` finds out about a graph.

    Attributes
    ----------
    column_indices : cupy array of int32, shape (m,)
        With a mark in the two highest bits (``operators/classified.cuh``).
    may_be_parallel : bool
        Whether some row's columns do not rise strictly, as they do without parallel arcs.
    """

    column_indices: Any
    may_be_parallel: bool


_marked: WeakKeyDictionary[DeviceGraph, Marks] = WeakKeyDictionary()


def marks_of(graph: DeviceGraph) -> Marks:
    """The graph's marks; made on the device at the first call, and kept.

    Parameters
    ----------
    graph : DeviceGraph
        Of fewer than 2³⁰ vertices.

    Notes
    -----
    Takes 4 bytes an arc, and meanwhile 8 bytes a vertex.
    """
    if graph not in _marked:
        _marked[graph] = _mark(graph)
    return _marked[graph]


def _mark(graph: DeviceGraph) -> Marks:
    in_degree, idle_loops = cupy.zeros((2, graph.num_vertices), np.uint32)
    marked = empty_padded(cupy, graph.num_arcs, np.int32)
    may_be_parallel = cupy.zeros(1, np.uint32)
    weights = 0 if graph.weights is None else graph.weights.data.ptr
    degrees = (in_degree.data.ptr, idle_loops.data.ptr)
    _run(graph, "count_arcs", *graph.arguments, weights, *degrees)
    _run(
        graph, "mark_arcs", *graph.arguments, weights, *degrees,
        np.uint32(graph.directed), marked.data.ptr, may_be_parallel.data.ptr,
    )  # fmt: skip
    return Marks(marked, bool(may_be_parallel[0]))


def settle(graph: DeviceGraph, marks: Marks, weights: Any, distance: Any) -> None:
    """Relax the arcs that a search skipped, once the distances of all others are final.

    Parameters
    ----------
    graph : DeviceGraph
    marks : Marks
        The graph's.
    weights : cupy array, shape (m,)
        Of the dtype of ``distance``, or int32 for distances of int64.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
    """
    n, m, row_offsets, _ = graph.arguments
    arguments = (n, m, row_offsets, marks.column_indices.data.ptr)
    types = (weights.dtype.name, distance.dtype.name)
    _run(
        graph, "settle_arcs", *arguments, weights.data.ptr, distance.data.ptr, types=types
    )  # fmt: skip


def _run(graph: DeviceGraph, name: str, *arguments: Any, types: tuple[str, ...] = ()) -> None:
    """One of the kernels of ``marking.cuh``."""
    if not types:
        types = ("int32" if graph.weights is None else graph.weights.dtype.name,)
    expression = marking_kernel(name, graph.row_offsets.dtype.itemsize, *types)
    device = cupy.cuda.get_device_id()
    kernel, config = persistent("marking.cuh", expression, THREADS, blocks_for(graph), device)
    run(kernel, config, *arguments)
