"""Maximal independent sets."""

from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.traversal.maximal_independent_set import random_set
from warpath.graph.arrays import module_for, to_host
from warpath.graph.build import expand_sources
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import INDEPENDENT_SET, NEVER, WorthIt, implements

_MAX_SEED = 2**31 - 1


def _worth_it(G: Any, nodes: Any = None, seed: Any = None, **where: Any) -> WorthIt:
    """A seed asks for NetworkX's set."""
    return INDEPENDENT_SET if seed is None else NEVER


@implements(_worth_it)
def maximal_independent_set(
    G: BackendGraph, nodes: Any = None, seed: Any = None, **where: Unpack[Device]
) -> list[Any]:
    """Nodes of a random one that has the given nodes: those first, then the others in the graph's order.

    Each set is as likely as by NetworkX, but a seed gives another one.

    Raises
    ------
    NotImplementedError
        If there are self-loops: NetworkX refuses them or not, by where it begins.
    """
    device = engine(**where)
    offsets, target = G.adjacency
    source = expand_sources(offsets)
    if (source == target).any():
        raise NotImplementedError("self-loops")
    random = nx.utils.create_py_random_state(seed)
    members = set(nodes) if nodes else {random.choice(G.names)}
    if not members.issubset(G.index):
        raise nx.NetworkXUnfeasible(f"{members} is not a subset of the nodes of G")
    vertices = np.array([G.index[node] for node in members])
    given = np.zeros(len(G), bool)
    given[vertices] = True
    if (given[source] & given[target]).any():
        raise nx.NetworkXUnfeasible(f"{members} is not an independent set of G")
    xp = module_for(device)
    chosen = to_host(random_set(G.to_graph(), xp, random.randint(0, _MAX_SEED), members=vertices))
    return [*members, *G.nodes_of(np.flatnonzero(chosen & ~given))]
