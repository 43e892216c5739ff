"""Plans of searches of a graph in parts, one on each of several GPUs of this process.

A GPU owns consecutive vertices, and has their arcs in both directions. Its *ghosts* are the vertices at their ends
that other GPUs own.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.graph.graph import Graph
from warpath.graph.on_gpus import GraphOnGpus
from warpath.planning import memory as room
from warpath.planning.cache import forget, kept
from warpath.planning.degrees import has_many_levels
from warpath.planning.placement import Placement
from warpath.planning.plan import Plan, PlannedPart
from warpath.schedule import Schedule

_GROUP_BITS = 16  # log2 of the groups of vertices whose loads are added up: a guess
_LOAD_OF_VERTEX = 1  # in arcs: a guess
_ARCS_AT_ONCE = 1 << 24  # whose heads are counted: temporary arrays of 0.1 GB


VERTICES_TOGETHER = 32  # of which a GPU owns all or none, where kernels read other GPUs' bitmaps (engine/multi_gpu.cuh)
_SHARED_OUT = "shared out"
_HEAVIER = 1.1  # how much a part may grow so that they are together: a guess


def is_one_launch(devices: Sequence[int]) -> bool:
    """Whether each part has a GPU of its own, so that a search is one launch on each, if they reach each other."""
    return len(devices) == len(set(devices))


class SearchInParts(NamedTuple):
    """What a search in parts takes and sends.

    Attributes
    ----------
    reads_weights : bool
    per_vertex, per_distance : int
        Bytes of the workspace for each vertex and ghost of a part: these, and this number of distances. Half is
        measured (tests/emulator/test_parts_plan.py), half a guess of what CuPy's scans and sorts take.
    exchanged : str
        What travels between GPUs, of each part's ghosts.
    at_once : str
        Likewise where the search is one launch on each GPU.
    """

    reads_weights: bool
    per_vertex: int
    per_distance: int
    exchanged: str
    at_once: str = ""


# Bytes of levels by one launch on each GPU (`warpath.cuda.multi_gpu.bfs`): of each vertex that others own, of each that it owns.
_LEVELS_PER_OTHER, _LEVELS_PER_OWN = 9, 13


SEARCHES = {
    "bfs": SearchInParts(
        False, 64, 0,
        "4 bytes when it is found, 1 bit in each bottom-up level, and its distance at the end",
        "8 bytes when it is found top-down, 1 bit in each bottom-up level",
    ),
    "sssp": SearchInParts(
        True, 56, 3,
        "4 bytes and a distance in each round that lowers it, and its distance at the end",
        "a bit in each iteration, its distance in each that lowers it, and at the end",
    ),
    "connected_components": SearchInParts(False, 96, 0, "its label and its owner's, 4 bytes each, in each round"),
}  # fmt: skip


class Blocks(NamedTuple):
    """Which vertices each part owns.

    Attributes
    ----------
    bounds : tuple of int
        Part q owns the vertices ``bounds[q]`` to ``bounds[q + 1]``.
    arcs, reverse_arcs : tuple of int
        Those out of each part's vertices, and those into them.
    by_metis : bool
        Whether vertices stand in the order of METIS's parts.
    """

    bounds: tuple[int, ...]
    arcs: tuple[int, ...]
    reverse_arcs: tuple[int, ...]
    by_metis: bool = False


def group_shift(n: int) -> int:
    """log2 of the vertices of a group, whose arcs are counted together."""
    return max(0, (n - 1).bit_length() - _GROUP_BITS) if n else 0


def equal_loads(
    arc_ends: NDArray[np.int64], n: int, parts: int, shift: int | None = None
) -> NDArray[np.int64]:
    """The first vertex of each part, and behind the last: int64 array, shape (parts + 1,).

    Each part gets about the same number of arcs and vertices, as far as ranges of groups allow: a hub is not
    divided.

    Parameters
    ----------
    arc_ends : int64 array
        For each group of vertices, how often they are an end of an arc.
    n : int
        Vertices.
    shift : int, optional
        log2 of a group's vertices; by default `group_shift`.
    """
    shift = group_shift(n) if shift is None else shift
    groups = len(arc_ends)
    total = np.concatenate([[0], np.cumsum(arc_ends + (_LOAD_OF_VERTEX << shift))])
    wanted = total[-1] * np.arange(1, parts) / parts
    # The group boundary that is nearest to what is wanted.
    place = np.searchsorted(total, wanted)
    before = np.maximum(place - 1, 0)
    place = np.where(
        wanted - total[before] < total[np.minimum(place, groups)] - wanted, before, place
    )
    return np.concatenate([[0], np.minimum(place << shift, n), [n]])


def loads_together(arc_ends: NDArray[np.int64], n: int, parts: int) -> NDArray[np.int64]:
    """As `equal_loads`, between multiples of `VERTICES_TOGETHER` unless the heaviest part grew too much."""
    shift, together = group_shift(n), VERTICES_TOGETHER.bit_length() - 1
    bounds = equal_loads(arc_ends, n, parts)
    if shift >= together or n == 0:
        return bounds
    groups = np.add.reduceat(arc_ends, np.arange(0, len(arc_ends), 1 << (together - shift)))
    before = np.concatenate([[0], np.cumsum(arc_ends + (_LOAD_OF_VERTEX << shift))])
    moved = equal_loads(groups, n, parts, together)
    return _unless_heavier(moved, bounds, before[-(-moved >> shift)], before[-(-bounds >> shift)])


def rounded_bounds(bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """The multiples of `VERTICES_TOGETHER` that are nearest to some bounds, and where the last part ends."""
    nearest = (bounds + VERTICES_TOGETHER // 2) // VERTICES_TOGETHER * VERTICES_TOGETHER
    moved: NDArray[np.int64] = np.minimum(nearest, bounds[-1])
    moved[-1] = bounds[-1]
    return moved


def are_rounded(bounds: NDArray[np.int64]) -> bool:
    """Whether kernels of several GPUs may search between these bounds."""
    return bool(((bounds % VERTICES_TOGETHER == 0) | (bounds == bounds[-1])).all())


def sizes_together(bounds: NDArray[np.int64]) -> NDArray[np.int64]:
    """As `rounded_bounds`, unless the largest part grew too much."""
    moved = rounded_bounds(bounds)
    return _unless_heavier(moved, bounds, moved, bounds)


def _unless_heavier(
    moved: NDArray[np.int64],
    bounds: NDArray[np.int64],
    load_moved: NDArray[np.int64],
    load: NDArray[np.int64],
) -> NDArray[np.int64]:
    """``moved``, or ``bounds`` if these make the heaviest part much lighter; with the loads before each."""
    heavier = np.diff(load_moved).max() > _HEAVIER * np.diff(load).max()
    return bounds if heavier else moved


def share_out(graph: Graph, devices: tuple[int, ...], parts: Blocks | None) -> None:
    """Say how a graph is cut into parts for some GPUs; None: by `blocks`, as at first."""
    graph.derived[_SHARED_OUT, devices] = parts
    forget(graph)


def blocks_between(in_order: Graph, bounds: NDArray[np.int64]) -> Blocks:
    """METIS's parts of a graph whose vertices stand in their order."""
    out, into = (
        tuple(np.diff(one.row_offsets[bounds].astype(np.int64)).tolist())
        for one in (in_order, in_order.reverse)
    )
    return Blocks(tuple(bounds.tolist()), out, into, by_metis=True)


