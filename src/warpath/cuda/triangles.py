"""Triangles on a CUDA device."""

from functools import cache
from typing import Any

import numpy as np

from warpath.cuda import runtime
from warpath.cuda.arguments import CSR, POINTER, U32, Struct
from warpath.cuda.device_graph import DeviceGraph
from warpath.cuda.execute import kernel
from warpath.cuda.instances import triangles_kernel

# Neighbours up to which a warp has a vertex, and a block's threads for the others: guesses.
_WARP_DEGREE = 64
_THREADS = 256


@cache
def triangle_arguments(offset_bytes: int) -> Struct:
    """``TriangleArguments`` of triangles.cuh."""
    return Struct(vertices=POINTER, size=U32, graph=CSR, count=POINTER)


def count_triangles(graph: DeviceGraph, count: Any) -> None:
    """Add to ``count`` the triangles that each vertex is a corner of; nothing is waited for.

    Parameters
    ----------
    graph : DeviceGraph
        Simple, without cycles: each edge of an undirected graph leads one way.
    count : cupy array of int64, shape (n,)

    Notes
    -----
    Takes 13 bytes per vertex.
    """
    here = runtime.current()
    degree = graph.row_offsets[1:] - graph.row_offsets[:-1]
    for in_block, members in (
        (False, (degree > 1) & (degree <= _WARP_DEGREE)),
        (True, degree > _WARP_DEGREE),
    ):
        vertices = members.nonzero()[0].astype(np.int32)
        if len(vertices) == 0:
            continue
        at_once = 1 if in_block else _THREADS // 32
        instance = graph.offset_bytes, in_block
        kernel(
            "triangles.cuh", triangles_kernel, *instance, blocks=-(-len(vertices) // at_once),
            threads=_THREADS,
        ).launch(
            triangle_arguments(graph.offset_bytes)(
                vertices=here.address(vertices), size=len(vertices), graph=graph.csr,
                count=here.address(count),
            )
        )  # fmt: skip
