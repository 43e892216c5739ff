"""How arcs reach threads: the load-balancing techniques, by name.

A technique is a frozen dataclass whose fields are its knobs. What each does stands in the
kernel header of the same name (``cuda/kernels/balance``), with its paper; the contract that
all keep is written in ``balance.cuh`` there.
"""

from functools import cache

from warpath.balance.auto import Auto
from warpath.balance.block_search import BlockSearch
from warpath.balance.cta_warp_scan import CtaWarpScan
from warpath.balance.direct_search import DirectSearch
from warpath.balance.dynamic_virtual_warp import DynamicVirtualWarp
from warpath.balance.edge_parallel import EdgeParallel
from warpath.balance.hierarchical import Hierarchical
from warpath.balance.local_warp_search import LocalWarpSearch
from warpath.balance.merge_path import MergePath
from warpath.balance.multi_phase_search import MultiPhaseSearch
from warpath.balance.node_splitting import NodeSplitting
from warpath.balance.technique import Technique
from warpath.balance.thread_mapped import ThreadMapped
from warpath.balance.two_phase_search import TwoPhaseSearch
from warpath.balance.virtual_warp import VirtualWarp
from warpath.balance.workload_decomposition import WorkloadDecomposition

__all__ = ["DEFAULT", "TECHNIQUES", "VISITING", "Technique", "lookup"]

TECHNIQUES: dict[str, type[Technique]] = {
    technique.name: technique
    for technique in (
        ThreadMapped, VirtualWarp, LocalWarpSearch, TwoPhaseSearch, MergePath, DirectSearch,
        DynamicVirtualWarp, MultiPhaseSearch, CtaWarpScan, BlockSearch, WorkloadDecomposition,
        EdgeParallel, NodeSplitting, Hierarchical, Auto,
    )
}  # fmt: skip
"""Each technique by its name, in the order of the codes in ``balance.cuh``, which start at 1.

``auto`` comes last: it has no code, since an iteration shows what it chose.
"""

DEFAULT = "two-phase-search"
"""What runs if nothing is asked for; breadth-first searches take `VISITING`.

Eight shares per warp: 0 to 20 % faster than one in breadth-first searches, 8 % slower in shortest
paths (one H200, R-MAT 22 with 2 to 64 edges per vertex).
"""
VISITING = "two-phase-search:shares=8"


def lookup(balance: str | Technique) -> Technique:
    """A technique by what it prints as, such as ``"virtual-warp:width=16"``.

    Raises
    ------
    ValueError
        An unknown name (the message lists the known ones), knob or value.
    """
    return balance if isinstance(balance, Technique) else _parse(str(balance))


@cache
def _parse(balance: str) -> Technique:
    name, _, knobs = balance.partition(":")
    if name not in TECHNIQUES:
        raise ValueError(f"unknown balance {name!r}; choose one of {', '.join(TECHNIQUES)}")
    return TECHNIQUES[name].parse(knobs)
