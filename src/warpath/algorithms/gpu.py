"""Breadth-first search on a GPU: when, and how its answer is made."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from warpath import balance as balances
from warpath import devices
from warpath import frontier as frontiers
from warpath.algorithms.methods import METHODS
from warpath.algorithms.search import Answer, Search
from warpath.algorithms.sources import choose, distinct
from warpath.algorithms.stats import DeviceStats, Stopwatch
from warpath.balance import Technique
from warpath.errors import DeviceUnavailableError
from warpath.frontier import DEFAULT, Policy, presets
from warpath.graph.graph import Graph
from warpath.typing import LOOPS

# What ``device="auto"`` finds worth copying to a GPU: a guess.
_MANY_ARCS = 2**22
_VERTEX_BYTES = 21  # beyond the graph, with predecessors and 64-bit offsets


def only_on_gpus(device: str, **options: Any) -> str:
    """The given ones of a call's options that only a GPU has, as a message names them; or "".

    Raises
    ------
    ValueError
        ``device="cpu"`` with one of them.
    """
    given = [f"{name}={str(value)!r}" for name, value in options.items() if value is not None]
    if given and device == "cpu":
        raise ValueError(f"{given[0]} is for device='cuda', not 'cpu'")
    return ", ".join(given)


def check_options(device: str, balance: str | Technique | None, loop: str | None) -> Technique:
    """The technique that a call asks for, or the default.

    Raises
    ------
    ValueError
        An unknown balance or loop, a loop that the balance cannot have, or options of a GPU for
        the CPU.
    """
    technique = balances.lookup(balances.DEFAULT if balance is None else balance)
    if loop is not None:
        choose("loop", loop, LOOPS)
    only_on_gpus(device, balance=balance, loop=loop)
    if loop == "device" and technique.launches_children:
        raise ValueError(
            f"balance={str(balance)!r} launches child grids, whose work is there when their parent "
            "has ended, so that each iteration is a launch: loop='host', or leave loop out"
        )
    return technique


@dataclass(frozen=True)
class Schedule:
    """How a breadth-first search is to run.

    Attributes
    ----------
    direction : {"optimizing", "top-down", "bottom-up"}
    balance : Technique
    loop : {"device", "host"}
    policy : Policy
    only_on_gpus : str
        What the call gives of options that only a GPU has: see `only_on_gpus`.
    """

    direction: str
    balance: Technique
    loop: str
    policy: Policy
    only_on_gpus: str


def check_schedule(
    device: str,
    direction: str | None,
    balance: str | Technique | None,
    loop: str | None,
    frontier: str | None,
    duplicates: str | None,
    preset: str | None,
) -> Schedule:
    """What a call of `warpath.bfs` asks for, with what its preset says and the defaults.

    Raises
    ------
    ValueError
        An unknown name, things that do not go together, or options of a GPU for the CPU.
    """
    asked = device, direction, balance, loop, frontier, duplicates, preset
    try:
        return _schedule(*asked)
    except TypeError:  # something has no hash
        return _schedule.__wrapped__(*asked)


@lru_cache(256)  # a small search takes no longer than this would
def _schedule(*asked: Any) -> Schedule:
    device, direction, balance, loop, frontier, duplicates, preset = asked
    given = only_on_gpus(
        device, balance=balance, loop=loop, frontier=frontier, duplicates=duplicates, preset=preset
    )
    check_options(device, balance, loop)
    system = None if preset is None else presets.lookup(preset)
    if system is not None:
        balance = system.balance if balance is None else balance
        loop = loop or system.loop
        if frontier in (None, system.frontier):
            duplicates = duplicates or system.duplicates
            direction = direction or system.direction
        frontier = frontier or system.frontier
    policy = frontiers.choose(frontier, duplicates)
    if balance is None and policy == DEFAULT:
        technique = balances.lookup(balances.VISITING)
    else:
        technique = check_options(device, balance, loop)
    if system is not None:
        policy = system.policy(policy)
    queued = frontier is not None or duplicates is not None
    way = direction or ("top-down" if queued else "optimizing")
    why_not = frontiers.allowed(policy, way, technique)
    if why_not is not None:
        raise ValueError(why_not)
    return Schedule(way, technique, loop or "device", policy, given)


def is_worth_it(graph: Graph, needs: str = "") -> bool:
    """Whether ``device="auto"`` is a GPU.

    Parameters
    ----------
    graph : Graph
    needs : str
        The call's options that only a GPU has, as `only_on_gpus` names them.

    Raises
    ------
    DeviceUnavailableError
        If there are such options and no GPU: the CPU would ignore them.
    """
    if is_at_home(graph, needs):
        return True
    return graph.num_arcs >= _MANY_ARCS and devices.missing() is None


def is_at_home(graph: Graph, needs: str = "") -> bool:
    """Whether ``device="auto"`` is a GPU though little is to be done; see `is_worth_it`."""
    if not needs:
        return graph.device == "cuda" and devices.missing() is None
    why = devices.missing()
    if why is not None:
        raise DeviceUnavailableError(f"only a GPU has {needs}: {why}")
    return True


def fitted(balance: Technique | None, graph: Graph, *, relaxes: str | None = None) -> Technique:
    """A technique as it suits a graph, and a search that visits arcs, or relaxes them by a method.

    Without one the search's default.
    """
    if balance is None:
        sweeps = relaxes in METHODS and not METHODS[relaxes].has_delta
        balance = balances.lookup("auto" if sweeps else balances.DEFAULT)
    if not balance.adapts:
        return balance
    mean = graph.num_arcs / max(graph.num_vertices, 1)
    return balance.fitted(graph.largest_degree, mean, relaxes=relaxes)


def run(search: Search, balance: Technique, loop: str, trace: bool, watch: Stopwatch) -> Answer:
    """Distances, predecessors (or None) and statistics by the CUDA engine; CuPy arrays.

    Raises
    ------
    DeviceUnavailableError
        If there is no GPU that can be used.
    MemoryError
        If the GPU's memory does not suffice.
    """
    model = devices.require().model
    import cupy

    from warpath.cuda import bfs as cuda
    from warpath.cuda.device_graph import on_device

    graph, sources, n = search.graph, search.sources, search.graph.num_vertices
    balance = fitted(balance, graph)
    alpha = cuda.ALPHA if search.alpha is None else search.alpha
    beta = cuda.BETA if search.beta is None else search.beta

    def run(start: Any, distance: Any, predecessor: Any) -> Any:
        if search.policy != DEFAULT:
            from warpath.cuda.levels import bfs_levels

            return bfs_levels(
                on_device(graph), start, search.policy, search.direction, search.limit,
                distance, predecessor, balance, loop, trace,
            )  # fmt: skip
        return cuda.bfs(
            on_device(graph), start, search.direction, alpha, beta, search.limit,
            distance, predecessor, balance, loop, trace, blocks=search.blocks,
        )  # fmt: skip

    rows = None if search.one_answer else len(sources)
    shape = (n,) if rows is None else (rows, n)
    try:
        distance = cupy.empty(shape, np.int32)
        predecessor = cupy.empty(shape, np.int32) if search.predecessors else None
        if rows is None:
            start = sources if len(sources) == 1 else distinct(sources, n)
            reports = [run(start, distance, predecessor)]
        else:
            from warpath.cuda.batch import bfs_rows, pays

            device = on_device(graph)
            if _may_batch(search, loop) and pays(device, rows, balance):
                reports = [bfs_rows(device, sources, search.limit, distance, predecessor, trace)]
            else:
                reports = [
                    run(
                        sources[i : i + 1],
                        distance[i],
                        None if predecessor is None else predecessor[i],
                    )
                    for i in range(rows)
                ]
    except MemoryError:
        with devices.memory_for(
            f"the graph of {n:,} vertices and {graph.num_arcs:,} arcs takes {graph_bytes(graph):,} bytes, "
            f"and each vertex up to {_VERTEX_BYTES} more"
        ):
            raise
    return (
        distance,
        predecessor,
        DeviceStats(search.method, search.why, watch.read(), model, reports),
    )


def _may_batch(search: Search, loop: str) -> bool:
    """Whether nothing is asked for that searches at once, top-down, do not have."""
    free = search.alpha is None and search.beta is None and search.direction != "bottom-up"
    return free and loop == "device" and search.policy == DEFAULT


def graph_bytes(graph: Graph) -> int:
    """Of its copies on a device, the reverse included."""
    return 4 * (graph.num_vertices + graph.num_arcs) * (2 if graph.directed else 1)
