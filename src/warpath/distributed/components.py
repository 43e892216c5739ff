"""Connected components of a graph in parts.

A rank first joins what its own arcs join, ghosts included. Then labels are exchanged until none changes.
A round has three steps. Owners and the ranks that have ghosts take the smaller label. The vertex
whose id was the old label gets the new one (hooking). Each label is replaced by the label of that
vertex (shortcutting). So rounds are few also where a component is long.

Source: Y. Zhang, A. Azad, Z. Hu, "FastSV: a distributed-memory connected component algorithm with
fast convergence", SIAM PP 2020.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import Part, sent_to_owners, values_at

Array = NDArray[Any]


def labels(
    graph: DistributedGraph, components_of: Callable[[Part], Array]
) -> tuple[NDArray[np.int32], int]:
    """The smallest vertex of the component of each vertex that this rank owns; how many components.

    Parameters
    ----------
    components_of : callable
        The smallest number of the weak component of each number of a part, by the arcs that the part has.
    """
    part, transport, bounds, xp = graph.part, graph.transport, graph.part.bounds, graph.part.xp
    first = int(bounds[transport.rank])
    group = components_of(part)  # weak ones, so one direction of its arcs is enough
    label = part.ids[group]  # numbers are in the order of ids: the smallest one
    parent = label[part.owned].copy()  # where labels of vertices are looked up
    while True:
        before = label.copy()
        label[part.owned] = parent
        for_owners = xp.flatnonzero(_is_ghost(part)).astype(np.int32)
        told, (values,), _ = part.push(transport, for_owners, label[for_owners])
        xp.minimum.at(label, told, values)
        part.pull(transport, label)
        least = xp.full(len(label), np.iinfo(np.int32).max, np.int32)
        xp.minimum.at(least, group, label)
        label = least[group]
        # Hooking: the vertex whose id was the old label gets the new one.
        changed = xp.flatnonzero(before != label)
        hooks = sent_to_owners(transport, bounds, before[changed], label[changed], xp=xp)
        parent = xp.minimum(parent, label[part.owned])
        xp.minimum.at(parent, hooks[0] - first, hooks[1])
        # Shortcutting.
        shorter = values_at(transport, bounds, parent, parent, xp)
        is_new = int(xp.count_nonzero(shorter != before[part.owned])) + len(changed)
        parent = shorter
        if not transport.reduce(np.array([is_new]))[0]:
            break
    mine = xp.arange(first, first + len(parent))
    count = int(xp.count_nonzero(parent == mine))
    if (
        graph.order is not None
    ):  # the smallest of the vertices, not of the ids by which parts know them
        members = sent_to_owners(transport, bounds, parent, xp.asarray(graph.vertices), xp=xp)
        smallest = xp.full(len(parent), np.iinfo(np.int32).max, np.int32)
        xp.minimum.at(smallest, members[0] - first, members[1])
        parent = values_at(transport, bounds, smallest, parent, xp)
    return parent, int(transport.reduce(np.array([count]))[0])


def _is_ghost(part: Part) -> Array:
    is_ghost = part.xp.ones(len(part.ids), bool)
    is_ghost[part.owned] = False
    return is_ghost  # type: ignore[no-any-return]
