"""A graph's arcs as kernels take them."""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.unsigned import ONE, unsigned
from warpath.graph.graph import Graph
from warpath.parallel.jit import inlined

_KEY = ("views",)


class Arcs(NamedTuple):
    """CSR arrays, whose integers are unsigned: see `warpath.cpu.unsigned`.

    Vertex u's arcs are ``offsets[u]:offsets[u + 1]``. Without ``weights`` each counts 1.
    """

    offsets: Any
    indices: Any
    weights: Any


def arcs_of(graph: Graph, weights: Any = None) -> Arcs:
    """A graph's arcs; the views of its arrays are kept with it."""
    views = graph.derived.get(_KEY)
    if views is None:
        views = unsigned(graph.row_offsets), unsigned(graph.column_indices)
        graph.derived[_KEY] = views
    offsets, indices = views
    return Arcs(offsets, indices, weights)


@inlined
def arc_range(arcs, u):  # type: ignore[no-untyped-def]
    """The first arc out of u, and the one behind the last."""
    return np.uint64(arcs.offsets[u]), np.uint64(arcs.offsets[u + ONE])
