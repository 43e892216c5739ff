"""Global efficiency."""

import math
from typing import Unpack

from warpath.networkx.device_keyword import Device
from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import FROM_EACH, implements
from warpath.networkx.summaries import summary


@implements(FROM_EACH)
def global_efficiency(G: BackendGraph, **where: Unpack[Device]) -> float:
    """The mean of the reciprocals of all distances."""
    n = len(G)
    if n < 2:
        return 0
    near = summary(G, inverse=True, **where).inverse
    return math.fsum(near.tolist()) / (n * (n - 1))
