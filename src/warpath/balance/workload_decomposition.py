"""Workload decomposition."""

from dataclasses import dataclass
from typing import Literal

from warpath.balance.technique import Technique


@dataclass(frozen=True)
class WorkloadDecomposition(Technique):
    """Each thread takes ``edges`` neighbouring arcs at a time; 0: an equal share of all at once."""

    name = "workload-decomposition"
    paper = "WD in Mishra et al."
    cost = "one search per thread for every 4 arcs; perfectly balanced; coalesces in part"

    edges: Literal[0, 4, 8, 16] = 0  # 0 is the paper's
