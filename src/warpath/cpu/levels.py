"""Breadth-first levels of few edges, one after the other: each thread lists what it finds.

A road network takes thousands of levels of some microseconds each. Atomics, cache lines that
wander from core to core, mispredicted branches and a second barrier would cost more than the
work. What is in the encoding:

- The frontier is the threads' lists, one behind the other; each thread expands an equal share
  of it into a list of its own. That keeps the order of discovery, so on a grid a thread meets
  vertices near those which it met before, whose cache lines its core still holds. The lists are
  double-buffered: one set is read while the other is written.
- An entry is (parent, vertex) in one word, the vertex in its lower half.
- Two threads may both find a vertex, and both write its predecessor. One write is the last, and
  the entry that names another parent is passed over when its turn comes. (No vertex is a parent
  in two shares.) So one barrier ends a level, and nothing is looked for or removed.
- Hence the edges of the next level are known as a bound, duplicates counted in. Where that
  reaches what another form of a step may want, the lists become a queue, without duplicates, and
  exact numbers decide.
"""

from typing import Any, NamedTuple

import numpy as np

from warpath.cpu.arcs import arc_range, arcs_of, kind_of
from warpath.cpu.counters import LINE
from warpath.cpu.trace import TOP_DOWN, record
from warpath.cpu.unsigned import ONE, ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import prefetch, unowned
from warpath.parallel.carve import carve
from warpath.parallel.jit import compiled, inlined, outlined
from warpath.parallel.sync import barrier, share
from warpath.planning.cache import kept
from warpath.planning.memory import trace_rows

LARGE = 65536  # edges from which chunks balance better than shares: a guess
# Edges from which a team shares a level, and below which it leaves the rest to one thread (a
# guess). Two threads, Zen 5, 2026-11: grids of 10⁶ vertices, 35, 50 and 100 wide, take 0.89, 0.90
# and 0.71 of the time that they take with 1024 and 256; 64 and 16 change little.
TOGETHER, _ALONE = 256, 64

OPTIMIZING = 2  # in addition to `warpath.cpu.trace.TOP_DOWN` and `BOTTOM_UP`: a direction

# A level is wide if it has this share of the edges of all earlier levels: as on a GPU.
_GROWTH = 0.25

# Arcs are looked at in such groups, without a branch between them, where vertices have at most
# `_FEW` arcs, averaged over the arcs, and that average is `_UNLIKE` times the one over vertices: then
# no branch predictor knows which arcs find something. Time over that with a branch per arc, Zen 5,
# 2026-11, one thread and two:
#     grid 1000²; Delaunay triangulation (6 arcs)                0.87, 0.93; 0.70, 0.84
#     90 % of a hexagonal grid; 95 % of a square one             0.93, 0.90; 1.0 to 1.1
#     regular: whole grid; three-dimensional (6); diagonals (8)  1.25; 1.4, 1.3; 2.0, 1.8
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
_ROW = np.uint64(3)  # of the trace: see `warpath.cpu.trace`
COUNTERS = 5
"""Of a step: see `warpath.cpu.bfs`."""


class Topology(NamedTuple):
    """What a search reads of a graph; ``branchless``: see `is_unpredictable`."""

    arcs: Any
    reverse: Any
    branchless: Any


class Traversal(NamedTuple):
    """One breadth-first search, for a kernel: a `Topology`, and the rest."""

    arcs: Any
    reverse: Any
    branchless: Any
    sources: Any
    direction: Any
    alpha: Any
    beta: Any
    depth_limit: Any
    distance: Any
    predecessor: Any


class Ends(NamedTuple):
    """Where the arrays of a `Space` end, in words of the one that holds them all."""

    trace: Any
    counters: Any
    tallies: Any
    bitmaps: Any
    queue: Any
    lists: Any


class Space(NamedTuple):
    """What a search works in: a queue and bitmaps, and of each thread lists and tallies.

    ``outcome`` is what one thread writes for the others, and at last the levels and threads.
    """

    outcome: Any
    trace: Any
    counters: Any
    tallies: Any
    bitmaps: Any
    queue: Any
    lists: Any


class Frontier(NamedTuple):
    """The vertices ``queue[begin:end]`` of a level, after ``step`` steps.

    ``edges`` leave them; ``unexplored`` ones are left, of all that a top-down search may look at.
    """

    level: Any
    step: Any
    begin: Any
    end: Any
    edges: Any
    unexplored: Any