@kept
def blocks(graph: Graph, parts: int, together: int = 1) -> Blocks:
    """How a graph is cut into parts of about the same load; kept with the graph.

    Parameters
    ----------
    together : int
        How many vertices, a power of two, have one owner together.
    """
    if isinstance(graph, GraphOnGpus) and len(graph.devices) == parts:
        return _as_it_lies(graph)
    n = graph.num_vertices
    shift = max(group_shift(n), together.bit_length() - 1)
    firsts = np.minimum(np.arange(-(-n >> shift) + 1) << shift, n)
    out = np.diff(graph.row_offsets[firsts].astype(np.int64))
    into = _heads(graph, shift, len(out)) if graph.directed else out
    bounds = equal_loads(out + into, n, parts, shift)
    cuts = np.searchsorted(firsts, bounds)

    def of_parts(arcs: NDArray[np.int64]) -> tuple[int, ...]:
        return tuple(np.diff(np.concatenate([[0], np.cumsum(arcs)])[cuts]).tolist())

    return Blocks(tuple(bounds.tolist()), of_parts(out), of_parts(into))


def _as_it_lies(graph: GraphOnGpus) -> Blocks:
    arcs, reverse_arcs = (
        tuple(len(csr.column_indices) for csr in side) for side in zip(*graph.rows, strict=True)
    )
    return Blocks(graph.bounds, arcs, reverse_arcs)


