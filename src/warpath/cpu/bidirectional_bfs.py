"""Breadth-first search from both ends: do the searches meet, and by how short a path?

Source: the s-t connectivity (STCON) of S. Hong et al., "Accelerating CUDA graph algorithms
at maximum warp", PPoPP 2011, section 4.3: two searches in two colours, which grow until an
arc joins them. One thread: between two random vertices so few levels are looked at that a
team would hardly be awake.

What is in the encoding:

- ``mark[v]`` is the vertex's colour and its parent in one: p + 1 where the search from the
  source found v from p, −(p + 1) where the one from the target did, 0 where neither. Nothing
  else has an entry per vertex that must be written before a search.
- So a search that has ended clears the marks of what it met, and leaves its memory with the graph
  for the next one: fresh pages from the system take longer than most searches.
- ``queue`` holds both searches' discoveries, one from the left end, one from the right: a
  vertex has one colour, so they never collide.
- The searches go by whole levels. After f and b of them, without having met, no path has
  f + b arcs or fewer. So an arc that joins them closes a path of the fewest arcs there can be,
  f + 1 + b, and the first such arc ends the search in the middle of a level.
- The search whose frontier has fewer arcs does the next level.
- Apart from `warpath.cpu.bfs`, which writes a distance for every vertex before it begins.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arc_range, arcs_of
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace, record
from warpath.cpu.unsigned import ZERO
from warpath.graph.graph import Graph
from warpath.parallel.atomics import unowned
from warpath.parallel.interruption import interruptible
from warpath.parallel.jit import compiled, inlined
from warpath.parallel.sync import barrier

FORWARD, BACKWARD = 0, 1  # in the trace's column of directions
_WAYS = "forward", "backward"
_RED, _BLUE = 1, -1  # colours: signs of the marks
_SPACES = ("searches from both ends",)


class _Space(NamedTuple):
    """What a search works in."""

    mark: Any
    queue: Any
    trace: Any


@inlined
def _degree(arcs, v):  # type: ignore[no-untyped-def]
    first, last = arc_range(arcs, v)
    return np.int64(last - first)


@inlined
def _expand(colour, arcs, mark, queue, begin, end):  # type: ignore[no-untyped-def]
    """Colour the neighbours of one frontier, until one has the other colour.

    Returns where the next frontier ends, how many arcs leave it, how many were looked at
    here, and the arc at which the colours met, seen from here (or -1, -1).
    """
    origin = np.int64(0) if colour == _RED else np.int64(queue.shape[0] - 1)
    following = end
    ahead = np.int64(0)
    inspected = np.int64(0)
    for i in range(begin, end):
        u = queue[np.uint64(origin + colour * i)]
        first, last = arc_range(arcs, u)
        for arc in range(first, last):
            v = arcs.indices[arc]
            found = mark[v]
            if found == 0:
                mark[v] = colour * (np.int64(u) + 1)
                queue[np.uint64(origin + colour * following)] = v
                following += 1
                ahead += _degree(arcs, v)
            elif (found ^ colour) < 0:  # their signs differ
                inspected += np.int64(arc - first) + 1
                return following, ahead, inspected, np.int64(u), np.int64(v)
        inspected += np.int64(last - first)
    return following, ahead, inspected, np.int64(-1), np.int64(-1)


@compiled
def _search(sync, arcs, back, source, target, space):  # type: ignore[no-untyped-def]
    """Levels, and the path and the place of its arc at which the searches met; -1 where they did not."""
    arcs, back = unowned((arcs, back))
    mark, queue, trace = unowned(space)
    mark[source] = _RED * (np.int64(source) + 1)
    mark[target] = _BLUE * (np.int64(target) + 1)
    queue[ZERO] = source
    queue[np.uint64(queue.shape[0] - 1)] = target
    f_begin, f_end = np.int64(0), np.int64(1)
    b_begin, b_end = np.int64(0), np.int64(1)
    f_arcs = _degree(arcs, source)
    b_arcs = _degree(back, target)
    levels = 0
    tail, head = np.int64(-1), np.int64(-1)
    while f_begin < f_end and b_begin < b_end and tail < 0 and not barrier(sync, 1):
        if f_arcs <= b_arcs:
            size = f_end - f_begin
            following, f_arcs, inspected, tail, head = _expand(
                _RED, arcs, mark, queue, f_begin, f_end
            )
            f_begin, f_end = f_end, following
            record(trace, levels, size, inspected, FORWARD)
        else:
            size = b_end - b_begin
            following, b_arcs, inspected, head, tail = _expand(
                _BLUE, back, mark, queue, b_begin, b_end
            )
            b_begin, b_end = b_end, following
            record(trace, levels, size, inspected, BACKWARD)
        levels += 1
    path = np.empty(levels + 1 if tail >= 0 else 0, np.int32)
    place = np.int64(-1)
    if tail >= 0:
        place = _write_path(mark, tail, head, path)
    for i in range(np.uint64(f_end)):
        mark[queue[i]] = 0
    for i in range(np.uint64(queue.shape[0] - b_end), np.uint64(queue.shape[0])):
        mark[queue[i]] = 0
    return levels, path, place


@inlined
def _write_path(mark, tail, head, path):  # type: ignore[no-untyped-def]
    """Fill in the vertices through the arc tail → head; return the place of ``tail``."""
    arcs = 1
    v = tail
    while mark[v] - 1 != v:
        v = np.int64(mark[v] - 1)
        arcs += 1
    place = arcs - 1
    v = tail
    for i in range(place, -1, -1):
        path[i] = v
        v = np.int64(mark[v] - 1)
    v = head
    for i in range(place + 1, path.shape[0]):
        path[i] = v
        v = np.int64(-mark[v] - 1)
    return place


def bidirectional_bfs(
    graph: Graph, source: int, target: int
) -> tuple[NDArray[np.int32] | None, int, Report]:
    """A path of the fewest arcs between two vertices, and where the searches met.

    Returns
    -------
    path : int32 array, shape (arcs + 1,), or None
        Its vertices; None: there is no path.
    place : int
        The searches met along the arc from ``path[place]`` to ``path[place + 1]``; -1 where
        there was nothing to search for.
    report : Report

    Notes
    -----
    Takes 8 bytes per vertex, of which those of vertices that it meets are touched, and keeps them with the graph
    (`Graph.memory`). A directed graph builds its reverse at the first call.
    """
    if source == target:
        at_once = Report(np.empty(0, np.int64), iterations=0, threads=1)
        return np.array([source], np.int32), -1, at_once
    n, arcs, back = graph.num_vertices, arcs_of(graph), arcs_of(graph.reverse)
    # As many as threads search at once; one that is interrupted is not clear, and is dropped.
    spaces = graph.derived.setdefault(_SPACES, [])
    try:
        space = spaces.pop()
    except IndexError:
        space = _Space(np.zeros(n, np.int32), np.empty(n, np.uint32), new_trace(n))
    with interruptible() as sync:
        levels, path, place = _search(sync, arcs, back, np.uint64(source), np.uint64(target), space)
    report = Report(space.trace[:levels].ravel().copy(), levels, 1, ways=_WAYS)
    spaces.append(space)
    return (path, place, report) if place >= 0 else (None, -1, report)
