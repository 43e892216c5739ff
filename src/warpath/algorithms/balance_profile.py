"""How evenly a load-balancing technique shares a graph's frontiers among warps."""

from dataclasses import dataclass

import numpy as np

from warpath import balance as balances
from warpath import devices
from warpath.algorithms import gpu
from warpath.algorithms.bfs import bfs
from warpath.balance import Technique
from warpath.graph.graph import Graph

_LANES = 32


@dataclass(frozen=True)
class BalanceProfile:
    """What the warps of a GPU got of all frontiers of a search.

    A row is what a warp visits at once: up to 32 arcs, one a lane.

    Attributes
    ----------
    balance : str
        The technique.
    levels : int
        Frontiers that had arcs.
    arcs, rows : int
        Visited by all warps, in all levels.
    efficiency : float
        Lanes that had an arc, of all lanes of all rows: 1 is the most. The papers' warp execution
        efficiency, of visiting arcs alone.
    warp_imbalance, block_imbalance : float
        Rows of the busiest warp (block) over those of all warps (blocks) in the mean, both
        added up over the levels: 1 is the least. A level lasts as long as its busiest warp.
    """

    balance: str
    levels: int
    arcs: int
    rows: int
    efficiency: float
    warp_imbalance: float
    block_imbalance: float


def balance_profile(graph: Graph, source: int, balance: str | Technique) -> BalanceProfile:
    """Count what a balance gives each warp in a breadth-first search, top-down.

    Every level's frontier is given to the balance's kernel as `warpath.bfs` does it, with all
    warps of the device, also where the search would keep a small one to a few blocks. Nothing is
    timed.

    Parameters
    ----------
    graph : Graph
    source : int
    balance : str or Technique
        As of `warpath.bfs`.

    Raises
    ------
    ValueError
        An unknown balance, a source out of range.
    DeviceUnavailableError
        If there is no GPU that can be used.
    """
    technique = gpu.fitted(balances.lookup(balance), graph)
    distance = bfs(graph, source, device="cuda", predecessors=False).distance
    import cupy

    from warpath.cuda.device_graph import on_device
    from warpath.cuda.profile import WARPS_A_BLOCK, work_of_warps

    with devices.memory_for("counting what warps do"):
        resident = on_device(graph)
        order = cupy.argsort(distance)
        sizes = cupy.asnumpy(cupy.bincount(distance[distance >= 0]))
    begin = graph.num_vertices - int(sizes.sum())  # the unreached come first, with -1
    levels = arcs = rows = 0
    longest_warps = longest_blocks = mean_warps = mean_blocks = 0.0
    for size in sizes:
        work = work_of_warps(resident, order[begin : begin + int(size)], technique)
        begin += int(size)
        if not work.any():
            continue
        of_warps = work[:, 0].astype(np.int64)
        of_blocks = of_warps.reshape(-1, WARPS_A_BLOCK).sum(axis=1)
        levels, rows, arcs = levels + 1, rows + int(of_warps.sum()), arcs + int(work[:, 1].sum())
        longest_warps, mean_warps = longest_warps + of_warps.max(), mean_warps + of_warps.mean()
        longest_blocks = longest_blocks + of_blocks.max()
        mean_blocks = mean_blocks + of_blocks.mean()
    return BalanceProfile(
        str(technique), levels, arcs, rows,
        efficiency=arcs / (_LANES * rows) if rows else 1.0,
        warp_imbalance=float(longest_warps / mean_warps) if rows else 1.0,
        block_imbalance=float(longest_blocks / mean_blocks) if rows else 1.0,
    )  # fmt: skip