def _heads(graph: Graph, shift: int, groups: int) -> NDArray[np.int64]:
    """How many arcs lead to each group of vertices."""
    columns, count = graph.column_indices, np.zeros(groups, np.int64)
    for begin in range(0, len(columns), _ARCS_AT_ONCE):
        count += np.bincount(columns[begin : begin + _ARCS_AT_ONCE] >> shift, minlength=groups)
    return count


def plan_in_parts(
    graph: Graph,
    search: str,
    place: Placement,
    method: str,
    why: str,
    dtype: "np.dtype[Any]",
    *,
    rows: int | None,
    answer_per_vertex: int,
    schedule: Schedule,
    summed: "np.dtype[Any] | None" = None,
    by_copies: bool = False,
) -> Plan:
    """The plan of a search on several GPUs; other parameters as of `Plan`.

    Parameters
    ----------
    place : Placement
        It names the GPUs.
    rows : int or None
        How many searches there are, one after the other, each with its answer; None: one.
    answer_per_vertex : int
        Bytes of one answer.
    summed : dtype, optional
        That distances are added up in, if it is not ``dtype``.
    by_copies : bool
        Whether GPUs exchange copies between launches, even where they reach each other's memory.
    """
    how, count = SEARCHES[search], len(place.devices)
    knows_all = is_one_launch(place.devices)
    said: Blocks | None = graph.derived.get((_SHARED_OUT, place.devices))
    cut = said or blocks(graph, count, VERTICES_TOGETHER if knows_all else 1)
    weights = graph.weight_dtype if how.reads_weights else None
    weight = 0 if weights is None else weights.itemsize

    def part(i: int) -> PlannedPart:
        first, end = cut.bounds[i : i + 2]
        own, arcs = end - first, cut.arcs[i]
        directions = [arcs, cut.reverse_arcs[i]] if graph.directed else [arcs]
        ends = sum(directions)
        # And ghosts: as many as there are arcs, at most.
        known = graph.num_vertices if knows_all else min(graph.num_vertices, own + ends)
        shown = own * (count - 1) if knows_all else min(ends, own * (count - 1))
        offsets = sum((known + 1) * (4 if one < 2**32 else 8) for one in directions)
        ids = 4 * known + 4 * shown  # and which are ghosts of others
        workspace = known * (how.per_vertex + how.per_distance * (summed or dtype).itemsize)
        if knows_all and search == "bfs" and not has_many_levels(graph):
            workspace = (
                (known - own) * _LEVELS_PER_OTHER
                + own * _LEVELS_PER_OWN
                + room.trace_rows(known) * 32
            )
        memory = {
            "graph": ends * (4 + weight) + offsets + ids,
            "answer": (rows or 1) * own * answer_per_vertex,
            "workspace": workspace,
        }
        return PlannedPart(place.devices[i], first, end, arcs, memory, cut.by_metis)

    parts = tuple(part(i) for i in range(count))
    return Plan(
        search=search,
        device=place.device,
        where=place.why,
        method=method,
        why=why,
        schedule=schedule,
        dtype=dtype,
        threads=0,
        vertices=graph.num_vertices,
        arcs=graph.num_arcs,
        memory={what: sum(one.memory[what] for one in parts) for what in parts[0].memory},
        parts=parts,
        exchanged="of each ghost "
        + (how.at_once if knows_all and how.at_once and not by_copies else how.exchanged),
    )
