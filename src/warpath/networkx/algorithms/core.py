"""Cores."""

from collections.abc import Callable
from operator import eq, ge
from typing import Any, Unpack

import numpy as np

from warpath.algorithms.centrality.core_numbers import peeled
from warpath.graph.arrays import module_for, to_host
from warpath.graph.build import expand_sources
from warpath.graph.graph import Graph
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import CORES, NEVER, WorthIt, implements
from warpath.networkx.results import by_node


def _worth_it(G: Any, k: Any = None, core_number: Any = None, **where: Any) -> WorthIt:
    return CORES if core_number is None else NEVER


@implements(CORES)
def core_number(G: BackendGraph, **where: Unpack[Device]) -> dict[Any, int]:
    """The largest k of the cores that each node is in."""
    return _numbers(G, where)


@implements(_worth_it)
def k_core(G: BackendGraph, k: Any = None, core_number: Any = None, **where: Unpack[Device]) -> Any:
    """The graph of the nodes of that core, by default the innermost one."""
    return _chosen(G, ge, k, core_number, where)


@implements(_worth_it)
def k_shell(
    G: BackendGraph, k: Any = None, core_number: Any = None, **where: Unpack[Device]
) -> Any:
    """The graph of the nodes of that core number, by default the largest one."""
    return _chosen(G, eq, k, core_number, where)


def _chosen(
    G: BackendGraph, compare: Callable[[Any, Any], bool], k: Any, numbers: Any, where: Device
) -> Any:
    """The graph of the nodes whose core number compares with k."""
    if numbers is None:
        numbers = _numbers(G, where)
    if k is None:
        k = max(numbers.values())
    return G.source.subgraph(node for node in numbers if compare(numbers[node], k)).copy()


def _numbers(G: BackendGraph, where: Device) -> dict[Any, int]:
    """Core numbers; in a directed graph edges in both directions count twice, as NetworkX has it.

    Raises
    ------
    NotImplementedError
        If there are self-loops, which NetworkX refuses.
    """
    device = engine(**where)
    offsets, target = G.adjacency
    source = expand_sources(offsets)
    if (source == target).any():
        raise NotImplementedError("self-loops")
    graph = G.to_graph()
    if G.is_directed():
        graph = Graph.from_edges(source, target, n=len(G), directed=False)
    found = peeled(graph, module_for(device))
    return by_node(G, to_host(found).astype(np.int64))
