"""How evenly a load-balancing technique shares a graph's frontiers among warps."""

from dataclasses import dataclass

from warpath import balance as balances
from warpath import devices
from warpath.algorithms.common.sources import check_call
from warpath.algorithms.traversal.bfs import bfs
from warpath.balance import Technique
from warpath.balance.technique import WARP_LANES
from warpath.graph.bfs_frontiers import levels_of
from warpath.graph.graph import Graph
from warpath.graph.names import Vertex, by_name
from warpath.planning.fitted_balance import fitted
from warpath.typing import BalanceName


@dataclass(frozen=True)
class BalanceProfile:
    """What the warps of a GPU got of all frontiers of a search.

    A row is what a warp visits at once: up to 32 arcs, one per lane.

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
        Load imbalance: the most rows of a warp (block) over the average of all warps (blocks),
        both added up over the levels. 1 is the least. A level lasts as long as its slowest warp.

    See Also
    --------
    balance_profile : Makes it.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.rmat(12, seed=1)
    >>> wp.balance_profile(g, 0, "two-phase-search").balance  # doctest: +SKIP
    'two-phase-search'
    """

    balance: str
    levels: int
    arcs: int
    rows: int
    efficiency: float
    warp_imbalance: float
    block_imbalance: float


@by_name("source")
def balance_profile(
    graph: Graph, source: Vertex, balance: BalanceName | str | Technique
) -> BalanceProfile:
    """Count what a balance gives each warp in a breadth-first search, top-down.

    Every level's frontier is given to the balance's kernel as `warpath.bfs` does it, with all
    warps of the device, also where the search would keep a small one to a few blocks. Nothing is
    timed.

    Parameters
    ----------
    graph : Graph
    source : vertex
    balance : str or Technique
        ``"virtual-warp:width=16"``, one of `warpath.balance.TECHNIQUES`.

    Returns
    -------
    BalanceProfile
        What each warp and block got, summed over the levels.

    Raises
    ------
    ValueError
        An unknown balance, a source out of range.
    DeviceUnavailableError
        If there is no GPU that can be used.

    See Also
    --------
    bfs : The search whose frontiers are shared out.
    advise : Measure which balance is fastest on a graph.

    Examples
    --------
    >>> import warpath as wp
    >>> g = wp.generate.rmat(12, seed=1)
    >>> profile = wp.balance_profile(g, 0, "two-phase-search")  # doctest: +SKIP
    >>> profile.efficiency > wp.balance_profile(g, 0, "thread-mapped").efficiency  # doctest: +SKIP
    True
    """
    check_call(graph, "cpu")
    technique = fitted(balances.lookup(balance), graph)
    distance = bfs(graph, source, device="cuda", predecessors=False).distance
    from warpath.cuda.device_graph import on_device
    from warpath.cuda.profile import WARPS_PER_BLOCK, work_of_warps

    with devices.memory_for("counting what warps do"):
        resident = on_device(graph)
        levels = levels_of(resident.row_offsets, distance)
        work = list(work_of_warps(resident, levels, technique))
    rows = sum(int(one.rows.sum()) for one in work)
    arcs = sum(int(one.arcs.sum()) for one in work)
    of_warps = sum(int(one.longest_warp.sum()) * one.warps for one in work)
    of_blocks = sum(int(one.longest_block.sum()) * (one.warps // WARPS_PER_BLOCK) for one in work)
    return BalanceProfile(
        str(technique), sum(len(one.rows) for one in work), arcs, rows,
        efficiency=arcs / (WARP_LANES * rows) if rows else 1.0,
        warp_imbalance=of_warps / rows if rows else 1.0,
        block_imbalance=of_blocks / rows if rows else 1.0,
    )  # fmt: skip
