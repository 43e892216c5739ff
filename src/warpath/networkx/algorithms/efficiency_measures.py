"""Global efficiency."""

import math

import numpy as np

from warpath.networkx.graph import BackendGraph
from warpath.networkx.registry import implements
from warpath.networkx.summaries import rows


@implements(fresh=60, cached=40)
def global_efficiency(G: BackendGraph) -> float:
    """The mean of the reciprocals of all distances."""
    n = len(G)
    if n < 2:
        return 0
    every = np.arange(n, dtype=np.int32)
    near = rows(G, None, n).summarise(every, inverse=True).inverse
    return math.fsum(near.tolist()) / (n * (n - 1))
