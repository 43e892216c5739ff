"""Columns with the class of their arc, for H-BF's edge classification."""

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import BOOL, CSR, POINTER, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel, suggested_grid_size
from warpath.cuda.instances import edge_class_kernel


@cache
def classify_arguments(offset_bytes: int) -> Struct:
    """``ClassifyArguments`` of edge_classes.cuh."""
    return Struct(
        graph=CSR, arcs=f"u{offset_bytes}", weights=POINTER, in_degree=POINTER,
        idle_loops=POINTER, directed=BOOL, marked=POINTER, may_be_parallel=POINTER,
    )  # fmt: skip


@cache
def relax_deferred_arguments(offset_bytes: int) -> Struct:
    """``RelaxDeferredArguments`` of edge_classes.cuh."""
    return Struct(graph=CSR, arcs=f"u{offset_bytes}", weights=POINTER, distance=POINTER)


@dataclass(frozen=True, eq=False)
class EdgeClasses:
    """What `edge_classes.cuh` finds out about a graph.

    Attributes
    ----------
    column_indices : cupy array of int32, shape (m,)
        With a mark in the two highest bits (``operators/classified.cuh``).
    may_be_parallel : bool
        Whether some row's columns do not rise strictly, as they do without parallel arcs.
    """

    column_indices: Any
    may_be_parallel: bool


def edge_classes(graph: DeviceGraph) -> EdgeClasses:
    """The graph's marks; made on the device at the first call, and kept.

    Parameters
    ----------
    graph : DeviceGraph
        With fewer than 2³⁰ vertices.

    Notes
    -----
    Takes 4 bytes per arc, and meanwhile 8 bytes per vertex.
    """
    key = ("marks",)
    if key not in graph.derived:
        graph.derived[key] = _mark(graph)
    return graph.derived[key]  # type: ignore[no-any-return]


def _mark(graph: DeviceGraph) -> EdgeClasses:
    here, n = runtime.current(), graph.num_vertices
    in_degree, idle_loops = here.xp.zeros(n, np.uint32), here.xp.zeros(n, np.uint32)
    marked = graph.empty_arcs(np.int32)
    may_be_parallel = here.xp.zeros(1, np.uint32)
    arguments = classify_arguments(graph.offset_bytes)(graph=graph.csr, arcs=graph.num_arcs,
        weights=here.address(graph.weights), in_degree=here.address(in_degree),
        idle_loops=here.address(idle_loops), directed=graph.directed,
        marked=here.address(marked), may_be_parallel=here.address(may_be_parallel),
    )  # fmt: skip
    _run(graph, "count_in_degrees", arguments)
    _run(graph, "classify_edges", arguments)
    return EdgeClasses(marked, bool(may_be_parallel[0]))


def relax_deferred(graph: DeviceGraph, marks: EdgeClasses, weights: Any, distance: Any) -> None:
    """Relax the arcs that a search skipped, once the distances of all others are final.

    Parameters
    ----------
    graph : DeviceGraph
    marks : EdgeClasses
        The graph's.
    weights : cupy array, shape (m,)
        In the dtype of ``distance``, or int32 for distances of int64.
    distance : cupy array of int32, int64, float32 or float64, shape (n,)
    """
    here = runtime.current()
    arguments = relax_deferred_arguments(graph.offset_bytes)(graph=graph.csr_with(marks.column_indices), arcs=graph.num_arcs,
        weights=here.address(weights), distance=here.address(distance),
    )  # fmt: skip
    _run(graph, "relax_deferred_edges", arguments, weights.dtype.name, distance.dtype.name)


def _run(graph: DeviceGraph, name: str, arguments: bytes, *types: str) -> None:
    """One of the kernels of ``edge_classes.cuh``."""
    if not types:
        types = ("int32" if graph.weights is None else graph.weights.dtype.name,)
    blocks = suggested_grid_size(graph)
    kernel(
        "edge_classes.cuh", edge_class_kernel, name, graph.offset_bytes, *types, blocks=blocks
    ).launch(arguments)
