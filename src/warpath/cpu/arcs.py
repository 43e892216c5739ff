"""A graph's arcs as kernels take them."""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.unsigned import ONE, ZERO, unsigned
from warpath.graph.graph import Graph
from warpath.parallel.jit import inlined
from warpath.parallel.team import kind

_KEY, _KIND = ("arcs",), ("kind of arcs",)
_kinds: dict[Any, int] = {}


class Arcs(NamedTuple):
    """CSR arrays, whose integers are unsigned: see `warpath.cpu.unsigned`.

    Vertex u's arcs are ``offsets[u]:offsets[u + 1]``. Without ``weights`` each counts 1.
    """

    offsets: Any
    indices: Any
    weights: Any


def arcs_of(graph: Graph, weights: Any = None) -> Arcs:
    """A graph's arcs; the views of its arrays are kept with it.

    None can be written: kernels are compiled once for arrays that can and once for those that cannot.
    """
    arcs: Arcs | None = graph.derived.get(_KEY)
    if arcs is None:
        offsets, indices = unsigned(graph.row_offsets), unsigned(graph.column_indices)
        arcs = Arcs(_read_only(offsets), _read_only(indices), None)
        graph.derived[_KEY] = arcs
    return arcs if weights is None else Arcs(arcs.offsets, arcs.indices, _read_only(weights))


def _read_only(array: Any) -> Any:
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def kind_of(graph: Graph) -> int:
    """A number for the types of the arrays of `arcs_of`, for `warpath.parallel.team.run`."""
    number: int | None = graph.derived.get(_KIND)
    if number is None:
        number = graph.derived[_KIND] = _kinds.setdefault(kind(arcs_of(graph)), len(_kinds))
    return number


@inlined
def arc_range(arcs, u):  # type: ignore[no-untyped-def]
    """The first arc out of u, and the one behind the last."""
    return np.uint64(arcs.offsets[u]), np.uint64(arcs.offsets[u + ONE])


@inlined
def num_arcs(arcs, vertices, begin, end):  # type: ignore[no-untyped-def]
    """How many arcs leave ``vertices[begin:end]``."""
    total = ZERO
    for i in range(begin, end):
        first, last = arc_range(arcs, np.uint64(vertices[i]))
        total += last - first
    return total
