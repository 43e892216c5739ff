"""Breadth-first levels of few edges, one after the other: each thread lists what it finds.

A road network takes thousands of levels of some microseconds each. Atomics, cache lines that
wander from core to core, mispredicted branches and a second barrier would cost more than the
work. What is in the encoding:

- The frontier is the threads' lists, one behind the other; each thread expands an equal share
  of it into a list of its own. That keeps the order of discovery, so on a grid a thread meets
  vertices near those which it met before, whose cache lines its core still holds. Two sets of
  lists take turns: nobody reads what is being written.
- An entry is (parent, vertex) in one word, the vertex in its lower half.
- Two threads may both find a vertex, and both write its predecessor. One write is the last, and
  the entry that names another parent is passed over when its turn comes. (No vertex is a parent
  in two shares.) So one barrier ends a level, and nothing is looked for or removed.
- Hence the edges of the next level are known as a bound, duplicates counted in. Where that
  reaches what another form of a step may want, the lists become a queue, without duplicates, and
  exact numbers decide.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.trace import TOP_DOWN, record
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import prefetch, unowned
from warpath.parallel.jit import inlined, outlined
from warpath.parallel.team import barrier, share

LARGE = 65536  # edges from which chunks balance better than shares: a guess
# Edges from which a team shares a level, and below which it leaves the rest to one thread (a
# guess). Two threads, Zen 5, 2026-11: grids of 10⁶ vertices, 35, 50 and 100 wide, take 0.89, 0.90
# and 0.71 of the time that they take with 1024 and 256; 64 and 16 change little.
TOGETHER, _ALONE = 256, 64

# Of the edges of all earlier levels, what a level must have to be wide: as on a GPU.
_GROWTH = 0.25

# Arcs are looked at in such groups, without a branch between them, where vertices have at most
# `_FEW` arcs, averaged over the arcs, and not all alike: no branch predictor knows which of them
# find something where that average is `_UNLIKE` times the one over vertices. Time over that of the
# plain way, Zen 5, 2026-11, one thread and two: 0.87 and 0.93 on the 1000² grid, 0.70 and 0.84 on a
# Delaunay triangulation (6 arcs), 0.93 and 0.90 on a hexagonal grid with 90 % of its edges; 1.0 to
# 1.1 on a square one with 95 %, and of regular meshes 1.25 on the whole grid, 1.4 and 1.3 on a
# three-dimensional one (6), 2.0 and 1.8 on one with diagonals (8).
_GROUP = np.uint64(4)
_FEW, _UNLIKE = 7, 1.02
# Entries between asking for the lines of a vertex's arcs, for those of the distances at their
# ends, which needs the arcs, and its turn: DRAM takes some 150 ns. A few arcs often straddle two
# lines, so the fourth one's is asked for as well.
_ARCS_AHEAD, _ENDS_AHEAD = np.uint64(48), np.uint64(16)
_FOURTH = np.uint64(3)

_PARENT = np.uint64(32)
_VERTEX = np.uint64(0xFFFFFFFF)

# A thread's tally of a level, a cache line: vertices and arcs that it expanded; entries of its
# list of the next level, and their arcs.
_VERTICES, _ARCS, _FOUND, _FOUND_ARCS, _TALLY = 0, 1, 2, 3, 8


def workspace(n: int, threads: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Lists and tallies of a team.

    A thread finds a vertex of a level once, and no more of them than the level has edges.
    """
    lists = np.empty((2, threads, min(n, LARGE) + 1), np.uint64)
    return lists, np.zeros((2, threads, _TALLY), np.uint64)


def is_unpredictable(graph: Graph) -> bool:
    """Whether arcs are to be looked at without branches: few a vertex, not all alike."""
    mean = graph.num_arcs / graph.num_vertices
    return graph.num_arcs >= int(_GROUP) and _UNLIKE * mean < graph.mean_arc_degree <= _FEW


