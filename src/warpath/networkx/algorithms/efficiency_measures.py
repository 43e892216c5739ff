"""Global efficiency."""

import math
from typing import Unpack

import numpy as np

from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import implements
from warpath.networkx.summaries import rows
from warpath.networkx.where import Device


@implements(fresh=40, cached=30)
def global_efficiency(G: BackendGraph, **where: Unpack[Device]) -> float:
    """The mean of the reciprocals of all distances."""
    n = len(G)
    if n < 2:
        return 0
    every = np.arange(n, dtype=np.int32)
    near = rows(G, None, n, **where).summarise(every, inverse=True).inverse
    return math.fsum(near.tolist()) / (n * (n - 1))
