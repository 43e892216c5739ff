"""PageRank."""

from typing import Any, Unpack

import networkx as nx
import numpy as np

from warpath.algorithms.centrality.pagerank import pagerank as ranks
from warpath.errors import DeviceUnavailableError
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import PAGERANK, implements
from warpath.networkx.results import by_node
from warpath.networkx.summaries import left_to_networkx


def _from_the_start(
    G: Any,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
    **where: Any,
) -> bool | str:
    if nstart is not None:
        return "ranks begin equal"
    if callable(weight):
        return "NetworkX takes a function of weight for the name of an attribute"
    return not G.is_multigraph() or "NetworkX adds the weights of parallel edges"


@implements(PAGERANK, can_run=_from_the_start)
def pagerank(
    G: BackendGraph,
    alpha: float = 0.85,
    personalization: Any = None,
    max_iter: int = 100,
    tol: float = 1.0e-6,
    nstart: Any = None,
    weight: Any = "weight",
    dangling: Any = None,
    **where: Unpack[Device],
) -> dict[Any, float]:
    """How often a random surfer is at each node."""
    device = engine(**where)
    if len(G) == 0:
        return {}
    G.check_symmetric(weight)
    with left_to_networkx():
        graph = G.to_graph(weight)
        try:
            found = ranks(
                graph, damping=alpha, personalization=_shares(G, personalization),
                dangling=_shares(G, dangling), tolerance=len(G) * tol, max_iterations=max_iter,
                device=device,
            )  # fmt: skip
        except DeviceUnavailableError:
            raise
        except RuntimeError:
            raise nx.PowerIterationFailedConvergence(max_iter) from None
    return by_node(G, found)


def _shares(G: BackendGraph, given: Any) -> Any:
    """Those of all nodes; a node that is not named has none."""
    if given is None:
        return None
    return np.array([given.get(node, 0) for node in G.names], np.float64)
