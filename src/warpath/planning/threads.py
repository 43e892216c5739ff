"""How many threads a call uses, by the size of its graph."""

from warpath.graph.graph import Graph
from warpath.parallel import thread_count

# Waking a team takes some 90 µs. With fewer edges per thread than this, one thread is done by then. Measured on two
# threads of Zen 5, 2026-11, from 60 vertices of 19 graphs each: delta-stepping gains from 131,000 to 160,000 edges on,
# breadth-first search from 250,000 to 500,000. With 16,384 a search of R-MAT 11, 16 took twice as long as on one.
_EDGES_PER_THREAD = 2**16
_VISITS_PER_RELAXATION = 2  # a breadth-first search does less for an edge
# Rows of a matrix: one thread closes 400 vertices in 2.4 ms, two in 2.9; 484 in 4.0 and 3.8 (likewise).
_MIN_MATRIX = 448


def threads_for(graph: Graph, searches: int | None = None, *, relaxes: bool = True) -> int:
    """The number of threads of one traversal of ``graph``, or of several that run side by side.

    Parameters
    ----------
    graph : Graph
    searches : int, optional
        As many as threads or more run side by side, a thread each; fewer one after the other.
    relaxes : bool
        Whether it adds weights up; else it counts edges.
    """
    threads = graph.num_arcs // (_EDGES_PER_THREAD * (1 if relaxes else _VISITS_PER_RELAXATION))
    if threads <= 1 and searches is None:
        return 1
    most = thread_count.num_threads()
    if searches is not None and searches >= most:
        return most
    return max(1, min(most, threads))


def threads_for_vertices(count: int) -> int:
    """The number of threads for an operator on ``count`` vertices."""
    return max(1, min(thread_count.num_threads(), count // _EDGES_PER_THREAD))


def threads_for_matrix(n: int) -> int:
    """The size of a team for a matrix of n vertices."""
    return thread_count.num_threads() if n >= _MIN_MATRIX else 1
