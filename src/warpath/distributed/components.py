"""Connected components of a graph in parts.

A rank first joins what its own arcs join, ghosts included. Then labels are exchanged until none changes.
A round has three steps. Owners and the ranks that have ghosts take the smaller label. The vertex
whose id was the old label gets the new one (hooking). Each label is replaced by the label of that
vertex (shortcutting). So rounds are few also where a component is long.

Source: Y. Zhang, A. Azad, Z. Hu, "FastSV: a distributed-memory connected component algorithm with
fast convergence", SIAM PP 2020.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.distributed.graph import DistributedGraph
from warpath.distributed.part import sent_to_owners, values_at
from warpath.graph.components import connected_components as components_of

Array = NDArray[Any]


def labels(graph: DistributedGraph) -> tuple[NDArray[np.int32], int]:
    """The smallest vertex of the component of each vertex that this rank owns; how many components."""
    part, transport, bounds = graph.part, graph.transport, graph.part.bounds
    first = bounds[transport.rank]
    group, _ = components_of(part.graph)  # weak ones, so one direction of its arcs is enough
    label = part.ids[group]  # numbers are in the order of ids: the smallest one
    parent = label[part.owned].copy()  # where labels of vertices are looked up
    while True:
        before = label.copy()
        label[part.owned] = parent
        for_owners = np.flatnonzero(_is_ghost(graph)).astype(np.int32)
        told, (values,), _ = part.push(transport, for_owners, label[for_owners])
        np.minimum.at(label, told, values)
        part.pull(transport, label)
        least = np.full(len(label), np.iinfo(np.int32).max, np.int32)
        np.minimum.at(least, group, label)
        label = least[group]
        # Hooking: the vertex whose id was the old label gets the new one.
        changed = np.flatnonzero(before != label)
        hooks = sent_to_owners(transport, bounds, before[changed], label[changed])
        parent = np.minimum(parent, label[part.owned])
        np.minimum.at(parent, hooks[0] - first, hooks[1])
        # Shortcutting.
        shorter = values_at(transport, bounds, parent, parent)
        is_new = np.count_nonzero(shorter != before[part.owned]) + len(changed)
        parent = shorter
        if not transport.reduce(np.array([is_new]))[0]:
            break
    mine = np.arange(first, first + len(parent))
    count = np.count_nonzero(parent == mine)
    if (
        graph.order is not None
    ):  # the smallest of the vertices, not of the ids by which parts know them
        members = sent_to_owners(transport, bounds, parent, np.asarray(graph.vertices))
        smallest = np.full(len(parent), np.iinfo(np.int32).max, np.int32)
        np.minimum.at(smallest, members[0] - first, members[1])
        parent = values_at(transport, bounds, smallest, parent)
    return parent, int(transport.reduce(np.array([count]))[0])


def _is_ghost(graph: DistributedGraph) -> NDArray[np.bool_]:
    is_ghost = np.ones(len(graph.part.ids), bool)
    is_ghost[graph.part.owned] = False
    return is_ghost