@inlined
def is_wide(edges, unexplored, n, m, policy):  # type: ignore[no-untyped-def]
    """Whether a frontier of so many edges is to be searched for bottom-up.

    A bottom-up step looks at every vertex, so it must save at least that many edges. Where frontiers
    grow slowly, as in meshes, most unreached vertices have no neighbour in it and look at all of
    their arcs: so it must have a share of the edges before it, too.
    """
    optimizing, alpha, beta = policy
    return (
        optimizing
        and edges > np.maximum(unexplored / alpha, n / beta)
        and edges > (m - unexplored) * _GROWTH
    )


@inlined
def _stands(entry, predecessor):  # type: ignore[no-untyped-def]
    return np.uint64(predecessor[entry & _VERTEX]) == entry >> _PARENT


@inlined
def _prefetch_arcs(entry, graph):  # type: ignore[no-untyped-def]
    offsets, indices = graph
    first = np.uint64(offsets[entry & _VERTEX])
    prefetch(indices, first)  # past the end of the array too: it never faults
    prefetch(indices, first + _FOURTH)


@inlined
def _prefetch_ends(entry, graph, distance):  # type: ignore[no-untyped-def]
    """Ask for the distances at the ends of the first arcs, or of others where these are few."""
    offsets, indices = graph
    first = np.minimum(np.uint64(offsets[entry & _VERTEX]), np.uint64(indices.shape[0]) - _GROUP)
    for k in range(_GROUP):
        prefetch(distance, indices[first + k])


@inlined
def _look_at(arc, stop, as_parent, next_level, indices, distance, there, found):  # type: ignore[no-untyped-def]
    """Add what the arcs up to ``stop`` find to ``there[:found]``; how much it is now."""
    for a in range(arc, stop):
        v = np.uint64(indices[a])
        if distance[v] < 0:
            distance[v] = next_level
            there[found] = as_parent | v
            found += ONE
    return found


@inlined
def _look_at_groups(arc, stop, as_parent, next_level, indices, distance, there, found):  # type: ignore[no-untyped-def]
    """The same without a branch for each arc.

    Arcs come in groups, the last one again where a group is not full. Each is written down, over
    the one before if that found nothing, and its end's distance in any case: one that has been
    read as another than -1 nobody changes any more.
    """
    while arc < stop:
        for k in range(_GROUP):
            v = np.uint64(indices[np.minimum(arc + k, stop - ONE)])
            d = distance[v]
            distance[v] = next_level if d < 0 else d
            there[found] = as_parent | v
            found += np.uint64(d < 0)
        arc += _GROUP
    return found


@inlined
def _expand(branchless, graph, next_level, labels, here, begin, end, there, found):  # type: ignore[no-untyped-def]
    """Expand the entries ``here[begin:end]`` and add what they find to ``there[:found]``.

    Returns
    -------
    vertices, arcs, found
        Vertices expanded and their arcs; entries ``there`` now.
    """
    offsets, indices = graph
    distance, predecessor = labels
    vertices = arcs = ZERO
    for i in range(begin, np.minimum(begin + _ARCS_AHEAD, end)):
        _prefetch_arcs(here[i], graph)
    for i in range(begin, end):
        if i + _ARCS_AHEAD < end:
            _prefetch_arcs(here[i + _ARCS_AHEAD], graph)
        if branchless and i + _ENDS_AHEAD < end:
            _prefetch_ends(here[i + _ENDS_AHEAD], graph, distance)
        u = here[i] & _VERTEX
        arc, stop = np.uint64(offsets[u]), np.uint64(offsets[u + ONE])
        stands = _stands(here[i], predecessor)
        stop = stop if stands else arc  # of what is loaded already: no branch
        vertices += np.uint64(stands)
        arcs += stop - arc
        what = (arc, stop, u << _PARENT, next_level, indices, distance, there, found)
        found = _look_at_groups(*what) if branchless else _look_at(*what)
    return vertices, arcs, found


@inlined
def _write_predecessors(offsets, predecessor, there, found):  # type: ignore[no-untyped-def]
    """Write the parents that the entries ``there[:found]`` name; the number of their arcs."""
    arcs = ZERO
    for i in range(found):
        v = there[i] & _VERTEX
        predecessor[v] = there[i] >> _PARENT
        arcs += np.uint64(offsets[v + ONE]) - np.uint64(offsets[v])
    return arcs


