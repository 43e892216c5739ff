"""Harmonic centrality."""

from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from warpath.graph.distance import unreachable
from warpath.networkx.device_keyword import Device, engine
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, TO_TARGET, implements, unless_given
from warpath.networkx.summaries import left_to_networkx, rows, summary
from warpath.typing import DeviceName

_ROWS = 64  # of distances that are there at a time: a guess


def _no_function(
    G: Any, nbunch: Any = None, distance: Any = None, sources: Any = None, **where: Any
) -> bool | str:
    if callable(distance):
        return "NetworkX calls a function of distance with the ends of arcs as it pleases"
    return True


@implements(unless_given("nbunch", FROM_EACH, TO_TARGET), can_run=_no_function)
def harmonic_centrality(
    G: BackendGraph,
    nbunch: Any = None,
    distance: Any = None,
    sources: Any = None,
    **where: Unpack[Device],
) -> dict[Any, float]:
    """The sum of the reciprocals of the distances to each node."""
    G.check_symmetric(distance)
    # Sets, as NetworkX has them: their order is that of the answer.
    nodes = set(G.source.nbunch_iter(nbunch) if nbunch is not None else G)
    starts = set(G.source.nbunch_iter(sources) if sources is not None else G)
    device = engine(**where)
    to, fro = (np.array([G.index[node] for node in bunch], np.int32) for bunch in (nodes, starts))
    with left_to_networkx():
        if sources is None:
            sums = summary(G, distance, to, reverse=True, inverse=True, device=device).inverse
        elif len(to) < len(fro):
            sums = np.concatenate(
                [part.sum(axis=1) for part in _reciprocals(G, distance, to, fro, device, reverse=True)]
            ) if len(to) else np.empty(0)  # fmt: skip
        else:
            sums = np.zeros(len(to))
            for part in _reciprocals(G, distance, fro, to, device):
                sums += part.sum(axis=0)
    # Where nothing was added, NetworkX returns the integer 0.
    return {node: value or 0 for node, value in zip(nodes, sums.tolist(), strict=True)}


def _reciprocals(
    G: BackendGraph,
    distance: Any,
    begin: Any,
    end: Any,
    device: DeviceName,
    *,
    reverse: bool = False,
) -> Any:
    """1 / d from some vertices to others, 0 where there is no path or no distance, some rows at a time."""
    makes = rows(G, distance, len(begin), reverse=reverse, device=device)
    for first in range(0, len(begin), _ROWS):
        part = begin[first : first + _ROWS]
        found: NDArray[Any] = np.empty((len(part), len(G)), makes.dtype)
        makes.fill(part, found)
        found = found[:, end]
        there = (found != 0) & (found != unreachable(found.dtype))
        yield np.divide(1, found, out=np.zeros(found.shape), where=there)