def ends_of(n: int, threads: int) -> Ends:
    """Where the arrays of a team's search of n vertices end, at most.

    A thread finds a vertex of a level once, and no more of them than the level has edges.
    """
    trace = LINE + 3 * trace_rows(n)
    counters = trace + 3 * COUNTERS * LINE
    tallies = counters + 2 * threads * _TALLY
    bitmaps = tallies + 3 * ((n + 63) // 64)
    queue = bitmaps + (n + 1) // 2
    lists = queue + 2 * threads * (min(n, LARGE) + 1)
    return Ends(trace, counters, tallies, bitmaps, queue, lists)


@compiled
def parts_of(words, ends, n, threads):  # type: ignore[no-untyped-def]
    """The space of a search of n vertices by ``threads``; nothing of it is initialised."""
    longest = np.minimum(n, LARGE) + 1
    return Space(
        carve(words, 0, np.int64, (LINE,)),
        carve(words, LINE, np.int64, (np.uint64(ends.trace - LINE) // _ROW, _ROW)),
        carve(words, ends.trace, np.int64, (3, COUNTERS * LINE)),
        carve(words, ends.counters, np.uint64, (2, threads, _TALLY)),
        carve(words, ends.tallies, np.int64, (3, (n + 63) >> 6)),
        carve(words, ends.bitmaps, np.uint32, (2 * (ends.queue - ends.bitmaps),)),
        carve(words, ends.queue, np.uint64, (2, threads, longest)),
    )


def is_unpredictable(graph: Graph) -> bool:
    """Whether arcs are to be looked at without branches: vertices have few, and degrees vary."""
    mean = graph.num_arcs / graph.num_vertices
    return graph.num_arcs >= int(_GROUP) and _UNLIKE * mean < graph.mean_arc_degree <= _FEW


@kept
def topology_of(graph: Graph, both: bool, threads: int) -> tuple[Topology, Ends, Any]:
    """What a team's searches of a graph share: also where their space ends, and what the types are.

    ``both``: whether they look at the arcs into each vertex as well.
    """
    reverse = graph.reverse if both else graph
    topology = Topology(arcs_of(graph), arcs_of(reverse), is_unpredictable(graph))
    return topology, ends_of(graph.num_vertices, threads), (kind_of(graph), kind_of(reverse))


@inlined
def is_wide(search, edges, unexplored):  # type: ignore[no-untyped-def]
    """Whether a frontier of ``edges`` edges is large enough for a bottom-up step.

    A bottom-up step looks at every vertex, so it must save at least that many edges. Where frontiers
    grow slowly, as in meshes, most unreached vertices have no neighbour in it and look at all
    their arcs: so its edges must also exceed a share of those of all earlier levels.
    """
    n, m = search.distance.shape[0], search.arcs.indices.shape[0]
    return (
        search.direction == OPTIMIZING
        and edges > np.maximum(unexplored / search.alpha, n / search.beta)
        and edges > (m - unexplored) * _GROWTH
    )


@inlined
def _stands(entry, predecessor):  # type: ignore[no-untyped-def]
    return np.uint32(predecessor[entry & _VERTEX]) == np.uint32(entry >> _PARENT)


@inlined
def _prefetch_arcs(arcs, entry):  # type: ignore[no-untyped-def]
    first = np.uint64(arcs.offsets[entry & _VERTEX])
    prefetch(arcs.indices, first)  # past the end of the array too: it never faults
    prefetch(arcs.indices, first + _FOURTH)


@inlined
def _prefetch_ends(search, entry):  # type: ignore[no-untyped-def]
    """Ask for the distances at the ends of the first arcs, or of others where these are few."""
    offsets, indices = search.arcs.offsets, search.arcs.indices
    first = np.minimum(np.uint64(offsets[entry & _VERTEX]), np.uint64(indices.shape[0]) - _GROUP)
    for k in range(_GROUP):
        prefetch(search.distance, indices[first + k])


@inlined
def _look_at(search, level, u, arc, stop, there, found):  # type: ignore[no-untyped-def]
    """Add what u's arcs up to ``stop`` find to ``there[:found]``; how much it is now."""
    for a in range(arc, stop):
        v = np.uint64(search.arcs.indices[a])
        if search.distance[v] < 0:
            search.distance[v] = level + 1
            there[found] = u << _PARENT | v
            found += ONE
    return found


@inlined
def _look_at_groups(search, level, u, arc, stop, there, found):  # type: ignore[no-untyped-def]
    """The same without a branch for each arc.

    Arcs come in groups, the last one again where a group is not full. Each is written down, over
    the one before if that found nothing. Its end's distance is written in any case: a distance
    that was read as another than -1 is final.
    """
    while arc < stop:
        for k in range(_GROUP):
            v = np.uint64(search.arcs.indices[np.minimum(arc + k, stop - ONE)])
            d = search.distance[v]
            search.distance[v] = level + 1 if d < 0 else d
            there[found] = u << _PARENT | v
            found += np.uint64(d < 0)
        arc += _GROUP
    return found


@inlined
def _expand(search, level, here, begin, end, there, found):  # type: ignore[no-untyped-def]
    """Expand the entries ``here[begin:end]`` and add what they find to ``there[:found]``.

    Returns
    -------
    vertices, arcs, found
        Vertices expanded and their arcs; entries ``there`` now.
    """
    vertices = arcs = ZERO
    for i in range(begin, np.minimum(begin + _ARCS_AHEAD, end)):
        _prefetch_arcs(search.arcs, here[i])
    for i in range(begin, end):
        if i + _ARCS_AHEAD < end:
            _prefetch_arcs(search.arcs, here[i + _ARCS_AHEAD])
        if search.branchless and i + _ENDS_AHEAD < end:
            _prefetch_ends(search, here[i + _ENDS_AHEAD])
        u = here[i] & _VERTEX
        arc, stop = arc_range(search.arcs, u)
        stands = _stands(here[i], search.predecessor)
        stop = stop if stands else arc  # of what is loaded already: no branch
        vertices += np.uint64(stands)
        arcs += stop - arc
        if search.branchless:
            found = _look_at_groups(search, level, u, arc, stop, there, found)
        else:
            found = _look_at(search, level, u, arc, stop, there, found)
    return vertices, arcs, found


@inlined
def _write_predecessors(search, there, found):  # type: ignore[no-untyped-def]
    """Write the parents that the entries ``there[:found]`` name; the number of their arcs."""
    arcs = ZERO
    for i in range(found):
        v = there[i] & _VERTEX
        search.predecessor[v] = there[i] >> _PARENT
        first, last = arc_range(search.arcs, v)
        arcs += last - first
    return arcs


@outlined
def _to_queue(thread, threads, sync, search, entries, count, tallies, queue):  # type: ignore[no-untyped-def]
    """Make a queue of the entries that stand, mine and the others'; its vertices and edges."""
    search = unowned(search)
    standing = edges = ZERO
    for i in range(count):
        if _stands(entries[i], search.predecessor):
            v = entries[i] & _VERTEX
            entries[standing] = v
            standing += ONE
            first, last = arc_range(search.arcs, v)
            edges += last - first
    tallies[thread, _FOUND], tallies[thread, _FOUND_ARCS] = standing, edges
    barrier(sync, threads)  # all tallies are there
    place = total = edges = ZERO
    for t in range(threads):
        if t == thread:
            place = total
        total += tallies[t, _FOUND]
        edges += tallies[t, _FOUND_ARCS]
    for i in range(standing):
        queue[place + i] = entries[i]
    barrier(sync, threads)  # the queue is complete
    return np.int64(total), np.int64(edges)


@outlined
def short_levels(thread, threads, team, sync, search, space, frontier):  # type: ignore[no-untyped-def]
    """Go on from a frontier while levels have few edges; returns the first that was not expanded.

    It stands at the beginning of the queue, and is empty when the search has come to its end, or is
    to end. Levels of very few edges are left to one thread of the ``team``: ``threads`` = 1.
    """
    search, space = unowned(search), unowned(space)
    lists, tallies, queue = space.lists, space.tallies, space.queue
    level, unexplored, step = frontier.level, frontier.unexplored, frontier.step
    total = np.uint64(frontier.end - frontier.begin)
    first, last = share(frontier.end - frontier.begin, thread, threads)
    mine = lists[level & 1, thread]
    count = ZERO
    for i in range(np.uint64(frontier.begin + first), np.uint64(frontier.begin + last)):
        u = np.uint64(queue[i])
        mine[count] = np.uint64(np.uint32(search.predecessor[u])) << _PARENT | u
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
                done = _expand(search, level, here[t], begin - before, end - before, mine, count)
                vertices += done[0]
                arcs += done[1]
                count = done[2]
            before = after
        then[thread, _VERTICES], then[thread, _ARCS] = vertices, arcs
        then[thread, _FOUND] = count
        then[thread, _FOUND_ARCS] = _write_predecessors(search, mine, count)
        if barrier(sync, threads):  # the next level's lists and the tallies are complete
            return Frontier(level, step, 0, 0, 0, unexplored)
        vertices = arcs = total = edges = ZERO
        for t in range(threads):
            vertices += then[t, _VERTICES]
            arcs += then[t, _ARCS]
            total += then[t, _FOUND]
            edges += then[t, _FOUND_ARCS]
        if thread == 0:
            record(space.trace, level, vertices, arcs, TOP_DOWN)
        unexplored -= np.int64(arcs)
        level += 1
        if total == ZERO or level == search.depth_limit:
            return Frontier(level, step, 0, 0, 0, unexplored)
        if np.maximum(total, edges) >= LARGE or is_wide(search, np.int64(edges), unexplored):
            break
        if (threads < team and edges >= TOGETHER) or (threads > 1 and edges < _ALONE):
            break
    vertices, edges = _to_queue(
        thread, threads, sync, search, mine, count, tallies[~level & 1], queue
    )
    return Frontier(level, step, 0, vertices, edges, unexplored)
