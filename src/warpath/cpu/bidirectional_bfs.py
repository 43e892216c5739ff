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
- ``ahead`` and ``behind`` are the searches' queues, with what each has found.
- The searches go by whole levels. After f and b of them, without having met, no path has
  f + b arcs or fewer. So an arc that joins them closes a path of the fewest arcs there can be,
  f + 1 + b, and the first such arc ends the search in the middle of a level.
- The search whose frontier has fewer arcs does the next level.
- Apart from `warpath.cpu.bfs`, which writes a distance for every vertex before it begins.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from warpath.cpu.arcs import arcs_of, num_arcs
from warpath.cpu.queue_search import MET, NEW, STOP, expand
from warpath.cpu.report import Report
from warpath.cpu.trace import new_trace, record
from warpath.cpu.unsigned import ONE, ZERO
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
    ahead: Any
    behind: Any
    trace: Any


@inlined
def _colour(state, u, v):  # type: ignore[no-untyped-def]
    """Colour v from u, unless it has a colour; stop if that is the other search's."""
    mark, colour = state
    found = mark[v]
    if found == 0:
        mark[v] = colour * (np.int64(u) + 1)
        return NEW
    return STOP if (found ^ colour) < 0 else MET  # their signs differ


@compiled
def _search(sync, arcs, back, source, target, space):  # type: ignore[no-untyped-def]
    """Levels, and the path and the place of its arc at which the searches met; -1 where they did not."""
    arcs, back = unowned((arcs, back))
    mark, ahead, behind, trace = unowned(space)
    mark[source] = _RED * (np.int64(source) + 1)
    mark[target] = _BLUE * (np.int64(target) + 1)
    ahead[ZERO], behind[ZERO] = source, target
    f_begin, f_end, b_begin, b_end = ZERO, ONE, ZERO, ONE
    f_arcs, b_arcs = num_arcs(arcs, ahead, ZERO, ONE), num_arcs(back, behind, ZERO, ONE)
    levels = 0
    tail, head = np.int64(-1), np.int64(-1)
    while f_begin < f_end and b_begin < b_end and tail < 0 and not barrier(sync, 1):
        if f_arcs <= b_arcs:
            begin, f_begin = f_begin, f_end
            f_end, inspected, tail, head = expand(
                _colour, (mark, _RED), arcs, ahead, begin, f_end, f_end
            )
            f_arcs = num_arcs(arcs, ahead, f_begin, f_end)
            record(trace, levels, f_begin - begin, inspected, FORWARD)
        else:
            begin, b_begin = b_begin, b_end
            b_end, inspected, head, tail = expand(
                _colour, (mark, _BLUE), back, behind, begin, b_end, b_end
            )
            b_arcs = num_arcs(back, behind, b_begin, b_end)
            record(trace, levels, b_begin - begin, inspected, BACKWARD)
        levels += 1
    path = np.empty(levels + 1 if tail >= 0 else 0, np.int32)
    place = np.int64(-1)
    if tail >= 0:
        place = _write_path(mark, tail, head, path)
    for i in range(f_end):
        mark[ahead[i]] = 0
    for i in range(b_end):
        mark[behind[i]] = 0
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
    Takes 12 bytes per vertex, of which those of vertices that it meets are touched, and keeps them with the graph
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
        ahead, behind = np.empty((2, n), np.uint32)
        space = _Space(np.zeros(n, np.int32), ahead, behind, new_trace(n))
    with interruptible() as sync:
        levels, path, place = _search(sync, arcs, back, np.uint64(source), np.uint64(target), space)
    report = Report(space.trace[:levels].ravel().copy(), levels, 1, ways=_WAYS)
    spaces.append(space)
    return (path, place, report) if place >= 0 else (None, -1, report)