@outlined
def _to_queue(  # type: ignore[no-untyped-def]
    thread, threads, sync, offsets, predecessor, entries, count, tallies, queue
):
    """Make a queue of the entries that stand, mine and the others'; its vertices and edges."""
    kept = edges = ZERO
    for i in range(count):
        if _stands(entries[i], predecessor):
            v = entries[i] & _VERTEX
            entries[kept] = v
            kept += ONE
            edges += np.uint64(offsets[v + ONE]) - np.uint64(offsets[v])
    tallies[thread, _FOUND], tallies[thread, _FOUND_ARCS] = kept, edges
    barrier(sync, threads)  # all tallies are there
    place = total = edges = ZERO
    for t in range(threads):
        if t == thread:
            place = total
        total += tallies[t, _FOUND]
        edges += tallies[t, _FOUND_ARCS]
    for i in range(kept):
        queue[place + i] = entries[i]
    barrier(sync, threads)  # the queue is complete
    return np.int64(total), np.int64(edges)


@outlined
def short_levels(  # type: ignore[no-untyped-def]
    thread, threads, team, sync, branchless, offsets, indices, level, depth_limit, policy,
    unexplored, distance, predecessor, queue, begin, end, lists, tallies, trace,
):  # fmt: skip
    """Go from ``queue[begin:end]``, which is ``level``, on while levels have few edges.

    Levels of very few edges are left to one thread of the ``team``: ``threads`` = 1.

    Returns
    -------
    level, vertices, edges, unexplored
        Of the level after the last one expanded, whose vertices the queue now holds from its
        beginning on; 0 vertices when the search has come to its end, or is to end.
    """
    graph, labels = unowned((offsets, indices)), unowned((distance, predecessor))
    n, m = distance.shape[0], indices.shape[0]
    total = np.uint64(end - begin)
    first, last = share(end - begin, thread, threads)
    mine = lists[level & 1, thread]
    count = ZERO
    for i in range(np.uint64(begin + first), np.uint64(begin + last)):
        u = np.uint64(queue[i])
        mine[count] = np.uint64(predecessor[u]) << _PARENT | u
        count += ONE
    tallies[level & 1, thread, _FOUND] = count
    barrier(sync, threads)  # the first lists are there
    while True:
        here, now = lists[level & 1], tallies[level & 1]
        then = tallies[~level & 1]
        mine = lists[~level & 1, thread]
        first, last = share(total, np.uint64(thread), np.uint64(threads))
        last = np.uint64(last)  # Numba takes the product for an int64
        vertices = arcs = count = before = ZERO
        for t in range(threads):
            after = before + now[t, _FOUND]
            begin, end = np.maximum(first, before), np.minimum(last, after)
            if begin < end:
                done = _expand(
                    branchless, graph, level + 1, labels, here[t], begin - before, end - before,
                    mine, count,
                )  # fmt: skip
                vertices += done[0]
                arcs += done[1]
                count = done[2]
            before = after
        then[thread, _VERTICES], then[thread, _ARCS] = vertices, arcs
        then[thread, _FOUND] = count
        then[thread, _FOUND_ARCS] = _write_predecessors(offsets, predecessor, mine, count)
        if barrier(sync, threads):  # the next level's lists and the tallies are complete
            return level, 0, 0, unexplored
        vertices = arcs = total = edges = ZERO
        for t in range(threads):
            vertices += then[t, _VERTICES]
            arcs += then[t, _ARCS]
            total += then[t, _FOUND]
            edges += then[t, _FOUND_ARCS]
        if thread == 0:
            record(trace, level, vertices, arcs, TOP_DOWN)
        unexplored -= np.int64(arcs)
        level += 1
        if total == ZERO or level == depth_limit:
            return level, 0, 0, unexplored
        if np.maximum(total, edges) >= LARGE or is_wide(edges, unexplored, n, m, policy):
            break
        if (threads < team and edges >= TOGETHER) or (threads > 1 and edges < _ALONE):
            break
    total, edges = _to_queue(
        thread, threads, sync, offsets, predecessor, mine, count, tallies[~level & 1], queue
    )
    return level, total, edges, unexplored
